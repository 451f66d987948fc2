package dev.rowan.checks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * The explorer's pages in a real browser: {@code web/test/browser.mjs} drives Chromium against the
 * packed program and prints one line a test. Screenshots go to {@code checks/target/screenshots}.
 *
 * <p>Without a browser they are reported as skipped; with ROWAN_BROWSER=required that is a failure.
 */
class ExplorerIT {
  private static final Path BROWSER =
      Path.of(System.getenv().getOrDefault("ROWAN_CHROMIUM", "/usr/bin/chromium"));
  private static final long MOST_MINUTES = 8;

  /** A running {@code rowan serve}. */
  private record Serving(Process process, String address) implements AutoCloseable {
    static Serving start(Path log, String... arguments) throws IOException {
      return startWith("", log, arguments);
    }

    /** Starts it with options for the JVM. */
    static Serving startWith(String options, Path log, String... arguments) throws IOException {
      List<String> command =
          new ArrayList<>(List.of(Rowan.HOME.resolve("rowan").toString(), "serve", "--port", "0"));
      command.addAll(List.of(arguments));
      ProcessBuilder builder = new ProcessBuilder(command).redirectError(log.toFile());
      builder.environment().putAll(Rowan.launcher().environment());
      builder.environment().remove("ROWAN_MODEL");
      builder.environment().put("ROWAN_JAVA_OPTS", options);
      Process process = builder.start();
      process.getOutputStream().close();
      String line = process.inputReader(StandardCharsets.UTF_8).readLine();
      assertThat(line).as("what serve prints; %s", Files.readString(log)).contains("http://");
      return new Serving(process, line.replaceAll("^.*(http://\\S+).*$", "$1"));
    }

    @Override
    public void close() {
      process.destroy();
      try {
        if (!process.waitFor(10, TimeUnit.SECONDS)) {
          process.destroyForcibly();
          throw new AssertionError("serve did not end within 10 s of being told to");
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  @Test
  void servesItsPagesUntilItIsToldToEnd(@TempDir Path folder) throws IOException {
    Path log = folder.resolve("log");
    try (Serving serving = Serving.start(log)) {
      assertThat(serving.address()).startsWith("http://127.0.0.1:");
    }
    assertThat(Files.readString(log)).doesNotContain("Exception");
  }

  /** A minute of the same: {@code node bench/clients.mjs ADDRESS}. */
  @Test
  void twoHundredClientsAtOnceFitInALittleHeap(@TempDir Path folder) throws Exception {
    assumeTrue(
        onThePath("node"), "the clients are a script for Node.js, which is not there; skipped");
    Path out = folder.resolve("out");
    Path log = folder.resolve("log");
    try (Serving serving = Serving.startWith("-Xmx192m -XX:+ExitOnOutOfMemoryError", log)) {
      Process clients =
          new ProcessBuilder(
                  "node",
                  Rowan.HOME.resolve("bench/clients.mjs").toString(),
                  serving.address(),
                  "5",
                  "200")
              .redirectOutput(out.toFile())
              .redirectErrorStream(true)
              .start();
      assertThat(clients.waitFor(2, TimeUnit.MINUTES)).isTrue();
      assertThat(clients.exitValue()).as(Files.readString(out)).isZero();
      assertThat(serving.process().isAlive()).isTrue();
    }
    assertThat(Json.parse(Files.readString(out)).at("answers").number()).isGreaterThan(200);
    assertThat(Files.readString(log)).doesNotContain("OutOfMemory").doesNotContain("a bug in");
  }

  private static boolean onThePath(String program) {
    return Stream.of(System.getenv().getOrDefault("PATH", "").split(java.io.File.pathSeparator, -1))
        .anyMatch(folder -> Files.isExecutable(Path.of(folder, program)));
  }

  /** Writes 300,000 rows in eight heaps as a NumPy file. */
  private static Path large(Path folder) throws IOException {
    int rows = 300_000;
    int width = 8;
    String header =
        "{'descr': '<f4', 'fortran_order': False, 'shape': (%d, %d), }".formatted(rows, width);
    header = header + " ".repeat(63 - (10 + header.length()) % 64) + "\n";
    ByteBuffer bytes =
        ByteBuffer.allocate(10 + header.length() + 4 * rows * width).order(ByteOrder.LITTLE_ENDIAN);
    bytes.put((byte) 0x93).put("NUMPY".getBytes(StandardCharsets.US_ASCII));
    bytes.put((byte) 1).put((byte) 0).putShort((short) header.length());
    bytes.put(header.getBytes(StandardCharsets.US_ASCII));
    SplittableRandom random = new SplittableRandom(1);
    for (int r = 0; r < rows; r++) {
      for (int c = 0; c < width; c++) {
        bytes.putFloat((float) (random.nextGaussian() + (r % 8 == c ? 6 : 0)));
      }
    }
    return Files.write(folder.resolve("large.npy"), bytes.array());
  }

  /** Returns the project's own pages of documentation, as a text to learn from. */
  private static String docs() throws IOException {
    StringBuilder text = new StringBuilder();
    try (Stream<Path> files = Files.list(Rowan.HOME.resolve("docs"))) {
      for (Path file : files.filter(f -> f.toString().endsWith(".md")).sorted().toList()) {
        text.append(Files.readString(file));
      }
    }
    return text.toString();
  }

  @TestFactory
  Stream<DynamicTest> pagesInABrowser(@TempDir Path folder) throws Exception {
    boolean there = Files.isExecutable(BROWSER);
    if ("required".equals(System.getenv("ROWAN_BROWSER"))) {
      assertThat(there).as("ROWAN_BROWSER=required, and %s is there", BROWSER).isTrue();
    }
    assumeTrue(
        there,
        "the tests of the pages need Chromium at %s (or ROWAN_CHROMIUM); skipped"
            .formatted(BROWSER));
    List<Json> results = new ArrayList<>();
    Path log = folder.resolve("log");
    Path err = folder.resolve("err");
    Path corpora = Files.createDirectory(folder.resolve("corpora"));
    Path text = Files.writeString(corpora.resolve("docs.txt"), docs());
    Path second = folder.resolve("second.safetensors");
    Rowan.Outcome trained =
        Rowan.run(
            "train",
            text.toString(),
            "-o",
            second.toString(),
            "--from",
            "default",
            "-d",
            "384",
            "--lower",
            "--min-count",
            "2");
    assertThat(trained.code()).as(trained.err()).isZero();
    try (Serving serving =
        Serving.start(
            log, large(folder).toString(), second.toString(), "--corpora", corpora.toString())) {
      ProcessBuilder builder =
          new ProcessBuilder(
              "node",
              Rowan.HOME.resolve("web/test/browser.mjs").toString(),
              serving.address(),
              Rowan.HOME.resolve("checks/target/screenshots").toString(),
              Rowan.HOME.resolve("rowan").toString());
      builder.environment().putAll(Rowan.launcher().environment());
      builder.environment().remove("ROWAN_MODEL");
      builder.environment().put("ROWAN_SECOND", second.toString());
      Path out = folder.resolve("out");
      Process process = builder.redirectOutput(out.toFile()).redirectError(err.toFile()).start();
      if (!process.waitFor(MOST_MINUTES, TimeUnit.MINUTES)) {
        process.destroyForcibly();
        throw new AssertionError("the browser did not end within " + MOST_MINUTES + " minutes");
      }
      for (String line : Files.readAllLines(out, StandardCharsets.UTF_8)) {
        results.add(Json.parse(line));
      }
    }
    assertThat(results).as("tests that ran; %s", Files.readString(err)).hasSizeGreaterThan(45);
    assertThat(Files.readString(log)).as("what serve logged").doesNotContain("a bug in Rowan");
    return results.stream()
        .map(result ->
            dynamicTest(
                result.at("name").text(),
                () ->
                    assertThat(result.at("passed").truth())
                        .as(result.at("message").text())
                        .isTrue()));
  }
}

package dev.rowan.checks;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.rowan.checks.Rowan.Outcome;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A table written in another format answers as before. */
class ConvertIT {
  @TempDir Path folder;

  // ending, dtype, and how far a cosine may move through it: float text comes back exactly, 16-bit
  // numbers keep 11 or 8 bits
  @ParameterizedTest
  @CsvSource({
    "table.vec, f32, 1e-5",
    "table.bin, f32, 1e-5",
    "table.gguf, f16, 1e-3",
    "table.gguf, bf16, 1e-2",
    "table, f16, 1e-3"
  })
  void answersAsBefore(String name, String dtype, double tolerance) {
    Path target = folder.resolve(name);
    Json written =
        Rowan.run("--json", "convert", "default", target.toString(), "--dtype", dtype).json();
    assertThat(written.at("rows").whole()).isEqualTo(30_522);
    assertThat(written.at("dtype").text()).isEqualTo(dtype);
    Json nearest =
        Rowan.run("--json", "-m", target.toString(), "near", "#4937", "-k", "1")
            .json()
            .at("results")
            .at(0)
            .at("neighbours")
            .at(0);
    assertThat(nearest.at("id").whole()).isEqualTo(8870);
    assertThat(nearest.at("score").number()).isCloseTo(0.815262, within(tolerance));
  }

  @Test
  void refusesWhatTheTargetCannotHoldAndWritesNothing() throws IOException {
    Outcome outcome =
        Rowan.run("convert", "default", folder.resolve("x.vec").toString(), "--dtype", "bf16");
    assertThat(outcome.code()).isEqualTo(2);
    assertThat(outcome.err()).contains("bf16");
    try (var files = Files.list(folder)) {
      assertThat(files).isEmpty();
    }
  }

  @Test
  void leavesNothingHalfWrittenOnADiskThatIsFull() throws IOException {
    Path old = Files.writeString(folder.resolve("old.vec"), "a finished file");
    for (String name : List.of("old.vec", "new.vec", "new.bin", "new", "new.gguf")) {
      Path target = folder.resolve(name);
      Outcome full =
          Rowan.launcher().limitedTo(64, "convert", "default", target.toString(), "--force");
      assertThat(full.code()).as(full.err()).isEqualTo(3);
      assertThat(full.err()).contains("rowan: " + target, ": cannot be written: ");
      assertThat(full.out()).isEmpty();
    }
    assertThat(old).hasContent("a finished file");
    try (var files = Files.list(folder)) {
      assertThat(files).containsExactly(old);
    }
  }

  @Test
  void asksForTheFormatThatAnEndingDoesNotName() {
    Outcome outcome = Rowan.run("convert", "default", folder.resolve("x.txt").toString());
    assertThat(outcome.code()).isEqualTo(2);
    assertThat(outcome.err()).contains("--to", "glove", "word2vec-binary");
  }

  @Test
  void listsEveryTensor() {
    Json tensors = Rowan.run("--json", "info", "--all").json().at("tensors");
    assertThat(tensors.at(0).at("name").text()).isEqualTo("embeddings.word_embeddings.weight");
    assertThat(tensors.at(0).at("shape").at(0).whole()).isEqualTo(30_522);
  }

  @ParameterizedTest
  @CsvSource({"new.csv, csv", "new.gguf, gguf", "new, safetensors"})
  void interruptedLeavesNothing(String name, String format) throws Exception {
    Path outside = Files.createDirectory(folder.resolve("outside"));
    Process process = start(outside, name, format);
    process.destroy(); // SIGTERM; Ctrl-C takes the same way
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    try (var left = Files.list(outside)) {
      assertThat(left).isEmpty();
    }
  }

  /** Starts a conversion of 800 MB, which are a hole, and returns once it has begun to write. */
  private Process start(Path outside, String name, String format) throws Exception {
    Path large = folder.resolve("large.npy");
    String dict = "{'descr': '<f8', 'fortran_order': False, 'shape': (100000, 1000), }";
    byte[] header =
        ("\u0093NUMPY\1\0v\0" + dict + " ".repeat(117 - dict.length()) + "\n").getBytes(ISO_8859_1);
    try (RandomAccessFile file = new RandomAccessFile(large.toFile(), "rw")) {
      file.write(header);
      file.setLength(header.length + 8L * 100_000 * 1_000);
    }
    Path words = folder.resolve("words.txt");
    Files.write(words, IntStream.range(0, 100_000).mapToObj(i -> "w" + i).toList());
    try (WatchService watch = outside.getFileSystem().newWatchService()) {
      outside.register(watch, StandardWatchEventKinds.ENTRY_CREATE);
      ProcessBuilder builder =
          new ProcessBuilder(
                  Rowan.HOME.resolve("rowan").toString(),
                  "--tokenizer",
                  words.toString(),
                  "convert",
                  large.toString(),
                  outside.resolve(name).toString(),
                  "--dtype",
                  "f32",
                  "--to",
                  format)
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD);
      builder.environment().put("ROWAN_BUILD", "never");
      builder
          .environment()
          .put("JAVA_HOME", System.getProperty("rowan.jdk", System.getProperty("java.home")));
      Process process = builder.start();
      WatchKey began = watch.poll(60, TimeUnit.SECONDS);
      assertThat(began).as("the conversion began to write").isNotNull();
      assertThat(process.isAlive()).as("and is still at it").isTrue();
      return process;
    }
  }
}

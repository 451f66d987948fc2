package dev.rowan.checks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowan.checks.Rowan.Outcome;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A model edited by the packed program. */
class EditIT {
  /** Bytes of the tensor that stays: enough that writing takes longer than to notice it began. */
  private static final long LARGE = 1L << 30;

  @TempDir static Path shared;
  @TempDir Path folder;

  @BeforeAll
  static void writeModel() {
    Outcome written =
        Rowan.run("convert", "default", shared.resolve("minilm").toString(), "--to", "safetensors");
    assertThat(written.code()).isZero();
  }

  private static String model() {
    return shared.resolve("minilm").toString();
  }

  @Test
  void addedTokensAreFoundInTextAndByTheirNeighbours() throws IOException {
    Path tokens = Files.writeString(folder.resolve("tokens.txt"), "zorbax\n<call>\tcall a tool\n");
    String target = folder.resolve("new").toString();
    Json edited =
        Rowan.run(
                "--json",
                "edit",
                model(),
                "-o",
                target,
                "--add-tokens",
                tokens.toString(),
                "--init",
                "pieces",
                "--pad-to-multiple-of",
                "64")
            .json();
    assertThat(edited.at("rows").at("after").whole()).isEqualTo(30_528);
    assertThat(edited.at("added").at(1).at("id").whole()).isEqualTo(30_523);
    Json split = Rowan.run("--json", "-m", target, "tokens", "a <call> to zorbax").json();
    assertThat(split.at("ids").at(1).whole()).isEqualTo(30_523);
    assertThat(split.at("ids").at(3).whole()).isEqualTo(30_522);
    Json nearest =
        Rowan.run("--json", "-m", target, "near", "cat", "-k", "1").json().at("results").at(0);
    assertThat(nearest.at("neighbours").at(0).at("id").whole()).isEqualTo(8870);
  }

  @Test
  void prunedModelSplitsTheTextAsBeforeAndItsRowsFollow() throws IOException {
    String text = "The cat sat on the mat, unaffable as ever.";
    Path corpus = Files.writeString(folder.resolve("corpus.txt"), text);
    String target = folder.resolve("small").toString();
    Json edited =
        Rowan.run("--json", "edit", model(), "-o", target, "--prune-to", corpus.toString()).json();
    assertThat(edited.at("rows").at("after").whole()).isBetween(16L, 40L);
    Json before = Rowan.run("--json", "-m", model(), "tokens", text).json();
    Json after = Rowan.run("--json", "-m", target, "tokens", text).json();
    assertThat(after.at("tokens")).isEqualTo(before.at("tokens"));
    Json old = Rowan.run("--json", "-m", model(), "row", "cat").json().at("rows").at(0);
    Json now = Rowan.run("--json", "-m", target, "row", "cat").json().at("rows").at(0);
    assertThat(now.at("values")).isEqualTo(old.at("values"));
    assertThat(now.at("id").whole()).isLessThan(old.at("id").whole());
  }

  @Test
  void dryRunPrintsEveryChangeAndWritesNothing() throws IOException {
    Outcome outcome =
        Rowan.run(
            "edit", model(), "-o", folder.resolve("new").toString(), "--grow", "8", "--dry-run");
    assertThat(outcome.code()).isZero();
    assertThat(outcome.out())
        .contains(
            "nothing written", "30522 × 384 f32 → 30530 × 384 f32", "vocab_size: 30522 → 30530");
    try (Stream<Path> files = Files.list(folder)) {
      assertThat(files).isEmpty();
    }
  }

  @Test
  void refusalsHaveTheCodeOfWrongUse() throws IOException {
    Outcome nothing = Rowan.run("edit", model(), "-o", folder.resolve("x").toString());
    assertThat(nothing.code()).isEqualTo(2);
    assertThat(nothing.err()).contains("nothing to edit");
    Outcome bundled = Rowan.run("edit", "default", "-o", "x", "--grow", "1");
    assertThat(bundled.code()).isEqualTo(2);
    assertThat(bundled.err()).contains("convert default");
    Files.writeString(Files.createDirectory(folder.resolve("taken")).resolve("a"), "mine");
    Outcome taken =
        Rowan.run("edit", model(), "-o", folder.resolve("taken").toString(), "--grow", "1");
    assertThat(taken.code()).isEqualTo(3);
    assertThat(folder.resolve("taken/a")).hasContent("mine");
  }

  @Test
  void interruptedLeavesNothingAndKilledLeavesNoFolderOfThatName() throws Exception {
    Path model = largeModel(folder.resolve("large"));
    Path outside = Files.createDirectory(folder.resolve("outside"));
    Process interrupted = start(model, outside);
    interrupted.destroy(); // SIGTERM; Ctrl-C takes the same way
    assertThat(interrupted.waitFor(60, TimeUnit.SECONDS)).isTrue();
    try (Stream<Path> left = Files.list(outside)) {
      assertThat(left).isEmpty();
    }
    Process killed = start(model, outside);
    killed.destroyForcibly();
    assertThat(killed.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(outside.resolve("new")).doesNotExist();
    assertThat(Files.size(model.resolve("model.safetensors"))).isGreaterThan(LARGE);
    Outcome again =
        Rowan.run("edit", model.toString(), "-o", outside.resolve("new").toString(), "--grow", "3");
    assertThat(again.code()).isZero();
    assertThat(again.err()).contains("removed", "the half-written folder of a run that was killed");
    try (Stream<Path> left = Files.list(outside)) {
      assertThat(left).containsExactly(outside.resolve("new"));
    }
    assertThat(Files.size(outside.resolve("new/model.safetensors"))).isGreaterThan(LARGE);
  }

  /** Starts an edit and returns once it has begun to write. */
  private static Process start(Path model, Path outside) throws Exception {
    try (WatchService watch = outside.getFileSystem().newWatchService()) {
      outside.register(watch, StandardWatchEventKinds.ENTRY_CREATE);
      ProcessBuilder builder =
          new ProcessBuilder(
                  Rowan.HOME.resolve("rowan").toString(),
                  "edit",
                  model.toString(),
                  "-o",
                  outside.resolve("new").toString(),
                  "--grow",
                  "3")
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD);
      builder.environment().put("ROWAN_BUILD", "never");
      builder
          .environment()
          .put("JAVA_HOME", System.getProperty("rowan.jdk", System.getProperty("java.home")));
      Process process = builder.start();
      boolean drafted = false; // the folder; a file that says whose it will be comes before it
      while (!drafted) {
        WatchKey began = watch.poll(60, TimeUnit.SECONDS);
        assertThat(began).as("the edit began to write").isNotNull();
        drafted =
            began.pollEvents().stream()
                .anyMatch(event -> String.valueOf(event.context()).endsWith(".tmp"));
        began.reset();
      }
      assertThat(process.isAlive()).as("and is still at it").isTrue();
      return process;
    }
  }

  /** A table of three rows and a tensor of a gigabyte, which takes no room: it is a hole. */
  private static Path largeModel(Path folder) throws IOException {
    Files.createDirectory(folder);
    String header =
        """
        {"model.embed_tokens.weight":{"dtype":"F32","shape":[3,2],"data_offsets":[0,24]},\
        "model.layer.weight":{"dtype":"U8","shape":[%d],"data_offsets":[24,%d]}}\
        """
            .formatted(LARGE, 24 + LARGE);
    byte[] text = header.getBytes(StandardCharsets.UTF_8);
    byte[] length =
        ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN).putLong(text.length).array();
    try (RandomAccessFile file =
        new RandomAccessFile(folder.resolve("model.safetensors").toFile(), "rw")) {
      file.write(length);
      file.write(text);
      file.setLength(8 + text.length + 24 + LARGE);
    }
    Files.writeString(folder.resolve("config.json"), "{\"vocab_size\": 3}");
    return folder;
  }
}

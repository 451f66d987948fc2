package dev.rowan.train;

import static dev.rowan.train.EveryWay.SMALL;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rowan.core.Vocabulary;
import dev.rowan.core.Workers;
import dev.rowan.formats.file.FormatException;
import dev.rowan.train.corpus.EncodedCorpus;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CheckpointTest {
  private static final Duration HOUR = Duration.ofHours(1);

  @TempDir Path folder;

  @Test
  void refusesOtherFrozenWords() throws IOException {
    Path file = folder.resolve("x.checkpoint");
    try (Workers workers = Workers.of(1);
        EncodedCorpus corpus = Planted.read(Planted.groups(folder, 500, 7), workers)) {
      Start still = new Start(Optional.empty(), Optional.of(Vocabulary.ofWords(List.of("g2_2"))));
      stopped(Trainer.fresh(corpus, SMALL, still, workers), new CheckpointPlan(file, HOUR));
      try (Checkpoint checkpoint = Checkpoint.open(file)) {
        assertThat(Trainer.resumed(corpus, checkpoint, still, workers).wordsDone()).isZero();
        assertThatThrownBy(() -> Trainer.resumed(corpus, checkpoint, Start.RANDOM, workers))
            .isInstanceOf(IllegalArgumentException.class)
            .hasMessageContaining("other frozen words");
      }
    }
  }

  private static void stopped(Trainer trainer, CheckpointPlan plan) throws IOException {
    trainer.stop();
    trainer.run(TrainingListener.NONE, Optional.of(plan));
  }

  @Test
  void noByteOfANumberChangesUnnoticed() throws IOException {
    Path file = folder.resolve("x.checkpoint");
    try (Workers workers = Workers.of(1);
        EncodedCorpus corpus = Planted.read(Planted.groups(folder, 500, 7), workers)) {
      stopped(
          Trainer.fresh(corpus, SMALL, Start.RANDOM, workers),
          new CheckpointPlan(file, HOUR, () -> Map.of("story", "long ago")));
    }
    // two of words, their counts, rows of two kinds, a story
    DamagedBytes.areNoticed(file, 6, () -> Checkpoint.open(file).close());
  }

  // the check value of CRC-32C ("123456789"), as catalogues of such sums give it
  @Test
  void checksumsAreThoseOfTheStandard() {
    byte[] digits = "123456789".getBytes(StandardCharsets.US_ASCII);
    assertThat(Checksum.of(MemorySegment.ofArray(digits))).isEqualTo("e3069283");
    byte[] many = new byte[200_000];
    new SplittableRandom(1).nextBytes(many);
    CRC32C plain = new CRC32C();
    plain.update(many);
    MemorySegment ints =
        MemorySegment.ofArray(MemorySegment.ofArray(many).toArray(ValueLayout.JAVA_INT_UNALIGNED));
    assertThat(Checksum.of(ints)).isEqualTo(Long.toHexString(plain.getValue()));
  }

  /** The first layout had no checksum of its texts and nothing that tells a text from others. */
  @Test
  void refusesCheckpointsOfAnotherLayout() throws IOException {
    Path file = checkpoint(() -> Map.of("story", "long ago"));
    String bytes = Files.readString(file, StandardCharsets.ISO_8859_1);
    String version = "rowan.checkpoint.version\":\"";
    assertThat(bytes).contains(version + "2");
    String first = bytes.replace(version + "2", version + "1");
    Files.writeString(file, first, StandardCharsets.ISO_8859_1);
    String message =
        "x.checkpoint: this is a checkpoint of version 1, and this program reads version 2; let the program that wrote it go on, or delete it to begin anew";
    assertThatThrownBy(() -> Keepsakes.of(file))
        .isInstanceOf(FormatException.class)
        .hasMessage(message);
    assertThatThrownBy(() -> Checkpoint.open(file)).hasMessage(message);
  }

  private Path checkpoint(Supplier<Map<String, String>> kept) throws IOException {
    Path file = folder.resolve("x.checkpoint");
    try (Workers workers = Workers.of(1);
        EncodedCorpus corpus = Planted.read(Planted.groups(folder, 500, 7), workers)) {
      stopped(
          Trainer.fresh(corpus, SMALL, Start.RANDOM, workers),
          new CheckpointPlan(file, HOUR, kept));
    }
    return file;
  }

  @Test
  void refusesWhatIsNoCheckpoint() throws IOException {
    Path file = folder.resolve("v.safetensors");
    Planted.train(Planted.groups(folder, 50, 7), SMALL.withEpochs(1), 1)
        .save(file, TrainedTable.OutputRows.DROPPED, Map.of());
    assertThatThrownBy(() -> Keepsakes.of(file))
        .isInstanceOf(FormatException.class)
        .hasMessageStartingWith("v.safetensors: this is no checkpoint");
  }

  /** What right checksums do not tell: a program that wrote nonsense. */
  @ParameterizedTest
  @CsvSource({
    "losses,0 0 0 x,the header is damaged",
    "losses,'0 0 0 ',the header is damaged",
    "looked,x,the header is damaged",
    "looked,9999999,these do not exist",
    "epoch,-1,these do not exist",
    "unit,1000,these do not exist",
  })
  void refusesTextsThatCannotBe(String name, String value, String message) throws IOException {
    Path file = checkpoint(Map::of);
    ForgedCheckpoint.text(file, "rowan.checkpoint." + name, value);
    try (Workers workers = Workers.of(1);
        EncodedCorpus corpus = Planted.read(Planted.groups(folder, 500, 7), workers)) {
      assertThatThrownBy(
              () -> {
                try (Checkpoint checkpoint = Checkpoint.open(file)) {
                  Trainer.resumed(corpus, checkpoint, Start.RANDOM, workers);
                }
              })
          .isInstanceOf(FormatException.class)
          .hasMessageContaining(message);
    }
  }

  @Test
  void refusesTheSameWordsInAnotherOrder() throws IOException {
    Path file = checkpoint(Map::of);
    Path text = folder.resolve("groups.txt");
    List<String> lines = new ArrayList<>(Files.readAllLines(text));
    Collections.swap(lines, 100, 400);
    Files.write(text, lines);
    try (Workers workers = Workers.of(1);
        EncodedCorpus corpus = Planted.read(text, workers);
        Checkpoint checkpoint = Checkpoint.open(file)) {
      assertThatThrownBy(() -> Trainer.resumed(corpus, checkpoint, Start.RANDOM, workers))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("x.checkpoint was made from another text than " + text)
          .hasMessageContaining("both have 6,000 words in 405 rows, but not in the same order.");
    }
  }

  @Test
  void noByteOfAHeaderChangesUnnoticed() throws IOException {
    Path file = folder.resolve("x.checkpoint");
    Path text = Files.writeString(folder.resolve("t"), "a b a b b\n".repeat(50));
    try (Workers workers = Workers.of(1);
        EncodedCorpus corpus = Planted.read(text, workers)) {
      stopped(
          Trainer.fresh(corpus, SMALL.withWidth(2), Start.RANDOM, workers),
          new CheckpointPlan(file, HOUR, () -> Map.of("story", TrainingHistory.NONE.asText())));
      byte[] whole = Files.readAllBytes(file);
      long header = ByteBuffer.wrap(whole).order(ByteOrder.LITTLE_ENDIAN).getLong();
      for (int at = 0; at < 8 + header; at++) {
        byte[] changed = whole.clone();
        changed[at] = (byte) "9-\"".charAt(at % 3);
        if (changed[at] == whole[at]) {
          continue;
        }
        Files.write(file, changed);
        assertThatThrownBy(() -> Checkpoint.open(file).close())
            .as("byte %d of the file", at)
            .isInstanceOf(FormatException.class)
            .hasMessageContaining("x.checkpoint");
      }
    }
  }

  @Test
  void keepsakesComeBackAndHaveToBeTexts() throws IOException {
    Path file = folder.resolve("x.checkpoint");
    try (Workers workers = Workers.of(1);
        EncodedCorpus corpus = Planted.read(Planted.groups(folder, 500, 7), workers)) {
      Map<String, String> kept =
          Map.of("a", "Grüße \"\n", "empty", "", "long", "é".repeat(100_000));
      stopped(
          Trainer.fresh(corpus, SMALL, Start.RANDOM, workers),
          new CheckpointPlan(file, HOUR, () -> kept));
      assertThat(Keepsakes.of(file).texts()).isEqualTo(kept);
      String bytes = Files.readString(file, StandardCharsets.ISO_8859_1);
      assertThat(bytes).contains("rowan.crc32c.rowan.kept.long");
      String broken = bytes.replace("\u00c3\u00a9", "\u00c3\u00c3"); // é without its second byte
      Files.writeString(file, broken, StandardCharsets.ISO_8859_1);
      assertThatThrownBy(() -> Keepsakes.of(file))
          .isInstanceOf(FormatException.class)
          .hasMessage(
              "x.checkpoint: tensor \"rowan.kept.long\" does not hold what was written, so the file is damaged; use a copy of it, or delete it to begin anew");
      ForgedCheckpoint.tensor(
          file, "rowan.kept.long", "\u00c3".repeat(200_000).getBytes(StandardCharsets.ISO_8859_1));
      assertThatThrownBy(() -> Keepsakes.of(file))
          .isInstanceOf(FormatException.class)
          .hasMessageContaining("\"rowan.kept.long\" is no UTF-8 text");
    }
  }
}

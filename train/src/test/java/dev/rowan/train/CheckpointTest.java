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
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
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

  /** As checkpoints were before they kept looks, losses and keepsakes. */
  @Test
  void earlierCheckpointsGoOn() throws IOException {
    Path file = folder.resolve("x.checkpoint");
    try (Workers workers = Workers.of(1);
        EncodedCorpus corpus = Planted.read(Planted.groups(folder, 500, 7), workers)) {
      stopped(Trainer.fresh(corpus, SMALL, Start.RANDOM, workers), new CheckpointPlan(file, HOUR));
      without(
          file,
          "rowan.checkpoint.looked",
          "rowan.checkpoint.losses",
          "rowan.checkpoint.frozen",
          "rowan.checkpoint.from",
          "rowan.crc32c.rowan.checkpoint.input");
      assertThat(Keepsakes.of(file).texts()).isEmpty();
      assertThat(Keepsakes.of(file).settings()).containsAllEntriesOf(SMALL.asText());
      List<TrainingEvent> events = new ArrayList<>();
      try (Checkpoint checkpoint = Checkpoint.open(file)) {
        Trainer.resumed(corpus, checkpoint, Start.RANDOM, workers)
            .run(events::add, Optional.empty());
      }
      assertThat(events.getFirst())
          .isInstanceOfSatisfying(
              TrainingEvent.Look.class, look -> assertThat(look.before()).isNegative());
    }
  }

  /** Renames texts of a header, at the same length. */
  private static void without(Path file, String... names) throws IOException {
    String bytes = Files.readString(file, StandardCharsets.ISO_8859_1);
    for (String name : names) {
      assertThat(bytes).contains("\"" + name + "\"");
      bytes = bytes.replace("\"" + name + "\"", "\"x" + name.substring(1) + "\"");
    }
    Files.writeString(file, bytes, StandardCharsets.ISO_8859_1);
  }

  @ParameterizedTest
  @CsvSource({
    "losses\":\"0 0 0 0,losses\":\"0 0 0 x,the header is damaged",
    "losses\":\"0 0 0 0,losses\":\"0 0 0  ,the header is damaged",
    "looked\":\"0,looked\":\"x,the header is damaged",
    "looked\":\"0,looked\":\"9999999,these do not exist",
    "version\":\"1,version\":\"9,this program reads version 1",
    "rowan.checkpoint.version,rowan.checkpoint.verxxxx,is no checkpoint",
  })
  void refusesDamagedCheckpoints(String from, String to, String message) throws IOException {
    Path file = folder.resolve("x.checkpoint");
    try (Workers workers = Workers.of(1);
        EncodedCorpus corpus = Planted.read(Planted.groups(folder, 500, 7), workers)) {
      stopped(
          Trainer.fresh(corpus, SMALL, Start.RANDOM, workers),
          new CheckpointPlan(file, HOUR, () -> Map.of("story", "x".repeat(64))));
      String bytes = Files.readString(file, StandardCharsets.ISO_8859_1);
      assertThat(bytes).contains(from);
      // spaces at the end of the header make room
      String wider = bytes.replace(from, to);
      long header =
          ByteBuffer.wrap(Files.readAllBytes(file)).order(ByteOrder.LITTLE_ENDIAN).getLong();
      int more = wider.length() - bytes.length();
      String head = wider.substring(8, (int) (8 + header + more)) + " ".repeat(8 - more % 8);
      ByteBuffer length = ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN);
      length.putLong(0, head.length());
      Files.writeString(
          file,
          new String(length.array(), StandardCharsets.ISO_8859_1)
              + head
              + wider.substring((int) (8 + header + more)),
          StandardCharsets.ISO_8859_1);
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
  void noByteOfAHeaderCanHarm() throws IOException {
    Path file = folder.resolve("x.checkpoint");
    Path text = Files.writeString(folder.resolve("t"), "a b a b b\n".repeat(50));
    try (Workers workers = Workers.of(1);
        EncodedCorpus corpus = Planted.read(text, workers)) {
      stopped(
          Trainer.fresh(corpus, SMALL.withWidth(2), Start.RANDOM, workers),
          new CheckpointPlan(file, HOUR, () -> Map.of("story", TrainingHistory.NONE.asText())));
      byte[] whole = Files.readAllBytes(file);
      long header = ByteBuffer.wrap(whole).order(ByteOrder.LITTLE_ENDIAN).getLong();
      int refused = 0;
      for (int at = 0; at < 8 + header; at++) {
        byte[] changed = whole.clone();
        changed[at] = (byte) "9-\"".charAt(at % 3);
        Files.write(file, changed);
        try (Checkpoint checkpoint = Checkpoint.open(file)) {
          Keepsakes.of(file);
          Trainer.resumed(corpus, checkpoint, Start.RANDOM, workers);
        } catch (FormatException e) {
          assertThat(e).hasMessageContaining("x.checkpoint");
          refused++;
        } catch (IllegalArgumentException e) { // another text, or rows that do not fit
          assertThat(e.getStackTrace()[0].getClassName()).startsWith("dev.rowan.");
          refused++;
        }
      }
      assertThat(refused).isGreaterThan((int) header / 2);
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
          .hasMessageContaining("is damaged: tensor \"rowan.kept.long\"");
      without(file, "rowan.crc32c.rowan.kept.long");
      assertThatThrownBy(() -> Keepsakes.of(file))
          .isInstanceOf(FormatException.class)
          .hasMessageContaining("\"rowan.kept.long\" is no UTF-8 text");
    }
  }
}

package dev.rowan.train;

import static dev.rowan.train.EveryWay.SMALL;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rowan.core.Vocabulary;
import dev.rowan.core.Workers;
import dev.rowan.formats.file.FormatException;
import dev.rowan.train.corpus.EncodedCorpus;
import java.io.IOException;
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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The same seed gives the same bytes, after an interruption too. */
class RepeatedTrainingTest {
  private static final Duration HOUR = Duration.ofHours(1);

  @TempDir Path folder;

  @ParameterizedTest
  @MethodSource("dev.rowan.train.EveryWay#all")
  void oneThreadGivesTheSameBytesAgain(TrainingSettings settings) throws IOException {
    Path text = Planted.groups(folder, 2_000, 3);
    assertThat(bytes(Planted.train(text, settings, 1)))
        .isEqualTo(bytes(Planted.train(text, settings, 1)));
  }

  @Test
  void blocksGiveTheSameBytesForAnyNumberOfThreads() throws IOException {
    Path text = Planted.groups(folder, 6_000, 4);
    TrainingSettings settings = SMALL.withThreading(new Threading.Blocks(3)).withEpochs(2);
    byte[] one = bytes(Planted.train(text, settings, 1));
    assertThat(bytes(Planted.train(text, settings, 2))).isEqualTo(one);
    assertThat(bytes(Planted.train(text, settings, 3))).isEqualTo(one);
    assertThat(bytes(Planted.train(text, settings.withSeed(2), 3))).isNotEqualTo(one);
  }

  private static byte[] bytes(TrainedTable table) {
    return table.rows().data().toArray(java.lang.foreign.ValueLayout.JAVA_BYTE);
  }

  @ParameterizedTest
  @MethodSource("dev.rowan.train.EveryWay#all")
  void interruptedTrainingEndsWithTheSameBytes(TrainingSettings settings) throws IOException {
    Path text = Planted.groups(folder, 2_500, 6);
    byte[] whole = bytes(Planted.train(text, settings, 1));
    Path file = folder.resolve("x.checkpoint");
    Optional<CheckpointPlan> plan = Optional.of(new CheckpointPlan(file, Duration.ofHours(1)));
    try (Workers workers = Workers.of(1);
        EncodedCorpus corpus = Planted.read(text, workers)) {
      Trainer first = Trainer.fresh(corpus, settings, Start.RANDOM, workers);
      Trainer.Ending ending =
          first.run(
              event -> {
                if (event instanceof TrainingEvent.Look look && look.share() > 0.3) {
                  first.stop();
                }
              },
              plan);
      assertThat(ending).isEqualTo(Trainer.Ending.STOPPED);
      assertThat(first.wordsDone()).isLessThan(corpus.words() * settings.epochs());
      try (Checkpoint checkpoint = Checkpoint.open(file)) {
        assertThat(checkpoint.settings()).isEqualTo(settings);
        Trainer second = Trainer.resumed(corpus, checkpoint, Start.RANDOM, workers);
        assertThat(second.run(TrainingListener.NONE, plan)).isEqualTo(Trainer.Ending.FINISHED);
        assertThat(bytes(second.finish())).isEqualTo(whole);
      }
    }
  }

  /** Stopped at each loss that is told, so in the midst of epochs and between two looks. */
  @ParameterizedTest
  @MethodSource("dev.rowan.train.EveryWay#all")
  void interruptedTrainingTellsTheSameStory(TrainingSettings settings) throws IOException {
    Path text = Planted.groups(folder, 1_200, 6);
    Path file = folder.resolve("x.checkpoint");
    try (Workers workers = Workers.of(1);
        EncodedCorpus corpus = Planted.read(text, workers)) {
      TrainingReport whole = new TrainingReport(List.of("g1_1"), workers);
      Trainer.fresh(corpus, settings, Start.RANDOM, workers).run(whole, Optional.empty());
      assertThat(whole.snapshots()).hasSizeBetween(5, 21);
      assertThat(whole.losses()).hasSizeGreaterThan(4);
      assertThat(whole.epochLosses()).hasSize(5);

      List<Double> looks = new ArrayList<>();
      TrainingReport story = new TrainingReport(List.of("g1_1"), workers);
      Trainer trainer = Trainer.fresh(corpus, settings, Start.RANDOM, workers);
      int parts = 1;
      while (run(trainer, story, looks, file) == Trainer.Ending.STOPPED) {
        story =
            new TrainingReport(
                List.of("g1_1"),
                workers,
                TrainingHistory.of(Keepsakes.of(file).find("story").orElseThrow(), file));
        try (Checkpoint checkpoint = Checkpoint.open(file)) {
          trainer = Trainer.resumed(corpus, checkpoint, Start.RANDOM, workers);
        }
        parts++;
      }
      assertThat(parts).isGreaterThan(4);
      assertThat(story.history()).isEqualTo(whole.history());
      assertThat(looks).startsWith(-1.0);
      for (int i = 1; i < looks.size(); i++) { // each knows the one before
        assertThat(looks.get(i)).isEqualTo(whole.snapshots().get(i - 1).share());
      }
    }
  }

  private static Trainer.Ending run(
      Trainer trainer, TrainingReport story, List<Double> looks, Path file) throws IOException {
    return trainer.run(
        story.and(event -> {
          switch (event) {
            case TrainingEvent.Loss _ -> trainer.stop();
            case TrainingEvent.Look look -> looks.add(look.before());
            default -> {}
          }
        }),
        Optional.of(
            new CheckpointPlan(
                file, Duration.ofHours(1), () -> Map.of("story", story.history().asText()))));
  }

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

  /** As checkpoints were before they kept looks, losses and keepsakes. */
  @Test
  void earlierCheckpointsGoOn() throws IOException {
    Path file = folder.resolve("x.checkpoint");
    try (Workers workers = Workers.of(1);
        EncodedCorpus corpus = Planted.read(Planted.groups(folder, 500, 7), workers)) {
      stopped(Trainer.fresh(corpus, SMALL, Start.RANDOM, workers), new CheckpointPlan(file, HOUR));
      without(
          file, "rowan.checkpoint.looked", "rowan.checkpoint.losses", "rowan.checkpoint.frozen");
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
      String broken = bytes.replace("\u00c3\u00a9", "\u00c3\u00c3"); // é without its second byte
      Files.writeString(file, broken, StandardCharsets.ISO_8859_1);
      assertThatThrownBy(() -> Keepsakes.of(file))
          .isInstanceOf(FormatException.class)
          .hasMessageContaining("\"rowan.kept.long\" is no UTF-8 text");
    }
  }

  @Test
  void refusesTheCheckpointOfAnotherText() throws IOException {
    Path file = folder.resolve("x.checkpoint");
    try (Workers workers = Workers.of(1)) {
      try (EncodedCorpus corpus = Planted.read(Planted.groups(folder, 500, 7), workers)) {
        Trainer trainer = Trainer.fresh(corpus, SMALL, Start.RANDOM, workers);
        trainer.stop();
        trainer.run(
            TrainingListener.NONE, Optional.of(new CheckpointPlan(file, Duration.ofHours(1))));
      }
      try (EncodedCorpus corpus = Planted.read(Planted.groups(folder, 500, 8), workers);
          Checkpoint checkpoint = Checkpoint.open(file)) {
        assertThatThrownBy(() -> Trainer.resumed(corpus, checkpoint, Start.RANDOM, workers))
            .isInstanceOf(IllegalArgumentException.class)
            .hasMessageContaining("another text");
      }
    }
  }
}

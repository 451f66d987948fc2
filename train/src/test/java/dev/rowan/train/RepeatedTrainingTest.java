package dev.rowan.train;

import static dev.rowan.train.EveryWay.SMALL;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rowan.core.Workers;
import dev.rowan.train.corpus.EncodedCorpus;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The same seed gives the same bytes, after an interruption too. */
class RepeatedTrainingTest {
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
        second.save(plan.get()); // after the table was taken out
      }
      try (Checkpoint checkpoint = Checkpoint.open(file)) {
        Trainer third = Trainer.resumed(corpus, checkpoint, Start.RANDOM, workers);
        assertThat(third.run(TrainingListener.NONE, plan)).isEqualTo(Trainer.Ending.FINISHED);
        assertThat(bytes(third.finish())).isEqualTo(whole);
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

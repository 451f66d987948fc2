package dev.rowan.train.glove;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.rowan.core.Workers;
import dev.rowan.formats.file.FormatException;
import dev.rowan.train.Checkpoint;
import dev.rowan.train.CheckpointPlan;
import dev.rowan.train.DamagedBytes;
import dev.rowan.train.Keepsakes;
import dev.rowan.train.TrainedTable;
import dev.rowan.train.Trainer.Ending;
import dev.rowan.train.TrainingEvent;
import dev.rowan.train.TrainingHistory;
import dev.rowan.train.TrainingListener;
import dev.rowan.train.TrainingReport;
import dev.rowan.train.corpus.Corpus;
import dev.rowan.train.corpus.Corpus.WordRules;
import dev.rowan.train.corpus.EncodedCorpus;
import dev.rowan.train.corpus.EncodedCorpus.ReadListener;
import dev.rowan.train.glove.GloveSettings.Rows;
import dev.rowan.train.kernel.PairKernels;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class GloveTrainerTest {
  private static final GloveSettings SMALL =
      new GloveSettings(20, 5, 25, 0.05, 10, 0.75, Rows.SUM, 1);

  @TempDir Path folder;

  /**
   * Sentences of words of one group mostly, every third of any. Pairs that never come are no part
   * of the loss, so that groups which never met could not be told apart.
   */
  private Path groups(int sentences) throws IOException {
    Random random = new Random(8);
    StringBuilder text = new StringBuilder();
    for (int s = 0; s < sentences; s++) {
      int group = random.nextInt(10);
      for (int w = 0; w < 12; w++) {
        text.append("g%d_%d".formatted(w % 3 == 2 ? random.nextInt(10) : group, random.nextInt(20)))
            .append(w == 11 ? '\n' : ' ');
      }
    }
    return Files.writeString(folder.resolve("groups.txt"), text);
  }

  private static EncodedCorpus read(Path text, Workers workers) throws IOException {
    WordRules all = WordRules.DEFAULT.withMinCount(1);
    return EncodedCorpus.read(Corpus.ofFiles(text).with(all), workers, ReadListener.NONE);
  }

  private static TrainedTable train(Path text, GloveSettings settings, int threads)
      throws IOException {
    try (Workers workers = Workers.of(threads);
        EncodedCorpus corpus = read(text, workers);
        GloveTrainer trainer = GloveTrainer.fresh(corpus, settings, workers)) {
      assertThat(trainer.run(TrainingListener.NONE, Optional.empty())).isEqualTo(Ending.FINISHED);
      return trainer.finish();
    }
  }

  private static byte[] bytes(TrainedTable table) {
    return table.rows().data().toArray(ValueLayout.JAVA_BYTE);
  }

  // The share of groups' words whose nearest word by cosine is of their group; by plain loops.
  private static double purity(TrainedTable table) {
    int right = 0;
    int all = 0;
    for (int a = 0; a < table.vocabulary().size(); a++) {
      String word = table.vocabulary().vocabulary().stored(a);
      if (word.startsWith("g")) {
        int best = -1;
        double most = -2;
        for (int b = 0; b < table.vocabulary().size(); b++) {
          double cosine = cosine(table.rows().row(a), table.rows().row(b));
          if (a != b && cosine > most) {
            most = cosine;
            best = b;
          }
        }
        String group = word.substring(0, word.indexOf('_') + 1);
        right += table.vocabulary().vocabulary().stored(best).startsWith(group) ? 1 : 0;
        all++;
      }
    }
    return (double) right / all;
  }

  private static double cosine(float[] a, float[] b) {
    double dot = 0;
    double left = 0;
    double right = 0;
    for (int k = 0; k < a.length; k++) {
      dot += a[k] * (double) b[k];
      left += a[k] * (double) a[k];
      right += b[k] * (double) b[k];
    }
    return dot / Math.sqrt(left * right);
  }

  @ParameterizedTest
  @EnumSource(Rows.class)
  void wordsUsedAlikeEndUpTogether(Rows rows) throws IOException {
    GloveSettings settings = new GloveSettings(20, 5, 25, 0.05, 10, 0.75, rows, 1);
    assertThat(purity(train(groups(4_000), settings, 2))).isGreaterThanOrEqualTo(0.99);
  }

  @Test
  void oneThreadGivesTheSameBytesAgain() throws IOException {
    Path text = groups(500);
    byte[] once = bytes(train(text, SMALL, 1));
    assertThat(bytes(train(text, SMALL, 1))).isEqualTo(once);
    assertThat(bytes(train(text, new GloveSettings(20, 5, 25, 0.05, 10, 0.75, Rows.SUM, 2), 1)))
        .isNotEqualTo(once);
  }

  // ½ f(x) (w·c + b + b' − log x)² in double, each number moved up and down by 10⁻³; the squares
  // begin with ones, so that the first step is the rate times the gradient. A sum below x_max and
  // one above it.
  @ParameterizedTest
  @ValueSource(doubles = {2.5, 400})
  void stepFollowsTheGradientOfTheLoss(double sum) {
    double rate = 1e-3;
    GloveSettings settings = new GloveSettings(10, 5, 1, rate, 100, 0.75, Rows.WORD, 3);
    GloveRows rows = GloveRows.of(settings, 2, PairKernels.best());
    MemorySegment[] state = rows.state();
    float[][] before = new float[8][];
    for (int i = 0; i < 8; i++) {
      before[i] = state[i].toArray(ValueLayout.JAVA_FLOAT);
    }
    double loss = rows.learn(0, 1, sum);
    assertThat(loss).isCloseTo(loss(before, sum), within(1e-5 * loss));
    for (int part : new int[] {0, 2, 4, 6}) { // words, their biases, contexts, their biases
      for (int k = 0; k < before[part].length; k++) {
        double moved = (state[part].getAtIndex(ValueLayout.JAVA_FLOAT, k) - before[part][k]) / rate;
        double gradient = gradient(before, part, k, sum);
        assertThat(moved).isCloseTo(-gradient, within(2e-3 + 1e-3 * Math.abs(gradient)));
        double squares = state[part + 1].getAtIndex(ValueLayout.JAVA_FLOAT, k);
        double step = rate * gradient;
        assertThat(squares).isCloseTo(1 + step * step, within(1e-6));
      }
    }
  }

  private static double gradient(float[][] state, int part, int at, double sum) {
    float value = state[part][at];
    state[part][at] = value + 1e-3f;
    double above = loss(state, sum);
    double up = state[part][at];
    state[part][at] = value - 1e-3f;
    double below = loss(state, sum);
    double down = state[part][at];
    state[part][at] = value;
    return (above - below) / (up - down);
  }

  /** The loss of word 0 and context 1, whose rows have 16 places. */
  private static double loss(float[][] state, double sum) {
    double miss = (double) state[2][0] + state[6][1] - Math.log(sum);
    for (int k = 0; k < 10; k++) {
      miss += (double) state[0][k] * state[4][16 + k];
    }
    return 0.5 * Math.min(1, Math.pow(sum / 100, 0.75)) * miss * miss;
  }

  @Test
  void interruptedTrainingEndsWithTheSameBytes() throws IOException {
    Path text = groups(500);
    Path file = folder.resolve("checkpoint");
    byte[] whole = bytes(train(text, SMALL, 1));
    CheckpointPlan plan = new CheckpointPlan(file, Duration.ofDays(1));
    try (Workers workers = Workers.of(1);
        EncodedCorpus corpus = read(text, workers)) {
      try (GloveTrainer first = GloveTrainer.fresh(corpus, SMALL, workers)) {
        TrainingListener stop =
            event -> {
              if (event instanceof TrainingEvent.EpochEnded(int epoch, _) && epoch == 7) {
                first.stop();
              }
            };
        assertThat(first.run(stop, Optional.of(plan))).isEqualTo(Ending.STOPPED);
      }
      // two of words, their counts, eight of numbers
      DamagedBytes.areNoticed(file, 11, () -> GloveCheckpoint.open(file).close());
      try (GloveCheckpoint checkpoint = GloveCheckpoint.open(file);
          GloveTrainer second = GloveTrainer.resumed(corpus, checkpoint, workers)) {
        assertThat(second.settingsAsText()).isEqualTo(SMALL.asText());
        assertThat(second.run(TrainingListener.NONE, Optional.of(plan))).isEqualTo(Ending.FINISHED);
        assertThat(bytes(second.finish())).isEqualTo(whole);
      }
      assertThatThrownBy(() -> Checkpoint.open(file))
          .isInstanceOf(FormatException.class)
          .hasMessageContaining(
              "is a checkpoint of --objective glove, not of --objective skipgram or cbow");
      Path other = Files.writeString(folder.resolve("other.txt"), "a b c\na b\n");
      try (EncodedCorpus others = read(other, workers);
          GloveCheckpoint checkpoint = GloveCheckpoint.open(file)) {
        assertThatThrownBy(() -> GloveTrainer.resumed(others, checkpoint, workers))
            .hasMessageContaining("another text than " + other)
            .hasMessageContaining(" pairs then, 6 pairs now");
      }
      List<String> turned = Files.readAllLines(text).reversed();
      Files.write(other, turned);
      try (EncodedCorpus others = read(other, workers);
          GloveCheckpoint checkpoint = GloveCheckpoint.open(file)) {
        assertThatThrownBy(() -> GloveTrainer.resumed(others, checkpoint, workers))
            .hasMessageContaining("but not in the same order");
      }
    }
  }

  /** Stopped at each loss that is told, so in the midst of epochs and between two looks. */
  @Test
  void interruptedTrainingTellsTheSameStory() throws IOException {
    Path file = folder.resolve("checkpoint");
    try (Workers workers = Workers.of(1);
        EncodedCorpus corpus = read(groups(500), workers)) {
      TrainingReport whole = new TrainingReport(List.of("g1_1"), workers);
      try (GloveTrainer trainer = GloveTrainer.fresh(corpus, SMALL, workers)) {
        trainer.run(whole, Optional.empty());
      }
      TrainingReport story = new TrainingReport(List.of("g1_1"), workers);
      Ending ending;
      try (GloveTrainer trainer = GloveTrainer.fresh(corpus, SMALL, workers)) {
        ending = stoppedAtALoss(trainer, story, file);
      }
      int parts = 1;
      while (ending == Ending.STOPPED) {
        TrainingHistory before =
            TrainingHistory.of(Keepsakes.of(file).find("story").orElseThrow(), file);
        story = new TrainingReport(List.of("g1_1"), workers, before);
        try (GloveCheckpoint checkpoint = GloveCheckpoint.open(file);
            GloveTrainer trainer = GloveTrainer.resumed(corpus, checkpoint, workers)) {
          ending = stoppedAtALoss(trainer, story, file);
        }
        parts++;
      }
      assertThat(parts).isGreaterThan(4);
      assertThat(whole.epochLosses()).hasSize(25);
      assertThat(whole.snapshots()).hasSize(21);
      assertThat(story.history()).isEqualTo(whole.history());
    }
  }

  private static Ending stoppedAtALoss(GloveTrainer trainer, TrainingReport story, Path file)
      throws IOException {
    return trainer.run(
        story.and(event -> {
          if (event instanceof TrainingEvent.Loss) {
            trainer.stop();
          }
        }),
        Optional.of(
            new CheckpointPlan(
                file, Duration.ofDays(1), () -> Map.of("story", story.history().asText()))));
  }

  @Test
  void lossFallsAndIsTold() throws IOException {
    List<Double> losses = new ArrayList<>();
    List<Double> shares = new ArrayList<>();
    try (Workers workers = Workers.of(1);
        EncodedCorpus corpus = read(groups(500), workers);
        GloveTrainer trainer = GloveTrainer.fresh(corpus, SMALL, workers)) {
      trainer.run(
          event -> {
            switch (event) {
              case TrainingEvent.Progress p -> losses.add(p.loss());
              case TrainingEvent.Look(double share, _, var view) -> {
                shares.add(share);
                if (share == 0) {
                  assertThat(view.rows().row(3)).isEqualTo(view.initialRow(3));
                }
              }
              default -> {}
            }
          },
          Optional.empty());
      assertThat(trainer.wordsDone()).isEqualTo(25 * 12 * 500);
    }
    assertThat(losses).isNotEmpty().allMatch(Double::isFinite);
    assertThat(shares).startsWith(0.0).endsWith(1.0).hasSizeBetween(20, 22).isSorted();
  }

  @Test
  void refusesTextWhoseWordsStandAlone() throws IOException {
    Path text = Files.writeString(folder.resolve("alone.txt"), "a\nb\na\nb\n");
    try (Workers workers = Workers.of(1);
        EncodedCorpus corpus = read(text, workers)) {
      assertThatThrownBy(() -> GloveTrainer.fresh(corpus, SMALL, workers))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("one sentence");
    }
  }
}

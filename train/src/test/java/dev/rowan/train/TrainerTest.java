package dev.rowan.train;

import static dev.rowan.train.EveryWay.SMALL;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rowan.core.Lexicon;
import dev.rowan.core.Table;
import dev.rowan.core.Vocabulary;
import dev.rowan.core.Workers;
import dev.rowan.train.Objective.Cbow;
import dev.rowan.train.Objective.Combine;
import dev.rowan.train.Output.HierarchicalSoftmax;
import dev.rowan.train.Output.NegativeSampling;
import dev.rowan.train.Output.Sharing;
import dev.rowan.train.TrainedTable.OutputRows;
import dev.rowan.train.corpus.EncodedCorpus;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class TrainerTest {
  @TempDir Path folder;

  @ParameterizedTest
  @MethodSource("dev.rowan.train.EveryWay#all")
  void wordsUsedAlikeEndUpTogether(TrainingSettings settings) throws IOException {
    Path text = Planted.groups(folder, 12_000, 1);
    assertThat(Planted.purity(Planted.train(text, settings, 1))).isGreaterThanOrEqualTo(0.99);
  }

  /** A step from all of forty inputs at once lets the rows grow without bounds here. */
  @Test
  void rowsStayBoundedInWideWindowsOfAlikeWords() throws IOException {
    Path text = Planted.groups(folder, 6_000, 15);
    TrainingSettings wide = SMALL.withWindow(20).withRate(0.1);
    TrainedTable table = Planted.train(text, wide, 1);
    TrainedTable original =
        Planted.train(text, wide.withOutput(new NegativeSampling(5, 0.75, Sharing.PAIR)), 1);
    assertThat(Planted.purity(table)).isGreaterThanOrEqualTo(0.99);
    assertThat(longest(table)).isLessThan(1.5 * longest(original));
  }

  private static double longest(TrainedTable table) {
    double longest = 0;
    for (int row = 0; row < table.rows().rows(); row++) {
      longest = Math.max(longest, distance(table.rows().row(row), new float[32]));
    }
    return longest;
  }

  @Test
  void twoThreadsLearnAsWell() throws IOException {
    Path text = Planted.groups(folder, 12_000, 2);
    assertThat(Planted.purity(Planted.train(text, SMALL, 2))).isGreaterThanOrEqualTo(0.99);
  }

  @Test
  void relationsComeOutAsDifferencesOfRows() throws IOException {
    Path text = Planted.relations(folder, 25_000, 1);
    TrainedTable table = Planted.train(text, SMALL, 1);
    assertThat(Planted.analogies(table, true)).as("raw").isGreaterThanOrEqualTo(0.95);
    assertThat(Planted.analogies(table, false)).as("filtered").isGreaterThanOrEqualTo(0.95);
  }

  @Test
  void rareWordsMoveLess() throws IOException {
    Path text = Planted.groups(folder, 5_000, 5);
    StringBuilder rare = new StringBuilder(Files.readString(text));
    for (int i = 0; i < 200; i++) {
      rare.append("g1_1 g1_2 rare").append(i).append(" g1_3 g1_4\n");
    }
    Files.writeString(text, rare);
    double[] moved = new double[2];
    int[] words = new int[2];
    try (Workers workers = Workers.of(1);
        EncodedCorpus corpus = Planted.read(text, workers)) {
      Trainer trainer = Trainer.fresh(corpus, SMALL, Start.RANDOM, workers);
      trainer.run(
          event -> {
            if (event instanceof TrainingEvent.Look(double share, _, TrainingView view)
                && share == 1) {
              Table rows = view.rows();
              for (int w = 0; w < rows.rows(); w++) {
                int band = view.vocabulary().count(w) < 5 ? 0 : 1;
                moved[band] += distance(rows.row(w), view.initialRow(w));
                words[band]++;
              }
            }
          },
          Optional.empty());
    }
    assertThat(words[0]).isEqualTo(200);
    assertThat(moved[0] / words[0]).isPositive().isLessThan(0.5 * moved[1] / words[1]);
  }

  private static double distance(float[] a, float[] b) {
    double sum = 0;
    for (int k = 0; k < a.length; k++) {
      sum += (a[k] - (double) b[k]) * (a[k] - (double) b[k]);
    }
    return Math.sqrt(sum);
  }

  @Test
  void reportTellsHowRowsMovedAndTheCommonDirectionAppeared() throws IOException {
    Path text = Planted.groups(folder, 3_000, 14);
    try (Workers workers = Workers.of(2);
        EncodedCorpus corpus = Planted.read(text, workers)) {
      TrainingReport report = new TrainingReport(List.of("g1_1"), workers);
      Trainer.fresh(corpus, SMALL, Start.RANDOM, workers).run(report, Optional.empty());
      TrainingReport.Snapshot first = report.snapshots().getFirst();
      TrainingReport.Snapshot last = report.snapshots().getLast();
      assertThat(first.bands()).allMatch(band -> band.moved() == 0);
      assertThat(last.bands()).allMatch(band -> band.moved() > 0);
      assertThat(last.bands().stream().mapToLong(TrainingReport.Band::rows).sum())
          .isEqualTo(corpus.vocabulary().size());
      assertThat(first.meanCosine()).isBetween(-0.02, 0.02);
      assertThat(last.meanCosine()).isGreaterThan(0.02);
      assertThat(last.near().getFirst().neighbours())
          .allMatch(n -> n.word().startsWith("g1_"))
          .hasSize(8);
      assertThat(report.losses().getLast().loss()).isLessThan(4.16);
    }
  }

  @Test
  void goesOnFromATableAndLeavesFrozenRowsAlone() throws IOException {
    Path text = Planted.groups(folder, 1_000, 10);
    TrainedTable first = Planted.train(text, SMALL.withEpochs(1), 1);
    Files.writeString(text, Files.readString(text) + "new g1_1 new g1_2 new\n");
    try (Workers workers = Workers.of(2);
        Lexicon before = first.lexicon(text, OutputRows.KEPT);
        EncodedCorpus corpus = Planted.read(text, workers)) {
      Start start =
          new Start(Optional.of(before), Optional.of(Vocabulary.ofWords(List.of("g2_2"))));
      Trainer trainer = Trainer.fresh(corpus, SMALL.withEpochs(1), start, workers);
      List<float[]> initial = new ArrayList<>();
      Vocabulary words = corpus.vocabulary().vocabulary();
      trainer.run(
          event -> {
            if (event instanceof TrainingEvent.Look(double share, _, TrainingView view)
                && share == 0) {
              initial.add(view.rows().row(words.id("g1_1").orElseThrow()));
            }
          },
          Optional.empty());
      Vocabulary old = first.vocabulary().vocabulary();
      assertThat(initial.getFirst()).isEqualTo(first.rows().row(old.id("g1_1").orElseThrow()));
      Table after = trainer.finish().rows();
      assertThat(after.row(words.id("g2_2").orElseThrow()))
          .isEqualTo(first.rows().row(old.id("g2_2").orElseThrow()));
      assertThat(after.row(words.id("g1_1").orElseThrow())).isNotEqualTo(initial.getFirst());
    }
  }

  @Test
  void stopsWithAdviceWhenTheRowsGrowBeyondBounds() throws IOException {
    Path text = Planted.groups(folder, 3_000, 11);
    TrainingSettings wild = SMALL.withObjective(new Cbow(Combine.SUM)).withRate(10).withWindow(12);
    assertThatThrownBy(() -> Planted.train(text, wild, 1))
        .isInstanceOf(TrainingDivergedException.class)
        .hasMessageContaining("lower rate, such as 0.05");
  }

  @Test
  void stopsWhenTheLossGrowsThoughItIsANumber() throws IOException {
    Path text = Planted.groups(folder, 300, 16);
    try (Workers workers = Workers.of(1);
        EncodedCorpus corpus = Planted.read(text, workers)) {
      Lesson lesson = Lesson.of(corpus, SMALL, new BitSet(), 1);
      int[] paused = new int[1];
      Ledger ledger =
          new Ledger(
              lesson,
              0,
              new LossSums(),
              TrainingListener.NONE,
              Optional.empty(),
              () -> paused[0]++);
      ledger.add(0, 1000, 100 * 83, 100); // 6 ln 2 = 4.16 before learning, twenty times that is 83
      ledger.checkLoss();
      assertThat(paused[0]).isZero();
      ledger.add(0, 1000, 100 * 84, 100);
      assertThat(paused[0]).isOne();
      assertThatThrownBy(ledger::checkLoss)
          .isInstanceOf(TrainingDivergedException.class)
          .hasMessageContaining("after 2,000 words")
          .hasMessageContaining("the loss is 84.0; start again with a lower rate");
    }
  }

  @Test
  void meansTheLossOfAnEpochWhateverTheClock() throws IOException {
    Path text = Planted.groups(folder, 300, 16);
    try (Workers workers = Workers.of(1);
        EncodedCorpus corpus = Planted.read(text, workers)) {
      Lesson lesson = Lesson.of(corpus, SMALL, new BitSet(), 1);
      Ledger ledger =
          new Ledger(lesson, 0, new LossSums(), TrainingListener.NONE, Optional.empty(), () -> {});
      ledger.add(0, corpus.words(), 30, 10);
      ledger.add(0, lesson.totalWords(), 60, 20); // tells of progress
      ledger.add(0, 0, 10, 10);
      assertThat(ledger.endEpoch()).isEqualTo(2.5); // 100 / 40
      ledger.add(1, 0, 1, 1);
      assertThat(ledger.endEpoch()).isOne();
      assertThat(ledger.endEpoch()).isNaN();
    }
  }

  @Test
  void tellsHowFarItIs() throws IOException {
    Path text = Planted.groups(folder, 3_000, 12);
    List<TrainingEvent> events = new ArrayList<>();
    try (Workers workers = Workers.of(2);
        EncodedCorpus corpus = Planted.read(text, workers)) {
      Trainer trainer = Trainer.fresh(corpus, SMALL.withEpochs(3), Start.RANDOM, workers);
      trainer.run(events::add, Optional.empty());
      List<TrainingEvent.Progress> told =
          events.stream()
              .filter(TrainingEvent.Progress.class::isInstance)
              .map(TrainingEvent.Progress.class::cast)
              .toList();
      assertThat(told.getLast().words()).isEqualTo(3 * corpus.words());
      assertThat(told.getLast().left()).isZero();
      assertThat(told.getLast().loss()).isBetween(0.1, 4.2); // 6 ln 2 = 4.16 before learning
    }
    assertThat(events).filteredOn(TrainingEvent.EpochEnded.class::isInstance).hasSize(3);
    assertThat(events.getFirst())
        .isInstanceOfSatisfying(TrainingEvent.Look.class, l -> assertThat(l.share()).isZero());
    assertThat(events.getLast())
        .isInstanceOfSatisfying(TrainingEvent.Look.class, l -> assertThat(l.share()).isOne());
  }

  @Test
  void twoWordsAreEnough() throws IOException {
    Path text = Files.writeString(folder.resolve("t"), "a b a b b\n".repeat(50));
    for (TrainingSettings settings :
        List.of(SMALL, SMALL.withOutput(new HierarchicalSoftmax()), SMALL.withWindow(50))) {
      assertThat(Planted.train(text, settings, 2).rows().rows()).isEqualTo(2);
    }
  }

  /** Two threads: what they have copies of is found out per row, so rows are counted before. */
  @Test
  void refusesMoreBucketsThanThereIsRoomForBeforeAnythingGrowsWithThem() throws IOException {
    TrainingSettings settings =
        TrainingSettings.DEFAULT.withWidth(8).withGrams(new CharacterGrams(3, 6, 2_000_000_000));
    try (Workers two = Workers.of(2);
        EncodedCorpus corpus = Planted.read(Planted.groups(folder, 200, 3), two)) {
      assertThatThrownBy(() -> Trainer.fresh(corpus, settings, Start.RANDOM, two))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("rows of width 8 are more than one machine's block holds");
    }
  }
}

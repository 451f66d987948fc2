package dev.rowan.train.lm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.rowan.core.Workers;
import dev.rowan.formats.safetensors.Safetensors;
import dev.rowan.formats.safetensors.SafetensorsHeader;
import dev.rowan.train.CheckpointPlan;
import dev.rowan.train.DamagedBytes;
import dev.rowan.train.Keepsakes;
import dev.rowan.train.TrainingDivergedException;
import dev.rowan.train.TrainingEvent;
import dev.rowan.train.TrainingHistory;
import dev.rowan.train.TrainingReport;
import dev.rowan.train.TrainingView;
import dev.rowan.train.corpus.Corpus;
import dev.rowan.train.corpus.EncodedCorpus;
import dev.rowan.train.lm.LanguageSettings.Tying;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LanguageTrainerTest {
  private static final LanguageSettings SMALL =
      new LanguageSettings(8, 2, 12, Tying.TIED, 16, 3, 0.1, 0, 0.2, 7);

  private final Workers workers = Workers.of(2);

  @TempDir Path folder;

  @AfterEach
  void close() {
    workers.close();
  }

  private EncodedCorpus corpus(String text) throws IOException {
    Path file = Files.writeString(folder.resolve("text.txt"), text);
    Corpus corpus = Corpus.ofFiles(file);
    return EncodedCorpus.read(
        corpus.with(corpus.words().withMinCount(1)), workers, EncodedCorpus.ReadListener.NONE);
  }

  /** Lines of a language where the word before tells the next, four words a line. */
  private static String planted(int lines) {
    SplittableRandom random = new SplittableRandom(3);
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < lines; i++) {
      int word = random.nextInt(10);
      for (int j = 0; j < 4; j++) {
        text.append('w').append((word + j) % 10).append(' ');
      }
      text.append('\n');
    }
    return text.toString();
  }

  @ParameterizedTest
  @CsvSource({"TIED,12", "UNTIED,12", "TIED,0", "UNTIED,0"})
  void learnsALanguageWhereTheLastWordsTellTheNext(Tying tying, int hidden) throws IOException {
    LanguageSettings settings = new LanguageSettings(8, 4, hidden, tying, 16, 6, 0.2, 0, 0.2, 7);
    try (EncodedCorpus corpus = corpus(planted(800))) {
      LanguageTrainer trainer = LanguageTrainer.fresh(corpus, settings, workers);
      assertThat(trainer.run(LanguageEvent.Listener.NONE, Optional.empty()))
          .isEqualTo(LanguageTrainer.Ending.DONE);
      LanguageReport report = trainer.report();
      // of five tokens a line one is a draw of ten and four are certain: 10^(1/5) = 1.585
      assertThat(report.epochs().getLast().heldOut()).isBetween(1.55, 1.75);
      assertThat(report.epochs()).hasSize(7);
      // the bias starts at the unigrams, so the first measure is near theirs
      assertThat(report.epochs().getFirst().heldOut()).isBetween(8.0, 40.0);
      assertThat(report.unigram()).isBetween(8.0, 12.0);
      // three words see where a line began only up to its second word
      assertThat(report.trigram()).isBetween(1.8, 2.6);
    }
  }

  @Test
  void tyingSavesATable() throws IOException {
    try (EncodedCorpus corpus = corpus(planted(50))) {
      LanguageReport tied = LanguageTrainer.fresh(corpus, SMALL, workers).report();
      LanguageReport untied =
          LanguageTrainer.fresh(corpus, SMALL.with(Tying.UNTIED), workers).report();
      assertThat(tied.tableParameters()).isEqualTo(11 * 8);
      // W₁ and b₁, W₂ and b₂, the output bias
      assertThat(tied.parameters()).isEqualTo(11 * 8 + (16 * 12 + 12) + (12 * 8 + 8) + 11);
      assertThat(untied.parameters() - tied.parameters()).isEqualTo(11 * 8);
      assertThat(tied.trainingTokens() + tied.heldOutTokens()).isEqualTo(50 * 5);
    }
  }

  @ParameterizedTest
  @CsvSource({"0", "5"})
  void sameSeedGivesTheSameBytesForAnyThreads(int sampled) throws IOException {
    LanguageSettings settings =
        new LanguageSettings(8, 2, 12, Tying.TIED, 16, 2, 0.1, sampled, 0.2, 7);
    float[][] rows = new float[2][];
    for (int i = 0; i < 2; i++) {
      try (Workers own = Workers.of(i + 1);
          EncodedCorpus corpus = corpus(planted(60))) {
        LanguageTrainer trainer = LanguageTrainer.fresh(corpus, settings, own);
        trainer.run(LanguageEvent.Listener.NONE, Optional.empty());
        rows[i] = trainer.input().row(3);
      }
    }
    assertThat(rows[0]).isEqualTo(rows[1]);
  }

  @ParameterizedTest
  @CsvSource({"TIED,0", "UNTIED,4"})
  void resumesToTheSameBytes(Tying tying, int sampled) throws IOException {
    LanguageSettings settings = new LanguageSettings(8, 2, 12, tying, 16, 3, 0.1, sampled, 0.2, 7);
    Path file = folder.resolve("out.checkpoint");
    CheckpointPlan plan = new CheckpointPlan(file, Duration.ofHours(1));
    try (EncodedCorpus corpus = corpus(planted(60))) {
      LanguageTrainer whole = LanguageTrainer.fresh(corpus, settings, workers);
      whole.run(LanguageEvent.Listener.NONE, Optional.empty());

      LanguageTrainer first = LanguageTrainer.fresh(corpus, settings, workers);
      LanguageEvent.Listener stopAfterOne =
          event -> {
            if (event instanceof LanguageEvent.Measured m && m.epoch().number() == 1) {
              first.stop();
            }
          };
      assertThat(first.run(stopAfterOne, Optional.of(plan)))
          .isEqualTo(LanguageTrainer.Ending.STOPPED);
      try (LanguageCheckpoint checkpoint = LanguageCheckpoint.open(file)) {
        assertThat(checkpoint.settings()).isEqualTo(settings);
        LanguageTrainer second = LanguageTrainer.resumed(corpus, checkpoint, workers);
        second.run(LanguageEvent.Listener.NONE, Optional.of(plan));
        assertThat(second.input().row(4)).isEqualTo(whole.input().row(4));
        assertThat(second.report().epochs().getLast()).isEqualTo(whole.report().epochs().getLast());
      }
    }
  }

  /** Stopped at each loss that is told, so in the midst of epochs and between two looks. */
  @Test
  void interruptedTrainingTellsTheSameStory() throws IOException {
    Path file = folder.resolve("out.checkpoint");
    try (EncodedCorpus corpus = corpus(planted(60))) {
      TrainingReport whole = new TrainingReport(List.of("w1"), workers);
      LanguageTrainer all = LanguageTrainer.fresh(corpus, SMALL, workers);
      all.run(telling(whole), Optional.empty());

      TrainingReport story = new TrainingReport(List.of("w1"), workers);
      LanguageTrainer trainer = LanguageTrainer.fresh(corpus, SMALL, workers);
      int parts = 1;
      while (stoppedAtALoss(trainer, story, file) == LanguageTrainer.Ending.STOPPED) {
        TrainingHistory before =
            TrainingHistory.of(Keepsakes.of(file).find("story").orElseThrow(), file);
        story = new TrainingReport(List.of("w1"), workers, before);
        try (LanguageCheckpoint checkpoint = LanguageCheckpoint.open(file)) {
          trainer = LanguageTrainer.resumed(corpus, checkpoint, workers);
        }
        parts++;
      }
      assertThat(parts).isGreaterThan(4);
      assertThat(story.history()).isEqualTo(whole.history());
      assertThat(trainer.report()).isEqualTo(all.report());
      assertThat(trainer.tokensDone()).isEqualTo(3 * all.report().trainingTokens());
    }
  }

  private static LanguageEvent.Listener telling(TrainingReport report) {
    return event -> {
      if (event instanceof LanguageEvent.Seen(TrainingEvent every)) {
        report.heard(every);
      }
    };
  }

  private static LanguageTrainer.Ending stoppedAtALoss(
      LanguageTrainer trainer, TrainingReport story, Path file) throws IOException {
    return trainer.run(
        event -> {
          telling(story).heard(event);
          if (event instanceof LanguageEvent.Seen(TrainingEvent.Loss _)) {
            trainer.stop();
          }
        },
        Optional.of(
            new CheckpointPlan(
                file, Duration.ofHours(1), () -> Map.of("story", story.history().asText()))));
  }

  // 60 lines of four words, of which a fifth is held out; the marker ends each line
  @Test
  void rowsAreLookedAtFromTheStart() throws IOException {
    List<TrainingEvent.Look> looks = new ArrayList<>();
    List<TrainingEvent.Loss> losses = new ArrayList<>();
    try (EncodedCorpus corpus = corpus(planted(60))) {
      LanguageTrainer trainer = LanguageTrainer.fresh(corpus, SMALL, workers);
      trainer.run(
          event -> {
            if (event instanceof LanguageEvent.Seen(TrainingEvent.Look look)) {
              looks.add(look);
              TrainingView view = look.view();
              assertThat(view.vocabulary().vocabulary().stored(10)).isEqualTo("</s>");
              assertThat(view.vocabulary().count(10)).isEqualTo(60);
              assertThat(view.rows().rows()).isEqualTo(11);
              for (int row = 0; row < 11; row++) {
                assertThat(Arrays.equals(view.rows().row(row), view.initialRow(row)))
                    .isEqualTo(look.share() == 0);
              }
            } else if (event instanceof LanguageEvent.Seen(TrainingEvent.Loss loss)) {
              losses.add(loss);
            }
          },
          Optional.empty());
      assertThat(looks.getFirst().share()).isZero();
      assertThat(looks.getLast().share()).isOne();
      assertThat(looks).hasSizeBetween(15, 21);
      LanguageReport report = trainer.report();
      double sum = 0; // of the last epoch
      for (int i = 1; i < losses.size(); i++) {
        long words = losses.get(i).words() - losses.get(i - 1).words();
        sum +=
            losses.get(i - 1).words() >= 2 * report.trainingTokens()
                ? words * losses.get(i).loss()
                : 0;
      }
      assertThat(sum / report.trainingTokens())
          .isCloseTo(report.epochs().getLast().trainingLoss(), within(1e-6));
    }
  }

  @Test
  void stopsWhereLossGrowsBeyondBounds() throws IOException {
    LanguageSettings wild = new LanguageSettings(8, 2, 0, Tying.TIED, 16, 1, 10, 0, 0.1, 1);
    List<LanguageEvent> events = new ArrayList<>();
    try (EncodedCorpus corpus = corpus(planted(60))) {
      LanguageTrainer trainer = LanguageTrainer.fresh(corpus, wild, workers);
      assertThatThrownBy(() -> trainer.run(events::add, Optional.empty()))
          .isInstanceOf(TrainingDivergedException.class)
          .hasMessageEndingWith("; start again with a lower rate, such as 0.05");
      // which is better than a blind guess among ten words and a marker
      LanguageSettings advised = new LanguageSettings(8, 2, 0, Tying.TIED, 16, 1, 0.05, 0, 0.1, 1);
      LanguageTrainer again = LanguageTrainer.fresh(corpus, advised, workers);
      again.run(LanguageEvent.Listener.NONE, Optional.empty());
      assertThat(again.report().epochs().getLast().heldOut()).isLessThan(11);
    }
    assertThat(events.getLast()).isInstanceOf(LanguageEvent.Measured.class);
  }

  @Test
  void refusesACheckpointOfAnotherText() throws IOException {
    Path file = folder.resolve("out.checkpoint");
    CheckpointPlan plan = new CheckpointPlan(file, Duration.ofHours(1));
    try (EncodedCorpus corpus = corpus(planted(60))) {
      LanguageTrainer trainer = LanguageTrainer.fresh(corpus, SMALL, workers);
      trainer.stop();
      trainer.run(LanguageEvent.Listener.NONE, Optional.of(plan));
    }
    // two of words, their counts; a table, two layers and the words' biases, each with squares
    DamagedBytes.areNoticed(file, 11, () -> LanguageCheckpoint.open(file).close());
    try (EncodedCorpus other = corpus(planted(61));
        LanguageCheckpoint checkpoint = LanguageCheckpoint.open(file)) {
      assertThatThrownBy(() -> LanguageTrainer.resumed(other, checkpoint, workers))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("another text");
    }
    StringBuilder turned = new StringBuilder();
    planted(60).lines().forEach(line -> turned.insert(0, line + "\n"));
    try (EncodedCorpus other = corpus(turned.toString());
        LanguageCheckpoint checkpoint = LanguageCheckpoint.open(file)) {
      assertThatThrownBy(() -> LanguageTrainer.resumed(other, checkpoint, workers))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("another text");
    }
  }

  @ParameterizedTest
  @CsvSource({"TIED,5", "UNTIED,5", "TIED,0", "UNTIED,0"})
  void gradientsEqualFiniteDifferences(Tying tying, int hidden) throws IOException {
    LanguageSettings settings = new LanguageSettings(4, 3, hidden, tying, 6, 1, 0.1, 0, 0.3, 5);
    try (EncodedCorpus corpus = corpus(planted(12))) {
      LanguageText text = LanguageText.split(corpus, 0.3, 5).training();
      double[] unigrams = new double[11];
      java.util.Arrays.fill(unigrams, 1.0 / 11);
      LanguageModel model = new LanguageModel(settings, unigrams, workers);
      int[] places = {0, 3, 4, 7, 9, 11};
      List<float[]> gradients = model.gradients(text, places, 0, 6);
      // input rows
      for (int row = 0; row < 11; row++) {
        float[] values = model.input().row(row);
        float[] gradient = gradients.getFirst();
        for (int i = 0; i < 4; i++) {
          float kept = values[i];
          float h = 1e-2f;
          values[i] = kept + h;
          model.input().setRow(row, values);
          double above = model.loss(text, places, 0, 6);
          values[i] = kept - h;
          model.input().setRow(row, values);
          double below = model.loss(text, places, 0, 6);
          values[i] = kept;
          model.input().setRow(row, values);
          assertThat((double) gradient[row * 4 + i])
              .isCloseTo((above - below) / (2 * h), within(2e-3));
        }
      }
      // the arrays: bias, then layers, squares between
      int g = 2;
      for (Map.Entry<String, float[]> part : model.parts().entrySet()) {
        if (part.getKey().endsWith("squares")) {
          continue;
        }
        float[] gradient = gradients.get(g++);
        for (int i = 0; i < part.getValue().length; i += 3) {
          float kept = part.getValue()[i];
          float h = 1e-2f;
          part.getValue()[i] = kept + h;
          double above = model.loss(text, places, 0, 6);
          part.getValue()[i] = kept - h;
          double below = model.loss(text, places, 0, 6);
          part.getValue()[i] = kept;
          assertThat((double) gradient[i])
              .as(part.getKey() + " " + i)
              .isCloseTo((above - below) / (2 * h), within(2e-3));
        }
      }
    }
  }

  @Test
  void writesBothTablesOnlyWhereThereAreTwo() throws IOException {
    try (EncodedCorpus corpus = corpus(planted(50))) {
      for (Tying tying : Tying.values()) {
        Path file = folder.resolve(tying + ".safetensors");
        TrainedLanguage.save(
            file, LanguageTrainer.fresh(corpus, SMALL.with(tying), workers), Map.of("k", "v"));
        try (Safetensors written = Safetensors.open(file, SafetensorsHeader.DEFAULT_LIMIT)) {
          assertThat(written.find("embeddings.weight").orElseThrow().shape())
              .isEqualTo(List.of(11L, 8L));
          assertThat(written.find("lm_head.weight").isPresent()).isEqualTo(tying == Tying.UNTIED);
          assertThat(written.metadata())
              .containsEntry("rowan.train.objective", "next-token")
              .containsEntry("rowan.train.k", "v");
        }
      }
    }
  }

  @Test
  void refusesATextWithNothingToHoldBack() throws IOException {
    try (EncodedCorpus corpus = corpus("only one line of words\n")) {
      assertThatThrownBy(() -> LanguageTrainer.fresh(corpus, SMALL, workers))
          .hasMessageContaining("too few sentences");
    }
  }

  @Test
  void contextsStopAtTheBeginningOfASentence() {
    LanguageText text = new LanguageText(new int[] {9, 1, 2, 9, 3, 9}, 9);
    long[] before = new long[3];
    text.context(1, 3, before, 0); // before 2
    assertThat(before).containsExactly(1, 9, 9);
    text.context(3, 3, before, 0); // before 3, the first of its sentence
    assertThat(before).containsExactly(9, 9, 9);
    assertThat(text.target(3)).isEqualTo(3);
    assertThat(text.places()).isEqualTo(5);
  }

  @ParameterizedTest
  @CsvSource({
    "0,2,8,TIED,width",
    "8,0,8,TIED,context",
    "8,2,-1,TIED,hidden",
  })
  void refusesSettingsOutOfRange(int width, int context, int hidden, Tying tying, String name) {
    assertThatThrownBy(
            () -> new LanguageSettings(width, context, hidden, tying, 16, 1, 0.1, 0, 0.1, 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(name);
    assertThat(LanguageSettings.of(SMALL.asText())).isEqualTo(SMALL);
  }
}

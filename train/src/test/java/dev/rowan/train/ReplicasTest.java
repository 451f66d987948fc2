package dev.rowan.train;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.rowan.core.Workers;
import dev.rowan.train.corpus.EncodedCorpus;
import dev.rowan.train.kernel.WindowKernels;
import java.io.IOException;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ReplicasTest {
  @TempDir Path folder;

  /** The plain path is the reference: with nobody else there, replicas change no bit. */
  @ParameterizedTest
  @MethodSource("dev.rowan.train.EveryWay#all")
  void aThreadAloneLearnsTheSameBytesWithReplicas(TrainingSettings settings) throws IOException {
    if (settings.threading() instanceof Threading.Blocks) {
      return;
    }
    BitSet frozen = new BitSet();
    if (settings.grams().isEmpty()) {
      frozen.set(3);
    }
    Path text = Planted.groups(folder, 2_000, 17);
    try (Workers alone = Workers.of(1);
        EncodedCorpus corpus = Planted.read(text, alone)) {
      Lesson plain = learn(Lesson.of(corpus, settings, frozen, 1), alone);
      Lesson replicas = learn(Lesson.of(corpus, settings, frozen, 2), alone);
      assertThat(replicas.hotInputs().size()).isGreaterThan(50);
      assertThat(replicas.hotOutputs().size()).isGreaterThan(50);
      assertThat(replicas.weights().inputBytes().mismatch(plain.weights().inputBytes()))
          .isEqualTo(-1);
      assertThat(replicas.weights().outputBytes().mismatch(plain.weights().outputBytes()))
          .isEqualTo(-1);
    }
  }

  /** Stops at a third of the text, as for a checkpoint, and goes on. */
  private static Lesson learn(Lesson lesson, Workers workers) {
    fill(lesson);
    Ledger ledger =
        new Ledger(lesson, 0, new LossSums(), TrainingListener.NONE, Optional.empty(), () -> {});
    SharedCourse course = new SharedCourse(lesson, WindowKernels.best());
    int units = lesson.corpus().units();
    assertThat(course.run(0, 0, units / 3, workers, ledger)).isEqualTo(units / 3);
    assertThat(course.run(0, units / 3, units, workers, ledger)).isEqualTo(units);
    return lesson;
  }

  private static void fill(Lesson lesson) {
    Draw draw = new Draw();
    for (int row = 0; row < lesson.weights().inputRows(); row++) {
      lesson.weights().fill(row, draw, 1);
    }
  }

  @Test
  void everybodysStepsAddUp() throws IOException {
    Path text = Planted.groups(folder, 2_000, 18);
    try (Workers workers = Workers.of(1);
        EncodedCorpus corpus = Planted.read(text, workers)) {
      Lesson lesson = Lesson.of(corpus, TrainingSettings.DEFAULT, new BitSet(), 3);
      fill(lesson);
      float[] rows = lesson.weights().input();
      Replicas[] threads = new Replicas[3];
      for (int t = 0; t < 3; t++) {
        threads[t] = Replicas.ofInput(lesson, t, WindowKernels.best());
      }
      int row = lesson.hotInputs().row(7);
      int shared = lesson.weights().offset(row);
      float before = rows[shared + 5];
      for (int t = 0; t < 3; t++) {
        int own = threads[t].offsets()[row];
        assertThat(own).isNotEqualTo(shared);
        assertThat(rows[own + 5]).isEqualTo(before);
        rows[own + 5] += 1 << t;
      }
      for (int round = 0; round < 2; round++) { // the second tells the first two of the third
        for (Replicas thread : threads) {
          for (int part = 0; part < 4; part++) {
            thread.mergePart(part, 4);
          }
        }
      }
      assertThat(rows[shared + 5]).isEqualTo(before + 7, within(1e-6f));
      for (Replicas thread : threads) {
        assertThat(rows[thread.offsets()[row] + 5]).isEqualTo(rows[shared + 5]);
      }
      assertThat(rows[shared + 6]).isEqualTo(rows[threads[1].offsets()[row] + 6]);
    }
  }

  @Test
  void oftenTouchedRowsAreMergedAsWordsGoBy() throws IOException {
    Path text = Planted.groups(folder, 2_000, 19);
    try (Workers workers = Workers.of(1);
        EncodedCorpus corpus = Planted.read(text, workers)) {
      Lesson lesson = Lesson.of(corpus, TrainingSettings.DEFAULT, new BitSet(), 2);
      float[] rows = lesson.weights().output();
      Replicas thread = Replicas.ofOutput(lesson, 1, WindowKernels.best());
      int row = lesson.hotOutputs().row(0);
      rows[thread.offsets()[row]] = 3;
      thread.advance(1);
      assertThat(rows[lesson.weights().offset(row)]).isZero();
      thread.advance(1 << 20);
      assertThat(rows[lesson.weights().offset(row)]).isEqualTo(3);
    }
  }
}

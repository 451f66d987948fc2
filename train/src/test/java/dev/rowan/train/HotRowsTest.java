package dev.rowan.train;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowan.core.Workers;
import dev.rowan.train.Objective.Cbow;
import dev.rowan.train.Objective.Combine;
import dev.rowan.train.Output.HierarchicalSoftmax;
import dev.rowan.train.Output.NegativeSampling;
import dev.rowan.train.Output.Sharing;
import dev.rowan.train.corpus.EncodedCorpus;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.Optional;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HotRowsTest {
  @TempDir Path folder;

  @Test
  void oftenTouchedRowsComeFirstAndRareOnesAreLeftOut() {
    HotRows hot = HotRows.of(new double[] {0.5, 0.001, 2, 0.0009, 0.1}, 2, 0.025, 16_000, 9);
    assertThat(hot.size()).isEqualTo(4); // 16 touches in 16,000 words are enough, 14.4 are not
    assertThat(new int[] {hot.row(0), hot.row(1), hot.row(2), hot.row(3)})
        .containsExactly(2, 0, 4, 1);
    assertThat(HotRows.of(new double[] {0.5, 0.001, 2}, 2, 0.025, 16_000, 2).size()).isEqualTo(2);
  }

  /** 128 touches: of the rows above after 64, 256, 1,280 and 128,000 words, in powers of two. */
  @Test
  void oftenTouchedRowsAreDueMoreOften() {
    HotRows hot = HotRows.of(new double[] {0.5, 0.001, 2, 0.0009, 0.1}, 2, 0.025, 16_000, 9);
    assertThat(hot.due(0, 63)).isZero();
    assertThat(hot.due(63, 64)).isEqualTo(1);
    assertThat(hot.due(64, 127)).isZero();
    assertThat(hot.due(200, 300)).isEqualTo(2);
    assertThat(hot.due(1000, 1030)).isEqualTo(3);
    assertThat(hot.due(65_500, 65_600)).isEqualTo(4);
    assertThat(hot.due(70_000, 70_000)).isZero();
  }

  @Test
  void manyThreadsOrLongStepsHaveNone() {
    double[] touches = {0.5, 2};
    assertThat(HotRows.of(touches, 8, 0.025, 16_000, 9).size()).isEqualTo(2); // 8 touches between
    assertThat(HotRows.of(touches, 9, 0.025, 16_000, 9).size()).isZero();
    assertThat(HotRows.of(touches, 2, 0.4, 16_000, 9).size()).isEqualTo(2);
    assertThat(HotRows.of(touches, 2, 0.41, 16_000, 9).size()).isZero();
  }

  @Test
  void threadsThatShareRowsHaveThem() throws IOException {
    TrainingSettings often = TrainingSettings.DEFAULT.withEpochs(3000);
    assertThat(hot(often, 2)).isEqualTo(2 * 3);
    extra = "d d d\n";
    assertThat(hot(often, 1)).isEqualTo(0);
    assertThat(hot(often.withThreading(new Threading.Blocks(2)), 2)).isEqualTo(0);
  }

  /** What is added to the text. */
  private String extra = "";

  private int hot(TrainingSettings settings, int threads) throws IOException {
    return with(
        lesson -> lesson.hotInputs().size() + lesson.hotOutputs().size(), settings, threads);
  }

  private interface Question<T> {
    T of(Lesson lesson);
  }

  private <T> T with(Question<T> question, TrainingSettings settings, int threads)
      throws IOException {
    Path text = Files.writeString(folder.resolve("t"), "a a b\na b a\na c a\na\n" + extra);
    try (Workers workers = Workers.of(1);
        EncodedCorpus corpus = Planted.read(text, workers)) {
      return question.of(Lesson.of(corpus, settings, new BitSet(), threads));
    }
  }

  /** By hand: 10 words, a 7, b 2, c 1; nothing is left out; window 5 has 6 inputs on average. */
  @Test
  void heatFollowsFromTheCounts() throws IOException {
    TrainingSettings plain = TrainingSettings.DEFAULT.withSubsample(0);
    check(
        with(l -> Heat.ofInputs(l.corpus().vocabulary(), plain, Optional.empty()), plain, 1),
        6 * .7,
        6 * .2,
        6 * .1);
    NegativeSampling asOften = new NegativeSampling(5, 1, Sharing.WINDOW);
    check(outputs(plain.withOutput(asOften)), 6 * .7, 6 * .2, 6 * .1);
    NegativeSampling even = new NegativeSampling(6, 0, Sharing.WINDOW);
    check(outputs(plain.withOutput(even)), .7 + 2, .2 + 2, .1 + 2);
    NegativeSampling pair = new NegativeSampling(6, 0, Sharing.PAIR);
    check(outputs(plain.withOutput(pair)), 6 * 2.7, 6 * 2.2, 6 * 2.1);
    TrainingSettings cbow = plain.withObjective(new Cbow(Combine.MEAN)).withOutput(pair);
    check(outputs(cbow), 2.7, 2.2, 2.1);
    // b and c meet below the root
    check(outputs(plain.withOutput(new HierarchicalSoftmax())), .3, 1);
  }

  private double[] outputs(TrainingSettings settings) throws IOException {
    return with(l -> Heat.ofOutputs(l.corpus().vocabulary(), settings, l.tree()), settings, 1);
  }

  private static void check(double[] heat, double... expected) {
    assertThat(heat).containsExactly(expected, Offset.offset(1e-12));
  }
}

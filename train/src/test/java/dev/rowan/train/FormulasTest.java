package dev.rowan.train;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

class FormulasTest {
  // by hand: T = 10^6, t = 10^-3, tT = 1000; c = 100,000: (√100 + 1) · 0.01 = 0.11;
  // c = 4000: (2 + 1) / 4 = 0.75; c = 1000: 2, so all are kept
  @Test
  void keepsFrequentWordsByTheFormulaOfWord2vec() {
    assertThat(Formulas.keepShare(100_000, 1_000_000, 1e-3)).isCloseTo(0.11, within(1e-12));
    assertThat(Formulas.keepShare(4_000, 1_000_000, 1e-3)).isCloseTo(0.75, within(1e-12));
    assertThat(Formulas.keepShare(1_000, 1_000_000, 1e-3)).isEqualTo(1);
    assertThat(Formulas.keepShare(100_000, 1_000_000, 0)).isEqualTo(1);
  }

  @Test
  void rateFallsInALineToATenThousandth() {
    assertThat(Formulas.rate(0.025, 0, 1000)).isEqualTo(0.025);
    assertThat(Formulas.rate(0.025, 500, 1000))
        .isCloseTo(0.025 * (1 - 500 / 1001.0), within(1e-15));
    assertThat(Formulas.rate(0.025, 1000, 1000)).isCloseTo(0.025 / 1001, within(1e-9));
    assertThat(Formulas.rate(0.025, 10_000_000, 10_000_000)).isCloseTo(2.5e-6, within(1e-12));
  }

  @Test
  void drawsInProportionToWeights() {
    double[] weights = {5, 0, 1, 3, 1};
    AliasTable table = new AliasTable(weights);
    Draw draw = new Draw();
    draw.seed(1, 2, 3);
    int[] drawn = new int[5];
    int draws = 1_000_000;
    for (int i = 0; i < draws; i++) {
      drawn[table.draw(draw.bits())]++;
    }
    assertThat(drawn[1]).isZero();
    for (int i = 0; i < 5; i++) {
      // within five standard deviations of a binomial count
      double expected = draws * weights[i] / 10;
      assertThat((double) drawn[i]).isCloseTo(expected, within(5 * Math.sqrt(expected) + 1));
    }
  }

  // by hand: counts 5 3 1 1 merge as (1 + 1), (2 + 3), (5 + 5): paths of 1, 2, 3 and 3 nodes
  @Test
  void frequentWordsHaveShortPaths() {
    HuffmanTree tree = HuffmanTree.of(new long[] {5, 3, 1, 1});
    int[] lengths = new int[4];
    for (int w = 0; w < 4; w++) {
      lengths[w] = tree.start(w + 1) - tree.start(w);
      assertThat(tree.node(tree.start(w))).as("root").isEqualTo(2);
    }
    assertThat(lengths).containsExactly(1, 2, 3, 3);
    assertThat(tree.longest()).isEqualTo(3);
    assertThat(tree.code(tree.start(2) + 2)).isNotEqualTo(tree.code(tree.start(3) + 2));
  }

  // a Huffman code's mean length lies between the entropy and one more bit (Huffman 1952)
  @Test
  void pathsAreNearTheEntropy() {
    long[] counts = new long[1000];
    Arrays.setAll(counts, w -> 1_000_000 / (w + 1));
    double total = Arrays.stream(counts).sum();
    HuffmanTree tree = HuffmanTree.of(counts);
    double entropy = 0;
    double length = 0;
    for (int w = 0; w < counts.length; w++) {
      double p = counts[w] / total;
      entropy -= p * Math.log(p) / Math.log(2);
      length += p * (tree.start(w + 1) - tree.start(w));
    }
    assertThat(length).isBetween(entropy, entropy + 1);
  }

  @Test
  void wordsAreDealtIntoEvenBlocksWithoutGaps() {
    for (int blocks : new int[] {1, 2, 3, 7}) {
      Dealing dealing = new Dealing(23, blocks);
      boolean[] taken = new boolean[23];
      for (int w = 0; w < 23; w++) {
        int row = dealing.row(w);
        int block = w % blocks;
        assertThat(row)
            .isBetween(
                dealing.first(block), dealing.first(block) + Dealing.rows(23, blocks, block) - 1);
        assertThat(taken[row]).isFalse();
        taken[row] = true;
      }
    }
  }

  @Test
  void settingsComeBackFromText() {
    TrainingSettings settings =
        TrainingSettings.DEFAULT
            .withObjective(new Objective.SkipGram())
            .withOutput(new Output.NegativeSampling(7, 0.5, Output.Sharing.PAIR))
            .withRate(0.1)
            .withSeed(-3)
            .withGrams(new CharacterGrams(2, 4, 99));
    assertThat(TrainingSettings.of(settings.asText())).isEqualTo(settings);
    TrainingSettings other =
        TrainingSettings.DEFAULT
            .withObjective(new Objective.Cbow(Objective.Combine.SUM))
            .withOutput(new Output.HierarchicalSoftmax());
    assertThat(TrainingSettings.of(other.asText())).isEqualTo(other);
  }
}

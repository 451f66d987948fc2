package dev.rowan.layer;

import static dev.rowan.layer.Toy.ids;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Faults that people reported of other layers, beyond the worked cases. */
class LayerReportsTest {
  /** pytorch issues 4169 and 21400: infinities, or an exception where the empty bags come last. */
  @ParameterizedTest
  @EnumSource(Pooling.class)
  void emptyBagsAtTheEndAreZeros(Pooling pooling) {
    Bags bags = Bags.of(ids(1), 0, 1, 1);
    EmbeddingBag bag = new EmbeddingBag(Toy.weights(), pooling, EmbeddingOptions.plain());
    assertThat(bag.lookup(bags).values()).containsExactly(3, 4, 0, 0, 0, 0);
    assertThat(bag.backward(bags, Toy.ones(6)).densify())
        .containsExactly(0, 0, 1, 1, 0, 0, 0, 0, 0, 0);
  }

  @ParameterizedTest
  @EnumSource(Pooling.class)
  void bagsOfNothingAtAllAreZeros(Pooling pooling) {
    EmbeddingBag bag = new EmbeddingBag(Toy.weights(), pooling, EmbeddingOptions.plain());
    assertThat(bag.lookup(Bags.of(ids(), 0, 0)).values()).containsExactly(0, 0, 0, 0);
  }

  /** flax issue 4557: any id was accepted where the table had one row. */
  @ParameterizedTest
  @ValueSource(longs = {1, -1, 2, Long.MIN_VALUE})
  void aTableOfOneRowHasOneId(long id) {
    Embedding embedding = new Embedding(WeightTable.of(2, 1, 2), EmbeddingOptions.plain());
    assertThatThrownBy(() -> embedding.lookup(ids(id), new float[2]))
        .isInstanceOf(IndexOutOfBoundsException.class)
        .hasMessage("id %d at position 0 is not in [0, 1)", id);
  }

  /** pytorch issue 115416: the least long with a max-norm of 0 ended the process. */
  @Test
  void theLeastIdUnderAMaxNormOfZeroIsRefusedAndNothingIsWritten() {
    Embedding embedding = Toy.embedding(EmbeddingOptions.plain().withMaxNorm(new MaxNorm(0, 2)));
    float[] target = {9, 9};
    assertThatThrownBy(() -> embedding.lookup(ids(Long.MIN_VALUE), target))
        .isInstanceOf(IndexOutOfBoundsException.class);
    assertThat(target).containsOnly(9);
    Toy.assertBitsUnchanged(embedding.weights());
  }

  /** torchrec issue 575: the number of rows itself as an id was logged once and read as row 0. */
  @Test
  void theNumberOfRowsIsNoIdInBagsEither() {
    EmbeddingBag bag = new EmbeddingBag(Toy.weights(), Pooling.SUM, EmbeddingOptions.plain());
    assertThatThrownBy(() -> bag.lookup(Bags.of(ids(1, 5), 0)))
        .isInstanceOf(IndexOutOfBoundsException.class)
        .hasMessageContaining("id 5 at position 1 is not in [0, 5)");
  }
}

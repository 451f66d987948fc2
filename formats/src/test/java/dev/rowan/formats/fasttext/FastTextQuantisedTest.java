package dev.rowan.formats.fasttext;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowan.core.Lexicon;
import dev.rowan.formats.Models;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** Product-quantised matrices, and n-grams that were pruned. */
class FastTextQuantisedTest extends FastTextFixture {
  @Test
  void readsProductQuantisedRows() throws IOException {
    try (Lexicon model = Models.open(file(quantized(false).toBytes()))) {
      assertThat(model.input().table().row(0)).containsExactly(2, 20, 300);
      assertThat(model.input().table().row(1)).containsExactly(0, 0, 0);
    }
  }

  @Test
  void readsProductQuantisedRowsWithNorms() throws IOException {
    try (Lexicon model = Models.open(file(quantized(true).toBytes()))) {
      // 3 × (1, 10, 200) and 2 × (3, 30, 400)
      assertThat(model.input().table().row(0)).containsExactly(4.5f, 45, 700);
      assertThat(model.subwords().orElseThrow().vectorOf("aa").orElseThrow())
          .containsExactly(6, 60, 800);
    }
  }

  @Test
  void unseenWordWhoseGramsArePrunedHasNoVector() throws IOException {
    try (Lexicon model = Models.open(file(quantized(true).toBytes()))) {
      // FNV-1a("b") = 3876335077, bucket 7, which was not kept
      assertThat(model.subwords().orElseThrow().vectorOf("b")).isEmpty();
    }
  }
}

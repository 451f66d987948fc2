package dev.rowan.layer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowan.core.Table;
import dev.rowan.core.kernel.FloatFormat;

/** The table of the worked cases, 5 × 2, and what tests share. */
final class Toy {
  private Toy() {}

  static final float[] VALUES = {1, 2, 3, 4, 6, 8, 0, 1, -2, 5};

  static WeightTable weights() {
    return WeightTable.of(2, VALUES);
  }

  static WeightTable weights(FloatFormat format, int width, float... values) {
    return WeightTable.copyOf(Table.of(width, values), format);
  }

  static Embedding embedding(EmbeddingOptions options) {
    return new Embedding(weights(), options);
  }

  static Embedding embedding() {
    return embedding(EmbeddingOptions.plain());
  }

  static long[] ids(long... ids) {
    return ids;
  }

  static float[] floats(double... values) {
    float[] floats = new float[values.length];
    for (int i = 0; i < values.length; i++) {
      floats[i] = (float) values[i];
    }
    return floats;
  }

  static float[] ones(int count) {
    return all(count, 1);
  }

  static float[] all(int count, float value) {
    float[] values = new float[count];
    java.util.Arrays.fill(values, value);
    return values;
  }

  /** All numbers of a table as they are. */
  static float[] values(WeightTable weights) {
    float[] values = new float[(int) weights.rows() * weights.width()];
    weights.table().copyRows(0, (int) weights.rows(), values, 0);
    return values;
  }

  static void assertBitsUnchanged(WeightTable weights) {
    assertThat(bits(values(weights))).isEqualTo(bits(VALUES));
  }

  static int[] bits(float[] values) {
    int[] bits = new int[values.length];
    for (int i = 0; i < values.length; i++) {
      bits[i] = Float.floatToRawIntBits(values[i]);
    }
    return bits;
  }
}

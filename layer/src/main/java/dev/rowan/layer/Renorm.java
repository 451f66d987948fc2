package dev.rowan.layer;

/** Scales rows of the table down to a norm, each row once a call. Not safe for concurrent use. */
final class Renorm {
  private final WeightTable weights;
  private final Coalescer coalescer = new Coalescer();
  private final float[] row;

  Renorm(WeightTable weights) {
    this.weights = weights;
    this.row = new float[weights.width()];
  }

  /** Ids are checked by the caller. */
  void apply(long[] ids, MaxNorm bound) {
    coalescer.group(ids, weights.rows(), -1);
    apply(bound);
  }

  void apply(int[] ids, MaxNorm bound) {
    coalescer.group(ids, weights.rows(), -1);
    apply(bound);
  }

  private void apply(MaxNorm bound) {
    for (int s = 0; s < coalescer.segments(); s++) {
      long id = coalescer.id(s);
      weights.read(id, row, 0);
      double norm = bound.norm(row);
      if (norm > bound.max()) {
        float factor = (float) (bound.max() / (norm + 1e-7));
        for (int i = 0; i < row.length; i++) {
          row[i] *= factor;
        }
        weights.write(id, row, 0);
      }
    }
  }
}

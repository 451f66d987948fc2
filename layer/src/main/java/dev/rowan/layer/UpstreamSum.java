package dev.rowan.layer;

import dev.rowan.core.kernel.RowKernels;

/** The gradient of a looked-up row: upstream rows summed in the order of positions. */
final class UpstreamSum implements SegmentSum {
  private final Coalescer grouped;
  private final float[] upstream;
  private final int width;
  private final float scale;
  private final boolean mean;
  private final RowKernels kernels = RowKernels.best();

  /** Sums, times {@code scale}, divided by the number of occurrences if {@code mean}. */
  UpstreamSum(Coalescer grouped, float[] upstream, int width, float scale, boolean mean) {
    this.grouped = grouped;
    this.upstream = upstream;
    this.width = width;
    this.scale = scale;
    this.mean = mean;
  }

  @Override
  public void sum(int segment, float[] target, int offset) {
    int start = grouped.start(segment);
    int end = grouped.end(segment);
    System.arraycopy(upstream, grouped.position(start) * width, target, offset, width);
    for (int k = start + 1; k < end; k++) {
      kernels.add(upstream, grouped.position(k) * width, target, offset, width);
    }
    int count = end - start;
    if (mean && count > 1) {
      kernels.scale(scale / count, target, offset, width);
    } else if (scale != 1) {
      kernels.scale(scale, target, offset, width);
    }
  }

  @Override
  public int place(int segment) {
    int start = grouped.start(segment);
    return scale == 1 && grouped.end(segment) == start + 1 ? grouped.position(start) * width : -1;
  }

  @Override
  public float[] source() {
    return upstream;
  }
}

package dev.rowan.bench.train;

import dev.rowan.train.kernel.Window;
import dev.rowan.train.kernel.WindowKernels;

/** Kernels that count what they are asked for. One thread's own. */
final class CountingKernels implements WindowKernels {
  private final WindowKernels kernels;
  private long steps;
  private long pairs;
  private long rows;

  CountingKernels(WindowKernels kernels) {
    this.kernels = kernels;
  }

  /** Returns how many steps were done. */
  long steps() {
    return steps;
  }

  /** Returns how many pairs of an input and a target the steps had together. */
  long pairs() {
    return pairs;
  }

  /** Returns how many rows the steps read and wrote together. */
  long rows() {
    return rows;
  }

  @Override
  public String name() {
    return kernels.name();
  }

  @Override
  public void step(float[] in, float[] out, Window window, float rate) {
    steps++;
    pairs += (long) window.inputCount() * window.targetCount();
    rows += window.inputCount() + window.targetCount();
    kernels.step(in, out, window, rate);
  }

  @Override
  public void stepHidden(float[] out, Window window, float rate) {
    steps++;
    pairs += window.targetCount();
    rows += window.targetCount();
    kernels.stepHidden(out, window, rate);
  }

  @Override
  public void sum(
      float[] from, int[] rows, int count, float factor, float[] target, int at, int stride) {
    kernels.sum(from, rows, count, factor, target, at, stride);
  }

  @Override
  public void merge(float[] rows, int row, int replica, float[] base, int at, int stride) {
    kernels.merge(rows, row, replica, base, at, stride);
  }

  @Override
  public void add(float[] to, int[] rows, int count, float[] what, int at, int stride) {
    kernels.add(to, rows, count, what, at, stride);
  }
}

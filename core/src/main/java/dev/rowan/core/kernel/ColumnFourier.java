package dev.rowan.core.kernel;

import java.util.ArrayList;
import java.util.List;

/**
 * Discrete Fourier transforms of 16 columns at once, the building block of transforms in two
 * dimensions: lanes run over the columns, so that no number ever crosses lanes.
 *
 * <p>A block is n × 16 complex numbers in two arrays, real and imaginary parts, row-major: 64 bytes
 * a row and array. n is a product of powers of 2, 3 and 5. The algorithm is Stockham's (Van Loan
 * 1992, Computational Frameworks for the FFT, section 1.7) with radix 4, then 2, 3 and 5: every
 * pass reads one block and writes the other, and sorts as it goes.
 *
 * <p>float32 with twiddle factors from double; error of about 1e-7 of the root mean square. No
 * fused operations: the SIMD twin gives the bits of the scalar one. Not thread-safe: each worker
 * has its own.
 */
public final class ColumnFourier {
  /** Columns of a block. */
  public static final int COLUMNS = 16;

  /** Longest transform; a block then takes 2 MiB. */
  public static final int LONGEST = 1 << 13;

  private static final ColumnPasses PASSES =
      KernelChoice.INSTANCE.kernels() instanceof ScalarKernels
          ? ScalarColumnPasses.INSTANCE
          : VectorColumnPasses.INSTANCE;

  private final int length;
  private final int[] radices;
  private final float[][] twiddles; // by pass: for each p, (radix − 1) pairs of cos and sin
  private final ColumnPasses passes;
  private float[] real;
  private float[] imaginary;
  private float[] otherReal;
  private float[] otherImaginary;

  /**
   * Makes a block of zeros.
   *
   * @param length n: a product of powers of 2, 3 and 5, 1 to {@value #LONGEST}
   * @throws IllegalArgumentException if it is not
   */
  public ColumnFourier(int length) {
    this(length, PASSES);
  }

  ColumnFourier(int length, ColumnPasses passes) {
    this.length = length;
    this.passes = passes;
    this.radices = radices(length);
    this.twiddles = new float[radices.length][];
    int rest = length;
    for (int i = 0; i < radices.length; i++) {
      twiddles[i] = twiddles(rest, radices[i]);
      rest /= radices[i];
    }
    real = new float[length * COLUMNS];
    imaginary = new float[length * COLUMNS];
    otherReal = new float[length * COLUMNS];
    otherImaginary = new float[length * COLUMNS];
  }

  /** Returns the shortest length of at least {@code least} that is a multiple of 16. */
  public static int lengthFrom(int least) {
    for (int n = Math.max(16, Math.ceilDiv(least, 16) * 16); ; n += 16) {
      int rest = n;
      for (int radix : new int[] {2, 3, 5}) {
        while (rest % radix == 0) {
          rest /= radix;
        }
      }
      if (rest == 1) {
        return n;
      }
    }
  }

  private static int[] radices(int length) {
    List<Integer> found = new ArrayList<>();
    int rest = length;
    for (int radix : new int[] {4, 2, 3, 5}) {
      while (rest > 1 && rest % radix == 0) {
        found.add(radix);
        rest /= radix;
      }
    }
    if (rest != 1 || length > LONGEST) {
      throw new IllegalArgumentException(
          "length is %d; it takes a product of powers of 2, 3 and 5, up to %d"
              .formatted(length, LONGEST));
    }
    return found.stream().mapToInt(r -> r).toArray();
  }

  private static float[] twiddles(int rest, int radix) {
    int m = rest / radix;
    float[] factors = new float[2 * (radix - 1) * m];
    int at = 0;
    for (int p = 0; p < m; p++) {
      for (int j = 1; j < radix; j++) {
        double angle = -2 * Math.PI * ((long) p * j % rest) / rest;
        factors[at++] = (float) StrictMath.cos(angle);
        factors[at++] = (float) StrictMath.sin(angle);
      }
    }
    return factors;
  }

  /** Returns n. */
  public int length() {
    return length;
  }

  /** Returns the real parts, n × 16, to read and write; another array after a transform. */
  public float[] real() {
    return real;
  }

  /** Returns the imaginary parts, n × 16, to read and write; another array after a transform. */
  public float[] imaginary() {
    return imaginary;
  }

  /** Transforms each column: X_k = Σ_a x_a e^(−2πi·ak/n). */
  public void forward() {
    int width = COLUMNS;
    int rest = length;
    for (int i = 0; i < radices.length; i++) {
      int m = rest / radices[i];
      float[] w = twiddles[i];
      switch (radices[i]) {
        case 4 -> passes.four(real, imaginary, otherReal, otherImaginary, m, width, w);
        case 2 -> passes.two(real, imaginary, otherReal, otherImaginary, m, width, w);
        case 3 -> passes.three(real, imaginary, otherReal, otherImaginary, m, width, w);
        default -> passes.five(real, imaginary, otherReal, otherImaginary, m, width, w);
      }
      float[] held = real;
      real = otherReal;
      otherReal = held;
      held = imaginary;
      imaginary = otherImaginary;
      otherImaginary = held;
      width *= radices[i];
      rest = m;
    }
  }

  /** Transforms each column back, not divided by n: x_a = Σ_k X_k e^(2πi·ak/n). */
  public void inverse() {
    exchange(); // the inverse of (re, im) is the transform of (im, re), exchanged again
    forward();
    exchange();
  }

  private void exchange() {
    float[] held = real;
    real = imaginary;
    imaginary = held;
  }
}

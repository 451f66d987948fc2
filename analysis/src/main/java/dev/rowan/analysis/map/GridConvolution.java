package dev.rowan.analysis.map;

import dev.rowan.core.Workers;
import dev.rowan.core.kernel.ColumnFourier;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Convolves charges on a grid with 1 / (1 + r²), in such a way that charges spread and values read
 * by cubic B-splines see the plain kernel: its spectrum is divided by the square of the spline's
 * discrete one.
 *
 * <p>The transform in two dimensions goes over a domain of twice the grid, so that nothing wraps
 * around, but never stores it: columns along x first, two real ones as one complex, then, in one go
 * for 16 frequencies along x at a time, the rows along y to the spectrum and back, then along x
 * back. Empty columns are not transformed, and unwanted ones not transformed back.
 */
final class GridConvolution {
  /** Nodes along an axis at most. */
  static final int MOST_NODES = ColumnFourier.LONGEST / 4;

  /**
   * Nodes between the farthest pair and the place where the periodic kernel has a kink; dividing by
   * the splines' spectrum spreads it, by a factor 0.27 less at each node.
   */
  private static final int MARGIN = 12;

  private static final int COLUMNS = ColumnFourier.COLUMNS;

  private final Workers workers;
  private final Pool alongX = new Pool();
  private final Pool alongY = new Pool();
  private double spacing = Double.NaN;
  private int frequencies; // along x, 0 to half: the others mirror them
  private float[] spectrum = new float[0]; // of the kernel, real: [16 along x][along y][one of 16]
  private float[] real = new float[0]; // [column of the grid][frequency along x]
  private float[] imaginary = new float[0];

  GridConvolution(Workers workers) {
    this.workers = workers;
  }

  /** Transforms of one length, for as many workers as are at work. */
  private static final class Pool {
    private int length;
    private final ConcurrentLinkedQueue<ColumnFourier> free = new ConcurrentLinkedQueue<>();

    /** Returns whether the length changed. */
    boolean fit(int nodes) {
      int needed = ColumnFourier.lengthFrom(2 * (nodes + MARGIN));
      // a grid that breathes a little keeps its length
      if (length >= needed && length <= needed + needed / 4) {
        return false;
      }
      length = needed;
      free.clear();
      return true;
    }

    ColumnFourier take() {
      ColumnFourier known = free.poll();
      return known == null ? new ColumnFourier(length) : known;
    }
  }

  /**
   * Convolves.
   *
   * @param charge rows × columns, row-major
   * @param potential receives as many numbers
   */
  void apply(double[] charge, float[] potential, int rows, int columns, double spacing) {
    boolean isNew = alongX.fit(rows);
    isNew |= alongY.fit(columns);
    frequencies = alongX.length / 2 + 1;
    if (isNew || this.spacing != spacing) {
      this.spacing = spacing;
      spectrum = new float[Math.ceilDiv(frequencies, COLUMNS) * COLUMNS * alongY.length];
      computeSpectrum();
    }
    int size = columns * frequencies;
    if (real.length < size) {
      real = new float[size + size / 8];
      imaginary = new float[size + size / 8];
    }
    share(
        Math.ceilDiv(columns, 2 * COLUMNS),
        alongX,
        (f, chunk) -> in(charge, rows, columns, f, chunk));
    share(Math.ceilDiv(frequencies, COLUMNS), alongY, (f, chunk) -> multiply(columns, f, chunk));
    share(
        Math.ceilDiv(columns, 2 * COLUMNS),
        alongX,
        (f, chunk) -> out(potential, rows, columns, f, chunk));
  }

  private interface Work {
    void run(ColumnFourier transform, int chunk);
  }

  private void share(int chunks, Pool pool, Work work) {
    workers.run(
        chunks,
        () ->
            chunk -> {
              ColumnFourier transform = pool.take();
              work.run(transform, (int) chunk);
              pool.free.add(transform);
            });
  }

  /** Transforms 32 real columns of the grid along x, as 16 complex ones. */
  private void in(double[] charge, int rows, int columns, ColumnFourier f, int chunk) {
    int first = chunk * 2 * COLUMNS;
    int here = Math.min(2 * COLUMNS, columns - first);
    float[] re = f.real();
    float[] im = f.imaginary();
    java.util.Arrays.fill(re, 0);
    java.util.Arrays.fill(im, 0);
    for (int a = 0; a < rows; a++) {
      int at = a * columns + first;
      for (int c = 0; c < here; c++) {
        (c < COLUMNS ? re : im)[a * COLUMNS + (c & (COLUMNS - 1))] = (float) charge[at + c];
      }
    }
    f.forward();
    re = f.real();
    im = f.imaginary();
    // with z = e + i·o, both real: E_k = (Z_k + Z*_−k) / 2, O_k = (Z_k − Z*_−k) / 2i
    for (int c = 0; c < Math.min(COLUMNS, here); c++) {
      int even = (first + c) * frequencies;
      for (int k = 0; k < frequencies; k++) {
        int at = k * COLUMNS + c;
        int mirror = (k == 0 ? 0 : f.length() - k) * COLUMNS + c;
        real[even + k] = 0.5f * (re[at] + re[mirror]);
        imaginary[even + k] = 0.5f * (im[at] - im[mirror]);
      }
      if (c + COLUMNS < here) {
        int odd = even + COLUMNS * frequencies;
        for (int k = 0; k < frequencies; k++) {
          int at = k * COLUMNS + c;
          int mirror = (k == 0 ? 0 : f.length() - k) * COLUMNS + c;
          real[odd + k] = 0.5f * (im[at] + im[mirror]);
          imaginary[odd + k] = 0.5f * (re[mirror] - re[at]);
        }
      }
    }
  }

  /** Transforms 16 frequencies along y, multiplies them by the kernel's and transforms back. */
  private void multiply(int columns, ColumnFourier f, int chunk) {
    int first = chunk * COLUMNS;
    int here = Math.min(COLUMNS, frequencies - first);
    float[] re = f.real();
    float[] im = f.imaginary();
    java.util.Arrays.fill(re, columns * COLUMNS, re.length, 0);
    java.util.Arrays.fill(im, columns * COLUMNS, im.length, 0);
    for (int b = 0; b < columns; b++) {
      System.arraycopy(real, b * frequencies + first, re, b * COLUMNS, here);
      System.arraycopy(imaginary, b * frequencies + first, im, b * COLUMNS, here);
    }
    f.forward();
    re = f.real();
    im = f.imaginary();
    int block = first * f.length();
    for (int i = 0; i < re.length; i++) {
      re[i] *= spectrum[block + i];
      im[i] *= spectrum[block + i];
    }
    f.inverse();
    re = f.real();
    im = f.imaginary();
    for (int b = 0; b < columns; b++) {
      System.arraycopy(re, b * COLUMNS, real, b * frequencies + first, here);
      System.arraycopy(im, b * COLUMNS, imaginary, b * frequencies + first, here);
    }
  }

  /** Transforms 32 columns back along x. */
  private void out(float[] potential, int rows, int columns, ColumnFourier f, int chunk) {
    int first = chunk * 2 * COLUMNS;
    int here = Math.min(2 * COLUMNS, columns - first);
    float[] re = f.real();
    float[] im = f.imaginary();
    for (int c = 0; c < Math.min(COLUMNS, here); c++) {
      int even = (first + c) * frequencies;
      int odd = even + COLUMNS * frequencies;
      boolean isPair = c + COLUMNS < here;
      for (int k = 0; k < frequencies; k++) {
        float er = real[even + k];
        float ei = imaginary[even + k];
        float or = isPair ? real[odd + k] : 0;
        float oi = isPair ? imaginary[odd + k] : 0;
        int at = k * COLUMNS + c;
        re[at] = er - oi;
        im[at] = ei + or;
        int mirror = (k == 0 ? 0 : f.length() - k) * COLUMNS + c;
        if (mirror != at) {
          re[mirror] = er + oi; // conj(E) + i·conj(O)
          im[mirror] = or - ei;
        }
      }
    }
    f.inverse();
    re = f.real();
    im = f.imaginary();
    for (int a = 0; a < rows; a++) {
      int at = a * columns + first;
      for (int c = 0; c < here; c++) {
        potential[at + c] = (c < COLUMNS ? re : im)[a * COLUMNS + (c & (COLUMNS - 1))];
      }
    }
  }

  /** The kernel is even along both axes, so its spectrum is real and even too. */
  private void computeSpectrum() {
    int nx = alongX.length;
    int ny = alongY.length;
    int half = ny / 2 + 1;
    float[] alongFirst = new float[half * frequencies];
    share(
        Math.ceilDiv(half, COLUMNS),
        alongX,
        (f, chunk) -> {
          int first = chunk * COLUMNS;
          int here = Math.min(COLUMNS, half - first);
          java.util.Arrays.fill(f.imaginary(), 0);
          for (int a = 0; a < nx; a++) {
            double dx = Math.min(a, nx - a) * spacing;
            for (int c = 0; c < COLUMNS; c++) {
              double dy = (first + c) * spacing;
              f.real()[a * COLUMNS + c] = (float) (1 / (1 + dx * dx + dy * dy));
            }
          }
          f.forward();
          for (int c = 0; c < here; c++) {
            for (int k = 0; k < frequencies; k++) {
              alongFirst[(first + c) * frequencies + k] = f.real()[k * COLUMNS + c];
            }
          }
        });
    share(
        Math.ceilDiv(frequencies, COLUMNS),
        alongY,
        (f, chunk) -> {
          int first = chunk * COLUMNS;
          int here = Math.min(COLUMNS, frequencies - first);
          java.util.Arrays.fill(f.imaginary(), 0);
          java.util.Arrays.fill(f.real(), 0);
          for (int b = 0; b < ny; b++) {
            int from = Math.min(b, ny - b) * frequencies + first;
            System.arraycopy(alongFirst, from, f.real(), b * COLUMNS, here);
          }
          f.forward();
          for (int c = 0; c < here; c++) {
            double scale = 1 / (squaredSpline(first + c, nx) * nx * ny);
            for (int l = 0; l < ny; l++) {
              float value = f.real()[l * COLUMNS + c];
              spectrum[first * ny + l * COLUMNS + c] =
                  (float) (value * scale / squaredSpline(l, ny));
            }
          }
        });
  }

  /** Returns the square of the spectrum of a cubic B-spline at the nodes: 1/6, 4/6, 1/6. */
  private static double squaredSpline(int frequency, int length) {
    double spline = (4 + 2 * StrictMath.cos(2 * Math.PI * frequency / length)) / 6;
    return spline * spline;
  }
}

package dev.rowan.analysis.map;

import dev.rowan.core.Workers;

/**
 * Gradient descent on the KL divergence, with momentum, gains for each coordinate (Jacobs 1988) and
 * a cap on the length of a step.
 */
final class TsneLayout {
  private static final double MOMENTUM = 0.8;
  private static final double LEAST_GAIN = 0.01;
  private static final double LONGEST_STEP = 5; // keeps points from shooting off the map
  private static final int LOSS_EVERY = 50;
  private static final int CHUNK = 256;

  private final Affinities affinities;
  private final TsneSettings.Schedule schedule;
  private final RepulsiveForces repulsion;
  private final Workers workers;
  private final double negativeEntropy;
  private double[] x;
  private double[] y;
  private double[] nextX;
  private double[] nextY;
  private final double[] pushX;
  private final double[] pushY;
  private final double[] stepX;
  private final double[] stepY;
  private final double[] gainX;
  private final double[] gainY;

  /** Makes a layout that starts at the given places; the arrays are taken over. */
  TsneLayout(
      Affinities affinities,
      TsneSettings.Schedule schedule,
      RepulsiveForces repulsion,
      Workers workers,
      double[] x,
      double[] y) {
    int n = affinities.points();
    this.affinities = affinities;
    this.schedule = schedule;
    this.repulsion = repulsion;
    this.workers = workers;
    this.negativeEntropy = affinities.negativeEntropy();
    this.x = x;
    this.y = y;
    this.nextX = new double[n];
    this.nextY = new double[n];
    this.pushX = new double[n];
    this.pushY = new double[n];
    this.stepX = new double[n];
    this.stepY = new double[n];
    this.gainX = new double[n];
    this.gainY = new double[n];
    java.util.Arrays.fill(gainX, 1);
    java.util.Arrays.fill(gainY, 1);
  }

  double[] x() {
    return x;
  }

  double[] y() {
    return y;
  }

  /** Runs all iterations. */
  void run(MapListener listener) {
    for (int i = 0; i < schedule.iterations(); i++) {
      boolean isMeasured = (i + 1) % LOSS_EVERY == 0;
      double z = repulsion.forces(x, y, pushX, pushY);
      double loss = isMeasured ? kl(z) : Double.NaN;
      move(1 / z, schedule.factor(i), schedule.rate(i, x.length));
      listener.step(new MapListener.Step(i + 1, schedule.iterations(), loss, x, y));
    }
  }

  /** Returns the KL divergence of the map as it is. */
  double kl() {
    return kl(repulsion.forces(x, y, pushX, pushY));
  }

  /** Σ p ln(p / q) with q = 1 / ((1 + d²) Z). */
  private double kl(double z) {
    int n = x.length;
    int chunks = Math.ceilDiv(n, CHUNK);
    double[] parts = new double[chunks];
    workers.run(
        chunks,
        () ->
            chunk -> {
              int from = (int) chunk * CHUNK;
              double sum = 0;
              for (int i = from; i < Math.min(n, from + CHUNK); i++) {
                for (int e = affinities.start()[i]; e < affinities.start()[i + 1]; e++) {
                  int j = affinities.column()[e];
                  double dx = x[i] - x[j];
                  double dy = y[i] - y[j];
                  sum += affinities.p()[e] * StrictMath.log(1 + dx * dx + dy * dy);
                }
              }
              parts[(int) chunk] = sum;
            });
    double sum = 0;
    for (double part : parts) {
      sum += part;
    }
    return n < 2 ? 0 : negativeEntropy + sum + StrictMath.log(z);
  }

  private void move(double pushFactor, double pullFactor, double rate) {
    int n = x.length;
    workers.run(
        Math.ceilDiv(n, CHUNK),
        () ->
            chunk -> {
              int from = (int) chunk * CHUNK;
              for (int i = from; i < Math.min(n, from + CHUNK); i++) {
                movePoint(i, n < 2 ? 0 : pushFactor, pullFactor, rate);
              }
            });
    Plane.centre(nextX);
    Plane.centre(nextY);
    double[] held = x;
    x = nextX;
    nextX = held;
    held = y;
    y = nextY;
    nextY = held;
  }

  private void movePoint(int i, double pushFactor, double pullFactor, double rate) {
    int[] column = affinities.column();
    float[] p = affinities.p();
    double[] allX = x;
    double[] allY = y;
    double atX = allX[i];
    double atY = allY[i];
    double pullX = 0;
    double pullY = 0;
    int end = affinities.start()[i + 1];
    for (int e = affinities.start()[i]; e < end; e++) {
      int j = column[e];
      double dx = atX - allX[j];
      double dy = atY - allY[j];
      double pq = p[e] / (1 + dx * dx + dy * dy);
      pullX += pq * dx;
      pullY += pq * dy;
    }
    double gradientX = pullFactor * pullX - pushFactor * pushX[i];
    double gradientY = pullFactor * pullY - pushFactor * pushY[i];
    gainX[i] = gain(gainX[i], stepX[i], gradientX);
    gainY[i] = gain(gainY[i], stepY[i], gradientY);
    double moveX = MOMENTUM * stepX[i] - rate * gainX[i] * gradientX;
    double moveY = MOMENTUM * stepY[i] - rate * gainY[i] * gradientY;
    double length = Math.sqrt(moveX * moveX + moveY * moveY);
    if (length > LONGEST_STEP) {
      moveX *= LONGEST_STEP / length;
      moveY *= LONGEST_STEP / length;
    }
    stepX[i] = moveX;
    stepY[i] = moveY;
    nextX[i] = atX + moveX;
    nextY[i] = atY + moveY;
  }

  /** Raises a gain while steps go down the gradient, and lowers it where they swing back. */
  private static double gain(double gain, double step, double gradient) {
    return Math.signum(step) == Math.signum(gradient) ? gain * 0.8 + LEAST_GAIN : gain + 0.2;
  }
}

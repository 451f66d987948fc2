package dev.rowan.analysis.map;

/**
 * The curve 1 / (1 + a·d^2b) that comes closest, in squares at 300 distances up to 3, to 1 below
 * the minimum distance and e^−(d − minimum) beyond.
 *
 * @param a above 0
 * @param b above 0
 */
record UmapCurve(double a, double b) {
  private static final int PLACES = 300;
  private static final int STEPS = 200;

  /** Fits by Levenberg's and Marquardt's method from a = b = 1. */
  static UmapCurve of(double minDistance) {
    double a = 1;
    double b = 1;
    double error = error(a, b, minDistance);
    double damping = 1e-3;
    for (int step = 0; step < STEPS && damping < 1e12; step++) {
      double aa = 0;
      double ab = 0;
      double bb = 0;
      double ra = 0;
      double rb = 0;
      for (int i = 1; i < PLACES; i++) {
        double d = distance(i);
        double power = StrictMath.pow(d, 2 * b);
        double value = 1 / (1 + a * power);
        double slopeA = -value * value * power;
        double slopeB = -value * value * a * power * 2 * StrictMath.log(d);
        double miss = wanted(d, minDistance) - value;
        aa += slopeA * slopeA;
        ab += slopeA * slopeB;
        bb += slopeB * slopeB;
        ra += slopeA * miss;
        rb += slopeB * miss;
      }
      double dampedA = aa * (1 + damping);
      double dampedB = bb * (1 + damping);
      double determinant = dampedA * dampedB - ab * ab;
      double nextA = a + (dampedB * ra - ab * rb) / determinant;
      double nextB = b + (dampedA * rb - ab * ra) / determinant;
      double nextError = nextA > 0 && nextB > 0 ? error(nextA, nextB, minDistance) : error + 1;
      if (nextError < error) {
        a = nextA;
        b = nextB;
        error = nextError;
        damping /= 10;
      } else {
        damping *= 10;
      }
    }
    return new UmapCurve(a, b);
  }

  private static double error(double a, double b, double minDistance) {
    double sum = 0;
    for (int i = 1; i < PLACES; i++) {
      double d = distance(i);
      double miss = wanted(d, minDistance) - 1 / (1 + a * StrictMath.pow(d, 2 * b));
      sum += miss * miss;
    }
    return sum;
  }

  private static double distance(int place) {
    return 3.0 * place / (PLACES - 1);
  }

  private static double wanted(double distance, double minDistance) {
    return distance < minDistance ? 1 : StrictMath.exp(minDistance - distance);
  }
}

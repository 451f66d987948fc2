package dev.rowan.analysis.map;

import dev.rowan.core.KnnGraph;
import dev.rowan.core.Metric;
import dev.rowan.core.Workers;
import java.util.Arrays;

/**
 * Stochastic descent on the cross-entropy of the fuzzy neighbourhoods; see {@link UmapSettings}.
 */
final class UmapLayout {
  private static final int REPELLED = 5; // points for each attraction
  private static final double LONGEST = 4; // of a gradient, along each axis
  private static final int TURNS = 8; // an epoch moves an eighth of the points at a time
  private static final int CHUNK = 256;
  private static final double NO_DISTANCE = 1e-12; // squared; closer points do not pull or push

  private final Affinities edges;
  private final float[] rates; // samples an epoch, by edge
  private final UmapCurve curve;
  private final Noise noise;
  private final Workers workers;
  private final double[] x;
  private final double[] y;
  private final double[] nextX;
  private final double[] nextY;
  private final int[] order; // points by turn
  private final int[] turnStart = new int[TURNS + 1];

  /** Makes a layout that starts at the given places; the arrays are taken over. */
  UmapLayout(
      Affinities edges, UmapCurve curve, Noise noise, Workers workers, double[] x, double[] y) {
    int n = x.length;
    this.edges = edges;
    this.curve = curve;
    this.noise = noise;
    this.workers = workers;
    this.x = x;
    this.y = y;
    this.nextX = new double[n];
    this.nextY = new double[n];
    float most = 0;
    for (float weight : edges.p()) {
      most = Math.max(most, weight);
    }
    this.rates = new float[edges.p().length];
    for (int e = 0; e < rates.length; e++) {
      rates[e] = edges.p()[e] / most;
    }
    this.order = new int[n];
    int at = 0;
    for (int turn = 0; turn < TURNS; turn++) {
      turnStart[turn] = at;
      for (int i = 0; i < n; i++) {
        if (noise.below(i, TURNS) == turn) {
          order[at++] = i;
        }
      }
    }
    turnStart[TURNS] = n;
  }

  /**
   * Returns the fuzzy neighbourhoods: weights 1 for the nearest neighbour, falling so that they sum
   * to log2 of the neighbourhood's size; of both directions the probabilistic union.
   *
   * @param graph of one neighbour less than the size, the point itself being the first
   */
  static Affinities neighbourhoods(KnnGraph graph, Workers workers) {
    int n = graph.rows();
    int k = graph.degree();
    int[] ids = new int[n * k];
    float[] weights = new float[n * k];
    workers.run(
        Math.ceilDiv(n, CHUNK),
        () -> {
          double[] distances = new double[k];
          return chunk -> {
            int from = (int) chunk * CHUNK;
            for (int i = from; i < Math.min(n, from + CHUNK); i++) {
              for (int j = 0; j < k; j++) {
                ids[i * k + j] = graph.id(i, j);
                distances[j] = distance(graph, i, j);
              }
              weigh(distances, weights, i * k);
            }
          };
        });
    return Affinities.symmetric(ids, weights, n, k, (a, b) -> a + b - a * b);
  }

  private static double distance(KnnGraph graph, int row, int place) {
    double score = graph.score(row, place);
    return graph.metric() == Metric.COSINE ? 1 - score : -score;
  }

  private static void weigh(double[] distances, float[] weights, int at) {
    int k = distances.length;
    double nearest = 0; // the nearest that is not the same
    double mean = 0;
    for (double d : distances) {
      nearest = nearest == 0 ? d : nearest;
      mean += d / (k + 1);
    }
    double target = StrictMath.log(k + 1) / StrictMath.log(2);
    double low = 0;
    double high = Double.POSITIVE_INFINITY;
    double width = 1;
    for (int step = 0; step < 64; step++) {
      double sum = 0;
      for (double d : distances) {
        sum += d > nearest ? StrictMath.exp((nearest - d) / width) : 1;
      }
      if (Math.abs(sum - target) < 1e-5) {
        break;
      }
      if (sum > target) {
        high = width;
      } else {
        low = width;
      }
      width = high == Double.POSITIVE_INFINITY ? 2 * width : (low + high) / 2;
    }
    width = Math.max(width, 1e-3 * mean); // as umap-learn: no neighbourhood collapses
    for (int j = 0; j < k; j++) {
      double beyond = distances[j] - nearest;
      weights[at + j] = (float) (beyond > 0 ? StrictMath.exp(-beyond / width) : 1);
    }
  }

  /** Runs all epochs. */
  void run(int epochs, MapListener listener) {
    for (int epoch = 0; epoch < epochs; epoch++) {
      double rate = 1 - (double) epoch / epochs;
      Noise drawn = noise.part(epoch);
      int now = epoch;
      for (int turn = 0; turn < TURNS; turn++) {
        int first = turnStart[turn];
        int end = turnStart[turn + 1];
        workers.run(
            Math.ceilDiv(end - first, CHUNK),
            () ->
                chunk -> {
                  int from = first + (int) chunk * CHUNK;
                  for (int o = from; o < Math.min(end, from + CHUNK); o++) {
                    move(order[o], now, rate, 1f / epochs, drawn);
                  }
                });
        for (int o = first; o < end; o++) {
          x[order[o]] = nextX[order[o]];
          y[order[o]] = nextY[order[o]];
        }
      }
      listener.step(new MapListener.Step(epoch + 1, epochs, Double.NaN, x, y));
    }
    Plane.centre(x);
    Plane.centre(y);
  }

  /** Moves one point along the edges whose turn it is, and away from random points. */
  private void move(int i, int epoch, double rate, float leastRate, Noise drawn) {
    double atX = x[i];
    double atY = y[i];
    long draw = (long) i << 24;
    int end = edges.start()[i + 1];
    for (int e = edges.start()[i]; e < end; e++) {
      if (rates[e] >= leastRate && isDue(rates[e], epoch, 0)) {
        int j = edges.column()[e];
        double dx = atX - x[j];
        double dy = atY - y[j];
        double pull = pull(dx, dy);
        atX += rate * bounded(pull * dx);
        atY += rate * bounded(pull * dy);
        for (int r = 0; r < REPELLED; r++) {
          int other = drawn.below(draw++, x.length);
          if (other != i) {
            double awayX = atX - x[other];
            double awayY = atY - y[other];
            double push = push(awayX, awayY);
            atX += rate * bounded(push * awayX);
            atY += rate * bounded(push * awayY);
          }
        }
      }
    }
    // umap-learn moves the far end of a sampled edge as well: here a point's own pulls as a far
    // end come last, half a period apart. Without them islands tear (continuity 0.965, not 0.98).
    for (int e = edges.start()[i]; e < end; e++) {
      if (rates[e] >= leastRate && isDue(rates[e], epoch, 0.5)) {
        int j = edges.column()[e];
        double dx = atX - x[j];
        double dy = atY - y[j];
        double pull = pull(dx, dy);
        atX += rate * bounded(pull * dx);
        atY += rate * bounded(pull * dy);
      }
    }
    nextX[i] = atX;
    nextY[i] = atY;
  }

  /** Returns whether an edge of so many samples an epoch is sampled in one. */
  private static boolean isDue(double often, int epoch, double phase) {
    return Math.floor((epoch + 1) * often + phase) > Math.floor(epoch * often + phase);
  }

  private double pull(double dx, double dy) {
    double squared = dx * dx + dy * dy;
    if (squared <= NO_DISTANCE) {
      return 0;
    }
    double power = FastPower.of(squared, curve.b());
    return -2 * curve.a() * curve.b() * power / (squared * (curve.a() * power + 1));
  }

  private double push(double dx, double dy) {
    double squared = dx * dx + dy * dy;
    if (squared <= NO_DISTANCE) {
      return 0;
    }
    double power = FastPower.of(squared, curve.b());
    return 2 * curve.b() / ((0.001 + squared) * (curve.a() * power + 1));
  }

  private static double bounded(double gradient) {
    return Math.clamp(gradient, -LONGEST, LONGEST);
  }

  /** Scales an axis to [0, 10] and adds jitter of 1e-4, as umap-learn does with this start. */
  static void start(double[] values, Noise noise) {
    double low = Arrays.stream(values).min().orElse(0);
    double high = Arrays.stream(values).max().orElse(0);
    double factor = high > low ? 10 / (high - low) : 0;
    for (int i = 0; i < values.length; i++) {
      values[i] = (values[i] - low) * factor + 1e-4 * noise.normal(i);
    }
  }
}

package dev.rowan.analysis.map;

import dev.rowan.core.Metric;
import java.util.Objects;

/**
 * t-SNE (van der Maaten and Hinton 2008), started from principal components (Kobak and Berens
 * 2019).
 *
 * <p>Cosine compares by the squared chord of unit rows, d² = 2(1 − cos).
 *
 * @param metric cosine or Euclidean
 * @param seed of the jitter at the start and of the samples of the quality measure
 * @param perplexity how many neighbours a row takes seriously, 1 or more; lowered to (n − 1) / 3
 * @param schedule how many iterations, with which exaggeration and learning rate
 * @param repulsion how the forces between all pairs of points are summed
 */
public record TsneSettings(
    Metric metric, long seed, double perplexity, Schedule schedule, Repulsion repulsion)
    implements MapMethod {

  /** Checks the ranges. */
  public TsneSettings {
    MapMethod.checked(metric);
    Objects.requireNonNull(schedule);
    Objects.requireNonNull(repulsion);
    MapMethod.require(
        perplexity >= 1 && Double.isFinite(perplexity), "perplexity", perplexity, "1 or more");
  }

  /** How the repulsion between all pairs of points is summed. */
  public sealed interface Repulsion {
    /** The fastest for the number of points; the result says which. */
    record Auto() implements Repulsion {}

    /** Every pair, and affinities of every pair as well: O(n²) time and memory. */
    record Exact() implements Repulsion {}

    /**
     * Far points in cells of a quadtree: O(n log n) (van der Maaten 2014).
     *
     * @param theta a cell counts as one body if side / distance is below; in [0, 1]
     */
    record BarnesHut(double theta) implements Repulsion {
      /** Checks the range. */
      public BarnesHut {
        MapMethod.require(theta >= 0 && theta <= 1, "theta", theta, "0 to 1");
      }
    }

    /** Points spread on a grid, and a Fourier transform: O(n) and the area of the map. */
    record Fourier() implements Repulsion {}
  }

  /**
   * Two phases: one with exaggerated attraction, in which islands form, and one without.
   *
   * @param iterations of both phases together, 0 or more
   * @param earlyIterations of the first phase; at most all
   * @param earlyExaggeration the factor of attraction in the first phase, 1 to 100
   * @param exaggeration the factor afterwards, 1 to 100; 2 to 4 draws tighter islands
   * @param learningRate up to 1e9, in the convention without the gradient's factor 4; 0 for
   *     automatic: n / exaggeration of the phase (Belkina et al. 2019), at least 200
   */
  public record Schedule(
      int iterations,
      int earlyIterations,
      double earlyExaggeration,
      double exaggeration,
      double learningRate) {
    /** 750 iterations, 250 of them with exaggeration 12, then none, automatic learning rate. */
    public static final Schedule DEFAULT = new Schedule(750, 250, 12, 1, 0);

    /** Checks the ranges. */
    public Schedule {
      MapMethod.require(iterations >= 0, "iterations", iterations, "0 or more");
      MapMethod.require(
          earlyIterations >= 0 && earlyIterations <= iterations,
          "early iterations",
          earlyIterations,
          "0 to all %d iterations".formatted(iterations));
      checkFactor("early exaggeration", earlyExaggeration);
      checkFactor("exaggeration", exaggeration);
      MapMethod.require(
          learningRate >= 0 && learningRate <= 1e9,
          "learning rate",
          learningRate,
          "more than 0 and up to 1e9, or 0 for automatic");
    }

    private static void checkFactor(String name, double factor) {
      MapMethod.require(factor >= 1 && factor <= 100, name, factor, "1 to 100");
    }

    /** Returns the same with another number of iterations, a third of them in the first phase. */
    public Schedule withIterations(int iterations) {
      return new Schedule(
          iterations, iterations / 3, earlyExaggeration, exaggeration, learningRate);
    }

    /** Returns the same with another factor after the first phase. */
    public Schedule withExaggeration(double exaggeration) {
      return new Schedule(
          iterations, earlyIterations, earlyExaggeration, exaggeration, learningRate);
    }

    /** Returns the same with another learning rate; 0 for automatic. */
    public Schedule withLearningRate(double learningRate) {
      return new Schedule(
          iterations, earlyIterations, earlyExaggeration, exaggeration, learningRate);
    }

    /** Returns the factor of attraction in an iteration, counted from 0. */
    double factor(int iteration) {
      return iteration < earlyIterations ? earlyExaggeration : exaggeration;
    }

    /** Returns the learning rate in an iteration, counted from 0. */
    double rate(int iteration, int points) {
      return learningRate > 0 ? learningRate : Math.max(200, points / factor(iteration));
    }
  }

  /** Returns cosine, seed 1, perplexity 30, {@link Schedule#DEFAULT}, automatic repulsion. */
  public static TsneSettings defaults() {
    return new TsneSettings(Metric.COSINE, 1, 30, Schedule.DEFAULT, new Repulsion.Auto());
  }

  /** Returns the same with another metric. */
  public TsneSettings withMetric(Metric metric) {
    return new TsneSettings(metric, seed, perplexity, schedule, repulsion);
  }

  /** Returns the same with another seed. */
  public TsneSettings withSeed(long seed) {
    return new TsneSettings(metric, seed, perplexity, schedule, repulsion);
  }

  /** Returns the same with another perplexity. */
  public TsneSettings withPerplexity(double perplexity) {
    return new TsneSettings(metric, seed, perplexity, schedule, repulsion);
  }

  /** Returns the same with another schedule. */
  public TsneSettings withSchedule(Schedule schedule) {
    return new TsneSettings(metric, seed, perplexity, schedule, repulsion);
  }

  /** Returns the same with another way to sum repulsion. */
  public TsneSettings withRepulsion(Repulsion repulsion) {
    return new TsneSettings(metric, seed, perplexity, schedule, repulsion);
  }

  @Override
  public String label() {
    return "tsne";
  }
}

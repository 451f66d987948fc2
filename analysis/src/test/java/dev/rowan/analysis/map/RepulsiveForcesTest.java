package dev.rowan.analysis.map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.rowan.core.Workers;
import java.util.Arrays;
import java.util.function.Function;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RepulsiveForcesTest {
  private static final Workers WORKERS = Workers.of(2);

  @AfterAll
  static void close() {
    WORKERS.close();
  }

  /** Islands on a map of a width. */
  private static double[][] points(int n, double span) {
    Noise noise = new Noise(21);
    double[][] points = new double[2][n];
    for (int i = 0; i < n; i++) {
      for (int a = 0; a < 2; a++) {
        double centre = span * (noise.uniform(1_000_000 + 2L * (i % 30) + a) - 0.5);
        points[a][i] = centre + span / 40 * noise.normal(2L * i + a);
      }
    }
    return points;
  }

  @SuppressWarnings("ArrayRecordComponent") // carries sums between methods, never compared
  private record Sums(double[] x, double[] y, double z) {
    static Sums of(RepulsiveForces forces, double[][] points) {
      double[] x = new double[points[0].length];
      double[] y = new double[points[0].length];
      double z = forces.forces(points[0], points[1], x, y);
      return new Sums(x, y, z);
    }

    /**
     * Returns the root mean square error relative to that of the forces. A push that all points
     * share does not count: the layout centres the map in every iteration.
     */
    double error(Sums truth) {
      double[] differenceX = new double[x.length];
      double[] differenceY = new double[x.length];
      double all = 0;
      for (int i = 0; i < x.length; i++) {
        differenceX[i] = x[i] - truth.x[i];
        differenceY[i] = y[i] - truth.y[i];
        all += Math.pow(truth.x[i], 2) + Math.pow(truth.y[i], 2);
      }
      Plane.centre(differenceX);
      Plane.centre(differenceY);
      double error = 0;
      for (int i = 0; i < x.length; i++) {
        error += Math.pow(differenceX[i], 2) + Math.pow(differenceY[i], 2);
      }
      return Math.sqrt(error / all);
    }
  }

  @Test
  void threePointsByHand() {
    // (0,0), (1,0), (0,2): q = 1/2, 1/5, 1/6
    double[][] points = {{0, 1, 0}, {0, 0, 2}};
    Sums sums = Sums.of(new ExactRepulsion(WORKERS), points);
    assertThat(sums.z()).isCloseTo(2 * (1 / 2.0 + 1 / 5.0 + 1 / 6.0), within(1e-15));
    assertThat(sums.x()[0]).isCloseTo(-1 / 4.0, within(1e-15));
    assertThat(sums.y()[0]).isCloseTo(-2 / 25.0, within(1e-15));
    assertThat(sums.x()[1]).isCloseTo(1 / 4.0 + 1 / 36.0, within(1e-15));
    assertThat(sums.y()[1]).isCloseTo(-2 / 36.0, within(1e-15));
  }

  @ParameterizedTest
  @ValueSource(doubles = {1e-4, 0.015, 0.03, 1, 11.9, 12.1, 20, 90})
  void gridIsWithinAPercentOfAllPairs(double span) {
    double[][] points = points(3000, span);
    Sums truth = Sums.of(new ExactRepulsion(WORKERS), points);
    Sums grid = Sums.of(new FourierRepulsion(WORKERS), points);
    assertThat(grid.error(truth)).isLessThan(0.015);
    assertThat(grid.z()).isCloseTo(truth.z(), within(0.002 * truth.z()));
  }

  @Test
  void gridIsWithinFivePercentWherePointsHaveHardlyANeighbour() {
    double[][] points = points(3000, 300);
    Sums truth = Sums.of(new ExactRepulsion(WORKERS), points);
    assertThat(Sums.of(new FourierRepulsion(WORKERS), points).error(truth)).isLessThan(0.05);
  }

  @ParameterizedTest
  @ValueSource(doubles = {1e-4, 1, 20, 90})
  void treeIsWithinTwoPercentOfAllPairs(double span) {
    double[][] points = points(3000, span);
    Sums truth = Sums.of(new ExactRepulsion(WORKERS), points);
    Sums tree = Sums.of(new BarnesHutRepulsion(0.5, WORKERS), points);
    assertThat(tree.error(truth)).isLessThan(0.02);
    assertThat(tree.z()).isCloseTo(truth.z(), within(0.01 * truth.z()));
  }

  @Test
  void treeThatOpensEveryCellIsExact() {
    double[][] points = points(700, 30);
    Sums truth = Sums.of(new ExactRepulsion(WORKERS), points);
    Sums tree = Sums.of(new BarnesHutRepulsion(0, WORKERS), points);
    assertThat(tree.error(truth)).isLessThan(1e-12);
    assertThat(tree.z()).isCloseTo(truth.z(), within(1e-9 * truth.z()));
  }

  @Test
  void equalPointsPushNothingAndCountInFull() {
    double[][] points = {new double[500], new double[500]};
    Arrays.fill(points[0], 3);
    for (RepulsiveForces forces :
        new RepulsiveForces[] {
          new ExactRepulsion(WORKERS),
          new BarnesHutRepulsion(0.5, WORKERS),
          new FourierRepulsion(WORKERS)
        }) {
      Sums sums = Sums.of(forces, points);
      assertThat(sums.z()).isCloseTo(500 * 499, within(30.0));
      assertThat(sums.x()[7]).isCloseTo(0, within(1e-2));
    }
  }

  @Test
  void gridFollowsAMapThatGrowsAndShrinks() {
    FourierRepulsion one = new FourierRepulsion(WORKERS);
    for (double span : new double[] {10, 60, 25, 61, 12, 0.1, 11}) {
      double[][] points = points(1000, span);
      Sums truth = Sums.of(new ExactRepulsion(WORKERS), points);
      assertThat(Sums.of(one, points).error(truth)).as("span %s", span).isLessThan(0.015);
    }
  }

  @Test
  void threadsChangeNoBit() {
    double[][] points = points(5000, 70);
    try (Workers five = Workers.of(5)) {
      same(points, ExactRepulsion::new, five);
      same(points, workers -> new BarnesHutRepulsion(0.5, workers), five);
      same(points, FourierRepulsion::new, five);
    }
  }

  private static void same(
      double[][] points, Function<Workers, RepulsiveForces> make, Workers others) {
    Sums two = Sums.of(make.apply(WORKERS), points);
    Sums five = Sums.of(make.apply(others), points);
    assertThat(five.x()).isEqualTo(two.x());
    assertThat(five.y()).isEqualTo(two.y());
    assertThat(five.z()).isEqualTo(two.z());
  }
}

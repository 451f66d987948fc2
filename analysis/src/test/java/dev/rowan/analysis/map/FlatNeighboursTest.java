package dev.rowan.analysis.map;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class FlatNeighboursTest {
  @Test
  void findsWhatASortFindsTiesByLowerNumber() {
    int n = 900;
    Noise noise = new Noise(2);
    double[] x = new double[n];
    double[] y = new double[n];
    for (int i = 0; i < n; i++) { // on a coarse lattice: many ties and equal points
      x[i] = noise.below(2L * i, 20);
      y[i] = noise.below(2L * i + 1, 20);
    }
    FlatNeighbours.Finder query = new FlatNeighbours(x, y).new Finder(10);
    double[] keys = new double[n];
    int[] expected = new int[10];
    for (int i = 0; i < n; i++) {
      for (int j = 0; j < n; j++) {
        keys[j] = -((x[j] - x[i]) * (x[j] - x[i]) + (y[j] - y[i]) * (y[j] - y[i]));
      }
      Places.best(keys, i, expected);
      assertThat(query.nearest(x[i], y[i], i)).as("point %d", i).isEqualTo(expected);
    }
  }

  @Test
  void fewPointsAreAllFound() {
    FlatNeighbours flat = new FlatNeighbours(new double[] {3, 1, 2}, new double[3]);
    assertThat(flat.new Finder(5).nearest(0, 0, -1)).containsExactly(1, 2, 0);
    assertThat(flat.new Finder(5).nearest(3, 0, 0)).containsExactly(2, 1);
  }
}

package dev.rowan.analysis.picture;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Chooses which of many points get labels first, so that every part of the map has some: from each
 * cell of a grid the most wanted one, then from each the second, and so on.
 */
final class Spread {
  private static final double CELL = 74;

  private final Box panel;
  private final double[] x;
  private final double[] y;

  Spread(Box panel, double[] x, double[] y) {
    this.panel = panel;
    this.x = x;
    this.y = y;
  }

  private record Turn(int round, int place) {}

  /** Returns the label order; those that stand out stay first. */
  int[] order(PicturePoints points) {
    int[] wanted = points.labelOrder();
    int first = points.emphasised();
    Map<Long, Integer> rounds = new HashMap<>();
    List<Turn> turns = new ArrayList<>();
    for (int o = first; o < wanted.length; o++) {
      long column = (long) ((x[wanted[o]] - panel.left()) / CELL);
      long row = (long) ((y[wanted[o]] - panel.top()) / CELL);
      int round = rounds.merge(column << 32 | row, 1, Integer::sum);
      turns.add(new Turn(round, o));
    }
    turns.sort(Comparator.comparingInt(Turn::round).thenComparingInt(Turn::place));
    int[] order = Arrays.copyOf(wanted, wanted.length);
    for (int t = 0; t < turns.size(); t++) {
      order[first + t] = wanted[turns.get(t).place()];
    }
    return order;
  }
}

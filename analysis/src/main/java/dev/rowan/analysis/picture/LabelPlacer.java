package dev.rowan.analysis.picture;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds places for labels so that none lies over another label, a symbol, or the line that leads
 * from another label to its symbol.
 *
 * <p>Labels are placed in order of priority, each at the first of its candidate places that is
 * free: beside its symbol, then further away with a leading line. A label without a free place may
 * move one other label away, if that finds another free place. Deterministic.
 */
final class LabelPlacer {
  private static final int NOBODY = -1;
  private static final double GAP = 0.5;
  private static final double RING_STEP = 12;
  private static final int DIRECTIONS = 16;
  private static final int MOST_TO_MOVE = 500; // labels up to which moving others is tried

  private final Box page;
  private final int rings;
  private final List<Symbol> symbols = new ArrayList<>();
  private final Reach reach;

  /** How far from its symbol a label may lie, and what it may cover. */
  enum Reach {
    /** Away from its symbol with a leading line; over no symbol. */
    LEADING,
    /** Beside its symbol only; over other symbols if need be, over as few as possible. */
    BESIDE
  }

  private record Symbol(double x, double y, double radius) {
    Box box() {
      return Box.around(x, y, radius);
    }
  }

  /**
   * A label to be placed.
   *
   * @param x the middle of its symbol
   * @param radius of its symbol
   */
  record Wanted(double x, double y, double radius, double width, double height) {}

  /**
   * A label that found a place.
   *
   * @param leader the line from the symbol's edge to the label, if it is not beside it
   */
  record Placed(int index, Box box, @Nullable Leader leader) {}

  /** A leading line. */
  record Leader(double x1, double y1, double x2, double y2) {
    boolean crosses(Box box) {
      return box.isCrossedBy(x1, y1, x2, y2);
    }

    boolean crosses(Leader other) {
      double a = side(other.x1, other.y1);
      double b = side(other.x2, other.y2);
      double c = other.side(x1, y1);
      double d = other.side(x2, y2);
      return a * b < 0 && c * d < 0;
    }

    private double side(double x, double y) {
      return (x2 - x1) * (y - y1) - (y2 - y1) * (x - x1);
    }
  }

  /**
   * Makes a placer.
   *
   * @param page where labels must lie
   * @param rings how many steps away from its symbol a label may lie
   */
  LabelPlacer(Box page, Reach reach, int rings) {
    this.page = page;
    this.reach = reach;
    this.rings = rings;
  }

  /** Adds a symbol that labels keep away from. */
  void avoid(double x, double y, double radius) {
    symbols.add(new Symbol(x, y, radius));
  }

  /**
   * Places labels, the most wanted first.
   *
   * @param most how many to place at most
   */
  List<Placed> place(List<Wanted> wanted, int most) {
    List<Placed> placed = new ArrayList<>();
    List<Integer> homeless = new ArrayList<>();
    for (int i = 0; i < wanted.size() && placed.size() < most; i++) {
      Placed found = best(i, wanted.get(i), placed);
      if (found == null) {
        homeless.add(i);
      } else {
        placed.add(found);
      }
    }
    if (wanted.size() <= MOST_TO_MOVE) {
      for (int i : homeless) {
        if (placed.size() < most) {
          moveOneFor(i, wanted, placed);
        }
      }
    }
    return placed;
  }

  private @Nullable Placed best(int index, Wanted label, List<Placed> placed) {
    Placed best = null;
    int fewest = Integer.MAX_VALUE;
    for (Placed candidate : candidates(index, label)) {
      if (isFree(candidate, placed, NOBODY)) {
        if (reach == Reach.LEADING) {
          return candidate;
        }
        int covered = covered(candidate.box());
        if (covered < fewest) {
          fewest = covered;
          best = candidate;
        }
      }
    }
    return best;
  }

  /** Looks for a place that one other label alone stands in the way of, and moves that one. */
  private void moveOneFor(int index, List<Wanted> wanted, List<Placed> placed) {
    for (Placed candidate : candidates(index, wanted.get(index))) {
      Placed inTheWay = onlyOneInTheWay(candidate, placed);
      if (inTheWay != null) {
        List<Placed> others = new ArrayList<>(placed);
        others.remove(inTheWay);
        others.add(candidate);
        Placed moved = best(inTheWay.index(), wanted.get(inTheWay.index()), others);
        if (moved != null) {
          placed.remove(inTheWay);
          placed.add(candidate);
          placed.add(moved);
          return;
        }
      }
    }
  }

  private @Nullable Placed onlyOneInTheWay(Placed candidate, List<Placed> placed) {
    Placed one = null;
    for (Placed other : placed) {
      if (collide(candidate, other)) {
        if (one != null) {
          return null;
        }
        one = other;
      }
    }
    return one != null && isFree(candidate, placed, one.index()) ? one : null;
  }

  private boolean isFree(Placed candidate, List<Placed> placed, int ignored) {
    if (!page.contains(candidate.box())) {
      return false;
    }
    for (Placed other : placed) {
      if (other.index() != ignored && collide(candidate, other)) {
        return false;
      }
    }
    if (reach == Reach.BESIDE) {
      return true;
    }
    Leader leader = candidate.leader();
    for (Symbol symbol : symbols) {
      Box box = symbol.box();
      if (box.overlaps(candidate.box())
          || (leader != null && !box.contains(leader.x1, leader.y1) && leader.crosses(box))) {
        return false;
      }
    }
    return true;
  }

  private static boolean collide(Placed a, Placed b) {
    Leader left = a.leader();
    Leader right = b.leader();
    return a.box().overlaps(b.box())
        || (left != null && left.crosses(b.box()))
        || (right != null && right.crosses(a.box()))
        || (left != null && right != null && left.crosses(right));
  }

  private int covered(Box box) {
    int covered = 0;
    for (Symbol symbol : symbols) {
      if (symbol.box().overlaps(box)) {
        covered++;
      }
    }
    return covered;
  }

  private List<Placed> candidates(int index, Wanted label) {
    List<Placed> all = new ArrayList<>();
    double w = label.width() / 2;
    double h = label.height() / 2;
    double side = label.radius() + GAP + w;
    double over = label.radius() + GAP + h;
    // right, left, above, below, then the corners: the order of Imhof (1975), less the corners
    double[][] near = {
      {side, 0},
      {-side, 0},
      {0, -over},
      {0, over},
      {side - 3, -over * 0.75},
      {side - 3, over * 0.75},
      {-side + 3, -over * 0.75},
      {-side + 3, over * 0.75},
      {w * 0.6, -over},
      {-w * 0.6, -over},
      {w * 0.6, over},
      {-w * 0.6, over}
    };
    for (double[] step : near) {
      all.add(new Placed(index, box(label, step[0], step[1]), null));
    }
    if (reach == Reach.BESIDE) {
      return all;
    }
    for (int ring = 1; ring <= rings; ring++) {
      for (int i = 0; i < DIRECTIONS; i++) {
        double angle = 2 * Math.PI * i / DIRECTIONS;
        double dx = Math.cos(angle);
        double dy = Math.sin(angle);
        // the label's nearest point lies this far from the symbol's edge
        double away = label.radius() + ring * RING_STEP;
        Box box = box(label, dx * (away + w), dy * (away + h));
        double toX =
            Math.clamp(label.x(), box.left() + 2, Math.max(box.left() + 2, box.right() - 2));
        double toY =
            Math.clamp(label.y(), box.top() + 2, Math.max(box.top() + 2, box.bottom() - 2));
        double length = Math.hypot(toX - label.x(), toY - label.y());
        double start = (label.radius() + 0.5) / Math.max(length, 1e-9);
        all.add(
            new Placed(
                index,
                box,
                new Leader(
                    label.x() + (toX - label.x()) * start,
                    label.y() + (toY - label.y()) * start,
                    toX,
                    toY)));
      }
    }
    return all;
  }

  private static Box box(Wanted label, double dx, double dy) {
    double x = label.x() + dx;
    double y = label.y() + dy;
    return new Box(
        x - label.width() / 2,
        y - label.height() / 2,
        x + label.width() / 2,
        y + label.height() / 2);
  }
}

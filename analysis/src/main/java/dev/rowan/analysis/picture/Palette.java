package dev.rowan.analysis.picture;

import java.util.List;

/**
 * Colours on a light ground.
 *
 * <p>Groups: the colours of Okabe and Ito (2008, "Color universal design"), which people with any
 * kind of colour blindness tell apart; their yellow, which vanishes on white, is darkened. Each
 * group has a shape too, so that nothing hangs on colour alone.
 */
final class Palette {
  static final int PAPER = 0xFFFFFF;
  static final int PANEL = 0xF7F7F4;
  static final int GRID = 0xE2E2DC;
  static final int INK = 0x20242A;
  static final int QUIET = 0x5F656E;
  static final int LEADER = 0x9AA0A8;
  static final int UNGROUPED = 0x8A8F98;
  static final int PLAIN = 0x2B5C8A;

  private static final int[] GROUPS = {
    0x0072B2, // blue
    0xD55E00, // vermilion
    0x009E73, // bluish green
    0xCC79A7, // reddish purple
    0xE69F00, // orange
    0x56B4E9, // sky blue
    0x3B3B3B, // black, a shade lighter
    0xB8A200 // yellow, darkened
  };

  private static final List<Shape> SHAPES = List.of(Shape.values());

  // orange to blue through grey, the pair of hues that every kind of colour vision keeps apart
  private static final int[] SHADES = {0xC8641B, 0xD79356, 0xC9B49B, 0x9FB0BF, 0x5E8FBE, 0x1F5F9E};

  private Palette() {}

  /** Returns how many groups look different from one another. */
  static int distinct() {
    return GROUPS.length * SHAPES.size();
  }

  static int group(int group) {
    return group < 0 ? UNGROUPED : GROUPS[group % GROUPS.length];
  }

  /** Returns the shape of a group: 8 colours and 9 shapes have no common period below 72. */
  static Shape shape(int group) {
    return group < 0 ? Shape.CIRCLE : SHAPES.get(group % SHAPES.size());
  }

  static int shades() {
    return SHADES.length;
  }

  /** Returns which shade stands for a number in [0, 1]; −1 for NaN. */
  static int shadeOf(double share) {
    return Double.isNaN(share)
        ? -1
        : Math.clamp((int) Math.floor(share * SHADES.length), 0, SHADES.length - 1);
  }

  static int shade(int shade) {
    return shade < 0 ? UNGROUPED : SHADES[shade];
  }
}

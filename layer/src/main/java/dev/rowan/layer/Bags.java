package dev.rowan.layer;

import dev.rowan.core.Ids;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Bags of ids: bag b holds the ids from position {@code start(b)} to before {@code end(b)}, maybe
 * none. Offsets are checked strictly when bags are made. Arrays are not copied and must not change
 * while the bags are in use.
 */
public final class Bags {
  private final long[] ids;
  private final int[] bounds; // of bags, one more than there are bags
  private final float @Nullable [] weights;

  private Bags(long[] ids, int[] bounds, float @Nullable [] weights) {
    this.ids = ids;
    this.bounds = bounds;
    this.weights = weights;
  }

  /**
   * Returns bags given by where each begins; the last ends with the ids.
   *
   * @param offsets one a bag: the first 0, none less than the one before, none above ids.length
   * @throws IllegalArgumentException if the offsets are otherwise
   */
  public static Bags of(long[] ids, long... offsets) {
    if (offsets.length == 0 && ids.length > 0) {
      throw new IllegalArgumentException(
          "no offsets but %,d ids; the first bag must begin at 0".formatted(ids.length));
    }
    int[] bounds = new int[offsets.length + 1];
    bounds[offsets.length] = ids.length;
    return checked(ids, offsets, offsets.length, bounds);
  }

  /**
   * Returns bags given by where each begins and, last, where the last one ends.
   *
   * @param offsets one a bag and one more, which must be ids.length
   * @throws IllegalArgumentException if the offsets are otherwise
   */
  public static Bags withLastOffset(long[] ids, long... offsets) {
    if (offsets.length == 0) {
      throw new IllegalArgumentException(
          "no offsets; the last one, %,d, is missing".formatted(ids.length));
    }
    if (offsets[offsets.length - 1] != ids.length) {
      throw new IllegalArgumentException(
          "the last offset, at position %d, is %d; there are %,d ids, so it must be that"
              .formatted(offsets.length - 1, offsets[offsets.length - 1], ids.length));
    }
    return checked(ids, offsets, offsets.length, new int[offsets.length]);
  }

  private static Bags checked(long[] ids, long[] offsets, int count, int[] bounds) {
    long least = 0;
    for (int i = 0; i < count; i++) {
      long most = i == 0 ? 0 : ids.length; // the first bag begins with the first id
      if (offsets[i] < least || offsets[i] > most) {
        throw new IllegalArgumentException(
            "offset %d at position %d is not in [%d, %d]".formatted(offsets[i], i, least, most));
      }
      least = offsets[i];
      bounds[i] = (int) offsets[i];
    }
    return new Bags(ids, bounds, null);
  }

  /**
   * Returns bags of equal size from a rectangle of ids, one bag a row.
   *
   * @throws IllegalArgumentException unless the ids have two axes
   */
  public static Bags rectangle(Ids ids) {
    int[] shape = ids.shape();
    if (shape.length != 2) {
      throw new IllegalArgumentException(
          "ids of shape %s; a rectangle has two axes, [bags, size]"
              .formatted(Arrays.toString(shape)));
    }
    int[] bounds = new int[shape[0] + 1];
    for (int b = 0; b < bounds.length; b++) {
      bounds[b] = b * shape[1];
    }
    return new Bags(ids.toArray(), bounds, null);
  }

  /**
   * Returns these bags with a weight for each id.
   *
   * @throws IllegalArgumentException unless there are as many weights as ids
   */
  public Bags weighted(float... weights) {
    if (weights.length != ids.length) {
      throw new IllegalArgumentException(
          "%,d weights for %,d ids; there must be one for each"
              .formatted(weights.length, ids.length));
    }
    return new Bags(ids, bounds, weights);
  }

  /** Returns how many bags there are. */
  public int count() {
    return bounds.length - 1;
  }

  /** Returns how many ids there are in all bags. */
  public int idCount() {
    return ids.length;
  }

  /** Returns where a bag begins. */
  public int start(int bag) {
    Objects.checkIndex(bag, count());
    return bounds[bag];
  }

  /** Returns where a bag ends: one past its last position. */
  public int end(int bag) {
    Objects.checkIndex(bag, count());
    return bounds[bag + 1];
  }

  /** Returns the id at a position. */
  public long id(int position) {
    return ids[position];
  }

  /** Returns whether ids have weights. */
  public boolean hasWeights() {
    return weights != null;
  }

  /** Returns the weight at a position; 1 without weights. */
  public float weight(int position) {
    return weights == null ? 1f : weights[position];
  }

  long[] rawIds() {
    return ids;
  }

  float @Nullable [] rawWeights() {
    return weights;
  }

  @Override
  public String toString() {
    return "Bags[%d bags of %d ids]".formatted(count(), ids.length);
  }
}

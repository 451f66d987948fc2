package dev.rowan.analysis.map;

import java.util.List;

/**
 * A map of rows: a point in the plane for each, and how far to trust the picture.
 *
 * @param method the method with its settings as used, clamped ones included
 * @param notes every setting that was changed and every row left out, each as a sentence for users
 * @param ids the rows on the map, in the order asked for; owned by the receiver
 * @param x one coordinate for each; first axis; owned by the receiver
 * @param y one coordinate for each; second axis; owned by the receiver
 * @param leftOut rows asked for that have no place: not finite, or zero under cosine
 * @param fit what the method itself says of how well it did
 * @param quality what the map distorts
 */
@SuppressWarnings("ArrayRecordComponent") // a plain carrier for numeric results, never compared
public record TableMap(
    MapMethod method,
    List<String> notes,
    long[] ids,
    double[] x,
    double[] y,
    long[] leftOut,
    Fit fit,
    MapQuality quality) {

  /** Copies the notes. */
  public TableMap {
    notes = List.copyOf(notes);
  }

  /** Returns how many points the map has. */
  public int points() {
    return ids.length;
  }

  /** What a method minimises or explains; comparable only between maps by the same method. */
  public sealed interface Fit {
    /**
     * Principal components.
     *
     * @param first the share of the variance of all mapped rows along x, in [0, 1]
     * @param second the share along y
     */
    record Variance(double first, double second) implements Fit {}

    /**
     * t-SNE.
     *
     * @param kl the KL divergence of the map from the affinities, in nats, 0 or more, lower is
     *     better; comparable only at equal points and perplexity
     */
    record Divergence(double kl) implements Fit {}

    /** UMAP computes no figure of its own: what it minimises is only ever sampled. */
    record Unstated() implements Fit {}
  }
}

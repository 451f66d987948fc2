package dev.rowan.analysis.map;

import java.util.List;

/**
 * Places of new rows on a map that stays as it is.
 *
 * @param ids the rows that were placed, in the order asked for; owned by the receiver
 * @param x first axis; owned by the receiver
 * @param y second axis; owned by the receiver
 * @param leftOut rows that have no place: not finite, or zero under cosine
 * @param notes every row left out, as a sentence for users
 * @param neighbours k of the reliability
 * @param reliability for each row the share of its k true neighbours on the map that are among the
 *     k points nearest to its place; owned by the receiver
 */
@SuppressWarnings("ArrayRecordComponent") // a plain carrier for numeric results, never compared
public record MapPlacement(
    long[] ids,
    double[] x,
    double[] y,
    long[] leftOut,
    List<String> notes,
    int neighbours,
    float[] reliability) {

  /** Copies the notes. */
  public MapPlacement {
    notes = List.copyOf(notes);
  }
}

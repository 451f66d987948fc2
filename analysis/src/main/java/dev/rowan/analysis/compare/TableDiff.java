package dev.rowan.analysis.compare;

import dev.rowan.core.Hit;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * How two tables differ over the tokens they share.
 *
 * @param comparedRows how many shared rows were compared: all of them, or at equal distances
 * @param equalRows how many are the same number for number, both as float32; 0 where the widths
 *     differ
 * @param asStored how far rows moved as they are; empty where the widths differ, since columns then
 *     mean different things
 * @param aligned how far they are apart after the best rotation of the first table onto the second
 * @param rank how many directions that rotation matches, at most the smaller width
 * @param bands the same by id of the first table, in bands of equal size
 * @param moved the shared rows that moved most, as places among the compared ones: by cosine as
 *     stored where that is known, else after alignment; lowest first
 * @param neighbourOverlap the mean share of a row's nearest rows that are the same tokens in both,
 *     in [0, 1]; NaN without two rows
 * @param neighbours how many nearest rows that is
 * @param askedRows how many rows' neighbours were compared
 * @param strayed those of them that share fewest neighbours, fewest first, then by id
 */
public record TableDiff(
    long comparedRows,
    long equalRows,
    Optional<Movement> asStored,
    Movement aligned,
    int rank,
    List<Band> bands,
    List<Moved> moved,
    double neighbourOverlap,
    int neighbours,
    int askedRows,
    List<Strayed> strayed) {

  /** Copies the lists. */
  public TableDiff {
    bands = List.copyOf(bands);
    moved = List.copyOf(moved);
    strayed = List.copyOf(strayed);
  }

  /**
   * How far rows are from their counterparts.
   *
   * @param meanCosine of a row with its counterpart, in [−1, 1]
   * @param distance the root of Σ ‖a − b‖² / Σ ‖b‖²: 0 where all are equal
   */
  public record Movement(double meanCosine, double distance) {}

  /**
   * Some rows with ids next to each other.
   *
   * @param from the first id in the first table
   * @param to the last
   * @param rows how many
   * @param equal how many of them are the same number for number
   * @param meanCosine as stored; empty where the widths differ
   * @param alignedCosine after the rotation
   */
  public record Band(
      long from, long to, long rows, long equal, OptionalDouble meanCosine, double alignedCosine) {}

  /**
   * A row and its counterpart.
   *
   * @param first the row of the first table and its cosine with the counterpart
   * @param second the counterpart's id
   */
  public record Moved(Hit first, long second) {}

  /**
   * A token and how many neighbours it kept.
   *
   * @param first its id in the first table
   * @param second its id in the second
   * @param overlap the share of its nearest rows that are the same tokens in both, in [0, 1]
   */
  public record Strayed(long first, long second, double overlap) {}
}

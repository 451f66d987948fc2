package dev.rowan.formats.write;

/**
 * The row that coarse numbers turned farthest from where it pointed. The same for any number of
 * threads, and safe for them.
 */
final class Turned {
  private double least = Double.POSITIVE_INFINITY;
  private long row;

  /**
   * Takes a row as it was and as it is read back; rows of zeros point nowhere and do not count.
   *
   * @param product of both
   * @param before the squared length of the row
   * @param after the squared length of what is read back; if 0, the row was lost
   */
  void add(long id, double product, double before, double after) {
    if (before == 0) {
      return;
    }
    double cosine = after == 0 ? 0 : Math.min(1, product / (Math.sqrt(before) * Math.sqrt(after)));
    synchronized (this) {
      if (cosine < least || (cosine == least && id < row)) {
        least = cosine;
        row = id;
      }
    }
  }

  /** Says which row that is; empty if no row points anywhere. */
  synchronized String note(String numbers) {
    return least > 1
        ? ""
        : "%s turned row %,d farthest: what is read back has cosine %.5f with it"
            .formatted(numbers, row, least);
  }
}

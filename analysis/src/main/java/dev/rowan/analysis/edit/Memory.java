package dev.rowan.analysis.edit;

/** Whether new rows fit into memory while they are made. */
final class Memory {
  /** Where a row comes from, in the list that is and the longer one that replaces it. */
  private static final long LISTED = 2 * Long.BYTES;

  /** Objects around the numbers of a drawn row and around its bytes as stored, roughly. */
  private static final long AROUND_A_DRAW = 200;

  private Memory() {}

  /**
   * Checks that there is room, before anything is allocated.
   *
   * @param rows how many there will be
   * @param drawn how many of them are drawn, which are held until they are written
   * @param width numbers in a row
   * @param tables how many tables get rows
   * @throws IllegalArgumentException if there is not
   */
  static void check(long rows, long drawn, int width, int tables) {
    Runtime java = Runtime.getRuntime();
    check(rows, drawn, width, tables, java.maxMemory() - java.totalMemory() + java.freeMemory());
  }

  static void check(long rows, long drawn, int width, int tables, long free) {
    // 2^31 rows of 2^31 numbers in two tables are beyond a long, so in double
    double aRow = AROUND_A_DRAW + 2.0 * Float.BYTES * width;
    double needed = (double) LISTED * rows + aRow * drawn * tables;
    if (needed > free) {
      throw new IllegalArgumentException(
          "a table of %,d rows takes about %,.0f MB of memory to make here and %,.0f are free; %s"
              .formatted(
                  rows,
                  needed / 1e6,
                  free / 1e6,
                  drawn > 0
                      ? "add fewer, let new rows start as zeros or the mean (--init), or give Java more (ROWAN_JAVA_OPTS=-Xmx8g)"
                      : "add fewer, or give Java more (ROWAN_JAVA_OPTS=-Xmx8g)"));
    }
  }
}

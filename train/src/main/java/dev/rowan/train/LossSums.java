package dev.rowan.train;

/**
 * Adds up losses: the mean of each epoch, and that of each of {@value #POINTS} equal parts of a
 * training, wherever a clock stands. A training that goes on from a checkpoint goes on adding to
 * the same sums. Not thread-safe.
 */
public final class LossSums {
  /** How many points a curve of the loss has at most. */
  public static final int POINTS = 300;

  /** Of a nat: sums do not depend on the order of threads, and there is room for 5 · 10¹¹ nats. */
  private static final double UNITS = 1 << 24;

  private long epochLoss;
  private long epochCount;
  private long partLoss;
  private long partCount;

  /** Makes sums of nothing. */
  public LossSums() {}

  /**
   * Adds losses.
   *
   * @param loss their sum, in nats
   * @param count how many
   */
  public void add(double loss, long count) {
    long units = Math.round(loss * UNITS);
    epochLoss += units;
    epochCount += count;
    partLoss += units;
    partCount += count;
  }

  /** Returns whether a part of the training ends between two amounts of what is done. */
  public static boolean partEnds(long before, long after, long total) {
    return part(after, total) > part(before, total);
  }

  private static long part(long done, long total) {
    return (long) ((double) done / total * POINTS + 1e-9);
  }

  /** Returns the mean since this was last asked for; NaN if there was no loss. */
  public double endPart() {
    double mean = mean(partLoss, partCount);
    partLoss = 0;
    partCount = 0;
    return mean;
  }

  /** As {@link #endPart}, of the epoch. */
  public double endEpoch() {
    double mean = mean(epochLoss, epochCount);
    epochLoss = 0;
    epochCount = 0;
    return mean;
  }

  private static double mean(long loss, long count) {
    return count == 0 ? Double.NaN : loss / UNITS / count;
  }

  /** Returns the sums as {@link #of} reads them. */
  public String asText() {
    return epochLoss + " " + epochCount + " " + partLoss + " " + partCount;
  }

  /**
   * Reads sums that {@link #asText} wrote.
   *
   * @throws IllegalArgumentException if they are none
   */
  public static LossSums of(String text) {
    String[] numbers = text.split(" ", -1);
    if (numbers.length != 4) {
      throw new IllegalArgumentException("\"" + text + "\" are not four sums of losses");
    }
    LossSums sums = new LossSums();
    sums.epochLoss = Long.parseLong(numbers[0]);
    sums.epochCount = count(numbers[1]);
    sums.partLoss = Long.parseLong(numbers[2]);
    sums.partCount = count(numbers[3]);
    return sums;
  }

  private static long count(String text) {
    long count = Long.parseLong(text);
    if (count < 0) {
      throw new IllegalArgumentException(count + " losses were added up; 0 is the least");
    }
    return count;
  }
}

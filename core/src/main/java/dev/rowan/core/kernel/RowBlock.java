package dev.rowan.core.kernel;

import java.lang.foreign.MemorySegment;

/**
 * Consecutive rows of a table, as a kernel sees them.
 *
 * @param data the bytes; rows may start at any address
 * @param offset the byte at which the first row of the block starts
 * @param firstId the id of that row
 * @param count how many rows
 * @param width d, numbers in a row
 * @param format how a row is stored
 * @param rowBytes bytes from one row to the next
 */
public record RowBlock(
    MemorySegment data,
    long offset,
    long firstId,
    long count,
    int width,
    RowFormat format,
    long rowBytes) {

  /** Returns {@code count} rows of this block from its row {@code from} on. */
  public RowBlock slice(long from, long count) {
    return new RowBlock(
        data, offset + from * rowBytes, firstId + from, count, width, format, rowBytes);
  }
}

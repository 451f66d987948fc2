package dev.rowan.analysis.audit;

import dev.rowan.core.Table;
import dev.rowan.core.kernel.RowBlock;

/**
 * The rows of a table, or every n-th of them, in chunks of a fixed number.
 *
 * @param stride 1 for every row
 * @param total how many rows there are with that stride
 * @param rows how many of them a chunk has, but for the last
 */
record RowChunks(Table table, long stride, long total, int rows) {

  /** Returns chunks of every row. */
  static RowChunks of(Table table, long bytes) {
    return of(table, bytes, 1);
  }

  /** Returns chunks of about a number of bytes, of every n-th row. */
  static RowChunks of(Table table, long bytes, long stride) {
    long rowBytes = table.format().rowBytes(table.width());
    return new RowChunks(
        table,
        stride,
        Math.ceilDiv(table.rows(), stride),
        Math.clamp(bytes / rowBytes / 16 * 16, 16, 65_536)); // whole groups for the kernels
  }

  int count() {
    return Math.toIntExact(Math.ceilDiv(total, rows));
  }

  /** Returns a chunk; the block's ids count with the stride. */
  RowBlock block(long chunk) {
    long first = chunk * rows;
    long rowBytes = table.format().rowBytes(table.width());
    return new RowBlock(
        table.data(),
        first * stride * rowBytes,
        first,
        Math.min(rows, total - first),
        table.width(),
        table.format(),
        rowBytes * stride);
  }
}

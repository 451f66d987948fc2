package dev.rowan.formats.hdf5;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.util.Arrays;

/**
 * Shows a file to the HDF5 library as one that it can read. It fails over raw bytes whose type has
 * no name, which is how h5py writes the bfloat16 of Keras; in an object header of version 1 that is
 *
 * <pre>
 *   u16 3      a datatype
 *   u16 8      its bytes
 *   u8, u24    flags, zeros
 *   u8         5, raw bytes, and 16 × the version
 *   u24        length of the name, 0
 *   u32        bytes of a number
 * </pre>
 *
 * <p>Such types are shown as references (7 instead of 5), of which nothing more is asked. No
 * reference of HDF5 has two bytes.
 */
final class Retyped extends FileChannel {
  private static final ValueLayout.OfLong LONG =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  /** All but the flags. */
  private static final long HEAD_MASK = 0xFFFFFF00FFFFFFFFL;

  private static final long HEAD = 0x0000000000080003L;

  /** Headers are small; what is larger are numbers. */
  private static final int LARGEST = 1 << 20;

  private final MemorySegment bytes;
  private boolean asStored;
  private long position;

  /** Shows the bytes of a file, which must stay open as long as this is used. */
  Retyped(MemorySegment bytes) {
    this.bytes = bytes;
  }

  /** Returns whether it is for such types that the library failed. */
  static boolean isFor(Throwable failure) {
    Throwable root = failure;
    for (int depth = 0; root.getCause() != null && depth < 32; depth++) {
      root = root.getCause();
    }
    return Arrays.stream(root.getStackTrace())
        .anyMatch(frame -> frame.getClassName().endsWith(".OpaqueDataType"));
  }

  /** Shows everything as it is from now on: headers have been read. */
  void showAsStored() {
    asStored = true;
  }

  @Override
  public MappedByteBuffer map(MapMode mode, long from, long size) {
    // a buffer outside the heap is of this class, mapped or not
    MappedByteBuffer buffer = (MappedByteBuffer) outsideHeap(shown(from, size)).asByteBuffer();
    buffer.order(ByteOrder.LITTLE_ENDIAN);
    return buffer;
  }

  private MemorySegment shown(long from, long size) {
    MemorySegment part = bytes.asSlice(from, size);
    if (asStored || size > LARGEST) {
      return part;
    }
    MemorySegment shown = part;
    for (long at = 0; at <= part.byteSize() - 16; at += 8) {
      long type = part.get(LONG, at + 8);
      if ((part.get(LONG, at) & HEAD_MASK) == HEAD && (type & 0xFFFFFF0FL) == 5) {
        shown = shown.equals(part) ? copy(part) : shown;
        shown.set(JAVA_BYTE, at + 8, (byte) ((type & 0xF0) | 7));
      }
    }
    return shown;
  }

  private static MemorySegment outsideHeap(MemorySegment part) {
    return part.isNative() ? part : copy(part);
  }

  private static MemorySegment copy(MemorySegment part) {
    return Arena.ofAuto().allocate(part.byteSize(), 8).copyFrom(part);
  }

  @Override
  public int read(ByteBuffer target, long from) {
    long left = bytes.byteSize() - from;
    if (left <= 0) {
      return -1;
    }
    int count = (int) Math.min(left, target.remaining());
    target.put(shown(from, count).asByteBuffer());
    return count;
  }

  @Override
  public int read(ByteBuffer target) {
    int count = read(target, position);
    position += Math.max(0, count);
    return count;
  }

  @Override
  public long read(ByteBuffer[] targets, int offset, int length) {
    throw new UnsupportedOperationException("scattering reads");
  }

  @Override
  public long position() {
    return position;
  }

  @Override
  public FileChannel position(long newPosition) {
    position = newPosition;
    return this;
  }

  @Override
  public long size() {
    return bytes.byteSize();
  }

  @Override
  public long transferTo(long from, long count, WritableByteChannel target) throws IOException {
    return target.write(bytes.asSlice(from, Math.min(count, size() - from)).asByteBuffer());
  }

  @Override
  public int write(ByteBuffer source) {
    throw readOnly();
  }

  @Override
  public int write(ByteBuffer source, long to) {
    throw readOnly();
  }

  @Override
  public long write(ByteBuffer[] sources, int offset, int length) {
    throw readOnly();
  }

  @Override
  public long transferFrom(ReadableByteChannel source, long to, long count) {
    throw readOnly();
  }

  @Override
  public FileChannel truncate(long size) {
    throw readOnly();
  }

  @Override
  public void force(boolean metaData) {
    // nothing is written
  }

  @Override
  public FileLock lock(long from, long size, boolean shared) {
    throw readOnly();
  }

  @Override
  public FileLock tryLock(long from, long size, boolean shared) {
    throw readOnly();
  }

  private static UnsupportedOperationException readOnly() {
    return new UnsupportedOperationException("the file is only read");
  }

  @Override
  protected void implCloseChannel() {
    // whoever opened the file closes it
  }
}

package dev.rowan.train.corpus;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.zip.ZipException;

/**
 * Zstandard frames as they are, without the ones that hold no data (pzstd writes some), and checked
 * before anything is allocated by what they say.
 *
 * <pre>
 *   frame      magic 28 B5 2F FD, descriptor 1, window 0 or 1, dictionary 0 1 2 4, content size 0 1 2
 *              4 8, blocks, checksum 0 or 4 bytes (RFC 8878, 3.1.1)
 *   descriptor bits 7-6 content size, 5 single segment, 2 checksum, 1-0 dictionary
 *   block      3 bytes: bit 0 last, 2-1 type (0 raw, 1 run, 2 compressed), the rest its size
 *   skippable  magic 5x 2A 4D 18, size 4, bytes
 * </pre>
 */
final class ZstdFrames extends InputStream {
  /** The most that a frame may ask to be kept: the window of zstd's level 19. */
  static final long MOST_WINDOW = 8L << 20;

  private static final int MAGIC = 0xFD2FB528;
  private static final int SKIPPABLE = 0x184D2A50;

  private final InputStream in;
  private final byte[] head = new byte[18]; // what was read ahead of the body
  private int headAt;
  private int headEnd;
  private long body; // bytes that may pass
  private boolean inFrame;
  private boolean lastBlock;
  private int checksum;

  ZstdFrames(InputStream in) {
    this.in = in;
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
  }

  @Override
  public int read(byte[] target, int from, int count) throws IOException {
    while (headAt == headEnd && body == 0) {
      if (!advance()) {
        return -1;
      }
    }
    if (headAt < headEnd) {
      int now = Math.min(count, headEnd - headAt);
      System.arraycopy(head, headAt, target, from, now);
      headAt += now;
      return now;
    }
    int got = in.read(target, from, (int) Math.min(count, body));
    if (got < 0) {
      throw new EOFException();
    }
    body -= got;
    return got;
  }

  /** Goes to the next block or frame; returns whether there is one. */
  private boolean advance() throws IOException {
    headAt = 0;
    headEnd = 0;
    if (!inFrame) {
      return startFrame();
    }
    if (lastBlock) {
      body = checksum;
      inFrame = false;
      return true;
    }
    int header = number(3);
    lastBlock = (header & 1) == 1;
    int type = header >>> 1 & 3;
    if (type == 3) {
      throw new ZipException("a block of an unknown type");
    }
    body = type == 1 ? 1 : header >>> 3;
    return true;
  }

  private boolean startFrame() throws IOException {
    int first = in.read();
    if (first < 0) {
      return false;
    }
    head[headEnd++] = (byte) first;
    int magic = number(3) << 8 | first;
    if ((magic & 0xFFFFFFF0) == SKIPPABLE) {
      in.skipNBytes(Integer.toUnsignedLong(number(4)));
      headEnd = 0;
      return true;
    }
    if (magic != MAGIC) {
      throw new ZipException("what follows is no frame");
    }
    int descriptor = number(1);
    boolean single = (descriptor & 0x20) != 0;
    long window = single ? 0 : window(number(1));
    number((1 << (descriptor & 3)) >> 1); // the dictionary
    int sizeBytes = descriptor >>> 6 == 0 ? (single ? 1 : 0) : 1 << (descriptor >>> 6);
    long low = Integer.toUnsignedLong(number(Math.min(4, sizeBytes)));
    long high = Integer.toUnsignedLong(number(Math.max(0, sizeBytes - 4)));
    if (single) {
      window = high == 0 ? low : Long.MAX_VALUE;
    }
    if (window > MOST_WINDOW) {
      throw new WideWindowException();
    }
    checksum = (descriptor & 4) != 0 ? 4 : 0;
    inFrame = true;
    lastBlock = false;
    return true;
  }

  private static long window(int descriptor) {
    long base = 1L << (10 + (descriptor >>> 3));
    return base + (base >>> 3) * (descriptor & 7);
  }

  /** Reads a number of up to 4 bytes, the first one lowest, and lets them pass. */
  private int number(int bytes) throws IOException {
    int value = 0;
    for (int i = 0; i < bytes; i++) {
      int next = in.read();
      if (next < 0) {
        throw new EOFException();
      }
      head[headEnd++] = (byte) next;
      value |= next << (8 * i);
    }
    return value;
  }

  @Override
  public void close() throws IOException {
    in.close();
  }

  /** A frame asks for more memory than is given. */
  static final class WideWindowException extends IOException {
    private static final long serialVersionUID = 1;
  }
}

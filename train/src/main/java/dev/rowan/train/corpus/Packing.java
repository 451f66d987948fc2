package dev.rowan.train.corpus;

import dev.rowan.formats.file.FormatException;
import io.airlift.compress.v3.zstd.ZstdInputStream;
import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;

/** How a text is packed, as its first bytes tell; its name does not matter. */
enum Packing {
  /** It is not. */
  NONE,
  /** gzip (RFC 1952). */
  GZIP,
  /** Zstandard frames (RFC 8878) with windows of up to 8 MB, as all usual levels make them. */
  ZSTD;

  /** How many bytes tell. */
  private static final int HEAD = 4;

  private static final int BUFFER = 1 << 16;

  /** Finds out how a stream is packed; the stream stands at its start again. */
  private static Packing of(InputStream in) throws IOException {
    in.mark(HEAD);
    byte[] head = in.readNBytes(HEAD);
    in.reset();
    if (head.length >= 2 && head[0] == 0x1F && head[1] == (byte) 0x8B) {
      return GZIP;
    }
    boolean four = head.length == HEAD;
    if (four && head[1] == (byte) 0xB5 && head[2] == 0x2F && head[3] == (byte) 0xFD) {
      return head[0] == 0x28 ? ZSTD : NONE;
    }
    boolean skippable = four && head[1] == 0x2A && head[2] == 0x4D && head[3] == 0x18;
    return skippable && (head[0] & 0xF0) == 0x50 ? ZSTD : NONE;
  }

  /** Returns how a file is packed. */
  static Packing of(Path file) throws IOException {
    try (InputStream in = new BufferedInputStream(Files.newInputStream(file), 16)) {
      return of(in);
    }
  }

  /**
   * Returns a stream of what is packed in another one, or of that itself.
   *
   * @param name of the file, for messages
   */
  static InputStream unpacked(String name, InputStream packed) throws IOException {
    BufferedInputStream in = new BufferedInputStream(packed, BUFFER);
    Packing packing = of(in);
    return switch (packing) {
      case NONE -> in;
      case GZIP -> new Unpacked(name, packing, gzip(name, in));
      case ZSTD -> new Unpacked(name, packing, new ZstdInputStream(new ZstdFrames(in)));
    };
  }

  private static InputStream gzip(String name, InputStream in) throws IOException {
    try {
      return new GZIPInputStream(in, BUFFER); // reads the header at once
    } catch (EOFException | ZipException e) {
      in.close();
      throw new FormatException(
          Path.of(name), "the gzip header is damaged or cut off; copy the file again");
    }
  }

  /** Says what is wrong with the packed bytes in our words. */
  private static final class Unpacked extends FilterInputStream {
    private final Path name;
    private final Packing packing;
    private long read;

    Unpacked(String name, Packing packing, InputStream in) {
      super(in);
      this.name = Path.of(name);
      this.packing = packing;
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
    }

    @Override
    public int read(byte[] target, int from, int count) throws IOException {
      try {
        int got = super.read(target, from, count);
        read += Math.max(0, got);
        return got;
      } catch (ZstdFrames.WideWindowException e) {
        throw new FormatException(
            name,
            "this is packed by zstd with a window over %d MB (--long or --ultra), which is not read here; pipe it: zstd -dc --long=31 FILE | rowan train -"
                .formatted(ZstdFrames.MOST_WINDOW >> 20));
      } catch (ZipException e) {
        throw damaged(e);
      } catch (EOFException e) {
        throw cutOff();
      } catch (IOException e) {
        if ("Not enough input bytes".equals(e.getMessage())) { // its only way to say so
          throw cutOff();
        }
        throw e;
      } catch (RuntimeException e) { // whatever strange bytes bring the unpacker to
        throw damaged(e);
      }
    }

    private FormatException cutOff() {
      return new FormatException(
          name,
          "the %s data end in the middle, after %,d unpacked bytes; the file looks cut off, copy it again"
              .formatted(packing.label(), read));
    }

    private FormatException damaged(Exception cause) {
      return new FormatException(
          name,
          "the %s data are damaged after %,d unpacked bytes (%s); copy the file again"
              .formatted(packing.label(), read, cause.getMessage()));
    }
  }

  private String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}

package dev.rowan.layer;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.zip.CRC32C;

/**
 * State of an optimizer in a file, little-endian.
 *
 * <pre>
 *   8 bytes  "ROWANOPT"
 *   4        version, 1
 *   4        number of arrays, n
 *   8        V
 *   8        d
 *   8        steps done
 *   24       the rule's name, ASCII, padded with zeros
 *   4·V·(d or 1) a array, n times: float32, row-major
 *   8        CRC-32C of everything before, as an unsigned long
 * </pre>
 */
final class StateFile {
  private static final byte[] MAGIC = "ROWANOPT".getBytes(StandardCharsets.US_ASCII);
  private static final int HEADER = 64;
  private static final int NAME = 24;
  private static final int VERSION = 1;
  private static final int BLOCK = 1 << 20;

  private StateFile() {}

  static void write(Path file, String rule, long steps, OptimizerState state) throws IOException {
    Path folder = file.toAbsolutePath().getParent();
    Path temporary = Files.createTempFile(folder, "." + file.getFileName(), ".part");
    try {
      try (FileChannel channel = FileChannel.open(temporary, StandardOpenOption.WRITE)) {
        CRC32C check = new CRC32C();
        put(channel, header(rule, steps, state), check);
        for (MemorySegment part : state.parts()) {
          for (long at = 0; at < part.byteSize(); at += BLOCK) {
            long length = Math.min(BLOCK, part.byteSize() - at);
            put(channel, part.asSlice(at, length).asByteBuffer(), check);
          }
        }
        put(channel, number(check.getValue()), new CRC32C());
        channel.force(true);
      }
      Files.move(
          temporary, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } finally {
      Files.deleteIfExists(temporary);
    }
  }

  private static ByteBuffer header(String rule, long steps, OptimizerState state) {
    ByteBuffer header = ByteBuffer.allocate(HEADER).order(ByteOrder.LITTLE_ENDIAN);
    header.put(MAGIC).putInt(VERSION).putInt(state.parts().size());
    header.putLong(state.rows()).putLong(state.width()).putLong(steps);
    header.put(rule.getBytes(StandardCharsets.US_ASCII));
    return header.position(0);
  }

  private static ByteBuffer number(long value) {
    return ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN).putLong(value).flip();
  }

  private static void put(FileChannel channel, ByteBuffer bytes, CRC32C check) throws IOException {
    check.update(bytes.duplicate());
    while (bytes.hasRemaining()) {
      int _ = channel.write(bytes);
    }
  }

  /** Fills {@code state} from a file and returns the steps done. */
  static long read(Path file, String rule, OptimizerState state) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ);
        Arena arena = Arena.ofConfined()) {
      MemorySegment bytes = channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size(), arena);
      long steps = checkHeader(file, rule, state, bytes);
      checkSum(file, bytes);
      long at = HEADER;
      for (MemorySegment part : state.parts()) {
        MemorySegment.copy(bytes, at, part, 0, part.byteSize());
        at += part.byteSize();
      }
      return steps;
    }
  }

  private static long checkHeader(
      Path file, String rule, OptimizerState state, MemorySegment bytes) {
    if (bytes.byteSize() < HEADER + 8) {
      throw bad(file, "has %,d bytes; %d are the least".formatted(bytes.byteSize(), HEADER + 8));
    }
    ByteBuffer header = bytes.asSlice(0, HEADER).asByteBuffer().order(ByteOrder.LITTLE_ENDIAN);
    byte[] magic = new byte[MAGIC.length];
    header.get(magic);
    if (!java.util.Arrays.equals(magic, MAGIC)) {
      throw bad(file, "does not begin with ROWANOPT: it is not the state of an optimizer");
    }
    int version = header.getInt();
    if (version != VERSION) {
      throw bad(
          file, "has version %d at byte 8; this program reads %d".formatted(version, VERSION));
    }
    int parts = header.getInt();
    long rows = header.getLong();
    long width = header.getLong();
    long steps = header.getLong();
    byte[] name = new byte[NAME];
    header.get(name);
    String found = new String(name, StandardCharsets.US_ASCII).replace("\0", "");
    if (!found.equals(rule)) {
      throw bad(file, "holds state of \"%s\"; this optimizer is \"%s\"".formatted(found, rule));
    }
    if (rows != state.rows() || width != state.width() || parts != state.parts().size()) {
      throw bad(
          file,
          "holds %d arrays of %,d × %,d; this optimizer has %d of %,d × %,d"
              .formatted(parts, rows, width, state.parts().size(), state.rows(), state.width()));
    }
    long expected = HEADER + state.bytes() + 8;
    if (bytes.byteSize() != expected || steps < 0) {
      throw bad(
          file,
          "has %,d bytes and %d steps; %,d bytes and 0 or more steps belong there"
              .formatted(bytes.byteSize(), steps, expected));
    }
    return steps;
  }

  private static void checkSum(Path file, MemorySegment bytes) {
    CRC32C check = new CRC32C();
    long end = bytes.byteSize() - 8;
    for (long at = 0; at < end; at += BLOCK) {
      check.update(bytes.asSlice(at, Math.min(BLOCK, end - at)).asByteBuffer());
    }
    long stored = bytes.asSlice(end).asByteBuffer().order(ByteOrder.LITTLE_ENDIAN).getLong();
    if (stored != check.getValue()) {
      throw bad(
          file,
          "has checksum %x at byte %d but its bytes give %x; it is damaged"
              .formatted(stored, end, check.getValue()));
    }
  }

  private static IllegalArgumentException bad(Path file, String what) {
    return new IllegalArgumentException(file + ": " + what);
  }
}

package dev.rowan.hub;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;

/** Writes files so that they are there in full or not at all. */
final class Kept {
  private static final int END = 1 << 16;

  private Kept() {}

  /** Forces a file to disk and gives it its name. */
  static void finish(Path temporary, Path target) throws IOException {
    try (FileChannel channel = FileChannel.open(temporary, StandardOpenOption.WRITE)) {
      channel.force(true);
    }
    try {
      Files.move(temporary, target, StandardCopyOption.ATOMIC_MOVE);
    } catch (AtomicMoveNotSupportedException e) {
      Files.move(temporary, target, StandardCopyOption.REPLACE_EXISTING);
    }
  }

  /** Writes a text in place of what may be there. */
  static void write(Path target, String text) throws IOException {
    Files.createDirectories(parent(target));
    Path temporary = Files.createTempFile(parent(target), target.getFileName().toString(), ".part");
    try {
      Files.writeString(temporary, text, StandardCharsets.UTF_8);
      finish(temporary, target);
    } finally {
      Files.deleteIfExists(temporary);
    }
  }

  /** Gives a file a second name; copies it where the file system cannot do that. */
  static void link(Path name, Path file) throws IOException {
    Files.createDirectories(parent(name));
    try {
      Files.createLink(name, file);
    } catch (FileAlreadyExistsException e) {
      // another process was faster, or an earlier run; names stand for contents
      if (!Files.isSameFile(name, file) && isOther(name, file)) {
        Files.deleteIfExists(name); // the second name of a damaged file that was fetched again
        link(name, file);
      }
    } catch (UnsupportedOperationException | FileSystemException e) {
      Path temporary = Files.createTempFile(parent(name), "copy", ".part");
      try {
        Files.copy(file, temporary, StandardCopyOption.REPLACE_EXISTING);
        finish(temporary, name);
      } finally {
        Files.deleteIfExists(temporary);
      }
    }
  }

  /** Compares sizes and both ends: all of a table is too much to read whenever it is opened. */
  private static boolean isOther(Path one, Path two) throws IOException {
    if (Files.size(one) != Files.size(two)) {
      return true;
    }
    try (InputStream a = Files.newInputStream(one);
        InputStream b = Files.newInputStream(two)) {
      boolean differ = !Arrays.equals(a.readNBytes(END), b.readNBytes(END));
      long between = Math.max(0, Files.size(one) - 2L * END);
      a.skipNBytes(between);
      b.skipNBytes(between);
      return differ || !Arrays.equals(a.readNBytes(END), b.readNBytes(END));
    }
  }

  static Path parent(Path file) {
    Path parent = file.toAbsolutePath().getParent();
    if (parent == null) {
      throw new IllegalArgumentException("\"" + file + "\" lies in no folder");
    }
    return parent;
  }

  /** Writes all of a buffer at a place. */
  static void writeFully(FileChannel channel, ByteBuffer bytes, long at) throws IOException {
    long position = at;
    while (bytes.hasRemaining()) {
      position += channel.write(bytes, position);
    }
  }
}

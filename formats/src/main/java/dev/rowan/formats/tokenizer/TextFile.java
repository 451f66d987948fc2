package dev.rowan.formats.tokenizer;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import dev.rowan.formats.file.FileKind;
import dev.rowan.formats.file.FormatException;
import dev.rowan.formats.file.TextStart;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * The lines of a text file, as bytes: they end with a line feed, or a carriage return and one, and
 * the last may lack it. Not for several threads at once.
 */
final class TextFile {
  private final byte[] bytes;
  private int at;
  private int start;
  private int end;
  private long number;

  private TextFile(byte[] bytes) {
    this.bytes = bytes;
  }

  /**
   * Returns the lines of a file.
   *
   * @throws FormatException if it is a Git LFS pointer, or 2³¹ bytes or more
   */
  static TextFile over(Path path, MemorySegment file) {
    if (FileKind.of(file) == FileKind.GIT_LFS_POINTER) {
      throw new FormatException(
          path,
          "starts with \"version https://git-lfs\": this is a Git LFS pointer, not the tokenizer;"
              + " fetch the real file with git lfs pull");
    }
    if (file.byteSize() > Integer.MAX_VALUE - 8) {
      throw new FormatException(
          path,
          "has %,d bytes; a list of tokens of 2^31 bytes or more is not supported"
              .formatted(file.byteSize()));
    }
    return new TextFile(TextStart.after(file).toArray(JAVA_BYTE));
  }

  /** Steps to the next line; false at the end. */
  boolean next() {
    if (at == bytes.length) {
      return false;
    }
    start = at;
    while (at < bytes.length && bytes[at] != '\n') {
      at++;
    }
    end = at > start && bytes[at - 1] == '\r' ? at - 1 : at;
    if (at < bytes.length) {
      at++;
    }
    number++;
    return true;
  }

  /** Returns the line stepped to, without its end. */
  byte[] line() {
    return Arrays.copyOfRange(bytes, start, end);
  }

  boolean isEmpty() {
    return start == end;
  }

  /** Returns the byte of the file at which the line starts. */
  long offset() {
    return start;
  }

  /** Returns the number of the line, from 1. */
  long number() {
    return number;
  }
}

package dev.rowan.formats.file;

import java.nio.file.Path;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** A file is wrong. The message says which file, what is wrong where, and what to do. */
public class FormatException extends RuntimeException {
  private static final long serialVersionUID = 1;

  /** Not serialised: a path need not be serialisable. */
  private final transient @Nullable Path path;

  private final long offset;

  /**
   * Makes an exception about a whole file.
   *
   * @param message what is wrong, without the file's name
   */
  public FormatException(Path path, String message) {
    super(nameOf(path) + ": " + message);
    this.path = path;
    this.offset = -1;
  }

  /** Makes an exception about one byte of a file, which the message then names. */
  public FormatException(Path path, long offset, String message) {
    super("%s: %s (at byte %d)".formatted(nameOf(path), message, offset));
    this.path = path;
    this.offset = offset;
  }

  /** Makes an exception about one byte of a file, caused by another. */
  public FormatException(Path path, long offset, String message, Throwable cause) {
    super("%s: %s (at byte %d)".formatted(nameOf(path), message, offset), cause);
    this.path = path;
    this.offset = offset;
  }

  /**
   * Returns this exception about the same byte, with the line in the message too: {@code x.jsonl:
   * this line has no field "text" (line 3, at byte 120)}.
   *
   * @param line from 1
   * @throws IllegalStateException if it is about no byte
   */
  public FormatException inLine(long line) {
    String message = String.valueOf(getMessage());
    String end = "(at byte %d)".formatted(offset);
    if (path == null || !message.endsWith(end)) {
      throw new IllegalStateException("no byte is named: " + message);
    }
    String start = message.substring(0, message.length() - end.length());
    return new FormatException(
        "%s(line %d, at byte %d)".formatted(start, line, offset), path, offset, this);
  }

  private FormatException(String whole, Path path, long offset, FormatException cause) {
    super(whole, cause);
    this.path = path;
    this.offset = offset;
  }

  /** Returns the file, null only after deserialisation. */
  public @Nullable Path path() {
    return path;
  }

  /** Returns the byte of the file at which it goes wrong, where there is one. */
  public OptionalLong offset() {
    return offset < 0 ? OptionalLong.empty() : OptionalLong.of(offset);
  }

  private static String nameOf(Path path) {
    Path name = path.getFileName();
    return (name == null ? path : name).toString();
  }
}

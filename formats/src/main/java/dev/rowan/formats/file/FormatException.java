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

package dev.rowan.formats.file;

import java.nio.file.Path;

/** A file may be valid but is newer or of another kind than can be read; the message names it. */
public final class UnsupportedFormatException extends FormatException {
  private static final long serialVersionUID = 1;

  /**
   * Makes an exception.
   *
   * @param message the version, format or feature and what to do, without the file's name
   */
  public UnsupportedFormatException(Path path, String message) {
    super(path, message);
  }
}

package dev.rowan.app.cli;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;

/** Small text files that a user names: lists of words, vectors. */
final class TextInput {
  private TextInput() {}

  /**
   * Reads a file as UTF-8, without the U+FEFF that some editors begin a file with.
   *
   * @param most the largest number of bytes that is read
   * @param what the file is, with its article
   * @throws UseException if it is a folder, larger, or no UTF-8
   * @throws NoSuchFileException if there is none
   */
  static String read(Path file, long most, String what) throws IOException {
    String name = Visible.quoted(file.toString());
    if (Files.isDirectory(file)) {
      throw new UseException("%s is a folder; name the file that is %s".formatted(name, what));
    }
    if (Files.size(file) > most) {
      throw new UseException(
          "%s has %,d bytes; %s is at most %,d".formatted(name, Files.size(file), what, most));
    }
    try {
      String text = Files.readString(file, StandardCharsets.UTF_8);
      return text.startsWith("\ufeff") ? text.substring(1) : text;
    } catch (CharacterCodingException _) {
      throw new UseException("%s is not UTF-8; save it as that".formatted(name));
    }
  }

  /** Reads the lines of a list; see {@link #read}. */
  static List<String> lines(Path file) throws IOException {
    return read(file, 64L << 20, "a list").lines().toList();
  }
}

package dev.rowan.formats.write;

import java.nio.file.Path;
import java.util.List;

/**
 * What was written.
 *
 * @param path the file or folder
 * @param rows how many rows
 * @param width the numbers in each
 * @param numbers how they are stored, such as {@code f16}
 * @param notes one sentence each on anything that the file does not keep as it was
 */
public record Conversion(Path path, long rows, int width, String numbers, List<String> notes) {
  /** Copies the notes. */
  public Conversion {
    notes = List.copyOf(notes);
  }
}

package dev.rowan.app.cli;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A word to be put on a map.
 *
 * @param word as typed
 * @param group what it belongs to; empty for nothing
 */
record MapWord(String word, String group) {
  private static final String TOUR = "tour-words.txt";

  /**
   * Reads a file with a word a line and, if there is one, its group behind a tab. Empty lines are
   * skipped, and so is a first line that says "word" and "group".
   */
  static List<MapWord> read(Path file) throws IOException {
    List<String> lines = TextInput.lines(file);
    List<MapWord> words = new ArrayList<>();
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i);
      if (line.isBlank() || (i == 0 && line.strip().equals("word\tgroup"))) {
        continue;
      }
      String[] fields = line.split("\t", -1);
      if (fields.length > 2 || fields[0].isBlank()) {
        throw new UseException(
            "line %d of %s has %d fields%s; a line is a word, or a word, a tab and its group"
                .formatted(
                    i + 1,
                    Visible.quoted(file.toString()),
                    fields.length,
                    fields[0].isBlank() ? " and begins with none" : ""));
      }
      words.add(new MapWord(fields[0], fields.length == 2 ? fields[1].strip() : ""));
    }
    if (words.isEmpty()) {
      throw new UseException(
          "%s holds no word; it takes a word a line".formatted(Visible.quoted(file.toString())));
    }
    return words;
  }

  /** Returns the 48 words of the tour, 8 of each of 6 kinds. */
  static List<MapWord> ofTour() throws IOException {
    List<MapWord> words = new ArrayList<>();
    try (InputStream in = MapWord.class.getResourceAsStream(TOUR)) {
      if (in == null) {
        throw new IllegalStateException("the program was packed without " + TOUR);
      }
      String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      for (String line : text.lines().toList()) {
        int colon = line.indexOf(':');
        for (String word : line.substring(colon + 1).strip().split(" ", -1)) {
          words.add(new MapWord(word, line.substring(0, colon)));
        }
      }
    }
    return words;
  }
}

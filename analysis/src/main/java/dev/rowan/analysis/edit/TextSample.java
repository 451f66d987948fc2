package dev.rowan.analysis.edit;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/** Splits the beginning of each text with the tokenizer that was and the one that is. */
final class TextSample {
  private static final int MOST = 1 << 21; // characters of each text, some seconds at most

  private TextSample() {}

  /**
   * Compares, line by line; lines that hold a new token, or whose tokens are not all there any
   * more, are passed over.
   *
   * @return how many lines were compared
   * @throws IllegalStateException if one is split differently
   */
  static long compare(
      Reference reference, List<AddedToken> addedTokens, TextSplitter before, TextSplitter after)
      throws IOException {
    List<String> added = TokenSample.lower(addedTokens);
    long compared = 0;
    for (Path text : reference.texts()) {
      char[] start = new char[MOST];
      int length = 0;
      try (BufferedReader reader = TextFile.reader(text)) {
        int read;
        while (length < MOST && (read = reader.read(start, length, MOST - length)) > 0) {
          length += read;
        }
      }
      for (String line : new String(start, 0, length).split("\n", -1)) {
        if (TokenSample.holdsOne(added, line)) {
          continue;
        }
        long[] expected = Arrays.stream(before.split(line)).map(reference.newId()).toArray();
        if (Arrays.stream(expected).anyMatch(id -> id < 0)) {
          continue;
        }
        if (!Arrays.equals(expected, after.split(line))) {
          throw new IllegalStateException(
              "the result is not what was planned: \"%s\" is split differently".formatted(line));
        }
        compared++;
      }
    }
    return compared;
  }
}

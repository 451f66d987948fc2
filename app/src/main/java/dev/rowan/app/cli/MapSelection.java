package dev.rowan.app.cli;

import dev.rowan.app.answers.Asked;
import dev.rowan.core.NamedTable;
import dev.rowan.text.Resolution;
import dev.rowan.text.Resolution.Several;
import dev.rowan.text.Resolution.Single;
import dev.rowan.text.Resolution.Unknown;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;

/**
 * The rows to be mapped: those of named words first, in their order, then those of a range.
 *
 * @param named the group of each named row, empty for none
 * @param from the first row of the range
 * @param to the row after its last; {@code from} if there is no range
 * @param notMapped words that are no row, and why
 */
record MapSelection(Map<Long, String> named, long from, long to, List<NotMapped> notMapped) {

  /** A word that is no row. */
  record NotMapped(String word, String reason) {}

  /** Finds the rows of words. */
  static MapSelection of(Session session, NamedTable table, List<MapWord> words, long from, long to)
      throws IOException {
    Asked asked = session.asked();
    Map<Long, String> named = new LinkedHashMap<>();
    List<NotMapped> notMapped = new ArrayList<>();
    for (MapWord word : words) {
      Resolution resolution = session.resolve(word.word(), table);
      switch (resolution) {
        case Single single -> {
          String before = named.putIfAbsent(single.token().id(), word.group());
          if (before != null) {
            notMapped.add(
                new NotMapped(
                    word.word(),
                    "%s: %s #%d is on the map already"
                        .formatted(
                            Visible.quoted(word.word()),
                            asked.name(single.token().id()),
                            single.token().id())));
          }
        }
        case Several several -> notMapped.add(new NotMapped(word.word(), reason(asked, several)));
        case Unknown unknown -> notMapped.add(new NotMapped(word.word(), asked.message(unknown)));
      }
    }
    return new MapSelection(named, from, to, notMapped);
  }

  private static String reason(Asked asked, Several several) {
    return "%s is not one token but %d: %s; name one of them instead"
        .formatted(
            Visible.quoted(several.typed()),
            several.pieces().size(),
            asked.pieces(several.pieces()));
  }

  /** Returns whether rows of a range are on the map too. */
  boolean hasRange() {
    return to > from;
  }

  /** Returns the ids, each once. */
  long[] ids() {
    LongStream first = named.keySet().stream().mapToLong(Long::longValue);
    LongStream rest = LongStream.range(from, to).filter(id -> !named.containsKey(id));
    return LongStream.concat(first, rest).toArray();
  }

  /** Returns the group of a row; empty for none. */
  String group(long id) {
    return named.getOrDefault(id, "");
  }
}

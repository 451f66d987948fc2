package dev.rowan.train;

import dev.rowan.core.Lexicon;
import dev.rowan.core.Table;
import dev.rowan.core.Vocabulary;
import java.lang.foreign.MemorySegment;
import java.util.BitSet;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * What a training begins with.
 *
 * @param from a table whose rows, input and output, are taken over for the words that it has;
 *     others begin with random rows. It must stay open while training runs
 * @param frozen words whose rows do not move; words that do not occur are ignored
 */
public record Start(Optional<Lexicon> from, Optional<Vocabulary> frozen) {
  /** Random rows, all of which move. */
  public static final Start RANDOM = new Start(Optional.empty(), Optional.empty());

  /** Returns the rows of the frozen words. */
  public BitSet frozenRows(Vocabulary words) {
    BitSet rows = new BitSet();
    if (frozen.isPresent()) {
      for (int w = 0; w < words.size(); w++) {
        if (words.has(w) && frozen.get().id(words.bytes(w)).isPresent()) {
          rows.set(w);
        }
      }
    }
    return rows;
  }

  /**
   * Returns how many of the words begin with rows of the table that is taken over.
   *
   * @throws IllegalArgumentException if that table has no words
   */
  public int takenOver(Vocabulary words) {
    int taken = 0;
    for (int w = 0; w < words.size(); w++) {
      taken += rowIn(words, w).isPresent() ? 1 : 0;
    }
    return taken;
  }

  /**
   * Returns what tells the rows that are taken over from others: how many, and a checksum of their
   * numbers. Cost: reading them.
   */
  String taken(Vocabulary words) {
    if (from.isEmpty()) {
      return "none";
    }
    Checksum sum = new Checksum();
    int rows = 0;
    for (int w = 0; w < words.size(); w++) {
      OptionalInt row = rowIn(words, w);
      if (row.isPresent()) {
        rows++;
        add(sum, from.get().input().table(), row.getAsInt());
        from.get().output().ifPresent(output -> add(sum, output.table(), row.getAsInt()));
      }
    }
    return "%d rows, %s".formatted(rows, sum.text());
  }

  private static void add(Checksum sum, Table table, int row) {
    if (row < table.rows()) { // an output table may be shorter
      sum.add(MemorySegment.ofArray(table.row(row)));
    }
  }

  /** Returns the row that a word has in the table that is taken over. */
  OptionalInt rowIn(Vocabulary words, int word) {
    if (from.isEmpty() || !words.has(word)) {
      return OptionalInt.empty();
    }
    Optional<Vocabulary> known = from.get().vocabulary();
    if (known.isEmpty()) {
      throw new IllegalArgumentException(
          "the table to go on from has no tokens; name its vocabulary, or another table");
    }
    OptionalInt id = known.get().id(words.bytes(word));
    boolean inTable = id.isPresent() && id.getAsInt() < from.get().input().table().rows();
    return inTable ? id : OptionalInt.empty();
  }
}

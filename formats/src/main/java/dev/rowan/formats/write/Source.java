package dev.rowan.formats.write;

import dev.rowan.core.Counted;
import dev.rowan.core.Lexicon;
import dev.rowan.core.NamedTable;
import dev.rowan.core.Origin;
import dev.rowan.core.Table;
import dev.rowan.core.Vocabulary;
import dev.rowan.formats.config.TieSetting;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * What is to be written: the rows of a lexicon's input table that were chosen, and their tokens.
 */
final class Source {
  private static final int LONGEST_NAME = 1_000;

  /** Readers of GGUF take no longer ones, and headers are not for books. */
  private static final int LONGEST_TEXT = 300_000;

  private final Lexicon lexicon;
  private final Table table;
  private final Optional<Vocabulary> vocabulary;
  private final long @Nullable [] ids; // null: all, in order
  private final List<String> notes;

  private Source(Lexicon lexicon, Table table, long @Nullable [] ids, List<String> notes) {
    this.lexicon = lexicon;
    this.table = table;
    this.vocabulary = lexicon.vocabulary();
    this.ids = ids;
    this.notes = notes;
  }

  static Source of(Lexicon lexicon, ConvertOptions.RowChoice choice) {
    Table table = lexicon.input().table();
    if (choice == ConvertOptions.RowChoice.ALL || lexicon.rowsWithoutToken() == 0) {
      return new Source(lexicon, table, null, new ArrayList<>());
    }
    Vocabulary known = lexicon.vocabulary().orElseThrow();
    long[] ids =
        LongStream.range(0, Math.min(table.rows(), known.size())).filter(known::has).toArray();
    Source source = new Source(lexicon, table, ids, new ArrayList<>());
    boolean moved = ids.length > 0 && ids[ids.length - 1] != ids.length - 1;
    source.note(
        "%s left out%s"
            .formatted(
                Counted.of(
                    table.rows() - ids.length,
                    "row without a token was",
                    "rows without a token were"),
                moved ? ", so that later ids have moved up" : ""));
    return source;
  }

  /**
   * Returns the same rows of the output table, where it is one of its own. Empty, with a note, if
   * rows are left out and the two tables differ in their number.
   */
  Optional<Source> output() {
    Optional<Table> output = lexicon.output().map(NamedTable::table);
    if (output.isEmpty() || output.get() == table) {
      return Optional.empty();
    }
    if (ids != null && output.get().rows() != table.rows()) {
      note(
          "the output table was not written: it has %,d rows and the input table %,d, so that it is not known which to leave out"
              .formatted(output.get().rows(), table.rows()));
      return Optional.empty();
    }
    return Optional.of(new Source(lexicon, output.get(), ids, notes));
  }

  long rows() {
    return ids == null ? table.rows() : ids.length;
  }

  int width() {
    return table.width();
  }

  Table table() {
    return table;
  }

  Lexicon lexicon() {
    return lexicon;
  }

  /** Returns whether the table is written as a whole. */
  boolean isWhole() {
    return ids == null;
  }

  /** Returns the id that a row has in the lexicon. */
  long id(long row) {
    return ids == null ? row : ids[(int) row];
  }

  boolean hasTokens() {
    return vocabulary.isPresent();
  }

  Vocabulary vocabulary() {
    return vocabulary.orElseThrow();
  }

  /** Returns a row's token, or null if it has none. */
  byte @Nullable [] token(long row) {
    long id = id(row);
    return vocabulary.isPresent() && vocabulary.get().has(id) ? vocabulary.get().bytes(id) : null;
  }

  boolean isAdded(long row) {
    return vocabulary.isPresent() && vocabulary.get().isAdded(id(row));
  }

  /** Returns how many tokens have no row in what is written. */
  long tokensWithoutRow() {
    return vocabulary.map(known -> Math.max(0, known.size() - table.rows())).orElse(0L);
  }

  void note(String note) {
    if (!notes.contains(note)) {
      notes.add(note); // both tables may give rise to the same
    }
  }

  List<String> notes() {
    return notes;
  }

  /** Returns what the source's file says of itself, for files that can keep such texts. */
  Map<String, String> texts() {
    Map<String, String> texts = new LinkedHashMap<>(lexicon.origin().texts());
    texts.keySet().removeIf(name -> name.startsWith("rowan."));
    int all = texts.size();
    texts
        .entrySet()
        .removeIf(text ->
            text.getKey().length() > LONGEST_NAME || text.getValue().length() > LONGEST_TEXT);
    int left = all - texts.size();
    if (left > 0) {
      note(
          "%s that the file has of itself left out: of more than %,d characters, or under a name of more than %,d"
              .formatted(Counted.of(left, "text was", "texts were"), LONGEST_TEXT, LONGEST_NAME));
    }
    return texts;
  }

  /** Returns these texts and where the rows come from. */
  Map<String, String> textsAndProvenance() {
    Map<String, String> all = new LinkedHashMap<>(texts());
    all.putAll(provenance());
    return all;
  }

  /** Returns what the source is called: where it was fetched from, else the name of its file. */
  String name() {
    Origin origin = lexicon.origin();
    return origin.texts().getOrDefault(Origin.REMOTE, String.valueOf(origin.path().getFileName()));
  }

  /** Returns where the rows come from, for files that can keep such texts. */
  Map<String, String> provenance() {
    Origin origin = lexicon.origin();
    Map<String, String> texts = new LinkedHashMap<>();
    texts.put("rowan.source.name", name());
    String version = origin.texts().get(Origin.VERSION);
    if (version != null) {
      texts.put(Origin.VERSION, version);
    }
    texts.put("rowan.source.format", origin.format());
    texts.put("rowan.source.tensor", lexicon.input().tensor());
    texts.put("rowan.source.numbers", table.format().label());
    texts.put(TieSetting.NOTE, TieSetting.note(lexicon.tie()));
    origin.architecture().ifPresent(name -> texts.put("rowan.source.architecture", name));
    return texts;
  }
}

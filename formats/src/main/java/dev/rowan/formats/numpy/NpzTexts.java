package dev.rowan.formats.numpy;

import dev.rowan.core.Spelling;
import dev.rowan.core.Vocabulary;
import dev.rowan.formats.lines.Words;
import dev.rowan.formats.tensor.TensorInfo;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * The arrays of texts of an archive: the tokens of its table, and what Rowan notes of its source.
 *
 * @param file the archive
 */
record NpzTexts(NumpyFile file) {
  static final String SOURCE = "source";

  private static final List<String> TOKENS = List.of("tokens", "words", "vocab");

  /** Returns the texts that are the tokens of a table. */
  Optional<TensorInfo> tokens() {
    return TOKENS.stream()
        .flatMap(name -> texts(name, 1).stream())
        .filter(this::isAsLongAsATable)
        .findFirst();
  }

  private boolean isAsLongAsATable(TensorInfo list) {
    return file.tensors().stream()
        .anyMatch(
            table -> table.hasRows() && table.shape().getFirst().equals(list.shape().getFirst()));
  }

  /** Returns one sentence each on texts that could be meant as tokens, but are not read as such. */
  List<String> notes() {
    if (tokens().isPresent()) {
      return List.of();
    }
    List<String> notes = new ArrayList<>();
    // words in an array that numpy.array made of Python texts of dtype object
    file.tensors().stream()
        .filter(array -> array.dtype().bits() == 0 && array.shape().size() == 1)
        .filter(array -> TOKENS.contains(array.name()) || isAsLongAsATable(array))
        .forEach(array ->
            notes.add(
                "\"%s\" is an array of Python objects, which is a pickle and not read; if these are the tokens, save them as texts, %s.astype(str)"
                    .formatted(array.name(), array.name())));
    file.tensors().stream()
        .filter(array -> !array.name().equals(SOURCE))
        .flatMap(array -> texts(array.name(), 1).stream())
        .findFirst()
        .ifPresent(texts ->
            notes.add(
                "\"%s\" holds %,d texts, which are not read as tokens: an array of tokens is called %s and has as many as a table has rows"
                    .formatted(
                        texts.name(), texts.shape().getFirst(), String.join(" or ", TOKENS))));
    return notes;
  }

  /** Reads tokens. */
  Vocabulary vocabulary(TensorInfo tokens) {
    MemorySegment texts = file.data(tokens);
    int count = Math.toIntExact(tokens.shape().getFirst());
    byte[][] spellings = new byte[count][];
    BitSet absent = new BitSet();
    for (int id = 0; id < count; id++) {
      spellings[id] = NpyTexts.utf8(texts, tokens.dtype().label(), id);
      absent.set(id, spellings[id].length == 0);
    }
    boolean ours = source(NumpyFile.SPELLING).isPresent();
    if (ours
        ? source(NumpyFile.EMPTY).equals(Optional.of(NumpyFile.EMPTY_TOKEN))
        : absent.cardinality() == 1) {
      absent.clear();
    }
    Spelling spelling =
        source(NumpyFile.SPELLING)
            .flatMap(name ->
                Arrays.stream(Spelling.values())
                    .filter(s -> s.name().toLowerCase(Locale.ROOT).equals(name))
                    .findFirst())
            .orElse(Spelling.PLAIN);
    return Words.noteBroken(Vocabulary.of(spelling, spellings, absent, new BitSet()));
  }

  /** Returns what Rowan noted of the source under a key. */
  Optional<String> source(String key) {
    return Optional.ofNullable(lines().get(key));
  }

  /** Returns what the source said of itself. */
  Map<String, String> said() {
    Map<String, String> said = lines();
    said.keySet().removeIf(key -> key.startsWith("rowan."));
    return said;
  }

  private Map<String, String> lines() {
    Map<String, String> lines = new LinkedHashMap<>();
    texts(SOURCE, 0)
        .map(texts -> NpyTexts.utf8(file.data(texts), texts.dtype().label(), 0))
        .ifPresent(utf8 ->
            new String(utf8, StandardCharsets.UTF_8)
                .lines()
                .forEach(line -> {
                  int equals = line.indexOf(" = ");
                  if (equals > 0) {
                    lines.putIfAbsent(line.substring(0, equals), line.substring(equals + 3));
                  }
                }));
    return lines;
  }

  /** Returns an array of texts that has some rank. */
  private Optional<TensorInfo> texts(String name, int rank) {
    return file.find(name)
        .filter(array -> array.shape().size() == rank)
        .filter(array -> NpyTexts.is(array.dtype().label()));
  }
}

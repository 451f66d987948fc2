package dev.rowan.analysis.edit;

import dev.rowan.core.Vocabulary;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.LongPredicate;
import java.util.stream.Collectors;

/** Rows made of the rows of a text's pieces. */
final class PieceRows {
  /** How tokenizers that name no unknown token spell it in their vocabulary. */
  private static final List<String> UNKNOWN = List.of("[UNK]", "<unk>", "<|unk|>", "UNK", "<UNK>");

  private final ModelFolder model;
  private final TextSplitter.Source splitters;

  PieceRows(ModelFolder model, TextSplitter.Source splitters) {
    this.model = model;
    this.splitters = splitters;
  }

  /** Returns the mean of the rows of a text's pieces; empty if no piece is known. */
  Optional<Recipe> recipe(String text) throws IOException {
    TextSplitter splitter =
        splitters
            .open(model.folder())
            .orElseThrow(() ->
                new IllegalArgumentException(
                    "the model has no tokenizer that can split text, so rows cannot be made of pieces; choose --init mean"));
    Vocabulary vocabulary = model.vocabulary().orElseThrow();
    long rows = model.lexicon().input().table().rows();
    OptionalInt unknown = splitter.unknown(vocabulary);
    LongPredicate isUnknown =
        id ->
            unknown.isPresent()
                ? id == unknown.getAsInt()
                : UNKNOWN.contains(vocabulary.stored(id));
    long[] ids =
        Arrays.stream(splitter.split(text))
            .filter(id -> vocabulary.has(id) && id < rows && !isUnknown.test(id))
            .toArray();
    if (ids.length == 0) {
      return Optional.empty();
    }
    String pieces =
        Arrays.stream(ids)
            .mapToObj(id -> "\"%s\" #%d".formatted(vocabulary.text(id), id))
            .collect(Collectors.joining(", "));
    return Optional.of(Recipe.Weighted.meanOf(ids, "the mean of its pieces " + pieces));
  }
}

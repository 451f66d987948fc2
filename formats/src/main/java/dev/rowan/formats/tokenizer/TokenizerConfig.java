package dev.rowan.formats.tokenizer;

import dev.rowan.formats.config.ModelConfig;
import dev.rowan.formats.file.MappedFile;
import dev.rowan.formats.json.JsonReader;
import dev.rowan.formats.tokenizer.TokenizerModel.LetterCase;
import dev.rowan.formats.tokenizer.TokenizerModel.Trim;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What a {@code tokenizer_config.json} says that older tokenizer files leave open.
 *
 * @param flags what is true or false, by name
 * @param texts what is a text
 * @param numbers what is a whole number and asked for
 * @param added the tokens that were added ({@code added_tokens_decoder})
 * @param marks the tokens that {@code special_tokens_map.json} names too ({@code
 *     additional_special_tokens})
 */
record TokenizerConfig(
    Map<String, Boolean> flags,
    Map<String, String> texts,
    Map<String, Long> numbers,
    List<Added> added,
    List<String> marks) {
  private static final String NAME = "tokenizer_config.json";
  private static final String CLASS = "tokenizer_class";
  private static final String MARKS = "special_tokens_map.json";

  /** Others may lie outside 64 bits, as {@code model_max_length} does. */
  private static final Set<String> NUMBERS = Set.of("extra_ids", "offset");

  /** Says nothing. */
  static final TokenizerConfig SILENT =
      new TokenizerConfig(Map.of(), Map.of(), Map.of(), List.of(), List.of());

  TokenizerConfig {
    flags = Map.copyOf(flags);
    texts = Map.copyOf(texts);
    numbers = Map.copyOf(numbers);
    added = List.copyOf(added);
    marks = List.copyOf(marks);
  }

  /**
   * A token that was added.
   *
   * @param trim what it takes of the white space around it
   */
  record Added(int id, String content, boolean special, Optional<Trim> trim) {}

  /** Returns a setting that is true or false. */
  Optional<Boolean> flag(String name) {
    return Optional.ofNullable(flags.get(name));
  }

  /** Returns whether capitals count ({@code do_lower_case}). */
  Optional<LetterCase> letterCase() {
    return flag("do_lower_case").map(lower -> lower ? LetterCase.LOWERED : LetterCase.KEPT);
  }

  /** Reads the one beside a tokenizer file; silent if there is none. */
  static TokenizerConfig beside(Path tokenizer) throws IOException {
    TokenizerConfig config = read(tokenizer.resolveSibling(NAME));
    List<String> marks = new ArrayList<>(config.marks);
    marks.addAll(read(tokenizer.resolveSibling(MARKS)).marks);
    return new TokenizerConfig(
        config.flags,
        config.texts,
        config.numbers,
        config.added,
        marks.stream().distinct().toList());
  }

  private static TokenizerConfig read(Path config) throws IOException {
    if (!Files.isRegularFile(config)) {
      return SILENT;
    }
    try (MappedFile file = MappedFile.open(config)) {
      return read(JsonReader.over(config, file.bytes(), 0));
    }
  }

  /**
   * Returns the name of the Python class that a tokenizer was saved from, as this or the {@code
   * config.json} beside it names it, else the type of the model that the latter names.
   */
  Optional<String> savedClass(Path tokenizer) throws IOException {
    Path config = tokenizer.resolveSibling("config.json");
    Optional<String> own = Optional.ofNullable(texts.get(CLASS));
    if (own.isPresent() || !Files.isRegularFile(config)) {
      return own;
    }
    Optional<String> models = Optional.ofNullable(read(config).texts.get(CLASS));
    return models.isPresent() ? models : ModelConfig.read(config).modelType();
  }

  private static TokenizerConfig read(JsonReader json) {
    Map<String, Boolean> flags = new HashMap<>();
    Map<String, String> texts = new HashMap<>();
    Map<String, Long> numbers = new HashMap<>();
    List<Added> added = new ArrayList<>();
    List<String> marks = new ArrayList<>();
    json.enterObject("the tokenizer's config");
    while (json.nextName()) {
      String field = json.name();
      json.nextValue();
      if (json.isTrue() || json.isFalse()) {
        flags.put(field, json.isTrue());
      } else if (json.isText()) {
        texts.put(field, json.text(field));
      } else if (json.isWhole() && NUMBERS.contains(field)) {
        numbers.put(field, json.whole(field));
      } else if (field.equals("additional_special_tokens") && json.isArray()) {
        while (json.nextValue()) {
          mark(json).ifPresent(marks::add);
        }
      } else if (field.equals("added_tokens_decoder") && json.isObject()) {
        while (json.nextName()) {
          String id = json.name();
          json.nextValue();
          added(json, id).ifPresent(added::add);
        }
      } else {
        json.skip();
      }
    }
    json.end();
    return new TokenizerConfig(flags, texts, numbers, added, marks);
  }

  /** A token is a text, or an object as among the added ones. */
  private static Optional<String> mark(JsonReader json) {
    return json.isText() ? Optional.of(json.text("a token")) : added(json, "0").map(Added::content);
  }

  /** Reads {"content": "…", "special": true, …}; anything else is none. */
  private static Optional<Added> added(JsonReader json, String id) {
    if (!json.isObject()) {
      json.skip();
      return Optional.empty();
    }
    Optional<String> content = Optional.empty();
    boolean special = false;
    boolean before = false;
    boolean behind = false;
    while (json.nextName()) {
      String field = json.name();
      json.nextValue();
      if (field.equals("content") && json.isText()) {
        content = Optional.of(json.text(field));
      } else if (field.equals("special")) {
        special = json.isTrue();
        json.skip();
      } else if (field.equals("lstrip")) {
        before = json.isTrue();
        json.skip();
      } else if (field.equals("rstrip")) {
        behind = json.isTrue();
        json.skip();
      } else {
        json.skip();
      }
    }
    boolean isId = id.matches("\\d{1,9}");
    boolean isSpecial = special;
    Optional<Trim> trim = Trim.of(before, behind);
    return content
        .filter(_ -> isId)
        .map(text -> new Added(Integer.parseInt(id), text, isSpecial, trim));
  }
}

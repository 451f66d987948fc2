package dev.rowan.formats.tokenizer;

import dev.rowan.formats.config.ModelConfig;
import dev.rowan.formats.file.MappedFile;
import dev.rowan.formats.json.JsonReader;
import dev.rowan.formats.tokenizer.TokenizerModel.LetterCase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a {@code tokenizer_config.json} says that older tokenizer files leave open.
 *
 * @param letterCase whether capitals count ({@code do_lower_case})
 * @param bareAccents whether letters lose their accents ({@code strip_accents})
 * @param chineseApart whether Chinese characters stand alone ({@code tokenize_chinese_chars})
 * @param spaceBefore whether a text is given a leading space ({@code add_prefix_space})
 * @param tokenizerClass the name of the Python class that it was saved from
 * @param legacy whether Llama's tokenizer starts what follows an added token with a space
 * @param added the tokens that were added ({@code added_tokens_decoder})
 */
record TokenizerConfig(
    Optional<LetterCase> letterCase,
    Optional<Boolean> bareAccents,
    Optional<Boolean> chineseApart,
    Optional<Boolean> spaceBefore,
    Optional<String> tokenizerClass,
    Optional<Boolean> legacy,
    List<Added> added) {
  private static final String NAME = "tokenizer_config.json";

  /** Says nothing. */
  static final TokenizerConfig SILENT =
      new TokenizerConfig(
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          List.of());

  TokenizerConfig {
    added = List.copyOf(added);
  }

  /** A token that was added. */
  record Added(int id, String content, boolean special) {}

  /** Reads the one beside a tokenizer file; silent if there is none. */
  static TokenizerConfig beside(Path tokenizer) throws IOException {
    Path config = tokenizer.resolveSibling(NAME);
    if (!Files.isRegularFile(config)) {
      return SILENT;
    }
    try (MappedFile file = MappedFile.open(config)) {
      return read(JsonReader.over(config, file.bytes(), 0));
    }
  }

  /**
   * Returns the name of the class that a tokenizer was saved from, else the type of the model that
   * the {@code config.json} beside it names.
   */
  Optional<String> savedClass(Path tokenizer) throws IOException {
    Path config = tokenizer.resolveSibling("config.json");
    if (tokenizerClass.isPresent() || !Files.isRegularFile(config)) {
      return tokenizerClass;
    }
    return ModelConfig.read(config).modelType();
  }

  private static TokenizerConfig read(JsonReader json) {
    Map<String, Boolean> flags = new HashMap<>();
    Optional<String> tokenizerClass = Optional.empty();
    List<Added> added = new ArrayList<>();
    json.enterObject("the tokenizer's config");
    while (json.nextName()) {
      String field = json.name();
      json.nextValue();
      if (json.isTrue() || json.isFalse()) {
        flags.put(field, json.isTrue());
      } else if (field.equals("tokenizer_class") && json.isText()) {
        tokenizerClass = Optional.of(json.text(field));
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
    return new TokenizerConfig(
        Optional.ofNullable(flags.get("do_lower_case"))
            .map(lower -> lower ? LetterCase.LOWERED : LetterCase.KEPT),
        Optional.ofNullable(flags.get("strip_accents")),
        Optional.ofNullable(flags.get("tokenize_chinese_chars")),
        Optional.ofNullable(flags.get("add_prefix_space")),
        tokenizerClass,
        Optional.ofNullable(flags.get("legacy")),
        added);
  }

  /** Reads {"content": "…", "special": true, …}; anything else is none. */
  private static Optional<Added> added(JsonReader json, String id) {
    if (!json.isObject()) {
      json.skip();
      return Optional.empty();
    }
    Optional<String> content = Optional.empty();
    boolean special = false;
    while (json.nextName()) {
      String field = json.name();
      json.nextValue();
      if (field.equals("content") && json.isText()) {
        content = Optional.of(json.text(field));
      } else if (field.equals("special")) {
        special = json.isTrue();
        json.skip();
      } else {
        json.skip();
      }
    }
    boolean isId = id.matches("\\d{1,9}");
    boolean isSpecial = special;
    return content.filter(_ -> isId).map(text -> new Added(Integer.parseInt(id), text, isSpecial));
  }
}

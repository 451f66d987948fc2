package dev.rowan.formats.tokenizer;

import dev.rowan.formats.config.ModelConfig;
import dev.rowan.formats.file.MappedFile;
import dev.rowan.formats.json.JsonReader;
import dev.rowan.formats.tokenizer.TokenizerModel.LetterCase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
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
 */
record TokenizerConfig(
    Optional<LetterCase> letterCase,
    Optional<Boolean> bareAccents,
    Optional<Boolean> chineseApart,
    Optional<Boolean> spaceBefore,
    Optional<String> tokenizerClass) {
  private static final String NAME = "tokenizer_config.json";

  /** Says nothing. */
  static final TokenizerConfig SILENT =
      new TokenizerConfig(
          Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());

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
    json.enterObject("the tokenizer's config");
    while (json.nextName()) {
      String field = json.name();
      json.nextValue();
      if (json.isTrue() || json.isFalse()) {
        flags.put(field, json.isTrue());
      } else if (field.equals("tokenizer_class") && json.isText()) {
        tokenizerClass = Optional.of(json.text(field));
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
        tokenizerClass);
  }
}

package dev.rowan.formats.tokenizer;

import dev.rowan.formats.file.MappedFile;
import dev.rowan.formats.json.JsonReader;
import dev.rowan.formats.tokenizer.TokenizerModel.LetterCase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * What a {@code tokenizer_config.json} says that older tokenizer files leave open.
 *
 * @param letterCase whether capitals count ({@code do_lower_case})
 * @param spaceBefore whether a text is given a leading space ({@code add_prefix_space})
 * @param tokenizerClass the name of the Python class that it was saved from
 */
record TokenizerConfig(
    Optional<LetterCase> letterCase,
    Optional<Boolean> spaceBefore,
    Optional<String> tokenizerClass) {
  private static final String NAME = "tokenizer_config.json";

  /** Says nothing. */
  static final TokenizerConfig SILENT =
      new TokenizerConfig(Optional.empty(), Optional.empty(), Optional.empty());

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

  private static TokenizerConfig read(JsonReader json) {
    Optional<LetterCase> letterCase = Optional.empty();
    Optional<Boolean> spaceBefore = Optional.empty();
    Optional<String> tokenizerClass = Optional.empty();
    json.enterObject("the tokenizer's config");
    while (json.nextName()) {
      String field = json.name();
      json.nextValue();
      boolean told = json.isTrue() || json.isFalse();
      switch (field) {
        case "do_lower_case" -> {
          if (told) {
            letterCase = Optional.of(json.isTrue() ? LetterCase.LOWERED : LetterCase.KEPT);
          }
        }
        case "add_prefix_space" -> {
          if (told) {
            spaceBefore = Optional.of(json.isTrue());
          }
        }
        case "tokenizer_class" -> {
          if (json.isText()) {
            tokenizerClass = Optional.of(json.text(field));
          }
        }
        default -> json.skip();
      }
    }
    json.end();
    return new TokenizerConfig(letterCase, spaceBefore, tokenizerClass);
  }
}

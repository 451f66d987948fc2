package dev.rowan.formats.config;

import dev.rowan.core.Tie;
import java.util.Locale;
import java.util.Optional;

/** What a config.json says about {@code tie_word_embeddings}, and where. */
public enum TieSetting {
  /** There is no config.json. */
  NO_CONFIG("there is no config.json"),
  /** The kind of file says it all: it keeps input rows alone. */
  INPUT_ONLY("files of this kind keep the input table alone"),
  /** It does not say. */
  SILENT("config.json does not say whether the tables are tied"),
  /** Another settings file beside the weights, such as {@code bert_config.json}, does not say. */
  SILENT_BESIDE("the settings beside it do not say whether the tables are tied"),
  /** True at the root. */
  TIED("config.json says tie_word_embeddings = true"),
  /** False at the root. */
  UNTIED("config.json says tie_word_embeddings = false"),
  /** True in {@code text_config}, the root is silent. */
  TEXT_TIED("config.json says text_config.tie_word_embeddings = true"),
  /** False in {@code text_config}, the root is silent. */
  TEXT_UNTIED("config.json says text_config.tie_word_embeddings = false"),
  /** There is no config.json, but the file says what the model is: one that scores no tokens. */
  ENCODER("the file says that the model is an encoder, which scores no tokens"),
  /** There is no config.json, and writers of the format leave a tied output table out. */
  LEFT_OUT_WHERE_TIED("GGUF files leave the output table out where it is tied"),
  /** A file that Rowan wrote notes that its source was tied. */
  NOTED_TIED("it notes that its source uses one table at both ends"),
  /** A file that Rowan wrote notes that its source had no output table. */
  NOTED_NO_OUTPUT("it notes that its source had none"),
  /** A file that Rowan wrote notes that its source had an output table of its own. */
  NOTED_UNTIED("it notes that its source had an output table of its own, which was left out"),
  /** The kind of file, or what a file that Rowan wrote notes, leaves it open. */
  OPEN("it does not say whether the input table serves at the output");

  private final String sentence;

  TieSetting(String sentence) {
    this.sentence = sentence;
  }

  static TieSetting of(Optional<Boolean> root, Optional<Boolean> text) {
    if (root.isPresent()) {
      return root.get() ? TIED : UNTIED;
    }
    return text.map(tied -> tied ? TEXT_TIED : TEXT_UNTIED).orElse(SILENT);
  }

  /** The key under which files that Rowan writes note the tie of what they were made from. */
  public static final String NOTE = "rowan.source.tie";

  /** Returns what a note says; see {@link #note}. */
  public static TieSetting noted(String note) {
    return switch (note) {
      case "tied", "tied-stored-twice" -> NOTED_TIED;
      case "untied" -> NOTED_UNTIED;
      case "no-output" -> NOTED_NO_OUTPUT;
      default -> OPEN;
    };
  }

  /** Returns the note that a file keeps of a tie. */
  public static String note(Tie tie) {
    return tie.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** Returns whether this comes from a note in the file itself, which no config beside it knows. */
  public boolean isNoted() {
    return switch (this) {
      case NOTED_TIED, NOTED_UNTIED, NOTED_NO_OUTPUT, OPEN -> true;
      case NO_CONFIG,
          INPUT_ONLY,
          SILENT,
          SILENT_BESIDE,
          TIED,
          UNTIED,
          TEXT_TIED,
          TEXT_UNTIED,
          ENCODER,
          LEFT_OUT_WHERE_TIED ->
          false;
    };
  }

  /** Returns what is said, as the part of a sentence. */
  public String sentence() {
    return sentence;
  }

  /** Returns whether the config, or the kind of file, says that the tables are not tied. */
  public boolean deniesTie() {
    return switch (this) {
      case UNTIED, TEXT_UNTIED, ENCODER, INPUT_ONLY, NOTED_NO_OUTPUT, NOTED_UNTIED -> true;
      case NO_CONFIG,
          SILENT,
          SILENT_BESIDE,
          TIED,
          TEXT_TIED,
          LEFT_OUT_WHERE_TIED,
          NOTED_TIED,
          OPEN ->
          false;
    };
  }
}

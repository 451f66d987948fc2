package dev.rowan.formats.config;

import dev.rowan.formats.file.MappedFile;
import dev.rowan.formats.json.JsonReader;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Pattern;

/**
 * What a model's {@code config.json} says about its table. Models that see or hear keep these
 * settings in {@code text_config}; what the root says counts first.
 *
 * @param modelType such as {@code gpt2}
 * @param architectures such as {@code GPT2LMHeadModel}
 * @param vocabularySize how many rows the table should have
 * @param hiddenSize how wide the model is; a table may be narrower
 * @param tie whether the output uses the input table
 * @param notes one sentence for each factor that the model applies when it runs; stored rows are
 *     without
 */
public record ModelConfig(
    Optional<String> modelType,
    List<String> architectures,
    OptionalLong vocabularySize,
    OptionalLong hiddenSize,
    TieSetting tie,
    List<String> notes) {

  /** Names of classes of Transformers that have no head for tokens: {@code BertModel} and such. */
  private static final Pattern WITHOUT_OUTPUT =
      Pattern.compile(
          "(?!.*(Head|EncoderDecoder|MT))\\w*Model"
              + "|\\w+For(Sequence|Token|Image|Audio)Classification"
              + "|\\w+For(QuestionAnswering|MultipleChoice)|ElectraForPreTraining");

  /** A config that says nothing: that of a model without a config.json. */
  public static final ModelConfig SILENT =
      new ModelConfig(
          Optional.empty(),
          List.of(),
          OptionalLong.empty(),
          OptionalLong.empty(),
          TieSetting.NO_CONFIG);

  /** The config of a file whose kind keeps input rows alone, such as word vectors. */
  public static final ModelConfig INPUT_ONLY =
      new ModelConfig(
          Optional.empty(),
          List.of(),
          OptionalLong.empty(),
          OptionalLong.empty(),
          TieSetting.INPUT_ONLY);

  /** The config of numbers alone, such as an array: nothing is known of the model. */
  public static final ModelConfig OPEN =
      new ModelConfig(
          Optional.empty(), List.of(), OptionalLong.empty(), OptionalLong.empty(), TieSetting.OPEN);

  /** Makes a config without notes. */
  public ModelConfig(
      Optional<String> modelType,
      List<String> architectures,
      OptionalLong vocabularySize,
      OptionalLong hiddenSize,
      TieSetting tie) {
    this(modelType, architectures, vocabularySize, hiddenSize, tie, List.of());
  }

  /** Returns this config with another word on the tie. */
  public ModelConfig withTie(TieSetting other) {
    return new ModelConfig(modelType, architectures, vocabularySize, hiddenSize, other, notes);
  }

  /** Copies the lists. */
  public ModelConfig {
    architectures = List.copyOf(architectures);
    notes = List.copyOf(notes);
  }

  /**
   * Reads a config.json.
   *
   * @throws dev.rowan.formats.file.FormatException if it is not a JSON object
   */
  public static ModelConfig read(Path path) throws IOException {
    try (MappedFile file = MappedFile.open(path)) {
      return read(path, file.bytes());
    }
  }

  /**
   * Reads the bytes of a config.json.
   *
   * @param path where they come from, for messages
   * @throws dev.rowan.formats.file.FormatException if they are not a JSON object
   */
  public static ModelConfig read(Path path, MemorySegment bytes) {
    Fields root = new Fields();
    Fields text = new Fields();
    JsonReader json = JsonReader.over(path, bytes, 0);
    json.enterObject("the config");
    while (json.nextName()) {
      String field = json.name();
      json.nextValue();
      if (json.isObject() && isTextConfig(field)) {
        while (json.nextName()) {
          String inner = json.name();
          json.nextValue();
          text.take(json, inner);
        }
      } else {
        root.take(json, field);
      }
    }
    json.end();
    return new ModelConfig(
        root.modelType.or(() -> text.modelType),
        root.architectures.isEmpty() ? text.architectures : root.architectures,
        root.vocabularySize.isPresent() ? root.vocabularySize : text.vocabularySize,
        root.hiddenSize.isPresent() ? root.hiddenSize : text.hiddenSize,
        TieSetting.of(root.tie, text.tie),
        RunTimeFactors.notes(
            root.modelType.or(() -> text.modelType),
            TieSetting.of(root.tie, text.tie),
            List.of(root.factors, text.factors)));
  }

  /** Returns what the model calls itself: its type, else its first architecture. */
  public Optional<String> architecture() {
    return modelType.or(() -> architectures.stream().findFirst());
  }

  /** Returns the architecture, if it says that the model ends without scores of tokens. */
  public Optional<String> withoutOutput() {
    return architectures.stream()
        .findFirst()
        .filter(name -> WITHOUT_OUTPUT.matcher(name).matches());
  }

  private static boolean isTextConfig(String field) {
    return switch (field) {
      case "text_config", "llm_config", "language_config" -> true;
      default -> false;
    };
  }

  private static final class Fields {
    private Optional<String> modelType = Optional.empty();
    private List<String> architectures = List.of();
    private OptionalLong vocabularySize = OptionalLong.empty();
    private OptionalLong hiddenSize = OptionalLong.empty();
    private Optional<Boolean> tie = Optional.empty();
    private final RunTimeFactors factors = new RunTimeFactors();

    void take(JsonReader json, String field) {
      switch (field) {
        case "model_type" -> {
          if (json.isText()) {
            modelType = Optional.of(json.text(field));
          } else {
            json.skip();
          }
        }
        case "architectures" -> architectures = texts(json);
        // GPT-2's original release says n_vocab
        case "vocab_size", "n_vocab" -> vocabularySize = size(json, vocabularySize);
        // GPT-2 and its kin say n_embd, T5 d_model
        case "hidden_size", "n_embd", "d_model" -> hiddenSize = size(json, hiddenSize);
        case "tie_word_embeddings" -> {
          if (json.isTrue() || json.isFalse()) {
            tie = Optional.of(json.isTrue());
          } else {
            json.skip();
          }
        }
        default -> factors.take(json, field);
      }
    }

    private static OptionalLong size(JsonReader json, OptionalLong before) {
      if (!json.isWhole()) {
        json.skip(); // a null, or a note of the author's
        return before;
      }
      return OptionalLong.of(json.whole("a size"));
    }

    private static List<String> texts(JsonReader json) {
      List<String> texts = new ArrayList<>();
      if (json.isArray()) {
        while (json.nextValue()) {
          if (json.isText()) {
            texts.add(json.text("architectures"));
          } else {
            json.skip();
          }
        }
      } else {
        json.skip();
      }
      return texts;
    }
  }
}

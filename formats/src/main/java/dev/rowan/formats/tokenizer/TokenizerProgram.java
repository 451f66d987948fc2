package dev.rowan.formats.tokenizer;

import dev.rowan.core.Spelling;
import dev.rowan.core.Vocabulary;
import dev.rowan.formats.file.MappedFile;
import dev.rowan.formats.file.UnsupportedFormatException;
import dev.rowan.formats.json.JsonTree;
import dev.rowan.formats.json.JsonTree.Elements;
import dev.rowan.formats.json.JsonTree.Literal;
import dev.rowan.formats.json.JsonTree.Members;
import dev.rowan.formats.json.JsonTree.Text;
import dev.rowan.formats.tokenizer.TokenizerModel.ByteLevelBpe;
import dev.rowan.formats.tokenizer.TokenizerModel.Form;
import dev.rowan.formats.tokenizer.TokenizerModel.Lead;
import dev.rowan.formats.tokenizer.TokenizerModel.LetterCase;
import dev.rowan.formats.tokenizer.TokenizerModel.WholeWord;
import dev.rowan.formats.tokenizer.TokenizerModel.WordPiece;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Reads a {@code tokenizer.json} as a {@link TokenizerModel}, for writers of other formats. Such a
 * file is a program, a chain of normalizers, pre-tokenizers and a model; those of the usual shapes
 * say what a model here says, others are refused with the step that is in the way.
 *
 * <p>Text itself is split by {@code dev.rowan.text.NativeTokenizer}, which runs any such program.
 */
public final class TokenizerProgram {
  private static final String MODEL = "model";

  private final Path path;
  private final Members root;
  private final Members model;
  private final Vocabulary vocabulary;
  private final List<String> notes = new ArrayList<>();

  private TokenizerProgram(Path path, Members root, Vocabulary vocabulary) {
    this.path = path;
    this.root = root;
    this.model = root.object(MODEL).orElseGet(Members::empty);
    this.vocabulary = vocabulary;
  }

  /**
   * What a program comes to.
   *
   * @param notes one sentence each on what the model leaves out
   */
  public record Reading(TokenizerModel model, List<String> notes) {
    /** Copies the notes. */
    public Reading {
      notes = List.copyOf(notes);
    }
  }

  /**
   * Reads a file. Cost: one pass over it for the tokens and one for the rest; memory some hundred
   * bytes a token.
   *
   * @throws dev.rowan.formats.file.FormatException if it is no such file
   * @throws UnsupportedFormatException if it does what no model here does
   */
  public static Reading read(Path path) throws IOException {
    try (MappedFile file = MappedFile.open(path)) {
      Vocabulary vocabulary = TokenizerJson.read(path, file.bytes());
      Members root = JsonTree.read(path, file.bytes());
      TokenizerProgram program = new TokenizerProgram(path, root, vocabulary);
      TokenizerModel model = program.read();
      return new Reading(model, program.notes);
    }
  }

  private TokenizerModel read() throws IOException {
    String type = model.text("type").orElse(model.find("merges").isPresent() ? "BPE" : "");
    return switch (type) {
      case "WordPiece" -> wordPiece();
      case "BPE" -> vocabulary.spelling() == Spelling.BYTE_LEVEL ? byteLevelBpe() : pieces().bpe();
      case "Unigram" -> pieces().unigram();
      default -> throw refused("a model of type \"%s\"".formatted(type));
    };
  }

  private ProgramPieces pieces() throws IOException {
    return new ProgramPieces(this, model, markers(vocabulary.id("<unk>")));
  }

  private WordPiece wordPiece() throws IOException {
    List<Members> normalizers = steps("normalizer");
    List<Members> cuts = steps("pre_tokenizer");
    if (normalizers.size() != 1 || !isType(normalizers.getFirst(), "BertNormalizer")) {
      throw refused("WordPiece without BertNormalizer");
    }
    if (cuts.size() != 1 || !isType(cuts.getFirst(), "BertPreTokenizer")) {
      throw refused("WordPiece without BertPreTokenizer");
    }
    Members rules = normalizers.getFirst();
    boolean lowered = truth(rules, "lowercase", true);
    if (!truth(rules, "clean_text", true)
        || !truth(rules, "handle_chinese_chars", true)
        || truth(rules, "strip_accents", lowered) != lowered) {
      throw refused("a BertNormalizer with settings of its own");
    }
    if (!model.text("continuing_subword_prefix").orElse("##").equals("##")
        || model.whole("max_input_chars_per_word").orElse(100) != 100) {
      throw refused("WordPiece with another prefix or length of words than BERT's");
    }
    OptionalInt unknown = vocabulary.id(model.text("unk_token").orElse("[UNK]"));
    return new WordPiece(
        vocabulary, lowered ? LetterCase.LOWERED : LetterCase.KEPT, unknown, markers(unknown));
  }

  private ByteLevelBpe byteLevelBpe() throws IOException {
    Form form = Form.KEPT;
    for (Members step : steps("normalizer")) {
      if (!isType(step, "NFC")) {
        throw refused("byte-level BPE with the normalizer \"%s\"".formatted(type(step)));
      }
      form = Form.NFC;
    }
    boolean whole = truth(model, "ignore_merges", false);
    List<Members> cuts = steps("pre_tokenizer");
    WordSplit split = ProgramCuts.split(cuts).orElseThrow(() -> refused("another way to cut text"));
    boolean led =
        cuts.stream()
            .filter(step -> isType(step, "ByteLevel"))
            .anyMatch(step -> truth(step, "add_prefix_space", true));
    return new ByteLevelBpe(
        vocabulary,
        Optional.of(merges()),
        split,
        whole ? WholeWord.TAKEN : WholeWord.MERGED,
        led ? Lead.SPACE_BEFORE : Lead.NONE,
        form,
        markers(OptionalInt.empty()));
  }

  /** Reads pairs, written as one text or as two. */
  Merges merges() {
    Merges.Collector merges = new Merges.Collector(vocabulary);
    Elements pairs = model.array("merges").orElseThrow(() -> refused("BPE without merges"));
    for (JsonTree pair : pairs.elements()) {
      try {
        switch (pair) {
          case Text(String text) -> merges.add(text);
          case Elements(List<JsonTree> two)
              when two.size() == 2
                  && two.get(0) instanceof Text(String first)
                  && two.get(1) instanceof Text(String second) ->
              merges.add(first, second);
          default -> throw refused("merges that are no pairs of texts");
        }
      } catch (IllegalArgumentException e) {
        throw refused("a merge that is none: " + e.getMessage());
      }
    }
    return merges.merges();
  }

  private TokenizerModel.Markers markers(OptionalInt unknown) throws IOException {
    return ProgramMarkers.read(path, root, vocabulary, unknown, notes);
  }

  Vocabulary vocabulary() {
    return vocabulary;
  }

  /** Returns the steps of a chain, those within a sequence too. */
  List<Members> steps(String name) {
    List<Members> steps = new ArrayList<>();
    root.object(name).ifPresent(step -> addSteps(step, steps));
    return steps;
  }

  static void addSteps(Members step, List<Members> steps) {
    if (!isType(step, "Sequence")) {
      steps.add(step);
      return;
    }
    for (String list : List.of("normalizers", "pretokenizers", "processors")) {
      step.array(list).map(Elements::elements).orElse(List.of()).stream()
          .filter(Members.class::isInstance)
          .map(Members.class::cast)
          .forEach(inner -> addSteps(inner, steps));
    }
  }

  static String type(Members step) {
    return step.text("type").orElse("");
  }

  static boolean isType(Members step, String type) {
    return type(step).equals(type);
  }

  /** Returns a setting; null counts as not given. */
  static boolean truth(Members step, String name, boolean missing) {
    return step.find(name)
        .filter(value -> value instanceof Literal && !value.equals(Literal.NULL))
        .map(value -> value.equals(Literal.truth(true)))
        .orElse(missing);
  }

  UnsupportedFormatException refused(String what) {
    return new UnsupportedFormatException(path, "has " + what);
  }

  void note(String note) {
    notes.add(note);
  }
}

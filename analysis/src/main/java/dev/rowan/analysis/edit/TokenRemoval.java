package dev.rowan.analysis.edit;

import dev.rowan.core.Vocabulary;
import dev.rowan.formats.json.JsonTree;
import dev.rowan.formats.json.JsonTree.Elements;
import dev.rowan.formats.json.JsonTree.Literal;
import dev.rowan.formats.json.JsonTree.Members;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What a tokenizer needs beside the tokens that are wanted, so that it still works and still splits
 * text made of those as it did.
 *
 * <p>WordPiece takes the longest token at each place: it chooses the same among fewer, if what it
 * chose is there. Unigram takes the tokens of the highest sum, which holds as long as its unknown
 * token keeps its places and its score. Byte-pair encoding needs the parts of each token, see
 * {@link MergeList}. All need added tokens, the one for unknown text, and the tokens of single
 * bytes.
 */
final class TokenRemoval {
  private final ModelFolder model;
  private final TextDrafts drafts;
  private final Vocabulary vocabulary;

  TokenRemoval(ModelFolder model, TextDrafts drafts, Vocabulary vocabulary) {
    this.model = model;
    this.drafts = drafts;
    this.vocabulary = vocabulary;
  }

  /**
   * Returns the ids that must stay if some are to.
   *
   * @throws IllegalArgumentException if the tokenizer is of a kind that cannot be rewritten
   */
  BitSet withNeeded(BitSet wanted) throws IOException {
    BitSet all = (BitSet) wanted.clone();
    for (int id = 0; id < vocabulary.size(); id++) {
      if (vocabulary.has(id) && (vocabulary.isAdded(id) || isByte(id))) {
        all.set(id);
      }
    }
    new ConfigEdit(model, drafts)
        .ids(id -> {
          if (vocabulary.has(id)) {
            all.set(Math.toIntExact(id));
          }
          return id;
        });
    List<Path> json = model.named("tokenizer.json");
    if (!json.isEmpty()) {
      needOf(drafts.json(json.getFirst()).orElseThrow(), json.getFirst(), all);
    } else if (!model.named("vocab.json").isEmpty() && !model.named("merges.txt").isEmpty()) {
      Path merges = model.named("merges.txt").getFirst();
      addParts(MergeList.ofLines(lines(merges)), all);
    } else if (model.named("vocab.txt").isEmpty()) {
      throw new IllegalArgumentException(
          "the model's tokenizer is of a kind from which tokens cannot be taken: only"
              + " tokenizer.json, vocab.json with merges.txt and vocab.txt can be rewritten, a"
              + " SentencePiece or tiktoken file alone cannot");
    }
    return all;
  }

  /**
   * Checks that tokens can be taken from the model's tokenizer.
   *
   * @throws IllegalArgumentException as {@link #withNeeded}
   */
  void checkCanRewrite() throws IOException {
    BitSet _ = withNeeded(new BitSet());
  }

  /** Whether a token stands for one byte, without which some text could not be written. */
  private boolean isByte(int id) {
    String stored = vocabulary.stored(id);
    return switch (vocabulary.spelling()) {
      case BYTE_LEVEL -> stored.codePointCount(0, stored.length()) == 1;
      case SENTENCEPIECE -> stored.matches("<0x[0-9A-Fa-f]{2}>");
      case WORDPIECE, PLAIN -> false;
    };
  }

  private void needOf(Members root, Path file, BitSet all) {
    Members model = root.object("model").orElseThrow();
    model.text("unk_token").ifPresent(token -> vocabulary.id(token).ifPresent(all::set));
    model.whole("unk_id").ifPresent(id -> all.set(Math.toIntExact(id)));
    if (model.array("merges").isPresent()) {
      try {
        addParts(merges(model), all);
      } catch (IllegalArgumentException e) {
        throw new IllegalArgumentException(
            "%s: %s, so tokens cannot be taken from it".formatted(file, e.getMessage()), e);
      }
    }
    model.array("vocab").ifPresent(pieces -> addLattice(pieces.elements(), all));
    boolean known = model.find("vocab").filter(v -> !(v instanceof Literal)).isPresent();
    if (!known) {
      throw new IllegalArgumentException(
          "%s has a model without a vocab, so tokens cannot be taken from it".formatted(file));
    }
  }

  /**
   * Unigram puts its unknown token where no piece of one character starts, at 10 below the least
   * score of all. So that both stay the same for text that is covered, the characters of what stays
   * must stay as pieces, and one piece of the least score.
   */
  private void addLattice(List<JsonTree> pieces, BitSet all) {
    Set<String> characters = new HashSet<>();
    int least = -1;
    double leastScore = Double.POSITIVE_INFINITY;
    for (int id = 0; id < pieces.size(); id++) {
      if (all.get(id) && vocabulary.has(id)) {
        vocabulary.stored(id).codePoints().mapToObj(Character::toString).forEach(characters::add);
      }
      double score = score(pieces.get(id));
      if (score < leastScore) {
        leastScore = score;
        least = id;
      }
    }
    for (int id = 0; id < pieces.size(); id++) {
      if (id == least || (vocabulary.has(id) && characters.contains(vocabulary.stored(id)))) {
        all.set(id);
      }
    }
  }

  /** Returns the score of a piece; that of what is no number counts as none. */
  private static double score(JsonTree piece) {
    if (piece instanceof Elements(List<JsonTree> pair)
        && pair.size() == 2
        && pair.get(1) instanceof Literal(String number)) {
      try {
        return Double.parseDouble(number);
      } catch (NumberFormatException _) {
        return Double.POSITIVE_INFINITY;
      }
    }
    return Double.POSITIVE_INFINITY;
  }

  static MergeList merges(Members model) {
    return MergeList.of(
        model.array("merges").orElseThrow(), model.text("continuing_subword_prefix").orElse(""));
  }

  private void addParts(MergeList merges, BitSet all) {
    Set<String> tokens = new HashSet<>();
    for (int id = all.nextSetBit(0); id >= 0; id = all.nextSetBit(id + 1)) {
      if (vocabulary.has(id)) {
        tokens.add(vocabulary.stored(id));
      }
    }
    for (String token : merges.withParts(tokens)) {
      vocabulary.id(token).ifPresent(all::set);
    }
  }

  /** Returns the lines of a merges.txt that are merges. */
  List<String> lines(Path file) throws IOException {
    return new String(drafts.text(file), StandardCharsets.UTF_8)
        .lines()
        .filter(TokenRemoval::isMerge)
        .toList();
  }

  static boolean isMerge(String line) {
    return !line.isEmpty() && !line.startsWith("#version");
  }

  /** Returns the first id that is needed but not among those that stay. */
  static Optional<Integer> firstMissing(BitSet needed, BitSet staying) {
    BitSet missing = (BitSet) needed.clone();
    missing.andNot(staying);
    int first = missing.nextSetBit(0);
    return first < 0 ? Optional.empty() : Optional.of(first);
  }
}

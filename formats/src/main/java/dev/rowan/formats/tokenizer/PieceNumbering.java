package dev.rowan.formats.tokenizer;

import dev.rowan.formats.tokenizer.TokenizerModel.Trim;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * How a model numbers the pieces of its SentencePiece file, where its Python class does so by a
 * rule of its own: some tokens first, then the pieces, each {@code offset} above its place in the
 * file, then some tokens more. XLM-RoBERTa, as fairseq did:
 *
 * <pre>
 *   id     0      1      2      3      4  5  …  n     n + 1
 *   token  &lt;s&gt;    &lt;pad&gt;  &lt;/s&gt;   &lt;unk&gt;  ,  .  …  last  &lt;mask&gt;
 *   piece                       0      3  4  …  n − 1          (1 and 2 are &lt;s&gt; and &lt;/s&gt;)
 * </pre>
 *
 * @param head the tokens of the first ids; a piece whose id would be among them is one of them or
 *     nothing
 * @param offset how far a piece's id lies above its place
 * @param unknown the id of the file's first piece, the unknown one, if it falls on the head
 * @param tail the tokens behind the pieces
 * @param named tokens that are found in text too, each where it stands, else behind all others
 * @param trims those of the tokens that take white space with them
 */
record PieceNumbering(
    List<String> head,
    int offset,
    int unknown,
    List<String> tail,
    List<String> named,
    Map<String, Trim> trims) {
  PieceNumbering {
    head = List.copyOf(head);
    tail = List.copyOf(tail);
    named = List.copyOf(named);
    trims = Map.copyOf(trims);
  }

  /** The ids are those of the file, but for tokens that are found in text. */
  static PieceNumbering asInFile(List<String> tail, List<String> named, Map<String, Trim> trims) {
    return new PieceNumbering(List.of(), 0, -1, tail, named, trims);
  }

  /** What fairseq's models begin with. */
  static PieceNumbering fairseq(List<String> tail) {
    return new PieceNumbering(
        List.of("<s>", "<pad>", "</s>", "<unk>"),
        1,
        3,
        tail,
        List.of(),
        Map.of("<mask>", Trim.BEFORE));
  }

  /** As fairseq, with other tokens first; what follows is not known by name. */
  static PieceNumbering fairseqFrom(List<String> head, int unknown) {
    return new PieceNumbering(head, 1, unknown, List.of(), List.of(), Map.of());
  }

  /** Returns this numbering without the tokens behind the pieces. */
  PieceNumbering withoutTail() {
    return new PieceNumbering(head, offset, unknown, List.of(), named, trims);
  }

  /** Returns the tokens that are found in text as they are written. */
  List<String> inText() {
    return Stream.of(head, tail, named).flatMap(List::stream).distinct().toList();
  }

  /** Returns how many pieces at the start of a file fall on the head. */
  int covered() {
    return Math.max(0, head.size() - offset);
  }

  /**
   * Returns whether a class puts a space in front of a text alone, and not behind an added token:
   * Llama's and T5's without their older behaviour, CodeLlama's and SeamlessM4T's.
   */
  static boolean leadsOnce(Path tokenizer, TokenizerConfig config) throws IOException {
    String key = config.savedClass(tokenizer).map(SavedClass::key).orElse("");
    Optional<Boolean> legacy = config.flag("legacy");
    if (key.startsWith("llama")) {
      return !legacy.orElse(false);
    }
    return NumberingRules.isT5(key)
        ? !legacy.orElse(true)
        : key.startsWith("seamlessm4t") || key.equals("codellama");
  }
}

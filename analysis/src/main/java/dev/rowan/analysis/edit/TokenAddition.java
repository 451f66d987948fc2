package dev.rowan.analysis.edit;

import dev.rowan.core.Vocabulary;
import dev.rowan.formats.json.JsonTree;
import dev.rowan.formats.json.JsonTree.Elements;
import dev.rowan.formats.json.JsonTree.Literal;
import dev.rowan.formats.json.JsonTree.Members;
import dev.rowan.formats.json.JsonTree.Text;
import dev.rowan.formats.tokenizer.TokenizerFile;
import dev.rowan.formats.tokenizer.TokenizerFile.PieceIds;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Writes new tokens into whatever tokenizer files a model has, as the libraries that read them
 * would have done.
 *
 * <pre>
 *   tokenizer.json         added_tokens
 *   tokenizer_config.json  added_tokens_decoder
 *   added_tokens.json      {"token": id}; made beside vocab.json, and beside a SentencePiece model whose
 *                          pieces the model numbers anew, since a further piece would move other ids
 *   vocab.txt              a line each, where there is no tokenizer.json
 *   a SentencePiece model  a piece "user defined" each, where there is no tokenizer.json
 * </pre>
 */
final class TokenAddition {
  private final TextDrafts drafts;
  private final Path tokenizer; // the folder whose tokenizer it is

  TokenAddition(TextDrafts drafts, Path tokenizer) {
    this.drafts = drafts;
    this.tokenizer = tokenizer;
  }

  /**
   * Gives new tokens their ids.
   *
   * @param vocabulary the tokens that there are, after other edits
   * @throws IllegalArgumentException if one is there already or occurs twice
   */
  static List<AddedToken> numbered(List<NewToken> tokens, Vocabulary vocabulary) {
    Map<String, Integer> lines = new HashMap<>();
    List<AddedToken> added = new ArrayList<>();
    for (int i = 0; i < tokens.size(); i++) {
      String text = tokens.get(i).text();
      var there = vocabulary.id(text);
      if (there.isPresent()) {
        throw new IllegalArgumentException(
            "\"%s\" is a token already, #%d; take it off the list"
                .formatted(text, there.getAsInt()));
      }
      Integer before = lines.put(text, i + 1);
      if (before != null) {
        throw new IllegalArgumentException(
            "the tokens %d and %d of the list are both \"%s\"; name it once"
                .formatted(before, i + 1, text));
      }
      added.add(new AddedToken(Math.addExact(vocabulary.size(), i), tokens.get(i)));
    }
    return added;
  }

  /**
   * Writes them down.
   *
   * @throws IllegalArgumentException if the model's tokenizer has no place for new tokens
   */
  void write(List<AddedToken> tokens) throws IOException {
    List<Path> json = drafts.named("tokenizer.json");
    for (Path file : json) {
      Members root = drafts.json(file).orElseThrow();
      checkNextId(root, file, tokens.getFirst().id());
      Elements added = elements(root, "added_tokens");
      for (AddedToken token : tokens) {
        added.elements().add(withId(token));
        drafts.change(file, "added_tokens", "", shown(token));
      }
    }
    boolean decoder = writeDecoder(tokens);
    if (json.isEmpty()) {
      writeElsewhere(tokens, decoder);
    } else {
      List<Path> places = drafts.named("added_tokens.json");
      boolean slow = !decoder && !drafts.named("vocab.json").isEmpty();
      for (Path file : slow && places.isEmpty() ? List.of(beside("vocab.json")) : places) {
        writeMap(file, tokens);
      }
    }
  }

  /** The library numbers added tokens itself, and so must we. */
  private static void checkNextId(Members root, Path file, int first) {
    long vocabulary =
        root.object("model")
            .flatMap(m -> m.find("vocab"))
            .map(vocab ->
                switch (vocab) {
                  case Members members -> (long) members.members().size();
                  case Elements elements -> (long) elements.elements().size();
                  case Text _, Literal _ -> 0L;
                })
            .orElse(0L);
    long next = vocabulary;
    for (JsonTree entry : root.array("added_tokens").map(Elements::elements).orElse(List.of())) {
      if (entry instanceof Members members) {
        next = Math.max(next, members.whole("id").orElse(-1) + 1);
      }
    }
    if (next != first) {
      throw new IllegalArgumentException(
          "%s leaves ids free: the tokenizers library would give the next token the id %d, but ids up to %d are taken; tokens cannot be added to it safely"
              .formatted(file, next, first - 1));
    }
  }

  private boolean writeDecoder(List<AddedToken> tokens) throws IOException {
    boolean written = false;
    for (Path file : drafts.named("tokenizer_config.json")) {
      Optional<Members> decoder = drafts.json(file).orElseThrow().object("added_tokens_decoder");
      if (decoder.isPresent()) {
        written = true;
        for (AddedToken token : tokens) {
          decoder.get().put(Integer.toString(token.id()), entry(token));
          drafts.change(file, "added_tokens_decoder", "", shown(token));
        }
      }
    }
    return written;
  }

  /** Without a tokenizer.json, older files say it all. */
  private void writeElsewhere(List<AddedToken> tokens, boolean decoder) throws IOException {
    Optional<Path> pieces =
        TokenizerFile.PIECES.stream().flatMap(name -> drafts.named(name).stream()).findFirst();
    if (!drafts.named("vocab.json").isEmpty()) {
      List<Path> places = drafts.named("added_tokens.json");
      writeMap(places.isEmpty() ? beside("vocab.json") : places.getFirst(), tokens);
    } else if (pieces.isPresent()) {
      besidePieces(pieces.get(), tokens, decoder);
    } else if (!drafts.named("vocab.txt").isEmpty()) {
      appendLines(drafts.named("vocab.txt").getFirst(), tokens);
    } else {
      throw new IllegalArgumentException(
          "the model's tokenizer has no place for new tokens that is known here (tokenizer.json, vocab.json, vocab.txt, a SentencePiece model); grow the table without naming tokens instead");
    }
  }

  private void besidePieces(Path pieces, List<AddedToken> tokens, boolean decoder)
      throws IOException {
    List<Path> places = drafts.named("added_tokens.json");
    PieceIds ids = TokenizerFile.of(tokenizer.resolve(pieces)).pieceIds();
    if (ids == PieceIds.NOT_KNOWN) {
      throw new IllegalArgumentException(
          "%s belongs to a model that numbers its pieces in a way that is not known here, so the ids of new tokens are not either; grow the table without naming tokens instead"
              .formatted(pieces));
    }
    if (!places.isEmpty()) {
      writeMap(places.getFirst(), tokens);
    } else if (!decoder && ids == PieceIds.BY_CLASS) {
      writeMap(pieces.resolveSibling("added_tokens.json"), tokens);
    } else if (!decoder) {
      appendPieces(pieces, tokens);
    }
  }

  private Path beside(String name) {
    return drafts.named(name).getFirst().resolveSibling("added_tokens.json");
  }

  private void writeMap(Path file, List<AddedToken> tokens) throws IOException {
    Optional<Members> there = drafts.json(file);
    Members map = there.isPresent() ? there.get() : drafts.newJson(file);
    for (AddedToken token : tokens) {
      map.put(token.token().text(), Literal.of(token.id()));
      drafts.change(file, "token", "", shown(token));
    }
  }

  private void appendLines(Path file, List<AddedToken> tokens) throws IOException {
    ByteArrayOutputStream lines = new ByteArrayOutputStream();
    byte[] old = drafts.text(file);
    lines.writeBytes(old);
    if (old.length > 0 && old[old.length - 1] != '\n') {
      lines.write('\n');
    }
    int count = count(lines.toByteArray());
    if (count != tokens.getFirst().id()) {
      throw new IllegalArgumentException(
          "%s has %,d lines but the next id is %d, so a further line would name another row"
              .formatted(file, count, tokens.getFirst().id()));
    }
    for (AddedToken token : tokens) {
      if (token.token().text().matches("(?s).*[\\n\\r].*")) {
        throw new IllegalArgumentException(
            "a token with a line break cannot stand in %s".formatted(file));
      }
      lines.writeBytes((token.token().text() + "\n").getBytes(StandardCharsets.UTF_8));
      drafts.change(file, "line", "", shown(token));
    }
    drafts.text(file, lines.toByteArray());
  }

  private static int count(byte[] text) {
    int lines = 0;
    for (byte b : text) {
      if (b == '\n') {
        lines++;
      }
    }
    return lines;
  }

  /** Repeated fields of a protobuf message may stand anywhere in it, so pieces go to its end. */
  private void appendPieces(Path file, List<AddedToken> tokens) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    bytes.writeBytes(drafts.text(file));
    for (AddedToken token : tokens) {
      byte[] text = token.token().text().getBytes(StandardCharsets.UTF_8);
      ByteArrayOutputStream piece = new ByteArrayOutputStream();
      piece.write(0x0A); // field 1, the piece
      varint(piece, text.length);
      piece.writeBytes(text);
      piece.writeBytes(new byte[] {0x15, 0, 0, 0, 0}); // field 2, the score: 0
      piece.writeBytes(new byte[] {0x18, 4}); // field 3, the type: user defined
      bytes.write(0x0A); // field 1 of the model
      varint(bytes, piece.size());
      bytes.writeBytes(piece.toByteArray());
      drafts.change(file, "piece", "", shown(token));
    }
    drafts.text(file, bytes.toByteArray());
  }

  private static void varint(ByteArrayOutputStream out, int value) {
    int rest = value;
    while (rest > 0x7F) {
      out.write((rest & 0x7F) | 0x80);
      rest >>>= 7;
    }
    out.write(rest);
  }

  /** A special token is found in text as it is written, others after normalisation. */
  private static Members entry(AddedToken token) {
    return settings(Members.empty(), token);
  }

  private static Members withId(AddedToken token) {
    return settings(Members.empty().put("id", Literal.of(token.id())), token);
  }

  private static Members settings(Members members, AddedToken token) {
    return members
        .put("content", new Text(token.token().text()))
        .put("single_word", Literal.truth(false))
        .put("lstrip", Literal.truth(false))
        .put("rstrip", Literal.truth(false))
        .put("normalized", Literal.truth(!token.isSpecial()))
        .put("special", Literal.truth(token.isSpecial()));
  }

  private static Elements elements(Members root, String name) {
    return root.array(name)
        .orElseGet(() -> {
          Elements made = new Elements(new ArrayList<>());
          root.put(name, made);
          return made;
        });
  }

  private static String shown(AddedToken token) {
    return "\"%s\" #%d%s"
        .formatted(token.token().text(), token.id(), token.isSpecial() ? ", special" : "");
  }
}

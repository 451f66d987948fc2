package dev.rowan.formats.tokenizer;

import dev.rowan.core.Vocabulary;
import dev.rowan.formats.file.FormatException;
import dev.rowan.formats.file.MappedFile;
import dev.rowan.formats.file.UnsupportedFormatException;
import dev.rowan.formats.json.JsonReader;
import dev.rowan.formats.tokenizer.TokenizerModel.ByteLevelBpe;
import dev.rowan.formats.tokenizer.TokenizerModel.CleanedPieces;
import dev.rowan.formats.tokenizer.TokenizerModel.Lead;
import dev.rowan.formats.tokenizer.TokenizerModel.Markers;
import dev.rowan.formats.tokenizer.TokenizerModel.NamedPieces;
import dev.rowan.formats.tokenizer.TokenizerModel.SentencePiece;
import dev.rowan.formats.tokenizer.TokenizerModel.TextRules;
import dev.rowan.formats.tokenizer.TokenizerModel.Trim;
import dev.rowan.formats.tokenizer.TokenizerModel.WordList;
import dev.rowan.formats.tokenizer.TokenizerModel.WordPiece;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Tokens that were given to a tokenizer after its file was made. Transformers keeps them beside it
 * and finds them in text before anything else is done.
 *
 * <pre>
 *   tokenizer_config.json   {"added_tokens_decoder": {"1000": {"content": "&lt;x&gt;", "special": true, …}, …}, …}
 *   added_tokens.json       {"&lt;x&gt;": 1000, …}
 * </pre>
 */
final class AddedTokens {
  private static final String NAME = "added_tokens.json";

  private final Path path;
  private final TokenizerConfig config;
  private final TreeMap<Integer, String> tokens = new TreeMap<>();
  private final Set<Integer> userDefined = new HashSet<>();
  private final Map<Integer, Trim> trims = new HashMap<>();

  private AddedTokens(Path path, TokenizerConfig config) {
    this.path = path;
    this.config = config;
  }

  /**
   * Reads those beside a tokenizer file; none if there are none.
   *
   * @throws FormatException if a file is wrong
   */
  static AddedTokens beside(Path tokenizer) throws IOException {
    TokenizerConfig config = TokenizerConfig.beside(tokenizer);
    AddedTokens added = new AddedTokens(tokenizer, config);
    Path file = tokenizer.resolveSibling(NAME);
    if (Files.isRegularFile(file)) {
      try (MappedFile mapped = MappedFile.open(file)) {
        added.readNames(JsonReader.over(file, mapped.bytes(), 0));
      }
    }
    for (TokenizerConfig.Added token : config.added()) {
      added.tokens.put(token.id(), token.content());
      token.trim().ifPresent(trim -> added.trims.put(token.id(), trim));
      if (!token.special()) {
        added.userDefined.add(token.id());
      } else {
        added.userDefined.remove(token.id());
      }
    }
    return added;
  }

  private void readNames(JsonReader json) {
    json.enterObject("the added tokens");
    while (json.nextName()) {
      String token = json.name();
      json.nextValue();
      long id = json.whole("the id of a token");
      if (id < 0 || id >= Integer.MAX_VALUE) {
        throw json.wrong(
            "the id of \"%s\" is %d; it should lie in [0, 2^31 − 1)".formatted(token, id));
      }
      tokens.put((int) id, token);
      userDefined.add((int) id);
    }
    json.end();
  }

  /**
   * Returns a vocabulary with these tokens too.
   *
   * @throws FormatException if their ids lie far beyond it
   */
  Vocabulary onto(Vocabulary vocabulary) {
    if (tokens.isEmpty()) {
      return vocabulary;
    }
    int last = tokens.lastKey();
    if (TokenList.isExcessive(last, vocabulary.tokens() + tokens.size())) {
      throw new FormatException(
          path,
          "has a token with the id %,d added beside it, though there are only %,d tokens; ids that sparse are not supported"
              .formatted(last, vocabulary.tokens()));
    }
    byte[][] entries = new byte[Math.max(vocabulary.size(), last + 1)][];
    BitSet absent = new BitSet();
    BitSet added = new BitSet();
    for (int id = 0; id < entries.length; id++) {
      String token = tokens.get(id);
      boolean own = vocabulary.has(id);
      absent.set(id, token == null && !own);
      added.set(id, token != null || (own && vocabulary.isAdded(id)));
      byte[] ownBytes = own ? vocabulary.bytes(id) : new byte[0];
      entries[id] = token == null || (own && !differs(vocabulary, id)) ? ownBytes : utf8(token);
    }
    Vocabulary all = Vocabulary.of(vocabulary.spelling(), entries, absent, added);
    List<String> notes = new ArrayList<>(vocabulary.notes());
    List<Integer> moved = tokens.keySet().stream().filter(id -> differs(vocabulary, id)).toList();
    if (!moved.isEmpty()) {
      int id = moved.getFirst();
      notes.add(
          "the files beside the tokenizer give the id %d to \"%s\", not to \"%s\": the model's ids may be others than its tokenizer file has, and rows then have names of their neighbours; name the model's tokenizer.json"
              .formatted(id, tokens.get(id), vocabulary.stored(id)));
    }
    return all.withNotes(notes);
  }

  /** Returns whether an added token takes the id of another. */
  private boolean differs(Vocabulary vocabulary, int id) {
    String token = tokens.get(id);
    return token != null
        && vocabulary.has(id)
        && !Arrays.equals(vocabulary.bytes(id), utf8(token))
        && !vocabulary.text(id).equals(token); // byte-level spelling writes a space as Ġ
  }

  /**
   * Returns a tokenizer with these tokens too.
   *
   * @throws UnsupportedFormatException if they take the ids of other tokens, as where a model's ids
   *     were moved against those of its tokenizer file
   */
  TokenizerModel onto(TokenizerModel model) throws IOException {
    boolean changed = model instanceof SentencePiece && PieceNumbering.leadsOnce(path, config);
    if (tokens.isEmpty() && model.markers().inText().isEmpty() && !changed) {
      return model;
    }
    Vocabulary before = model.vocabulary();
    tokens.forEach((id, token) -> {
      if (differs(before, id)) {
        throw new UnsupportedFormatException(
            path,
            "has the token \"%s\" for the id %d, where what lies beside it says \"%s\"; the ids of the model are others, so text cannot be split by it here; use the model's tokenizer.json"
                .formatted(before.stored(id), id, token));
      }
    });
    Vocabulary all = onto(before);
    Markers markers = onto(model.markers());
    return switch (model) {
      case ByteLevelBpe bpe ->
          new ByteLevelBpe(
              all, bpe.merges(), bpe.split(), bpe.wholeWord(), bpe.lead(), bpe.form(), markers);
      case SentencePiece pieces ->
          new SentencePiece(
              all, pieces.choice(), pieces(pieces.pieces(), all), rules(pieces), markers);
      case CleanedPieces cleaned ->
          new CleanedPieces((SentencePiece) onto(cleaned.pieces()), cleaned.cleaning());
      case NamedPieces named ->
          new NamedPieces(all, named.pieces(), named.unknown(), named.code(), markers);
      case WordPiece pieces -> new WordPiece(all, pieces.letterCase(), pieces.unknown(), markers);
      case WordList words -> new WordList(all, words.unknown(), markers);
    };
  }

  private Markers onto(Markers markers) {
    Set<Integer> inText = new TreeSet<>(markers.inText());
    inText.addAll(tokens.keySet());
    Set<Integer> users = new HashSet<>(markers.userDefined());
    users.addAll(userDefined);
    Map<Integer, Trim> all = new HashMap<>(markers.trims());
    config.added().forEach(token -> all.remove(token.id())); // theirs is the last word
    all.putAll(trims);
    return new Markers(
        List.copyOf(inText), markers.before(), markers.after(), markers.roles(), users, all);
  }

  private Pieces pieces(Pieces before, Vocabulary all) {
    float[] scores = new float[all.size()];
    Pieces.Kind[] kinds = new Pieces.Kind[all.size()];
    for (int id = 0; id < kinds.length; id++) {
      boolean old = id < before.count();
      scores[id] = old ? before.score(id) : 0;
      if (old) {
        kinds[id] = before.kind(id);
      } else if (!all.has(id)) {
        kinds[id] = Pieces.Kind.UNUSED;
      } else {
        kinds[id] = userDefined.contains(id) ? Pieces.Kind.USER_DEFINED : Pieces.Kind.CONTROL;
      }
    }
    return Pieces.of(scores, kinds);
  }

  private TextRules rules(SentencePiece pieces) throws IOException {
    TextRules rules = pieces.rules();
    if (rules.lead() != Lead.SPACE_BEFORE || !PieceNumbering.leadsOnce(path, config)) {
      return rules;
    }
    boolean leads = config.flag("add_prefix_space").orElse(true);
    return new TextRules(
        rules.charsmap(), leads ? Lead.SPACE_AT_START : Lead.SPACE_KEPT, rules.spaces());
  }

  /** Returns the id that a token was given. */
  OptionalInt id(String token) {
    return tokens.entrySet().stream()
        .filter(entry -> entry.getValue().equals(token))
        .mapToInt(Map.Entry::getKey)
        .findFirst();
  }

  /** Returns the token that was given an id. */
  Optional<String> token(int id) {
    return Optional.ofNullable(tokens.get(id));
  }

  /** Returns the first id behind a place and behind all that were given. */
  int freeFrom(int id) {
    return tokens.isEmpty() ? id : Math.max(id, tokens.lastKey() + 1);
  }

  TokenizerConfig config() {
    return config;
  }

  private static byte[] utf8(String token) {
    return token.getBytes(StandardCharsets.UTF_8);
  }
}

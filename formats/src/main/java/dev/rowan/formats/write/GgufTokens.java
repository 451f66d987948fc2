package dev.rowan.formats.write;

import dev.rowan.core.Spelling;
import dev.rowan.core.Vocabulary;
import dev.rowan.formats.gguf.PhantomSpaces;
import dev.rowan.formats.tokenizer.Merges;
import dev.rowan.formats.tokenizer.Pieces;
import dev.rowan.formats.tokenizer.TokenizerModel;
import dev.rowan.formats.tokenizer.TokenizerModel.ByteLevelBpe;
import dev.rowan.formats.tokenizer.TokenizerModel.CleanedPieces;
import dev.rowan.formats.tokenizer.TokenizerModel.Form;
import dev.rowan.formats.tokenizer.TokenizerModel.Lead;
import dev.rowan.formats.tokenizer.TokenizerModel.LetterCase;
import dev.rowan.formats.tokenizer.TokenizerModel.Markers;
import dev.rowan.formats.tokenizer.TokenizerModel.NamedPieces;
import dev.rowan.formats.tokenizer.TokenizerModel.PieceChoice;
import dev.rowan.formats.tokenizer.TokenizerModel.Role;
import dev.rowan.formats.tokenizer.TokenizerModel.SentencePiece;
import dev.rowan.formats.tokenizer.TokenizerModel.Spaces;
import dev.rowan.formats.tokenizer.TokenizerModel.WordList;
import dev.rowan.formats.tokenizer.TokenizerModel.WordPiece;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;

/**
 * The tokens of a GGUF file, and the keys that tell llama.cpp and {@code GgufTokenizer} how to
 * split text into them. A tokenizer that the keys cannot describe is left out with a note; then
 * tokens name rows, no more.
 */
final class GgufTokens {
  private static final String PREFIX = "tokenizer.ggml.";

  /**
   * What stands where the name of the rules does. Without it WordPiece would look complete, since
   * its rules are few and have defaults.
   */
  private static final String RULES_LEFT_OUT = "none";

  private final Source source;
  private final GgufKeys keys;
  private final Optional<TokenizerModel> model;
  private final int count;

  private GgufTokens(Source source, GgufKeys keys, Optional<TokenizerModel> model) {
    this.source = source;
    this.keys = keys;
    this.model = model;
    this.count = Math.toIntExact(source.rows());
  }

  static void write(Source source, GgufKeys keys, Optional<TokenizerModel> model) {
    Optional<TokenizerModel> kept = model.filter(known -> isHeld(known, source));
    GgufTokens out = new GgufTokens(source, keys, kept);
    out.tokens();
    kept.ifPresentOrElse(out::rules, () -> keys.text(PREFIX + "pre", RULES_LEFT_OUT));
    kept.ifPresent(known -> noteOtherIds(known, source));
    if (kept.isEmpty() && model.isEmpty()) {
      source.note("the rules for splitting text were not written: tokens name rows, no more");
    }
  }

  /** Returns whether the keys can describe a tokenizer; notes why not. */
  private static boolean isHeld(TokenizerModel model, Source source) {
    Optional<String> reason =
        switch (model) {
          case ByteLevelBpe bpe when bpe.merges().isEmpty() -> Optional.of("has no list of merges");
          case ByteLevelBpe bpe ->
              bpe.split().ggufName(bpe.wholeWord()).isPresent()
                  ? Optional.empty()
                  : Optional.of("cuts text into words in a way without a name there");
          case SentencePiece pieces when pieces.rules().lead() == Lead.SPACE_AFTER ->
              Optional.of("writes spaces behind words");
          case SentencePiece pieces
              when pieces.choice() == PieceChoice.BPE
                  && (pieces.rules().charsmap().byteSize() > 0
                      || pieces.rules().spaces() != Spaces.KEPT) ->
              Optional.of("is SentencePiece BPE that changes text first");
          case CleanedPieces _ -> Optional.of("cleans text first");
          case NamedPieces _ -> Optional.of("gives pieces the ids of a list of its own");
          case SentencePiece _, WordPiece _, WordList _ -> Optional.empty();
        };
    reason.ifPresent(why ->
        source.note(
            "gguf cannot hold the rules for splitting text, since the tokenizer %s: tokens name rows, no more"
                .formatted(why)));
    return reason.isEmpty();
  }

  /** Says where text is split otherwise than by a tokenizer whose rules are written. */
  private static void noteOtherIds(TokenizerModel model, Source source) {
    model.markers().trims().keySet().stream()
        .min(Integer::compare)
        .ifPresent(id ->
            source.note(
                "added tokens such as \"%s\" take the white space beside them away; what was written leaves it to the text"
                    .formatted(model.vocabulary().stored(id))));
    switch (model) {
      case ByteLevelBpe bpe when bpe.form() == Form.NFC ->
          source.note(
              "the tokenizer brings text to Unicode's NFC form first; what was written does not, so give it text in that form");
      case SentencePiece pieces when pieces.rules().lead() == Lead.SPACE_AT_START ->
          source.note(
              "the tokenizer puts a space in front of a text alone; what was written does so behind added tokens too");
      case SentencePiece pieces when pieces.rules().lead() == Lead.SPACE_KEPT ->
          source.note(
              "the tokenizer keeps a space in front of a text, which readers of what was written may drop");
      case SentencePiece pieces when pieces.rules().lead() == Lead.SPACE_BEFORE ->
          IntStream.range(0, pieces.pieces().count())
              .filter(id -> pieces.pieces().kind(id) == Pieces.Kind.USER_DEFINED)
              .filter(id -> !pieces.markers().inText().contains(id))
              .findFirst()
              .ifPresent(id ->
                  source.note(
                      "gguf takes user-defined tokens, such as \"%s\", out of a text first, and what follows one gets a space in front: a text that holds one can have other ids than SentencePiece gives it"
                          .formatted(pieces.vocabulary().stored(id))));
      case ByteLevelBpe _,
          SentencePiece _,
          CleanedPieces _,
          NamedPieces _,
          WordPiece _,
          WordList _ -> {}
    }
  }

  private void tokens() {
    Spelling spelling = source.vocabulary().spelling();
    keys.text(PREFIX + "model", model.map(GgufTokens::name).orElseGet(() -> name(spelling)));
    keys.texts(
        PREFIX + "tokens",
        count,
        row -> {
          byte[] token = source.token(row);
          if (token == null) {
            return GgufKeys.utf8("[PAD" + row + "]");
          }
          return spelling == Spelling.WORDPIECE
              ? PhantomSpaces.write(token, source.isAdded(row))
              : token;
        });
    Set<Integer> userDefined =
        model.map(TokenizerModel::markers).orElse(Markers.NONE).userDefined();
    keys.numbers(PREFIX + "token_type", count, row -> type(row, userDefined));
  }

  private int type(int row, Set<Integer> userDefined) {
    if (source.token(row) == null) {
      return Pieces.Kind.UNUSED.number();
    }
    if (model.isPresent() && model.get() instanceof SentencePiece pieces) {
      return pieces.pieces().kind(row).number();
    }
    if (!source.isAdded(row)) {
      return Pieces.Kind.NORMAL.number();
    }
    return (userDefined.contains(row) ? Pieces.Kind.USER_DEFINED : Pieces.Kind.CONTROL).number();
  }

  private static String name(TokenizerModel model) {
    return switch (model) {
      case ByteLevelBpe _ -> "gpt2";
      case SentencePiece pieces ->
          switch (pieces.choice()) {
            case BPE -> "llama";
            case UNIGRAM -> "t5";
          };
      case CleanedPieces cleaned -> name(cleaned.pieces());
      case NamedPieces named -> name(named.pieces());
      case WordPiece _ -> "bert";
      case WordList _ -> "none";
    };
  }

  private static String name(Spelling spelling) {
    return switch (spelling) {
      case BYTE_LEVEL -> "gpt2";
      case WORDPIECE -> "bert";
      case SENTENCEPIECE -> "llama";
      case PLAIN -> "none";
    };
  }

  private void rules(TokenizerModel model) {
    switch (model) {
      case ByteLevelBpe bpe -> byteLevel(bpe);
      case SentencePiece pieces -> pieces(pieces);
      case WordPiece pieces -> {
        keys.text(PREFIX + "pre", "default");
        boolean lowered = pieces.letterCase() == LetterCase.LOWERED;
        keys.truth(PREFIX + "normalizer.lowercase", lowered);
        keys.truth(PREFIX + "normalizer.strip_accents", lowered);
      }
      case CleanedPieces _, NamedPieces _, WordList _ -> {}
    }
    roles(model);
  }

  private void byteLevel(ByteLevelBpe bpe) {
    Merges merges = bpe.merges().orElseThrow();
    Vocabulary vocabulary = bpe.vocabulary();
    keys.text(PREFIX + "pre", bpe.split().ggufName(bpe.wholeWord()).orElseThrow());
    keys.texts(
        PREFIX + "merges",
        merges.count(),
        rank ->
            GgufKeys.utf8(
                vocabulary.stored(merges.left(rank))
                    + " "
                    + vocabulary.stored(merges.right(rank))));
    keys.truth(PREFIX + "add_space_prefix", bpe.lead() == Lead.SPACE_BEFORE);
    frame(bpe.markers());
  }

  private void pieces(SentencePiece pieces) {
    keys.text(PREFIX + "pre", "default");
    keys.floats(
        PREFIX + "scores",
        count,
        row ->
            Float.floatToRawIntBits(
                row < pieces.pieces().count() ? pieces.pieces().score(row) : 0));
    keys.truth(
        PREFIX + "add_space_prefix",
        pieces.rules().lead() != Lead.NONE && pieces.rules().lead() != Lead.SPACE_KEPT);
    if (pieces.choice() == PieceChoice.UNIGRAM) {
      keys.truth(PREFIX + "remove_extra_whitespaces", pieces.rules().spaces() == Spaces.COLLAPSED);
      byte[] charsmap = pieces.rules().charsmap().toArray(ValueLayout.JAVA_BYTE);
      if (charsmap.length > 0) {
        keys.octets(PREFIX + "precompiled_charsmap", charsmap);
      }
    }
    frame(pieces.markers());
  }

  private void frame(Markers markers) {
    keys.truth(PREFIX + "add_bos_token", !markers.before().isEmpty());
    keys.truth(PREFIX + "add_eos_token", !markers.after().isEmpty());
  }

  private void roles(TokenizerModel model) {
    Markers markers = model.markers();
    boolean words = model instanceof WordPiece;
    for (Role role : new TreeSet<>(Set.of(Role.values()))) {
      Optional<Integer> id = Optional.ofNullable(markers.roles().get(role));
      // what frames a text is what the keys of the frame must name
      if (role == (words ? Role.CLASS : Role.START)) {
        id = first(markers.before()).or(() -> Optional.ofNullable(markers.roles().get(role)));
      } else if (role == (words ? Role.SEPARATOR : Role.END)) {
        id = first(markers.after()).or(() -> Optional.ofNullable(markers.roles().get(role)));
      } else if (role == Role.UNKNOWN && model instanceof WordPiece pieces) {
        id = pieces.unknown().isPresent() ? Optional.of(pieces.unknown().getAsInt()) : id;
      }
      id.ifPresent(known -> keys.number(PREFIX + role.ggufName() + "_token_id", known));
    }
    if (markers.before().size() > 1 || markers.after().size() > 1) {
      source.note("gguf frames a text by one token at each end; the others were not written");
    }
  }

  private static Optional<Integer> first(List<Integer> ids) {
    return ids.stream().findFirst();
  }
}

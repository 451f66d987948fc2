package dev.rowan.app.answers;

import dev.rowan.core.Lexicon;
import dev.rowan.core.Vocabulary;
import dev.rowan.formats.safetensors.StoredTokens;
import dev.rowan.text.Form;
import dev.rowan.text.Resolution;
import dev.rowan.text.Resolution.Candidate;
import dev.rowan.text.Resolution.Several;
import dev.rowan.text.Resolution.Single;
import dev.rowan.text.Resolution.Unknown;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** Tokens of a lexicon as text: names for people, and messages for words that are no token. */
public final class Asked {
  private final Lexicon lexicon;

  public Asked(Lexicon lexicon) {
    this.lexicon = lexicon;
  }

  /** Returns a row's token as plain text, for JSON. */
  public String text(long id) {
    return lexicon.text(id);
  }

  /** Returns a row's token with its spaces visible; just "row" if there is no vocabulary. */
  public String name(long id) {
    return lexicon.vocabulary().isEmpty() ? "row" : Shown.token(lexicon.text(id));
  }

  /** Returns what tells a row where its id does not stand beside it: its token, else the id. */
  public String only(long id) {
    return lexicon.vocabulary().isEmpty() ? "#" + id : name(id);
  }

  /** Returns the row that a word means. */
  public Candidate single(Resolution resolution) {
    return switch (resolution) {
      case Single s -> s.token();
      case Several s -> throw new IllegalArgumentException(message(s));
      case Unknown u -> throw new IllegalArgumentException(message(u));
    };
  }

  /** Returns the message for a word of several tokens. */
  public String message(Several several) {
    return "%s is not one token but %d: %s%s; ask for the mean of its rows with near --mean, or for one of its tokens"
        .formatted(
            Shown.quoted(several.typed()),
            several.pieces().size(),
            pieces(several.pieces()),
            didYouMean(several.nearest()));
  }

  /** Returns the message for a word that is no token. */
  public String message(Unknown unknown) {
    return "no token %s: %s%s%s"
        .formatted(
            Shown.quoted(unknown.typed()),
            unknown.reason(),
            didYouMean(unknown.nearest()),
            unseen());
  }

  /** Returns why a word without a row has no vector, where training made n-grams for that. */
  private String unseen() {
    return lexicon.origin().notes().stream()
        .filter(note -> note.startsWith(StoredTokens.UNSEEN))
        .findFirst()
        .map(note -> "; " + note)
        .orElse("");
  }

  /** Returns tokens and ids side by side. */
  public String pieces(List<Long> ids) {
    return ids.stream().map(id -> name(id) + " #" + id).collect(Collectors.joining(", "));
  }

  private String didYouMean(List<Long> nearest) {
    return nearest.isEmpty()
        ? ""
        : " (did you mean %s?)"
            .formatted(nearest.stream().map(this::name).collect(Collectors.joining(", ")));
  }

  /** Returns a remark on which spelling a word was taken for; empty if it was taken as typed. */
  public Optional<String> choice(Single single) {
    Candidate token = single.token();
    boolean asTyped =
        (token.form() == Form.EXACT && !isPartOfCharacter(token.id()))
            || token.form() == Form.ID
            || (token.form() == Form.BARE && !spellsSpaces());
    return asTyped
        ? Optional.empty()
        : Optional.of(
            "%s taken as %s #%d (%s)"
                .formatted(
                    Shown.quoted(single.typed()),
                    name(token.id()),
                    token.id(),
                    token.form().label()));
  }

  /** Returns how a word was respelled, where its row is that of another case or of no accents. */
  public Optional<String> respelled(Single single) {
    return switch (single.token().form()) {
      case OTHER_CASE, SPACE_OTHER_CASE, OTHER_ACCENTS, SPACE_OTHER_ACCENTS ->
          Optional.of(single.token().form().label());
      case ID, EXACT, SPACE, BARE, CONTINUATION, ENCODED -> Optional.empty();
    };
  }

  /** Returns whether a token is bytes that are no text alone; who typed its string sees that. */
  private boolean isPartOfCharacter(long id) {
    return lexicon.text(id).indexOf('\uFFFD') >= 0;
  }

  /** Returns what to say where {@code #ID} was typed and a token is spelled like that too. */
  public Optional<String> shadowed(Single single) {
    Candidate token = single.token();
    return token.form() != Form.ID || single.others().isEmpty()
        ? Optional.empty()
        : Optional.of(
            "%s taken as row %d (%s); for the token that is spelled like that type %s"
                .formatted(
                    Shown.quoted(single.typed()),
                    token.id(),
                    name(token.id()),
                    single.others().stream()
                        .map(other -> "#" + other.id())
                        .collect(Collectors.joining(" or "))));
  }

  /** Returns {@link #choice} and the other tokens that the word could have meant. */
  public Optional<String> remark(Single single) {
    if (single.token().form() == Form.ID) {
      return shadowed(single);
    }
    Optional<String> choice = choice(single);
    if (single.others().isEmpty()) {
      return choice;
    }
    return Optional.of(choice.map(taken -> taken + "; ").orElse("") + others(single.others()));
  }

  /** Returns a remark on tokens that a word could have meant instead. */
  private String others(List<Candidate> others) {
    return (others.size() == 1 ? "other spelling: " : "other spellings: ")
        + pieces(others.stream().map(Candidate::id).toList());
  }

  private boolean spellsSpaces() {
    return lexicon
        .vocabulary()
        .map(Vocabulary::spelling)
        .map(spelling ->
            switch (spelling) {
              case BYTE_LEVEL, SENTENCEPIECE -> true;
              case WORDPIECE, PLAIN -> false;
            })
        .orElse(false);
  }
}

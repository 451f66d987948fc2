package dev.rowan.formats.tokenizer;

import dev.rowan.core.Vocabulary;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/**
 * What a tokenizer file says about turning text into ids, whatever the file: the algorithm, its
 * tables and its rules. Readers fill it, the module {@code dev.rowan.text} runs it.
 *
 * <p>Immutable and safe for any number of threads.
 */
public sealed interface TokenizerModel {

  /** Returns the tokens. */
  Vocabulary vocabulary();

  /** Returns the tokens that stand outside the algorithm. */
  Markers markers();

  /** A part that a token plays in a model. */
  enum Role {
    /** In front of a text. */
    START("bos"),
    /** Behind a text. */
    END("eos"),
    /** For text that no token covers. */
    UNKNOWN("unknown"),
    /** Between two texts. */
    SEPARATOR("seperator"), // as llama.cpp spells it
    /** Fills a batch. */
    PADDING("padding"),
    /** In front of a text that is to be classified. */
    CLASS("cls"),
    /** For a word that is to be guessed. */
    MASK("mask");

    private final String ggufName;

    Role(String ggufName) {
      this.ggufName = ggufName;
    }

    /** Returns what GGUF files call it, as in {@code tokenizer.ggml.bos_token_id}. */
    public String ggufName() {
      return ggufName;
    }
  }

  /** The white space that an added token takes away with it when it is found in text. */
  enum Trim {
    /** That in front of it. */
    BEFORE,
    /** That behind it. */
    BEHIND,
    /** Both. */
    AROUND;

    static Optional<Trim> of(boolean before, boolean behind) {
      if (before && behind) {
        return Optional.of(AROUND);
      }
      if (before) {
        return Optional.of(BEFORE);
      }
      return behind ? Optional.of(BEHIND) : Optional.empty();
    }
  }

  /**
   * Tokens that stand outside the algorithm.
   *
   * @param inText ids of added tokens that are found in text as they are written, before anything
   *     else is done to it; the longest wins
   * @param before ids that a model wants in front of its text
   * @param after ids that a model wants behind it
   * @param roles what the file says of single tokens, for those who write another file
   * @param userDefined those of {@code inText} that are words of a user rather than marks
   * @param trims those of {@code inText} that take white space with them
   */
  record Markers(
      List<Integer> inText,
      List<Integer> before,
      List<Integer> after,
      Map<Role, Integer> roles,
      Set<Integer> userDefined,
      Map<Integer, Trim> trims) {
    /** No such tokens. */
    public static final Markers NONE = new Markers(List.of(), List.of(), List.of());

    /** Copies the collections. */
    public Markers {
      inText = List.copyOf(inText);
      before = List.copyOf(before);
      after = List.copyOf(after);
      roles = Map.copyOf(roles);
      userDefined = Set.copyOf(userDefined);
      trims = Map.copyOf(trims);
    }

    /** Markers that leave the white space around them. */
    public Markers(
        List<Integer> inText,
        List<Integer> before,
        List<Integer> after,
        Map<Role, Integer> roles,
        Set<Integer> userDefined) {
      this(inText, before, after, roles, userDefined, Map.of());
    }

    /** Markers of which no more is known. */
    public Markers(List<Integer> inText, List<Integer> before, List<Integer> after) {
      this(inText, before, after, Map.of(), Set.of());
    }

    /** Returns these markers with what is known of single tokens. */
    public Markers with(Map<Role, Integer> roles, Set<Integer> userDefined) {
      return new Markers(inText, before, after, roles, userDefined, trims);
    }
  }

  /** What is added to a text before it is split. */
  enum Lead {
    /** Nothing. */
    NONE,
    /** A space in front, so that the first word looks like any other. */
    SPACE_BEFORE,
    /** As SPACE_BEFORE at the start of a text; behind an added token only what the text has. */
    SPACE_AT_START,
    /** Nothing, but a space that starts a text or follows an added token stays. */
    SPACE_KEPT,
    /** A space behind, for models that write spaces at the end of words. */
    SPACE_AFTER;

    /** Returns whether text is looked at as Python's classes do without their older behaviour. */
    public boolean isPythons() {
      return this == SPACE_AT_START || this == SPACE_KEPT;
    }
  }

  /** What happens to a word that is a token as it stands. */
  enum WholeWord {
    /** It is built by merges like any other, which need not lead to that token. */
    MERGED,
    /** It is that token. */
    TAKEN
  }

  /** What happens to characters that Unicode can write in several ways. */
  enum Form {
    /** They stay as they are. */
    KEPT,
    /** They are brought to the composed form NFC before anything else, but for added tokens. */
    NFC
  }

  /**
   * Byte-level BPE (Radford et al. 2019): text is cut into words, the bytes of a word are joined
   * pair by pair.
   *
   * @param vocabulary the tokens, in byte-level spelling
   * @param merges the pairs that may be joined, the first of the list first; empty if any two
   *     tokens may whose bytes together are a token, the lowest id first, as tiktoken does
   * @param split how text is cut into words
   * @param wholeWord what happens to a word that is a token
   * @param lead {@link Lead#SPACE_BEFORE} if a text that starts with no space is given one
   * @param form what happens to characters that can be written in several ways
   * @param markers tokens outside the algorithm
   */
  record ByteLevelBpe(
      Vocabulary vocabulary,
      Optional<Merges> merges,
      WordSplit split,
      WholeWord wholeWord,
      Lead lead,
      Form form,
      Markers markers)
      implements TokenizerModel {
    /** A tokenizer that takes characters as they are. */
    public ByteLevelBpe(
        Vocabulary vocabulary,
        Optional<Merges> merges,
        WordSplit split,
        WholeWord wholeWord,
        Lead lead,
        Markers markers) {
      this(vocabulary, merges, split, wholeWord, lead, Form.KEPT, markers);
    }
  }

  /** How a SentencePiece model chooses pieces. */
  enum PieceChoice {
    /** Neighbours are joined while the joint piece exists, the highest score first. */
    BPE,
    /** The pieces whose scores have the highest sum (Kudo 2018). */
    UNIGRAM
  }

  /**
   * SentencePiece (Kudo and Richardson 2018).
   *
   * @param vocabulary the tokens, {@code ▁} for a space
   * @param choice how pieces are chosen
   * @param pieces score and kind of each
   * @param rules what is done to text first
   * @param markers tokens outside the algorithm
   */
  record SentencePiece(
      Vocabulary vocabulary, PieceChoice choice, Pieces pieces, TextRules rules, Markers markers)
      implements TokenizerModel {}

  /** What ALBERT's class does to text besides. */
  enum Cleaning {
    /** White space of any kind and length becomes one space. */
    SPACES,
    /** Characters are taken apart (NFKD) and lose their accents. */
    ACCENTS,
    /** Letters become small, but those of added tokens. */
    CAPITALS
  }

  /**
   * SentencePiece with what ALBERT's class does around it: text is cleaned, pairs of {@code `} and
   * {@code '} become {@code "}, and a piece that ends with a digit and a comma is split once more.
   *
   * @param pieces what is run on the text then
   * @param cleaning how text is cleaned
   */
  record CleanedPieces(SentencePiece pieces, Set<Cleaning> cleaning) implements TokenizerModel {
    /** Copies the set. */
    public CleanedPieces {
      cleaning = Set.copyOf(cleaning);
    }

    @Override
    public Vocabulary vocabulary() {
      return pieces.vocabulary();
    }

    @Override
    public Markers markers() {
      return pieces.markers();
    }
  }

  /** Whether a text may name a language first. */
  enum LanguageCode {
    /** It is text as any other. */
    NONE,
    /** What a text begins with, up to {@code <<}, is one token: {@code >>fra<<}. */
    ANGLED
  }

  /**
   * SentencePiece whose pieces have ids of a list beside it: a piece has the id of the token that
   * is spelled like it, and so has a run of text that no piece covers.
   *
   * @param vocabulary the list
   * @param pieces what chooses pieces; its ids are places in its own file
   * @param unknown the id of what the list does not have
   * @param code whether a text may name a language first
   * @param markers tokens outside the algorithm, with ids of the list
   */
  record NamedPieces(
      Vocabulary vocabulary, SentencePiece pieces, int unknown, LanguageCode code, Markers markers)
      implements TokenizerModel {}

  /** What happens to runs of spaces. */
  enum Spaces {
    /** They stay as they are. */
    KEPT,
    /** Those at both ends go and those inside become one. */
    COLLAPSED
  }

  /**
   * What SentencePiece does to text before it chooses pieces.
   *
   * @param charsmap the precompiled table of replacements: u32 size of a double-array trie in
   *     bytes, the trie, then replacements that each end with a zero byte; empty bytes for none
   * @param lead where a space is added
   * @param spaces what happens to runs of spaces
   */
  record TextRules(MemorySegment charsmap, Lead lead, Spaces spaces) {
    private static final ValueLayout.OfInt SIZE =
        ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    /**
     * Checks the table.
     *
     * @throws IllegalArgumentException if the size of its trie does not fit its bytes
     */
    public TextRules {
      long bytes = charsmap.byteSize();
      long trie = bytes < 4 ? -1 : charsmap.get(SIZE, 0) & 0xFFFF_FFFFL;
      if (bytes > 0 && (trie < 0 || trie % 4 != 0 || trie > bytes - 4)) {
        throw new IllegalArgumentException(
            "has a table of replacements of %,d bytes with a trie of %,d; the file is damaged, copy it again"
                .formatted(bytes, trie));
      }
    }

    /** No replacements. */
    public static TextRules plain(Lead lead, Spaces spaces) {
      return new TextRules(MemorySegment.ofArray(new byte[0]), lead, spaces);
    }
  }

  /** Whether capitals and accents count. */
  enum LetterCase {
    /** Text is taken as it is. */
    KEPT,
    /** Letters become small and lose their accents. */
    LOWERED
  }

  /**
   * WordPiece (Schuster and Nakajima 2012) as in BERT: text is cut at spaces and punctuation, each
   * word is covered from the left by the longest tokens there are.
   *
   * @param vocabulary the tokens, {@code ##} in front of one that continues a word
   * @param letterCase whether capitals and accents count
   * @param unknown the id of a word that cannot be covered
   * @param markers tokens outside the algorithm
   */
  record WordPiece(
      Vocabulary vocabulary, LetterCase letterCase, OptionalInt unknown, Markers markers)
      implements TokenizerModel {}

  /**
   * A list of whole words: text is cut at white space and each word looked up as it is.
   *
   * @param vocabulary the words
   * @param unknown the id of a word that is not there; if empty it is left out
   * @param markers tokens outside the algorithm
   */
  record WordList(Vocabulary vocabulary, OptionalInt unknown, Markers markers)
      implements TokenizerModel {}
}

package dev.rowan.formats.tokenizer;

import dev.rowan.core.Vocabulary;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.OptionalInt;

/** The pairs of tokens that byte-pair encoding may join, in order of preference. Immutable. */
public final class Merges {
  private final int[] left;
  private final int[] right;
  private final int[] joined;

  private Merges(int[] left, int[] right, int[] joined) {
    this.left = left;
    this.right = right;
    this.joined = joined;
  }

  /** Returns how many pairs there are. */
  public int count() {
    return joined.length;
  }

  /** Returns the id of the first token of a pair. */
  public int left(int rank) {
    return left[rank];
  }

  /** Returns the id of the second token of a pair. */
  public int right(int rank) {
    return right[rank];
  }

  /** Returns the id of the token that a pair is joined to. */
  public int joined(int rank) {
    return joined[rank];
  }

  /** Collects pairs in the order of a file. Not for several threads at once. */
  public static final class Collector {
    private final Vocabulary vocabulary;
    private int[] left = new int[1024];
    private int[] right = new int[1024];
    private int[] joined = new int[1024];
    private int count;

    /** Starts with no pairs, of the tokens of a vocabulary. */
    public Collector(Vocabulary vocabulary) {
      this.vocabulary = vocabulary;
    }

    /**
     * Adds a pair as files write it: two spellings with one space between them.
     *
     * @throws IllegalArgumentException if it is not written so, or the vocabulary lacks one of the
     *     two tokens or the joint one
     */
    public void add(String pair) {
      // a token may itself be a space, so the one that separates is never the first character
      int space = pair.indexOf(' ', 1);
      if (space < 0 || space == pair.length() - 1 || pair.indexOf(' ', space + 1) >= 0) {
        throw new IllegalArgumentException(
            "\"%s\" is not two tokens with one space between them".formatted(pair));
      }
      add(pair.substring(0, space), pair.substring(space + 1));
    }

    /**
     * Adds a pair.
     *
     * @throws IllegalArgumentException if the vocabulary lacks one of the two tokens or the joint
     *     one
     */
    public void add(String first, String second) {
      String pair = first + " " + second;
      if (count == left.length) {
        left = Arrays.copyOf(left, 2 * count);
        right = Arrays.copyOf(right, 2 * count);
        joined = Arrays.copyOf(joined, 2 * count);
      }
      left[count] = id(first, pair);
      right[count] = id(second, pair);
      joined[count++] = id(first + second, pair);
    }

    private int id(String token, String pair) {
      OptionalInt id = vocabulary.id(token.getBytes(StandardCharsets.UTF_8));
      return id.orElseThrow(() ->
          new IllegalArgumentException(
              "\"%s\" needs the token \"%s\", which the vocabulary does not have"
                  .formatted(pair, token)));
    }

    /** Returns the pairs. */
    public Merges merges() {
      return new Merges(
          Arrays.copyOf(left, count), Arrays.copyOf(right, count), Arrays.copyOf(joined, count));
    }
  }
}

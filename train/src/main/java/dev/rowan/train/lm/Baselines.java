package dev.rowan.train.lm;

import java.util.Arrays;

/**
 * What counting alone reaches: the yardsticks of a language model.
 *
 * <p>Unigram: counts plus one. Trigram: interpolated Kneser–Ney with one discount for each order, D
 * = n₁ / (n₁ + 2·n₂), n₁ and n₂ being how many n-grams came once and twice (Ney, Essen and Kneser
 * 1994; Chen and Goodman 1998), the lowest order mixed with the uniform distribution. Two markers
 * stand before a sentence.
 */
final class Baselines {
  private static final int BITS = 21;
  private static final long MASK = (1L << BITS) - 1;

  private final int vocabulary;
  private final long[] unigrams;
  private final long total;
  private final Counts trigrams;
  private final Counts bigrams;
  private final long[] endings;
  private final long bigramTypes;
  private final double lowestDiscount;
  private final long endingTypes;

  private Baselines(LanguageText text) {
    vocabulary = text.marker() + 1;
    if (vocabulary > MASK) {
      throw new IllegalArgumentException(
          "%,d words are too many for the trigram baseline; %,d is the most"
              .formatted(vocabulary - 1, MASK - 1));
    }
    unigrams = new long[vocabulary];
    long[] keys = new long[text.places()];
    long[] before = new long[2];
    for (int p = 0; p < keys.length; p++) {
      text.context(p, 2, before, 0);
      unigrams[text.target(p)]++;
      keys[p] = key(before[1], before[0], text.target(p));
    }
    total = keys.length;
    trigrams = Counts.of(keys);
    long[] pairs = new long[trigrams.keys.length];
    for (int i = 0; i < pairs.length; i++) {
      pairs[i] = trigrams.keys[i] & (MASK << BITS | MASK); // without the first word
    }
    bigrams = Counts.of(pairs);
    endings = new long[vocabulary];
    for (long pair : bigrams.keys) {
      endings[(int) (pair & MASK)]++;
    }
    bigramTypes = bigrams.keys.length;
    lowestDiscount = discount(endings);
    endingTypes = Arrays.stream(endings).filter(n -> n > 0).count();
  }

  /** Counts a text. */
  static Baselines of(LanguageText training) {
    return new Baselines(training);
  }

  private static long key(long first, long second, long third) {
    return first << (2 * BITS) | second << BITS | third;
  }

  private static double discount(long[] counts) {
    long once = Arrays.stream(counts).filter(n -> n == 1).count();
    long twice = Arrays.stream(counts).filter(n -> n == 2).count();
    return once + 2 * twice == 0 ? 0.5 : Math.min(0.99, once / (double) (once + 2 * twice));
  }

  /** Returns the probability of a token whatever stands before it. */
  double unigram(int token) {
    return (unigrams[token] + 1.0) / (total + vocabulary);
  }

  /** Returns the probability of a token after two others. */
  double trigram(int first, int second, int token) {
    double lower = bigram(second, token);
    Group group = trigrams.group(key(first, second, 0), BITS);
    if (group.total() == 0) {
      return lower;
    }
    double d = trigrams.discount;
    double own = Math.max(trigrams.count(key(first, second, token)) - d, 0) / group.total();
    return own + d * group.types() / group.total() * lower;
  }

  private double bigram(int second, int token) {
    double uniform = 1.0 / vocabulary;
    double lowest =
        Math.max(endings[token] - lowestDiscount, 0) / bigramTypes
            + lowestDiscount * endingTypes / bigramTypes * uniform;
    Group group = bigrams.group((long) second << BITS, BITS);
    if (group.total() == 0) {
      return lowest;
    }
    double d = bigrams.discount;
    double own = Math.max(bigrams.count((long) second << BITS | token) - d, 0) / group.total();
    return own + d * group.types() / group.total() * lowest;
  }

  /** Measures counting single tokens on a text. */
  Perplexity unigramOn(LanguageText text) {
    double loss = 0;
    for (int p = 0; p < text.places(); p++) {
      loss -= Math.log(unigram(text.target(p)));
    }
    return new Perplexity(loss, text.places());
  }

  /** Measures counting three tokens on a text. */
  Perplexity trigramOn(LanguageText text) {
    double loss = 0;
    long[] before = new long[2];
    for (int p = 0; p < text.places(); p++) {
      text.context(p, 2, before, 0);
      loss -= Math.log(trigram((int) before[1], (int) before[0], text.target(p)));
    }
    return new Perplexity(loss, text.places());
  }

  /** What follows a context: how often in all, and how many different tokens. */
  private record Group(long total, int types) {}

  /** Keys in order, each with how often it came. */
  private static final class Counts {
    private final long[] keys;
    private final int[] counts;
    private final long[] sums; // of the counts before each place
    private final double discount;

    private Counts(long[] keys, int[] counts) {
      this.keys = keys;
      this.counts = counts;
      this.sums = new long[counts.length + 1];
      for (int i = 0; i < counts.length; i++) {
        sums[i + 1] = sums[i] + counts[i];
      }
      this.discount = Baselines.discount(Arrays.stream(counts).asLongStream().toArray());
    }

    /** Counts; sorts the argument. */
    static Counts of(long[] all) {
      Arrays.parallelSort(all);
      int types = 0;
      for (int i = 0; i < all.length; i++) {
        types += i == 0 || all[i] != all[i - 1] ? 1 : 0;
      }
      long[] keys = new long[types];
      int[] counts = new int[types];
      int at = -1;
      for (int i = 0; i < all.length; i++) {
        if (i == 0 || all[i] != all[i - 1]) {
          keys[++at] = all[i];
        }
        counts[at]++;
      }
      return new Counts(keys, counts);
    }

    int count(long key) {
      int at = Arrays.binarySearch(keys, key);
      return at < 0 ? 0 : counts[at];
    }

    /** Sums the keys that begin as {@code prefix} does, whose lower {@code bits} are zero. */
    Group group(long prefix, int bits) {
      int from = place(prefix);
      int to = place(prefix + (1L << bits));
      return new Group(sums[to] - sums[from], to - from);
    }

    private int place(long key) {
      int at = Arrays.binarySearch(keys, key);
      return at < 0 ? -at - 1 : at;
    }
  }
}

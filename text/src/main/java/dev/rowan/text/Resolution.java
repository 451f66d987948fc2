package dev.rowan.text;

import java.util.List;

/** What a typed word turned out to be. */
public sealed interface Resolution {
  /** Returns the word as it was typed. */
  String typed();

  /**
   * A token that the word can mean.
   *
   * @param id its row
   * @param form its spelling
   */
  record Candidate(long id, Form form) {}

  /**
   * The word is one token.
   *
   * @param token the one that is used
   * @param others further tokens that the word could have meant, likeliest first
   */
  record Single(String typed, Candidate token, List<Candidate> others) implements Resolution {
    /** Copies the list. */
    public Single {
      others = List.copyOf(others);
    }
  }

  /**
   * The word is no token, but the tokenizer splits it into several.
   *
   * @param pieces their ids, in order, two or more
   * @param nearest ids of tokens spelled almost like the word, nearest first
   */
  record Several(String typed, List<Long> pieces, List<Long> nearest) implements Resolution {
    /** Copies the lists. */
    public Several {
      pieces = List.copyOf(pieces);
      nearest = List.copyOf(nearest);
    }
  }

  /**
   * The word is no token and cannot be split, or {@code #ID} is no row.
   *
   * @param reason one sentence: what is wrong, the legal range
   * @param nearest ids of tokens spelled almost like the word, nearest first
   */
  record Unknown(String typed, String reason, List<Long> nearest) implements Resolution {
    /** Copies the list. */
    public Unknown {
      nearest = List.copyOf(nearest);
    }
  }
}

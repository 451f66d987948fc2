package dev.rowan.app.answers;

import dev.rowan.core.Lexicon;
import dev.rowan.core.Table;
import dev.rowan.core.Vocabulary;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.CancellationException;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/**
 * The rows whose token matches a regular expression, found within a time limit: an expression that
 * backtracks without end is stopped, not waited for.
 */
public final class TokenFilter {
  /** Enough for ordinary expressions over a million tokens. */
  public static final Duration MOST = Duration.ofSeconds(5);

  private TokenFilter() {}

  /**
   * Returns the ids of matching tokens, ascending.
   *
   * @param expression in the syntax of {@link Pattern}; it matches if it is found anywhere in the
   *     token's text
   * @param most how long it may take, all tokens together
   * @throws IllegalArgumentException if the expression is wrong or takes too long, or there is no
   *     vocabulary
   * @throws CancellationException if the calling thread is interrupted
   */
  public static long[] matching(Lexicon lexicon, Table table, String expression, Duration most) {
    Pattern pattern = compile(expression);
    Vocabulary vocabulary =
        lexicon
            .vocabulary()
            .orElseThrow(() ->
                new IllegalArgumentException(
                    "this table has no vocabulary, so there are no tokens to filter; name one with"
                        + " --tokenizer"));
    long deadline = System.nanoTime() + most.toNanos();
    long[] ids = new long[16];
    int count = 0;
    long end = Math.min(table.rows(), vocabulary.size());
    try {
      for (long id = 0; id < end; id++) {
        if (vocabulary.has(id)
            && pattern.matcher(new Watched(vocabulary.text(id), deadline)).find()) {
          if (count == ids.length) {
            ids = Arrays.copyOf(ids, 2 * count);
          }
          ids[count++] = id;
        }
      }
    } catch (TooLongException | StackOverflowError e) {
      throw new IllegalArgumentException(
          "%s took more than %d s; write it without nested repetitions"
              .formatted(Shown.quoted(expression), most.toSeconds()),
          e);
    }
    return Arrays.copyOf(ids, count);
  }

  private static Pattern compile(String expression) {
    try {
      return Pattern.compile(expression, Pattern.UNICODE_CHARACTER_CLASS);
    } catch (PatternSyntaxException e) {
      throw new IllegalArgumentException(
          "%s is no regular expression: %s, near position %d"
              .formatted(Shown.quoted(expression), e.getDescription(), e.getIndex()),
          e);
    }
  }

  private static final class TooLongException extends IllegalStateException {
    private static final long serialVersionUID = 1;
  }

  /** Text that stops being read at a deadline. A matcher reads it character by character. */
  private static final class Watched implements CharSequence {
    private static final int BETWEEN_LOOKS = 1024;

    private final String text;
    private final long deadline;
    private int reads;

    Watched(String text, long deadline) {
      this.text = text;
      this.deadline = deadline;
      look(); // short tokens never come to the next look
    }

    private void look() {
      if (System.nanoTime() - deadline > 0) {
        throw new TooLongException();
      }
      if (Thread.currentThread().isInterrupted()) {
        throw new CancellationException("interrupted while filtering tokens");
      }
    }

    @Override
    public char charAt(int index) {
      if (++reads % BETWEEN_LOOKS == 0) {
        look();
      }
      return text.charAt(index);
    }

    @Override
    public int length() {
      return text.length();
    }

    @Override
    public CharSequence subSequence(int start, int end) {
      return text.substring(start, end);
    }

    @Override
    public String toString() {
      return text;
    }
  }
}

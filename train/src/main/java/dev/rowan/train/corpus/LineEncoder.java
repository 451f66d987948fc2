package dev.rowan.train.corpus;

import dev.rowan.formats.file.FormatException;
import dev.rowan.formats.json.JsonReader;
import dev.rowan.text.Tokenizer.SpecialTokens;
import dev.rowan.train.corpus.Corpus.Broken;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Turns the text of blocks into ids; one worker's own. */
interface LineEncoder {
  /** Counts and numbers what is in a block. */
  void encode(Block.Text text);

  /** As {@link #encode}; what is wrong with a line is told with the line's number. */
  default void encodeNumbered(Block.Text text) throws IOException {
    try {
      encode(text);
    } catch (FormatException e) {
      if (e.offset().isEmpty()) {
        throw e;
      }
      throw e.inLine(text.line(e.offset().getAsLong()));
    }
  }

  /** Returns the ids of the last block, {@link WordScanner#SENTENCE_END} between sentences. */
  int[] ids();

  /** Returns how many different ids there are so far. */
  int words();

  /** Sets anew how often each id came. */
  void recount(long[] counts);

  /** Words between white space. */
  record Words(WordScanner scanner) implements LineEncoder {
    @Override
    public void encode(Block.Text text) {
      scanner.clear();
      scanner.scan(text.bytes(), text.start(), text.end(), text.stop());
    }

    @Override
    public int[] ids() {
      return scanner.ids();
    }

    @Override
    public int words() {
      return scanner.words().size();
    }

    @Override
    public void recount(long[] counts) {
      scanner.words().recount(counts);
    }
  }

  /** Words of one member of a JSON object a line. */
  record JsonLines(WordScanner scanner, String field) implements LineEncoder {
    @Override
    public void encode(Block.Text text) {
      scanner.clear();
      forEachLine(
          text,
          (from, to) -> {
            byte[] words = field(text, from, to);
            byte[] padded = Arrays.copyOf(words, words.length + WordScanner.PADDING);
            Arrays.fill(padded, words.length, padded.length, (byte) ' ');
            int began = scanner.count();
            scanner.scan(padded, 0, words.length, words.length);
            scanner.endDocument(began);
          });
    }

    @Override
    public int[] ids() {
      return scanner.ids();
    }

    @Override
    public int words() {
      return scanner.words().size();
    }

    @Override
    public void recount(long[] counts) {
      scanner.words().recount(counts);
    }

    private byte[] field(Block.Text text, int from, int to) {
      MemorySegment line = MemorySegment.ofArray(text.bytes()).asSlice(from, to - (long) from);
      JsonReader json = JsonReader.over(text.file(), line, text.origin() + from);
      json.enterObject("a line");
      byte[] found = null;
      while (json.nextName()) {
        boolean wanted = json.name().equals(field);
        json.nextValue();
        if (wanted) {
          found = json.textBytes("the field \"" + field + "\"");
        } else {
          json.skip();
        }
      }
      json.end();
      if (found == null) {
        throw new FormatException(
            text.file(),
            text.origin() + from,
            "this line has no field \"%s\"; name the field that holds the text".formatted(field));
      }
      return found;
    }
  }

  /** Tokens of a model. */
  final class Tokens implements LineEncoder {
    private final Corpus.Form.Tokens form;
    private final long[] counts;
    private final Broken broken;
    private int[] ids = new int[1 << 16];
    private int count;
    private long lines;
    private long brokenLines;

    Tokens(Corpus.Form.Tokens form, Broken broken) {
      this.form = form;
      this.broken = broken;
      this.counts = new long[form.vocabulary().size()];
    }

    /** Returns how often each token came. */
    long[] counts() {
      return counts;
    }

    /** Returns how many lines there were. */
    long lines() {
      return lines;
    }

    /** Returns how many lines were not UTF-8. */
    long brokenLines() {
      return brokenLines;
    }

    @Override
    public void encode(Block.Text text) {
      count = 0;
      forEachLine(text, (from, to) -> line(text, from, to));
    }

    @Override
    public int[] ids() {
      return Arrays.copyOf(ids, count);
    }

    @Override
    public int words() {
      return counts.length;
    }

    @Override
    public void recount(long[] anew) {
      System.arraycopy(anew, 0, counts, 0, counts.length);
    }

    private void line(Block.Text text, int from, int to) {
      String line = new String(text.bytes(), from, to - from, StandardCharsets.UTF_8);
      lines++;
      if (line.indexOf('\uFFFD') >= 0 && !isWhole(line, text.bytes(), from, to)) {
        brokenLines++;
        switch (broken) {
          case REPLACED -> {}
          case DROPPED -> {
            return;
          }
          case REFUSED ->
              throw new FormatException(
                  text.file(),
                  text.origin() + from,
                  "this line is not UTF-8; convert the text (iconv), or let such lines be replaced or dropped (--bad-utf8)");
        }
      }
      long[] tokens = form.tokenizer().encode(line, SpecialTokens.OMIT);
      if (ids.length - count <= tokens.length) {
        ids = Arrays.copyOf(ids, Math.max(2 * ids.length, count + tokens.length + 1));
      }
      for (long token : tokens) {
        if (token < counts.length) { // a tokenizer may know tokens that have no row
          counts[(int) token]++;
          ids[count++] = (int) token;
        }
      }
      ids[count++] = WordScanner.SENTENCE_END;
    }
  }

  private static boolean isWhole(String text, byte[] bytes, int from, int to) {
    byte[] again = text.getBytes(StandardCharsets.UTF_8);
    return Arrays.equals(again, 0, again.length, bytes, from, to);
  }

  /** Takes the bytes of a line. */
  interface Line {
    void take(int from, int to);
  }

  private static void forEachLine(Block.Text text, Line line) {
    byte[] bytes = text.bytes();
    int from = text.start();
    while (from < text.end()) {
      int to = from;
      while (to < text.stop() && bytes[to] != '\n') {
        to++;
      }
      int end = to > from && bytes[to - 1] == '\r' ? to - 1 : to;
      if (!isBlank(bytes, from, end)) {
        line.take(from, end);
      }
      from = to + 1;
    }
  }

  private static boolean isBlank(byte[] bytes, int from, int to) {
    for (int i = from; i < to; i++) {
      if (bytes[i] < 0 || bytes[i] > ' ') {
        return false;
      }
    }
    return true;
  }
}

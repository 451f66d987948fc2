package dev.rowan.train.corpus;

import dev.rowan.formats.file.FormatException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;

/**
 * Blocks of a stream, which can only be read from front to back: whoever asks for a block reads it,
 * the others wait, and scanning goes on beside that.
 */
final class StreamBlocks implements Blocks {
  private final String name;
  private final InputStream in;
  private final FileBlocks.Cut cut;
  private byte[] rest = new byte[0]; // the beginning of a word or line that the last block left
  private long origin;
  private long lines; // before that, where they are records
  private boolean ended;

  StreamBlocks(String name, InputStream in, FileBlocks.Cut cut) {
    this.name = name;
    this.in = in;
    this.cut = cut;
  }

  @Override
  public synchronized Optional<Block> next() throws IOException {
    if (ended) {
      return Optional.empty();
    }
    ended = true; // for others, should reading fail
    byte[] bytes =
        Arrays.copyOf(rest, Math.max(BLOCK_BYTES, 2 * rest.length) + WordScanner.PADDING);
    int stop = rest.length;
    int end;
    while (true) {
      int limit = bytes.length - WordScanner.PADDING;
      int count = in.readNBytes(bytes, stop, limit - stop);
      stop += count;
      ended = stop < limit;
      if (origin == 0) {
        checkText(bytes, stop);
      }
      end = ended ? stop : lastCut(bytes, stop);
      if (ended || end > 0) {
        break;
      }
      if (cut == FileBlocks.Cut.WORDS) {
        int blanks = blanksAtEnd(bytes, stop);
        if (blanks == stop) {
          end = stop; // a word of megabytes: it is left out, in however many pieces
          break;
        }
        bytes[blanks] = lineFeedOrBlank(bytes, blanks, stop); // megabytes of blanks: one will do
        stop = blanks + 1;
        continue;
      }
      if (stop > FileBlocks.MOST_LINE_BYTES) {
        throw new IllegalArgumentException(
            "%s: line %,d, which starts at byte %,d, is longer than %,d bytes; is it JSON lines?"
                .formatted(name, 1 + lines, origin, FileBlocks.MOST_LINE_BYTES));
      }
      bytes = Arrays.copyOf(bytes, 2 * bytes.length);
    }
    rest = Arrays.copyOfRange(bytes, end, stop);
    Arrays.fill(bytes, end, end + WordScanner.PADDING, (byte) ' ');
    int start = origin == 0 ? FileBlocks.afterMark(bytes, end) : 0;
    long size = ended ? origin + end : Long.MAX_VALUE;
    long before = lines;
    Block.Text text =
        new Block.Text(Path.of(name), origin, bytes, start, end, end, size, () -> before);
    origin += end;
    if (cut == FileBlocks.Cut.LINES) { // nobody asks where text is no more than words
      lines += Block.lineFeeds(bytes, 0, end);
    }
    return Optional.of(_ -> text);
  }

  private void checkText(byte[] bytes, int stop) {
    NotText.why(bytes, stop)
        .ifPresent(why -> {
          throw new FormatException(Path.of(name), why);
        });
  }

  /**
   * Returns where the last line starts, or the last word: blanks belong to the word before them,
   * since a line may end among them.
   */
  private int lastCut(byte[] bytes, int stop) {
    boolean words = cut == FileBlocks.Cut.WORDS;
    int end = words ? stop - 1 : stop;
    while (end > 0 && !(cut.isAt(bytes[end - 1]) && !(words && cut.isAt(bytes[end])))) {
      end--;
    }
    return Math.max(0, end);
  }

  private int blanksAtEnd(byte[] bytes, int stop) {
    int blanks = stop;
    while (blanks > 0 && cut.isAt(bytes[blanks - 1])) {
      blanks--;
    }
    return blanks;
  }

  private static byte lineFeedOrBlank(byte[] bytes, int from, int to) {
    for (int i = from; i < to; i++) {
      if (bytes[i] == '\n') {
        return '\n';
      }
    }
    return ' ';
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}

package dev.rowan.formats.fasttext;

import dev.rowan.core.Table;
import dev.rowan.core.Vocabulary;
import dev.rowan.formats.file.NewFile;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;

/** Writes unsupervised models in fastText's own layout, version 12; see {@link FastTextFile}. */
public final class FastTextWriter {
  private static final int MAGIC = 793712314;
  private static final int VERSION = 12;

  private FastTextWriter() {}

  /** What a model predicts. */
  public enum Model {
    /** A word from those around it. */
    CBOW(1),
    /** Those around a word from it. */
    SKIP_GRAM(2);

    private final int code;

    Model(int code) {
      this.code = code;
    }
  }

  /**
   * How a model was trained, as its header says.
   *
   * @param model what was predicted
   * @param window words on either side
   * @param epochs how often the text was gone through
   * @param minCount the least count of a word
   * @param negatives drawn words
   * @param loss 1 for hierarchical softmax, 2 for negative sampling
   * @param subsample t
   */
  public record Training(
      Model model,
      int window,
      int epochs,
      int minCount,
      int negatives,
      int loss,
      double subsample) {}

  /**
   * Writes a model.
   *
   * @param words the words of the first rows; none may hold a zero byte
   * @param counts how often each came
   * @param input rows of words, then of n-grams; f32
   * @param output the output rows; f32
   * @param grams how words are made of rows
   * @throws IllegalArgumentException if the parts do not fit together
   * @throws IOException if writing fails; the old file, if any, is untouched then
   */
  public static void write(
      Path file,
      Vocabulary words,
      long[] counts,
      Table input,
      Table output,
      Subwords grams,
      Training training)
      throws IOException {
    if (input.rows() != words.size() + (long) grams.bucket() || counts.length != words.size()) {
      throw new IllegalArgumentException(
          "%,d words, %,d counts and %,d n-grams do not make %,d rows"
              .formatted(words.size(), counts.length, grams.bucket(), input.rows()));
    }
    NewFile.write(
        file,
        out -> {
          out.append(MemorySegment.ofArray(head(words, counts, input.width(), grams, training)));
          matrix(out, input);
          matrix(out, output);
        });
  }

  private static byte[] head(
      Vocabulary words, long[] counts, int width, Subwords grams, Training training) {
    ByteArrayOutputStream head = new ByteArrayOutputStream();
    long tokens = 0;
    for (long count : counts) {
      tokens += count;
    }
    byte[] bytes = new byte[14 * 4 + 8];
    ByteBuffer settings = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    for (int value :
        new int[] {
          MAGIC,
          VERSION,
          width,
          training.window(),
          training.epochs(),
          training.minCount(),
          training.negatives(),
          1,
          training.loss(),
          training.model().code,
          grams.bucket(),
          grams.shortest(),
          grams.longest(),
          100
        }) {
      settings.putInt(value);
    }
    settings.putDouble(training.subsample());
    head.writeBytes(bytes);
    head.writeBytes(
        little(28)
            .putInt(words.size())
            .putInt(words.size())
            .putInt(0) // labels
            .putLong(tokens)
            .putLong(-1) // not pruned
            .array());
    for (int id = 0; id < words.size(); id++) {
      byte[] word = words.bytes(id);
      for (byte b : word) {
        if (b == 0) {
          throw new IllegalArgumentException(
              "word %d holds a zero byte, which fastText's layout cannot hold".formatted(id));
        }
      }
      head.writeBytes(word);
      head.write(0);
      head.writeBytes(little(9).putLong(counts[id]).put((byte) 0).array());
    }
    return head.toByteArray();
  }

  private static void matrix(NewFile out, Table rows) throws IOException {
    out.append(
        MemorySegment.ofArray(
            little(17).put((byte) 0).putLong(rows.rows()).putLong(rows.width()).array()));
    out.append(rows.data());
  }

  private static ByteBuffer little(int size) {
    return ByteBuffer.allocate(size).order(ByteOrder.LITTLE_ENDIAN);
  }
}

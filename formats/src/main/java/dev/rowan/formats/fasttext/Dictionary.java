package dev.rowan.formats.fasttext;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import dev.rowan.formats.file.FormatException;
import dev.rowan.formats.lines.Words;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The words and labels of a fastText model.
 *
 * <pre>
 *   i32 size, i32 nwords, i32 nlabels, i64 ntokens, i64 pruneidx_size   the last not in old files
 *   size × (bytes, 0, i64 count, i8 type)                               0 word, 1 label; words first
 *   pruneidx_size × (i32 bucket, i32 row)
 * </pre>
 *
 * @param words where the words stand in the file
 * @param labels what a supervised model tells apart
 * @param kept the row of each n-gram bucket that was kept, counted behind the words; null if the
 *     model was not pruned
 */
record Dictionary(Words words, List<String> labels, @Nullable Map<Integer, Integer> kept) {
  private static final int LEAST_ENTRY_BYTES = 1 + 8 + 1;

  static Dictionary read(Path path, MemorySegment bytes, Input input, Settings settings) {
    long size = input.int32("the dictionary");
    int wordCount = input.int32("the dictionary");
    int labelCount = input.int32("the dictionary");
    var _ = input.int64("the dictionary"); // how many tokens were trained on
    long pruned = settings.hasFlags() ? input.int64("the dictionary") : -1;
    if (wordCount < 0 || labelCount < 0 || size != (long) wordCount + labelCount) {
      throw input.wrong(
          "the dictionary says %,d entries but %,d words and %,d labels"
              .formatted(size, wordCount, labelCount));
    }
    if (size > input.left() / LEAST_ENTRY_BYTES) {
      throw input.wrong(
          "the dictionary says %,d entries but only %,d bytes follow; the file looks cut off, copy"
                  .formatted(size, input.left())
              + " it again");
    }
    Words words = new Words(wordCount);
    List<String> labels = new ArrayList<>(labelCount);
    for (int i = 0; i < size; i++) {
      long start = input.position();
      int length = input.zeroEnded("the dictionary");
      var _ = input.int64("the dictionary"); // count
      byte type = input.int8("the dictionary");
      if (type != (i < wordCount ? 0 : 1)) {
        throw new FormatException(
            path,
            start,
            "entry %,d of the dictionary has type %d; the first %,d should be words (0), the rest"
                    .formatted(i, type, wordCount)
                + " labels (1)");
      }
      if (i < wordCount) {
        words.set(i, start, length);
      } else {
        labels.add(
            new String(bytes.asSlice(start, length).toArray(JAVA_BYTE), StandardCharsets.UTF_8));
      }
    }
    return new Dictionary(words, List.copyOf(labels), pruned < 0 ? null : kept(input, pruned));
  }

  private static Map<Integer, Integer> kept(Input input, long pruned) {
    if (pruned > input.left() / 8) {
      throw input.wrong(
          "the dictionary says that %,d n-grams were kept but only %,d bytes follow"
              .formatted(pruned, input.left()));
    }
    Map<Integer, Integer> kept = HashMap.newHashMap((int) pruned);
    for (long i = 0; i < pruned; i++) {
      int bucket = input.int32("the kept n-grams");
      int row = input.int32("the kept n-grams");
      if (row < 0 || row >= pruned) {
        throw input.wrong(
            "n-gram bucket %d is kept in row %d; only %,d are kept".formatted(bucket, row, pruned));
      }
      kept.put(bucket, row);
    }
    return kept;
  }

  boolean isPruned() {
    return kept != null;
  }
}

package dev.rowan.formats.safetensors;

import dev.rowan.core.Spelling;
import dev.rowan.core.Vocabulary;
import dev.rowan.formats.file.FormatException;
import dev.rowan.formats.safetensors.SafetensorsWriter.Tensor;
import dev.rowan.formats.tensor.TensorInfo;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.BitSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;

/**
 * Tokens inside a safetensors file, for tables that are one file with nothing beside it.
 *
 * <pre>
 *   rowan.tokens.SPELLING      U8  [bytes]   all spellings, one after the other
 *   rowan.tokens.ends          I32 [V]       where that of token i ends; an empty one is no token
 * </pre>
 *
 * <p>SPELLING is {@code plain}, {@code wordpiece}, {@code byte_level} or {@code sentencepiece}.
 * Other readers of safetensors see two tensors more.
 */
public final class StoredTokens {
  /** The text of the header that says whether output rows belong to the table. */
  public static final String OUTPUT = "rowan.output";

  /** The value of {@link #OUTPUT} for a table alone, which is not used at an output. */
  public static final String NO_OUTPUT = "none";

  /** The text of the header that says which character n-grams the rows were trained with. */
  public static final String GRAMS = "rowan.train.grams";

  /** The tensor of the rows of words and n-grams, where they were kept. */
  public static final String PARTS = "rowan.parts";

  /** How the note begins that there are vectors for words without a row, but not in this file. */
  public static final String UNSEEN =
      "the table was trained with character n-grams, but words without a row have no vector here: ";

  private static final String PREFIX = "rowan.tokens.";
  private static final String ENDS = PREFIX + "ends";
  private static final ValueLayout.OfInt END =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private StoredTokens() {}

  /** Returns the tensors that hold a vocabulary. */
  public static List<Tensor> tensors(Vocabulary vocabulary) {
    int size = vocabulary.size();
    int[] ends = new int[size];
    int total = 0;
    for (int id = 0; id < size; id++) {
      total += vocabulary.has(id) ? vocabulary.bytes(id).length : 0; // a vocabulary is below 2 GB
      ends[id] = total;
    }
    byte[] bytes = new byte[total];
    for (int id = 0; id < size; id++) {
      if (vocabulary.has(id)) {
        byte[] spelling = vocabulary.bytes(id);
        System.arraycopy(spelling, 0, bytes, ends[id] - spelling.length, spelling.length);
      }
    }
    MemorySegment places = MemorySegment.ofArray(new byte[4 * size]);
    MemorySegment.copy(ends, 0, places, END, 0, size);
    var dtypes = SafetensorsDtypes.byLabel();
    return List.of(
        new Tensor(
            PREFIX + vocabulary.spelling().name().toLowerCase(Locale.ROOT),
            Objects.requireNonNull(dtypes.get("U8")),
            List.of((long) total),
            MemorySegment.ofArray(bytes)),
        new Tensor(ENDS, Objects.requireNonNull(dtypes.get("I32")), List.of((long) size), places));
  }

  /** Returns whether a tensor of that name is one of those that hold tokens. */
  public static boolean isPart(String name) {
    return name.startsWith(PREFIX);
  }

  static boolean areIn(Safetensors file) {
    return file.find(ENDS).isPresent();
  }

  /**
   * Reads the tokens of a file.
   *
   * @return empty if it has none
   * @throws FormatException if they are damaged
   */
  public static Optional<Vocabulary> of(Safetensors file) {
    Optional<TensorInfo> ends = file.find(ENDS);
    if (ends.isEmpty()) {
      return Optional.empty();
    }
    for (Spelling spelling : Spelling.values()) {
      Optional<TensorInfo> bytes = file.find(PREFIX + spelling.name().toLowerCase(Locale.ROOT));
      if (bytes.isPresent()) {
        return Optional.of(read(file, spelling, bytes.get(), ends.get()));
      }
    }
    throw wrong(ends.get(), "there are no spellings beside it");
  }

  private static Vocabulary read(
      Safetensors file, Spelling spelling, TensorInfo bytes, TensorInfo ends) {
    if (!ends.dtype().label().equals("I32") || ends.shape().size() != 1) {
      throw wrong(
          ends, "it is %s of shape %s, not I32 [V]".formatted(ends.dtype().label(), ends.shape()));
    }
    byte[] all = file.data(bytes).toArray(ValueLayout.JAVA_BYTE);
    int[] places = file.data(ends).toArray(END);
    byte[][] entries = new byte[places.length][];
    BitSet absent = new BitSet();
    int from = 0;
    for (int id = 0; id < places.length; id++) {
      int to = places[id];
      if (to < from || to > all.length) {
        throw wrong(
            ends, "token %d ends at %d, not in [%d, %d]".formatted(id, to, from, all.length));
      }
      entries[id] = java.util.Arrays.copyOfRange(all, from, to);
      absent.set(id, to == from);
      from = to;
    }
    return Vocabulary.of(spelling, entries, absent, new BitSet());
  }

  private static FormatException wrong(TensorInfo ends, String what) {
    return new FormatException(
        ends.file(), ends.offset(), "tensor \"%s\": %s".formatted(ENDS, what));
  }
}

package dev.rowan.formats.fasttext;

import dev.rowan.formats.file.UnsupportedFormatException;
import java.nio.file.Path;

/**
 * The settings at the front of a fastText model, as far as they tell how to read the rest.
 *
 * <pre>
 *   i32 magic 793712314, i32 version                     absent in files of 2016
 *   i32 dim ws epoch minCount neg wordNgrams loss model bucket minn maxn lrUpdateRate, f64 t
 * </pre>
 *
 * @param version 12 or 11; 0 for files without a magic number
 * @param width d
 * @param loss what the model was trained with
 * @param kind what it was trained for
 * @param bucket how many n-gram rows there are
 * @param shortest the characters of the shortest n-gram
 * @param longest the characters of the longest n-gram; 0 if there are none
 */
record Settings(
    int version, int width, Loss loss, Kind kind, int bucket, int shortest, int longest) {
  private static final int MAGIC = 793712314;
  private static final int NEWEST = 12;

  /** What a model was trained with. */
  enum Loss {
    HIERARCHICAL,
    NEGATIVE_SAMPLING,
    SOFTMAX,
    ONE_VERSUS_ALL
  }

  /** What a model was trained for. */
  enum Kind {
    CBOW,
    SKIP_GRAM,
    SUPERVISED
  }

  static Settings read(Path path, Input input) {
    int version = 0;
    int width = input.int32("the settings");
    if (width == MAGIC) {
      version = input.int32("the version");
      if (version > NEWEST || version < 11) {
        throw new UnsupportedFormatException(
            path, "is a fastText model of version %d; 11 and 12 can be read".formatted(version));
      }
      width = input.int32("the settings");
    }
    for (int i = 0; i < 5; i++) {
      var _ = input.int32("the settings"); // ws, epoch, minCount, neg, wordNgrams
    }
    int loss = within(input, "loss", 1, Loss.values().length);
    int kind = within(input, "model", 1, Kind.values().length);
    int bucket = within(input, "bucket", 0, Integer.MAX_VALUE);
    int shortest = within(input, "minn", 0, 1 << 16);
    int longest = within(input, "maxn", 0, 1 << 16);
    var _ = input.int32("the settings"); // lrUpdateRate
    var _ = input.float64("the settings"); // t
    if (width < 1) {
      throw input.wrong("the width is %d; 1 is the least".formatted(width));
    }
    Kind what = Kind.values()[kind - 1];
    // supervised models of version 11 were trained without subwords, whatever they say
    boolean none = bucket == 0 || (version == 11 && what == Kind.SUPERVISED);
    return new Settings(
        version, width, Loss.values()[loss - 1], what, bucket, shortest, none ? 0 : longest);
  }

  private static int within(Input input, String name, int least, int most) {
    int value = input.int32("the settings");
    if (value < least || value > most) {
      throw input.wrong(
          "the setting \"%s\" is %d; %d to %d is legal".formatted(name, value, least, most));
    }
    return value;
  }

  boolean hasSubwords() {
    return longest > 0;
  }

  /** Files of 2016 have no flags that say whether a table is quantised: none is. */
  boolean hasFlags() {
    return version > 0;
  }
}

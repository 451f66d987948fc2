package dev.rowan.text;

import dev.rowan.formats.file.MappedFile;
import dev.rowan.formats.file.UnsupportedFormatException;
import dev.rowan.formats.json.JsonReader;
import java.io.IOException;
import java.nio.file.Path;

/**
 * Tells a {@code tokenizer.json} that names rows and no more, as {@code convert} writes it where
 * the rules for splitting text are not known: BPE whose tokens of several letters no merge can
 * make, or WordPiece that takes no word at all. Its library would split any text into single
 * letters or unknown words, without a word.
 */
final class NamesAlone {
  private long added;
  private long longer;
  private boolean bpe;
  private boolean noMerges;
  private boolean noWords;

  private NamesAlone() {}

  /**
   * Refuses such a file. Cost: one pass over it.
   *
   * @throws UnsupportedFormatException if text cannot be split by it
   */
  static void refuse(Path file) throws IOException {
    try (MappedFile mapped = MappedFile.open(file)) {
      NamesAlone seen = new NamesAlone();
      seen.read(JsonReader.over(file, mapped.bytes(), 0));
      if (seen.bpe && seen.noMerges && seen.longer > seen.added) {
        throw new UnsupportedFormatException(
            file,
            "names tokens, but holds no merges, so text cannot be split by it; give the model's own tokenizer with --tokenizer");
      }
      if (seen.noWords) {
        throw new UnsupportedFormatException(
            file,
            "names tokens, but takes words of no length (max_input_chars_per_word is 0), so text cannot be split by it; give the model's own tokenizer with --tokenizer");
      }
    }
  }

  private void read(JsonReader json) {
    json.enterObject("the tokenizer");
    while (json.nextName()) {
      String name = json.name();
      json.nextValue();
      if (name.equals("added_tokens") && json.isArray()) {
        while (json.nextValue()) {
          json.skip();
          added++;
        }
      } else if (name.equals("model") && json.isObject()) {
        readModel(json);
      } else {
        json.skip();
      }
    }
  }

  private void readModel(JsonReader json) {
    while (json.nextName()) {
      String name = json.name();
      json.nextValue();
      if (name.equals("type") && json.isText()) {
        bpe = json.text("model.type").equals("BPE");
      } else if (name.equals("max_input_chars_per_word") && json.isWhole()) {
        noWords = json.whole(name) == 0;
      } else if (name.equals("merges") && json.isArray()) {
        noMerges = !json.nextValue();
        if (!noMerges) {
          json.skip();
          while (json.nextValue()) {
            json.skip();
          }
        }
      } else if (name.equals("vocab") && json.isObject()) {
        while (json.nextName()) {
          String token = json.name();
          longer += token.codePointCount(0, token.length()) > 1 ? 1 : 0;
          json.nextValue();
          json.skip();
        }
      } else {
        json.skip();
      }
    }
  }
}

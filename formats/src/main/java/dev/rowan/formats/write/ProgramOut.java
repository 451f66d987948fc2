package dev.rowan.formats.write;

import dev.rowan.core.Vocabulary;
import dev.rowan.formats.tokenizer.Merges;
import dev.rowan.formats.tokenizer.TokenizerModel;
import dev.rowan.formats.tokenizer.TokenizerModel.ByteLevelBpe;
import dev.rowan.formats.tokenizer.TokenizerModel.Form;
import dev.rowan.formats.tokenizer.TokenizerModel.Lead;
import dev.rowan.formats.tokenizer.TokenizerModel.LetterCase;
import dev.rowan.formats.tokenizer.TokenizerModel.WholeWord;
import dev.rowan.formats.tokenizer.TokenizerModel.WordPiece;
import dev.rowan.formats.tokenizer.WordSplit;
import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;

/**
 * A tokenizer as the middle of a {@code tokenizer.json}: from behind the added tokens to in front
 * of the vocabulary. {@code dev.rowan.formats.tokenizer.TokenizerProgram} reads it back.
 */
final class ProgramOut {
  private ProgramOut() {}

  /** Returns whether a tokenizer can be written so that it does the same. */
  static boolean canWrite(TokenizerModel model) {
    return switch (model) {
      case WordPiece pieces -> pieces.unknown().isPresent();
      case ByteLevelBpe bpe -> bpe.merges().isPresent() && bpe.split().steps().isPresent();
      case TokenizerModel.SentencePiece _,
          TokenizerModel.CleanedPieces _,
          TokenizerModel.NamedPieces _,
          TokenizerModel.WordList _ ->
          false;
    };
  }

  static void write(TokenizerModel model, Sink out) throws IOException {
    out.put("],\"normalizer\":");
    switch (model) {
      case WordPiece pieces -> wordPiece(pieces, out);
      case ByteLevelBpe bpe -> byteLevel(bpe, out);
      case TokenizerModel.SentencePiece _,
          TokenizerModel.CleanedPieces _,
          TokenizerModel.NamedPieces _,
          TokenizerModel.WordList _ ->
          throw new IllegalArgumentException("not a tokenizer that is written");
    }
  }

  private static void wordPiece(WordPiece pieces, Sink out) throws IOException {
    boolean lowered = pieces.letterCase() == LetterCase.LOWERED;
    out.put(
        "{\"type\":\"BertNormalizer\",\"clean_text\":true,\"handle_chinese_chars\":true,\"strip_accents\":null,\"lowercase\":%b}"
            .formatted(lowered));
    out.put(",\"pre_tokenizer\":{\"type\":\"BertPreTokenizer\"},\"post_processor\":");
    frame(pieces, out);
    out.put(",\"decoder\":{\"type\":\"WordPiece\",\"prefix\":\"##\",\"cleanup\":true}");
    out.put(
        ",\"model\":{\"type\":\"WordPiece\",\"continuing_subword_prefix\":\"##\",\"max_input_chars_per_word\":100,\"unk_token\":"
            + Json.quoted(pieces.vocabulary().stored(pieces.unknown().orElseThrow())));
  }

  private static void byteLevel(ByteLevelBpe bpe, Sink out) throws IOException {
    out.put(bpe.form() == Form.NFC ? "{\"type\":\"NFC\"}" : "null");
    out.put(",\"pre_tokenizer\":{\"type\":\"Sequence\",\"pretokenizers\":[");
    List<String> steps = bpe.split().steps().orElseThrow();
    boolean own = steps.getLast().equals(WordSplit.GPT2_PATTERN); // ByteLevel's own expression
    for (String step : own ? steps.subList(0, steps.size() - 1) : steps) {
      out.put(
          step.equals(WordSplit.SINGLE_DIGITS)
              ? "{\"type\":\"Digits\",\"individual_digits\":true},"
              : "{\"type\":\"Split\",\"pattern\":{\"Regex\":%s},\"behavior\":\"Isolated\",\"invert\":false},"
                  .formatted(Json.quoted(step)));
    }
    out.put(
        "{\"type\":\"ByteLevel\",\"add_prefix_space\":%b,\"trim_offsets\":true,\"use_regex\":%b}]}"
            .formatted(bpe.lead() == Lead.SPACE_BEFORE, own));
    out.put(",\"post_processor\":");
    frame(bpe, out);
    out.put(
        ",\"decoder\":{\"type\":\"ByteLevel\",\"add_prefix_space\":true,\"trim_offsets\":true,\"use_regex\":true}");
    out.put(
        ",\"model\":{\"type\":\"BPE\",\"dropout\":null,\"unk_token\":null,\"continuing_subword_prefix\":null,\"end_of_word_suffix\":null,\"fuse_unk\":false,\"byte_fallback\":false,\"ignore_merges\":%b,\"merges\":["
            .formatted(bpe.wholeWord() == WholeWord.TAKEN));
    Merges merges = bpe.merges().orElseThrow();
    String comma = "";
    for (int rank = 0; rank < merges.count(); rank++) {
      out.put(
          comma
              + '['
              + quoted(bpe.vocabulary(), merges.left(rank))
              + ','
              + quoted(bpe.vocabulary(), merges.right(rank))
              + ']');
      comma = ",";
    }
    out.put("]");
  }

  /** The tokens around a text, as a template; null if there are none. */
  private static void frame(TokenizerModel model, Sink out) throws IOException {
    List<Integer> before = model.markers().before();
    List<Integer> after = model.markers().after();
    if (before.isEmpty() && after.isEmpty()) {
      out.put("null");
      return;
    }
    out.put("{\"type\":\"TemplateProcessing\",\"single\":[");
    for (int id : before) {
      out.put(piece(model, id) + ',');
    }
    out.put("{\"Sequence\":{\"id\":\"A\",\"type_id\":0}}");
    for (int id : after) {
      out.put(',' + piece(model, id));
    }
    out.put(
        "],\"pair\":[{\"Sequence\":{\"id\":\"A\",\"type_id\":0}},{\"Sequence\":{\"id\":\"B\",\"type_id\":1}}],\"special_tokens\":{");
    String comma = "";
    List<Integer> all = Stream.concat(before.stream(), after.stream()).distinct().toList();
    for (int id : all) {
      String token = quoted(model.vocabulary(), id);
      out.put(
          "%s%s:{\"id\":%s,\"ids\":[%d],\"tokens\":[%s]}"
              .formatted(comma, token, token, id, token));
      comma = ",";
    }
    out.put("}}");
  }

  private static String piece(TokenizerModel model, int id) {
    return "{\"SpecialToken\":{\"id\":%s,\"type_id\":0}}".formatted(quoted(model.vocabulary(), id));
  }

  private static String quoted(Vocabulary vocabulary, int id) {
    return Json.quoted(vocabulary.stored(id));
  }
}

package dev.rowan.text;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowan.formats.tokenizer.FoundTokenizer;
import dev.rowan.formats.tokenizer.Pieces;
import dev.rowan.formats.tokenizer.TokenizerFile;
import dev.rowan.formats.tokenizer.TokenizerModel.ByteLevelBpe;
import dev.rowan.formats.tokenizer.TokenizerModel.Role;
import dev.rowan.formats.tokenizer.TokenizerModel.SentencePiece;
import dev.rowan.formats.tokenizer.TokenizerModel.WordPiece;
import dev.rowan.formats.tokenizer.WordSplit;
import dev.rowan.formats.write.Conversion;
import dev.rowan.formats.write.TargetFormat;
import dev.rowan.text.Tokenizer.SpecialTokens;
import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A tokenizer goes into a file with its table and comes back: awkward strings have the ids that the
 * reference implementation gave for the tokenizer at the start; see {@link Awkward}.
 */
class ConvertedTokenizersTest extends ConvertedTokenizerFixture {
  @ParameterizedTest
  @CsvSource({
    "bytes/vocab.json, gpt2",
    "wordpiece-uncased/vocab.txt, wordpiece-uncased",
    "wordpiece-cased/vocab.txt, wordpiece-cased",
    "spm-bpe-llama.model, gguf-bpe",
    "spm-unigram-bytes.model, gguf-unigram",
    "spm-unigram-plain.model, gguf-unigram-rules",
    "gguf-bytes.gguf, llama3",
    "gguf-words.gguf, wordpiece-uncased",
    "gguf-bpe.gguf, gguf-bpe",
    "gguf-unigram-rules.gguf, gguf-unigram-rules"
  })
  void idsSurviveGguf(String source, String expected) throws IOException {
    Awkward.write(folder, "bytes/merges.txt");
    FoundTokenizer tokenizer = found(Awkward.write(folder, source));
    Conversion done = convert(tokenizer, "out.gguf", TargetFormat.GGUF);
    assertThat(done.notes()).noneMatch(note -> note.contains("splitting"));
    ReferenceIdsTest.check(expected, model("out.gguf"));
    // and once more: what was read back is written alike
    convert(found(folder.resolve("out.gguf")), "again.gguf", TargetFormat.GGUF);
    ReferenceIdsTest.check(expected, model("again.gguf"));
  }

  @ParameterizedTest
  @CsvSource({
    "bytes/vocab.json, gpt2",
    "wordpiece-uncased/vocab.txt, wordpiece-uncased",
    "wordpiece-cased/vocab.txt, wordpiece-cased",
    "gguf-bytes.gguf, llama3",
    "gguf-words.gguf, wordpiece-uncased"
  })
  void idsSurviveTokenizerJson(String source, String expected) throws IOException {
    Awkward.write(folder, "bytes/merges.txt");
    FoundTokenizer tokenizer = found(Awkward.write(folder, source));
    convert(tokenizer, "out", TargetFormat.SAFETENSORS);
    List<String> strings = Awkward.strings();
    List<long[]> ids = Awkward.numbers(expected + ".ids");
    try (Tokenizer back = NativeTokenizer.open(folder.resolve("out/tokenizer.json"))) {
      for (int i = 0; i < strings.size(); i++) {
        String text = new String(Characters.wellFormed(strings.get(i)));
        assertThat(back.encode(text)).as("%d \"%s\"", i, text).isEqualTo(ids.get(i));
      }
    }
    convert(found(folder.resolve("out/tokenizer.json")), "out.gguf", TargetFormat.GGUF);
    ReferenceIdsTest.check(expected, model("out.gguf"));
  }

  @ParameterizedTest
  @EnumSource(
      value = WordSplit.class,
      names = {"STARCODER", "QWEN2", "O200K", "DEEPSEEK_V3"})
  void everyWayToCutIsFoundAgain(WordSplit split) throws IOException {
    Awkward.write(folder, "bytes/merges.txt");
    var read =
        (ByteLevelBpe)
            TokenizerFile.of(Awkward.write(folder, "bytes/vocab.json")).model().orElseThrow();
    var bpe =
        new ByteLevelBpe(
            read.vocabulary(), read.merges(), split, read.wholeWord(), read.lead(), read.markers());
    convert(new FoundTokenizer.Model(bpe), "out", TargetFormat.SAFETENSORS);
    convert(found(folder.resolve("out/tokenizer.json")), "out.gguf", TargetFormat.GGUF);
    assertThat(((ByteLevelBpe) model("out.gguf")).split()).isEqualTo(split);
  }

  @Test
  void unigramOfTokenizerJsonSurvivesGguf() throws IOException {
    SentencePiece pieces =
        (SentencePiece)
            TokenizerFile.of(Awkward.write(folder, "spm-unigram-plain.model"))
                .model()
                .orElseThrow();
    String vocab =
        IntStream.range(0, pieces.pieces().count())
            .mapToObj(id ->
                String.format(
                    Locale.ROOT,
                    "[%s,%s]",
                    quoted(pieces.vocabulary().stored(id)),
                    pieces.pieces().score(id)))
            .collect(Collectors.joining(","));
    String charsmap =
        Base64.getEncoder()
            .encodeToString(pieces.rules().charsmap().toArray(ValueLayout.JAVA_BYTE));
    // the shape of XLM-R's file
    Path json =
        Files.writeString(
            folder.resolve("tokenizer.json"),
            """
            {"version":"1.0","added_tokens":[%s,%s,%s],
             "normalizer":{"type":"Precompiled","precompiled_charsmap":"%s"},
             "pre_tokenizer":{"type":"Sequence","pretokenizers":[{"type":"WhitespaceSplit"},
               {"type":"Metaspace","replacement":"▁","prepend_scheme":"always","split":true}]},
             "post_processor":{"type":"TemplateProcessing",
               "single":[{"SpecialToken":{"id":"<s>","type_id":0}},{"Sequence":{"id":"A","type_id":0}},
                 {"SpecialToken":{"id":"</s>","type_id":0}}],
               "pair":[{"Sequence":{"id":"A","type_id":0}},{"Sequence":{"id":"B","type_id":0}}],
               "special_tokens":{"<s>":{"id":"<s>","ids":[1],"tokens":["<s>"]},
                 "</s>":{"id":"</s>","ids":[2],"tokens":["</s>"]}}},
             "decoder":null,"model":{"type":"Unigram","unk_id":0,"vocab":[%s],"byte_fallback":false}}
            """
                .formatted(
                    special("<unk>", 0), special("<s>", 1), special("</s>", 2), charsmap, vocab));
    sameAsNative(json, true);
  }

  @Test
  void sentencePieceBpeOfTokenizerJsonSurvivesGguf() throws IOException {
    SentencePiece pieces =
        (SentencePiece)
            TokenizerFile.of(Awkward.write(folder, "spm-bpe-llama.model")).model().orElseThrow();
    var vocabulary = pieces.vocabulary();
    String vocab =
        IntStream.range(0, vocabulary.size())
            .mapToObj(id -> quoted(vocabulary.stored(id)) + ":" + id)
            .collect(Collectors.joining(","));
    // as the converter of transformers makes merges: for each piece, best first, all its halves
    List<String> merges = new ArrayList<>();
    IntStream.range(0, vocabulary.size())
        .filter(id -> pieces.pieces().kind(id) == Pieces.Kind.NORMAL)
        .boxed()
        .sorted((a, b) -> Float.compare(pieces.pieces().score(b), pieces.pieces().score(a)))
        .forEach(id -> {
          String piece = vocabulary.stored(id);
          for (int at = 1; at < piece.length(); at++) {
            String left = piece.substring(0, at);
            String right = piece.substring(at);
            if (vocabulary.id(left).isPresent() && vocabulary.id(right).isPresent()) {
              merges.add("[" + quoted(left) + "," + quoted(right) + "]");
            }
          }
        });
    // the shape of Llama 2's file
    Path json =
        Files.writeString(
            folder.resolve("tokenizer.json"),
            """
            {"version":"1.0","added_tokens":[%s,%s,%s],
             "normalizer":{"type":"Sequence","normalizers":[{"type":"Prepend","prepend":"▁"},
               {"type":"Replace","pattern":{"String":" "},"content":"▁"}]},
             "pre_tokenizer":null,"post_processor":null,"decoder":null,
             "model":{"type":"BPE","dropout":null,"unk_token":"<unk>","fuse_unk":true,
               "byte_fallback":true,"ignore_merges":false,"vocab":{%s},"merges":[%s]}}
            """
                .formatted(
                    special("<unk>", 0),
                    special("<s>", 1),
                    special("</s>", 2),
                    vocab,
                    String.join(",", merges)));
    sameAsNative(json, false);
  }

  private void sameAsNative(Path json, boolean framed) throws IOException {
    Conversion done = convert(found(json), "out.gguf", TargetFormat.GGUF);
    assertThat(done.notes()).noneMatch(note -> note.contains("splitting"));
    int compared = 0;
    List<String> wrong = new ArrayList<>();
    try (Tokenizer theirs = NativeTokenizer.open(json);
        Tokenizer ours = Tokenizers.of(model("out.gguf"))) {
      for (String string : Awkward.strings()) {
        String text = new String(Characters.wellFormed(string));
        if (framed && text.codePoints().anyMatch(ConvertedTokenizersTest::isReadOtherwise)) {
          continue; // a note says so
        }
        if (!Arrays.equals(ours.encode(text), theirs.encode(text))) {
          wrong.add(text);
        }
        if (framed) {
          assertThat(ours.encode(text, SpecialTokens.ADD))
              .isEqualTo(theirs.encode(text, SpecialTokens.ADD));
        }
        compared++;
      }
    }
    assertThat(wrong).isEmpty();
    assertThat(compared).isGreaterThan(250);
  }

  /**
   * White space that the replacements of the fixture do not turn into a space, and what joins the
   * character before it: the library replaces such clusters as one. SentencePiece takes a ▁ at the
   * end for a space.
   */
  private static boolean isReadOtherwise(int codePoint) {
    boolean space = Characters.isSpace(codePoint) && " \t\n\r\u00a0\u3000".indexOf(codePoint) < 0;
    int type = Character.getType(codePoint);
    return space
        || codePoint == '▁'
        || type == Character.NON_SPACING_MARK
        || type == Character.COMBINING_SPACING_MARK
        || type == Character.ENCLOSING_MARK
        || type == Character.MODIFIER_SYMBOL
        || type == Character.FORMAT;
  }

  @Test
  void rolesAndTypesComeBack() throws IOException {
    FoundTokenizer tokenizer = found(Awkward.write(folder, "wordpiece-uncased/vocab.txt"));
    convert(tokenizer, "out.gguf", TargetFormat.GGUF);
    WordPiece model = (WordPiece) model("out.gguf");
    assertThat(model.markers().roles())
        .containsEntry(Role.PADDING, 0)
        .containsEntry(Role.UNKNOWN, 1)
        .containsEntry(Role.CLASS, 2)
        .containsEntry(Role.SEPARATOR, 3)
        .containsEntry(Role.MASK, 4);
    assertThat(model.markers().before()).containsExactly(2);
    assertThat(model.markers().after()).containsExactly(3);
    SentencePiece pieces = (SentencePiece) model("gguf-bpe.gguf", "again.gguf");
    SentencePiece source =
        (SentencePiece)
            TokenizerFile.of(Awkward.write(folder, "spm-bpe-llama.model")).model().orElseThrow();
    for (int id = 0; id < source.pieces().count(); id++) {
      assertThat(pieces.pieces().kind(id)).isEqualTo(source.pieces().kind(id));
      assertThat(pieces.pieces().score(id)).isEqualTo(source.pieces().score(id));
    }
    assertThat(pieces.markers().roles()).containsEntry(Role.START, 1).containsEntry(Role.END, 2);
  }

  private static String special(String token, int id) {
    return """
    {"id": %d, "content": %s, "single_word": false, "lstrip": false, "rstrip": false,
     "normalized": false, "special": true}
    """
        .formatted(id, quoted(token));
  }

  private static String quoted(String text) {
    String escaped = text.replace("\\", "\\\\").replace("\"", "\\\"");
    assertThat(Arrays.equals(escaped.getBytes(StandardCharsets.UTF_8), new byte[0])).isFalse();
    return '"' + escaped + '"';
  }
}

package dev.rowan.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rowan.formats.Models;
import dev.rowan.formats.OpenOptions;
import dev.rowan.formats.file.UnsupportedFormatException;
import dev.rowan.formats.tokenizer.FoundTokenizer;
import dev.rowan.formats.tokenizer.TokenizerFile;
import dev.rowan.formats.write.Conversion;
import dev.rowan.formats.write.TargetFormat;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Which rules a file that was converted keeps, and what is said of those that it does not. */
class ConvertedRulesTest extends ConvertedTokenizerFixture {
  @Test
  void tellsWhatStandsInTheWay() throws IOException {
    Path json =
        Files.writeString(
            folder.resolve("tokenizer.json"),
            """
            {"added_tokens":[],"normalizer":{"type":"Lowercase"},"pre_tokenizer":{"type":"ByteLevel"},
             "model":{"type":"BPE","vocab":{"a":0,"b":1},"merges":[]}}
            """);
    Conversion done = convert(found(json), "out.gguf", TargetFormat.GGUF);
    assertThat(done.notes())
        .anyMatch(note ->
            note.endsWith("has byte-level BPE with the normalizer \"Lowercase\"")
                && note.startsWith("the rules for splitting text could not be taken over"));
  }

  /** The rules of BERT with accents kept cannot be written, and BERT's own are others. */
  @Test
  void wordPieceWithoutItsRulesSplitsNoText() throws IOException {
    Path json =
        Files.writeString(
            folder.resolve("tokenizer.json"),
            """
            {"added_tokens":[],"normalizer":{"type":"BertNormalizer","strip_accents":false},
             "pre_tokenizer":{"type":"BertPreTokenizer"},
             "model":{"type":"WordPiece","unk_token":"[UNK]",
               "vocab":{"[UNK]":0,"e":1,"é":2,"##s":3}}}
            """);
    Conversion done = convert(found(json), "out.gguf", TargetFormat.GGUF);
    assertThat(done.notes())
        .contains("the rules for splitting text were not written: tokens name rows, no more");
    assertThatThrownBy(() -> model("out.gguf"))
        .isInstanceOf(UnsupportedFormatException.class)
        .hasMessageContaining("has tokens that name rows, no more")
        .hasMessageContaining("name the tokenizer of the model that it was made from");
    try (var back = Models.open(folder.resolve("out.gguf"), OpenOptions.DEFAULT)) {
      assertThat(back.vocabulary().orElseThrow().id("##s")).hasValue(3);
    }
  }

  /** WordPiece whose rules were not known, as where its config keeps accents. */
  @Test
  void wordPieceOfAFolderWithoutItsRulesSplitsNoText() throws IOException {
    Path vocab = Awkward.write(folder, "wordpiece-uncased/vocab.txt");
    convert(
        TokenizerFile.of(vocab).vocabulary(), Optional.empty(), "out", TargetFormat.SAFETENSORS);
    Path written = folder.resolve("out/tokenizer.json");
    assertThat(TokenizerFile.of(written).vocabulary().id("[CLS]")).hasValue(2);
    assertThatThrownBy(() -> NativeTokenizer.open(written).encode("the"))
        .isInstanceOf(UnsupportedFormatException.class)
        .hasMessageContaining("takes words of no length");
  }

  /** Their text begins with a space, or holds "<user>": what was written splits it otherwise. */
  @Test
  void tellsWhichTextIsSplitOtherwise() throws IOException {
    Path json =
        Files.writeString(
            folder.resolve("tokenizer.json"),
            """
            {"added_tokens":[],"normalizer":null,
             "pre_tokenizer":{"type":"Metaspace","replacement":"▁","prepend_scheme":"always"},
             "model":{"type":"Unigram","unk_id":0,"vocab":[["<unk>",0],["▁",-1],["a",-2]]}}
            """);
    assertThat(convert(found(json), "led.gguf", TargetFormat.GGUF).notes())
        .contains(
            "the tokenizer puts no space in front of a text that begins with one; what was written does, so such a text gets one ▁ more");
    try (Tokenizer theirs = NativeTokenizer.open(json);
        Tokenizer ours = Tokenizers.of(model("led.gguf"))) {
      assertThat(theirs.encode(" a")).containsExactly(1, 2);
      assertThat(ours.encode(" a")).containsExactly(1, 1, 2);
    }
    FoundTokenizer users = found(Awkward.write(folder, "spm-unigram.model"));
    assertThat(convert(users, "users.gguf", TargetFormat.GGUF).notes())
        .anyMatch(note ->
            note.startsWith(
                "gguf takes user-defined tokens, such as \"<user>\", out of a text first"));
  }

  @Test
  void composingCharactersFirstIsKeptInJsonAndToldOfGguf() throws IOException {
    Awkward.write(folder, "bytes/merges.txt");
    Files.writeString(
        folder.resolve("tokenizer_config.json"), "{\"tokenizer_class\": \"Qwen2Tokenizer\"}");
    FoundTokenizer qwen = found(Awkward.write(folder, "bytes/vocab.json"));
    convert(qwen, "out", TargetFormat.SAFETENSORS);
    try (Tokenizer back = NativeTokenizer.open(folder.resolve("out/tokenizer.json"))) {
      // as transformers' Qwen2Tokenizer splits it
      assertThat(back.encode("cafe\u0301 12")).containsExactly(67, 464, 309, 221, 17, 18);
    }
    assertThat(convert(qwen, "out.gguf", TargetFormat.GGUF).notes())
        .anyMatch(note -> note.startsWith("the tokenizer brings text to Unicode's NFC form first"));
  }
}

package dev.rowan.formats.tokenizer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rowan.core.Spelling;
import dev.rowan.core.Vocabulary;
import dev.rowan.formats.GptFolder;
import dev.rowan.formats.file.FormatException;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TokenizerJsonTest {
  private static final Path PATH = Path.of("tokenizer.json");

  private static Vocabulary read(String json) {
    return read(json.getBytes(StandardCharsets.UTF_8));
  }

  private static Vocabulary read(byte[] json) {
    return TokenizerJson.read(PATH, MemorySegment.ofArray(json));
  }

  @Test
  void readsUnigramPiecesByTheirPlace() {
    Vocabulary vocabulary =
        read(
            """
            {"added_tokens":null,
             "model":{"unk_id":2,"vocab":[["<pad>",0.0],["</s>",0],["<unk>",-1.5e1],["▁",-2.0],
                                          ["▁cat",-3.25]],"byte_fallback":false}}
            """); // no type, no unk_token: model2vec pull requests 227 and 354

    assertThat(vocabulary.spelling()).isEqualTo(Spelling.SENTENCEPIECE);
    assertThat(vocabulary.tokens()).isEqualTo(5);
    assertThat(vocabulary.id("▁cat")).hasValue(4);
    assertThat(vocabulary.text(4)).isEqualTo("▁cat");
  }

  @Test
  void mergesAddedTokensAndLeavesGaps() {
    Vocabulary vocabulary =
        read(
            """
            {"added_tokens":[{"id":7,"content":"<a>"},{"content":"<b>","special":true,"id":5}],
             "model":{"type":"WordLevel","vocab":{"x":0,"y":2}}}
            """);

    assertThat(vocabulary.size()).isEqualTo(8);
    assertThat(vocabulary.tokens()).isEqualTo(4);
    assertThat(vocabulary.has(1)).isFalse();
    assertThat(vocabulary.stored(7)).isEqualTo("<a>");
    assertThat(vocabulary.isAdded(5)).isTrue();
    assertThat(vocabulary.isAdded(0)).isFalse();
    assertThat(vocabulary.notes()).isEmpty();
  }

  @Test
  void keepsTheAddedTokenInAConflictAndSaysSo() {
    Vocabulary vocabulary =
        read(
            """
            {"added_tokens":[{"id":1,"content":"<a>"},{"id":0,"content":"x"},
                             {"id":1,"content":"<b>"}],
             "model":{"type":"WordLevel","vocab":{"x":0,"y":1,"z":0}}}
            """);

    assertThat(vocabulary.stored(1)).isEqualTo("<a>");
    assertThat(vocabulary.stored(0)).isEqualTo("x");
    assertThat(vocabulary.isAdded(0)).isTrue();
    assertThat(vocabulary.id("y")).isEmpty();
    assertThat(vocabulary.notes())
        .containsExactly(
            "1 id has another spelling among the added tokens, which is the one kept:"
                + " id 1 is \"y\" and \"<a>\"",
            "2 ids are given to two tokens, and the first is kept: id 0 is \"x\" and \"z\"");
  }

  @Test
  void countsAddedTokensBeyondTheVocabulary() {
    // model2vec issue 108: 151646 tokens, of which three were added
    Vocabulary vocabulary =
        read(
            """
            {"added_tokens":[{"id":2,"content":"<|im_start|>"}],
             "model":{"type":"BPE","vocab":{"a":0,"b":1},"merges":[]},
             "pre_tokenizer":{"type":"ByteLevel"}}
            """);

    assertThat(vocabulary.tokens()).isEqualTo(3);
  }

  @Test
  void keepsEqualSpellingsUnderDifferentIds() {
    Vocabulary vocabulary =
        read("{\"model\":{\"type\":\"Unigram\",\"vocab\":[[\"a\",0],[\"b\",0],[\"a\",0]]}}");

    assertThat(vocabulary.tokens()).isEqualTo(3);
    assertThat(vocabulary.id("a")).hasValue(0);
    assertThat(vocabulary.stored(2)).isEqualTo("a");
  }

  @Test
  void readsEscapesAsTheCharactersTheyStandFor() {
    Vocabulary vocabulary =
        read(
            "{\"model\":{\"vocab\":{\"\\u0120cat\":0,\"\\ud83d\\ude00\":1,\"\\\\\\\"\\/\":2,"
                + "\"\\n\\t\":3,\"\":4}}}");

    assertThat(vocabulary.stored(0)).isEqualTo("Ġcat");
    assertThat(vocabulary.stored(1)).isEqualTo("😀");
    assertThat(vocabulary.stored(2)).isEqualTo("\\\"/");
    assertThat(vocabulary.stored(3)).isEqualTo("\n\t");
    assertThat(vocabulary.stored(4)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        // the parts beside model.vocab | model.type and more | the spelling
        "'pre_tokenizer':{'type':'ByteLevel'} | 'type':'BPE' | BYTE_LEVEL",
        "'decoder':{'type':'ByteLevel'} | 'type':'BPE' | BYTE_LEVEL",
        "'pre_tokenizer':{'type':'Sequence','pretokenizers':[{'type':'Split','pattern':{'Regex':'x'}},{'type':'ByteLevel'}]} | 'type':'BPE' | BYTE_LEVEL",
        "'decoder':{'type':'Sequence','decoders':[{'type':'Replace','pattern':{'String':'▁'},'content':' '},{'type':'ByteFallback'}]} | 'type':'BPE' | SENTENCEPIECE",
        "'normalizer':{'type':'Sequence','normalizers':[{'type':'Prepend','prepend':'▁'}]} | 'type':'BPE' | SENTENCEPIECE",
        "'pre_tokenizer':{'type':'Metaspace','replacement':'▁'} | 'type':'BPE' | SENTENCEPIECE",
        "'x':1 | 'type':'BPE','byte_fallback':true | SENTENCEPIECE",
        "'x':1 | 'type':'Unigram' | SENTENCEPIECE",
        "'decoder':{'type':'WordPiece','prefix':'##'} | 'type':'WordPiece' | WORDPIECE",
        "'decoder':{'type':'WordPiece','prefix':'##'} | 'y':1 | WORDPIECE",
        "'pre_tokenizer':{'type':'Whitespace'} | 'type':'WordLevel' | PLAIN",
        "'x':null | 'type':'BPE' | PLAIN"
      })
  void decidesTheSpelling(String parts, String model, Spelling spelling) {
    String json = "{%s,'model':{%s,'vocab':{'cat':0}}}".formatted(parts, model);

    assertThat(read(json.replace('\'', '"')).spelling()).isEqualTo(spelling);
  }

  @Test
  void letsTheTokensTellWhereTheFileDoesNot() {
    assertThat(read("{\"model\":{\"vocab\":{\"Ġcat\":0,\"x\":1}}}").spelling())
        .isEqualTo(Spelling.BYTE_LEVEL);
    assertThat(read("{\"model\":{\"vocab\":{\"▁cat\":0,\"x\":1}}}").spelling())
        .isEqualTo(Spelling.SENTENCEPIECE);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{} | holds no \"model\" with a \"vocab\"",
        "{'model':{'type':'BPE','vocab':{}}} | holds no \"model\" with a \"vocab\"",
        "{'model':3} | model should be an object",
        "{'model':{'vocab':'x'}} | model.vocab should be an object or an array",
        "{'model':{'vocab':{'a':-1}}} | the id of a token is -1; it should lie in [0, 2^31 − 1)",
        "{'model':{'vocab':{'a':2147483647}}} | the id of a token is 2147483647",
        "{'model':{'vocab':{'a':99999999999999999999}}} | the id of a token lies outside 64 bits",
        "{'model':{'vocab':{'a':'0'}}} | the id of a token should be a whole number but is a string",
        "{'model':{'vocab':{'a':2147483646}}} | gives the id 2,147,483,646 though it lists only 1 tokens",
        "{'model':{'vocab':['a']}} | an entry of model.vocab should be an array [token, score]",
        "{'model':{'vocab':[[]]}} | an entry of model.vocab should be an array [token, score]",
        "{'model':{'vocab':[[1,2]]}} | the token of an entry of model.vocab should be a string",
        "{'model':{'vocab':{'a':0}, 'vocab':{'b':0}}} | duplicate name: \"vocab\" occurs twice",
        "{'added_tokens':[{'id':0}],'model':{'vocab':{'a':0}}} | lacks its id or its content",
        "{'added_tokens':[1],'model':{'vocab':{'a':0}}} | an entry of added_tokens should be an object",
        "[] | the tokenizer should be an object but is an array",
        "version https://git-lfs.github.com/spec/v1 | this is a Git LFS pointer, not the tokenizer"
      })
  void refusesAndSaysWhy(String json, String message) {
    assertThatThrownBy(() -> read(json.replace('\'', '"')))
        .isInstanceOf(FormatException.class)
        .hasMessageStartingWith("tokenizer.json: ")
        .hasMessageContaining(message);
  }

  @Test
  void refusesAFileCutAtAnyByte() {
    byte[] whole = GptFolder.tokenizerJson().strip().getBytes(StandardCharsets.UTF_8);

    for (int length = 0; length < whole.length; length++) {
      byte[] cut = Arrays.copyOf(whole, length);
      assertThatThrownBy(() -> read(cut))
          .as("%d bytes", length)
          .isInstanceOf(FormatException.class);
    }
  }

  @Test
  void readsVocabulariesLargerThanItsWindow() {
    StringBuilder json = new StringBuilder("{\"model\":{\"type\":\"BPE\",\"merges\":[");
    for (int i = 0; i < 30_000; i++) {
      json.append(i == 0 ? "" : ",").append("\"Ġ a").append(i).append("]}\\\"\"");
    }
    json.append("],\"vocab\":{");
    for (int i = 0; i < 50_000; i++) {
      json.append(i == 0 ? "" : ",").append("\"Ġword\\\\").append(i).append("\": ").append(i);
    }
    Vocabulary vocabulary = read(json.append("}}}").toString());

    assertThat(vocabulary.tokens()).isEqualTo(50_000);
    for (int i = 0; i < 50_000; i++) {
      assertThat(vocabulary.id("Ġword\\" + i)).hasValue(i);
    }
  }
}

package dev.rowan.formats.write;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.rowan.core.Lexicon;
import dev.rowan.core.Spelling;
import dev.rowan.core.Table;
import dev.rowan.core.Vocabulary;
import dev.rowan.formats.GptFolder;
import dev.rowan.formats.Models;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tokens, their spelling and their bytes, through a file and back. */
class ConvertedTokensTest extends ConverterFixture {
  @ParameterizedTest
  @EnumSource(names = {"GGUF", "NPZ"})
  void tokensComeBackInTheirSpelling(TargetFormat format) throws IOException {
    Vocabulary gap =
        Vocabulary.of(Spelling.BYTE_LEVEL, Arrays.asList("a", null, "Ġc"), new BitSet());
    convert(lexicon(Table.of(1, 1, 2, 3), Optional.of(gap)), "out", format);
    try (Lexicon back = Models.open(folder.resolve("out"))) {
      Vocabulary vocabulary = back.vocabulary().orElseThrow();
      assertThat(vocabulary.spelling()).isEqualTo(Spelling.BYTE_LEVEL);
      assertThat(vocabulary.stored(2)).isEqualTo("Ġc");
      assertThat(vocabulary.has(1)).isFalse();
    }
  }

  @Test
  void bytesThatAreNotUtf8ComeBackFromWord2vec() throws IOException {
    byte[][] entries = {{'a', (byte) 0xE3}, {(byte) 0xFF}};
    Vocabulary vocabulary = Vocabulary.of(Spelling.PLAIN, entries, new BitSet(), new BitSet());
    for (TargetFormat format : List.of(TargetFormat.WORD2VEC_TEXT, TargetFormat.WORD2VEC_BINARY)) {
      convert(lexicon(Table.of(1, 1, 2), Optional.of(vocabulary)), "out", format);
      try (Lexicon back = Models.open(folder.resolve("out"))) {
        assertThat(back.vocabulary().orElseThrow().bytes(0)).isEqualTo(entries[0]);
        assertThat(back.vocabulary().orElseThrow().bytes(1)).isEqualTo(entries[1]);
      }
    }
  }

  @Test
  void spacesComeBackFromGloveText() throws IOException {
    Lexicon source = named(". . .", "at name@domain.com", "the", "a ", "in 2012");
    convert(source, "out", TargetFormat.GLOVE_TEXT);
    try (Lexicon back = Models.open(folder.resolve("out"))) {
      assertThat(back.input().table().width()).isEqualTo(2);
      for (int id = 0; id < 5; id++) {
        assertThat(back.vocabulary().orElseThrow().stored(id))
            .isEqualTo(source.vocabulary().orElseThrow().stored(id));
      }
    }
  }

  @Test
  void model2VecGetsARowForUnknownWords() throws IOException {
    Conversion done = convert(words(), "out", TargetFormat.MODEL2VEC);
    assertThat(done.notes()).anyMatch(note -> note.contains("\"[UNK]\" was added"));
    try (Lexicon back = Models.open(folder.resolve("out"))) {
      assertThat(back.input().table().rows()).isEqualTo(4);
      assertThat(back.input().table().row(3)).containsExactly(0, 0, 0);
      assertThat(back.vocabulary().orElseThrow().id("[UNK]")).hasValue(3);
    }
  }

  @Test
  void aRowForUnknownWordsIsAddedOnlyWhereThereIsNone() throws IOException {
    for (String name : List.of("[UNK]", "<unk>")) {
      Lexicon source =
          lexicon(Table.of(1, 1, 2), Optional.of(Vocabulary.ofWords(List.of("a", name))));
      String out = "out-" + name.charAt(0);
      convert(source, out, TargetFormat.MODEL2VEC);
      try (Lexicon back = Models.open(folder.resolve(out))) {
        assertThat(back.input().table().rows()).isEqualTo(2);
        assertThat(back.vocabulary().orElseThrow().id(name)).hasValue(1);
      }
    }
  }

  @Test
  void safetensorsFolderKeepsTokenizerTieAndRows() throws IOException {
    Path model = Files.createDirectory(folder.resolve("gpt"));
    GptFolder.write(model);
    try (Lexicon source = Models.open(model)) {
      convert(source, "out", TargetFormat.SAFETENSORS);
      try (Lexicon back = Models.open(folder.resolve("out"))) {
        assertThat(back.input().tensor()).isEqualTo(source.input().tensor());
        assertThat(all(back.input().table())).containsExactly(all(source.input().table()));
        assertThat(back.tie()).isEqualTo(source.tie());
        assertThat(back.origin().architecture()).isEqualTo(source.origin().architecture());
        assertThat(back.vocabulary().orElseThrow().spelling()).isEqualTo(Spelling.BYTE_LEVEL);
      }
    }
    assertThat(Files.readAllBytes(folder.resolve("out/tokenizer.json")))
        .isEqualTo(Files.readAllBytes(model.resolve("tokenizer.json")));
    assertThat(Files.readString(folder.resolve("out/model.safetensors"), ISO_8859_1))
        .contains("\"rowan.source.name\":\"gpt\"");
  }

  @ParameterizedTest
  @EnumSource(Spelling.class)
  void writtenTokenizersSpellAsTheSourceDid(Spelling spelling) throws IOException {
    List<@Nullable String> tokens = List.of("Ġcat", "▁cat", "##s", "[CLS]");
    BitSet added = new BitSet();
    added.set(3);
    Lexicon source =
        lexicon(Table.of(1, 1, 2, 3, 4), Optional.of(Vocabulary.of(spelling, tokens, added)));
    convert(source, "out", TargetFormat.SAFETENSORS);
    try (Lexicon back = Models.open(folder.resolve("out"))) {
      Vocabulary vocabulary = back.vocabulary().orElseThrow();
      assertThat(vocabulary.spelling()).isEqualTo(spelling);
      assertThat(vocabulary.isAdded(3)).isTrue();
      for (int id = 0; id < 4; id++) {
        assertThat(vocabulary.stored(id)).isEqualTo(tokens.get(id));
      }
    }
  }

  @Test
  void bertTokensAreRespelledInGguf() throws IOException {
    Lexicon source =
        lexicon(
            Table.of(1, 1, 2, 3),
            Optional.of(
                Vocabulary.of(Spelling.WORDPIECE, List.of("[CLS]", "cat", "##s"), new BitSet())));
    convert(source, "out.gguf", TargetFormat.GGUF);
    assertThat(new String(Files.readAllBytes(folder.resolve("out.gguf")), UTF_8))
        .contains("[CLS]")
        .contains("▁cat")
        .doesNotContain("##s");
  }

  @Test
  void bertTokensComeBackThroughGgufByName() throws IOException {
    List<@Nullable String> tokens =
        List.of(
            "[PAD]", "[unused0]", "[CLS]", "cat", "##s", "##", "#", "###", "[", "]", "▁", "##▁");
    BitSet added = new BitSet();
    added.set(2);
    Vocabulary vocabulary = Vocabulary.of(Spelling.WORDPIECE, tokens, added);
    float[] values = new float[tokens.size()];
    try (Lexicon source = lexicon(Table.of(1, values), Optional.of(vocabulary))) {
      convert(source, "a.gguf", TargetFormat.GGUF);
    }
    List<TargetFormat> targets =
        List.of(TargetFormat.GGUF, TargetFormat.SAFETENSORS, TargetFormat.WORD2VEC_TEXT);
    for (TargetFormat target : targets) {
      try (Lexicon middle = Models.open(folder.resolve("a.gguf"))) {
        convert(middle, "b" + target, target);
      }
      try (Lexicon back = Models.open(folder.resolve("b" + target))) {
        Vocabulary read = back.vocabulary().orElseThrow();
        for (int id = 0; id < tokens.size(); id++) {
          assertThat(read.stored(id)).as("%s %d", target, id).isEqualTo(tokens.get(id));
        }
      }
    }
  }

  @Test
  void anEmptyTokenComesBackFromNpz() throws IOException {
    convert(named("a", "", "c"), "out", TargetFormat.NPZ);
    try (Lexicon back = Models.open(folder.resolve("out"))) {
      assertThat(back.vocabulary().orElseThrow().id("")).hasValue(1);
      assertThat(back.vocabulary().orElseThrow().tokens()).isEqualTo(3);
    }
    Vocabulary one = Vocabulary.of(Spelling.PLAIN, Arrays.asList("a", null, "c"), new BitSet());
    convert(lexicon(Table.of(1, 1, 2, 3), Optional.of(one)), "gap", TargetFormat.NPZ);
    try (Lexicon back = Models.open(folder.resolve("gap"))) {
      assertThat(back.vocabulary().orElseThrow().has(1)).isFalse();
    }
  }

  @Test
  void saysWhichWordsTheWrittenTokenizerSplits() throws IOException {
    // pre_tokenizers.Whitespace cuts by the pattern \\w+|[^\\w\\s]+
    Lexicon source = named("don't", "naïve", "...", "snake_case", "U.S.", "東京");
    for (TargetFormat format : List.of(TargetFormat.MODEL2VEC, TargetFormat.SAFETENSORS)) {
      assertThat(convert(source, "out" + format, format).notes())
          .anyMatch(note -> note.contains("2 words, such as \"don't\", are never found"));
    }
    assertThat(convert(named("naïve", "..."), "plain", TargetFormat.MODEL2VEC).notes())
        .noneMatch(note -> note.contains("never found"));
  }
}

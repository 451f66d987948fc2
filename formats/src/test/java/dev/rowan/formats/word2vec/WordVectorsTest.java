package dev.rowan.formats.word2vec;

import static dev.rowan.formats.word2vec.WordVectorsFixture.GENSIM_BINARY;
import static dev.rowan.formats.word2vec.WordVectorsFixture.GENSIM_TEXT;
import static dev.rowan.formats.word2vec.WordVectorsFixture.binary;
import static org.assertj.core.api.Assertions.assertThat;

import dev.rowan.core.Lexicon;
import dev.rowan.core.Spelling;
import dev.rowan.core.Tie;
import dev.rowan.core.Vocabulary;
import dev.rowan.core.Workers;
import dev.rowan.formats.Models;
import dev.rowan.formats.OpenOptions;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class WordVectorsTest {
  @TempDir Path folder;

  private Path file(byte[] bytes) throws IOException {
    return Files.write(folder.resolve("vectors.txt"), bytes);
  }

  private Path file(String text) throws IOException {
    return file(text.getBytes(StandardCharsets.UTF_8));
  }

  private static void isGensims(Lexicon lexicon) {
    assertThat(lexicon.input().table().rows()).isEqualTo(4);
    assertThat(lexicon.input().table().row(0)).containsExactly(0.5f, -1.25f, 1e-5f);
    assertThat(lexicon.input().table().row(1)).containsExactly(0.1f, 0.2f, 0.3f);
    assertThat(lexicon.input().table().row(2)).containsExactly(3.4e38f, -1e-40f, Float.NaN);
    assertThat(lexicon.input().table().row(3)).containsExactly(1, 2, 3);
    Vocabulary words = lexicon.vocabulary().orElseThrow();
    assertThat(words.spelling()).isEqualTo(Spelling.PLAIN);
    assertThat(words.id("the")).hasValue(0);
    assertThat(words.id("café")).hasValue(1);
    assertThat(words.id("東京")).hasValue(2);
    assertThat(words.id("\u00a0")).hasValue(3);
  }

  @Test
  void readsTextThatGensimWrote() throws IOException {
    try (Lexicon lexicon = Models.open(file(GENSIM_TEXT))) {
      isGensims(lexicon);
      assertThat(lexicon.origin().format()).isEqualTo("word2vec-text");
    }
  }

  @Test
  void readsBinaryThatGensimWrote() throws IOException {
    try (Lexicon lexicon = Models.open(file(GENSIM_BINARY))) {
      isGensims(lexicon);
      assertThat(lexicon.origin().format()).isEqualTo("word2vec-binary");
    }
  }

  @Test
  void readsTextWithoutHeader() throws IOException {
    String text = new String(GENSIM_TEXT, StandardCharsets.UTF_8);
    try (Lexicon lexicon = Models.open(file(text.substring(text.indexOf('\n') + 1)))) {
      isGensims(lexicon);
      assertThat(lexicon.origin().format()).isEqualTo("glove-text");
    }
  }

  @Test
  void readsFastTextLinesThatEndInASpace() throws IOException {
    String text = new String(GENSIM_TEXT, StandardCharsets.UTF_8);
    String head = text.substring(0, text.indexOf('\n') + 1);
    try (Lexicon lexicon =
        Models.open(file(head + text.substring(head.length()).replace("\n", " \n")))) {
      isGensims(lexicon);
    }
  }

  @Test
  void readsLinesThatEndInCarriageReturns() throws IOException {
    String text = new String(GENSIM_TEXT, StandardCharsets.UTF_8);
    try (Lexicon lexicon = Models.open(file(text.replace("\n", "\r\n")))) {
      isGensims(lexicon);
    }
  }

  @Test
  void readsTextWithoutALastNewline() throws IOException {
    try (Lexicon lexicon = Models.open(file(Arrays.copyOf(GENSIM_TEXT, GENSIM_TEXT.length - 1)))) {
      isGensims(lexicon);
    }
  }

  @Test
  void saysThatTheOutputTableIsNotKept() throws IOException {
    Files.writeString(folder.resolve("config.json"), "{\"tie_word_embeddings\": true}");
    try (Lexicon lexicon = Models.open(file(GENSIM_TEXT))) {
      assertThat(lexicon.tie()).isEqualTo(Tie.NO_OUTPUT);
      assertThat(lexicon.tieEvidence()).contains("keep the input table alone");
    }
  }

  @Test
  void keepsWordsWithSpaces() throws IOException {
    // glove.840B has tokens such as ". . ." and "at name@domain.com"
    try (Lexicon lexicon =
        Models.open(file("the 1 2 3\n. . . 4 5 6\nat name@domain.com 7 8 9\nat 10 11 12 13\n"))) {
      Vocabulary words = lexicon.vocabulary().orElseThrow();
      assertThat(lexicon.input().table().width()).isEqualTo(3);
      assertThat(words.stored(1)).isEqualTo(". . .");
      assertThat(words.stored(2)).isEqualTo("at name@domain.com");
      assertThat(words.stored(3)).isEqualTo("at 10");
      assertThat(lexicon.input().table().row(1)).containsExactly(4, 5, 6);
      assertThat(lexicon.input().table().row(3)).containsExactly(11, 12, 13);
    }
  }

  @Test
  void takesTheWidthFromMostLinesNotTheFirst() throws IOException {
    try (Lexicon lexicon = Models.open(file(". . . 4 5 6\nthe 1 2 3\nof 1 2 3\n"))) {
      assertThat(lexicon.input().table().width()).isEqualTo(3);
      assertThat(lexicon.vocabulary().orElseThrow().stored(0)).isEqualTo(". . .");
    }
  }

  @Test
  void readsWordsWithSpacesOfOneNumber() throws IOException {
    // gensim writes these keys and cannot read them back
    try (Lexicon lexicon = Models.open(file("3 1\nhello 1.5\nmy name 2.5\nis Ivan 3.5\n"))) {
      Vocabulary words = lexicon.vocabulary().orElseThrow();
      assertThat(words.stored(1)).isEqualTo("my name");
      assertThat(words.stored(2)).isEqualTo("is Ivan");
      assertThat(lexicon.input().table().row(2)).containsExactly(3.5f);
    }
  }

  @Test
  void opensAFolderByTheOneFileOfVectorsInIt() throws IOException {
    file(GENSIM_TEXT);
    Files.writeString(folder.resolve("LICENSE.txt"), "Some licence, version 2.0\n");
    try (Lexicon lexicon = Models.open(folder)) {
      isGensims(lexicon);
    }
  }

  @Test
  void splitsAtTheAsciiSpaceAlone() throws IOException {
    try (Lexicon lexicon = Models.open(file("3 2\n\u00a0 1 2\na\u2003b 3 4\n\u3000\u0085 5 6\n"))) {
      Vocabulary words = lexicon.vocabulary().orElseThrow();
      assertThat(words.stored(0)).isEqualTo("\u00a0");
      assertThat(words.stored(1)).isEqualTo("a\u2003b");
      assertThat(words.stored(2)).isEqualTo("\u3000\u0085");
    }
  }

  @Test
  void firstLineOfTwoWholeNumbersIsARowWhereAllLinesLookSo() throws IOException {
    try (Lexicon lexicon = Models.open(file("7 3\n8 4\nword 5\n"))) {
      assertThat(lexicon.input().table().rows()).isEqualTo(3);
      assertThat(lexicon.input().table().row(0)).containsExactly(3);
    }
  }

  @Test
  void wordsThatLookLikeOtherFilesAreWords() throws IOException {
    try (Lexicon lexicon = Models.open(file("<unk> 1 2\n{ 3 4\n"))) {
      assertThat(lexicon.vocabulary().orElseThrow().stored(0)).isEqualTo("<unk>");
    }
    try (Lexicon lexicon = Models.open(file("{ 1 2\n< 3 4\n"))) {
      assertThat(lexicon.input().table().row(1)).containsExactly(3, 4);
    }
  }

  @Test
  void acceptsNewlinesAfterBinaryRowsOrNone() throws IOException {
    float[] first = {1, 2};
    float[] second = {3, 4};
    for (String after : new String[] {"", "\n", "\n\n"}) {
      try (Lexicon lexicon =
          Models.open(file(binary("2 2\n", after, "day", first, "night", second)))) {
        assertThat(lexicon.vocabulary().orElseThrow().stored(0)).isEqualTo("day");
        assertThat(lexicon.vocabulary().orElseThrow().stored(1)).isEqualTo("night");
        assertThat(lexicon.input().table().row(1)).containsExactly(3, 4);
      }
    }
  }

  @Test
  void keepsWordsCutWithinACharacterApart() throws IOException {
    // two words that are the same after lossy decoding
    byte[] one = {'a', (byte) 0xE3, (byte) 0x83};
    byte[] two = {'a', (byte) 0xE3, (byte) 0x82};
    try (Lexicon lexicon =
        Models.open(file(binary("2 2\n", "", one, new float[] {1, 2}, two, new float[] {3, 4})))) {
      Vocabulary words = lexicon.vocabulary().orElseThrow();
      assertThat(words.id(one)).hasValue(0);
      assertThat(words.id(two)).hasValue(1);
      assertThat(words.text(0)).isEqualTo("a\uFFFD").isEqualTo(words.text(1));
      assertThat(lexicon.notes()).anyMatch(note -> note.startsWith("2 words are not valid UTF-8"));
    }
  }

  @Test
  void keepsRepeatedWordsAndSaysSo() throws IOException {
    try (Lexicon lexicon = Models.open(file("3 2\na 1 2\nb 3 4\na 5 6\n"))) {
      assertThat(lexicon.input().table().rows()).isEqualTo(3);
      assertThat(lexicon.vocabulary().orElseThrow().id("a")).hasValue(0);
      assertThat(lexicon.notes())
          .containsExactly(
              "1 row repeats a word, first \"a\" in rows 0 and 2; looking it up gives the lower"
                  + " row");
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 5})
  void answersDoNotDependOnThreads(int threads) throws IOException {
    int rows = 60_000;
    StringBuilder text = new StringBuilder(rows + " 5\n");
    for (int i = 0; i < rows; i++) {
      text.append("w").append(i);
      for (int j = 0; j < 5; j++) {
        text.append(' ').append(i * 0.001f - j);
      }
      text.append('\n');
    }
    Path file = file(text.toString());
    try (Workers workers = Workers.of(threads);
        Lexicon lexicon = Models.open(file, OpenOptions.DEFAULT.withWorkers(workers))) {
      Vocabulary words = lexicon.vocabulary().orElseThrow();
      for (int i = 0; i < rows; i += 77) {
        assertThat(words.stored(i)).isEqualTo("w" + i);
        assertThat(lexicon.input().table().row(i))
            .containsExactly(
                i * 0.001f, i * 0.001f - 1, i * 0.001f - 2, i * 0.001f - 3, i * 0.001f - 4);
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"1, 3, 40", "2, 3, 40", "5, 3, 40", "2, 1, 300000", "3, 90000, 70", "2, 20000, 200"})
  void findsBinaryRowsWhereverPiecesOfTheFileEnd(int threads, int width, int longest)
      throws IOException {
    SplittableRandom random = new SplittableRandom(7);
    int rows = 4_000_000 / (4 * width + longest);
    Object[] parts = new Object[2 * rows];
    for (int row = 0; row < rows; row++) {
      byte[] word = new byte[random.nextInt(longest)];
      for (int i = 0; i < word.length; i++) {
        // the neighbours of the space and of the newline, the space with its highest bit set
        word[i] =
            (byte) (i == 0 ? 'a' : "\u00a0!\u001f\n\u000b\u0000\u0001\u00ff".charAt((row + i) & 7));
      }
      parts[2 * row] = word;
      float[] numbers = new float[width];
      for (int i = 0; i < width; i++) {
        numbers[i] = row + i / 128f;
      }
      parts[2 * row + 1] = numbers;
    }
    for (String after : new String[] {"", "\n"}) {
      Path file = file(binary(rows + " " + width + "\n", after, parts));
      try (Workers workers = Workers.of(threads);
          Lexicon lexicon = Models.open(file, OpenOptions.DEFAULT.withWorkers(workers))) {
        assertThat(lexicon.input().table().rows()).isEqualTo(rows);
        for (int row = 0; row < rows; row++) {
          assertThat(lexicon.vocabulary().orElseThrow().bytes(row)).isEqualTo(parts[2 * row]);
          assertThat(lexicon.input().table().row(row)).isEqualTo(parts[2 * row + 1]);
        }
      }
    }
  }

  @Test
  void readsLinesLongerThanAChunk() throws IOException {
    String row = " 0.123456789".repeat(200_000);
    try (Lexicon lexicon = Models.open(file("a" + row + "\nb" + row + "\nc" + row + "\n"))) {
      assertThat(lexicon.input().table().width()).isEqualTo(200_000);
      assertThat(lexicon.input().table().rows()).isEqualTo(3);
      assertThat(lexicon.vocabulary().orElseThrow().stored(2)).isEqualTo("c");
    }
  }

  /**
   * Words as they are found in corpora: separators of files and fields, escapes, nothing at all.
   */
  @ParameterizedTest
  @ValueSource(strings = {"\0", "\1", "\7", "\013", "\f", "\033", "\037", "a\037b", "\177"})
  void readsWordsOfControlCharacters(String word) throws IOException {
    String rows = word + " 1.5 2 3\nthe 4 5 6\n" + "x" + word + " 7 8 9\n";
    for (String text : new String[] {"3 3\n" + rows, rows}) {
      try (Lexicon lexicon = Models.open(file(text))) {
        assertThat(lexicon.vocabulary().orElseThrow().text(0)).isEqualTo(word);
        assertThat(lexicon.vocabulary().orElseThrow().text(2)).isEqualTo("x" + word);
        assertThat(lexicon.input().table().row(0)).containsExactly(1.5f, 2, 3);
        assertThat(lexicon.input().table().row(2)).containsExactly(7, 8, 9);
      }
    }
  }

  @Test
  void leavesOutTheMarkInFrontOfUtf8() throws IOException {
    for (String text : new String[] {"\ufeff2 2\na 1 2\nb 3 4\n", "\ufeffa 1 2\nb 3 4\n"}) {
      try (Lexicon lexicon = Models.open(file(text))) {
        assertThat(lexicon.input().table().rows()).isEqualTo(2);
        assertThat(lexicon.vocabulary().orElseThrow().text(0)).isEqualTo("a");
        assertThat(lexicon.input().table().row(1)).containsExactly(3, 4);
      }
    }
  }
}

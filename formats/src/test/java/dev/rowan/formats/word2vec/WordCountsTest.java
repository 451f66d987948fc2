package dev.rowan.formats.word2vec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rowan.core.Spelling;
import dev.rowan.core.Vocabulary;
import dev.rowan.formats.file.FormatException;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WordCountsTest {
  @TempDir Path folder;

  private Path file(String text, Charset charset) throws IOException {
    return Files.write(folder.resolve("counts.txt"), text.getBytes(charset));
  }

  @Test
  void givesCountsByIdWhateverTheOrder() throws IOException {
    Path file = file("b 7\nnot there 3\na 123\n", StandardCharsets.UTF_8);
    WordCounts counts = WordCounts.read(file, Vocabulary.ofWords(List.of("a", "b", "c")));
    assertThat(counts.of(0)).isEqualTo(123);
    assertThat(counts.of(1)).isEqualTo(7);
    assertThat(counts.of(2)).isZero();
    assertThat(counts.wordsWithoutRow()).isEqualTo(1);
  }

  @Test
  void wordsCutWithinACharacterAreFoundByTheirBytes() throws IOException {
    byte[][] words = {{'a', (byte) 0xE3}, {'a', (byte) 0xE2}};
    Vocabulary vocabulary = Vocabulary.of(Spelling.PLAIN, words, new BitSet(), new BitSet());
    Path file = file("a\u00e2 2\na\u00e3 1\n", StandardCharsets.ISO_8859_1);
    WordCounts counts = WordCounts.read(file, vocabulary);
    assertThat(counts.of(0)).isEqualTo(1);
    assertThat(counts.of(1)).isEqualTo(2);
  }

  @Test
  void refusesALineWithoutACount() throws IOException {
    Path file = file("a 1\nb\n", StandardCharsets.UTF_8);
    assertThatThrownBy(() -> WordCounts.read(file, Vocabulary.ofWords(List.of("a"))))
        .isInstanceOf(FormatException.class)
        .hasMessageContaining("line 2 is \"b\"; a word, a space and a whole number are expected");
  }
}

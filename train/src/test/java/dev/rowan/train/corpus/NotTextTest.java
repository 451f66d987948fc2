package dev.rowan.train.corpus;

import static dev.rowan.train.corpus.CorpusFixture.ALL;
import static dev.rowan.train.corpus.CorpusFixture.read;
import static dev.rowan.train.corpus.CorpusFixture.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rowan.formats.file.FormatException;
import dev.rowan.train.corpus.Corpus.Broken;
import dev.rowan.train.corpus.Corpus.Form;
import dev.rowan.train.corpus.Corpus.Place;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NotTextTest {
  @TempDir Path folder;

  private Path file(String name, String bytes) throws IOException {
    return Files.write(folder.resolve(name), bytes.getBytes(StandardCharsets.ISO_8859_1));
  }

  private static Corpus corpus(Path path) {
    return Corpus.ofFiles(path).with(ALL);
  }

  @ParameterizedTest
  @CsvSource({
    "%PDF-1.7 words, pdftotext",
    "PK\u0003\u0004 words, zip archive",
    "BZh91AY&SY words, bzip2 -dc",
    "\u00FD7zXZ\u0000 words, xz -dc",
    "\u0089PNG words, is a picture",
    "\u00FF\u00FEw\u0000, iconv -f utf-16",
    "some\u0000 words, byte 4 is NUL",
    "'\u0000w\u0000o\u0000r', iconv -f utf-16be -t utf-8",
    "w\u0000o\u0000r\u0000, iconv -f utf-16le -t utf-8"
  })
  void refusesWhatIsNoTextAndSaysWhatToDo(String bytes, String told) throws IOException {
    Path file = file("a.txt", bytes);
    assertThatThrownBy(() -> read(corpus(file)))
        .isInstanceOf(FormatException.class)
        .hasMessageContaining("a.txt")
        .hasMessageContaining(told);
  }

  @Test
  void looksIntoWhatIsPackedAndWhatIsPiped() throws IOException {
    ByteArrayOutputStream zipped = new ByteArrayOutputStream();
    try (OutputStream out = new GZIPOutputStream(zipped)) {
      out.write("%PDF-1.7 words".getBytes(StandardCharsets.UTF_8));
    }
    Path file = Files.write(folder.resolve("a.gz"), zipped.toByteArray());
    assertThatThrownBy(() -> read(corpus(file))).hasMessageContaining("is a PDF file");
    Corpus piped =
        new Corpus(
            List.of(new Place.Stream("stdin", new ByteArrayInputStream(new byte[] {'a', 0}))),
            new Form.Words(),
            ALL);
    assertThatThrownBy(() -> read(piped))
        .hasMessageContaining("stdin: this is no text: byte 1 is NUL");
  }

  @Test
  void leavesOutOfAFolderWhatIsNoText() throws IOException {
    file("b.png", "\u0089PNG\r\n words");
    assertThatThrownBy(() -> read(corpus(folder)))
        .isInstanceOf(NoSuchFileException.class)
        .hasMessageContaining("holds no text file");
    file("a.txt", "one two");
    EncodedCorpus read = read(corpus(folder));
    assertThat(text(read)).isEqualTo("one two ");
    assertThat(read.notes().getFirst())
        .isEqualTo("1 file that is no text was left out of " + folder + ", such as b.png");
  }

  @Test
  void refusesATextOfAnotherEncodingUnlessBrokenWordsAreLeftOut() throws IOException {
    // 20 of 100 words hold a byte of Latin-1, then 10, which are no more than a tenth
    Path latin = file("latin.txt", "caf\u00E9 is a good place ".repeat(20));
    assertThatThrownBy(() -> read(corpus(latin)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("20 of 100 words are not UTF-8")
        .hasMessageContaining("iconv -f latin1 -t utf-8");
    assertThat(read(corpus(latin).with(ALL.withBroken(Broken.DROPPED))).words()).isEqualTo(80);
    Path few = file("few.txt", "caf\u00E9 is a good place is a good place to ".repeat(10));
    assertThat(read(corpus(few)).notes())
        .contains("10 words were not UTF-8 and were mended with U+FFFD");
  }
}

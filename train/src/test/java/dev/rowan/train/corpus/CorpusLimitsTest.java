package dev.rowan.train.corpus;

import static dev.rowan.train.corpus.CorpusFixture.ALL;
import static dev.rowan.train.corpus.CorpusFixture.read;
import static dev.rowan.train.corpus.CorpusFixture.text;
import static org.assertj.core.api.Assertions.assertThat;

import dev.rowan.core.Workers;
import dev.rowan.train.corpus.Corpus.Form;
import dev.rowan.train.corpus.Corpus.Limits;
import dev.rowan.train.corpus.Corpus.Place;
import dev.rowan.train.corpus.EncodedCorpus.ReadListener;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CorpusLimitsTest {
  @TempDir Path folder;

  private Path file(String name, String text) throws IOException {
    return Files.writeString(folder.resolve(name), text);
  }

  @Test
  void readsSoManyDocumentsOrWords() throws IOException {
    file("a.txt", "one two\n\nthree four\nfive");
    file("b.txt", "six seven\neight");
    Corpus all = Corpus.ofFiles(folder).with(ALL);
    assertThat(text(read(all.with(new Limits(2, 100))))).isEqualTo("one two |three four |");
    EncodedCorpus four = read(all.with(new Limits(4, 100))); // the end of a file ends a line too
    assertThat(text(four)).isEqualTo("one two |three four |five six seven |");
    assertThat(four.notes()).anyMatch(note -> note.contains("7 words in 4 documents (lines)"));
    EncodedCorpus words = read(all.with(new Limits(100, 3)));
    assertThat(text(words)).isEqualTo("one two |three ");
    assertThat(words.vocabulary().size()).isEqualTo(3);
    assertThat(words.notes()).anyMatch(note -> note.contains("3 words in 2 documents"));
    assertThat(text(read(all.with(new Limits(100, 100))))).endsWith("six seven |eight ");
  }

  @Test
  void countsJsonObjectsAsDocuments() throws IOException {
    Path file =
        file(
            "a.jsonl",
            """
            {"text": "one\\ntwo\\n"}
            {"text": ""}
            {"text": "three\\nfour"}
            {"text": "five"}
            """);
    Corpus corpus = Corpus.ofFiles(file).with(new Form.JsonLines("text")).with(ALL);
    assertThat(text(read(corpus.with(new Limits(2, 100))))).isEqualTo("one |two |three |four |");
  }

  // the first block of 4 MB ends in the last word of the second line
  @ParameterizedTest
  @ValueSource(strings = {"\n", " \n", "\r\n"})
  void endsALineThatEndsBehindItsBlock(String end) throws IOException {
    String filler = "ab ".repeat((4 << 20) / 3);
    Path file = file("a.txt", "one\n" + filler + "x".repeat(20) + end + "three" + end + "four");
    EncodedCorpus corpus = read(Corpus.ofFiles(file).with(ALL).with(new Limits(2, 1L << 40)));
    assertThat(corpus.words()).isEqualTo(1 + (4 << 20) / 3 + 1);
    assertThat(text(corpus)).endsWith("xx |");
  }

  // blocks are 4 MB and read in any order
  @Test
  void limitsAreTheSameForAnyNumberOfThreads() throws IOException {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < 1_100_000; i++) {
      text.append("word").append(i % 1013).append(i % 11 == 10 ? '\n' : ' ');
    }
    Corpus corpus =
        Corpus.ofFiles(file("a.txt", text.toString()))
            .with(ALL)
            .with(new Limits(90_000, 1_050_000));
    for (int threads : new int[] {1, 3}) {
      try (Workers workers = Workers.of(threads)) {
        EncodedCorpus read = EncodedCorpus.read(corpus, workers, ReadListener.NONE);
        assertThat(read.words()).isEqualTo(90_000 * 11L);
      }
    }
  }

  /** The first block ends in front of a line feed, or of many blanks and one. */
  @ParameterizedTest
  @ValueSource(strings = {"\r\n", " \n", "  \n\n"})
  void aLineEndsWhereABlockOfAStreamDoes(String end) throws IOException {
    for (int before = 0; before < end.length(); before++) {
      byte[] text = new byte[Blocks.BLOCK_BYTES + 20];
      Arrays.fill(text, (byte) ' ');
      byte[] first = ("one" + end).getBytes(StandardCharsets.UTF_8);
      System.arraycopy(first, 0, text, Blocks.BLOCK_BYTES - before - 3, first.length);
      byte[] second = "two\nthree".getBytes(StandardCharsets.UTF_8);
      System.arraycopy(second, 0, text, text.length - second.length, second.length);
      text[0] = 'a'; // a document of "a one"
      assertThat(text(read(stream(text).with(new Limits(1, 100)))))
          .as("%d before the end of the block", before)
          .isEqualTo("a one |");
    }
  }

  @Test
  void megabytesOfBlanksKeepTheirLineFeed() throws IOException {
    byte[] text = new byte[3 * Blocks.BLOCK_BYTES];
    Arrays.fill(text, (byte) ' ');
    text[0] = 'a';
    text[2 * Blocks.BLOCK_BYTES] = '\n';
    text[text.length - 1] = 'b';
    assertThat(text(read(stream(text)))).isEqualTo("a |b ");
  }

  private static Corpus stream(byte... text) {
    return new Corpus(
        List.of(new Place.Stream("stdin", new ByteArrayInputStream(text))), new Form.Words(), ALL);
  }
}

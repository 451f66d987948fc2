package dev.rowan.train.corpus;

import static dev.rowan.train.corpus.CorpusFixture.ALL;
import static dev.rowan.train.corpus.CorpusFixture.read;
import static dev.rowan.train.corpus.CorpusFixture.text;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rowan.core.Workers;
import dev.rowan.formats.file.FormatException;
import dev.rowan.train.corpus.Corpus.Broken;
import dev.rowan.train.corpus.Corpus.Form;
import dev.rowan.train.corpus.Corpus.Letters;
import dev.rowan.train.corpus.Corpus.Place;
import dev.rowan.train.corpus.Corpus.WordRules;
import dev.rowan.train.corpus.EncodedCorpus.ReadListener;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EncodedCorpusTest {
  @TempDir Path folder;

  private Path file(String name, String text) throws IOException {
    return Files.writeString(folder.resolve(name), text);
  }

  @Test
  void readsWordsAndSentences() throws IOException {
    Path file = file("a.txt", "the cat  sat\n\n\tthe dog\r\nend");
    EncodedCorpus corpus = read(Corpus.ofFiles(file).with(ALL));
    assertThat(text(corpus)).isEqualTo("the cat sat |the dog |end ");
    assertThat(corpus.words()).isEqualTo(6);
  }

  @Test
  void ordersWordsByCountThenByBytes() throws IOException {
    Path file = file("a.txt", "b a b c a b é z");
    CountedVocabulary words = read(Corpus.ofFiles(file).with(ALL)).vocabulary();
    List<String> order = new ArrayList<>();
    for (int id = 0; id < words.size(); id++) {
      order.add(words.vocabulary().stored(id) + words.count(id));
    }
    assertThat(order).containsExactly("b3", "a2", "c1", "z1", "é1");
  }

  @Test
  void leavesRareWordsOutAndClosesTheGap() throws IOException {
    Path file = file("a.txt", "x a x b\nx c a\n");
    EncodedCorpus corpus = read(Corpus.ofFiles(file).with(WordRules.DEFAULT.withMinCount(2)));
    assertThat(text(corpus)).isEqualTo("x a x |x a |");
    assertThat(corpus.notes()).anyMatch(note -> note.contains("28.6 %")); // 2 of 7
  }

  @Test
  void keepsTheMostFrequentWordsUpToALimit() throws IOException {
    Path file = file("a.txt", "a a a b b c");
    EncodedCorpus corpus = read(Corpus.ofFiles(file).with(ALL.withMaxWords(2)));
    assertThat(text(corpus)).isEqualTo("a a a b b ");
  }

  @Test
  void lowersLettersOfAnyScript() throws IOException {
    Path file = file("a.txt", "The THE the ÉTÉ été Ωmega ωmega");
    EncodedCorpus corpus = read(Corpus.ofFiles(file).with(ALL.withLetters(Letters.LOWERED)));
    assertThat(text(corpus)).isEqualTo("the the the été été ωmega ωmega ");
  }

  // lengths around 8 and 16 bytes, where the scanner changes its way
  @ParameterizedTest
  @ValueSource(ints = {1, 7, 8, 9, 15, 16, 17, 24, 1023, 1024})
  void tellsWordsOfAnyLengthApart(int length) throws IOException {
    String word = "w".repeat(length);
    String other = "w".repeat(length - 1) + "x";
    String longer = word + "w";
    EncodedCorpus corpus =
        read(
            Corpus.ofFiles(file("a.txt", word + " " + other + "\n" + word + " " + other))
                .with(ALL));
    assertThat(text(corpus)).isEqualTo(word + " " + other + " |" + word + " " + other + " ");
    assertThat(longer).hasSize(length + 1);
  }

  @Test
  void leavesOutWordsLongerThanAKilobyteAndSaysSo() throws IOException {
    EncodedCorpus corpus =
        read(Corpus.ofFiles(file("a.txt", "a " + "x".repeat(5000) + " b")).with(ALL));
    assertThat(text(corpus)).isEqualTo("a b ");
    assertThat(corpus.notes()).anyMatch(note -> note.contains("more than 1,024 bytes"));
  }

  // Blocks are 4 MB: words and lines lie across their borders. The expected counts come from a
  // plain map over the same words.
  @Test
  void losesNoWordBetweenBlocks() throws IOException {
    Random random = new Random(5);
    StringBuilder text = new StringBuilder();
    Map<String, Long> expected = new HashMap<>();
    while (text.length() < 9_500_000) {
      String word = Integer.toString(random.nextInt(3000), 36).repeat(1 + random.nextInt(6));
      expected.merge(word, 1L, Long::sum);
      text.append(word).append(random.nextInt(12) == 0 ? '\n' : ' ');
    }
    Path plain = file("a.txt", text.toString());
    Path zipped = folder.resolve("a.gz");
    try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(zipped))) {
      out.write(text.toString().getBytes(StandardCharsets.UTF_8));
    }
    for (Path path : List.of(plain, zipped)) {
      EncodedCorpus corpus = read(Corpus.ofFiles(path).with(ALL));
      assertThat(corpus.vocabulary().size()).isEqualTo(expected.size());
      expected.forEach((word, count) -> {
        int id = corpus.vocabulary().vocabulary().id(word).orElseThrow();
        assertThat(corpus.vocabulary().count(id)).as(word).isEqualTo(count);
      });
      assertThat(corpus.words())
          .isEqualTo(expected.values().stream().mapToLong(Long::longValue).sum());
      assertThat(text(corpus).replace("|", "").replace(" ", ""))
          .isEqualTo(text.toString().replace("\n", "").replace(" ", ""));
    }
  }

  @Test
  void readsFoldersInTheOrderOfNamesWithoutHiddenFiles() throws IOException {
    file("b.txt", "two");
    file("a.txt", "one");
    file(".hidden", "no");
    Files.createDirectory(folder.resolve("c"));
    file("c/d.txt", "three");
    assertThat(text(read(Corpus.ofFiles(folder).with(ALL)))).isEqualTo("one two three ");
  }

  @Test
  void readsAStream() throws IOException {
    byte[] text = "a b\nc".getBytes(StandardCharsets.UTF_8);
    Corpus corpus =
        new Corpus(
            List.of(new Place.Stream("stdin", new ByteArrayInputStream(text))),
            new Form.Words(),
            ALL);
    assertThat(text(read(corpus))).isEqualTo("a b |c ");
  }

  @Test
  void skipsAByteOrderMark() throws IOException {
    assertThat(text(read(Corpus.ofFiles(file("a.txt", "\uFEFFa b a")).with(ALL))))
        .isEqualTo("a b a ");
  }

  @Test
  void readsAFieldOfJsonLines() throws IOException {
    Path file =
        file(
            "a.jsonl",
            """
            {"id": 1, "text": "the caf\\u00e9\\nis open", "more": {"text": "no"}}

            {"text": "the end"}
            """);
    EncodedCorpus corpus = read(Corpus.ofFiles(file).with(new Form.JsonLines("text")).with(ALL));
    assertThat(text(corpus)).isEqualTo("the café |is open |the end |");
  }

  @Test
  void namesTheLineWithoutTheField() throws IOException {
    Path file = file("a.jsonl", "{\"text\": \"a b\"}\n{\"body\": \"c\"}\n");
    assertThatThrownBy(() -> read(Corpus.ofFiles(file).with(new Form.JsonLines("text")).with(ALL)))
        .isInstanceOf(FormatException.class)
        .hasMessageContaining("a.jsonl")
        .hasMessageContaining("no field \"text\"")
        .hasMessageContaining("(line 2, at byte 16)");
  }

  /** In the second of two blocks, where nobody has seen the lines of the first. */
  @Test
  void namesTheLineOfALongFileHoweverItIsRead() throws IOException {
    int empty = 5 << 20;
    byte[] text = ("{\"text\": \"a b\"}" + "\n".repeat(empty) + "{\"body\": 1}\n").getBytes(UTF_8);
    Path plain = Files.write(folder.resolve("a.jsonl"), text);
    String where = "(line %d, at byte %d)".formatted(1 + empty, 15 + empty);
    for (Place place :
        List.of(
            new Place.Files(plain), new Place.Stream("stdin", new ByteArrayInputStream(text)))) {
      assertThatThrownBy(() -> read(new Corpus(List.of(place), new Form.JsonLines("text"), ALL)))
          .isInstanceOf(FormatException.class)
          .hasMessageContaining("this line has no field")
          .hasMessageEndingWith(where);
    }
  }

  @Test
  void namesTheLineThatIsNoJson() throws IOException {
    Path file = file("a.jsonl", "{\"text\": \"a b\"}\n\n{\"text\": a}\n");
    assertThatThrownBy(() -> read(Corpus.ofFiles(file).with(new Form.JsonLines("text")).with(ALL)))
        .isInstanceOf(FormatException.class)
        .hasMessageStartingWith("a.jsonl: ")
        .hasMessageContaining("(line 3, at byte ");
  }

  @Test
  void digestIsThatOfTheWordsInTheirOrder() throws IOException {
    WordRules rules = WordRules.DEFAULT.withMinCount(2);
    String text = "once the cat sat on the mat\n\na cat sat\na mat on the cat\n";
    String digest = read(Corpus.ofFiles(file("a.txt", text)).with(rules)).digest();
    for (String other : List.of("the on", "on\nthe", "on the\n")) {
      Path changed = file("b.txt", text.replaceFirst("on the", other));
      assertThat(read(Corpus.ofFiles(changed).with(rules)).digest()).isNotEqualTo(digest);
    }
    // neither "once" nor "twice" has a row
    Path same = file("b.txt", text.replace("once", "twice"));
    assertThat(read(Corpus.ofFiles(same).with(rules)).digest()).isEqualTo(digest);
  }

  /** Over two blocks, which packed texts are cut into elsewhere. */
  @Test
  void digestDependsOnNeitherThreadsNorPacking() throws IOException {
    byte[] text = "the cat sat on a mat\n\nonce\n".repeat(160_000).getBytes(UTF_8);
    assertThat(text.length).isGreaterThan(Blocks.BLOCK_BYTES);
    Path plain = Files.write(folder.resolve("a.txt"), text);
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(packed)) {
      gzip.write(text);
    }
    Path gzip = Files.write(folder.resolve("a.gz"), packed.toByteArray());
    String digest = read(Corpus.ofFiles(plain)).digest();
    assertThat(read(Corpus.ofFiles(gzip)).digest()).isEqualTo(digest);
    try (Workers one = Workers.of(1);
        EncodedCorpus corpus = EncodedCorpus.read(Corpus.ofFiles(plain), one, ReadListener.NONE)) {
      assertThat(corpus.digest()).isEqualTo(digest);
    }
  }

  // rows 0 to 2 and ends of sentences as 2, 3, 4 and 1: ((2·B + 2)·B + 3)·B + 1 and so on, by hand
  @Test
  void digestIsAPolynomial() throws IOException {
    BigInteger base = new BigInteger("9E3779B97F4A7C15", 16);
    BigInteger sum = BigInteger.ZERO;
    for (int place : new int[] {2, 2, 3, 1, 2, 4, 3, 1}) { // a a b | a c b |
      sum = sum.multiply(base).add(BigInteger.valueOf(place));
    }
    assertThat(read(Corpus.ofFiles(file("a.txt", "a a b\na c b\n")).with(ALL)).digest())
        .isEqualTo("%016x".formatted(sum.longValue()));
  }

  @Test
  void mendsDropsOrRefusesWhatIsNotUtf8() throws IOException {
    Path file = folder.resolve("a.txt");
    Files.write(file, new byte[] {'a', ' ', 'b', (byte) 0xFF, ' ', 'c', '\n', 'a'});
    Corpus corpus = Corpus.ofFiles(file);
    assertThat(text(read(corpus.with(ALL)))).isEqualTo("a b\uFFFD c |a ");
    assertThat(text(read(corpus.with(ALL.withBroken(Broken.DROPPED))))).isEqualTo("a c |a ");
    assertThatThrownBy(() -> read(corpus.with(ALL.withBroken(Broken.REFUSED))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("not UTF-8");
  }

  @Test
  void usesAVocabularyThatWasSaved() throws IOException {
    Path words = folder.resolve("words");
    read(Corpus.ofFiles(file("a.txt", "a a b b c")).with(WordRules.DEFAULT.withMinCount(2)))
        .vocabulary()
        .save(words);
    assertThat(words).hasContent("a 2\nb 2\n");
    CountedVocabulary saved = CountedVocabulary.read(words);
    EncodedCorpus corpus =
        read(Corpus.ofFiles(file("b.txt", "c b z a")).with(ALL.withCounted(saved)));
    assertThat(text(corpus)).isEqualTo("b a ");
    assertThat(corpus.vocabulary().count(0)).isEqualTo(2);
  }

  @ParameterizedTest
  @ValueSource(strings = {"a", "a b", "a 1\na 2", " 3", "a -1", "a 1x"})
  void refusesVocabulariesThatAreNone(String text) throws IOException {
    Path file = file("words", text);
    assertThatThrownBy(() -> CountedVocabulary.read(file)).isInstanceOf(FormatException.class);
  }

  @Test
  void refusesTextWithoutWordsToLearn() throws IOException {
    assertThatThrownBy(() -> read(Corpus.ofFiles(file("a.txt", "a b c"))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "no word comes 5 times or more, and a table takes two or more;"
                + " the text has 3 words, 3 of them different: give more text or a lower min count"
                + " (--min-count)");
    assertThatThrownBy(() -> read(Corpus.ofFiles(file("b.txt", "word")).with(ALL)))
        .hasMessage(
            "only one word comes at all, and a table takes two or more;"
                + " the text has 1 word: give more text");
    assertThatThrownBy(() -> read(Corpus.ofFiles(file("c.txt", "")).with(ALL)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("the text has 0 words");
    assertThatThrownBy(() -> read(Corpus.ofFiles(folder.resolve("none"))))
        .isInstanceOf(NoSuchFileException.class);
  }

  @Test
  void saysWhichRuleLeftWordsOut() throws IOException {
    Corpus corpus = Corpus.ofFiles(file("a.txt", "a a a a b b b c c d\n"));
    WordRules twice = WordRules.DEFAULT.withMinCount(2);
    assertThat(read(corpus.with(twice)).notes())
        .containsExactly(
            "10 words, 4 distinct; 3 have a row (2 times or more), which leaves out 10.0 % of the text");
    assertThat(read(corpus.with(twice.withMaxWords(3))).notes().getFirst())
        .contains("3 have a row (2 times or more)");
    assertThat(read(corpus.with(twice.withMaxWords(2))).notes().getFirst())
        .contains(
            "2 have a row (the most frequent, by --max-vocab, of 3 that come 2 times or more), which leaves out 30.0 %");
  }

  @Test
  void saysThatWordsWereDroppedWhereNoneIsLeft() throws IOException {
    Path latin =
        Files.write(
            folder.resolve("latin.txt"),
            "caf\u00E9 th\u00E9 ".repeat(6).getBytes(StandardCharsets.ISO_8859_1));
    assertThatThrownBy(
            () -> read(Corpus.ofFiles(latin).with(WordRules.DEFAULT.withBroken(Broken.DROPPED))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(
            "the text has 12 words; 12 of them were not UTF-8 and left out (--bad-utf8 drop): convert the text");
  }

  @Test
  void unitsHoldEveryWordOnceAndEndWithSentences() throws IOException {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < 50_000; i++) {
      text.append("w").append(i % 97).append(i % 13 == 12 ? '\n' : ' ');
    }
    EncodedCorpus corpus = read(Corpus.ofFiles(file("a.txt", text.toString())).with(ALL));
    long words = 0;
    int[] ids = new int[corpus.mostIds()];
    for (int u = 0; u < corpus.units(); u++) {
      assertThat(corpus.unit(u).wordsBefore()).isEqualTo(words);
      words += corpus.unit(u).words();
      int count = corpus.read(u, ids);
      if (u < corpus.units() - 1) {
        assertThat(corpus.unit(u).words()).isBetween(10_000, 10_013);
        assertThat(ids[count - 1]).isEqualTo(-1);
      }
    }
    assertThat(words).isEqualTo(50_000);
  }
}

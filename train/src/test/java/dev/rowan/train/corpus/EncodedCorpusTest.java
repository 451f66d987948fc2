package dev.rowan.train.corpus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rowan.core.Workers;
import dev.rowan.formats.file.FormatException;
import dev.rowan.train.corpus.Corpus.Broken;
import dev.rowan.train.corpus.Corpus.Form;
import dev.rowan.train.corpus.Corpus.Letters;
import dev.rowan.train.corpus.Corpus.Limits;
import dev.rowan.train.corpus.Corpus.Place;
import dev.rowan.train.corpus.Corpus.WordRules;
import dev.rowan.train.corpus.EncodedCorpus.ReadListener;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.StringTokenizer;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EncodedCorpusTest {
  private static final WordRules ALL = WordRules.DEFAULT.withMinCount(1);

  @TempDir Path folder;

  private Path file(String name, String text) throws IOException {
    return Files.writeString(folder.resolve(name), text);
  }

  private static EncodedCorpus read(Corpus corpus) throws IOException {
    try (Workers workers = Workers.of(2)) {
      return EncodedCorpus.read(corpus, workers, ReadListener.NONE);
    }
  }

  /** The text as read back from ids, sentences on lines. */
  private static String text(EncodedCorpus corpus) {
    StringBuilder text = new StringBuilder();
    int[] ids = new int[corpus.mostIds()];
    for (int unit = 0; unit < corpus.units(); unit++) {
      int count = corpus.read(unit, ids);
      for (int i = 0; i < count; i++) {
        text.append(ids[i] < 0 ? "|" : corpus.vocabulary().vocabulary().stored(ids[i]) + " ");
      }
    }
    return text.toString();
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

  /** Text of two blocks, some words with capitals, some beyond ASCII, some no UTF-8. */
  private Path mixed() throws IOException {
    Random random = new Random(9);
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    while (text.size() < 4_400_000) {
      int number = (int) (3000 * random.nextDouble() * random.nextDouble() * random.nextDouble());
      String word = Integer.toString(number + 40, 36).repeat(1 + number % 7);
      word = number % 5 == 0 ? "\u00C9" + word : word;
      word = random.nextInt(4) == 0 ? word.toUpperCase(Locale.ROOT) : word;
      text.writeBytes(word.getBytes(StandardCharsets.UTF_8));
      if (number % 11 == 0) {
        text.write(0xC3); // the first of two bytes
      }
      text.write(random.nextInt(12) == 0 ? '\n' : ' ');
    }
    return Files.write(folder.resolve("mixed.txt"), text.toByteArray());
  }

  /** How often each word comes, its bytes as Latin-1, read by means of the JDK alone. */
  private static Map<String, Long> plainCounts(Path file) throws IOException {
    Map<String, Long> counts = new HashMap<>();
    StringTokenizer words =
        new StringTokenizer(Files.readString(file, StandardCharsets.ISO_8859_1), " \n");
    while (words.hasMoreTokens()) {
      counts.merge(words.nextToken(), 1L, Long::sum);
    }
    return counts;
  }

  /** What rules make of such counts. */
  private static Map<String, Long> plainCounts(Map<String, Long> raw, WordRules rules) {
    Map<String, Long> counts = new HashMap<>();
    raw.forEach((bytes, count) -> {
      String word = new String(bytes.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
      if (!word.contains("\uFFFD") || rules.broken() != Broken.DROPPED) {
        boolean lowered = rules.letters() == Letters.LOWERED;
        counts.merge(lowered ? word.toLowerCase(Locale.ROOT) : word, count, Long::sum);
      }
    });
    counts.values().removeIf(count -> count < rules.minCount());
    return counts;
  }

  private static int hashOfIds(EncodedCorpus corpus) {
    int hash = 0;
    int[] ids = new int[corpus.mostIds()];
    for (int unit = 0; unit < corpus.units(); unit++) {
      hash = 31 * hash + Arrays.hashCode(Arrays.copyOf(ids, corpus.read(unit, ids)));
    }
    return hash;
  }

  @Test
  void countsAndNumbersAsAPlainReaderDoesForAnyNumberOfThreads() throws IOException {
    Path file = mixed();
    Map<String, Long> raw = plainCounts(file);
    for (WordRules rules :
        List.of(
            ALL,
            WordRules.DEFAULT.withMinCount(30).withLetters(Letters.LOWERED),
            ALL.withLetters(Letters.LOWERED).withBroken(Broken.DROPPED))) {
      Map<String, Long> expected = plainCounts(raw, rules);
      Corpus corpus = Corpus.ofFiles(file).with(rules);
      int hash = 0;
      for (int threads : new int[] {1, 3}) {
        try (Workers workers = Workers.of(threads);
            EncodedCorpus read = EncodedCorpus.read(corpus, workers, ReadListener.NONE)) {
          CountedVocabulary alone = CountedVocabulary.count(corpus, workers, ReadListener.NONE);
          for (CountedVocabulary words : List.of(read.vocabulary(), alone)) {
            Map<String, Long> counts = new HashMap<>();
            for (int id = 0; id < words.size(); id++) {
              counts.put(words.vocabulary().stored(id), words.count(id));
            }
            assertThat(counts).isEqualTo(expected);
            assertThat(words.counts()).isEqualTo(alone.counts());
          }
          if (threads > 1) {
            assertThat(hashOfIds(read)).isEqualTo(hash);
          }
          hash = hashOfIds(read);
        }
      }
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

  // made by zstd 1.5.4 from "the cat sat\non the mat\n"
  private static final byte[] ZSTD =
      Base64.getDecoder().decode("KLUv/SQXuQAAdGhlIGNhdCBzYXQKb24gdGhlIG1hdArt+4B6");

  private static Corpus stream(byte[]... parts) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      all.writeBytes(part);
    }
    return new Corpus(
        List.of(new Place.Stream("stdin", new ByteArrayInputStream(all.toByteArray()))),
        new Form.Words(),
        ALL);
  }

  @Test
  void readsZstdWhateverTheFileIsCalled() throws IOException {
    Path file = Files.write(folder.resolve("a.txt"), ZSTD);
    assertThat(text(read(Corpus.ofFiles(file).with(ALL)))).isEqualTo("the cat sat |on the mat |");
  }

  @Test
  void readsPackedStreamsAndSeveralFramesInARow() throws IOException {
    assertThat(text(read(stream(ZSTD, ZSTD))))
        .isEqualTo("the cat sat |on the mat |the cat sat |on the mat |");
    ByteArrayOutputStream zipped = new ByteArrayOutputStream();
    try (OutputStream out = new GZIPOutputStream(zipped)) {
      out.write("a b\nc".getBytes(StandardCharsets.UTF_8));
    }
    assertThat(text(read(stream(zipped.toByteArray())))).isEqualTo("a b |c ");
  }

  /** A zstd frame (RFC 8878, 3.1.1) of runs of 128 KB of blanks, and four bytes at its end. */
  private static byte[] blanks(int window, int runs) {
    ByteArrayOutputStream frame = new ByteArrayOutputStream();
    frame.writeBytes(new byte[] {0x28, (byte) 0xB5, 0x2F, (byte) 0xFD, 0x00, (byte) window});
    for (int i = 0; i < runs; i++) {
      frame.writeBytes(new byte[] {0x02, 0x00, 0x10, ' '}); // size << 3 | type 1 << 1
    }
    frame.writeBytes(new byte[] {0x21, 0x00, 0x00, 'a', ' ', 'b', '\n'});
    return frame.toByteArray();
  }

  @Test
  void unpacksABombInItsStride() throws IOException {
    byte[] bomb = blanks(11 << 3, 400); // 2 KB that unpack to 52 MB
    assertThat(text(read(stream(bomb)))).isEqualTo("a b |");
  }

  @Test
  void saysWherePackedTextIsCutOff() throws IOException {
    ByteArrayOutputStream zipped = new ByteArrayOutputStream();
    try (OutputStream out = new GZIPOutputStream(zipped)) {
      out.write("a b c d e f g h".repeat(1000).getBytes(StandardCharsets.UTF_8));
    }
    for (byte[] whole : List.of(ZSTD, zipped.toByteArray())) {
      for (int length = 5; length < whole.length; length++) {
        Corpus corpus = stream(Arrays.copyOf(whole, length));
        assertThatThrownBy(() -> read(corpus))
            .as("of %d bytes", length)
            .isInstanceOf(FormatException.class)
            .hasMessageContaining("stdin")
            .hasMessageContaining("cut off");
      }
    }
  }

  @Test
  void saysThatPackedBytesAreDamaged() {
    byte[] damaged = ZSTD.clone();
    damaged[damaged.length - 1] ^= 1; // of the checksum
    assertThatThrownBy(() -> read(stream(damaged)))
        .isInstanceOf(FormatException.class)
        .hasMessageContaining("zstd data are damaged");
    assertThatThrownBy(() -> read(stream(ZSTD, "more".getBytes(StandardCharsets.UTF_8))))
        .isInstanceOf(FormatException.class)
        .hasMessageContaining("damaged");
  }

  @Test
  void saysThatALongWindowIsNotRead() {
    assertThatThrownBy(() -> read(stream(blanks(17 << 3, 400)))) // 128 MB
        .isInstanceOf(FormatException.class)
        .hasMessageContaining("window over 8 MB")
        .hasMessageContaining("zstd -dc --long=31");
    // by zstd 1.5.4 --long=27, to a pipe
    byte[] small =
        Base64.getDecoder()
            .decode("KLUv/QSITQEA2HRoZSBjYXQgc2F0IG9uIHRoZSBtYXQgYW5kCgQAWxUKOpXz6cG3ZQzVsS2b");
    assertThatThrownBy(() -> read(stream(small))).hasMessageContaining("window over 8 MB");
  }

  @Test
  void skipsFramesThatHoldNoText() throws IOException {
    byte[] skippable = {0x53, 0x2A, 0x4D, 0x18, 3, 0, 0, 0, 'n', 'o', ' '};
    assertThat(text(read(stream(skippable, ZSTD, skippable, ZSTD, skippable))))
        .isEqualTo("the cat sat |on the mat |the cat sat |on the mat |");
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
        .hasMessageContaining("at byte 16");
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
                + " the text has 3 words, 3 of them different: give more text or a lower min count");
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

package dev.rowan.train.corpus;

import static dev.rowan.train.corpus.CorpusFixture.ALL;
import static dev.rowan.train.corpus.CorpusFixture.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rowan.core.Workers;
import dev.rowan.train.corpus.Corpus.PhraseRules;
import dev.rowan.train.corpus.Corpus.WordRules;
import dev.rowan.train.corpus.EncodedCorpus.ReadListener;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.zip.CRC32;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PhraseJoinerTest {
  @TempDir Path folder;

  private EncodedCorpus read(String text, WordRules rules, int threads) throws IOException {
    Path file = Files.writeString(folder.resolve("a.txt"), text);
    try (Workers workers = Workers.of(threads)) {
      return EncodedCorpus.read(Corpus.ofFiles(file).with(rules), workers, ReadListener.NONE);
    }
  }

  // By hand: 12 words; "new" 3, "york" 3, "new york" 3 times in one sentence or another, not across
  // the line feed. Its score is (3 − 1) / (3 · 3) · 12 = 2.67; "a new", twice, has
  // (2 − 1) / (3 · 3) · 12 = 1.33.
  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "2.66; a new_york b |a new_york c |new_york a |d |",
        "2.67; a new york b |a new york c |new york a |d |",
        "1.33; a_new york b |a_new york c |new_york a |d |",
      })
  void joinsPairsAboveTheThreshold(double threshold, String expected) throws IOException {
    WordRules rules = ALL.withPhrases(new PhraseRules(1, threshold, 1));
    EncodedCorpus corpus = read("a new york b\na new york c\nnew york a\nd\n", rules, 1);
    assertThat(text(corpus).strip()).isEqualTo(expected.strip());
    assertThat(corpus.words()).isEqualTo(expected.chars().filter(c -> c == ' ').count());
  }

  @Test
  void joinsNothingAcrossSentences() throws IOException {
    WordRules rules = ALL.withPhrases(new PhraseRules(1, 0, 1));
    assertThat(text(read("a\nb\na\nb\na\nb\n", rules, 1))).isEqualTo("a |b |a |b |a |b |");
  }

  @Test
  void aFurtherPassJoinsWhatIsJoined() throws IOException {
    String text = "new york city x\n".repeat(3) + "y\n".repeat(100);
    assertThat(text(read(text, ALL.withPhrases(new PhraseRules(1, 5, 1)), 1)))
        .startsWith("new_york city_x |");
    assertThat(text(read(text, ALL.withPhrases(new PhraseRules(2, 5, 1)), 1)))
        .startsWith("new_york_city_x |");
  }

  @Test
  void countsAPhraseThatIsAlsoWrittenAsAWord() throws IOException {
    WordRules rules = ALL.withPhrases(new PhraseRules(1, 1, 1));
    EncodedCorpus corpus = read("ice cream\nice cream\nice_cream\nx y z\n", rules, 1);
    int id = corpus.vocabulary().vocabulary().id("ice_cream").orElseThrow();
    assertThat(corpus.vocabulary().count(id)).isEqualTo(3);
  }

  /** A text that other languages can make as well: a linear congruential generator. */
  private static String sample() {
    int[] state = {7};
    StringBuilder text = new StringBuilder();
    for (int line = 0; line < 400; line++) {
      for (int i = 0; i < 12; i++) {
        int r = draw(state, 100);
        text.append(i == 0 ? "" : " ")
            .append(
                r < 8
                    ? "new york"
                    : r < 12
                        ? "new york city"
                        : r < 20
                            ? "ice cream"
                            : r < 30 ? "new" : r < 35 ? "city" : "w" + draw(state, 40));
      }
      text.append('\n');
    }
    return text.toString();
  }

  private static int draw(int[] state, int bound) {
    state[0] = (int) ((state[0] * 1103515245L + 12345) & 0x7FFFFFFF);
    return (state[0] >> 8) % bound;
  }

  // From gensim 4.4.0, Phrases(scoring=original_scorer), its threshold scaled by vocabulary / words
  // since gensim multiplies by the size of the vocabulary where word2phrase does by the words; the
  // passes one after the other. The CRC is that of the whole text it returns.
  @ParameterizedTest
  @CsvSource({
    "1, 1, 5, 4776, 472863735",
    "2, 1, 5, 4422, 2083724110",
    "3, 1, 5, 4323, 3200112264",
    "1, 3, 5, 4993, 2824798827",
    "2, 3, 5, 4781, 2046521829",
    "1, 1.2, 2, 4574, 1907185039",
    "2, 1.2, 2, 4014, 683596674",
    "3, 1.2, 2, 3833, 2515448118",
  })
  void joinsWhatGensimJoins(int passes, double threshold, long minCount, long words, long crc)
      throws IOException {
    for (int threads : new int[] {1, 3}) {
      WordRules rules = ALL.withPhrases(new PhraseRules(passes, threshold, minCount));
      EncodedCorpus corpus = read(sample(), rules, threads);
      assertThat(corpus.words()).isEqualTo(words);
      CRC32 sum = new CRC32();
      sum.update(text(corpus).getBytes(StandardCharsets.UTF_8));
      assertThat(sum.getValue()).isEqualTo(crc);
    }
  }

  // 20,000 pairs in a table of 1,024 places, against a plain map
  @Test
  void countsPairsExactlyInLittleMemory() {
    Map<Long, Long> expected = new HashMap<>();
    Map<Long, Long> counted = new HashMap<>();
    int[] state = {3};
    int[] words = new int[60_000];
    for (int i = 0; i < words.length; i++) {
      words[i] = draw(state, 400) * draw(state, 3);
    }
    for (int i = 1; i < words.length; i++) {
      expected.merge(PairCounts.key(words[i - 1], words[i]), 1L, Long::sum);
    }
    int rounds = 0;
    var part = Optional.of(new PairCounts(0, PairCounts.HASHES, 1 << 10));
    while (part.isPresent()) {
      PairCounts counts = part.get();
      for (int i = 1; i < words.length; i++) {
        counts.add(words[i - 1], words[i]);
      }
      counts.forEach((a, b, n) -> counted.merge(PairCounts.key(a, b), n, Long::sum));
      part = counts.rest();
      rounds++;
    }
    assertThat(counted).isEqualTo(expected);
    assertThat(rounds).isGreaterThan(20);
  }

  @Test
  void refusesRulesOutOfRange() {
    assertThatThrownBy(() -> new PhraseRules(0, 1, 1)).hasMessageContaining("1 to 10");
    assertThatThrownBy(() -> new PhraseRules(1, -1, 1)).hasMessageContaining("threshold");
    assertThatThrownBy(() -> new PhraseRules(1, 1, 0)).hasMessageContaining("min count");
  }
}

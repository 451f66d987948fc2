package dev.rowan.train.corpus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.rowan.core.Workers;
import dev.rowan.train.corpus.Corpus.WordRules;
import dev.rowan.train.corpus.EncodedCorpus.ReadListener;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CooccurrencesTest {
  private static final WordRules ALL = WordRules.DEFAULT.withMinCount(1);

  @TempDir Path folder;

  private EncodedCorpus corpus(String text, WordRules rules, Workers workers) throws IOException {
    Path file = Files.writeString(folder.resolve("a.txt"), text);
    return EncodedCorpus.read(Corpus.ofFiles(file).with(rules), workers, ReadListener.NONE);
  }

  private static Map<String, Float> sums(Cooccurrences pairs, EncodedCorpus corpus) {
    Map<String, Float> sums = new HashMap<>();
    for (int bucket = 0; bucket < pairs.buckets(); bucket++) {
      int[] records = pairs.read(bucket);
      assertThat(records).hasSize(3 * pairs.pairs(bucket));
      for (int i = 0; i < records.length; i += 3) {
        String pair =
            corpus.vocabulary().vocabulary().stored(records[i])
                + " "
                + corpus.vocabulary().vocabulary().stored(records[i + 1]);
        assertThat(sums.put(pair, Float.intBitsToFloat(records[i + 2]))).as(pair).isNull();
      }
    }
    assertThat(sums).hasSize((int) pairs.pairs());
    return sums;
  }

  // By hand, window 2: in "a b c a", a–b at distance 1 and 2, a–c at 2 and 1, b–c at 1 (a–a is 3
  // apart); the second sentence adds a–b at 1.
  @Test
  void sumsOneOverDistanceOnBothSides() throws IOException {
    try (Workers workers = Workers.of(1);
        EncodedCorpus corpus = corpus("a b c a\na b\n", ALL, workers);
        Cooccurrences pairs = Cooccurrences.count(corpus, 2, workers)) {
      assertThat(sums(pairs, corpus))
          .containsExactlyInAnyOrderEntriesOf(
              Map.of("a b", 2.5f, "b a", 2.5f, "a c", 1.5f, "c a", 1.5f, "b c", 1f, "c b", 1f));
    }
  }

  @Test
  void closesTheGapOfWordsWithoutARow() throws IOException {
    try (Workers workers = Workers.of(1);
        EncodedCorpus corpus = corpus("a x b\na b\n", ALL.withMinCount(2), workers);
        Cooccurrences pairs = Cooccurrences.count(corpus, 1, workers)) {
      assertThat(sums(pairs, corpus)).isEqualTo(Map.of("a b", 2f, "b a", 2f));
    }
  }

  private static String random(List<List<String>> sentences) {
    Random random = new Random(6);
    StringBuilder text = new StringBuilder();
    for (int s = 0; s < 3000; s++) {
      List<String> words = new ArrayList<>();
      for (int w = 0; w < 15; w++) {
        words.add("w" + (int) (400 * Math.pow(random.nextDouble(), 3)));
      }
      sentences.add(words);
      text.append(String.join(" ", words)).append('\n');
    }
    return text.toString();
  }

  // against a plain map; rows of few occurrences and of many have tables of two kinds
  @Test
  void countsWhatAPlainMapCounts() throws IOException {
    List<List<String>> sentences = new ArrayList<>();
    String text = random(sentences);
    Map<String, Double> expected = new HashMap<>();
    for (List<String> words : sentences) {
      for (int i = 0; i < words.size(); i++) {
        for (int j = 0; j < words.size(); j++) {
          if (i != j && Math.abs(i - j) <= 4) {
            expected.merge(words.get(i) + " " + words.get(j), 1.0 / Math.abs(i - j), Double::sum);
          }
        }
      }
    }
    try (Workers workers = Workers.of(2);
        EncodedCorpus corpus = corpus(text, ALL, workers);
        Cooccurrences pairs = Cooccurrences.count(corpus, 4, workers)) {
      Map<String, Float> sums = sums(pairs, corpus);
      assertThat(sums.keySet()).isEqualTo(expected.keySet());
      sums.forEach((pair, sum) ->
          assertThat((double) sum).as(pair).isCloseTo(expected.get(pair), within(1e-3)));
    }
  }

  @Test
  void countsTheSameBytesInLittleMemoryAndWithManyThreads() throws IOException {
    String text = random(new ArrayList<>());
    List<int[]> records = new ArrayList<>();
    for (int[] run : new int[][] {{1, 1 << 20}, {1, 500}, {3, 5000}, {4, 1}}) {
      try (Workers workers = Workers.of(run[0]);
          EncodedCorpus corpus = corpus(text, ALL, workers);
          Cooccurrences pairs = Cooccurrences.count(corpus, 4, workers, run[1])) {
        assertThat(pairs.buckets()).isEqualTo(2);
        records.add(pairs.read(0));
        records.add(pairs.read(1));
      }
    }
    for (int i = 2; i < records.size(); i++) {
      assertThat(records.get(i)).isEqualTo(records.get(i % 2));
    }
  }
}

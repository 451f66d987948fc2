package dev.rowan.train;

import dev.rowan.core.Table;
import dev.rowan.core.Vocabulary;
import dev.rowan.core.Workers;
import dev.rowan.train.corpus.Corpus;
import dev.rowan.train.corpus.Corpus.WordRules;
import dev.rowan.train.corpus.EncodedCorpus;
import dev.rowan.train.corpus.EncodedCorpus.ReadListener;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Random;

/**
 * Texts whose right answers are known by construction.
 *
 * <p>Groups: a sentence has words of one group and filler words that are everywhere. Relations:
 * word e·r stands among words of its entity e and of its role r, so that its row becomes a sum of
 * the two, and e·r − e·s + f·s = f·r.
 */
final class Planted {
  static final int GROUPS = 20;
  static final int GROUP_WORDS = 20;
  static final int ENTITIES = 20;
  static final int ROLES = 4;

  private Planted() {}

  static Path groups(Path folder, int sentences, long seed) throws IOException {
    Random random = new Random(seed);
    StringBuilder text = new StringBuilder();
    for (int s = 0; s < sentences; s++) {
      int group = random.nextInt(GROUPS);
      for (int w = 0; w < 12; w++) {
        text.append(
            w % 4 == 3
                ? "the" + random.nextInt(5)
                : "g%d_%d".formatted(group, random.nextInt(GROUP_WORDS)));
        text.append(w == 11 ? '\n' : ' ');
      }
    }
    return Files.writeString(folder.resolve("groups.txt"), text);
  }

  static Path relations(Path folder, int sentences, long seed) throws IOException {
    Random random = new Random(seed);
    StringBuilder text = new StringBuilder();
    for (int s = 0; s < sentences; s++) {
      int entity = random.nextInt(ENTITIES);
      int role = random.nextInt(ROLES);
      for (int w = 0; w < 4; w++) {
        text.append("e%d_%d ".formatted(entity, random.nextInt(6)));
        text.append("r%d_%d ".formatted(role, random.nextInt(6)));
        text.append(w == 1 || w == 2 ? "e%dr%d ".formatted(entity, role) : "");
      }
      text.append('\n');
    }
    return Files.writeString(folder.resolve("relations.txt"), text);
  }

  static TrainedTable train(Path text, TrainingSettings settings, int threads) throws IOException {
    try (Workers workers = Workers.of(threads);
        EncodedCorpus corpus = read(text, workers)) {
      Trainer trainer = Trainer.fresh(corpus, settings, Start.RANDOM, workers);
      trainer.run(TrainingListener.NONE, Optional.empty());
      return trainer.finish();
    }
  }

  static EncodedCorpus read(Path text, Workers workers) throws IOException {
    WordRules all = WordRules.DEFAULT.withMinCount(1);
    return EncodedCorpus.read(Corpus.ofFiles(text).with(all), workers, ReadListener.NONE);
  }

  /** The share of the ten words nearest to a group's word that are of the group. */
  static double purity(TrainedTable table) {
    Vocabulary words = table.vocabulary().vocabulary();
    int right = 0;
    int all = 0;
    for (int id = 0; id < words.size(); id++) {
      String word = words.stored(id);
      if (word.startsWith("g")) {
        double[] scores = cosines(table.rows(), table.rows().row(id));
        scores[id] = Double.NEGATIVE_INFINITY;
        for (int rank = 0; rank < 10; rank++) {
          int best = best(scores);
          scores[best] = Double.NEGATIVE_INFINITY;
          right += group(words.stored(best)).equals(group(word)) ? 1 : 0;
          all++;
        }
      }
    }
    return (double) right / all;
  }

  private static String group(String word) {
    return word.substring(0, Math.max(0, word.indexOf('_')));
  }

  /** The share of planted analogies that come out, with inputs among the candidates or not. */
  static double analogies(TrainedTable table, boolean raw) {
    Vocabulary words = table.vocabulary().vocabulary();
    Random random = new Random(9);
    int right = 0;
    int questions = 500;
    for (int q = 0; q < questions; q++) {
      int e = random.nextInt(ENTITIES);
      int f = (e + 1 + random.nextInt(ENTITIES - 1)) % ENTITIES;
      int r = random.nextInt(ROLES);
      int s = (r + 1 + random.nextInt(ROLES - 1)) % ROLES;
      int[] ids = {
        id(words, e, r), id(words, e, s), id(words, f, s), id(words, f, r),
      };
      float[] sum = new float[table.rows().width()];
      for (int k = 0; k < sum.length; k++) {
        sum[k] =
            unit(table.rows().row(ids[0]))[k]
                - unit(table.rows().row(ids[1]))[k]
                + unit(table.rows().row(ids[2]))[k];
      }
      double[] scores = cosines(table.rows(), sum);
      for (int i = 0; i < 3 && !raw; i++) {
        scores[ids[i]] = Double.NEGATIVE_INFINITY;
      }
      right += best(scores) == ids[3] ? 1 : 0;
    }
    return (double) right / questions;
  }

  private static int id(Vocabulary words, int entity, int role) {
    return words.id("e%dr%d".formatted(entity, role)).orElseThrow();
  }

  private static float[] unit(float[] row) {
    double norm = Math.sqrt(dot(row, row));
    float[] unit = row.clone();
    for (int k = 0; k < unit.length; k++) {
      unit[k] = (float) (unit[k] / norm);
    }
    return unit;
  }

  static double[] cosines(Table table, float[] query) {
    double[] scores = new double[(int) table.rows()];
    for (int id = 0; id < scores.length; id++) {
      float[] row = table.row(id);
      scores[id] = dot(row, query) / Math.sqrt(dot(row, row) * dot(query, query));
    }
    return scores;
  }

  private static double dot(float[] a, float[] b) {
    double sum = 0;
    for (int k = 0; k < a.length; k++) {
      sum += (double) a[k] * b[k];
    }
    return sum;
  }

  private static int best(double[] scores) {
    int best = 0;
    for (int i = 1; i < scores.length; i++) {
      best = scores[i] > scores[best] ? i : best;
    }
    return best;
  }
}

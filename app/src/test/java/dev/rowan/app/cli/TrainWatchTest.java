package dev.rowan.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowan.core.Table;
import dev.rowan.core.Vocabulary;
import dev.rowan.core.Workers;
import dev.rowan.train.TrainingEvent;
import dev.rowan.train.TrainingView;
import dev.rowan.train.corpus.CountedVocabulary;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class TrainWatchTest {
  // the rows' cosine is -0.0002
  @Test
  void zeroHasNoSign() {
    CountedVocabulary words =
        CountedVocabulary.of(Vocabulary.ofWords(List.of("a", "b")), new long[] {2, 1});
    Table rows = Table.of(2, new float[] {1, 0, -0.0002f, 1});
    TrainingView view =
        new TrainingView() {
          @Override
          public CountedVocabulary vocabulary() {
            return words;
          }

          @Override
          public Table rows() {
            return rows;
          }

          @Override
          public float[] initialRow(int word) {
            return rows.row(word);
          }
        };
    List<String> said = new ArrayList<>();
    try (Workers workers = Workers.of(1)) {
      TrainWatch watch = new TrainWatch(List.of("a"), workers, said::add);
      watch.heard(new TrainingEvent.Look(0, -1, view));
    }
    assertThat(said).containsExactly("at 0 %, baseline 0.000:", "  a: b 0.000");
  }
}

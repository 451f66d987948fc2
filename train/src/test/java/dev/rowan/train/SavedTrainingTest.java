package dev.rowan.train;

import static dev.rowan.train.EveryWay.SMALL;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.rowan.core.Lexicon;
import dev.rowan.core.Tie;
import dev.rowan.core.Vocabulary;
import dev.rowan.formats.Models;
import dev.rowan.formats.fasttext.FastTextWriter;
import dev.rowan.formats.fasttext.Subwords;
import dev.rowan.formats.safetensors.Safetensors;
import dev.rowan.formats.safetensors.SafetensorsHeader;
import dev.rowan.train.TrainedTable.OutputRows;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SavedTrainingTest {
  @TempDir Path folder;

  @Test
  void savedTableOpensWithItsWordsAndSettings() throws IOException {
    TrainedTable table = Planted.train(Planted.groups(folder, 300, 9), SMALL.withEpochs(1), 1);
    Path file = folder.resolve("v.safetensors");
    table.save(file, OutputRows.KEPT, Map.of("texts", "groups.txt"));
    try (Lexicon open = Models.open(file)) {
      Vocabulary words = open.vocabulary().orElseThrow();
      assertThat(words.size()).isEqualTo(table.vocabulary().size());
      int id = words.id("g3_7").orElseThrow();
      assertThat(open.input().table().row(id)).isEqualTo(table.rows().row(id));
      assertThat(open.output().orElseThrow().table().row(id))
          .isEqualTo(table.output().orElseThrow().row(id));
      assertThat(open.tie()).isEqualTo(Tie.UNTIED);
    }
    try (Safetensors raw = Safetensors.open(file, SafetensorsHeader.DEFAULT_LIMIT)) {
      assertThat(raw.metadata())
          .containsEntry("rowan.train.width", "32")
          .containsEntry("rowan.train.output", "negatives-per-window")
          .containsEntry("rowan.train.texts", "groups.txt");
    }
    table.save(file, OutputRows.DROPPED, Map.of());
    try (Lexicon open = Models.open(file)) {
      assertThat(open.output()).isEmpty();
      assertThat(open.tie()).isEqualTo(Tie.NO_OUTPUT);
    }
  }

  @Test
  void gramsAreReadableInFastTextsLayout() throws IOException {
    CharacterGrams grams = new CharacterGrams(3, 4, 1000);
    TrainedTable table =
        Planted.train(Planted.groups(folder, 300, 13), SMALL.withEpochs(1).withGrams(grams), 1);
    int words = table.vocabulary().size();
    Path file = folder.resolve("model.bin");
    FastTextWriter.write(
        file,
        table.vocabulary().vocabulary(),
        table.vocabulary().counts(),
        table.parts().orElseThrow(),
        table.output().orElseThrow(),
        new Subwords(3, 4, 1000, words, null),
        new FastTextWriter.Training(FastTextWriter.Model.SKIP_GRAM, 5, 1, 1, 5, 2, 0));
    try (Lexicon open = Models.open(file)) {
      assertThat(open.origin().format()).isEqualTo("fasttext");
      for (int w = 0; w < words; w++) {
        assertThat(open.input().table().row(w)).isEqualTo(table.rows().row(w));
      }
      // an unseen word is the mean of its n-grams' rows: <g3 g3_ 3_9 _99 99> and those of four
      float[] unseen = open.subwords().orElseThrow().vectorOf("g3_99").orElseThrow();
      float[] sum = new float[32];
      long[] rows =
          new Subwords(3, 4, 1000, words, null)
              .rows("g3_99".getBytes(java.nio.charset.StandardCharsets.UTF_8));
      for (long row : rows) {
        float[] part = table.parts().orElseThrow().row(row);
        for (int k = 0; k < sum.length; k++) {
          sum[k] += part[k];
        }
      }
      for (int k = 0; k < sum.length; k++) {
        assertThat(unseen[k]).isCloseTo(sum[k] / rows.length, within(1e-7f));
      }
    }
  }
}

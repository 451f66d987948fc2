package dev.rowan.train;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowan.core.Lexicon;
import dev.rowan.core.Vocabulary;
import dev.rowan.core.Workers;
import dev.rowan.formats.Models;
import dev.rowan.formats.write.ConvertOptions;
import dev.rowan.formats.write.Converter;
import dev.rowan.formats.write.TargetFormat;
import dev.rowan.train.TrainedTable.OutputRows;
import dev.rowan.train.corpus.EncodedCorpus;
import dev.rowan.train.glove.GloveSettings;
import dev.rowan.train.glove.GloveTrainer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Words that other tools keep for themselves: GloVe's adds a row named {@code <unk>} and stops
 * short where the text has the word, word2vec's and fastText's own {@code </s>}. Here they are
 * words.
 */
class ReservedWordsTest {
  private static final List<String> RESERVED =
      List.of("<unk>", "</s>", "<s>", "[UNK]", "__label__x", "a\u00a0b", "\ufffd", "0");

  @TempDir Path folder;

  private Path text() throws IOException {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < 200; i++) {
      text.append(String.join(" ", RESERVED)).append(i % 2 == 0 ? " even\n" : " odd\n");
    }
    return Files.writeString(folder.resolve("text.txt"), text);
  }

  private void areWords(TrainedTable table) throws IOException {
    Vocabulary words = table.vocabulary().vocabulary();
    assertThat(words.size()).isEqualTo(RESERVED.size() + 2);
    Path path = folder.resolve("x.safetensors");
    table.save(path, OutputRows.DROPPED, Map.of());
    Path glove = folder.resolve("x.txt");
    try (Lexicon trained = Models.open(path)) {
      Converter.convert(trained, glove, TargetFormat.GLOVE_TEXT, ConvertOptions.DEFAULT);
      try (Lexicon read = Models.open(glove)) {
        assertThat(read.input().table().rows()).isEqualTo(words.size());
        for (String word : RESERVED) {
          int id = words.id(word).orElseThrow();
          assertThat(table.vocabulary().count(id)).as(word).isEqualTo(200);
          for (Lexicon saved : List.of(trained, read)) {
            int row = saved.vocabulary().orElseThrow().id(word).orElseThrow();
            assertThat(saved.input().table().row(row)).as(word).isEqualTo(table.rows().row(id));
          }
        }
      }
    }
  }

  @Test
  void areWordsToSkipGram() throws IOException {
    TrainingSettings settings =
        TrainingSettings.DEFAULT.withWidth(8).withEpochs(1).withSubsample(0);
    areWords(Planted.train(text(), settings, 1));
  }

  @Test
  void areWordsToGlove() throws IOException {
    try (Workers workers = Workers.of(1);
        EncodedCorpus corpus = Planted.read(text(), workers);
        GloveTrainer trainer =
            GloveTrainer.fresh(
                corpus,
                new GloveSettings(8, 5, 2, 0.05, 10, 0.75, GloveSettings.Rows.SUM, 1),
                workers)) {
      trainer.run(TrainingListener.NONE, Optional.empty());
      areWords(trainer.finish());
    }
  }
}

package dev.rowan.train;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rowan.formats.file.FormatException;
import dev.rowan.formats.safetensors.SafetensorsWriter;
import dev.rowan.train.TrainedTable.OutputRows;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TrainedFileTest {
  private static final TrainingSettings GRAMS =
      TrainingSettings.DEFAULT.withWidth(16).withEpochs(1).withGrams(new CharacterGrams(3, 4, 500));

  @TempDir Path folder;

  @Test
  void savedTableIsReadBack() throws IOException {
    TrainedTable table = Planted.train(Planted.groups(folder, 200, 20), GRAMS, 1);
    Path path = folder.resolve("x.safetensors");
    table.save(path, OutputRows.KEPT, Map.of("min-count", "2"));
    try (TrainedFile file = TrainedFile.open(path)) {
      TrainedTable read = file.table();
      assertThat(TrainingSettings.of(read.settings())).isEqualTo(GRAMS);
      assertThat(read.settings()).containsEntry("min-count", "2");
      assertThat(read.vocabulary().counts()).isEqualTo(table.vocabulary().counts());
      assertThat(read.vocabulary().vocabulary().stored(5))
          .isEqualTo(table.vocabulary().vocabulary().stored(5));
      assertThat(read.rows().row(5)).isEqualTo(table.rows().row(5));
      assertThat(read.output().orElseThrow().row(5)).isEqualTo(table.output().orElseThrow().row(5));
      long last = table.vocabulary().size() + 499L;
      assertThat(read.parts().orElseThrow().rows()).isEqualTo(last + 1);
      assertThat(read.parts().orElseThrow().row(last))
          .isEqualTo(table.parts().orElseThrow().row(last));
    }
  }

  @Test
  void partsAndOutputGoTogether() throws IOException {
    TrainedTable table = Planted.train(Planted.groups(folder, 200, 20), GRAMS, 1);
    Path path = folder.resolve("x.safetensors");
    table.save(path, OutputRows.DROPPED, Map.of());
    try (TrainedFile file = TrainedFile.open(path)) {
      assertThat(file.table().output()).isEmpty();
      assertThat(file.table().parts()).isEmpty();
    }
  }

  @Test
  void refusesWhatWasNotTrained() throws IOException {
    Path path = folder.resolve("x.safetensors");
    SafetensorsWriter.write(path, List.of(), Map.of());
    try (TrainedFile file = TrainedFile.open(path)) {
      assertThatThrownBy(file::table)
          .isInstanceOf(FormatException.class)
          .hasMessageContaining("holds no words with counts, as training writes them");
    }
  }
}

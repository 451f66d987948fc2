package dev.rowan.formats.hdf5;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rowan.core.Lexicon;
import dev.rowan.core.Table;
import dev.rowan.formats.Models;
import dev.rowan.formats.OpenOptions;
import dev.rowan.formats.file.FormatException;
import dev.rowan.formats.file.UnsupportedFormatException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Files as Keras 3.15 lays them out, written by h5py 3.14.0 with ml_dtypes 0.6.0: tables are {@code
 * (numpy.arange(20).reshape(5, 4) - 7) / 8}, whose numbers are exact in bfloat16.
 */
class KerasFilesTest {
  private static final long SEED = Long.getLong("rowan.seed", 20_261_130L);

  @TempDir Path folder;

  private Path write(String name) throws IOException {
    return Files.write(folder.resolve(name), Hdf5FileTest.bytes(name));
  }

  private static void holdsTheTable(Table table) {
    assertThat(table.format().label()).isEqualTo("bf16");
    for (int row = 0; row < 5; row++) {
      for (int i = 0; i < 4; i++) {
        assertThat(table.row(row)[i]).isEqualTo((row * 4 + i - 7) / 8f);
      }
    }
  }

  @Test
  void readsTheBfloat16OfKeras3() throws IOException {
    try (Lexicon lexicon = Models.open(write("bfloat16.weights.h5"))) {
      assertThat(lexicon.input().tensor()).isEqualTo("layers/embedding/vars/0");
      assertThat(lexicon.input().table().data().isMapped()).isTrue();
      holdsTheTable(lexicon.input().table());
      assertThat(lexicon.notes()).noneMatch(note -> note.contains("no type"));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"embedding/embeddings", "chunked"})
  void readsBfloat16ThatTheFileDoesNotNameAndSaysSo(String tensor) throws IOException {
    try (Lexicon lexicon =
        Models.open(write("bfloat16.h5"), OpenOptions.DEFAULT.withTensor(tensor))) {
      holdsTheTable(lexicon.input().table());
      assertThat(lexicon.notes())
          .filteredOn(note -> note.contains("two bytes that the file gives no type"))
          .hasSize(1);
    }
  }

  @Test
  void otherRawBytesAreNoTable() throws IOException {
    Path file = write("bfloat16.h5");
    assertThatThrownBy(() -> Models.open(file, OpenOptions.DEFAULT.withTensor("bytes")))
        .isInstanceOf(UnsupportedFormatException.class)
        .hasMessageContaining("stored as raw bytes, which cannot be read");
  }

  @Test
  void leavesOutWhatTrainingKeeps() throws IOException {
    try (Lexicon lexicon = Models.open(write("bfloat16.weights.h5"))) {
      // 20 of the table, 20 of the other layer, 20 of "plain"
      assertThat(lexicon.origin().storedParameters()).hasValue(60);
      assertThat(lexicon.notes())
          .contains(
              "bfloat16.weights.h5 also holds 4 tensors of its training, such as"
                  + " \"metrics/mean/vars/0\", which are no part of the model and left out");
    }
  }

  @Test
  void namesEmbeddingLayersOfEquallyManyRowsAndTakesTheWidest() throws IOException {
    try (Lexicon lexicon = Models.open(write("two-embeddings.weights.h5"))) {
      assertThat(lexicon.input().tensor()).isEqualTo("layers/sequential/layers/embedding/vars/0");
      assertThat(lexicon.notes())
          .contains(
              "2 embedding layers have 5 rows each: layers/embedding/vars/0 [5 × 2],"
                  + " layers/sequential/layers/embedding/vars/0 [5 × 4]; the file does not say"
                  + " which is that of the tokens, and any can be chosen by name");
    }
  }

  @Test
  void damagedFilesAreReadOrRefused() throws IOException {
    Random random = new Random(SEED);
    for (String name : new String[] {"bfloat16.h5", "bfloat16.weights.h5"}) {
      byte[] whole = Hdf5FileTest.bytes(name);
      for (int i = 0; i < 25; i++) {
        byte[] damaged = whole.clone();
        for (int change = 0; change < 1 + random.nextInt(4); change++) {
          damaged[random.nextInt(whole.length)] = (byte) random.nextInt(256);
        }
        try {
          Hdf5FileTest.readEvery(Files.write(folder.resolve("damaged.h5"), damaged));
        } catch (FormatException e) {
          assertThat(e).hasMessageStartingWith("damaged.h5: ");
        }
      }
    }
  }
}

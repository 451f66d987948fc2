package dev.rowan.formats.hdf5;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rowan.core.Lexicon;
import dev.rowan.core.Table;
import dev.rowan.core.Tie;
import dev.rowan.formats.Fixture;
import dev.rowan.formats.Models;
import dev.rowan.formats.OpenOptions;
import dev.rowan.formats.file.FormatException;
import dev.rowan.formats.file.UnsupportedFormatException;
import dev.rowan.formats.tensor.TensorInfo;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.zip.CRC32;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Fixtures by h5py 3.16.0 (kinds-v110 with {@code libver="v110"}): the table of each is {@code
 * (numpy.arange(20).reshape(5, 4) - 7) / 8}.
 */
class Hdf5FileTest {
  private static final long SEED = Long.getLong("rowan.seed", 20_261_129L);

  @TempDir Path folder;

  static byte[] bytes(String name) throws IOException {
    try (var in =
        new GZIPInputStream(new ByteArrayInputStream(Fixture.bytes("hdf5/" + name + ".gz")))) {
      return in.readAllBytes();
    }
  }

  private Path write(String name) throws IOException {
    return Files.write(folder.resolve(name), bytes(name));
  }

  @Test
  void saysWhatStandsInTheWay() throws IOException {
    byte[] whole = bytes("keras2.h5");
    whole[8] = 9; // the version of the superblock
    Path file = Files.write(folder.resolve("new.h5"), whole);
    assertThatThrownBy(() -> Models.open(file))
        .isInstanceOf(FormatException.class)
        .hasMessageStartingWith("new.h5: is damaged, or an HDF5 file of a kind")
        .hasMessageContaining("9");
  }

  private static void holdsTheTable(Table table) {
    assertThat(table.rows()).isEqualTo(5);
    assertThat(table.width()).isEqualTo(4);
    for (int row = 0; row < 5; row++) {
      float[] values = table.row(row);
      for (int i = 0; i < 4; i++) {
        assertThat(values[i]).isEqualTo((row * 4 + i - 7) / 8f);
      }
    }
  }

  @Test
  void findsTheTableOfKeras2() throws IOException {
    try (Lexicon lexicon = Models.open(write("keras2.h5"))) {
      assertThat(lexicon.input().tensor()).isEqualTo("embedding/embedding/embeddings:0");
      assertThat(lexicon.origin().format()).isEqualTo("hdf5");
      assertThat(lexicon.tie()).isEqualTo(Tie.UNKNOWN);
      assertThat(lexicon.input().table().data().isMapped()).isTrue();
      holdsTheTable(lexicon.input().table());
    }
  }

  @Test
  void findsTheTableOfKeras3AndNotItsPositions() throws IOException {
    try (Lexicon lexicon = Models.open(write("keras3.weights.h5"))) {
      assertThat(lexicon.input().tensor()).isEqualTo("layers/embedding/vars/0");
      assertThat(lexicon.input().table().format().label()).isEqualTo("f16");
      holdsTheTable(lexicon.input().table());
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {ZipEntry.STORED, ZipEntry.DEFLATED})
  void opensKerasArchives(int method) throws IOException {
    Path file = keras(method, bytes("keras3.weights.h5"));
    try (Lexicon lexicon = Models.open(file)) {
      assertThat(lexicon.origin().format()).isEqualTo("keras");
      assertThat(lexicon.input().table().data().isMapped()).isEqualTo(method == ZipEntry.STORED);
      holdsTheTable(lexicon.input().table());
    }
    byte[] whole = Files.readAllBytes(file);
    try (Hdf5File open = Hdf5File.openKeras(file)) {
      TensorInfo table = open.find("layers/embedding/vars/0").orElseThrow();
      if (method == ZipEntry.STORED) {
        assertThat(
                MemorySegment.ofArray(whole)
                    .asSlice(table.offset(), table.bytes())
                    .mismatch(open.data(table)))
            .isEqualTo(-1);
      } else {
        assertThat(table.offset()).isZero();
      }
    }
  }

  private Path keras(int method, byte[] weights) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (ZipOutputStream zip = new ZipOutputStream(out)) {
      zip.putNextEntry(new ZipEntry("config.json"));
      zip.write("{\"class_name\":\"Sequential\"}".getBytes(StandardCharsets.UTF_8));
      ZipEntry entry = new ZipEntry(Hdf5File.WEIGHTS);
      entry.setMethod(method);
      CRC32 crc = new CRC32();
      crc.update(weights);
      entry.setSize(weights.length);
      entry.setCrc(crc.getValue());
      if (method == ZipEntry.STORED) {
        entry.setCompressedSize(weights.length);
      }
      zip.putNextEntry(entry);
      zip.write(weights);
    }
    return Files.write(folder.resolve("model.keras"), out.toByteArray());
  }

  @ParameterizedTest
  @CsvSource({
    "kinds.h5, f32, f32", // in chunks, gzip and shuffle, with chunks over the edge
    "kinds.h5, f64big, f64 big-endian", // so too, with checksums
    "kinds.h5, f16, f16", // one chunk, not packed
    "kinds.h5, f32big, f32 big-endian",
    "kinds-v110.h5, f32, f32", // newer structures
    "kinds-v110.h5, f64big, f64 big-endian",
    "kinds-v110.h5, f16, f16",
    "kinds-v110.h5, f32big, f32 big-endian"
  })
  void readsNumbersOfAllKinds(String file, String tensor, String format) throws IOException {
    try (Lexicon lexicon = Models.open(write(file), OpenOptions.DEFAULT.withTensor(tensor))) {
      assertThat(lexicon.input().table().format().label()).isEqualTo(format);
      holdsTheTable(lexicon.input().table());
    }
  }

  @ParameterizedTest
  @CsvSource({"integers, stored as integers of 32 bits", "lzf, is packed with the filter"})
  void refusesWhatCannotBeRead(String tensor, String reason) throws IOException {
    Path file = write("kinds.h5");
    assertThatThrownBy(() -> Models.open(file, OpenOptions.DEFAULT.withTensor(tensor)))
        .isInstanceOf(FormatException.class)
        .hasMessageStartingWith("kinds.h5: ")
        .hasMessageContaining(reason);
  }

  private Table table(String file, String tensor, String... notes) throws IOException {
    try (Lexicon lexicon = Models.open(write(file), OpenOptions.DEFAULT.withTensor(tensor))) {
      assertThat(lexicon.notes()).containsAll(List.of(notes));
      Table table = lexicon.input().table();
      float[] all = new float[Math.toIntExact(table.rows()) * table.width()];
      for (int row = 0; row < table.rows(); row++) {
        table.copyRow(row, all, row * table.width());
      }
      return Table.of(table.width(), all);
    }
  }

  /**
   * By h5py 3.16.0: {@code holes} of 5 × 4 in chunks of two rows, of which only rows 2 and 3 were
   * written, {@code numpy.arange(8)}; what h5py reads of the others is the fill value.
   */
  @ParameterizedTest
  @ValueSource(strings = {"holes.h5", "holes-v110.h5"})
  void numbersThatWereNeverWrittenAreTheFillValue(String file) throws IOException {
    Table holes =
        table(
            file,
            "holes",
            "2 of the 3 chunks of \"holes\" were never written; they are 1.5 throughout");
    assertThat(holes.row(0)).containsExactly(1.5f, 1.5f, 1.5f, 1.5f);
    assertThat(holes.row(2)).containsExactly(0, 1, 2, 3);
    assertThat(holes.row(3)).containsExactly(4, 5, 6, 7);
    assertThat(holes.row(4)).containsExactly(1.5f, 1.5f, 1.5f, 1.5f);
    assertThat(table(file, "never", "\"never\" was never written; all of it is -2.0").row(2))
        .containsExactly(-2, -2);
    assertThat(table(file, "nochunk").row(1)).containsExactly(-3, -3); // f64, big-endian
    assertThat(table(file, "zero").row(3)).containsExactly(0, 0);
  }

  @ParameterizedTest
  @ValueSource(strings = {"holes.h5", "holes-v110.h5"})
  void readsNumbersThatLieInAHeader(String file) throws IOException {
    assertThat(table(file, "compact").row(1)).containsExactly(4, 5, 6);
  }

  /** holes.h5 has a user block of 1,024 bytes that starts with MATLAB's text. */
  @Test
  void findsTheFileBehindAUserBlock() throws IOException {
    assertThat(new String(bytes("holes.h5"), 0, 10, StandardCharsets.US_ASCII))
        .isEqualTo("MATLAB 7.3");
    assertThat(table("holes.h5", "embeddings").row(2)).containsExactly(4, 5);
    byte[] whole = bytes("holes.h5");
    Path cut = Files.write(folder.resolve("cut.h5"), Arrays.copyOf(whole, whole.length - 1));
    assertThatThrownBy(() -> Models.open(cut))
        .isInstanceOf(FormatException.class)
        .hasMessageContaining("is cut off");
  }

  @Test
  void neverFollowsLinks() throws IOException {
    try (Hdf5File file = Hdf5File.open(write("kinds.h5"))) {
      assertThat(file.notes())
          .contains("the link \"link\" is not followed", "the link \"out\" is not followed");
      assertThat(file.tensors()).extracting(TensorInfo::name).doesNotContain("link", "out");
    }
  }

  @Test
  void listsEveryTensor() throws IOException {
    var tensors = Models.tensors(write("keras2.h5")).tensors();
    assertThat(tensors)
        .extracting(TensorInfo::name)
        .containsExactlyInAnyOrder(
            "embedding/embedding/embeddings:0",
            "dense/dense/kernel:0",
            "dense/dense/bias:0",
            "top_level_model_weights");
  }

  @ParameterizedTest
  @ValueSource(strings = {"keras2.h5", "keras3.weights.h5", "kinds-v110.h5"})
  void refusesEveryCut(String name) throws IOException {
    byte[] whole = bytes(name);
    for (int length = 6; length < whole.length; length += name.startsWith("kinds") ? 7 : 13) {
      Path cut = folder.resolve("cut.h5");
      Files.write(cut, Arrays.copyOf(whole, length));
      String reason = length < 64 ? "" : "is cut off: %,d bytes are there".formatted(length);
      assertThatThrownBy(() -> Fixture.readAll(cut))
          .isInstanceOf(FormatException.class)
          .hasMessageStartingWith("cut.h5: ")
          .hasMessageContaining(reason);
    }
  }

  @Test
  void damagedFilesAreReadOrRefusedInBoundedMemory() throws IOException {
    Random random = new Random(SEED);
    for (String name : new String[] {"keras2.h5", "kinds.h5", "kinds-v110.h5"}) {
      byte[] whole = bytes(name);
      for (int i = 0; i < 300; i++) {
        byte[] damaged = whole.clone();
        for (int change = 0; change < 1 + random.nextInt(4); change++) {
          damaged[random.nextInt(whole.length)] = (byte) random.nextInt(256);
        }
        try {
          readEvery(Files.write(folder.resolve("damaged.h5"), damaged));
        } catch (FormatException e) {
          assertThat(e).hasMessageStartingWith("damaged.h5: ");
        }
      }
    }
  }

  /** Opens a file and reads all that has rows. */
  static void readEvery(Path path) throws IOException {
    try (Hdf5File file = Hdf5File.open(path)) {
      for (TensorInfo tensor : file.tensors()) {
        if (tensor.hasRows() && tensor.dtype().rows().isPresent()) {
          try {
            file.data(tensor);
          } catch (UnsupportedFormatException e) {
            assertThat(e).hasMessageStartingWith(path.getFileName() + ": ");
          }
        }
      }
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }
}

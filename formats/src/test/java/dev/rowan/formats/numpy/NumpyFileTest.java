package dev.rowan.formats.numpy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rowan.core.Lexicon;
import dev.rowan.core.Tie;
import dev.rowan.formats.Fixture;
import dev.rowan.formats.Models;
import dev.rowan.formats.OpenOptions;
import dev.rowan.formats.file.FormatException;
import dev.rowan.formats.file.UnsupportedFormatException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Fixtures were written by numpy 2.4.6 (make_numpy_fixtures.py) and hold the 4 × 3 numbers 0.5,
 * 1.5, … 11.5; wrong files are made here.
 */
class NumpyFileTest {
  @TempDir Path folder;

  private Path fixture(String name) throws IOException {
    return Fixture.write(folder, "numpy/" + name);
  }

  /** A version 1 file with a header and as many bytes of data. */
  private Path array(String header, int bytes) throws IOException {
    byte[] text = header.getBytes(StandardCharsets.ISO_8859_1);
    byte[] file = new byte[10 + text.length + bytes];
    byte[] start = "\u0093NUMPY\1\0".getBytes(StandardCharsets.ISO_8859_1);
    System.arraycopy(start, 0, file, 0, 8);
    file[8] = (byte) text.length;
    file[9] = (byte) (text.length >> 8);
    System.arraycopy(text, 0, file, 10, text.length);
    return Files.write(folder.resolve("a.npy"), file);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "little-f2.npy",
        "little-f4.npy",
        "little-f8.npy",
        "big-f2.npy",
        "big-f4.npy",
        "big-f8.npy",
        "fortran.npy",
        "fortran-big.npy",
        "version2.npy",
        "version3.npy",
        "stored.npz",
        "deflated.npz"
      })
  void readsTheTable(String name) throws IOException {
    try (Lexicon lexicon = Models.open(fixture(name))) {
      assertThat(lexicon.input().table().rows()).isEqualTo(4);
      assertThat(lexicon.input().table().width()).isEqualTo(3);
      assertThat(lexicon.input().table().row(0)).containsExactly(0.5f, 1.5f, 2.5f);
      assertThat(lexicon.input().table().row(3)).containsExactly(9.5f, 10.5f, 11.5f);
      assertThat(lexicon.origin().format()).isEqualTo(name.substring(name.length() - 3));
    }
  }

  @Test
  void takesTheOnlyTableOfAnArchiveAndSaysSo() throws IOException {
    try (Lexicon lexicon = Models.open(fixture("stored.npz"))) {
      assertThat(lexicon.input().tensor()).isEqualTo("vectors");
      assertThat(lexicon.notes())
          .containsExactly(
              "\"words\" holds 2 texts, which are not read as tokens: an array of tokens is called tokens or words or vocab and has as many as a table has rows",
              "no tensor has a name that says it is a token table; \"vectors\" was taken because it"
                  + " alone has rows");
    }
  }

  @Test
  void asksWhichOfTwoTables() throws IOException {
    Path path = fixture("two.npz");
    assertThatThrownBy(() -> Models.open(path))
        .isInstanceOf(FormatException.class)
        .hasMessageEndingWith("choose one by name, those with rows are: a [4 × 3], b [4 × 3]");
    try (Lexicon lexicon = Models.open(path, OpenOptions.DEFAULT.withTensor("b"))) {
      assertThat(lexicon.input().table().row(3)).containsExactly(19, 21, 23);
      assertThat(lexicon.tie()).isEqualTo(Tie.UNKNOWN);
    }
  }

  @Test
  void mapsStoredRowMajorArrays() throws IOException {
    for (String name : new String[] {"little-f4.npy", "stored.npz"}) {
      try (Lexicon lexicon = Models.open(fixture(name))) {
        assertThat(lexicon.input().table().data().isMapped()).as(name).isTrue();
      }
    }
  }

  @ParameterizedTest
  @CsvSource({
    "single.npy, 'neither of them 0; it holds \"single\" (a single number)'",
    "vector.npy, 'neither of them 0; it holds \"vector\" (one dimension, 3)'",
    "integers.npy, 'such as array.astype(\"float32\")'"
  })
  void refusesWhatIsNoTable(String name, String end) throws IOException {
    Path path = fixture(name);
    assertThatThrownBy(() -> Models.open(path))
        .isInstanceOf(FormatException.class)
        .hasMessageEndingWith(end);
  }

  @Test
  void namesTheIntegersOfAChosenTable() throws IOException {
    Path path = fixture("integers.npy");
    assertThatThrownBy(() -> Models.open(path, OpenOptions.DEFAULT.withTensor("integers")))
        .isInstanceOf(UnsupportedFormatException.class)
        .hasMessageStartingWith(
            "integers.npy: the table \"integers\" is stored as |i1, which cannot be read");
  }

  @Test
  void refusesPythonObjects() throws IOException {
    Path path = fixture("objects.npy");
    assertThatThrownBy(() -> Models.open(path))
        .isInstanceOf(UnsupportedFormatException.class)
        .hasMessageStartingWith(
            "objects.npy: is an array of Python objects, which is a pickle and not read;");
  }

  @Test
  void refusesFields() throws IOException {
    Path path = fixture("fields.npy");
    assertThatThrownBy(() -> Models.open(path))
        .isInstanceOf(UnsupportedFormatException.class)
        .hasMessage(
            "fields.npy: the array is a structured array, of several fields a place; save one field"
                + " alone");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"little-f4.npy", "fortran.npy", "version3.npy", "stored.npz", "deflated.npz"})
  void refusesEveryCut(String name) throws IOException {
    Fixture.refusesEveryCut(
        folder, Fixture.bytes("numpy/" + name), name.substring(name.length() - 4));
  }

  @Test
  void readsTheLongNumbersOfPython2() throws IOException {
    Path path = array("{'shape': (2L, 3L), 'fortran_order': False, 'descr': '<f4'}\n", 24);
    try (Lexicon lexicon = Models.open(path)) {
      assertThat(lexicon.input().table().rows()).isEqualTo(2);
      assertThat(lexicon.input().tensor()).isEqualTo("a");
    }
  }

  @Test
  void notesBytesBehindTheArray() throws IOException {
    Path path = array("{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }", 30);
    try (Lexicon lexicon = Models.open(path)) {
      assertThat(lexicon.notes()).contains("6 bytes follow the array and are not read");
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 4)}"
            + "| the array of shape [2, 4] takes 32 bytes but only 24 are there; the file looks cut"
            + " off, copy it again (at byte 0)",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (4294967296, 4294967296)}"
            + "| the array has the impossible shape [4294967296, 4294967296] (at byte 0)",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (9223372036854775808,)}"
            + "| the header of the array has a dimension that is no whole number of 0 or more below"
            + " 2^63: 9223372036854775808; it looks damaged (at byte 80)",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (-1, 3)}"
            + "| the header of the array has a dimension that is no whole number of 0 or more; it"
            + " looks damaged (at byte 61)",
        "{'descr': '<f4', 'fortran_order': 0, 'shape': (2, 3)}"
            + "| the header of the array has a fortran_order that is neither True nor False; it"
            + " looks damaged (at byte 44)",
        "{'descr': 'f4', 'fortran_order': False, 'shape': (2, 3)}"
            + "| the header of the array has the descr \"f4\", which is none; it looks damaged (at"
            + " byte 24)",
        "{'descr': '<f4', 'shape': (2, 3)}"
            + "| the header of the array lacks one of descr, fortran_order and shape; it looks"
            + " damaged (at byte 43)",
        "{'shape': (2,), 'shape': (2, 3)}"
            + "| the header of the array has the key \"shape\" twice; it looks damaged (at byte"
            + " 41)",
        "{'descr': open('/etc/passwd')}"
            + "| the header of the array should have a text in quotes; it looks damaged (at byte"
            + " 20)",
        "{'x': 1}"
            + "| the header of the array has the unknown key \"x\"; it looks damaged (at byte 15)",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3)} or 1"
            + "| the header of the array goes on behind its end; it looks damaged (at byte 68)"
      })
  void saysWhatIsWrong(String header, String message) throws IOException {
    Path path = array(header, 24);
    assertThatThrownBy(() -> Models.open(path))
        .isInstanceOf(FormatException.class)
        .hasMessage("a.npy: " + message);
  }

  @Test
  void refusesANewerVersion() throws IOException {
    byte[] bytes = Fixture.bytes("numpy/little-f4.npy");
    bytes[6] = 4;
    Path path = Files.write(folder.resolve("v4.npy"), bytes);
    assertThatThrownBy(() -> Models.open(path))
        .isInstanceOf(UnsupportedFormatException.class)
        .hasMessage(
            "v4.npy: the array has version 4.0 of the format; 1.0, 2.0 and 3.0 can be read");
  }

  @Test
  void refusesZipBombs() throws IOException {
    Path path = folder.resolve("bomb.npz");
    byte[] head =
        "\u0093NUMPY\1\0\100\0{'descr': '<f4', 'fortran_order': False, 'shape': (20000, 1000)}"
            .getBytes(StandardCharsets.ISO_8859_1);
    try (OutputStream out = Files.newOutputStream(path);
        ZipOutputStream zip = new ZipOutputStream(out)) {
      zip.putNextEntry(new java.util.zip.ZipEntry("vectors.npy"));
      zip.write(head);
      for (int i = 0; i < 80; i++) {
        zip.write(new byte[1_000_000]);
      }
      zip.closeEntry();
    }
    assertThatThrownBy(() -> Models.open(path))
        .isInstanceOf(UnsupportedFormatException.class)
        .hasMessageMatching(
            "bomb.npz: \"vectors.npy\" in the archive would inflate from [\\d,]+ bytes to"
                + " 80,000,074, as zip bombs do; unpack it first if you trust it");
  }

  @Test
  void refusesAnotherZipArchive() throws IOException {
    Path path = folder.resolve("x.zip");
    try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(path))) {
      zip.putNextEntry(new java.util.zip.ZipEntry("readme"));
      zip.closeEntry();
    }
    assertThatThrownBy(() -> Models.open(path))
        .isInstanceOf(UnsupportedFormatException.class)
        .hasMessageStartingWith("x.zip: is a zip archive with neither a data.pkl");
  }

  @Test
  void namesTheNumberFormatThatCannotBeRead() throws IOException {
    Path path = fixture("integers.npy");
    assertThatThrownBy(() -> Models.open(path))
        .isInstanceOf(UnsupportedFormatException.class)
        .hasMessageContaining("\"integers\" is stored as |i1; f32, f16, bf16, f64");
  }

  @Test
  void countsTheTokensOfAListThatDoesNotFit() throws IOException {
    Path list = Files.writeString(folder.resolve("words.txt"), "a\nb\nc\n");
    Path path = fixture("little-f4.npy");
    assertThatThrownBy(() -> Models.open(path, OpenOptions.DEFAULT.withTokenizer(list)))
        .isInstanceOf(FormatException.class)
        .hasMessageContaining("none has as many rows as there are tokens, 3;")
        .hasMessageContaining("little-f4 [4 × 3]");
  }

  /** An archive as numpy.savez(file, embeddings=…, words=numpy.array(…)) writes it. */
  private Path archive(String name, String descr, byte[] texts, int count) throws IOException {
    Path path = folder.resolve("foreign.npz");
    try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(path))) {
      zip.putNextEntry(new ZipEntry("embeddings.npy"));
      zip.write(array("<f4", "(" + count + ", 1)", new byte[4 * count]));
      zip.putNextEntry(new ZipEntry(name + ".npy"));
      zip.write(array(descr, "(" + count + ",)", texts));
    }
    return path;
  }

  private static byte[] array(String descr, String shape, byte[] data) {
    String dict =
        "{'descr': '%s', 'fortran_order': False, 'shape': %s, }\n".formatted(descr, shape);
    ByteBuffer bytes = ByteBuffer.allocate(10 + dict.length() + data.length);
    bytes.put("\u0093NUMPY\1\0".getBytes(StandardCharsets.ISO_8859_1));
    bytes.put((byte) dict.length()).put((byte) 0);
    return bytes.put(dict.getBytes(StandardCharsets.US_ASCII)).put(data).array();
  }

  @Test
  void readsWordsUnderOtherNamesAndAsBytes() throws IOException {
    byte[] texts = "a\0\0caf\0\0\0".getBytes(StandardCharsets.US_ASCII);
    for (String name : new String[] {"tokens", "words", "vocab"}) {
      try (Lexicon lexicon = Models.open(archive(name, "|S3", texts, 3))) {
        assertThat(lexicon.vocabulary().orElseThrow().text(1)).isEqualTo("caf");
        // one empty text is a word, as several cannot be
        assertThat(lexicon.vocabulary().orElseThrow().id("")).hasValue(2);
      }
    }
    try (Lexicon lexicon = Models.open(archive("labels", "|S3", texts, 3))) {
      assertThat(lexicon.vocabulary()).isEmpty();
      assertThat(lexicon.notes())
          .anyMatch(note -> note.startsWith("\"labels\" holds 3 texts, which are not read"));
    }
  }

  @Test
  void severalEmptyTextsAreNoTokens() throws IOException {
    byte[] texts = "a\0\0".getBytes(StandardCharsets.US_ASCII);
    try (Lexicon lexicon = Models.open(archive("tokens", "|S1", texts, 3))) {
      assertThat(lexicon.vocabulary().orElseThrow().tokens()).isEqualTo(1);
    }
  }

  @ParameterizedTest
  @CsvSource({"'(2, 3, 4)', 96, 2 × 3 × 4", "'(0, 12)', 0, 0 × 12"})
  void saysTheShapeOfWhatIsNoTable(String shape, int bytes, String shown) throws IOException {
    Path path = Files.write(folder.resolve("cube.npy"), array("<f4", shape, new byte[bytes]));
    assertThatThrownBy(() -> Models.open(path))
        .isInstanceOf(FormatException.class)
        .hasMessage(
            "cube.npy: holds no table, which has two dimensions, rows × width, neither of them 0;"
                + " it holds \"cube\" (%s)".formatted(shown));
  }

  @Test
  void saysThatWordsArePythonObjects() throws IOException {
    byte[] pickle = {(byte) 0x80, 4, 46}; // takes the place of the texts; it is not looked at
    try (Lexicon lexicon = Models.open(archive("words", "|O", pickle, 3))) {
      assertThat(lexicon.vocabulary()).isEmpty();
      assertThat(lexicon.notes())
          .contains(
              "\"words\" is an array of Python objects, which is a pickle and not read; if these"
                  + " are the tokens, save them as texts, words.astype(str)");
    }
  }
}

package dev.rowan.formats.pytorch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rowan.core.Lexicon;
import dev.rowan.core.Tie;
import dev.rowan.formats.Models;
import dev.rowan.formats.file.FormatException;
import dev.rowan.formats.file.UnsupportedFormatException;
import dev.rowan.formats.safetensors.RawSafetensors;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Checkpoints whose pickle is written here opcode by opcode, as torch.save writes it with protocol
 * 2: views that lie in their storage or do not, and storages of every kind.
 */
class PytorchTrapsTest {
  @TempDir Path folder;

  private static String text(String text) {
    return "X" + (char) text.length() + "\0\0\0" + text;
  }

  /** A number as LONG1, little-endian two's complement. */
  private static String whole(long number) {
    byte[] big = BigInteger.valueOf(number).toByteArray();
    StringBuilder out = new StringBuilder("\u008A").append((char) big.length);
    for (int i = big.length - 1; i >= 0; i--) {
      out.append((char) (big[i] & 0xFF));
    }
    return out.toString();
  }

  private static String pair(long first, long second) {
    return whole(first) + whole(second) + "\u0086";
  }

  /** A tensor of two dimensions over the storage "0" of some numbers. */
  private static String tensor(String kind, long numbers, long offset, String size, String stride) {
    return "ctorch._utils\n_rebuild_tensor_v2\n(("
        + text("storage")
        + "ctorch\n"
        + kind
        + "Storage\n"
        + text("0")
        + text("cpu")
        + whole(numbers)
        + "tQ"
        + whole(offset)
        + size
        + stride
        + "\u0089ccollections\nOrderedDict\n)RtR";
  }

  private Path file(byte[] storage, String... namesAndTensors) throws IOException {
    StringBuilder pickle = new StringBuilder("\u0080\u0002}");
    for (int i = 0; i < namesAndTensors.length; i += 2) {
      pickle.append(text(namesAndTensors[i])).append(namesAndTensors[i + 1]).append('s');
    }
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (ZipOutputStream zip = new ZipOutputStream(out)) {
      byte[] whole = pickle.append('.').toString().getBytes(StandardCharsets.ISO_8859_1);
      store(zip, "archive/data.pkl", whole);
      store(zip, "archive/data/0", storage);
    }
    return Files.write(folder.resolve("x.pt"), out.toByteArray());
  }

  private static void store(ZipOutputStream zip, String name, byte[] bytes) throws IOException {
    ZipEntry entry = new ZipEntry(name);
    CRC32 crc = new CRC32();
    crc.update(bytes);
    entry.setMethod(ZipEntry.STORED);
    entry.setSize(bytes.length);
    entry.setCrc(crc.getValue());
    zip.putNextEntry(entry);
    zip.write(bytes);
  }

  private static final byte[] SIX = RawSafetensors.floats(1, 2, 3, 4, 5, 6);

  /** Files from before 2.1 have no member "byteorder". */
  @Test
  void numbersAreLittleEndianWhereTheFileDoesNotSay() throws IOException {
    Path path = file(SIX, "wte.weight", tensor("Float", 6, 0, pair(3, 2), pair(2, 1)));
    try (Lexicon lexicon = Models.open(path)) {
      assertThat(lexicon.input().table().row(2)).containsExactly(5, 6);
    }
  }

  @Test
  void stridesAndOffsetsCountNumbersNotBytes() throws IOException {
    Path path = file(SIX, "wte.weight", tensor("Float", 6, 1, pair(2, 2), pair(1, 3)));
    try (Lexicon lexicon = Models.open(path)) {
      assertThat(lexicon.input().table().row(0)).containsExactly(2, 5);
      assertThat(lexicon.input().table().row(1)).containsExactly(3, 6);
    }
  }

  @ParameterizedTest
  @CsvSource({
    // numbers of the storage, offset, size, stride
    "6, 1, 3, 2, 2, 1",
    "6, 0, 3, 2, 3, 1",
    "6, 0, 2, 2, 2147483647, 1",
    "6, 0, 2, 2, 9223372036854775807, 1",
    "6, 9223372036854775807, 1, 1, 1, 1",
    "6, 0, 4611686018427387904, 4, 4, 1",
    "6, -1, 3, 2, 2, 1",
    "6, 4, 3, 2, -2, 1",
    "6, 0, -3, -2, 2, 1"
  })
  void refusesAViewThatLeavesItsStorage(
      long numbers, long offset, long rows, long width, long rowStride, long stride)
      throws IOException {
    String tensor = tensor("Float", numbers, offset, pair(rows, width), pair(rowStride, stride));
    Path path = file(SIX, "wte.weight", tensor);
    assertThatThrownBy(() -> Models.open(path))
        .isInstanceOf(FormatException.class)
        .hasMessageStartingWith("x.pt: ");
  }

  @Test
  void refusesAStorageThatIsLongerThanItsMember() throws IOException {
    Path path = file(SIX, "wte.weight", tensor("Float", 8, 0, pair(4, 2), pair(2, 1)));
    assertThatThrownBy(() -> Models.open(path))
        .isInstanceOf(FormatException.class)
        .hasMessageStartingWith("x.pt: ");
  }

  @Test
  void twoViewsOfOnePlaceAreTiedAndOfTwoPlacesAreNot() throws IOException {
    String first = tensor("Float", 6, 0, pair(2, 1), pair(1, 1));
    String second = tensor("Float", 6, 2, pair(2, 1), pair(1, 1));
    try (Lexicon lexicon = Models.open(file(SIX, "wte.weight", first, "lm_head.weight", first))) {
      assertThat(lexicon.tie()).isEqualTo(Tie.TIED);
    }
    try (Lexicon lexicon = Models.open(file(SIX, "wte.weight", first, "lm_head.weight", second))) {
      assertThat(lexicon.tie()).isEqualTo(Tie.UNTIED);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "Float, 4, 1.5",
    "Half, 2, 1.5",
    "BFloat16, 2, 1.5",
    "Double, 8, 1.5",
  })
  void readsStoragesOfFloats(String kind, int bytes, float number) throws IOException {
    byte[] storage =
        switch (kind) {
          case "Half" -> RawSafetensors.shorts(0x3E00);
          case "BFloat16" -> RawSafetensors.shorts(0x3FC0);
          case "Double" -> new byte[] {0, 0, 0, 0, 0, 0, (byte) 0xF8, 0x3F};
          default -> RawSafetensors.floats(1.5f);
        };
    assertThat(storage).hasSize(bytes);
    Path path = file(storage, "wte.weight", tensor(kind, 1, 0, pair(1, 1), pair(1, 1)));
    try (Lexicon lexicon = Models.open(path)) {
      assertThat(lexicon.input().table().row(0)).containsExactly(number);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "Char, 1, I8",
    "Byte, 1, U8",
    "Short, 2, I16",
    "Int, 4, I32",
    "Long, 8, I64",
    "Bool, 1, BOOL"
  })
  void namesStoragesOfWholeNumbers(String kind, int bytes, String label) throws IOException {
    String tensor = tensor(kind, 4, 0, pair(2, 2), pair(2, 1));
    Path path = file(new byte[4 * bytes], "wte.weight", tensor);
    assertThat(Models.tensors(path).tensors())
        .singleElement()
        .satisfies(info -> assertThat(info.dtype().label()).isEqualTo(label));
    assertThatThrownBy(() -> Models.open(path))
        .isInstanceOf(UnsupportedFormatException.class)
        .hasMessageContaining("is stored as " + label);
  }
}

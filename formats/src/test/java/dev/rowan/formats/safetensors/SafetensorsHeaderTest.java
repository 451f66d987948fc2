package dev.rowan.formats.safetensors;

import static dev.rowan.formats.safetensors.RawSafetensors.bytes;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rowan.formats.file.FormatException;
import dev.rowan.formats.file.UnsupportedFormatException;
import dev.rowan.formats.tensor.TensorInfo;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SafetensorsHeaderTest {
  private static final Path PATH = Path.of("model.safetensors");

  // one table of 2 × 3 bf16 and a single i64; written by hand after the format's README
  private static final String GOOD =
      "{\"__metadata__\":{\"format\":\"pt\"},"
          + "\"wte\":{\"dtype\":\"BF16\",\"shape\":[2,3],\"data_offsets\":[8,20]},"
          + "\"n\":{\"shape\":[],\"data_offsets\":[0,8],\"dtype\":\"I64\"}}  ";

  private static SafetensorsHeader read(byte[] file) {
    return SafetensorsHeader.read(
        PATH, MemorySegment.ofArray(file), SafetensorsHeader.DEFAULT_LIMIT);
  }

  @Test
  void readsNamesShapesPlacesAndMetadata() {
    SafetensorsHeader header = read(bytes(GOOD, new byte[20]));

    long start = 8L + GOOD.length();
    assertThat(header.tensors())
        .containsExactly(
            new TensorInfo("wte", SafetensorsDtypes.BF16, List.of(2L, 3L), PATH, start + 8, 12),
            new TensorInfo(
                "n",
                requireNonNull(SafetensorsDtypes.byLabel().get("I64")),
                List.of(),
                PATH,
                start,
                8));
    assertThat(header.metadata()).isEqualTo(Map.of("format", "pt"));
  }

  @Test
  void acceptsTensorsWithoutNumbersAnywhere() {
    String header =
        "{\"a\":{\"dtype\":\"F32\",\"shape\":[0,768],\"data_offsets\":[0,0]},"
            + "\"b\":{\"dtype\":\"U8\",\"shape\":[3],\"data_offsets\":[0,3]},"
            + "\"c\":{\"dtype\":\"F32\",\"shape\":[2,0],\"data_offsets\":[3,3]}}";

    assertThat(read(bytes(header, new byte[3])).tensors())
        .extracting(TensorInfo::elements)
        .containsExactly(0L, 3L, 0L);
  }

  @Test
  void acceptsAFileWithoutTensors() {
    assertThat(read(bytes("{}")).tensors()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "F64,64",
    "I64,64",
    "U64,64",
    "C64,64",
    "F32,32",
    "I32,32",
    "U32,32",
    "F16,16",
    "BF16,16",
    "I16,16",
    "U16,16",
    "I8,8",
    "U8,8",
    "BOOL,8",
    "F8_E4M3,8",
    "F8_E5M2,8",
    "F8_E8M0,8",
    "F8_E4M3FNUZ,8",
    "F8_E5M2FNUZ,8",
    "F6_E2M3,6",
    "F6_E3M2,6",
    "F4,4"
  })
  void knowsTheBitsOfEachDtype(String dtype, int bits) {
    String header = "{" + RawSafetensors.entry("t", dtype, "[8]", 0, bits) + "}";

    assertThat(read(bytes(header, new byte[bits])).tensors()).hasSize(1);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        // what is wrong | the entry, 16 bytes of data follow | what the message says
        "hole | 'a':{'dtype':'U8','shape':[4],'data_offsets':[0,4]},'b':{'dtype':'U8','shape':[8],'data_offsets':[8,16]} | 4 bytes in front of tensor \"b\" belong to no tensor",
        "hole at start | 'a':{'dtype':'U8','shape':[12],'data_offsets':[4,16]} | 4 bytes in front of tensor \"a\" belong to no tensor",
        "overlap | 'a':{'dtype':'U8','shape':[10],'data_offsets':[0,10]},'b':{'dtype':'U8','shape':[8],'data_offsets':[8,16]} | tensor \"b\" overlaps tensor \"a\"",
        "same bytes | 'a':{'dtype':'U8','shape':[16],'data_offsets':[0,16]},'b':{'dtype':'U8','shape':[16],'data_offsets':[0,16]} | overlaps tensor",
        "trailing | 'a':{'dtype':'U8','shape':[10],'data_offsets':[0,10]} | 6 bytes follow the last tensor",
        "past the end | 'a':{'dtype':'F32','shape':[8],'data_offsets':[0,32]} | tensor \"a\": data_offsets end 32 lies 16 bytes past the end of the file; the file looks cut off, copy it again",
        "backwards | 'a':{'dtype':'U8','shape':[8],'data_offsets':[16,8]} | data_offsets begin 16 lies behind end 8",
        "negative offset | 'a':{'dtype':'U8','shape':[16],'data_offsets':[-1,15]} | data_offsets holds -1; 0 is the least",
        "size mismatch | 'a':{'dtype':'F32','shape':[3],'data_offsets':[0,16]} | data_offsets [0, 16] span 16 bytes but shape [3] of F32 takes 12",
        "negative dimension | 'a':{'dtype':'F32','shape':[-2,-2],'data_offsets':[0,16]} | shape holds -2",
        "overflowing shape | 'a':{'dtype':'F32','shape':[4294967296,4294967296],'data_offsets':[0,16]} | overflows 64 bits",
        "overflow to fit | 'a':{'dtype':'F32','shape':[4611686018427387905,4],'data_offsets':[0,16]} | overflows 64 bits",
        "beyond long | 'a':{'dtype':'U8','shape':[99999999999999999999],'data_offsets':[0,16]} | lies outside 64 bits",
        "fraction | 'a':{'dtype':'U8','shape':[16.0],'data_offsets':[0,16]} | should be a whole number",
        "half byte | 'a':{'dtype':'F4','shape':[3],'data_offsets':[0,16]} | does not end on a whole byte",
        "no dtype | 'a':{'shape':[16],'data_offsets':[0,16]} | tensor \"a\" has no dtype",
        "no shape | 'a':{'dtype':'U8','data_offsets':[0,16]} | tensor \"a\" has no shape",
        "no offsets | 'a':{'dtype':'U8','shape':[16]} | tensor \"a\" has no data_offsets",
        "three offsets | 'a':{'dtype':'U8','shape':[16],'data_offsets':[0,16,16]} | tensor \"a\" has no data_offsets",
        "shape no array | 'a':{'dtype':'U8','shape':16,'data_offsets':[0,16]} | shape should be an array",
        "entry no object | 'a':[1] | tensor \"a\" should be an object but is an array",
        "null | 'a':null | tensor \"a\" should be an object but is null",
        "metadata number | '__metadata__':{'x':1},'a':{'dtype':'U8','shape':[16],'data_offsets':[0,16]} | the value of \"x\" in __metadata__ should be a string but is a whole number",
        "duplicate | 'a':{'dtype':'U8','shape':[16],'data_offsets':[0,16]},'a':{'dtype':'U8','shape':[16],'data_offsets':[0,16]} | duplicate name: tensor \"a\" occurs twice",
        "escaped duplicate | 'a':{'dtype':'U8','shape':[16],'data_offsets':[0,16]},'\\u0061':{'dtype':'U8','shape':[16],'data_offsets':[0,16]} | duplicate name: tensor \"a\" occurs twice",
        "duplicate metadata | '__metadata__':{},'__metadata__':{} | duplicate name",
        "duplicate key | '__metadata__':{'k':'1','k':'2'} | duplicate name: \"k\" occurs twice in __metadata__",
        "duplicate field | 'a':{'dtype':'U8','dtype':'U8','shape':[16],'data_offsets':[0,16]} | duplicate name: \"dtype\" occurs twice in tensor \"a\"",
      })
  void refusesAndSaysWhy(String what, String entries, String message) {
    byte[] file = bytes("{" + entries.replace('\'', '"') + "}", new byte[16]);

    assertThatThrownBy(() -> read(file))
        .as(what)
        .isInstanceOf(FormatException.class)
        .hasMessageStartingWith("model.safetensors: ")
        .hasMessageContaining(message);
  }

  @Test
  void refusesAnUnknownDtypeByName() {
    String header = "{" + RawSafetensors.entry("a", "Q4_K", "[16]", 0, 16) + "}";

    assertThatThrownBy(() -> read(bytes(header, new byte[16])))
        .isInstanceOf(UnsupportedFormatException.class)
        .hasMessage("model.safetensors: tensor \"a\" has dtype \"Q4_K\", which is not known here");
  }

  @Test
  void refusesAHeaderAboveTheLimitWithAClearMessage() {
    byte[] file = bytes("{}" + " ".repeat(98));

    assertThatThrownBy(() -> SafetensorsHeader.read(PATH, MemorySegment.ofArray(file), 99))
        .isInstanceOf(FormatException.class)
        .hasMessage(
            "model.safetensors: header length 100 is above the limit of 99 bytes;"
                + " raise the limit (ROWAN_HEADER_LIMIT) if you trust this file (at byte 0)");
    assertThat(SafetensorsHeader.read(PATH, MemorySegment.ofArray(file), 100).tensors()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(longs = {3, 1L << 31, 1L << 40, Long.MAX_VALUE, -1, Long.MIN_VALUE})
  void refusesAHeaderLongerThanTheFile(long length) {
    byte[] file = bytes("{}");
    ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN).putLong(length);

    assertThatThrownBy(() -> read(file))
        .isInstanceOf(FormatException.class)
        .hasMessageContaining("header length " + Long.toUnsignedString(length))
        .hasMessageContaining("past the end of the file (10 bytes)");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "[]", " {}", "\u00ef\u00bb\u00bf{}"})
  void refusesAHeaderThatDoesNotStartWithABrace(String header) {
    assertThatThrownBy(() -> read(bytes(header)))
        .isInstanceOf(FormatException.class)
        .hasMessageContaining("the header should start with '{'");
  }

  @ParameterizedTest
  @ValueSource(strings = {"{}x", "{} {}", "{", "{\"a\"", "{,}", "{\"a\":{}"})
  void refusesAHeaderThatIsNotOneJsonObject(String header) {
    assertThatThrownBy(() -> read(bytes(header)))
        .isInstanceOf(FormatException.class)
        .hasMessageMatching("model.safetensors: .*\\(at byte \\d+\\)");
  }

  @Test
  void refusesNamesThatAreNotUtf8() {
    byte[] file = bytes(GOOD.replace("wte", "w?e"), new byte[20]);
    file[new String(file, StandardCharsets.ISO_8859_1).indexOf("w?e") + 1] = (byte) 0xFF;

    assertThatThrownBy(() -> read(file))
        .isInstanceOf(FormatException.class)
        .hasMessageContaining("not UTF-8");
  }

  @Test
  void saysThatAPointerIsNotTheWeights() {
    String pointer =
        "version https://git-lfs.github.com/spec/v1\noid sha256:0123\nsize 548105171\n";

    assertThatThrownBy(() -> read(pointer.getBytes(StandardCharsets.UTF_8)))
        .isInstanceOf(FormatException.class)
        .hasMessageContaining("Git LFS pointer, not the weights")
        .hasMessageContaining("git lfs pull");
  }

  @Test
  void refusesAFileCutAtAnyByte() {
    byte[] file = bytes(GOOD, new byte[20]);

    for (int length = 0; length < file.length; length++) {
      byte[] cut = Arrays.copyOf(file, length);
      assertThatThrownBy(() -> read(cut))
          .as("%d bytes", length)
          .isInstanceOf(FormatException.class);
    }
  }

  @Test
  void namesTheByteThatIsWrong() {
    byte[] file = bytes("{\"a\":{\"dtype\":\"F32\",\"shape\":[x]}}");

    assertThatThrownBy(() -> read(file))
        .isInstanceOfSatisfying(
            FormatException.class,
            e -> {
              assertThat(e.offset()).isEqualTo(OptionalLong.of(8 + 29));
              assertThat(e.path()).isEqualTo(PATH);
            });
  }

  @Test
  void refusesBottomlessNesting() {
    byte[] file = bytes("{\"a\":" + "[".repeat(100_000));

    assertThatThrownBy(() -> read(bytes("{\"a\":{\"x\":" + "[".repeat(100_000))))
        .isInstanceOf(FormatException.class)
        .hasMessageContaining("nests deeper than 500 levels");
    assertThatThrownBy(() -> read(file)).isInstanceOf(FormatException.class);
  }
}

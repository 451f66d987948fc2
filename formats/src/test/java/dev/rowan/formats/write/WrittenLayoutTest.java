package dev.rowan.formats.write;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.rowan.core.Table;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.junit.jupiter.api.Test;

/** The bytes that are written, against what others write. */
class WrittenLayoutTest extends ConverterFixture {
  @Test
  void textIsWrittenAsSpecified() throws IOException {
    convert(named("a", "b"), "out", TargetFormat.WORD2VEC_TEXT);
    assertThat(folder.resolve("out")).hasContent("2 2\na 0.0 1.0\nb 2.0 3.0\n");
    convert(named("a", "b"), "out", TargetFormat.GLOVE_TEXT);
    assertThat(folder.resolve("out")).hasContent("a 0.0 1.0\nb 2.0 3.0\n");
  }

  @Test
  void csvQuotesWhatNeedsIt() throws IOException {
    convert(named("a,b", "say \"x\"", "line\nbreak"), "out.csv", TargetFormat.CSV);
    assertThat(Files.readString(folder.resolve("out.csv")))
        .isEqualTo(
            """
            id,token,d0,d1
            0,"a,b",0.0,1.0
            1,"say ""x""\",2.0,3.0
            2,"line
            break",4.0,5.0
            """);
  }

  @Test
  void tsvKeepsIds() throws IOException {
    convert(named("a", "b"), "out.tsv", TargetFormat.TSV);
    assertThat(Files.readString(folder.resolve("out.tsv")))
        .isEqualTo(
            """
            id\ttoken\td0\td1
            0\ta\t0.0\t1.0
            1\tb\t2.0\t3.0
            """);
  }

  @Test
  void npyHasTheHeaderThatNumpyWrites() throws IOException {
    convert(words(), "out.npy", TargetFormat.NPY);
    byte[] bytes = Files.readAllBytes(folder.resolve("out.npy"));
    // np.save of a 3 × 3 float32 array starts with these 128 bytes
    String header = "{'descr': '<f4', 'fortran_order': False, 'shape': (3, 3), }";
    assertThat(Arrays.copyOf(bytes, 10))
        .containsExactly(0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0, 118, 0);
    assertThat(new String(bytes, 10, 118, UTF_8))
        .isEqualTo(header + " ".repeat(118 - 1 - header.length()) + "\n");
    ByteBuffer numbers = ByteBuffer.wrap(bytes, 128, 36).order(ByteOrder.LITTLE_ENDIAN);
    for (float value : VALUES) {
      assertThat(numbers.getFloat()).isEqualTo(value);
    }
    assertThat(bytes).hasSize(128 + 36);
  }

  @Test
  void npzHoldsRowsTokensAndSource() throws IOException {
    convert(words(), "out.npz", TargetFormat.NPZ);
    Map<String, byte[]> members = new HashMap<>();
    try (ZipInputStream zip = new ZipInputStream(Files.newInputStream(folder.resolve("out.npz")))) {
      for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
        members.put(entry.getName(), zip.readAllBytes());
      }
    }
    assertThat(members.keySet())
        .containsExactlyInAnyOrder("embeddings.npy", "tokens.npy", "source.npy");
    byte[] tokens = members.get("tokens.npy");
    assertThat(new String(tokens, 10, 118, UTF_8)).contains("'<U4'").contains("'shape': (3,)");
    assertThat(new String(tokens, 128 + 16, 16, StandardCharsets.UTF_32LE)).isEqualTo("café");
    assertThat(members.get("embeddings.npy")).hasSize(128 + 36);
  }

  @Test
  void ggufIsLaidOutAsSpecified() throws IOException {
    convert(named("a", "b"), "out.gguf", TargetFormat.GGUF);
    ByteBuffer in =
        ByteBuffer.wrap(Files.readAllBytes(folder.resolve("out.gguf")))
            .order(ByteOrder.LITTLE_ENDIAN);
    assertThat(in.getInt()).isEqualTo(0x46554747);
    assertThat(in.getInt()).isEqualTo(3);
    assertThat(in.getLong()).isEqualTo(1);
    long settings = in.getLong();
    Map<String, Object> found = new HashMap<>();
    for (long i = 0; i < settings; i++) {
      found.put(text(in), value(in, in.getInt()));
    }
    assertThat(found)
        .containsEntry("general.alignment", 32)
        .containsEntry("tokenizer.ggml.model", "none")
        .containsEntry("tokenizer.ggml.tokens", List.of("a", "b"))
        .containsEntry("tokenizer.ggml.token_type", List.of(1, 1))
        .containsEntry("rowan.source.name", "source.txt");
    assertThat(text(in)).isEqualTo("token_embd.weight");
    assertThat(in.getInt()).isEqualTo(2);
    assertThat(in.getLong()).isEqualTo(2); // width first
    assertThat(in.getLong()).isEqualTo(2);
    assertThat(in.getInt()).isZero();
    assertThat(in.getLong()).isZero();
    in.position(Math.ceilDiv(in.position(), 32) * 32);
    assertThat(in.remaining()).isEqualTo(16);
    assertThat(in.getFloat(in.position() + 12)).isEqualTo(3);
  }

  private static String text(ByteBuffer in) {
    byte[] bytes = new byte[(int) in.getLong()];
    in.get(bytes);
    return new String(bytes, UTF_8);
  }

  private static Object value(ByteBuffer in, int type) {
    return switch (type) {
      case 4, 5 -> in.getInt();
      case 8 -> text(in);
      case 9 -> {
        int items = in.getInt();
        Object[] array = new Object[(int) in.getLong()];
        Arrays.setAll(array, i -> value(in, items));
        yield List.of(array);
      }
      default -> throw new IllegalArgumentException("unexpected type " + type);
    };
  }

  @Test
  void q8IsWhatGgmlWrites() throws IOException {
    float[] row = new float[32];
    for (int i = 0; i < 32; i++) {
      row[i] = (i * 37 % 64 - 31.5f) / 10;
    }
    Converter.convert(
        lexicon(Table.of(32, row), Optional.empty()),
        folder.resolve("out.gguf"),
        TargetFormat.GGUF,
        ConvertOptions.DEFAULT.withNumbers(NumberFormat.INT8));
    byte[] bytes = Files.readAllBytes(folder.resolve("out.gguf"));
    // gguf-py: quantize(np.array([(i * 37 % 64 - 31.5) / 10], np.float32), Q8_0)
    assertThat(Arrays.copyOfRange(bytes, bytes.length - 34, bytes.length))
        .containsExactly(Q8_BLOCK);
  }

  private static final byte[] Q8_BLOCK = {
    89, 38, -127, 22, -87, 62, -46, 103, -6, -115, 34, -75, 75, -34, 115, 6, -103, 46, -62, 87, -22,
    127, 18, -91, 58, -50, 99, -10, -119, 30, -79, 71, -38, 111
  };
}

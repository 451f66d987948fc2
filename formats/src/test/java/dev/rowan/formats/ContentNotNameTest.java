package dev.rowan.formats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rowan.core.Lexicon;
import dev.rowan.formats.file.FormatException;
import dev.rowan.formats.safetensors.RawSafetensors;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A file is what its bytes say: {@code .bin} alone is the name of six formats. */
class ContentNotNameTest {
  @TempDir Path folder;

  /** Files by what they are. */
  private final Map<String, byte[]> files = new LinkedHashMap<>();

  @BeforeEach
  void collect() throws IOException {
    files.put(
        "safetensors",
        RawSafetensors.bytes(
            "{" + RawSafetensors.entry("wte.weight", "F32", "[1,2]", 0, 8) + "}",
            RawSafetensors.floats(1, 2)));
    files.put("gguf", Fixture.bytes("gguf/gpt2.gguf"));
    files.put("pytorch", Fixture.bytes("pytorch/tied.pt"));
    files.put("pytorch of a pickle", Fixture.bytes("pytorch/tied-legacy.pt"));
    files.put("pytorch of a tar", Fixture.bytes("pytorch/tar.pt"));
    files.put("npy", Fixture.bytes("numpy/little-f4.npy"));
    files.put("npz", Fixture.bytes("numpy/stored.npz"));
    files.put("word2vec-text", "2 2\na 1 2\nb 3 4\n".getBytes(StandardCharsets.UTF_8));
    files.put("glove-text", "a 1 2\nb 3 4\n".getBytes(StandardCharsets.UTF_8));
    byte[] row = RawSafetensors.floats(0.3f, 0.7f);
    files.put(
        "word2vec-binary",
        ByteBuffer.allocate(14)
            .put("1 2\na ".getBytes(StandardCharsets.US_ASCII))
            .put(row)
            .array());
    files.put("fasttext", fastText());
  }

  private static byte[] fastText() throws IOException {
    try (var in = ContentNotNameTest.class.getResourceAsStream("fasttext/gensim.bin")) {
      assertThat(in).isNotNull();
      return in.readAllBytes();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "x.bin",
        "x.safetensors",
        "x.gguf",
        "x.pt",
        "x.npy",
        "x.npz",
        "x.onnx",
        "x.txt",
        "x"
      })
  void everyFormatIsKnownUnderEveryName(String name) throws IOException {
    for (var file : files.entrySet()) {
      Path path = Files.write(folder.resolve(name), file.getValue());
      try (Lexicon lexicon = Models.open(path)) {
        assertThat(lexicon.origin().format())
            .as("%s as %s", file.getKey(), name)
            .isEqualTo(file.getKey().replaceFirst(" .*", ""));
      }
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "model.safetensors",
        "pytorch_model.bin",
        "model.onnx",
        "model-Q4_K.gguf",
        "vectors.txt",
        "cc.en.300.bin",
        "weights.h5",
        "model.npy"
      })
  void aPointerIsToldUnderEveryName(String name) throws IOException {
    Path path =
        Files.writeString(
            folder.resolve(name),
            "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 548105171\n");
    assertThatThrownBy(() -> Models.open(path))
        .isInstanceOf(FormatException.class)
        .hasMessageStartingWith(name + ": ")
        .hasMessageContaining("Git LFS pointer, not the weights")
        .hasMessageContaining("git lfs pull");
  }

  @ParameterizedTest
  @CsvSource({
    // u32 magics of llama.cpp's older files, little-endian, and finalfusion's
    "lmgg, is a file of llama.cpp from before GGUF",
    "fmgg, is a file of llama.cpp from before GGUF",
    "tjgg, is a file of llama.cpp from before GGUF",
    "FiFu, is a finalfusion file"
  })
  void foreignFormatsAreNamed(String magic, String message) throws IOException {
    byte[] bytes =
        ByteBuffer.allocate(64)
            .put(magic.getBytes(StandardCharsets.US_ASCII))
            .put((byte) 0)
            .array();
    Path path = Files.write(folder.resolve("x.bin"), bytes);
    assertThatThrownBy(() -> Models.open(path))
        .isInstanceOf(FormatException.class)
        .hasMessageStartingWith("x.bin: " + message);
  }

  @Test
  void wordsThatLookLikeForeignMagicsAreWords() throws IOException {
    for (String word : new String[] {"lmgg", "tjgg", "FiFu", "GGUF", "PK"}) {
      Path path = Files.writeString(folder.resolve("x.bin"), word + " 1 2\nb 3 4\n");
      try (Lexicon lexicon = Models.open(path)) {
        assertThat(lexicon.vocabulary().orElseThrow().stored(0)).isEqualTo(word);
      }
    }
  }

  /** GloVe's vectors.bin: float64 and nothing else, neither words nor a width. */
  @Test
  void numbersWithoutAnythingAreRefused() throws IOException {
    ByteBuffer numbers = ByteBuffer.allocate(8 * 50).order(ByteOrder.LITTLE_ENDIAN);
    while (numbers.hasRemaining()) {
      numbers.putDouble(0.01 * numbers.position() - 1.7);
    }
    Path path = Files.write(folder.resolve("vectors.bin"), numbers.array());
    assertThatThrownBy(() -> Models.open(path))
        .isInstanceOf(FormatException.class)
        .hasMessageStartingWith("vectors.bin: ");
  }
}

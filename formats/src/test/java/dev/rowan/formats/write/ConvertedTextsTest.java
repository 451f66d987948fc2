package dev.rowan.formats.write;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowan.core.Lexicon;
import dev.rowan.core.Origin;
import dev.rowan.formats.Models;
import dev.rowan.formats.safetensors.RawSafetensors;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What a file says of itself is kept where there is a place for it, and is said to go elsewhere.
 */
class ConvertedTextsTest extends ConverterFixture {
  private static final Map<String, String> TEXTS =
      Map.of("general.license", "mit", "format", "pt", "two lines", "a\nb");

  private static Lexicon saying(Map<String, String> texts) {
    return words()
        .withOrigin(
            new Origin(
                Path.of("source.txt"),
                "test",
                Optional.empty(),
                OptionalLong.empty(),
                List.of(),
                texts));
  }

  @ParameterizedTest
  @EnumSource(names = {"SAFETENSORS", "SAFETENSORS_FILE", "MODEL2VEC", "GGUF"})
  void textsComeBack(TargetFormat format) throws IOException {
    Conversion done = convert(saying(TEXTS), "out", format);
    assertThat(done.notes()).noneMatch(note -> note.contains("no place for where"));
    try (Lexicon back = Models.open(folder.resolve("out"))) {
      Map<String, String> texts = new LinkedHashMap<>(back.origin().texts());
      texts.remove("general.name"); // GGUF has one always
      assertThat(texts).isEqualTo(TEXTS);
    }
  }

  @Test
  void aRemoteModelIsCalledByTheNameItIsAskedForBy() throws IOException {
    Map<String, String> remote =
        Map.of(Origin.REMOTE, "hf:owner/name", Origin.VERSION, "f".repeat(40));
    convert(saying(remote), "out.gguf", TargetFormat.GGUF);
    String all = Files.readString(folder.resolve("out.gguf"), StandardCharsets.ISO_8859_1);
    assertThat(all)
        .contains("rowan.source.version", "f".repeat(40))
        .doesNotContain("rowan.metadata", "rowan.source.model", "source.txt");
    try (Lexicon back = Models.open(folder.resolve("out.gguf"))) {
      assertThat(back.origin().texts()).containsOnly(Map.entry("general.name", "hf:owner/name"));
    }
  }

  @Test
  void nameOfAGgufFileStays() throws IOException {
    convert(saying(Map.of("general.name", "Ada")), "out", TargetFormat.GGUF);
    try (Lexicon back = Models.open(folder.resolve("out"))) {
      assertThat(back.origin().texts()).containsOnly(Map.entry("general.name", "Ada"));
    }
  }

  @Test
  void npzKeepsTextsOfOneLine() throws IOException {
    Conversion done = convert(saying(TEXTS), "out.npz", TargetFormat.NPZ);
    assertThat(done.notes())
        .anyMatch(note -> note.startsWith("the text \"two lines\" was left out"));
    try (Lexicon back = Models.open(folder.resolve("out.npz"))) {
      assertThat(back.origin().texts())
          .containsOnly(Map.entry("general.license", "mit"), Map.entry("format", "pt"));
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"WORD2VEC_TEXT", "WORD2VEC_BINARY", "GLOVE_TEXT", "NPY", "CSV", "PROJECTOR"})
  void saysWhatHasNoPlace(TargetFormat format) throws IOException {
    Conversion done = convert(saying(Map.of("general.license", "mit")), "out", format);
    assertThat(done.notes())
        .anyMatch(note -> note.endsWith("nor for what the file says of itself (general.license)"));
  }

  @Test
  void textsThatNobodyReadsAreLeftOutAndCounted() throws IOException {
    Map<String, String> texts =
        Map.of("long", "x".repeat(300_001), "y".repeat(1_001), "z", "a", "b");
    Conversion done = convert(saying(texts), "out.gguf", TargetFormat.GGUF);
    assertThat(done.notes()).anyMatch(note -> note.startsWith("2 texts were"));
    try (Lexicon back = Models.open(folder.resolve("out.gguf"))) {
      assertThat(back.origin().texts()).containsEntry("a", "b").doesNotContainKey("long");
    }
  }

  /** What tells how a file is to be read is Rowan's own business. */
  @Test
  void safetensorsSayWhatTheirHeadersSay() throws IOException {
    Path file = folder.resolve("m.safetensors");
    String header =
        """
        {"__metadata__":{"license":"mit","rowan.output":"none"},\
        "embeddings.weight":{"dtype":"F32","shape":[1,1],"data_offsets":[0,4]}}\
        """;
    Files.write(file, RawSafetensors.bytes(header, new byte[4]));
    try (Lexicon model = Models.open(file)) {
      assertThat(model.origin().texts()).containsOnly(Map.entry("license", "mit"));
    }
  }

  @Test
  void settingsOfAModel2VecModelStay() throws IOException {
    convert(words(), "first", TargetFormat.MODEL2VEC);
    Path config = folder.resolve("first/config.json");
    String said = Files.readString(config);
    assertThat(said).contains("\"normalize\": false", "\"hidden_dim\": 3");
    Files.writeString(
        config, said.replace("\"normalize\": false", "\"normalize\": true, \"x\": 7"));
    try (Lexicon first = Models.open(folder.resolve("first"))) {
      convert(first, "second", TargetFormat.MODEL2VEC);
      assertThat(convert(first, "third.gguf", TargetFormat.GGUF).notes())
          .anyMatch(note -> note.contains("(normalize); gguf has no place to say so"));
    }
    assertThat(Files.readString(folder.resolve("second/config.json")))
        .contains("\"normalize\": true", "\"x\": 7", "\"hidden_dim\": 3");
  }
}

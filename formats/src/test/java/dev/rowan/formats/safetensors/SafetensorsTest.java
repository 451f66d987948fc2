package dev.rowan.formats.safetensors;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rowan.core.Lexicon;
import dev.rowan.formats.GptFolder;
import dev.rowan.formats.GptFolder.Entry;
import dev.rowan.formats.Models;
import dev.rowan.formats.OpenOptions;
import dev.rowan.formats.file.FormatException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SafetensorsTest {
  private static final String FIRST = "model-00001-of-00002.safetensors";
  private static final String SECOND = "model-00002-of-00002.safetensors";
  private static final String INDEX = "model.safetensors.index.json";

  @TempDir Path folder;

  @BeforeEach
  void writeShards() throws IOException {
    GptFolder.write(folder)
        .weights(FIRST, List.of(new Entry("h.0.w", 2, 30), new Entry("wte.weight", 12, 0)))
        .weights(SECOND, List.of(new Entry("lm_head.weight", 12, 50)));
    Files.delete(folder.resolve("model.safetensors"));
  }

  private Path index(String... tensorsAndShards) throws IOException {
    StringBuilder map = new StringBuilder();
    for (int i = 0; i < tensorsAndShards.length; i += 2) {
      map.append(i == 0 ? "" : ",")
          .append("\"%s\":\"%s\"".formatted(tensorsAndShards[i], tensorsAndShards[i + 1]));
    }
    return Files.writeString(
        folder.resolve(INDEX),
        "{\"metadata\":{\"total_size\":416},\"weight_map\":{%s}}".formatted(map));
  }

  private void assertOpens(Path path) throws IOException {
    try (Lexicon model = Models.open(path)) {
      assertThat(model.input().table().row(3)).isEqualTo(GptFolder.plantedRow(3));
      assertThat(model.output().orElseThrow().table().row(3)).isEqualTo(GptFolder.plantedRow(53));
      assertThat(model.modelParameters()).hasValue(4 * (2 + 12 + 12));
    }
  }

  @Test
  void opensShardsByTheirIndex() throws IOException {
    Path index = index("h.0.w", FIRST, "wte.weight", FIRST, "lm_head.weight", SECOND);

    assertOpens(folder);
    assertOpens(index);
  }

  @Test
  void opensShardsWithoutAnIndex() throws IOException {
    assertOpens(folder);
  }

  @Test
  void findsTensorsByTheShardsHeadersWhereTheIndexIsWrong() throws IOException {
    // CodeShell, llama.cpp pull request 12456
    index("nowhere.weight", FIRST, "lm_head.weight", FIRST, "x", SECOND);

    assertOpens(folder);
    try (Lexicon model = Models.open(folder)) {
      assertThat(model.notes())
          .containsExactly(
              "model.safetensors.index.json lists 2 tensors that no shard holds, such as"
                  + " \"nowhere.weight\"; left out");
    }
  }

  @Test
  void refusesAMissingShard() throws IOException {
    index("wte.weight", FIRST, "x", "model-00003-of-00003.safetensors");

    assertThatThrownBy(() -> Models.open(folder))
        .isInstanceOf(FormatException.class)
        .hasMessageStartingWith(
            INDEX + ": its part \"model-00003-of-00003.safetensors\" is missing from")
        .hasMessageEndingWith("copy or download the whole model");
  }

  @ParameterizedTest
  @ValueSource(strings = {"../x.safetensors", "/etc/passwd", "a/../../x", "..", "C:/x"})
  void refusesShardsOutsideTheFolder(String shard) throws IOException {
    index("wte.weight", shard);

    assertThatThrownBy(() -> Models.open(folder))
        .isInstanceOf(FormatException.class)
        .hasMessageContaining("names a part of the model \"" + shard + "\"");
  }

  @Test
  void refusesOneTensorInTwoShards() throws IOException {
    Files.copy(folder.resolve(FIRST), folder.resolve("model-00003-of-00002.safetensors"));

    assertThatThrownBy(() -> Models.open(folder))
        .isInstanceOf(FormatException.class)
        .hasMessageContaining("duplicate name: tensor \"h.0.w\" is also in " + FIRST);
  }

  @Test
  void takesTheTensorOfTheShardThatTheIndexNames() throws IOException {
    GptFolder.write(folder.resolve("other"))
        .weights(
            SECOND, List.of(new Entry("wte.weight", 12, 70), new Entry("lm_head.weight", 12, 50)));
    Files.move(
        folder.resolve("other").resolve(SECOND),
        folder.resolve(SECOND),
        java.nio.file.StandardCopyOption.REPLACE_EXISTING);

    index("wte.weight", FIRST, "lm_head.weight", SECOND);
    try (Lexicon model = Models.open(folder)) {
      assertThat(model.input().table().row(0)).isEqualTo(GptFolder.plantedRow(0));
    }
    index("h.0.w", FIRST, "wte.weight", SECOND);
    try (Lexicon model = Models.open(folder)) {
      assertThat(model.input().table().row(0)).isEqualTo(GptFolder.plantedRow(70));
    }
  }

  @Test
  void refusesJsonThatIsNotAnIndex() {
    assertThatThrownBy(() -> Models.open(folder.resolve("config.json")))
        .isInstanceOf(FormatException.class)
        .hasMessageContaining("there is no \"weight_map\"");
  }

  @Test
  void opensAHeaderAboveTheUsualLimitWhenAsked() throws IOException {
    // safetensors issue 668: a header of 132,095,296 bytes; this one is padded to that length
    long length = 132_095_296;
    Path file = folder.resolve("long.safetensors");
    byte[] json =
        ("{" + RawSafetensors.entry("wte.weight", "F32", "[1,1]", 0, 4))
            .getBytes(java.nio.charset.StandardCharsets.UTF_8);
    byte[] spaces = new byte[1 << 20];
    java.util.Arrays.fill(spaces, (byte) ' ');
    try (var out = Files.newOutputStream(file)) {
      out.write(ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN).putLong(length).array());
      out.write(json);
      for (long left = length - json.length - 1; left > 0; left -= spaces.length) {
        out.write(spaces, 0, (int) Math.min(left, spaces.length));
      }
      out.write('}');
      out.write(RawSafetensors.floats(2.5f));
    }

    assertThatThrownBy(() -> Models.open(file))
        .isInstanceOf(FormatException.class)
        .hasMessageContaining(
            "header length 132,095,296 is above the limit of 100,000,000 bytes; raise the limit");
    try (Lexicon model = Models.open(file, OpenOptions.DEFAULT.withHeaderLimit(200_000_000))) {
      assertThat(model.input().table().row(0)).containsExactly(2.5f);
    }
  }

  @Test
  void refusesAFolderOfSeveralModels() throws IOException {
    Files.copy(folder.resolve(FIRST), folder.resolve("other.safetensors"));

    assertThatThrownBy(() -> Models.open(folder))
        .isInstanceOf(FormatException.class)
        .hasMessageContaining("holds several models")
        .hasMessageContaining("name the file to open");
  }
}

package dev.rowan.formats.pytorch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rowan.core.Lexicon;
import dev.rowan.core.Tie;
import dev.rowan.formats.Fixture;
import dev.rowan.formats.Models;
import dev.rowan.formats.OpenOptions;
import dev.rowan.formats.file.FormatException;
import dev.rowan.formats.file.UnsupportedFormatException;
import dev.rowan.formats.tensor.TensorInfo;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Fixtures were written by torch 2.15.0 (make_pytorch_fixtures.py), which for those put together by
 * hand at least reads them as expected here. Most hold the 4 × 3 numbers 0.5, 1.5, … 11.5.
 */
class PytorchFileTest {
  @TempDir Path folder;

  private Path fixture(String name) throws IOException {
    return Fixture.write(folder, "pytorch/" + name);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "tied.pt",
        "tied-legacy.pt",
        "protocol4.pt",
        "protocol5.pt",
        "untied.pt",
        "transposed.pt",
        "transposed-legacy.pt",
        "training.pt",
        "parameter.pt",
        "state-dict.pt",
        "big-endian.pt",
        "deflated.pt",
        "bare-tensor.pt",
        "tar.pt"
      })
  void readsTheTable(String name) throws IOException {
    boolean transposed = name.startsWith("transposed");
    try (Lexicon lexicon = Models.open(fixture(name))) {
      assertThat(lexicon.origin().format()).isEqualTo("pytorch");
      assertThat(lexicon.input().table().rows()).isEqualTo(4);
      assertThat(lexicon.input().table().width()).isEqualTo(3);
      if (transposed) {
        assertThat(lexicon.input().table().row(1)).containsExactly(1.5f, 5.5f, 9.5f);
        assertThat(lexicon.input().table().row(3)).containsExactly(3.5f, 7.5f, 11.5f);
      } else {
        assertThat(lexicon.input().table().row(1)).containsExactly(3.5f, 4.5f, 5.5f);
        assertThat(lexicon.input().table().row(3)).containsExactly(9.5f, 10.5f, 11.5f);
      }
    }
  }

  /** Of each, torch shows the numbers −0.5, −1.5, … −11.5 as 4 × 3. */
  @ParameterizedTest
  @ValueSource(strings = {"negated.pt", "negated-legacy.pt", "conjugate.pt"})
  void negatesWhatIsMarkedSo(String name) throws IOException {
    try (Lexicon lexicon = Models.open(fixture(name))) {
      assertThat(lexicon.input().table().row(0)).containsExactly(-0.5f, -1.5f, -2.5f);
      assertThat(lexicon.input().table().row(3)).containsExactly(-9.5f, -10.5f, -11.5f);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "tied.pt, transformer.wte.weight",
    "untied.pt, model.embed_tokens.weight",
    "training.pt, module.embedding.weight",
    "bare-tensor.pt, tensor"
  })
  void keepsTheNamesOfTheFile(String name, String tensor) throws IOException {
    try (Lexicon lexicon = Models.open(fixture(name))) {
      assertThat(lexicon.input().tensor()).isEqualTo(tensor);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"tied.pt", "tied-legacy.pt", "protocol4.pt"})
  void twoNamesOfTheSameBytesAreTied(String name) throws IOException {
    try (Lexicon lexicon = Models.open(fixture(name))) {
      assertThat(lexicon.tie()).isEqualTo(Tie.TIED);
      assertThat(lexicon.tieEvidence())
          .isEqualTo(
              "the file gives \"transformer.wte.weight\" and \"lm_head.weight\" the same bytes");
      assertThat(lexicon.output()).isEmpty();
      assertThat(lexicon.modelParameters()).hasValue(12 + 3);
    }
  }

  @Test
  void twoTablesAreUntied() throws IOException {
    try (Lexicon lexicon = Models.open(fixture("untied.pt"))) {
      assertThat(lexicon.tie()).isEqualTo(Tie.UNTIED);
      assertThat(lexicon.output().orElseThrow().table().row(0))
          .containsExactly(100.5f, 101.5f, 102.5f);
      assertThat(lexicon.modelParameters()).hasValue(24);
    }
  }

  @Test
  void mapsRowMajorTablesInPlace() throws IOException {
    Path path = fixture("untied.pt");
    try (PytorchFile file = PytorchFile.open(path)) {
      TensorInfo tensor = file.find("model.embed_tokens.weight").orElseThrow();
      byte[] inFile =
          Arrays.copyOfRange(
              Files.readAllBytes(path), (int) tensor.offset(), (int) tensor.offset() + 48);
      assertThat(file.data(tensor).isMapped()).isTrue();
      assertThat(file.data(tensor).toArray(java.lang.foreign.ValueLayout.JAVA_BYTE))
          .isEqualTo(inFile);
    }
  }

  @Test
  void readsASliceOfAStorage() throws IOException {
    try (Lexicon lexicon = Models.open(fixture("sliced.pt"))) {
      assertThat(lexicon.input().table().row(0)).containsExactly(5.5f, 6.5f);
      assertThat(lexicon.input().table().row(1)).containsExactly(9.5f, 10.5f);
    }
  }

  @Test
  void readsAViewOfAStorage() throws IOException {
    try (Lexicon lexicon = Models.open(fixture("view-legacy.pt"))) {
      assertThat(lexicon.input().table().row(0)).containsExactly(3.5f, 4.5f, 5.5f);
      assertThat(lexicon.input().table().rows()).isEqualTo(3);
    }
  }

  @Test
  void readsTheTensorsOfATarArchive() throws IOException {
    try (Lexicon lexicon = Models.open(fixture("tar.pt"))) {
      assertThat(lexicon.output().orElseThrow().table().rows()).isEqualTo(3);
      assertThat(lexicon.output().orElseThrow().table().row(0)).containsExactly(3.5f, 4.5f, 5.5f);
    }
  }

  @Test
  void refusesATableThatRepeatsItsNumbers() throws IOException {
    Path path = fixture("expanded.pt");
    assertThatThrownBy(() -> Models.open(path))
        .isInstanceOf(UnsupportedFormatException.class)
        .hasMessage(
            "expanded.pt: tensor \"embed_tokens.weight\" of shape 50 × 2 has strides [0, 1]; only"
                + " views of at most two dimensions that do not repeat numbers can be read, save a"
                + " contiguous copy");
  }

  @ParameterizedTest
  @ValueSource(strings = {"f64", "f16", "bf16"})
  void readsEachFloatFormat(String tensor) throws IOException {
    try (Lexicon lexicon =
        Models.open(fixture("dtypes.pt"), OpenOptions.DEFAULT.withTensor(tensor))) {
      assertThat(lexicon.input().table().row(1)).containsExactly(3.5f, 4.5f, 5.5f);
    }
  }

  @ParameterizedTest
  @CsvSource({"u16, U16", "f8, F8_E4M3", "bool, BOOL", "i64, I64"})
  void namesAFormatThatIsNoTable(String tensor, String label) throws IOException {
    Path path = fixture("dtypes.pt");
    assertThatThrownBy(() -> Models.open(path, OpenOptions.DEFAULT.withTensor(tensor)))
        .isInstanceOf(UnsupportedFormatException.class)
        .hasMessageStartingWith(
            "dtypes.pt: the table \"%s\" is stored as %s, which".formatted(tensor, label));
  }

  @Test
  void leavesTheOptimizerOut() throws IOException {
    Path path = fixture("training.pt");
    try (Lexicon lexicon = Models.open(path)) {
      assertThat(lexicon.origin().notes())
          .containsExactly(
              "training.pt also holds optimizer, which are no part of the model and left out");
      assertThat(lexicon.modelParameters()).hasValue(4 * 3 + 3 * 2 + 2);
    }
    assertThat(Models.tensors(path).tensors().stream().map(TensorInfo::name))
        .containsExactly("module.embedding.weight", "module.out.weight", "module.out.bias");
  }

  @ParameterizedTest
  @CsvSource({
    "evil.pt, posix.system",
    "evil-legacy.pt, posix.system",
    "module.pt, torch.nn.modules.sparse.Embedding"
  })
  void runsNothingAndNamesTheGlobal(String name, String global) throws IOException {
    Path path = fixture(name);
    assertThatThrownBy(() -> Models.open(path))
        .isInstanceOf(UnsupportedFormatException.class)
        .hasMessage(
            name
                + ": holds a pickle that names \""
                + global
                + "\", which is not among the few names that weights need; nothing was run, save"
                + " only the state dict or convert it to safetensors");
  }

  @Test
  void refusesTorchScript() throws IOException {
    Path path = fixture("torchscript.pt");
    assertThatThrownBy(() -> Models.open(path))
        .isInstanceOf(UnsupportedFormatException.class)
        .hasMessageStartingWith("torchscript.pt: is a TorchScript program, not a checkpoint;");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "tied.pt",
        "tied-legacy.pt",
        "protocol4.pt",
        "transposed.pt",
        "training.pt",
        "big-endian.pt",
        "deflated.pt",
        "view-legacy.pt"
      })
  void refusesEveryCut(String name) throws IOException {
    Fixture.refusesEveryCut(folder, Fixture.bytes("pytorch/" + name), ".pt");
  }

  @Test
  void refusesEveryCutOfATarArchive() throws IOException {
    byte[] whole = Fixture.bytes("pytorch/tar.pt");
    int end = whole.length;
    while (whole[end - 1] == 0) {
      end--; // padding of the last block, and the blocks of zeros
    }
    Fixture.refusesEveryCut(folder, Arrays.copyOf(whole, end), ".tar");
  }

  @Test
  void opensShardsByTheirIndex() throws IOException {
    Files.write(
        folder.resolve("pytorch_model-00001-of-00002.bin"), Fixture.bytes("pytorch/sliced.pt"));
    Files.write(
        folder.resolve("pytorch_model-00002-of-00002.bin"), Fixture.bytes("pytorch/state-dict.pt"));
    Files.writeString(
        folder.resolve("pytorch_model.bin.index.json"),
        """
        {"metadata": {"total_size": 1}, "weight_map": {
          "embed_tokens.weight": "pytorch_model-00001-of-00002.bin",
          "out.bias": "pytorch_model-00002-of-00002.bin",
          "gone": "pytorch_model-00002-of-00002.bin"}}
        """);
    try (Lexicon lexicon = Models.open(folder)) {
      assertThat(lexicon.input().tensor()).isEqualTo("embed_tokens.weight");
      assertThat(lexicon.origin().notes())
          .containsExactly(
              "pytorch_model.bin.index.json lists 1 tensor that no shard holds, such as \"gone\";"
                  + " left out");
    }
  }

  @Test
  void opensShardsWithoutAnIndex() throws IOException {
    Files.write(folder.resolve("m-00001-of-00002.bin"), Fixture.bytes("pytorch/sliced.pt"));
    Files.write(folder.resolve("m-00002-of-00002.bin"), Fixture.bytes("pytorch/state-dict.pt"));
    Files.write(folder.resolve("training_args.bin"), new byte[] {1});
    assertThat(Models.tensors(folder).tensors().stream().map(TensorInfo::name))
        .containsExactly("embed_tokens.weight", "embedding.weight", "out.weight", "out.bias");
  }

  @Test
  void refusesShardsThatHoldOneNameTwice() throws IOException {
    Files.write(folder.resolve("m-00001-of-00002.bin"), Fixture.bytes("pytorch/sliced.pt"));
    Files.write(folder.resolve("m-00002-of-00002.bin"), Fixture.bytes("pytorch/sliced.pt"));
    assertThatThrownBy(() -> Models.open(folder))
        .isInstanceOf(FormatException.class)
        .hasMessage(
            "m-00002-of-00002.bin: duplicate name: tensor \"embed_tokens.weight\" is also in"
                + " another shard");
  }

  @Test
  void refusesAShardOutsideTheFolder() throws IOException {
    Files.writeString(
        folder.resolve("pytorch_model.bin.index.json"),
        "{\"weight_map\": {\"embed_tokens.weight\": \"../secret.bin\"}}");
    assertThatThrownBy(() -> Models.open(folder))
        .isInstanceOf(FormatException.class)
        .hasMessageContaining("leaves the model's folder");
  }
}

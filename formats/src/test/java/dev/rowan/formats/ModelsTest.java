package dev.rowan.formats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rowan.core.Lexicon;
import dev.rowan.core.Spelling;
import dev.rowan.core.Tie;
import dev.rowan.core.Vocabulary;
import dev.rowan.formats.GptFolder.Entry;
import dev.rowan.formats.file.FormatException;
import dev.rowan.formats.file.UnsupportedFormatException;
import dev.rowan.formats.safetensors.RawSafetensors;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a folder or a file is opened as, and what is said where it cannot be. */
class ModelsTest {
  @TempDir Path folder;

  @Test
  void opensAFolderInTheShapeOfGpt2() throws IOException {
    GptFolder.write(folder);

    try (Lexicon gpt2 = Models.open(folder)) {
      assertThat(gpt2.input().tensor()).isEqualTo("wte.weight");
      assertThat(gpt2.input().table().rows()).isEqualTo(GptFolder.ROWS);
      assertThat(gpt2.input().table().width()).isEqualTo(GptFolder.WIDTH);
      for (int i = 0; i < GptFolder.ROWS; i++) {
        assertThat(gpt2.input().table().row(i)).isEqualTo(GptFolder.plantedRow(i));
      }
      assertThat(gpt2.output()).isEmpty();
      assertThat(gpt2.tie()).isEqualTo(Tie.TIED);
      assertThat(gpt2.tieEvidence())
          .isEqualTo(
              "the file holds no output table, so the input table serves at both ends;"
                  + " config.json does not say whether the tables are tied");
      assertThat(gpt2.origin().format()).isEqualTo("safetensors");
      assertThat(gpt2.origin().architecture()).contains("gpt2");
      assertThat(gpt2.origin().path()).isEqualTo(folder);
      assertThat(gpt2.modelParameters()).isEqualTo(OptionalLong.of(12 * 4 + 3 * 4));
      assertThat(gpt2.notes()).isEmpty();
    }
  }

  @Test
  void showsWordsWithAndWithoutTheirSpaceApart() throws IOException {
    GptFolder.write(folder); // huggingface/transformers issue 2666: "can" and " can"

    try (Lexicon gpt2 = Models.open(folder)) {
      Vocabulary vocabulary = gpt2.vocabulary().orElseThrow();
      assertThat(vocabulary.spelling()).isEqualTo(Spelling.BYTE_LEVEL);
      assertThat(vocabulary.id("Ġcat")).hasValue(GptFolder.SPACE_CAT);
      assertThat(vocabulary.id("cat")).hasValue(GptFolder.CAT);
      assertThat(vocabulary.text(GptFolder.SPACE_CAT)).isEqualTo(" cat");
      assertThat(vocabulary.text(GptFolder.CAT)).isEqualTo("cat");
      assertThat(vocabulary.text(6)).isEqualTo("\n");
      assertThat(vocabulary.text(7)).isEqualTo("í");
      assertThat(vocabulary.isAdded(9)).isTrue();
    }
  }

  @Test
  void opensWhenTokensAndRowsDifferInNumber() throws IOException {
    GptFolder model = GptFolder.write(folder); // llama.cpp issues 4958, 5910, 8445
    try (Lexicon fewerTokens = Models.open(folder)) {
      assertThat(fewerTokens.rowsWithoutToken()).isEqualTo(2);
      assertThat(fewerTokens.text(11)).isEqualTo("[no token 11]");
    }

    model.weights(List.of(new Entry("wte.weight", 6, 0)));
    try (Lexicon moreTokens = Models.open(folder)) {
      assertThat(moreTokens.rowsWithoutToken()).isZero();
      assertThat(moreTokens.vocabulary().orElseThrow().tokens()).isEqualTo(10);
    }
  }

  @Test
  void takesAnotherTokenizer() throws IOException {
    GptFolder.write(folder);
    Path other = folder.resolve("other.json");
    Files.writeString(other, "{\"model\":{\"type\":\"WordLevel\",\"vocab\":{\"x\":0}}}");

    try (Lexicon model = Models.open(folder, OpenOptions.DEFAULT.withTokenizer(other))) {
      assertThat(model.vocabulary().orElseThrow().stored(0)).isEqualTo("x");
    }
    Path missing = folder.resolve("missing.json");
    assertThatThrownBy(() -> Models.open(folder, OpenOptions.DEFAULT.withTokenizer(missing)))
        .isInstanceOf(NoSuchFileException.class)
        .hasMessageContaining("missing.json");
  }

  @Test
  void readsTheVocabularyOnlyWhenAskedFor() throws IOException {
    GptFolder.write(folder).tokenizer("{broken");

    try (Lexicon model = Models.open(folder)) {
      assertThat(model.input().table().row(2)).isEqualTo(GptFolder.plantedRow(2));
      assertThatThrownBy(model::vocabulary)
          .isInstanceOf(FormatException.class)
          .hasMessageStartingWith("tokenizer.json: is not valid JSON");
    }
  }

  @Test
  void picksUpCompanionsBesideAFile() throws IOException {
    GptFolder.write(folder);

    try (Lexicon model = Models.open(folder.resolve("model.safetensors"))) {
      assertThat(model.vocabulary()).isPresent();
      assertThat(model.origin().architecture()).contains("gpt2");
    }
  }

  @Test
  void saysWhatItLookedForInAFolderWithoutAModel() throws IOException {
    Files.writeString(folder.resolve("README.md"), "hello");

    assertThatThrownBy(() -> Models.open(folder))
        .isInstanceOf(FormatException.class)
        .hasMessageContaining(
            "holds no model; looked for model.safetensors, model.safetensors.index.json,"
                + " model.onnx");
  }

  @Test
  void namesTheKindOfWeightsThatItCannotRead() throws IOException {
    Files.write(folder.resolve("model.msgpack"), new byte[] {1, 2, 3});

    assertThatThrownBy(() -> Models.open(folder))
        .isInstanceOf(UnsupportedFormatException.class)
        .hasMessageContaining("holds weights only as model.msgpack");
  }

  @Test
  void saysWhatToDoWithColumns() throws IOException {
    Path parquet = Files.writeString(folder.resolve("a.parquet"), "PAR1....PAR1");
    assertThatThrownBy(() -> Models.open(parquet))
        .isInstanceOf(UnsupportedFormatException.class)
        .hasMessageContaining("a.parquet: is a Parquet file")
        .hasMessageEndingWith("save the table in Python with numpy.save and open the .npy");
    Path arrow = Files.writeString(folder.resolve("a.arrow"), "ARROW1\0\0....");
    assertThatThrownBy(() -> Models.open(arrow))
        .isInstanceOf(UnsupportedFormatException.class)
        .hasMessageContaining("a.arrow: is an Arrow file");
  }

  @Test
  void saysThatAPointerIsNotTheWeights() throws IOException {
    Files.writeString(
        folder.resolve("model.safetensors"),
        "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 548105171\n");

    assertThatThrownBy(() -> Models.open(folder))
        .isInstanceOf(FormatException.class)
        .hasMessageStartingWith("model.safetensors: starts with \"version https://git-lfs\"")
        .hasMessageContaining("git lfs pull");
  }

  @Test
  void saysThatThereIsNoSuchFile() {
    assertThatThrownBy(() -> Models.open(folder.resolve("nowhere")))
        .isInstanceOf(NoSuchFileException.class)
        .hasMessageContaining("there is no such file or folder");
  }

  @Test
  void closesOnceHoweverOftenItIsAsked() throws IOException {
    GptFolder.write(folder);
    Lexicon model = Models.open(folder);

    model.close();
    model.close();

    assertThatThrownBy(() -> model.input().table().row(0))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void listsAllTensors() throws IOException {
    GptFolder.write(folder);

    Inventory inventory = Models.tensors(folder);

    assertThat(inventory.format()).isEqualTo("safetensors");
    assertThat(inventory.tensors())
        .extracting(tensor -> tensor.name() + " " + tensor.shapeText() + tensor.dtype().label())
        .containsExactly("wte.weight 12 × 4F32", "wpe.weight 3 × 4F32");
    assertThat(inventory.storedParameters()).hasValue(60);
  }

  @Test
  void leavesBuffersOutOfTheParameters() throws IOException {
    // GPT-2's official file: causal masks are f32 but not learnt; positions are whole numbers
    RawSafetensors.write(
        folder.resolve("model.safetensors"),
        "{"
            + String.join(
                ",",
                RawSafetensors.entry("wte.weight", "F32", "[1,2]", 0, 8),
                RawSafetensors.entry("h.0.attn.bias", "F32", "[1,1,2,2]", 8, 24),
                RawSafetensors.entry("h.0.attn.c_attn.bias", "F32", "[1]", 24, 28),
                RawSafetensors.entry("position_ids", "I64", "[1,2]", 28, 44))
            + "}",
        new byte[44]);

    assertThat(Models.tensors(folder).storedParameters()).hasValue(3);
  }

  @Test
  void doesNotCountParametersOfPackedWeights() throws IOException {
    RawSafetensors.write(
        folder.resolve("model.safetensors"),
        "{"
            + RawSafetensors.entry("wte.weight", "F32", "[1,2]", 0, 8)
            + ","
            + RawSafetensors.entry("h.0.qweight", "I32", "[1,2]", 8, 16)
            + "}",
        new byte[16]);

    assertThat(Models.tensors(folder).storedParameters()).isEmpty();
  }

  @Test
  void opensTheOnlyCheckpointOfLightningInAFolder() throws IOException {
    Files.write(folder.resolve("last.ckpt"), Fixture.bytes("pytorch/state-dict.pt"));
    Files.write(folder.resolve("graph.ckpt"), new byte[] {1, 2, 3}); // of another program
    try (Lexicon lexicon = Models.open(folder)) {
      assertThat(lexicon.origin().format()).isEqualTo("pytorch");
    }
    Files.write(folder.resolve("first.ckpt"), Fixture.bytes("pytorch/state-dict.pt"));
    assertThatThrownBy(() -> Models.open(folder))
        .isInstanceOf(FormatException.class)
        .hasMessageContaining(
            "holds several models (first.ckpt, last.ckpt); name the file to open");
  }

  @Test
  void listsTensorflowAmongWhatItLookedFor() throws IOException {
    Files.writeString(folder.resolve("README.md"), "hello");
    assertThatThrownBy(() -> Models.open(folder))
        .hasMessageContaining(
            "a TensorFlow checkpoint (.index) or saved model (saved_model.pb with variables)");
  }

  @Test
  void saysThatAFileIsAPartOfEveryTable() throws IOException {
    Path first =
        Files.write(folder.resolve("consolidated.00.pth"), Fixture.bytes("pytorch/state-dict.pt"));
    try (Lexicon lexicon = Models.open(first)) {
      assertThat(lexicon.notes()).noneMatch(note -> note.contains("one of several parts"));
    }
    Files.write(folder.resolve("consolidated.01.pth"), Fixture.bytes("pytorch/state-dict.pt"));
    try (Lexicon lexicon = Models.open(first)) {
      assertThat(lexicon.notes())
          .anyMatch(note -> note.startsWith("consolidated.00.pth is one of several parts"));
    }
    assertThatThrownBy(() -> Models.open(folder))
        .isInstanceOf(UnsupportedFormatException.class)
        .hasMessageContaining(
            "holds the parts of one model (consolidated.00.pth, consolidated.01.pth)");
  }
}

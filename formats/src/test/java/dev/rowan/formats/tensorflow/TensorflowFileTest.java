package dev.rowan.formats.tensorflow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rowan.core.Lexicon;
import dev.rowan.core.Spelling;
import dev.rowan.core.Tie;
import dev.rowan.formats.Fixture;
import dev.rowan.formats.Inventory;
import dev.rowan.formats.Models;
import dev.rowan.formats.OpenOptions;
import dev.rowan.formats.file.FormatException;
import dev.rowan.formats.tensor.TensorInfo;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Fixtures were written by TensorFlow 2.21.0 (make_tensorflow_fixtures.py); number i of each table
 * is i + 0.5. Wrong files, and compressed ones, are made here.
 */
class TensorflowFileTest {
  /** BundleHeaderProto of one shard, little-endian. */
  private static final byte[] HEADER = {8, 1};

  /** BundleEntryProto of a 2 × 1 table of floats at byte 0. */
  private static final byte[] ENTRY = {8, 1, 18, 8, 18, 2, 8, 2, 18, 2, 8, 1, 40, 8};

  @TempDir Path folder;

  private void fixture(String... names) throws IOException {
    for (String name : names) {
      Fixture.write(folder, "tensorflow/" + name);
    }
  }

  private void gpt2() throws IOException {
    fixture("model.ckpt.index", "model.ckpt.data-00000-of-00001");
  }

  private Path index(byte[] bytes) throws IOException {
    Files.write(folder.resolve("hand.data-00000-of-00001"), new byte[] {0, 0, 0, 64, 0, 0, 64, 64});
    return Files.write(folder.resolve("hand.index"), bytes);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "model.ckpt",
        "model.ckpt.index",
        "model.ckpt.data-00000-of-00001",
        "checkpoint"
      })
  void opensByFolderPrefixIndexNumbersOrState(String name) throws IOException {
    gpt2();
    Files.writeString(
        folder.resolve("checkpoint"), "model_checkpoint_path: \"/there/model.ckpt\"\n");
    try (Lexicon lexicon = Models.open(folder.resolve(name))) {
      assertThat(lexicon.input().tensor()).isEqualTo("model/wte");
      assertThat(lexicon.input().table().rows()).isEqualTo(5);
      assertThat(lexicon.input().table().row(4)).containsExactly(16.5f, 17.5f, 18.5f, 19.5f);
      assertThat(lexicon.tie()).isEqualTo(Tie.TIED);
      assertThat(lexicon.origin().format()).isEqualTo("tensorflow");
    }
  }

  @Test
  void readsTokensAndSettingsOfTheOriginalRelease() throws IOException {
    gpt2();
    Files.writeString(folder.resolve("hparams.json"), "{\"n_vocab\": 5, \"n_embd\": 4}");
    Files.writeString(
        folder.resolve("encoder.json"),
        "{\"a\": 0, \"t\": 1, \"at\": 2, \"\\u0120\": 3, \"<|endoftext|>\": 4}");
    Files.writeString(folder.resolve("vocab.bpe"), "#version: 0.2\na t\n");
    try (Lexicon lexicon = Models.open(folder)) {
      assertThat(lexicon.tieEvidence())
          .endsWith("the settings beside it do not say whether the tables are tied");
      assertThat(lexicon.vocabulary().orElseThrow().size()).isEqualTo(5);
      assertThat(lexicon.vocabulary().orElseThrow().spelling()).isEqualTo(Spelling.BYTE_LEVEL);
      assertThat(lexicon.origin().architecture()).contains("gpt2");
    }
    assertThat(Models.tokenizer(folder, OpenOptions.DEFAULT)).isPresent();
  }

  @Test
  void listsEveryTensor() throws IOException {
    gpt2();
    Inventory inventory = Models.tensors(folder);
    assertThat(inventory.tensors())
        .extracting(TensorInfo::name)
        .containsExactly(
            "global_step", "model/h0/attn/c_attn/w", "model/ln_f/b", "model/wpe", "model/wte");
    assertThat(inventory.tensors()).extracting(TensorInfo::shape).contains(List.of(1L, 4L, 12L));
  }

  @ParameterizedTest
  @CsvSource({"half", "bfloat", "double"})
  void readsEveryFloatDtype(String tensor) throws IOException {
    fixture("dtypes.index", "dtypes.data-00000-of-00001");
    try (Lexicon lexicon =
        Models.open(folder.resolve("dtypes"), OpenOptions.DEFAULT.withTensor(tensor))) {
      assertThat(lexicon.input().table().row(0)).containsExactly(0.5f, 1.5f, 2.5f);
      assertThat(lexicon.input().table().row(3)).containsExactly(9.5f, 10.5f, 11.5f);
    }
  }

  @Test
  void namesTheFilesOfNumbersWithoutThem() throws IOException {
    fixture("parts.index");
    try (TensorflowFile file = TensorflowFile.open(folder.resolve("parts.index"))) {
      assertThat(file.numberFiles())
          .containsExactly("parts.data-00000-of-00002", "parts.data-00001-of-00002");
    }
  }

  @Test
  void joinsThePartsOfAPartitionedVariableFromSeveralFiles() throws IOException {
    fixture("parts.index", "parts.data-00000-of-00002", "parts.data-00001-of-00002");
    try (Lexicon lexicon = Models.open(folder)) {
      assertThat(lexicon.input().tensor()).isEqualTo("bert/embeddings/word_embeddings");
      for (int row : new int[] {0, 1, 99, 100, 159}) {
        assertThat(lexicon.input().table().row(row))
            .containsExactly(2 * row + 0.5f, 2 * row + 1.5f);
      }
    }
  }

  @Test
  void saysWhichFileOfNumbersIsMissing() throws IOException {
    fixture("parts.index", "parts.data-00000-of-00002");
    assertThatThrownBy(() -> Models.open(folder))
        .isInstanceOf(FormatException.class)
        .hasMessageStartingWith("parts.index: its part \"parts.data-00001-of-00002\" is missing");
  }

  @Test
  void saysThatNumbersAreCutOff() throws IOException {
    gpt2();
    Path numbers = folder.resolve("model.ckpt.data-00000-of-00001");
    Files.write(numbers, Arrays.copyOf(Files.readAllBytes(numbers), 60));
    assertThatThrownBy(() -> Models.open(folder))
        .isInstanceOf(FormatException.class)
        .hasMessageContaining("\"model/wte\" lies at bytes")
        .hasMessageContaining("but the file has 60; it looks cut off");
  }

  @Test
  void refusesEveryCutOfTheIndex() throws IOException {
    byte[] whole = Fixture.bytes("tensorflow/model.ckpt.index");
    for (int length = 0; length < whole.length; length++) {
      Path cut = index(Arrays.copyOf(whole, length));
      assertThatThrownBy(() -> TensorflowFile.open(cut))
          .as("cut to %d bytes", length)
          .isInstanceOf(FormatException.class)
          .hasMessageStartingWith("hand.index: does not end as the index");
    }
  }

  @Test
  void noticesEveryDamagedByteOfABlock() throws IOException {
    byte[] whole = Fixture.bytes("tensorflow/model.ckpt.index");
    for (int at = 0; at < whole.length - 48; at++) {
      byte[] damaged = whole.clone();
      damaged[at] ^= 0x10;
      assertThatThrownBy(() -> TensorflowFile.open(index(damaged)))
          .as("byte %d", at)
          .isInstanceOf(FormatException.class);
    }
  }

  /** Compressed by hand after google/snappy's format_description.txt. */
  private static byte[] snappy() {
    byte[] block = new TableBytes().entry("", HEADER).entry("wte", ENTRY).block();
    byte[] packed = new byte[block.length + 6];
    packed[0] = (byte) block.length;
    packed[1] = (byte) (60 << 2); // a literal, its length − 1 in the next byte
    packed[2] = (byte) (block.length - 8 - 1);
    System.arraycopy(block, 0, packed, 3, block.length - 8);
    // the end is 00 00 00 00 01 00 00 00: one zero, three copies of it, a literal, two more
    int at = 3 + block.length - 8;
    byte[] end = {0, 0, (2 << 2) | 2, 1, 0, 4, 1, 0, (1 << 2) | 2, 1, 0};
    byte[] whole = Arrays.copyOf(packed, at + end.length);
    System.arraycopy(end, 0, whole, at, end.length);
    return whole;
  }

  @Test
  void undoesSnappy() throws IOException {
    try (Lexicon lexicon = Models.open(index(TableBytes.table(snappy(), 1)))) {
      assertThat(lexicon.input().tensor()).isEqualTo("wte");
      assertThat(lexicon.input().table().row(0)).containsExactly(2f);
      assertThat(lexicon.input().table().row(1)).containsExactly(3f);
    }
  }

  @Test
  void refusesDamagedSnappy() {
    byte[] good = snappy();
    for (int at = 0; at < 3; at++) {
      byte[] bad = good.clone();
      bad[at] ^= 0x41;
      assertThatThrownBy(() -> TensorflowFile.open(index(TableBytes.table(bad, 1))))
          .isInstanceOf(FormatException.class);
    }
    byte[] bomb = {(byte) 0xFF, (byte) 0xFF, (byte) 0xFF, (byte) 0xFF, 7, 0, 0};
    assertThatThrownBy(() -> TensorflowFile.open(index(TableBytes.table(bomb, 1))))
        .isInstanceOf(FormatException.class)
        .hasMessageContaining("7 bytes cannot make 2,147,483,647");
  }

  @Test
  void refusesOtherCompression() {
    byte[] block = new TableBytes().entry("", HEADER).block();
    assertThatThrownBy(() -> TensorflowFile.open(index(TableBytes.table(block, 4))))
        .isInstanceOf(FormatException.class)
        .hasMessageContaining("a block has compression 4");
  }

  @Test
  void refusesKeysThatDoNotRise() {
    byte[] block =
        new TableBytes().entry("", HEADER).entry("wte", ENTRY).entry("wte", ENTRY).block();
    assertThatThrownBy(() -> TensorflowFile.open(index(TableBytes.table(block, 0))))
        .isInstanceOf(FormatException.class)
        .hasMessageContaining("the keys of a block do not rise");
  }

  @Test
  void refusesImpossibleShapes() {
    byte[] huge = {8, 1, 18, 13, 18, 11, 8, -1, -1, -1, -1, -1, -1, -1, -1, 127, 40, 8};
    huge[3] = 12;
    huge[5] = 10;
    byte[] block = new TableBytes().entry("", HEADER).entry("wte", huge).block();
    assertThatThrownBy(() -> TensorflowFile.open(index(TableBytes.table(block, 0))))
        .isInstanceOf(FormatException.class)
        .hasMessageContaining("\"wte\" has the impossible shape [9223372036854775807]");
  }

  @Test
  void refusesBytesThatDoNotFitTheShape() {
    byte[] entry = ENTRY.clone();
    entry[13] = 9;
    byte[] block = new TableBytes().entry("", HEADER).entry("wte", entry).block();
    assertThatThrownBy(() -> TensorflowFile.open(index(TableBytes.table(block, 0))))
        .isInstanceOf(FormatException.class)
        .hasMessageContaining("\"wte\" of shape [2, 1] takes 8 bytes, but the index gives it 9");
  }

  @Test
  void namesTheCheckpointsOfAFolderWithSeveral() throws IOException {
    gpt2();
    fixture("dtypes.index", "dtypes.data-00000-of-00001");
    assertThatThrownBy(() -> Models.open(folder))
        .isInstanceOf(FormatException.class)
        .hasMessageContaining("several TensorFlow checkpoints (dtypes.index, model.ckpt.index)");
  }

  @Test
  void neverLeavesTheFolder() throws IOException {
    gpt2();
    Files.writeString(folder.resolve("checkpoint"), "model_checkpoint_path: \"../..\"\n");
    assertThatThrownBy(() -> Models.open(folder)).isInstanceOf(FormatException.class);
  }

  @Test
  void keysOfPartsAreThoseOfTensorflow() {
    // the first key of a part in the fixture, as TensorFlow wrote it
    byte[] key =
        SliceKey.of(
            "bert/embeddings/word_embeddings",
            List.of(new SliceKey.Extent(0, 100), new SliceKey.Extent(0, -1)));
    String name = "bert/embeddings/word_embeddings";
    byte[] head = ("\0" + name + "\0\1\1\2").getBytes(StandardCharsets.ISO_8859_1);
    byte[] tail = {(byte) 0x80, (byte) 0xC0, 100, (byte) 0x80, 0x7F};
    assertThat(Arrays.copyOf(key, head.length)).isEqualTo(head);
    assertThat(Arrays.copyOfRange(key, head.length, key.length)).isEqualTo(tail);
  }
}

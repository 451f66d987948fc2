package dev.rowan.hub;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rowan.core.Lexicon;
import dev.rowan.core.Tie;
import dev.rowan.formats.Models;
import dev.rowan.formats.file.FormatException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** GGUF files, whose headers are long and hold the tokens. */
class GgufTest extends HubFixture {
  private static final String SPEC = "hf:owner/name";
  private static final int TOKENS = 3_000; // of 68 bytes: more than the first 128 KiB

  // 3,001 numbers a row: not a multiple of the alignment, so that padding counts
  private static final Sample.Tensor ODD = Sample.Tensor.of("output.weight", 7, 3_001, 5);
  private static final Sample.Tensor INPUT = TABLE.named("token_embd.weight");
  private static final Sample.Tensor BLOCK = LAYER.named("blk.0.ffn_up.weight");

  @Test
  void opensTheTableWithTheTokensOfTheHeader() throws IOException {
    server.withLarge("model-f32.gguf", Sample.gguf(TOKENS, BLOCK, INPUT));
    try (Lexicon model = open(SPEC)) {
      assertThat(model.input().tensor()).isEqualTo("token_embd.weight");
      assertThat(model.input().table().row(0)).containsExactly(TABLE.row(0));
      assertThat(model.input().table().row(2_999)).containsExactly(TABLE.row(2_999));
      assertThat(model.text(2_999)).isEqualTo(Sample.ggufToken(2_999));
      assertThat(model.modelParameters()).hasValue(3_000 * 16 + 750 * 1_000);
      assertThat(model.tie()).isEqualTo(Tie.TIED);
    }
    assertThat(server.bytesAskedOf("model-f32.gguf"))
        .isEqualTo(4 * Heads.FIRST + TABLE.bytes())
        .isLessThan(server.file("model-f32.gguf").length / 4);
  }

  @Test
  void keepsBothTablesApart() throws IOException {
    server.withLarge("model.gguf", Sample.gguf(TOKENS, ODD, BLOCK, INPUT));
    try (Lexicon model = open(settings, SPEC, Tables.INPUT_AND_OUTPUT)) {
      assertThat(model.input().table().row(1_234)).containsExactly(TABLE.row(1_234));
      assertThat(model.output().orElseThrow().table().row(6)).containsExactly(ODD.row(6));
      assertThat(model.tie()).isEqualTo(Tie.UNTIED);
    }
  }

  @Test
  void excerptOpenedByItsPathNeverCallsAnUntiedModelTied() throws IOException {
    server.withLarge("model.gguf", Sample.gguf(TOKENS, ODD, BLOCK, INPUT));
    try (Lexicon model = open(SPEC);
        Lexicon excerpt = Models.open(model.origin().path())) {
      assertThat(model.tie()).isEqualTo(Tie.UNTIED);
      assertThat(excerpt.tie()).isEqualTo(Tie.NO_OUTPUT);
      assertThat(excerpt.text(1)).isEqualTo(Sample.ggufToken(1));
      assertThat(excerpt.input().table().row(9)).containsExactly(TABLE.row(9));
    }
  }

  @Test
  void inspectsWithoutTheTable() throws IOException {
    server.withLarge("model.gguf", Sample.gguf(TOKENS, BLOCK, INPUT));
    Inspection seen = inspect(SPEC);
    assertThat(seen.format()).isEqualTo("gguf");
    assertThat(seen.vocabulary().orElseThrow().tokens()).isEqualTo(TOKENS);
    assertThat(server.bytesAskedOf("model.gguf")).isEqualTo(4 * Heads.FIRST);
  }

  @Test
  void opensFromTheCacheOffline() throws IOException {
    server.withLarge("model.gguf", Sample.gguf(TOKENS, BLOCK, INPUT));
    open(SPEC).close();
    try (Lexicon model = open(offline(), SPEC, Tables.INPUT)) {
      assertThat(model.text(1)).isEqualTo(Sample.ggufToken(1));
    }
  }

  @Test
  void refusesAHeaderThatTheFileCutsOff() {
    byte[] file = Sample.gguf(TOKENS, INPUT);
    server.withLarge("model.gguf", Arrays.copyOf(file, 100_000));
    assertThatThrownBy(() -> open(SPEC)).isInstanceOf(FormatException.class);
  }

  @Test
  void findsTheEndOfAHeaderOnlyWhenItIsThere() {
    byte[] file = Sample.gguf(3, Sample.Tensor.of("token_embd.weight", 3, 8, 1));
    int end = file.length - 96; // 3 × 8 numbers of 4 bytes, header padded to a multiple of 32
    long length = GgufWalk.length(Path.of("x"), file);
    assertThat(length).isBetween(end - 31L, (long) end);
    for (int cut = 0; cut < length; cut++) {
      assertThat(GgufWalk.length(Path.of("x"), Arrays.copyOf(file, cut))).isEqualTo(-1);
    }
  }

  private void serveParts() {
    server
        .withLarge("m-00001-of-00003.gguf", Sample.ggufPart(1, 3, TOKENS, BLOCK, INPUT))
        .withLarge("m-00002-of-00003.gguf", Sample.ggufPart(2, 3, TOKENS, LAYER.named("blk.1.x")))
        .withLarge("m-00003-of-00003.gguf", Sample.ggufPart(3, 3, TOKENS, ODD));
  }

  @Test
  void opensTheTableOfASplitFile() throws IOException {
    serveParts();
    try (Lexicon model = open(SPEC)) {
      assertThat(model.input().table().row(2_999)).containsExactly(TABLE.row(2_999));
      assertThat(model.text(2_999)).isEqualTo(Sample.ggufToken(2_999));
      assertThat(model.tie()).isEqualTo(Tie.UNTIED);
      assertThat(model.modelParameters()).hasValue(3_000 * 16 + 2 * 750 * 1_000 + 7 * 3_001);
    }
    assertThat(server.bytesAskedOf("m-00002-of-00003.gguf")).isEqualTo(Heads.FIRST);
  }

  @Test
  void opensBothTablesOfDifferentParts() throws IOException {
    serveParts();
    try (Lexicon model = open(settings, SPEC, Tables.INPUT_AND_OUTPUT);
        Lexicon excerpt = Models.open(model.origin().path())) {
      assertThat(model.input().table().row(1_234)).containsExactly(TABLE.row(1_234));
      assertThat(model.output().orElseThrow().table().row(6)).containsExactly(ODD.row(6));
      assertThat(excerpt.output().orElseThrow().table().row(5)).containsExactly(ODD.row(5));
      assertThat(excerpt.text(7)).isEqualTo(Sample.ggufToken(7));
    }
  }

  @Test
  void anyPartNamesAllOfThem() throws IOException {
    serveParts();
    try (Lexicon model = open(SPEC + ":m-00002-of-00003.gguf")) {
      assertThat(model.input().table().row(3)).containsExactly(TABLE.row(3));
    }
    try (Lexicon model = open(server.storeAddress() + "/m-00003-of-00003.gguf")) {
      assertThat(model.input().table().row(4)).containsExactly(TABLE.row(4));
    }
  }

  @Test
  void saysWhichPartsAreMissing() {
    server
        .withLarge("m-00001-of-00003.gguf", Sample.ggufPart(1, 3, TOKENS, BLOCK, INPUT))
        .withLarge("m-00003-of-00003.gguf", Sample.ggufPart(3, 3, TOKENS, ODD));
    assertThatThrownBy(() -> open(SPEC))
        .isInstanceOf(FormatException.class)
        .hasMessageContaining("is one of 3 parts (split.count), but 2 are there");
  }
}

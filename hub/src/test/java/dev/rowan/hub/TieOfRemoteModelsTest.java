package dev.rowan.hub;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowan.core.Lexicon;
import dev.rowan.core.Tie;
import dev.rowan.formats.Models;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.junit.jupiter.api.Test;

/** Tied or not, told without fetching the output table where that is possible. */
class TieOfRemoteModelsTest extends HubFixture {
  @Test
  void tellsUntiedTablesApartByAFewParts() throws IOException {
    Sample.Tensor output = Sample.Tensor.of("lm_head.weight", 3_000, 16, 9);
    server.withLarge("model.safetensors", Sample.safetensors(LAYER, TABLE, output));
    try (Lexicon model = open(SPEC)) {
      assertThat(model.tie()).isEqualTo(Tie.UNTIED);
      assertThat(model.output()).isEmpty();
    }
    assertThat(server.bytesAskedOf("model.safetensors"))
        .isEqualTo(Heads.FIRST + TABLE.bytes() + 2 * 3 * 32_768);
    try (Lexicon model = open(settings, SPEC, Tables.INPUT_AND_OUTPUT)) {
      assertThat(model.output().orElseThrow().table().row(8)).containsExactly(output.row(8));
      assertThat(model.tie()).isEqualTo(Tie.UNTIED);
    }
  }

  @Test
  void excerptOpenedByItsPathNeverCallsAnUntiedModelTied() throws IOException {
    Sample.Tensor output = Sample.Tensor.of("lm_head.weight", 3_000, 16, 9);
    server
        .withLarge("model.safetensors", Sample.safetensors(LAYER, TABLE, output))
        .with("config.json", Sample.config(3_000)); // silent, which would count as tied
    try (Lexicon model = open(SPEC);
        Lexicon excerpt = Models.open(model.origin().path())) {
      assertThat(excerpt.output()).isEmpty();
      assertThat(excerpt.tie()).isEqualTo(Tie.NO_OUTPUT);
      assertThat(excerpt.tieEvidence()).contains("its source had an output table of its own");
    }
  }

  @Test
  void shardThatHoldsTheTableAloneNeverCallsAnUntiedModelTied() throws IOException {
    Sample.Tensor output = Sample.Tensor.of("lm_head.weight", 3_000, 16, 9);
    server
        .withLarge("model-00001-of-00002.safetensors", Sample.safetensors(TABLE))
        .withLarge("model-00002-of-00002.safetensors", Sample.safetensors(LAYER, output))
        .with("config.json", Sample.config(3_000));
    try (Lexicon model = open(SPEC);
        Lexicon excerpt = Models.open(model.origin().path())) {
      assertThat(model.tie()).isEqualTo(Tie.UNTIED);
      assertThat(excerpt.tie().isTied()).isFalse();
    }
  }

  @Test
  void excerptOfATiedModelStaysTied() throws IOException {
    serveModel();
    try (Lexicon model = open(SPEC);
        Lexicon excerpt = Models.open(model.origin().path())) {
      assertThat(model.tie()).isEqualTo(Tie.TIED);
      assertThat(excerpt.tie()).isEqualTo(Tie.TIED);
    }
  }

  @Test
  void comparesTablesWhosePartsAreEqualInFull() throws IOException {
    float[] almost = TABLE.numbers().clone();
    almost[10_000] += 1; // byte 40,000: in none of the parts that are compared first
    Sample.Tensor output = new Sample.Tensor("lm_head.weight", 3_000, 16, almost);
    server.withLarge("model.safetensors", Sample.safetensors(LAYER, TABLE, output));
    assertThat(inspect(SPEC).tie().tie()).isEqualTo(Tie.UNKNOWN);
    try (Lexicon model = open(SPEC)) {
      assertThat(model.tie()).isEqualTo(Tie.UNTIED);
      assertThat(model.tieEvidence()).contains("differ from byte 40000");
    }
    assertThat(inspect(SPEC).tie().tie()).as("once both are here").isEqualTo(Tie.UNTIED);
  }

  /** A table of 3,000 × 16 numbers as bf16, the upper half of f32, and one as f32. */
  private static byte[] inTwoFormats(float[] numbers) {
    String header =
        """
        {"wte.weight":{"dtype":"BF16","shape":[3000,16],"data_offsets":[0,96000]},\
        "lm_head.weight":{"dtype":"F32","shape":[3000,16],"data_offsets":[96000,288000]}}\
        """
            .strip();
    ByteBuffer file =
        ByteBuffer.allocate(8 + header.length() + 288_000).order(ByteOrder.LITTLE_ENDIAN);
    file.putLong(header.length()).put(Sample.text(header));
    for (float number : TABLE.numbers()) {
      file.putShort((short) (Float.floatToRawIntBits(number) >>> 16));
    }
    for (float number : numbers) {
      file.putFloat(number);
    }
    return file.array();
  }

  private static float[] upperHalves() {
    float[] numbers = TABLE.numbers();
    for (int i = 0; i < numbers.length; i++) {
      numbers[i] = Float.intBitsToFloat(Float.floatToRawIntBits(numbers[i]) & 0xFFFF_0000);
    }
    return numbers;
  }

  @Test
  void comparesTablesInTwoNumberFormatsByTheirNumbers() throws IOException {
    server.withLarge("model.safetensors", inTwoFormats(upperHalves()));
    assertThat(inspect(SPEC).tie().tie()).isEqualTo(Tie.UNKNOWN);
    try (Lexicon model = open(SPEC)) {
      assertThat(model.tie()).isEqualTo(Tie.TIED_STORED_TWICE);
      assertThat(model.modelParameters()).hasValue(48_000);
    }
  }

  @Test
  void tellsTablesInTwoNumberFormatsApartByAFewRows() throws IOException {
    float[] other = upperHalves();
    other[47_999] += 1;
    server.withLarge("model.safetensors", inTwoFormats(other));
    assertThat(inspect(SPEC).tie().evidence())
        .isEqualTo(
            "the model holds \"wte.weight\" and \"lm_head.weight\", one as bf16 and one as f32, whose numbers differ at row 2,999");
  }

  @Test
  void countsATableThatIsStoredTwiceOnce() throws IOException {
    server.withLarge(
        "model.safetensors", Sample.safetensors(LAYER, TABLE, TABLE.named("lm_head.weight")));
    try (Lexicon model = open(SPEC)) {
      assertThat(model.tie()).isEqualTo(Tie.TIED_STORED_TWICE);
      assertThat(model.modelParameters()).hasValue(3_000 * 16 + 750 * 1_000);
    }
    server.requests.clear();
    Inspection told = inspect(SPEC);
    assertThat(told.tie().tie()).as("once both are here").isEqualTo(Tie.TIED_STORED_TWICE);
    assertThat(told.modelParameters()).hasValue(3_000 * 16 + 750 * 1_000);
    assertThat(server.bytesAskedOf("model.safetensors")).isZero();
  }
}

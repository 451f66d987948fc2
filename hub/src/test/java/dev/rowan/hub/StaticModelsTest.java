package dev.rowan.hub;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowan.core.Lexicon;
import dev.rowan.core.Tie;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Static embedding models, whose rows may be looked up by other tensors beside the table. */
class StaticModelsTest extends HubFixture {
  private static final Sample.Tensor ROWS = Sample.Tensor.of("embeddings", 100, 4, 3);
  private static final int TOKENS = 30_000; // most of the file says which row a token has

  /** Token t has row 7t mod 100, times 0.5 or 2. */
  private static byte[] mapped() {
    int table = ROWS.bytes();
    int mapping = table + 8 * TOKENS;
    int weights = mapping + 8 * TOKENS;
    byte[] header =
        Sample.text(
            """
            {"embeddings":{"dtype":"F32","shape":[100,4],"data_offsets":[0,%d]},\
            "mapping":{"dtype":"I64","shape":[%d],"data_offsets":[%d,%d]},\
            "weights":{"dtype":"F64","shape":[%d],"data_offsets":[%d,%d]}}\
            """
                .formatted(table, TOKENS, table, mapping, TOKENS, mapping, weights));
    ByteBuffer file =
        ByteBuffer.allocate(8 + header.length + weights).order(ByteOrder.LITTLE_ENDIAN);
    file.putLong(header.length).put(header);
    for (float number : ROWS.numbers()) {
      file.putFloat(number);
    }
    for (int token = 0; token < TOKENS; token++) {
      file.putLong(7L * token % 100);
    }
    for (int token = 0; token < TOKENS; token++) {
      file.putDouble(weight(token));
    }
    return file.array();
  }

  private static double weight(int token) {
    return token % 2 == 0 ? 0.5 : 2;
  }

  @Test
  void rowsAreThoseThatTheMappingPointsTo() throws IOException {
    server
        .withLarge("model.safetensors", mapped())
        .with("config.json", Sample.text("{\"model_type\":\"model2vec\"}"))
        .with("tokenizer.json", Sample.tokenizer(TOKENS));
    Inspection told = inspect(SPEC);
    assertThat(told.format()).isEqualTo("model2vec");
    assertThat(told.input().shape()).isEqualTo(List.of((long) TOKENS, 4L));
    assertThat(told.tie().tie()).isEqualTo(Tie.NO_OUTPUT);
    assertThat(told.rowsWithoutToken()).isZero();
    try (Lexicon model = open(SPEC)) {
      assertThat(model.origin().format()).isEqualTo("model2vec");
      assertThat(model.tie()).isEqualTo(Tie.NO_OUTPUT);
      assertThat(model.input().table().rows()).isEqualTo(TOKENS);
      for (int token : new int[] {0, 1, 14, 29_999}) {
        float[] row = ROWS.row(7 * token % 100);
        for (int i = 0; i < row.length; i++) {
          row[i] = (float) (row[i] * weight(token));
        }
        assertThat(model.input().table().row(token)).containsExactly(row);
      }
    }
  }

  @Test
  void whatLiesBesideATableSaysThatItIsOne() throws IOException {
    server
        .withLarge("model.safetensors", Sample.safetensors(TABLE.named("embedding.weight")))
        .with("config.json", Sample.config(3_000)) // silent on the tie, which would count as tied
        .with("modules.json", Sample.text("[]"))
        .with("tokenizer.json", Sample.tokenizer(3_000));
    assertThat(inspect(SPEC).tie().tie()).isEqualTo(Tie.NO_OUTPUT);
    assertOpens();
    try (Lexicon model = open(SPEC)) {
      assertThat(model.origin().format()).isEqualTo("static-embedding");
      assertThat(model.tie()).isEqualTo(Tie.NO_OUTPUT);
    }
  }
}

package dev.rowan.analysis.output;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import dev.rowan.core.Query;
import dev.rowan.formats.Inventory;
import dev.rowan.formats.Models;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FinalNormTest {
  @TempDir Path folder;

  /** A model with a table of two rows and a norm of width 2, weights (2, 3), bias (0.5, −1). */
  private Inventory model(String norm, String bias, String config) throws IOException {
    String json =
        ("{\"wte.weight\":{\"dtype\":\"F32\",\"shape\":[2,2],\"data_offsets\":[0,16]},"
                + "\"%s\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[16,24]},"
                + "\"%s\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[24,32]}}")
            .formatted(norm, bias);
    byte[] header = json.getBytes(StandardCharsets.UTF_8);
    ByteBuffer file = ByteBuffer.allocate(8 + header.length + 32).order(ByteOrder.LITTLE_ENDIAN);
    file.putLong(header.length).put(header);
    for (float x : new float[] {1, 0, 0, 1, 2, 3, 0.5f, -1}) {
      file.putFloat(x);
    }
    Files.write(folder.resolve("model.safetensors"), file.array());
    Files.writeString(folder.resolve("config.json"), config);
    return Models.tensors(folder);
  }

  /** By hand: mean 2, variance 1, so (1, 3) becomes (−1, 1), times w plus b = (−1.5, 2). */
  @Test
  void layerNormSubtractsTheMeanAndAddsTheBias() throws IOException {
    Inventory model =
        model("ln_f.weight", "ln_f.bias", "{\"model_type\":\"gpt2\",\"layer_norm_epsilon\":0.0}");
    FinalNorm norm = FinalNorm.of(model, OutputSettings.beside(folder), 2, null);
    assertThat(norm.kind()).isEqualTo(FinalNorm.Kind.LAYER_NORM);
    assertThat(norm.applied(Query.of(1.0, 3.0)).vector())
        .containsExactly(new double[] {-1.5, 2}, within(1e-12));
  }

  /** By hand: √(mean of squares of (3, 4) + 0.5) = √13. */
  @Test
  void rmsNormDividesByTheRootMeanSquare() throws IOException {
    Inventory model =
        model("model.norm.weight", "x", "{\"model_type\":\"llama\",\"rms_norm_eps\":5e-1}");
    FinalNorm norm = FinalNorm.of(model, OutputSettings.beside(folder), 2, null);
    assertThat(norm.kind()).isEqualTo(FinalNorm.Kind.RMS_NORM);
    assertThat(norm.applied(Query.of(3.0, 4.0)).vector())
        .containsExactly(new double[] {6 / Math.sqrt(13), 12 / Math.sqrt(13)}, within(1e-12));
  }

  /** Gemma's RMSNorm multiplies by 1 + w. */
  @Test
  void gemmaStoresItsWeightsLessOne() throws IOException {
    Inventory model =
        model(
            "model.norm.weight",
            "x",
            "{\"model_type\":\"gemma2\",\"rms_norm_eps\":1e-06,\"final_logit_softcapping\":30.0}");
    OutputSettings settings = OutputSettings.beside(folder);
    assertThat(FinalNorm.of(model, settings, 2, null).weights()).containsExactly(3, 4);
    assertThat(settings.scoring().softCap()).hasValue(30);
    assertThat(settings.normEpsilon()).hasValue(1e-6);
  }

  @Test
  void readsScalesOfTheFamiliesThatHaveThem() throws IOException {
    Path config = folder.resolve("config.json");
    Files.writeString(config, "{\"model_type\":\"cohere\",\"logit_scale\":0.0625}");
    assertThat(OutputSettings.read(config).scoring().scale()).isEqualTo(0.0625);
    Files.writeString(config, "{\"model_type\":\"granite\",\"logits_scaling\":8.0}");
    assertThat(OutputSettings.read(config).scoring().scale()).isEqualTo(0.125);
    Files.writeString(
        config, "{\"model_type\":\"minicpm\",\"hidden_size\":2304,\"dim_model_base\":256}");
    assertThat(OutputSettings.read(config).scoring().scale()).isCloseTo(1 / 9.0, within(1e-15));
    Files.writeString(config, "{\"model_type\":\"llama\",\"logit_scale\":2}");
    assertThat(OutputSettings.read(config).scoring()).isEqualTo(Scoring.PLAIN);
  }

  @Test
  void refusesWhatIsNoFinalNorm() throws IOException {
    Inventory model = model("a.weight", "b", "{}");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> FinalNorm.of(model, OutputSettings.SILENT, 2, null))
        .withMessageContaining("no final norm under a usual name");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> FinalNorm.of(model, OutputSettings.SILENT, 2, "wte.weight"))
        .withMessageContaining("is 2 × 2");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> FinalNorm.of(model, OutputSettings.SILENT, 2, "no"))
        .withMessageContaining("no tensor \"no\"");
  }
}

package dev.rowan.checks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.rowan.checks.Rowan.Outcome;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The table at the output, end to end; numbers follow from {@link Gpt2Shape} by hand. */
class OutputIT {
  @TempDir Path folder;

  private Json json(String... arguments) throws IOException {
    String model = Gpt2Shape.write(folder.resolve("gpt2")).toString();
    List<String> all = new java.util.ArrayList<>(List.of("--json", "-m", model));
    all.addAll(List.of(arguments));
    Outcome outcome = Rowan.run(all.toArray(String[]::new));
    assertThat(outcome.code()).as(outcome.err()).isZero();
    return outcome.json();
  }

  /**
   * " cat" − " dog" = (0, 1, −3, 0): itself 5, " dog" 4 − 9 = −5, "cat" 3, "can" −3, the rest 0.
   */
  @Test
  void scoresAnExpressionAndRanksNamedTokens() throws IOException {
    Json json = json("score", "cat", "-", "dog", "-k", "2", "--rank", "dog", "--rank", "#0");
    assertThat(json.at("scores").elements().stream().map(s -> s.at("logit").number()))
        .containsExactly(5.0, 3.0);
    Json dog = json.at("ranked").at(0);
    assertThat(dog.at("token").text()).isEqualTo(" dog");
    assertThat(dog.at("rank").whole()).isEqualTo(23);
    assertThat(dog.at("logit").number()).isEqualTo(-5);
    // behind " cat" and "cat"; 18 plain rows and " can" are at 0, #0 is the first of them
    assertThat(json.at("ranked").at(1).at("rank").whole()).isEqualTo(3);
    double sum = Math.exp(5) + Math.exp(3) + 19 + Math.exp(-3) + Math.exp(-5);
    assertThat(json.at("logSumExp").number()).isCloseTo(Math.log(sum), within(1e-12));
    assertThat(dog.at("probability").number()).isCloseTo(Math.exp(-5) / sum, within(1e-12));
  }

  /**
   * ln_f holds ones: (0, 5, 0, 0) has mean 1.25 and variance 4.6875; " cat" scores 5 · 3.75 / sd.
   */
  @Test
  void appliesTheFinalNormOfTheFile() throws IOException {
    Json json = json("score", "cat", "-k", "1", "--final-norm", "--temperature", "2");
    assertThat(json.at("finalNorm").at("tensor").text()).isEqualTo("ln_f.weight");
    double rms = Math.sqrt(25.0 / 4 + 1e-5); // no bias in this file: an RMSNorm
    assertThat(json.at("scores").at(0).at("logit").number()).isCloseTo(25 / rms, within(1e-9));
  }

  @Test
  void scoresEachRowOfAnArray() throws IOException {
    Path file = folder.resolve("hidden.npy");
    byte[] header =
        "{'descr': '<f4', 'fortran_order': False, 'shape': (6, 4), }"
            .getBytes(StandardCharsets.US_ASCII);
    int padded = Math.ceilDiv(10 + header.length + 1, 64) * 64;
    ByteBuffer bytes = ByteBuffer.allocate(padded + 6 * 16).order(ByteOrder.LITTLE_ENDIAN);
    bytes
        .put((byte) 0x93)
        .put("NUMPY".getBytes(StandardCharsets.US_ASCII))
        .put((byte) 1)
        .put((byte) 0);
    bytes.putShort((short) (padded - 10)).put(header);
    while (bytes.position() < padded - 1) {
      bytes.put((byte) ' ');
    }
    bytes.put((byte) '\n');
    for (int row = 0; row < 6; row++) {
      bytes.putFloat(0).putFloat(row).putFloat(0).putFloat(0);
    }
    Files.write(file, bytes.array());
    List<Json> results =
        json("score", "--vector", file.toString(), "-k", "1").at("results").elements();
    assertThat(results).hasSize(6);
    assertThat(results.get(3).at("scores").at(0).at("token").text()).isEqualTo(" cat");
    assertThat(results.get(3).at("scores").at(0).at("logit").number()).isEqualTo(15);
    assertThat(results.getFirst().at("logSumExp").number()).isCloseTo(Math.log(23), within(1e-6));
  }

  @Test
  void countsParametersOfATiedModel() throws IOException {
    Json json = json("params");
    assertThat(json.at("tied").truth()).isTrue();
    assertThat(json.at("tableParameters").whole()).isEqualTo(92);
    assertThat(json.at("modelParameters").whole()).isEqualTo(96);
    assertThat(json.at("secondTableBytes").whole()).isEqualTo(368);
    assertThat(json.at("comparison").isNull()).isTrue();
  }
}

package dev.rowan.train;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rowan.formats.file.FormatException;
import dev.rowan.train.TrainingReport.Band;
import dev.rowan.train.TrainingReport.LossPoint;
import dev.rowan.train.TrainingReport.Neighbour;
import dev.rowan.train.TrainingReport.Neighbourhood;
import dev.rowan.train.TrainingReport.Snapshot;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TrainingHistoryTest {
  private static final Path FILE = Path.of("x.checkpoint");

  @Test
  void comesBackToTheLastBit() {
    TrainingHistory history =
        new TrainingHistory(
            List.of(new LossPoint(1L << 50, Math.nextUp(0.1), 2.5e-6)),
            List.of(1 / 3.0, Double.NaN),
            List.of(
                new Snapshot(
                    0.05,
                    -1e-9,
                    List.of(new Band(1, 7, 0, Double.MIN_VALUE)),
                    List.of(
                        new Neighbourhood(
                            "\"\n\\ü", List.of(new Neighbour("𝒳", Double.NEGATIVE_INFINITY)))))));
    assertThat(TrainingHistory.of(history.asText(), FILE)).isEqualTo(history);
    assertThat(TrainingHistory.of(TrainingHistory.NONE.asText(), FILE))
        .isEqualTo(TrainingHistory.NONE);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "[]",
        "{}",
        "{\"losses\":[],\"epochLosses\":[]}",
        "{\"losses\":{},\"epochLosses\":[],\"snapshots\":[]}",
        "{\"losses\":[1],\"epochLosses\":[],\"snapshots\":[]}",
        "{\"losses\":[{\"words\":1.5,\"loss\":1,\"rate\":1}],\"epochLosses\":[],\"snapshots\":[]}",
        "{\"losses\":[{\"words\":1,\"loss\":1}],\"epochLosses\":[],\"snapshots\":[]}",
        "{\"losses\":[],\"epochLosses\":[null],\"snapshots\":[]}",
        "{\"losses\":[],\"epochLosses\":[\"1\"],\"snapshots\":[]}",
        "{\"losses\":[],\"epochLosses\":[],\"snapshots\":[[]]}",
        "{\"losses\":[],\"epochLosses\":[],\"snapshots\":["
            + "{\"share\":0,\"meanCosine\":0,\"bands\":[],\"near\":[{\"neighbours\":[]}]}]}",
      })
  void refusesWhatIsNoHistory(String text) {
    assertThatThrownBy(() -> TrainingHistory.of(text, FILE))
        .isInstanceOf(FormatException.class)
        .hasMessageContaining("x.checkpoint");
  }

  @Test
  void noByteCanHarm() {
    String text =
        new TrainingHistory(
                List.of(new LossPoint(3, 0.5, 0.1)),
                List.of(0.25),
                List.of(
                    new Snapshot(
                        0,
                        0.5,
                        List.of(new Band(1, 7, 0, 1)),
                        List.of(new Neighbourhood("a", List.of(new Neighbour("b", 1)))))))
            .asText();
    int refused = 0;
    for (int at = 0; at < text.length(); at++) {
      for (char other : "9-.\"{[nE".toCharArray()) {
        try {
          TrainingHistory.of(text.substring(0, at) + other + text.substring(at + 1), FILE);
        } catch (FormatException e) {
          assertThat(e).hasMessageContaining("x.checkpoint");
          refused++;
        }
      }
    }
    assertThat(refused).isGreaterThan(text.length());
  }
}

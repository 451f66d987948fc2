package dev.rowan.app.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class WarmUpTest {
  /** Returns how often the visitors were looked at once the warm-up has ended. */
  private static int looks(boolean idle, Duration most) throws IOException, InterruptedException {
    AtomicInteger looks = new AtomicInteger();
    try (SmallModel model = new SmallModel()) {
      ServedModels models = new ServedModels(Map.of("small", model), List.of(), SmallModel::ofFile);
      Api api = new Api(models, new TrainingRoom(TrainingPlaces.NONE, models));
      WarmUp warmUp =
          new WarmUp(
              api,
              models,
              () -> {
                looks.incrementAndGet();
                return idle;
              });
      warmUp.start();
      if (!idle) {
        warmUp.stop();
      }
      assertThat(warmUp.join(most)).as("the warm-up ended").isTrue();
    }
    return looks.get();
  }

  @Test
  void asksWhileNobodyElseDoesAndEnds() throws Exception {
    assertThat(looks(true, Duration.ofSeconds(10))).isEqualTo(40); // one a step
  }

  @Test
  void endsWithTheServerThoughVisitorsWait() throws Exception {
    assertThat(looks(false, Duration.ofSeconds(2))).isLessThan(40);
  }
}

package dev.rowan.analysis.map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.rowan.analysis.map.TableMap.Fit;
import dev.rowan.analysis.map.TsneSettings.Schedule;
import dev.rowan.core.Metric;
import dev.rowan.core.Table;
import dev.rowan.core.Workers;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

class MapperTest {
  private static final Workers WORKERS = Workers.of(2);
  private static final Table TABLE = Blobs.table(150, 8, 6, 0.9);

  @AfterAll
  static void close() {
    WORKERS.close();
  }

  private static TableMap draw(Table table, MapMethod method) {
    return Mapper.over(table, WORKERS).mapAll(method, MapListener.NONE);
  }

  @Test
  void threadsChangeNoBit() {
    TsneSettings settings =
        TsneSettings.defaults().withSchedule(Schedule.DEFAULT.withIterations(60));
    Table table = Blobs.table(700, 8, 6, 0.9);
    TableMap two = draw(table, settings);
    try (Workers five = Workers.of(5)) {
      TableMap map = Mapper.over(table, five).mapAll(settings, MapListener.NONE);
      assertThat(map).usingRecursiveComparison().isEqualTo(two);
    }
  }

  @Test
  void seedChangesTheMap() {
    TsneSettings settings =
        TsneSettings.defaults().withSchedule(Schedule.DEFAULT.withIterations(30));
    assertThat(draw(TABLE, settings.withSeed(2)).x()).isNotEqualTo(draw(TABLE, settings).x());
  }

  @Test
  void perplexityIsLoweredForFewRowsAndSaysSo() {
    TableMap map =
        Mapper.over(TABLE, WORKERS).map(TsneSettings.defaults(), LongStream.range(0, 48).toArray());
    assertThat(map.points()).isEqualTo(48);
    assertThat(((TsneSettings) map.method()).perplexity()).isEqualTo(47 / 3.0);
    assertThat(map.notes())
        .containsExactly("perplexity 30.0 lowered to 15.67: a map of 48 points allows (n − 1) / 3");
  }

  @Test
  void handfulsOfRowsAreMapped() {
    for (int n = 1; n <= 6; n++) {
      TableMap map =
          Mapper.over(TABLE, WORKERS)
              .map(TsneSettings.defaults(), LongStream.range(0, n).toArray());
      assertThat(map.points()).isEqualTo(n);
      assertThat(map.x()).doesNotContain(Double.NaN);
      assertThat(map.y()).doesNotContain(Double.NaN);
    }
  }

  @Test
  void badRowsAreLeftOutAndReported() {
    Table table = Table.of(2, 1, 0, 0, 0, 0, 1, Float.NaN, 1, 1, 1);
    TableMap map = Mapper.over(table, WORKERS).map(PcaSettings.defaults(), 4, 3, 2, 1, 0, 4);
    assertThat(map.ids()).containsExactly(4, 2, 0);
    assertThat(map.leftOut()).containsExactly(1, 3);
    assertThat(map.notes())
        .containsExactly(
            "1 row was asked for more than once and is drawn once",
            "left out 1 row: not finite",
            "left out 1 row: zero and have no direction");
    TableMap euclidean =
        Mapper.over(table, WORKERS)
            .map(PcaSettings.defaults().withMetric(Metric.EUCLIDEAN), 0, 1, 2);
    assertThat(euclidean.ids()).containsExactly(0, 1, 2);
  }

  @Test
  void equalRowsComeApartButStayFinite() {
    float[] values = new float[60];
    java.util.Arrays.fill(values, 1);
    TableMap map = draw(Table.of(2, values), TsneSettings.defaults());
    assertThat(map.x()).doesNotContain(Double.NaN).doesNotHaveDuplicates();
  }

  @Test
  void refusesWhatCannotBeMapped() {
    Mapper mapper = Mapper.over(Table.of(2, 0, 0, 0, 0), WORKERS);
    assertThatThrownBy(() -> mapper.map(PcaSettings.defaults(), 0, 1))
        .hasMessage("none of the 2 rows can be mapped: they are zero and have no direction");
    assertThatThrownBy(() -> mapper.map(PcaSettings.defaults()))
        .hasMessageContaining("a map of 0 rows; it takes 1 to 10,000,000");
    assertThatThrownBy(() -> mapper.map(PcaSettings.defaults(), 2))
        .isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> TsneSettings.defaults().withPerplexity(0.5))
        .hasMessage("perplexity is 0.5; it takes 1 or more");
    assertThatThrownBy(() -> TsneSettings.defaults().withMetric(Metric.DOT))
        .hasMessageContaining("maps compare by COSINE or EUCLIDEAN");
    assertThatThrownBy(() -> new Schedule(10, 20, 12, 1, 0))
        .hasMessage("early iterations is 20; it takes 0 to all 10 iterations");
  }

  @Test
  void principalComponentsOfACrossAreItsAxes() {
    // ±3 along x, ±1 along y, around (10, 20): variances 18 and 2
    Table cross = Table.of(2, 13, 20, 7, 20, 10, 21, 10, 19);
    TableMap map = draw(cross, PcaSettings.defaults().withMetric(Metric.EUCLIDEAN));
    assertThat(map.x()).containsExactly(new double[] {3, -3, 0, 0}, within(1e-6));
    assertThat(map.y()).containsExactly(new double[] {0, 0, 1, -1}, within(1e-6));
    Fit.Variance fit = (Fit.Variance) map.fit();
    assertThat(fit.first()).isCloseTo(0.9, within(1e-9));
    assertThat(fit.second()).isCloseTo(0.1, within(1e-9));
  }

  @Test
  void progressIsToldAndDivergenceFallsAfterTheFirstPhase() {
    List<Integer> iterations = new ArrayList<>();
    List<Double> losses = new ArrayList<>();
    Mapper.over(TABLE, WORKERS)
        .mapAll(
            TsneSettings.defaults(),
            new MapListener() {
              @Override
              public void step(Step step) {
                iterations.add(step.iteration());
                if (!Double.isNaN(step.loss())) {
                  losses.add(step.loss());
                }
              }
            });
    assertThat(iterations).hasSize(750).endsWith(750);
    assertThat(losses).hasSize(15);
    assertThat(losses.subList(6, 15)).isSortedAccordingTo((a, b) -> Double.compare(b, a));
  }

  @Test
  void interruptEndsTheWork() {
    MapListener impatient =
        new MapListener() {
          @Override
          public void step(Step step) {
            if (step.iteration() == 3) {
              Thread.currentThread().interrupt();
            }
            assertThat(step.iteration()).isLessThan(4);
          }
        };
    assertThatThrownBy(() -> Mapper.over(TABLE, WORKERS).mapAll(TsneSettings.defaults(), impatient))
        .isInstanceOf(CancellationException.class);
    assertThat(Thread.interrupted()).isTrue();
  }
}

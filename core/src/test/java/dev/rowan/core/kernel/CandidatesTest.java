package dev.rowan.core.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class CandidatesTest {
  @Test
  void keepsTheBestOfManyInAnyOrder() {
    Random random = new Random(Sample.SEED);
    for (int capacity : new int[] {1, 2, 3, 10, 64}) {
      for (int count : new int[] {1, 5, 64, 1000}) {
        Candidates found = new Candidates(3, capacity);
        float[] offered = new float[count];
        for (int i = 0; i < count; i++) {
          offered[i] = random.nextInt(200); // with repeats
          found.offer(1, i, offered[i]);
        }
        Arrays.sort(offered);
        float[] kept = new float[found.size(1)];
        for (int i = 0; i < kept.length; i++) {
          kept[i] = found.score(1, i);
        }
        Arrays.sort(kept);
        assertThat(kept)
            .isEqualTo(Arrays.copyOfRange(offered, Math.max(0, count - capacity), count));
        assertThat(found.size(0) + found.size(2)).isZero();
      }
    }
  }

  @Test
  void thresholdIsMinusInfinityUntilFullAndTheWorstKeptAfter() {
    Candidates found = new Candidates(1, 2);
    assertThat(found.thresholds()[0]).isEqualTo(Float.NEGATIVE_INFINITY);
    found.offer(0, 1, 5);
    assertThat(found.thresholds()[0]).isEqualTo(Float.NEGATIVE_INFINITY);
    found.offer(0, 2, 3);
    assertThat(found.thresholds()[0]).isEqualTo(3);
    found.offer(0, 3, 4);
    assertThat(found.thresholds()[0]).isEqualTo(4);
  }

  @Test
  void neverKeepsNan() {
    Candidates found = new Candidates(1, 2);
    found.offer(0, 1, Float.NaN);
    found.offer(0, 2, 1);
    found.offer(0, 3, 2);
    found.offer(0, 4, Float.NaN);
    assertThat(found.size(0)).isEqualTo(2);
    assertThat(found.thresholds()[0]).isEqualTo(1);
  }

  @Test
  void nothingPassesInTheLanesBeyondTheLastQuery() {
    Candidates found = new Candidates(17, 2);
    float[] thresholds = found.thresholds();
    assertThat(thresholds).hasSize(32);
    assertThat(Arrays.copyOfRange(thresholds, 17, 32)).containsOnly(Float.POSITIVE_INFINITY);
  }
}

package dev.rowan.bench.layer;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Times contestants in turns and compares medians. A turn is a burst of runs, of which the first
 * are not counted: the threads of the contestant before still look for work for a while, and would
 * take a processor from this one's.
 */
final class Race {
  private static final double WARM_UP_SECONDS = 1.5;
  private static final int BURST = 10;
  private static final int NOT_COUNTED = 3;

  private final String title;
  private final double bytes;
  private final Map<String, Runnable> contestants = new LinkedHashMap<>();

  /** With {@code bytes} moved by one run, for GB/s; 0 if that says nothing. */
  Race(String title, double bytes) {
    this.title = title;
    this.bytes = bytes;
  }

  Race with(String name, Runnable contestant) {
    contestants.put(name, contestant);
    return this;
  }

  /** Runs, prints, and returns the median seconds of each contestant in order. */
  double[] run(int rounds) {
    List<String> names = new ArrayList<>(contestants.keySet());
    List<Runnable> runners = new ArrayList<>(contestants.values());
    double[][] seconds = new double[names.size()][rounds];
    for (Runnable contestant : contestants.values()) {
      long start = System.nanoTime();
      do {
        contestant.run();
      } while ((System.nanoTime() - start) / 1e9 < WARM_UP_SECONDS);
    }
    for (int round = 0; round < rounds; ) {
      int counted = Math.min(BURST - NOT_COUNTED, rounds - round);
      for (int i = 0; i < names.size(); i++) {
        burst(runners.get(i), seconds[i], round, counted);
      }
      round += counted;
    }
    double[] medians = new double[names.size()];
    IO.println(title);
    for (int i = 0; i < names.size(); i++) {
      Arrays.sort(seconds[i]);
      medians[i] = seconds[i][rounds / 2];
      String rate =
          bytes == 0 ? "" : String.format(Locale.ROOT, "%7.2f GB/s", bytes / medians[i] / 1e9);
      IO.println(
          String.format(
              Locale.ROOT,
              "  %-44s median %10.1f µs  best %10.1f µs %s",
              names.get(i),
              medians[i] * 1e6,
              seconds[i][0] * 1e6,
              rate));
    }
    return medians;
  }

  private static void burst(Runnable contestant, double[] seconds, int from, int counted) {
    for (int i = -NOT_COUNTED; i < counted; i++) {
      long start = System.nanoTime();
      contestant.run();
      if (i >= 0) {
        seconds[from + i] = (System.nanoTime() - start) / 1e9;
      }
    }
  }
}

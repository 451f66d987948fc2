package dev.rowan.analysis.audit;

import java.util.ArrayList;
import java.util.List;

/** Ids as people write them. */
public final class Ranges {
  private Ranges() {}

  /**
   * Returns ids with runs joined: {@code 177–187, 200}.
   *
   * @param ids ascending
   * @param most how many runs to name; the rest is {@code …}
   */
  public static String of(long[] ids, int most) {
    List<String> runs = new ArrayList<>();
    for (int i = 0; i < ids.length; ) {
      int end = i;
      while (end + 1 < ids.length && ids[end + 1] == ids[end] + 1) {
        end++;
      }
      if (runs.size() == most) {
        runs.add("…");
        break;
      }
      runs.add(end == i ? "" + ids[i] : ids[i] + "–" + ids[end]);
      i = end + 1;
    }
    return String.join(", ", runs);
  }
}

package dev.rowan.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowan.app.cli.TextPlot.Point;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class TextPlotTest {
  @Test
  void putsWordsBesideTheirMarks() {
    List<String> lines =
        TextPlot.of(
            List.of(
                new Point(0, 1, "north", 0), new Point(1, 0, "east", 1), new Point(-1, -1, "", 2)),
            40,
            Ink.PLAIN);
    assertThat(lines.getFirst()).isEqualTo(" ".repeat(20) + "●north");
    assertThat(lines.get(lines.size() / 2)).endsWith("east■");
    assertThat(lines.getLast()).isEqualTo("▲");
  }

  @Test
  void leavesOutWordsThatHaveNoRoomButNoMark() {
    List<Point> points = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      points.add(new Point(i, 0, "word" + i, 0));
    }
    String line = TextPlot.of(points, 40, Ink.PLAIN).get(5);
    assertThat(line.chars().filter(c -> c == '●').count()).isBetween(38L, 40L);
  }

  @Test
  void drawsManyPointsAsBraille() {
    List<Point> points = new ArrayList<>();
    for (int i = 0; i < 1000; i++) {
      points.add(new Point(Math.cos(i), Math.sin(i), i == 0 ? "first" : "", -1));
    }
    List<String> lines = TextPlot.of(points, 60, Ink.PLAIN);
    assertThat(lines).hasSizeBetween(10, 26).allMatch(line -> Visible.columns(line) <= 60);
    assertThat(String.join("", lines).chars().filter(c -> c > 0x2800 && c <= 0x28FF).count())
        .isGreaterThan(50);
    assertThat(String.join("\n", lines)).contains("first");
  }

  @Test
  void survivesOnePlaceWideWordsAndNarrowTerminals() {
    List<Point> same = List.of(new Point(5, 5, "日本語", 0), new Point(5, 5, "e\u0301", 1));
    List<String> lines = TextPlot.of(same, 20, Ink.PLAIN);
    assertThat(String.join("", lines)).contains("●日本語");
    assertThat(lines).allMatch(line -> Visible.columns(line) <= 20);
    assertThat(TextPlot.of(List.of(), 20, Ink.PLAIN)).allMatch(String::isEmpty);
    assertThat(TextPlot.of(List.of(new Point(1e300, -1e300, "x", 0)), 20, Ink.PLAIN))
        .anyMatch(line -> line.contains("●x"));
  }
}

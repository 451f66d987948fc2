package dev.rowan.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class VisibleTest {

  @Test
  void showsSpaces() {
    assertThat(Visible.token(" cat")).isEqualTo("␣cat");
    assertThat(Visible.token("")).isEqualTo("(empty)");
  }

  @Test
  void letsNothingSteerTheTerminal() {
    assertThat(Visible.token("a\u001b[31m\r\n\t\u202e\u200b\u00a0"))
        .isEqualTo("a\\u{1b}[31m\\r\\n\\t\\u{202e}\\u{200b}\\u{a0}");
  }

  @ParameterizedTest
  @CsvSource({"cat, 3", "猫, 2", "e\u0301, 1", "한글, 4", "😀, 2", "'', 0"})
  void countsColumns(String text, int columns) {
    assertThat(Visible.columns(text)).isEqualTo(columns);
  }

  @ParameterizedTest
  @CsvSource({"abcdef, 6, abcdef", "abcdef, 4, abc…", "猫猫猫, 5, 猫猫…", "猫猫猫, 4, 猫…"})
  void clipsToColumns(String text, int columns, String clipped) {
    assertThat(Visible.clipped(text, columns)).isEqualTo(clipped);
  }

  /** Whoever adds a name from a file to a page need not think of it. */
  @Test
  void pagesLetColoursPassAndNothingElseThatSteers() {
    Page page = new Page(Ink.COLOUR, 80);
    page.line(page.paint(Ink.Style.BAD, "x\u001b]0;title\u0007\u202e") + "\ntwo");
    page.note("a\u001b[2Jb");
    page.grid(new Grid().row(Grid.left("c\nd\u009b", Ink.Style.PLAIN)));
    assertThat(page.take())
        .isEqualTo(
            "\u001b[31mx\\u{1b}]0;title\\u{7}\\u{202e}\u001b[0m\ntwo\n  \u001b[2ma\\u{1b}[2Jb\u001b[0m\n  c\\nd\\u{9b}\n");
  }

  @Test
  void namesOfMegabytesAreClipped() {
    Grid grid = new Grid().row(Grid.left("x".repeat(5_000_000), Ink.Style.PLAIN));
    assertThat(grid.lines(Ink.PLAIN).getFirst()).hasSize(1_000).endsWith("x…");
  }

  @Test
  void messageCannotSteerTheTerminal() {
    assertThat(Visible.message("tensor \u001b[2J\u202e of a file"))
        .isEqualTo("tensor \\u{1b}[2J\\u{202e} of a file");
  }
}

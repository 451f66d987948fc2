package dev.rowan.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowan.app.cli.Ink.Style;
import org.junit.jupiter.api.Test;

class GridTest {

  @Test
  void alignsColumnsByWhatTheEyeSees() {
    Grid grid =
        new Grid()
            .row(Grid.left("猫", Style.TOKEN), Grid.right("1", Style.PLAIN))
            .row(Grid.left("dogs", Style.TOKEN), Grid.right("23", Style.PLAIN));
    assertThat(grid.lines(Ink.PLAIN)).containsExactly("猫     1", "dogs  23");
    assertThat(grid.columns()).isEqualTo(8);
  }

  @Test
  void plainInkWritesNoEscapes() {
    Grid grid = new Grid().row(Grid.shaded("0.5", 0.5));
    assertThat(grid.lines(Ink.PLAIN)).containsExactly("0.5");
    assertThat(grid.lines(Ink.COLOUR).getFirst()).startsWith("\u001b[").endsWith("\u001b[0m");
  }

  @Test
  void leavesNoTrailingSpaces() {
    Grid grid =
        new Grid()
            .row(Grid.left("a", Style.PLAIN), Grid.left("", Style.PLAIN))
            .row(Grid.left("b", Style.PLAIN), Grid.left("long", Style.PLAIN));
    assertThat(grid.lines(Ink.PLAIN)).containsExactly("a", "b  long");
  }
}

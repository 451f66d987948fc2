package dev.rowan.formats.columns;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rowan.core.Lexicon;
import dev.rowan.formats.Models;
import dev.rowan.formats.file.FormatException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tables written by hand as RFC 4180 says. */
class ColumnFileTest {
  @TempDir Path folder;

  private Path write(String text) throws IOException {
    return Files.writeString(folder.resolve("table.csv"), text);
  }

  @Test
  void readsQuotedTokens() throws IOException {
    Path file =
        write(
            "id,token,d0,d1\r\n0,\"a,b\",0.0,-1.5e2\r\n1,\"say \"\"x\"\"\",2,3\r\n2,\"l\nb\",4,5");
    try (Lexicon table = Models.open(file)) {
      assertThat(table.origin().format()).isEqualTo("columns");
      assertThat(table.vocabulary().orElseThrow().text(0)).isEqualTo("a,b");
      assertThat(table.vocabulary().orElseThrow().text(1)).isEqualTo("say \"x\"");
      assertThat(table.vocabulary().orElseThrow().text(2)).isEqualTo("l\nb");
      assertThat(table.input().table().row(0)).containsExactly(0, -150);
      assertThat(table.input().table().row(2)).containsExactly(4, 5);
      assertThat(table.notes()).isEmpty();
    }
  }

  @Test
  void readsTabs() throws IOException {
    try (Lexicon table = Models.open(write("id\ttoken\td0\n0\t\"a\t1\n7\t\t2\n"))) {
      assertThat(table.vocabulary().orElseThrow().text(0)).isEqualTo("\"a");
      assertThat(table.vocabulary().orElseThrow().tokens()).isEqualTo(1);
      assertThat(table.input().table().row(1)).containsExactly(2);
      assertThat(table.notes())
          .anyMatch(
              n -> n.contains("1 row has another id than their place, first row 1 with id 7"));
    }
  }

  @ParameterizedTest
  @CsvSource({
    "'0,a,1\n', has no number in column d1",
    "'0,a,1,2,3\n', has more than 2 numbers",
    "'x,a,1,2\n', does not start with an id",
    "'0,\"a,1,2\n', is cut off",
    "'0,a\n', has nothing behind its token",
    "'0,a,1,x\n', has no number in column d1",
    "'', has no rows"
  })
  void saysWhichRowIsWrong(String rows, String reason) throws IOException {
    Path file = write("id,token,d0,d1\n" + (rows == null ? "" : rows));
    assertThatThrownBy(() -> Models.open(file))
        .isInstanceOf(FormatException.class)
        .hasMessageStartingWith("table.csv: ")
        .hasMessageContaining(reason);
  }
}

package dev.rowan.formats.columns;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rowan.core.Lexicon;
import dev.rowan.formats.Models;
import dev.rowan.formats.file.FormatException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

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
    try (Lexicon table = Models.open(write("id\ttoken\td0\n0\t\"a\t1\n1\t\t2\n"))) {
      assertThat(table.vocabulary().orElseThrow().text(0)).isEqualTo("\"a");
      assertThat(table.vocabulary().orElseThrow().tokens()).isEqualTo(1);
      assertThat(table.input().table().row(1)).containsExactly(2);
    }
  }

  @Test
  void putsRowsWhereTheirIdsSay() throws IOException {
    Path file = write("id,token,d0,d1\n2,c,20,21\n0,a,0,1\n1,,10,11\n");
    try (Lexicon table = Models.open(file)) {
      assertThat(table.input().table().row(0)).containsExactly(0, 1);
      assertThat(table.input().table().row(1)).containsExactly(10, 11);
      assertThat(table.input().table().row(2)).containsExactly(20, 21);
      assertThat(table.vocabulary().orElseThrow().id("c")).hasValue(2);
      assertThat(table.vocabulary().orElseThrow().has(1)).isFalse();
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
    "'0,a,1,2\n2,b,1,2\n', 'row 1 has id 2, which is too high; the ids of 2 rows should be 0 to 1'",
    "'1,a,1,2\n1,b,1,2\n', 'row 1 has id 1, which another row has'",
    "'', has no rows"
  })
  void saysWhichRowIsWrong(String rows, String reason) throws IOException {
    Path file = write("id,token,d0,d1\n" + (rows == null ? "" : rows));
    assertThatThrownBy(() -> Models.open(file))
        .isInstanceOf(FormatException.class)
        .hasMessageStartingWith("table.csv: ")
        .hasMessageContaining(reason);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\ufeffid,token,d0,d1\n0,a,1,2.5\n",
        "\"id\",\"token\",\"d0\",\"d1\"\n0,\"a\",1,2.5\n",
        "id;token;d0;d1\r\n0;a;1;2.5\r\n"
      })
  void readsWhatExcelAndPandasMakeOfIt(String text) throws IOException {
    try (Lexicon table = Models.open(write(text))) {
      assertThat(table.vocabulary().orElseThrow().text(0)).isEqualTo("a");
      assertThat(table.input().table().row(0)).containsExactly(1, 2.5f);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "',id,token,d0\n0,0,a,1\n', 'names , id, token, d0; pandas writes them so with to_csv(file, index=False)'",
    "'id,token,d0\n\"0\",\"a\",\"1\"\n', 'does not start with an id: it stands in quotes'",
    "'id,token,d0\n0,a,\"1\"\n', 'no number in column d0: it stands in quotes'"
  })
  void saysWhyATableOfAnotherProgramIsRefused(String text, String reason) throws IOException {
    Path file = write(text.replace("\\n", "\n"));
    assertThatThrownBy(() -> Models.open(file))
        .isInstanceOf(FormatException.class)
        .hasMessageContaining(reason);
  }

  @Test
  void saysThatUtf16IsNotRead() throws IOException {
    Path file = folder.resolve("table.csv");
    Files.writeString(file, "\ufeffid,token,d0\n0,a,1\n", StandardCharsets.UTF_16LE);
    assertThatThrownBy(() -> Models.open(file)).hasMessageContaining("UTF-16; save it as UTF-8");
  }

  @Test
  void notesWordsThatAreNotUtf8() throws IOException {
    Path file = folder.resolve("table.csv");
    Files.writeString(file, "id,token,d0\n0,caf\u00e9,1\n", StandardCharsets.ISO_8859_1);
    try (Lexicon table = Models.open(file)) {
      assertThat(table.vocabulary().orElseThrow().notes())
          .anyMatch(note -> note.startsWith("1 word is not valid UTF-8, first row 0"));
    }
  }
}

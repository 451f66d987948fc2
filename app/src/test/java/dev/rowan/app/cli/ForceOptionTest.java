package dev.rowan.app.cli;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ForceOptionTest {
  @TempDir Path folder;

  @Test
  void refusesAFileThatIsThereUnlessForced() throws IOException {
    Path file = Files.writeString(folder.resolve("table.vec"), "precious");
    ForceOption option = new ForceOption();
    assertThatThrownBy(() -> option.check(file))
        .isInstanceOf(UseException.class)
        .hasMessageContaining("table.vec is there already; --force replaces it");
    option.force = true;
    assertThatCode(() -> option.check(file)).doesNotThrowAnyException();
  }

  @Test
  void refusesALinkToNothing() throws IOException {
    Path link = Files.createSymbolicLink(folder.resolve("link"), folder.resolve("nothing"));
    assertThatThrownBy(() -> new ForceOption().check(link)).isInstanceOf(UseException.class);
  }

  @Test
  void leavesNewFilesAndFoldersToTheirWriters() {
    assertThatCode(() -> new ForceOption().check(folder.resolve("new"))).doesNotThrowAnyException();
    assertThatCode(() -> new ForceOption().check(folder)).doesNotThrowAnyException();
  }
}

package dev.rowan.formats.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NewFileFailuresTest {
  @TempDir Path home;

  /** Writes 1 MB and prints why it could not. */
  static final class Writer {
    public static void main(String[] arguments) {
      try {
        NewFile.write(
            Path.of(arguments[0]), file -> file.append(MemorySegment.ofArray(new byte[1 << 20])));
      } catch (IOException e) {
        System.out.println(e.getMessage());
      }
    }
  }

  @Test
  void aSystemThatTakesNoMoreBytesIsToldWithTheNameOfTheFile() throws Exception {
    Path shell = Path.of("/bin/sh");
    assumeTrue(Files.isExecutable(shell), "there is no shell to limit the size of files");
    Path old = Files.writeString(home.resolve("table.npy"), "old");
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    Process writer =
        new ProcessBuilder(
                shell.toString(),
                "-c",
                "ulimit -f 64 && exec \"$@\"",
                "sh",
                java,
                "-XX:-UsePerfData",
                "-cp",
                System.getProperty("java.class.path"),
                Writer.class.getName(),
                old.toString())
            .redirectErrorStream(true)
            .start();
    String said = new String(writer.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(writer.waitFor(30, TimeUnit.SECONDS)).isTrue();
    assertThat(said).startsWith(old + ": cannot be written: ");
    assertThat(old).hasContent("old");
    try (Stream<Path> files = Files.list(home)) {
      assertThat(files).containsExactly(old);
    }
  }

  @Test
  void aFolderThatTakesNoFilesIsToldWithTheNameOfTheFile() {
    Path closed = Path.of("/sys/kernel"); // not even root may write there
    assumeTrue(Files.isDirectory(closed), "this system has no folder that is closed to all");
    assertThatThrownBy(() -> NewFile.write(closed.resolve("table.npy"), _ -> {}))
        .hasMessage("/sys/kernel/table.npy: no permission to write into its folder");
  }
}

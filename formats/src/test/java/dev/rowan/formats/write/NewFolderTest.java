package dev.rowan.formats.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NewFolderTest {
  @TempDir Path home;

  /** A writer that dies in the middle, as one that is killed does: nothing of it runs any more. */
  static final class Killed {
    public static void main(String[] arguments) throws IOException {
      NewFolder.write(
          Path.of(arguments[0]),
          draft -> {
            Files.writeString(Files.createDirectory(draft.resolve("inside")).resolve("half"), "h");
            Runtime.getRuntime().halt(9);
          });
    }
  }

  private void killWriter(Path target) throws Exception {
    Process writer =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                Killed.class.getName(),
                target.toString())
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    assertThat(writer.waitFor(30, TimeUnit.SECONDS)).isTrue();
    assertThat(writer.exitValue()).isEqualTo(9);
  }

  private List<String> names() throws IOException {
    try (Stream<Path> list = Files.list(home)) {
      return list.map(path -> path.getFileName().toString()).sorted().toList();
    }
  }

  @Test
  void whatAKilledWriterLeftIsRemovedAndNamed() throws Exception {
    killWriter(home.resolve("new"));
    assertThat(names()).hasSize(2).allMatch(name -> name.startsWith(".new."));
    List<Path> removed = NewFolder.removeLeftovers(home);
    assertThat(removed).hasSize(1);
    assertThat(removed.getFirst().getFileName().toString()).matches("\\.new\\..*\\.tmp");
    assertThat(names()).isEmpty();
  }

  @Test
  void aWriterThatRunsIsLeftAlone() throws IOException {
    NewFolder.write(
        home.resolve("new"),
        draft -> {
          Files.writeString(draft.resolve("file"), "whole");
          assertThat(NewFolder.removeLeftovers(home)).isEmpty();
        });
    assertThat(names()).containsExactly("new");
    assertThat(home.resolve("new/file")).hasContent("whole");
  }

  /** Hidden folders of others, even with such names, and marks that are not ours. */
  @Test
  void foldersWithoutProofStay() throws IOException {
    String draft = ".new.01234567-89ab-cdef-0123-456789abcdef.tmp";
    Files.createDirectory(home.resolve(draft));
    Files.createDirectory(home.resolve(".git"));
    Files.writeString(home.resolve(draft + ".writing"), "something else");
    Files.writeString(home.resolve(".git.writing"), "rowan holds this file locked");
    List<String> before = names();
    assertThat(NewFolder.removeLeftovers(home)).isEmpty();
    assertThat(names()).isEqualTo(before);
  }

  @Test
  void aFailedWriterLeavesNothing() throws IOException {
    assertThatThrownBy(() ->
            NewFolder.write(
                home.resolve("new"),
                draft -> {
                  Files.writeString(draft.resolve("file"), "half");
                  throw new IOException("the disk is full");
                }))
        .hasMessage("the disk is full");
    assertThat(names()).isEmpty();
  }

  @Test
  void aFolderThatTakesNoFilesIsToldWithoutTheNameOfTheDraft() {
    Path closed = Path.of("/sys/kernel"); // not even root may write there
    assumeTrue(Files.isDirectory(closed), "this system has no folder that is closed to all");
    assertThatThrownBy(() -> NewFolder.write(closed.resolve("new"), _ -> {}))
        .hasMessage("/sys/kernel/new: no permission to write into its folder");
  }

  @Test
  void aFullDiskIsToldWithoutTheNameOfTheDraft() {
    Path target = home.resolve("new");
    String full = "No space left on device";
    for (boolean copied : new boolean[] {false, true}) {
      assertThatThrownBy(() ->
              NewFolder.write(
                  target,
                  draft -> {
                    String file = draft.resolve("rows").toString();
                    throw copied
                        ? new FileSystemException("/other/rows", file, full)
                        : new FileSystemException(file, null, full);
                  }))
          .hasMessage(target.resolve("rows") + ": " + full);
    }
    FileSystemException foreign = new FileSystemException("/other/rows", null, "gone");
    assertThatThrownBy(() ->
            NewFolder.write(
                target,
                _ -> {
                  throw foreign;
                }))
        .isSameAs(foreign);
  }

  /** Comes under the name while the folder is written. */
  private void leavesWhatComes(Came came) throws IOException {
    Path target = home.resolve("new");
    assertThatThrownBy(() ->
            NewFolder.write(
                target,
                draft -> {
                  Files.writeString(draft.resolve("file"), "ours");
                  came.to(target);
                }))
        .isInstanceOfSatisfying(
            FileAlreadyExistsException.class,
            e -> assertThat(e.getFile()).isEqualTo(target.toString()));
    assertThat(names()).containsExactly("new");
  }

  private interface Came {
    void to(Path target) throws IOException;
  }

  @Test
  void whatCameMeanwhileIsLeft() throws IOException {
    Path target = home.resolve("new");
    leavesWhatComes(place -> Files.writeString(place, "mine"));
    assertThat(target).hasContent("mine");
    Files.delete(target);
    leavesWhatComes(place -> Files.createSymbolicLink(place, Path.of("nothing")));
    assertThat(target).isSymbolicLink();
    Files.delete(target);
    leavesWhatComes(
        place -> Files.writeString(Files.createDirectory(place).resolve("file"), "mine"));
    assertThat(target.resolve("file")).hasContent("mine");
  }

  /** Nothing is lost, and systems rename a folder over an empty one but not over a link to one. */
  @Test
  void anEmptyFolderIsReplacedAndALinkToOneIsRefusedAtOnce() throws IOException {
    Path empty = Files.createDirectory(home.resolve("new"));
    NewFolder.write(empty, draft -> Files.writeString(draft.resolve("file"), "ours"));
    assertThat(empty.resolve("file")).hasContent("ours");
    Path other = Files.createDirectory(home.resolve("other"));
    Path link = Files.createSymbolicLink(home.resolve("link"), other);
    assertThatThrownBy(() -> NewFolder.check(link)).hasMessageContaining("a link of that name");
  }
}

package dev.rowan.formats.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NewFilesTest {
  @TempDir Path folder;

  private void add(NewFiles files, String name) throws IOException {
    files.add(folder.resolve(name), draft -> Files.writeString(draft, "ours"));
  }

  @Test
  void filesAppearTogether() throws IOException {
    try (NewFiles files = new NewFiles()) {
      add(files, "a");
      add(files, "b");
      assertThat(folder.resolve("a")).doesNotExist();
      files.publish(() -> assertThat(folder.resolve("b")).hasContent("ours"));
    }
    assertThat(folder.resolve("a")).hasContent("ours");
    assertThat(folder.resolve("b")).hasContent("ours");
    assertThat(folder.toFile().list()).containsExactlyInAnyOrder("a", "b");
  }

  @Test
  void whatIsThereIsRefusedBeforeItIsWritten() throws IOException {
    Files.createSymbolicLink(folder.resolve("a"), folder.resolve("nowhere"));
    try (NewFiles files = new NewFiles()) {
      assertThatThrownBy(() ->
              files.add(
                  folder.resolve("a"),
                  _ -> {
                    throw new IllegalStateException("it is not to be written");
                  }))
          .isInstanceOf(FileAlreadyExistsException.class);
    }
  }

  @Test
  void whatCameMeanwhileStaysAndTheOthersGo() throws IOException {
    try (NewFiles files = new NewFiles()) {
      add(files, "a");
      add(files, "b");
      Files.writeString(folder.resolve("b"), "theirs");
      assertThatThrownBy(() -> files.publish(() -> {}))
          .isInstanceOfSatisfying(
              FileAlreadyExistsException.class,
              e -> assertThat(e.getFile()).isEqualTo(folder.resolve("b").toString()));
    }
    assertThat(folder.resolve("b")).hasContent("theirs");
    assertThat(folder.toFile().list()).containsExactly("b");
  }

  @Test
  void namesAreTakenBackButNotFromWhatReplacedThem() throws IOException {
    try (NewFiles files = new NewFiles()) {
      add(files, "a");
      add(files, "b");
      assertThatThrownBy(() ->
              files.publish(() -> {
                Files.delete(folder.resolve("b"));
                Files.writeString(folder.resolve("b"), "theirs");
                throw new UncheckedIOException(new IOException("no room"));
              }))
          .hasMessageContaining("no room");
    }
    assertThat(folder.resolve("b")).hasContent("theirs");
    assertThat(folder.toFile().list()).containsExactly("b");
  }

  @Test
  void failuresNameTheFileNotItsDraft() throws IOException {
    Path file = folder.resolve("a");
    try (NewFiles files = new NewFiles()) {
      assertThatThrownBy(() ->
              files.add(
                  file,
                  draft -> {
                    throw new FileSystemException(draft.toString(), null, "no room");
                  }))
          .hasMessage(file + ": no room");
    }
    assertThat(folder).isEmptyDirectory();
  }

  @Test
  void placesAreTriedOut() throws IOException {
    NewFile.checkPlace(folder.resolve("a"));
    assertThat(folder).isEmptyDirectory();
    assertThatThrownBy(() -> NewFile.checkPlace(folder.resolve("none/a")))
        .isInstanceOf(NotDirectoryException.class);
    assertThatThrownBy(() -> NewFile.checkPlace(folder.resolve("n".repeat(250))))
        .hasMessageContaining("cannot be written: File name too long");
  }

  /** Linux has a folder that takes no files, from nobody. */
  @Test
  void placesThatTakeNoFilesAreToldByTheNameThatWasAskedFor() {
    Path place = Path.of("/proc/v.safetensors");
    assumeTrue(Files.isDirectory(Path.of("/proc/self")));
    String message = "/proc/v.safetensors: no file can be made in its folder";
    assertThatThrownBy(() -> NewFile.checkPlace(place)).hasMessage(message);
    assertThatThrownBy(() -> NewFile.write(place, _ -> {})).hasMessage(message);
  }
}

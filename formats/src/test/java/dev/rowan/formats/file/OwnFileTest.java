package dev.rowan.formats.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OwnFileTest {
  @TempDir Path folder;
  private Path wanted = Path.of("");
  private final List<Path> left = new ArrayList<>();

  @BeforeEach
  void name() {
    wanted = folder.resolve("a");
  }

  private static void write(OwnFile file, String text) throws IOException {
    file.write(draft ->
        NewFile.write(
            draft,
            out -> out.append(MemorySegment.ofArray(text.getBytes(StandardCharsets.UTF_8)))));
  }

  @Test
  void replacesWhatItWrote() throws IOException {
    OwnFile file = OwnFile.fresh(wanted, left::add);
    assertThat(file.isThere()).isFalse();
    write(file, "first");
    write(file, "second");
    assertThat(file.isThere()).isTrue();
    assertThat(wanted).hasContent("second");
    assertThat(left).isEmpty();
    file.delete();
    assertThat(folder).isEmptyDirectory();
    write(file, "third");
    assertThat(wanted).hasContent("third");
  }

  @Test
  void leavesWhatIsThereAndGoesToAFreeName() throws IOException {
    Files.writeString(wanted, "theirs");
    Files.createDirectory(folder.resolve("a.2"));
    OwnFile file = OwnFile.fresh(wanted, left::add);
    write(file, "first");
    write(file, "second");
    assertThat(wanted).hasContent("theirs");
    assertThat(file.path()).isEqualTo(folder.resolve("a.3")).hasContent("second");
    assertThat(left).containsExactly(wanted, folder.resolve("a.2"));
    file.delete();
    assertThat(folder.toFile().list()).containsExactlyInAnyOrder("a", "a.2");
  }

  /** It has the size of what it replaces, and may have its number where that was deleted first. */
  @Test
  void leavesWhatTookItsPlace() throws IOException {
    OwnFile file = OwnFile.fresh(wanted, left::add);
    write(file, "first");
    FileTime before = Files.getLastModifiedTime(wanted);
    Files.delete(wanted);
    Files.writeString(wanted, "other");
    Files.setLastModifiedTime(wanted, FileTime.fromMillis(before.toMillis() + 1));
    assertThat(file.isThere()).isFalse();
    file.delete();
    write(file, "second");
    assertThat(wanted).hasContent("other");
    assertThat(file.path()).isEqualTo(folder.resolve("a.2")).hasContent("second");
  }

  @Test
  void whatComesWhileItIsWrittenIsLeftToo() throws IOException {
    OwnFile file = OwnFile.fresh(wanted, left::add);
    file.write(draft -> {
      Files.writeString(draft, "ours");
      if (!Files.exists(wanted)) {
        Files.writeString(wanted, "theirs");
      }
    });
    assertThat(wanted).hasContent("theirs");
    assertThat(folder.resolve("a.2")).hasContent("ours");
    assertThat(folder.toFile().list()).containsExactlyInAnyOrder("a", "a.2");
  }

  @Test
  void anotherRunOfTheJobGoesOn() throws IOException {
    Files.writeString(wanted, "first");
    OwnFile file = OwnFile.goingOn(wanted, left::add);
    assertThat(file.isThere()).isTrue();
    write(file, "second");
    assertThat(wanted).hasContent("second");
    file.delete();
    assertThat(folder).isEmptyDirectory();
  }

  @Test
  void replacesWhateverIsThereIfThatIsWanted() throws IOException {
    Files.writeString(wanted, "theirs");
    OwnFile file = OwnFile.replacing(wanted);
    write(file, "ours");
    assertThat(wanted).hasContent("ours");
    Files.writeString(wanted, "theirs again");
    file.delete(); // nothing is written in its stead
    assertThat(wanted).hasContent("theirs again");
    write(file, "ours");
    file.delete();
    assertThat(folder).isEmptyDirectory();
  }

  @Test
  void aFailureNamesTheFileAndLeavesTheOldOne() throws IOException {
    OwnFile file = OwnFile.fresh(wanted, left::add);
    for (String before : new String[] {"", "first"}) {
      if (!before.isEmpty()) {
        write(file, before);
      }
      assertThatThrownBy(() ->
              file.write(draft -> {
                throw new FileSystemException(draft.toString(), null, "no room");
              }))
          .hasMessage(wanted + ": no room");
    }
    assertThat(wanted).hasContent("first");
    assertThat(folder.toFile().list()).containsExactly("a");
  }
}

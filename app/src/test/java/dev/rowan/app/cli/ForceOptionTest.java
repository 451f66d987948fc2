package dev.rowan.app.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rowan.formats.file.NewFiles;
import dev.rowan.formats.write.NewFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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
  void allowsNewFilesAndRefusesFolders() {
    ForceOption option = new ForceOption();
    assertThatCode(() -> option.check(folder.resolve("new"))).doesNotThrowAnyException();
    option.force = true;
    assertThatThrownBy(() -> option.check(folder)).hasMessageContaining("is a folder; name a file");
  }

  @Test
  void refusesOnePlaceForTwoFiles() throws IOException {
    Path link = Files.createSymbolicLink(folder.resolve("link"), folder);
    for (Path again : List.of(folder.resolve("a"), folder.resolve("./a"), link.resolve("a"))) {
      assertThatThrownBy(
              () -> ForceOption.checkApart(List.of(folder.resolve("a"), again), List.of()))
          .isInstanceOf(UseException.class)
          .hasMessageContaining("one place");
    }
    Path inside = Files.createDirectory(folder.resolve("out")).resolve("a");
    assertThatThrownBy(
            () -> ForceOption.checkApart(List.of(inside, folder.resolve("out")), List.of()))
        .hasMessageContaining("one place");
    assertThatCode(() ->
            ForceOption.checkApart(
                List.of(folder.resolve("a"), folder.resolve("a.html")), List.of()))
        .doesNotThrowAnyException();
  }

  @Test
  void refusesToReplaceWhatIsReadEvenWhenForced() throws IOException {
    Path input = Files.writeString(folder.resolve("text"), "precious");
    Path soft = Files.createSymbolicLink(folder.resolve("soft"), input);
    Path hard = Files.createLink(folder.resolve("hard"), input);
    ForceOption option = new ForceOption();
    option.force = true;
    for (Path output : List.of(input, soft, hard)) {
      assertThatThrownBy(() -> option.check(List.of(output), List.of(input)))
          .isInstanceOf(UseException.class)
          .hasMessageContaining("is to be read and written");
    }
    assertThatThrownBy(() -> option.check(List.of(input), List.of(folder)))
        .isInstanceOf(UseException.class)
        .hasMessageContaining("which is read");
    assertThatCode(() -> option.check(List.of(folder.resolve("new")), List.of(input, folder)))
        .doesNotThrowAnyException();
  }

  @Test
  void refusesToReplaceWhatIsReadAlong() throws IOException {
    Path model = Files.writeString(folder.resolve("model.onnx"), "x");
    ForceOption forced = new ForceOption();
    forced.force = true;
    for (String beside :
        List.of(
            "tokenizer.json",
            "config.json",
            "model.onnx_data",
            "model-00002-of-00003.safetensors",
            "bert.ckpt.data-00000-of-00001",
            "qwen.tiktoken")) {
      Path file = Files.writeString(folder.resolve(beside), "precious");
      assertThatThrownBy(() -> forced.check(List.of(file), List.of(model)))
          .as(beside)
          .isInstanceOf(UseException.class)
          .hasMessageContaining("may be read along with");
      Files.delete(file); // a new file is no loss
      assertThatCode(() -> forced.check(List.of(file), List.of(model))).doesNotThrowAnyException();
    }
    Path other = Files.writeString(folder.resolve("model.onnx.svg"), "old");
    assertThatCode(() -> forced.check(List.of(other), List.of(model))).doesNotThrowAnyException();
  }

  @Test
  void refusesStdoutAndFoldersThatAreNotThere() {
    assertThatThrownBy(() -> ForceOption.checkApart(List.of(Path.of("-")), List.of()))
        .isInstanceOf(UseException.class)
        .hasMessageContaining("not written to stdout");
    assertThatThrownBy(
            () -> ForceOption.checkApart(List.of(folder.resolve("none/a.html")), List.of()))
        .isInstanceOf(NotDirectoryException.class)
        .hasMessage(folder.resolve("none").toString());
  }

  /** Each comes while the second file is written. */
  @Test
  void writesAllFilesOrNoneAndOverNothingThatCame() throws IOException {
    Map<Path, NewFiles.Writing> files = new LinkedHashMap<>();
    Path mine = folder.resolve("b");
    files.put(folder.resolve("a"), place -> Files.writeString(place, "ours"));
    files.put(
        mine,
        place -> {
          Files.writeString(place, "ours");
          if (!Files.exists(mine)) {
            Files.writeString(mine, "mine");
          }
        });
    ForceOption option = new ForceOption();
    assertThatThrownBy(() -> option.write(files))
        .isInstanceOf(UseException.class)
        .hasMessageStartingWith(mine + " came while this ran and is left as it is. Nothing was");
    assertThat(mine).hasContent("mine");
    assertThat(folder.toFile().list()).containsExactly("b");
    option.force = true;
    option.write(files);
    assertThat(mine).hasContent("ours");
    assertThat(folder.resolve("a")).hasContent("ours");
  }

  @Test
  void aFolderThatCameIsLeft() throws IOException {
    Path place = folder.resolve("new");
    assertThatThrownBy(() ->
            ForceOption.writeFolder(() ->
                NewFolder.write(
                    place,
                    draft -> {
                      Files.writeString(draft.resolve("x"), "ours");
                      Files.writeString(Files.createDirectory(place).resolve("x"), "mine");
                    })))
        .isInstanceOf(UseException.class)
        .hasMessageStartingWith(place + " came while this ran and is left as it is. Nothing was");
    assertThat(place.resolve("x")).hasContent("mine");
    assertThat(folder.toFile().list()).containsExactly("new");
  }
}

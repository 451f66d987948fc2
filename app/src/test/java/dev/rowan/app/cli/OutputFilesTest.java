package dev.rowan.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever is typed, a command loses neither what it reads nor what it writes. */
class OutputFilesTest extends Commands {
  private static final String TEXT = "the cat sat on the mat\n".repeat(50);
  private static final String WORDS = "4 2\ncat 1 2\ndog 3 4\nking 5 6\nthree 2 1\n";

  @BeforeEach
  void write() throws IOException {
    Files.writeString(folder.resolve("s.txt"), TEXT);
    Files.writeString(folder.resolve("m.vec"), "3 2\na 1 2\nb 3 4\nc 5 6\n");
    Files.writeString(Files.createDirectory(folder.resolve("full")).resolve("kept"), "precious");
  }

  private void refuses(String command, String message) throws IOException {
    int code = run(command);
    assertThat(told()).as(command).contains(message).doesNotContain(".tmp");
    assertThat(code).as(command).isIn(2, 3);
    assertThat(out.size()).as(command).isZero();
    assertThat(folder.resolve("s.txt")).hasContent(TEXT);
    assertThat(folder.resolve("m.vec")).content().startsWith("3 2");
    assertThat(folder.resolve("full/kept")).hasContent("precious");
    try (Stream<Path> files = Files.list(folder)) {
      assertThat(files).as(command).hasSize(3);
    }
  }

  @Test
  void refusesToChooseAmongTheWordsOfAGivenVocabulary() throws IOException {
    for (String option : new String[] {"--max-vocab 2", "--min-count 3"}) {
      refuses(
          "train @s.txt -o @r.safetensors --read-vocab @s.txt " + option,
          option.substring(0, 11) + " does not go with --read-vocab");
    }
  }

  @Test
  void refusesOnePlaceForTwoFiles() throws IOException {
    for (String report : new String[] {"@r", "@r.json", "@r.html"}) {
      refuses("train @s.txt -o @r.json --to word2vec --report " + report, "one place");
    }
    refuses("train @s.txt -o @r.vec --save-vocab @r.vec", "one place");
    refuses("train @s.txt -o @r.html --to word2vec --report @r.json", "one place");
    refuses("train @s.txt -o @r.vec --save-vocab @r.vec.checkpoint", "one place");
    refuses("-m @m.vec audit --html @a --write-baseline @a", "one place");
    refuses("-m @m.vec map a b c -o @a.svg -o @a.svg", "one place");
  }

  @Test
  void refusesToReplaceWhatItReads() throws IOException {
    String message = "is to be read and written";
    refuses("train @s.txt -o @s.txt --to word2vec --force", message);
    refuses("train @s.txt -o @v.vec --save-vocab @s.txt --force", message);
    refuses("-m @m.vec audit --html @m.vec --force", message);
    refuses("convert @m.vec @m.vec --force --to npy", message);
    refuses("train @full -o @full/kept --to word2vec --force", "which is read");
  }

  @Test
  void saysWhatIsWrongWithTheText() throws IOException {
    refuses("train @full/none -o @v.vec", "there is no file or folder");
    refuses("train @s.txt -o @v.vec --max-words 0", "--max-words 0: it takes 1 or more");
    refuses("train @s.txt -o @v.vec --resume", "there is no checkpoint to go on from");
    refuses("train @s.txt -o @v.vec --loss hierarchical --keep-output", "belong to no word");
    refuses("train @s.txt -o @v.vec --tokenizer @none --lower", "--lower does not go with");
    refuses(
        "train @s.txt -o @v.safetensors --objective next --sampled 6",
        "it takes 0 to 5, the different tokens");
  }

  @Test
  void refusesPointersAndEmptyFolders() throws IOException {
    Files.delete(folder.resolve("full/kept"));
    assertThat(run("train @full -o @v.vec")).isEqualTo(3);
    assertThat(told()).contains("full: holds no text file");
    Files.writeString(
        folder.resolve("full/text"),
        "version https://git-lfs.github.com/spec/v1\noid sha256:%s\nsize 12345\n"
            .formatted("0".repeat(64)));
    assertThat(run("train @full -o @v.vec")).isEqualTo(3);
    assertThat(told()).contains("is a Git LFS pointer, not the text");
  }

  @Test
  void checksPlacesBeforeItReadsText() throws IOException {
    // the text is not there, and yet what is told is the place
    refuses("train @none -o @full --to model2vec", "this folder is not empty");
    refuses("train @none -o @full --to word2vec", "is a folder; name a file in it");
    refuses("train @none -o @v.vec --report @full", "is a folder; name a file in it");
    refuses("train @none -o @v.vec --eval @nofile", "nofile");
    refuses("train @none -o - --to model2vec", "not written to stdout");
    refuses("convert @m.vec @full --to npy", "is a folder; name a file in it");
    refuses("-m @m.vec audit --html @nodir/a.html", "nodir; make it first");
  }

  private void come(String name) {
    try {
      Files.writeString(folder.resolve(name), "mine");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private List<String> names() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "convert @w.vec @o.npy | o.npy",
        "convert @w.vec @o.gguf | o.gguf",
        "-m @w.vec map cat dog king -o @o.svg -o @o.json | o.json",
        "-m @w.vec audit --html @o.html --write-baseline @o.json | o.json",
        "-m @w.vec audit --html @o.html --write-baseline @o.json | o.html",
        "-m @w.vec tour --picture @o.svg | o.svg",
      })
  void whatComesMeanwhileIsReplacedWithForceOnly(String command, String came) throws IOException {
    Files.writeString(folder.resolve("w.vec"), WORDS);
    List<String> before = new ArrayList<>(names());
    assertThat(runUntilOpen(command, () -> come(came))).isEqualTo(Failures.USE);
    assertThat(told())
        .contains(
            "%s came while this ran and is left as it is. Nothing was written: move that away or add --force or name another file, and type the same command again"
                .formatted(folder.resolve(came)));
    assertThat(folder.resolve(came)).hasContent("mine");
    before.add(came);
    assertThat(names()).containsExactlyInAnyOrderElementsOf(before);
    Files.delete(folder.resolve(came));
    assertThat(runUntilOpen(command + " --force", () -> come(came))).as(told()).isZero();
    assertThat(folder.resolve(came)).content(StandardCharsets.ISO_8859_1).isNotEqualTo("mine");
  }

  @ParameterizedTest
  @ValueSource(strings = {"model2vec", "projector", "safetensors"})
  void whatComesToTheNameOfAFolderIsLeft(String format) throws IOException {
    List<String> before = new ArrayList<>(names());
    before.add("o");
    String command = "convert @m.vec @o --to " + format;
    assertThat(runUntilOpen(command + " --force", () -> come("o"))).isEqualTo(Failures.USE);
    assertThat(told())
        .contains(
            "%s came while this ran and is left as it is. Nothing was written: move that away or name another folder, and type the same command again"
                .formatted(folder.resolve("o")));
    assertThat(folder.resolve("o")).hasContent("mine");
    assertThat(names()).containsExactlyInAnyOrderElementsOf(before);
    Files.delete(folder.resolve("o"));
    done(command);
    assertThat(folder.resolve("o")).isDirectory();
  }

  @Test
  void thePictureOfATourReplacesNothing() throws IOException {
    Files.writeString(folder.resolve("w.vec"), WORDS);
    come("o.svg");
    assertThat(run("-m @w.vec tour --picture @o.svg")).isEqualTo(Failures.USE);
    assertThat(told()).contains("o.svg is there already; --force replaces it");
    assertThat(answered()).isEmpty();
    assertThat(folder.resolve("o.svg")).hasContent("mine");
  }
}

package dev.rowan.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is typed wrong is told in the words that it was typed in. */
class MisuseTest extends Commands {
  @BeforeEach
  void write() throws IOException {
    Files.writeString(folder.resolve("t.txt"), "the cat sat on the mat\n".repeat(50));
    Files.writeString(folder.resolve("m.vec"), "3 2\na 1 2\nb 3 4\nc 5 6\n");
  }

  private String told(String command) {
    assertThat(run(command)).as(command).isEqualTo(2);
    assertThat(out.size()).as(command).isZero();
    return told();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--width 0 | -d/--width 0: it takes 1 to 10,000",
        "-d -5 | -d/--width -5: it takes 1 to 10,000",
        "-w 0 | -w/--window 0: it takes 1 to 1,000",
        "--epochs 0 | -e/--epochs 0: it takes 1 to 10,000",
        "--negatives 1001 | --negatives 1001: it takes 1 to 1,000",
        "--power NaN | --power NaN: it takes −2 to 2",
        "--rate 0 | --rate 0: it takes more than 0, up to 10",
        "--rate NaN | --rate NaN: it takes more than 0, up to 10",
        "--subsample 1 | --subsample 1: it takes 0 to less than 1",
        "--sentence-words 1 | --sentence-words 1: it takes 2 to 100,000",
        "--blocks 1 | --blocks 1: it takes 2 to 64",
        "--subwords 6-3 | --subwords 6-3: it takes lengths of 1 to 32 characters",
        "--subwords 3 --buckets 0 | --buckets 0: it takes 1 or more",
        "--min-count 0 | --min-count 0: it takes 1 or more",
        "--max-vocab 1 | --max-vocab 1: it takes 2 or more",
        "--max-documents 0 | --max-documents 0: it takes 1 or more",
        "--max-words 0 | --max-words 0: it takes 1 or more",
        "--phrases 0 | --phrases 0: it takes 1 to 10",
        "--phrases --phrase-threshold -1 | --phrase-threshold -1: it takes 0 or more",
        "--phrases --phrase-min-count 0 | --phrase-min-count 0: it takes 1 or more",
        "--checkpoint-minutes -1 | --checkpoint-minutes -1: it takes 0 to 1,000,000",
        "--threads 0 | --threads 0: it takes 1 to 1,024",
        "--objective glove --x-max 0 | --x-max 0: it takes more than 0, finite",
        "--objective glove --alpha 11 | --alpha 11: it takes 0 to 10",
        "--objective next --history 0 | --history 0: it takes 1 to 64",
        "--objective next --hidden -1 | --hidden -1: it takes 0 to 65,536",
        "--objective next --batch 0 | --batch 0: it takes 1 to 65,536",
        "--objective next --held-out 1 | --held-out 1: it takes more than 0 and less than 0.5",
        "--rate abc | --rate \"abc\": it takes a number",
        "--subsample a | --subsample \"a\": it takes a number, such as 0.001",
        "--negatives 1.5 | --negatives \"1.5\": it takes a whole number, such as 5",
        "-d 9999999999 | -d/--width \"9999999999\": it takes 2,147,483,647 at most",
        "--loss x | --loss \"x\": it takes negative or hierarchical",
      })
  void namesTheOptionAndWhatItTakes(String options, String message) {
    assertThat(told("train @t.txt -o @v.safetensors " + options)).startsWith("rowan: " + message);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "-m @m.vec train @t.txt -o @v.vec | --from MODEL is what begins with a table",
        "train @t.txt -o @v.vec --table input | --table says nothing to train",
        "train @t.txt -o @v.vec --tensor x | --tensor goes with --from MODEL only",
        "train - - -o @v.vec | - is given twice: stdin can be read once",
        "train @t.txt -o @v.vec --subwords --freeze @t.txt | --freeze does not go with --subwords",
        "train @t.txt -o @v.vec -d 2 --freeze @no.txt | none of its 2 words has a row",
        "--threads 1 train @t.txt -o @v.vec --threads 0 | --threads 0: it takes 1 to 1,024",
        "--threads 1025 near a | --threads 1025: it takes 1 to 1,024",
      })
  void trainSaysWhatItDoesNotTake(String command, String message) throws IOException {
    Files.writeString(folder.resolve("no.txt"), "zebra\nyak\n");
    assertThat(told(command)).contains(message);
    assertThat(folder.resolve("v.vec")).doesNotExist();
  }

  private String remarks(String options) {
    assertThat(run("--threads 1 train @t.txt --force -d 2 " + options)).as(told()).isZero();
    return told() + answered();
  }

  // the text has five words: the, cat, sat, on, mat
  @Test
  void trainSaysWhatRowsBeganWithAndWhichAreHeld() throws IOException {
    Files.writeString(folder.resolve("from.vec"), "3 2\ncat 1 2\nmat 3 4\nyak 5 6\n");
    Files.writeString(folder.resolve("still.txt"), "cat\nyak\nzebra\n");
    assertThat(remarks("-o @v.vec --from @from.vec --freeze @still.txt"))
        .contains("2 of 5 rows begin with those of ")
        .contains("1 row is held still, of 3 words in ");
    assertThat(remarks("-o @v.vec --from @m.vec")).contains("no word of ").contains(" has a row");
  }

  @Test
  void trainSaysThatRowsOfNGramsAreLost() {
    String lost = "the rows of n-grams were not written";
    String grams = " --subwords --buckets 100";
    assertThat(remarks("-o @v.vec" + grams)).contains(lost);
    assertThat(remarks("-o @v.vec --keep-output" + grams)).contains(lost);
    assertThat(remarks("-o @w --to word2vec-binary" + grams)).contains(lost);
    assertThat(remarks("-o @v.safetensors --keep-output" + grams)).doesNotContain(lost);
    assertThat(remarks("-o @v.bin" + grams)).doesNotContain(lost);
  }

  @Test
  void trainSaysWhyATestSetIsNotMeasured() throws IOException {
    Files.writeString(folder.resolve("pairs.txt"), "cat\tmat\t9\ncat\tyak\t1\nyak\tgnu\t8\n");
    Files.writeString(folder.resolve("asked.txt"), ": animals\na b c d\n");
    assertThat(remarks("-o @v.vec --eval @pairs.txt @asked.txt --report @r"))
        .contains("pairs.txt: not measured: 1 of 3 pairs have both words")
        .contains("asked.txt: not measured: no question has all its words")
        .doesNotContain("NaN");
    assertThat(Files.readString(folder.resolve("r.json")))
        .contains("\"what\":\"raw\",\"value\":null,\"used\":0,\"total\":1");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "near a -k -1 | -k -1: it takes 0 or more",
        "stats --directions -1 | --directions -1: it takes 0 or more",
        "stats --sample 1 | --sample 1: it takes 2 to 20,000",
        "corner --from 4 | --from 4: it takes 0 to 3",
        "corner --columns -2 | --columns -2: it takes 0 or more",
        "step --train -1 | --train -1: it takes 0 to",
        "map --method tsne --perplexity 0 | --perplexity 0: it takes 1 or more",
        "score a --temperature 0 | --temperature 0: it takes more than 0, finite",
        "audit --outlier NaN | --outlier NaN: it takes more than 0",
        "stats --without -5 | --without -5: it takes 0 or more",
        "doesnt-match a | TOKEN a: it takes 2 or more, not 1",
        "edit @m.vec -o @x --swap a | --swap a: it takes 2, not 1",
        "score --final-norm a | score takes either a token or --vector FILE; --final-norm took \"a\": put the token before it",
        "near a -k 1 -k 2 | -k is given more than once; leave one away",
        "cache prune --unused -1 | --unused -1: it takes 0 or more",
        "serve --port 65536 | --port 65536: it takes 0 to 65,535",
        "audit --initial-sd 0 | --initial-sd 0: it takes more than 0",
      })
  void otherVerbsSpeakAlike(String command, String message) {
    assertThat(told("-m @m.vec " + command)).startsWith("rowan: " + message);
  }

  @Test
  void anEmptyNameIsNoPlaceToWriteTo() {
    for (String command :
        new String[] {
          "convert @m.vec  --to npy",
          "convert @m.vec  --to safetensors",
          "train @t.txt -o ",
          "edit @m.vec --grow 2 -o ",
          "-m @m.vec audit --html "
        }) {
      assertThat(told(command)).contains("\"\" is not the name of a file");
    }
  }

  @Test
  void diffNamesItsOwnOption() {
    assertThat(told("diff @m.vec @m.vec -k 0")).startsWith("rowan: -k 0: it takes 1 to 1,000");
    assertThat(told("diff @m.vec @m.vec --bands 0")).startsWith("rowan: --bands 0: it takes 1");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--watch cat the @t.txt | --watch takes all words behind it, up to the next option (\"cat\", \"the\", ",
        "--eval @a @t.txt | --eval takes all words behind it, up to the next option (",
      })
  void saysWhichOptionTookTheText(String options, String message) {
    assertThat(told("train -o @v.vec " + options))
        .contains("'TEXT'; " + message)
        .contains("put TEXT before --");
  }

  @Test
  void anOptionWhoseNumberIsLeftAwayDoesNotTakeTheText() {
    assertThat(run("train -o @v.safetensors -d 4 -e 1 --phrases @t.txt")).as(told()).isZero();
    assertThat(run("train -o @w.safetensors -d 4 -e 1 --buckets 50 --subwords @t.txt"))
        .as(told())
        .isZero();
    assertThat(run("train -d 4 -e 1 --buckets 50 --subwords 2-3 @t.txt -o @x.safetensors"))
        .as(told())
        .isZero();
    assertThat(run("train @t.txt -o @y.safetensors -d 4 -e 1 --watch cat the")).as(told()).isZero();
    assertThat(told("train @t.txt -o @z.safetensors --phrases=two"))
        .startsWith("rowan: --phrases \"two\": it takes a whole number");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--context sum | --context goes with --objective cbow only",
        "--loss hierarchical --negatives 3 | --negatives goes with --loss negative only",
        "--buckets 10 | --buckets goes with --subwords only",
        "--subwords 3-6 --blocks 2 | --blocks does not go with --subwords",
        "--objective cbow --blocks 2 | --blocks goes with --objective skipgram only",
        "--objective cbow --context sum --subwords 3 | --context sum does not go with --subwords",
      })
  void refusesOptionsThatWouldDoNothing(String options, String message) {
    assertThat(told("train @t.txt -o @v.safetensors " + options)).startsWith("rowan: " + message);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "convert @m.vec @x.vec --to fasttext | the ending of \"x.vec\" means word2vec: leave --to away, or write to \"x.bin\"",
        "convert @m.vec @x.npy --to csv | the ending of \"x.npy\" means npy: leave --to away, or write to \"x.csv\"",
        "convert @m.vec @x.vec --to glove | the ending of \"x.vec\" means word2vec: leave --to away, or write to \"x.txt\"",
        "convert @m.vec @x.gguf --to model2vec | the ending of \"x.gguf\" means gguf: leave --to away, or write to \"x\"",
        "train @t.txt -o @x.vec --to fasttext | the ending of \"x.vec\" means word2vec: leave --to away, or write to \"x.bin\"",
        "train @t.txt -o @x.safetensors --to gguf | means safetensors: leave --to away, or write to \"x.gguf\"",
        "convert @m.vec @x.vec --to nonsense | --to \"nonsense\": it takes safetensors, ",
      })
  void refusesTheEndingOfAnotherFormat(String command, String message) throws IOException {
    assertThat(told(command)).contains(message);
    try (Stream<Path> files = Files.list(folder)) {
      assertThat(files).hasSize(2);
    }
  }

  @Test
  void takesAnEndingThatMeansNothingOrTheSame() {
    for (String target :
        new String[] {"@x.txt --to glove", "@x.VEC --to word2vec", "@x.dat --to csv"}) {
      assertThat(run("convert @m.vec " + target)).as(told()).isZero();
    }
  }

  @Test
  void saysWhereWordsWithoutARowHaveAVector() {
    String train = "train @t.txt -d 4 -e 1 --subwords 2-3 --buckets 50 -o ";
    assertThat(run(train + "@kept.safetensors --keep-output")).isZero();
    assertThat(run(train + "@bare.safetensors")).isZero();
    for (String verb : new String[] {"near hat", "row hat", "similar hat cat"}) {
      assertThat(told("-m @kept.safetensors " + verb))
          .contains("no token \"hat\"", "trained with character n-grams")
          .contains("kept.safetensors OUT.bin --to fasttext");
      assertThat(told("-m @bare.safetensors " + verb))
          .contains("the rows of n-grams were not kept; train -o OUT.bin");
    }
    assertThat(run("convert @kept.safetensors @kept.bin --to fasttext")).isZero();
    assertThat(run("-m @kept.bin near hat")).as(told()).isZero();
  }

  @Test
  void spellsNumberFormatsOneWay() {
    assertThat(run("train @t.txt -d 4 -e 1 --subwords 2-3 --buckets 50 -o @m.bin"))
        .as(told())
        .isZero();
    for (String options : new String[] {"", "--json "}) {
      assertThat(run(options + "info @m.bin --all")).isZero();
      assertThat(answered()).contains("f32").doesNotContain("F32");
    }
  }
}

package dev.rowan.checks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.rowan.checks.Rowan.Outcome;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A model that was trained with n-grams and converted stands in fastText's own layout: read here
 * byte by byte, as fastText's {@code Args::load}, {@code Dictionary::load} and {@code
 * DenseMatrix::load} do, by nothing of ours.
 */
class FastTextIT {
  private static final int WIDTH = 12;
  private static final int BUCKETS = 500;

  @TempDir static Path folder;

  private static final Map<String, Long> counts = new HashMap<>(); // of the text, by a plain map
  private static Model model;

  /** A file of fastText's. */
  private record Model(
      Map<String, Integer> args,
      Map<String, Long> words,
      long tokens,
      List<float[]> input,
      List<float[]> output,
      int bytesLeft) {}

  @BeforeAll
  static void trainAndConvert() throws IOException {
    String[] stems = {"cat", "dog", "café", "наука", "running", "x", "𝄞"};
    Random random = new Random(1);
    StringBuilder text = new StringBuilder();
    for (int i = 1; i <= 4000; i++) {
      String word = stems[random.nextInt(stems.length)] + random.nextInt(10);
      counts.merge(word, 1L, Long::sum);
      text.append(word).append(i % 10 == 0 ? '\n' : ' ');
    }
    text.append("once\n"); // comes less than twice
    Path corpus = Files.writeString(folder.resolve("text.txt"), text);
    Outcome trained =
        Rowan.run(
            "--threads",
            "1",
            "train",
            corpus.toString(),
            "-o",
            folder.resolve("v.safetensors").toString(),
            "--keep-output",
            "--subwords",
            "2-4",
            "--buckets",
            "" + BUCKETS,
            "-d",
            "" + WIDTH,
            "--window",
            "3",
            "--negatives",
            "4",
            "--min-count",
            "2",
            "--epochs",
            "2",
            "--subsample",
            "0");
    assertThat(trained.code()).as(trained.err()).isZero();
    Outcome converted =
        Rowan.run(
            "convert",
            folder.resolve("v.safetensors").toString(),
            folder.resolve("v.bin").toString(),
            "--to",
            "fasttext");
    assertThat(converted.code()).as(converted.err()).isZero();
    model = read(folder.resolve("v.bin"));
  }

  private static Model read(Path file) throws IOException {
    ByteBuffer in = ByteBuffer.wrap(Files.readAllBytes(file)).order(ByteOrder.LITTLE_ENDIAN);
    assertThat(in.getInt()).as("magic").isEqualTo(793_712_314);
    assertThat(in.getInt()).as("version").isEqualTo(12);
    Map<String, Integer> args = new HashMap<>();
    for (String name :
        List.of(
            "dim",
            "ws",
            "epoch",
            "minCount",
            "neg",
            "wordNgrams",
            "loss",
            "model",
            "bucket",
            "minn",
            "maxn",
            "lrUpdateRate")) {
      args.put(name, in.getInt());
    }
    in.getDouble(); // the threshold of subsampling
    int size = in.getInt();
    assertThat(in.getInt()).as("words").isEqualTo(size);
    assertThat(in.getInt()).as("labels").isZero();
    long tokens = in.getLong();
    assertThat(in.getLong()).as("pruned rows").isEqualTo(-1);
    Map<String, Long> words = new LinkedHashMap<>();
    for (int w = 0; w < size; w++) {
      int start = in.position();
      int length = 0;
      while (in.get() != 0) {
        length++;
      }
      words.put(new String(in.array(), start, length, StandardCharsets.UTF_8), in.getLong());
      assertThat(in.get()).as("type of an entry: a word").isZero();
    }
    List<float[]> input = matrix(in);
    List<float[]> output = matrix(in);
    return new Model(args, words, tokens, input, output, in.remaining());
  }

  private static List<float[]> matrix(ByteBuffer in) {
    assertThat(in.get()).as("quantised").isZero();
    long rows = in.getLong();
    long width = in.getLong();
    assertThat(rows * width * Float.BYTES).isBetween(0L, (long) in.remaining());
    List<float[]> matrix = new ArrayList<>();
    for (long row = 0; row < rows; row++) {
      float[] values = new float[(int) width];
      for (int i = 0; i < width; i++) {
        values[i] = in.getFloat();
      }
      matrix.add(values);
    }
    return matrix;
  }

  @Test
  void holdsTheSettings() {
    assertThat(model.args())
        .containsAllEntriesOf(
            Map.of(
                "dim",
                WIDTH,
                "ws",
                3,
                "epoch",
                2,
                "minCount",
                2,
                "neg",
                4,
                "wordNgrams",
                1,
                "bucket",
                BUCKETS,
                "minn",
                2,
                "maxn",
                4))
        .containsEntry("loss", 2) // negative sampling
        .containsEntry("model", 2); // skip-gram
  }

  @Test
  void holdsTheWordsAndHowOftenTheyCame() {
    assertThat(model.words()).isEqualTo(counts);
    assertThat(List.copyOf(model.words().values()))
        .isSortedAccordingTo((a, b) -> Long.compare(b, a));
    assertThat(model.tokens()).isEqualTo(4000);
  }

  @Test
  void holdsARowForEachWordAndBucketAndNothingBehindThem() {
    assertThat(model.input()).hasSize(counts.size() + BUCKETS);
    assertThat(model.output()).hasSize(counts.size());
    assertThat(model.input()).allMatch(row -> row.length == WIDTH);
    assertThat(model.bytesLeft()).isZero();
  }

  @Test
  void meansOfRowsAreTheVectorsOfWords() {
    for (String word : List.of("cat3", "café7", "наука0", "𝄞5")) {
      assertVector(word, "v.safetensors");
      assertVector(word, "v.bin");
    }
  }

  /** The mean of a word's row and those of its n-grams is what the program says of the word. */
  private static void assertVector(String word, String file) {
    List<float[]> rows = new ArrayList<>();
    rows.add(model.input().get(List.copyOf(model.words().keySet()).indexOf(word)));
    for (int bucket : buckets("<" + word + ">")) {
      rows.add(model.input().get(model.words().size() + bucket));
    }
    Json values =
        Rowan.run("--json", "-m", folder.resolve(file).toString(), "row", word)
            .json()
            .at("rows")
            .at(0)
            .at("values");
    for (int i = 0; i < WIDTH; i++) {
      int column = i;
      double mean = rows.stream().mapToDouble(row -> row[column]).average().orElseThrow();
      assertThat(values.at(i).number()).as("%s of %s", i, word).isCloseTo(mean, within(1e-5));
    }
  }

  /** n-grams of 2 to 4 characters; FNV-1a of their bytes, each sign-extended as fastText does. */
  private static List<Integer> buckets(String word) {
    int[] characters = word.codePoints().toArray();
    List<Integer> buckets = new ArrayList<>();
    for (int from = 0; from < characters.length; from++) {
      for (int n = 2; n <= 4 && from + n <= characters.length; n++) {
        int hash = (int) 2_166_136_261L;
        for (byte b : new String(characters, from, n).getBytes(StandardCharsets.UTF_8)) {
          hash = (hash ^ b) * 16_777_619;
        }
        buckets.add(Integer.remainderUnsigned(hash, BUCKETS));
      }
    }
    return buckets;
  }

  // known values of the hash, so that the test and the program are not wrong together
  @Test
  void hashIsThatOfFastText() {
    assertThat(buckets("cat")).containsExactly(bucket("ca"), 108_289_031 % BUCKETS, bucket("at"));
  }

  private static int bucket(String two) {
    return buckets(two).getFirst();
  }
}

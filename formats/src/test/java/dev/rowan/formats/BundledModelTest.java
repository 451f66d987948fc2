package dev.rowan.formats;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowan.core.Lexicon;
import dev.rowan.core.Spelling;
import dev.rowan.core.Vocabulary;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A real ONNX model; the expected numbers were read by an independent implementation. */
class BundledModelTest {
  @TempDir Path folder;

  @Test
  void readsTheInputTableAndTheTokensOfMiniLm() throws IOException {
    extract("/all-minilm-l6-v2.onnx", "model.onnx");
    extract("/all-minilm-l6-v2-tokenizer.json", "tokenizer.json");

    try (Lexicon model = Models.open(folder)) {
      assertThat(model.origin().format()).isEqualTo("onnx");
      assertThat(model.input().tensor()).isEqualTo("embeddings.word_embeddings.weight");
      assertThat(model.input().table().rows()).isEqualTo(30522);
      assertThat(model.input().table().width()).isEqualTo(384);
      assertThat(corner(model, 0))
          .containsExactly(
              -0.019989013671875,
              -0.0034027099609375,
              -0.014678955078125,
              0.0117034912109375,
              -0.0032482147216796875,
              0.012664794921875);
      assertThat(corner(model, 2332))
          .containsExactly(
              -0.02745634876191616,
              0.022507917135953903,
              -0.06231093034148216,
              -0.10167714208364487,
              0.015621854923665524,
              0.008820208720862865);
      assertThat(corner(model, 4937))
          .containsExactly(
              0.03254606947302818,
              -0.032863881438970566,
              0.06211727112531662,
              0.03036976046860218,
              -0.09235375374555588,
              0.009836598299443722);
      Vocabulary vocabulary = model.vocabulary().orElseThrow();
      assertThat(vocabulary.spelling()).isEqualTo(Spelling.WORDPIECE);
      assertThat(vocabulary.tokens()).isEqualTo(30522);
      assertThat(vocabulary.id("cat")).hasValue(4937);
      assertThat(vocabulary.id("##cat")).hasValue(11266);
      assertThat(vocabulary.id("kitten")).hasValue(18401);
      assertThat(model.rowsWithoutToken()).isZero();
      assertThat(model.notes()).isEmpty();
    }
  }

  private static double[] corner(Lexicon model, int id) {
    float[] row = model.input().table().row(id);
    return IntStream.range(0, 6).mapToDouble(i -> row[i]).toArray(); // exact
  }

  private void extract(String resource, String name) throws IOException {
    try (InputStream in =
        Objects.requireNonNull(BundledModelTest.class.getResourceAsStream(resource))) {
      Files.copy(in, folder.resolve(name));
    }
  }
}

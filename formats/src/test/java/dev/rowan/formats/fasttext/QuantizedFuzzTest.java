package dev.rowan.formats.fasttext;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.rowan.core.Lexicon;
import dev.rowan.formats.FuzzFile;
import dev.rowan.formats.Models;
import java.io.IOException;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.MethodSource;

/** Product-quantised, pruned and supervised models of any bytes give vectors or a reason. */
class QuantizedFuzzTest {
  static Stream<byte[]> seeds() {
    return Stream.of(
        FastTextFixture.quantized(false).toBytes(),
        FastTextFixture.quantized(true).toBytes(),
        FastTextFixture.supervised(),
        FastTextFixture.old());
  }

  @MethodSource("seeds")
  @FuzzTest(maxDuration = "4m")
  void refusesOrReads(byte[] bytes) throws IOException {
    FuzzFile.refusesOrReads(
        bytes,
        ".ftz",
        file -> {
          try (Lexicon model = Models.open(file)) {
            long rows = Math.min(100, model.input().table().rows());
            for (long row = 0; row < rows; row++) {
              model.input().table().row(row);
            }
            model.vocabulary();
            model
                .subwords()
                .ifPresent(subwords -> {
                  subwords.vectorOf("cats");
                  subwords.vectorOf("głowa");
                  subwords.partsOf("");
                });
          }
        });
  }
}

package dev.rowan.formats.tokenizer;

import static dev.rowan.formats.tokenizer.SentencePieceModelTest.message;
import static dev.rowan.formats.tokenizer.SentencePieceModelTest.piece;
import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.rowan.formats.FuzzFile;
import java.io.IOException;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.MethodSource;

/** Any bytes either are a SentencePiece model or are refused with a reason. */
class SentencePieceFuzzTest {
  static Stream<byte[]> seeds() {
    byte[] unigram =
        message(model -> {
          piece(model, "<unk>", 0, 2);
          piece(model, "▁", -2, 1);
          piece(model, "▁the", -3.25f, 1);
          piece(model, "<mask>", 0, 4);
          piece(model, "unused", 0, 5);
          model.writeByteArray(2, message(trainer -> trainer.writeEnum(3, 1)));
        });
    return Stream.of(SentencePieceModelTest.small(), unigram);
  }

  @MethodSource("seeds")
  @FuzzTest(maxDuration = "4m")
  void refusesOrReads(byte[] bytes) throws IOException {
    FuzzFile.refusesOrReads(
        bytes,
        ".model",
        file -> {
          var model = SentencePieceModel.read(file);
          for (int id = 0; id < model.vocabulary().size(); id++) {
            assertThat(model.vocabulary().text(id)).isNotNull();
            assertThat(model.pieces().kind(id)).isNotNull();
          }
        });
  }
}

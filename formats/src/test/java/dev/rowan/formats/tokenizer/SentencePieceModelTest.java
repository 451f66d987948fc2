package dev.rowan.formats.tokenizer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedOutputStream;
import dev.rowan.core.Spelling;
import dev.rowan.formats.file.FormatException;
import dev.rowan.formats.file.UnsupportedFormatException;
import dev.rowan.formats.tokenizer.Pieces.Kind;
import dev.rowan.formats.tokenizer.TokenizerModel.Lead;
import dev.rowan.formats.tokenizer.TokenizerModel.PieceChoice;
import dev.rowan.formats.tokenizer.TokenizerModel.SentencePiece;
import dev.rowan.formats.tokenizer.TokenizerModel.Spaces;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Messages written with Google's protobuf library. */
class SentencePieceModelTest {
  @TempDir Path folder;

  /** Writes the fields of a message. */
  interface Fields {
    void write(CodedOutputStream out) throws IOException;
  }

  static byte[] message(Fields fields) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    CodedOutputStream out = CodedOutputStream.newInstance(bytes);
    try {
      fields.write(out);
      out.flush();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
    return bytes.toByteArray();
  }

  static void piece(CodedOutputStream model, String text, float score, int kind)
      throws IOException {
    model.writeByteArray(
        1,
        message(piece -> {
          piece.writeString(1, text);
          piece.writeFloat(2, score);
          piece.writeEnum(3, kind);
        }));
  }

  static byte[] small() {
    return message(model -> {
      piece(model, "<unk>", 0, 2);
      piece(model, "<s>", 0, 3);
      piece(model, "<0x41>", 0, 6);
      piece(model, "▁cat", -1.5f, 1);
      model.writeByteArray(2, message(trainer -> trainer.writeEnum(3, 2)));
      model.writeByteArray(
          3,
          message(normalizer -> {
            normalizer.writeString(1, "identity");
            normalizer.writeBytes(2, ByteString.copyFrom(new byte[] {0, 0, 0, 0}));
            normalizer.writeBool(4, false);
          }));
    });
  }

  private Path write(byte[] bytes) throws IOException {
    return Files.write(folder.resolve("tokenizer.model"), bytes);
  }

  @Test
  void readsPiecesAndRules() throws IOException {
    SentencePiece model = SentencePieceModel.read(write(small()));
    assertThat(model.vocabulary().spelling()).isEqualTo(Spelling.SENTENCEPIECE);
    assertThat(model.vocabulary().text(3)).isEqualTo("▁cat");
    assertThat(model.pieces().score(3)).isEqualTo(-1.5f);
    assertThat(model.pieces().kind(1)).isEqualTo(Kind.CONTROL);
    assertThat(model.pieces().kind(2)).isEqualTo(Kind.BYTE);
    assertThat(model.choice()).isEqualTo(PieceChoice.BPE);
    assertThat(model.rules().lead()).isEqualTo(Lead.SPACE_BEFORE);
    assertThat(model.rules().spaces()).isEqualTo(Spaces.KEPT);
    assertThat(model.rules().charsmap().byteSize()).isEqualTo(4);
  }

  @Test
  void isTheDefaultWhereNothingIsSaid() throws IOException {
    SentencePiece model = SentencePieceModel.read(write(message(out -> piece(out, "a", 0, 1))));
    assertThat(model.choice()).isEqualTo(PieceChoice.UNIGRAM);
    assertThat(model.rules().spaces()).isEqualTo(Spaces.COLLAPSED);
    assertThat(model.rules().charsmap().byteSize()).isZero();
  }

  @Test
  void readsTheTokensOfAModelThatCannotSplit() throws IOException {
    Path words =
        write(
            message(out -> {
              piece(out, "▁cat", 0, 1);
              out.writeByteArray(2, message(trainer -> trainer.writeEnum(3, 3)));
            }));
    assertThat(SentencePieceModel.vocabulary(words).size()).isEqualTo(1);
    assertThatThrownBy(() -> SentencePieceModel.read(words))
        .isInstanceOf(UnsupportedFormatException.class)
        .hasMessageContaining("is a SentencePiece model of type 3 (3 word, 4 character)");
  }

  @Test
  void refusesEveryCutOrReadsFewerPieces() throws IOException {
    byte[] whole = small();
    int refused = 0;
    for (int length = 0; length < whole.length; length++) {
      Path cut = write(Arrays.copyOf(whole, length));
      try {
        // a cut between two fields leaves a valid model, which is all that protobuf can tell
        assertThat(SentencePieceModel.vocabulary(cut).size()).isBetween(1, 4);
      } catch (FormatException e) {
        refused++;
        assertThat(e).hasMessageContaining("tokenizer.model: ");
      }
    }
    assertThat(refused).isGreaterThan(whole.length - 8);
  }

  @Test
  void tellsItselfFromText() {
    assertThat(SentencePieceModel.isOne(MemorySegment.ofArray(small()))).isTrue();
    assertThat(
            SentencePieceModel.isOne(
                MemorySegment.ofArray("\nthe\ncat\n".getBytes(StandardCharsets.UTF_8))))
        .isFalse();
    assertThat(
            SentencePieceModel.isOne(
                MemorySegment.ofArray("\n{\"a\": 1}".getBytes(StandardCharsets.UTF_8))))
        .isFalse();
  }
}

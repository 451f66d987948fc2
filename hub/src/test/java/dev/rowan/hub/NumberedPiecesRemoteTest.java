package dev.rowan.hub;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowan.core.Vocabulary;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Tokenizers that need other files beside them to know which id a piece has. */
class NumberedPiecesRemoteTest extends HubFixture {
  /** ModelProto 1 pieces; SentencePiece 1 piece, 2 score (float), 3 type. */
  private static void piece(ByteArrayOutputStream model, String text, int type) {
    byte[] name = Sample.text(text);
    ByteArrayOutputStream piece = new ByteArrayOutputStream();
    piece.write(1 << 3 | 2);
    piece.write(name.length);
    piece.writeBytes(name);
    piece.write(2 << 3 | 5);
    piece.writeBytes(ByteBuffer.allocate(4).order(ByteOrder.LITTLE_ENDIAN).putFloat(-1f).array());
    piece.write(3 << 3);
    piece.write(type);
    model.write(1 << 3 | 2);
    model.write(piece.size());
    model.writeBytes(piece.toByteArray());
  }

  /** The ids are those that Python's XLMRobertaTokenizer gives: two marks more in front. */
  @Test
  void theConfigTellsWhoseIdsPiecesHave() throws IOException {
    ByteArrayOutputStream model = new ByteArrayOutputStream();
    piece(model, "<unk>", 2);
    piece(model, "<s>", 3);
    piece(model, "</s>", 3);
    piece(model, "\u2581a", 1);
    piece(model, "b", 1);
    server
        .withLarge(
            "model.safetensors",
            Sample.safetensors(
                LAYER, Sample.Tensor.of("roberta.embeddings.word_embeddings.weight", 7, 4, 1)))
        .with("config.json", Sample.text("{\"model_type\":\"xlm-roberta\",\"vocab_size\":7}"))
        .with("sentencepiece.bpe.model", model.toByteArray());
    Vocabulary words = inspect(SPEC).vocabulary().orElseThrow();
    assertThat(words.size()).isEqualTo(7);
    assertThat(IntStream.range(0, 7).mapToObj(words::stored))
        .containsExactly("<s>", "<pad>", "</s>", "<unk>", "\u2581a", "b", "<mask>");
  }
}

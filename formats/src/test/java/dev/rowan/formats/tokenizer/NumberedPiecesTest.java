package dev.rowan.formats.tokenizer;

import static dev.rowan.formats.tokenizer.SentencePieceModelTest.message;
import static dev.rowan.formats.tokenizer.SentencePieceModelTest.piece;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rowan.core.Vocabulary;
import dev.rowan.formats.file.FormatException;
import dev.rowan.formats.file.UnsupportedFormatException;
import dev.rowan.formats.tokenizer.TokenizerModel.Lead;
import dev.rowan.formats.tokenizer.TokenizerModel.SentencePiece;
import dev.rowan.formats.tokenizer.TokenizerModel.Trim;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The token of every id, as {@code convert_ids_to_tokens} of transformers 4.57.3's slow classes
 * gives it with the same files.
 */
class NumberedPiecesTest {
  @TempDir Path folder;

  private TokenizerFile file(String config, String... first) throws IOException {
    Files.writeString(folder.resolve("tokenizer_config.json"), config);
    byte[] model =
        message(out -> {
          for (String mark : first) {
            piece(out, mark, 0, mark.equals("<unk>") ? 2 : 3);
          }
          piece(out, "▁cat", -1.5f, 1);
          piece(out, "▁", -2, 1);
          piece(out, "s", -3, 1);
        });
    return TokenizerFile.of(Files.write(folder.resolve("spiece.model"), model));
  }

  private TokenizerFile fairseq(String kind) throws IOException {
    return file("{\"tokenizer_class\": \"%s\"}".formatted(kind), "<unk>", "<s>", "</s>");
  }

  @ParameterizedTest
  @CsvSource({
    "XLMRobertaTokenizer, <s> <pad> </s> <unk> ▁cat ▁ s <mask>",
    "CamembertTokenizerFast, <s>NOTUSED <pad> </s>NOTUSED <unk> <unk>NOTUSED <s> </s> ▁cat ▁ s <mask>",
    "MBartTokenizer, <s> <pad> </s> <unk> ▁cat ▁ s ar_AR cs_CZ de_DE en_XX es_XX et_EE fi_FI fr_XX gu_IN hi_IN it_IT ja_XX kk_KZ ko_KR lt_LT lv_LV my_MM ne_NP nl_XX ro_RO ru_RU si_LK tr_TR vi_VN zh_CN <mask>",
    "XGLMTokenizer, <s> <pad> </s> <unk> ▁cat ▁ s <madeupword0> <madeupword1> <madeupword2> <madeupword3> <madeupword4> <madeupword5> <madeupword6>",
    "SeamlessM4TTokenizer, <pad> <unk> <s> </s> ▁cat ▁ s",
    "XLMProphetNetTokenizer, [PAD] [CLS] [SEP] [UNK] [MASK] [unused0] [unused1] [unused2] [unused3] [unused4] [unused5] [unused6] [unused7] [unused8] [unused9] ▁cat ▁ s",
    "DebertaV2Tokenizer, <unk> <s> </s> ▁cat ▁ s [CLS] [SEP] [UNK] [PAD] [MASK]",
  })
  void rowsHaveTheNamesOfTheModel(String kind, String tokens) throws IOException {
    TokenizerFile file = fairseq(kind);
    assertThat(tokens(file.vocabulary())).isEqualTo(tokens);
    assertThat(tokens(file.model().orElseThrow().vocabulary())).isEqualTo(tokens);
    assertThat(file.vocabulary().notes()).isEmpty();
  }

  @Test
  void pegasusHas103TokensMore() throws IOException {
    TokenizerFile file =
        file("{\"tokenizer_class\": \"PegasusTokenizer\"}", "<pad>", "</s>", "<unk>");
    Vocabulary vocabulary = file.vocabulary();
    assertThat(vocabulary.size()).isEqualTo(109);
    assertThat(tokens(vocabulary)).startsWith("<pad> </s> <mask_1> <mask_2> <unk_2> <unk_3> ");
    assertThat(tokens(vocabulary)).endsWith(" <unk_101> <unk_102> <unk> ▁cat ▁ s");
    file = file("{\"tokenizer_class\": \"PegasusTokenizer\", \"offset\": 0}", "<pad>", "</s>");
    assertThat(file.vocabulary().notes()).hasSize(1);
  }

  /** By transformers 4.33.3 and the model's own tokenizer.json; 4.57.3 puts the mask first. */
  @Test
  void nllbHasItsLanguagesBeforeTheMask() throws IOException {
    Vocabulary vocabulary = fairseq("NllbTokenizer").vocabulary();
    assertThat(vocabulary.size()).isEqualTo(7 + 202 + 1);
    assertThat(vocabulary.stored(7)).isEqualTo("ace_Arab");
    assertThat(vocabulary.stored(208)).isEqualTo("zul_Latn");
    assertThat(vocabulary.stored(209)).isEqualTo("<mask>");
  }

  @Test
  void theTokensBesideTheFileCountMoreThanTheRule() throws IOException {
    TokenizerFile file =
        file(
            "{\"tokenizer_class\": \"NllbTokenizer\", \"added_tokens_decoder\": {\"7\": {\"content\": \"<mask>\", \"lstrip\": true, \"special\": true}, \"8\": {\"content\": \"ace_Arab\", \"special\": true}}}",
            "<unk>",
            "<s>",
            "</s>");
    assertThat(tokens(file.vocabulary()))
        .isEqualTo("<s> <pad> </s> <unk> ▁cat ▁ s <mask> ace_Arab");
    TokenizerModel model = file.model().orElseThrow();
    assertThat(model.markers().inText()).containsExactly(0, 1, 2, 3, 7, 8);
    assertThat(model.markers().trims()).isEqualTo(Map.of(7, Trim.BEFORE));
  }

  @Test
  void unknownTextHasTheIdOfTheModel() throws IOException {
    SentencePiece model = (SentencePiece) fairseq("camembert").model().orElseThrow();
    assertThat(model.pieces().kind(3)).isEqualTo(Pieces.Kind.UNKNOWN);
    assertThat(model.pieces().kind(5)).isEqualTo(Pieces.Kind.CONTROL);
    assertThat(model.pieces().score(7)).isEqualTo(-1.5f);
    assertThat(model.markers().roles())
        .isEqualTo(
            Map.of(
                TokenizerModel.Role.UNKNOWN, 3,
                TokenizerModel.Role.START, 5,
                TokenizerModel.Role.END, 6));
  }

  @Test
  void theGapsOfT5CountDown() throws IOException {
    TokenizerFile file =
        file(
            "{\"tokenizer_class\": \"T5Tokenizer\", \"extra_ids\": 2, \"legacy\": false}", "<unk>");
    assertThat(tokens(file.vocabulary()))
        .isEqualTo("<unk> ▁cat ▁ s <extra_id_1> <extra_id_0> </s> <pad>");
    SentencePiece model = (SentencePiece) file.model().orElseThrow();
    assertThat(model.markers().trims()).isEqualTo(Map.of(4, Trim.AROUND, 5, Trim.AROUND));
    assertThat(model.rules().lead()).isEqualTo(Lead.SPACE_AT_START);
  }

  @Test
  void refusesAnIdFarBeyondThePieces() throws IOException {
    TokenizerFile file =
        file(
            "{\"tokenizer_class\": \"T5Tokenizer\", \"added_tokens_decoder\": {\"999999999\": {\"content\": \"<x>\"}}}",
            "<unk>");
    assertThatThrownBy(file::vocabulary)
        .isInstanceOf(FormatException.class)
        .hasMessageContaining("ids that sparse are not supported");
    assertThatThrownBy(file::model).isInstanceOf(FormatException.class);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"BartphoTokenizer", "MLukeTokenizer", "M2M100Tokenizer", "MarianTokenizer"})
  void saysThatARuleIsNotKnown(String kind) throws IOException {
    TokenizerFile file = fairseq(kind);
    assertThat(tokens(file.vocabulary())).isEqualTo("<unk> <s> </s> ▁cat ▁ s");
    assertThat(file.vocabulary().notes())
        .anyMatch(note -> note.contains("rows have names of their neighbours"));
    assertThatThrownBy(file::model)
        .isInstanceOf(UnsupportedFormatException.class)
        .hasMessageContaining("gives its pieces other ids than the file does");
  }

  /** The pieces of this file are not in the order that XLM-RoBERTa's rule was made for. */
  @Test
  void saysThatAFileDoesNotFitTheRule() throws IOException {
    TokenizerFile file =
        file("{\"tokenizer_class\": \"XLMRobertaTokenizer\"}", "<s>", "<unk>", "</s>");
    assertThat(file.vocabulary().notes()).hasSize(1);
    assertThatThrownBy(file::model).isInstanceOf(UnsupportedFormatException.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"SiglipTokenizer", "CpmTokenizer", "GPTSw3Tokenizer"})
  void refusesTextThatAClassChangesFirst(String kind) throws IOException {
    TokenizerFile file = fairseq(kind);
    assertThat(file.vocabulary().notes()).isEmpty();
    assertThatThrownBy(file::model)
        .isInstanceOf(UnsupportedFormatException.class)
        .hasMessageContaining("changes text before it is split");
  }

  private static String tokens(Vocabulary vocabulary) {
    List<String> tokens =
        IntStream.range(0, vocabulary.size()).mapToObj(vocabulary::stored).toList();
    return String.join(" ", tokens);
  }
}

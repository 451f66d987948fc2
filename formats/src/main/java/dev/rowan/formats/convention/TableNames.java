package dev.rowan.formats.convention;

import dev.rowan.formats.tensor.Dtype;
import dev.rowan.formats.tensor.TensorInfo;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Pattern;

/**
 * How models name their tables. Families wrap the same name in different prefixes ({@code
 * wte.weight}, {@code transformer.wte.weight}), so names are matched from their end, dot by dot.
 *
 * <p>Among several matches the one wins whose row count is nearest the expected one (of the
 * tokenizer or config), then the one whose name stands first in the list, then the shortest name.
 */
public final class TableNames {
  /** The ends of input tables' names; more telling ones first. */
  private static final List<String> INPUT =
      List.of(
          "shared.weight", // T5: serves both halves, so it goes before their own names
          "wte.weight", // GPT-2, GPT-J, MPT, older phi
          "embed_tokens.weight", // Llama, Mistral, Qwen, Gemma, OPT, T5's halves
          "word_embeddings.weight", // BERT and kin, BLOOM, Falcon, ChatGLM
          "tok_embeddings.weight", // original Llama, InternLM2, ModernBERT
          "embed_in.weight", // GPT-NeoX, Pythia
          "word_embedding.weight", // XLNet
          "tokens_embed.weight", // the first GPT
          "input_embedding.weight", // CPM-Ant
          "token_embd.weight", // GGUF
          "token_embedding.weight", // CLIP's text half
          "in_out_embed.weight", // Grok
          "in_out_embed",
          "emb.weight", // original RWKV
          "embeddings.weight", // Mamba, RWKV
          "embedding.weight", // original Mamba, sentence-transformers' static models
          "embeddings", // Model2Vec, Keras
          "embedding", // T5 in TensorFlow
          "wte", // GPT-2 in TensorFlow
          "word_embeddings", // BERT and kin in TensorFlow
          "lookup_table"); // XLNet in TensorFlow

  /** The ends of output tables' names. */
  private static final List<String> OUTPUT =
      List.of(
          "lm_head.weight",
          "embed_out.weight", // GPT-NeoX, Pythia
          "lm_head.decoder.weight", // RoBERTa
          "lm_head.linear.weight", // older phi
          "predictions.decoder.weight", // BERT
          "generator_lm_head.weight", // ELECTRA
          "vocab_projector.weight", // DistilBERT
          "output_layer.weight", // ChatGLM
          "output_projection.weight", // fairseq
          "pred_layer.proj.weight", // XLM
          "lm_loss.weight", // XLNet
          "unembed.weight");

  /** Names that mean the input only at the top of the model. */
  private static final List<String> TOP_INPUT = List.of("w.weight"); // CTRL

  /** Names that mean the output only at the top of the model: inside, everything has an output. */
  private static final List<String> TOP_OUTPUT =
      List.of(
          "output.weight",
          "head.weight",
          "decoder.weight", // ModernBERT
          "proj_out.weight"); // Whisper

  /** Parts of names of tables that are not of tokens, though they may have as many rows. */
  private static final List<String> OTHER_TABLES =
      List.of("position", "pos_emb", "wpe", "token_type", "patch_emb");

  /** Parts of names of codebooks, whose rows stand for pictures or sounds. */
  private static final List<String> CODEBOOKS = List.of("quantize", "codebook");

  /** Ends of names under which quantizers pack a matrix whose plain name ends in "weight". */
  private static final List<String> PACKED = List.of("qweight", "weight_packed");

  /** Parts of names of what an optimizer keeps of each tensor. */
  private static final List<String> OPTIMIZER =
      List.of("adam_m", "adam_v", "Adam", "Momentum", "OPTIMIZER_SLOT", "optimizer", "exp_avg");

  /** A module within a numbered layer; {@code decoder.2.weight} may be the end of a small model. */
  private static final Pattern IN_LAYER = Pattern.compile("(^|.*\\.)\\d+\\.[^.]+\\..+");

  private static final List<String> PREFIXES =
      List.of("model.", "transformer.", "base_model.", "module.", "language_model.");

  private TableNames() {}

  /** Returns those tensors whose names are those of input tables, whatever they hold. */
  public static List<TensorInfo> inputs(List<TensorInfo> tensors) {
    return tensors.stream().filter(tensor -> inputRank(tensor.name()) >= 0).toList();
  }

  /** Returns those tensors whose names are those of output tables, whatever they hold. */
  public static List<TensorInfo> outputs(List<TensorInfo> tensors) {
    return tensors.stream().filter(tensor -> outputRank(tensor.name()) >= 0).toList();
  }

  /**
   * Returns the tensors that could serve at the other end of the model than a table does, by their
   * shape alone: those of its shape under names that say nothing.
   */
  public static List<TensorInfo> unnamedLike(TensorInfo table, List<TensorInfo> tensors) {
    return tensors.stream()
        .filter(tensor -> tensor.hasRows() && tensor.shape().equals(table.shape()))
        .filter(tensor -> tensor.dtype().kind() == Dtype.Kind.FLOAT)
        .filter(tensor -> !tensor.name().equals(table.name()))
        .filter(tensor -> !isInput(tensor.name()) && !isOutput(tensor.name()))
        .filter(tensor -> !IN_LAYER.matcher(dotted(tensor.name())).matches())
        .filter(tensor -> OTHER_TABLES.stream().noneMatch(tensor.name()::contains))
        .filter(tensor -> OPTIMIZER.stream().noneMatch(tensor.name()::contains))
        .toList();
  }

  /**
   * Returns the table of a model's decoder, where its encoder has the input table and they are not
   * one: without an output table under a name that is known, the decoder's serves at the output.
   */
  public static Optional<TensorInfo> ofDecoder(TensorInfo input, List<TensorInfo> tensors) {
    return isInDecoder(input.name())
        ? Optional.empty()
        : bestInput(
            tensors.stream()
                .filter(tensor -> isInDecoder(tensor.name()) && !tensor.isStoredWith(input))
                .toList(),
            OptionalLong.empty());
  }

  private static boolean isInDecoder(String name) {
    return ("." + dotted(name)).contains(".decoder.");
  }

  /** Returns an output table that a quantizer has packed, so that it has no rows to read. */
  public static Optional<TensorInfo> packedOutput(List<TensorInfo> tensors) {
    return tensors.stream()
        .filter(tensor ->
            PACKED.stream()
                .filter(end -> endsWith(tensor.name(), end))
                .map(end -> tensor.name().substring(0, tensor.name().length() - end.length()))
                .anyMatch(stem -> isOutput(stem + "weight")))
        .findFirst();
  }

  /** Returns whether a name is one that an input table has. */
  public static boolean isInput(String name) {
    return inputRank(name) >= 0;
  }

  /** Returns whether a name is one that an output table has. */
  public static boolean isOutput(String name) {
    return outputRank(name) >= 0;
  }

  /** Returns the best of several input tables with rows. */
  public static Optional<TensorInfo> bestInput(List<TensorInfo> tensors, OptionalLong rows) {
    return inputs(tensors).stream()
        .filter(TensorInfo::hasRows)
        .min(
            nearest(rows)
                .thenComparingInt(tensor -> inputRank(tensor.name()))
                .thenComparing(tensor -> isInDecoder(tensor.name())) // the encoder's goes first
                .thenComparing(byLength()));
  }

  /** Returns the best of several output tables with rows. */
  public static Optional<TensorInfo> bestOutput(List<TensorInfo> tensors, OptionalLong rows) {
    return outputs(tensors).stream()
        .filter(TensorInfo::hasRows)
        .min(
            nearest(rows)
                .thenComparingInt(tensor -> outputRank(tensor.name()))
                .thenComparing(byLength()));
  }

  private static Comparator<TensorInfo> nearest(OptionalLong rows) {
    return Comparator.comparingLong(
        tensor -> rows.isEmpty() ? 0 : Math.abs(tensor.shape().getFirst() - rows.getAsLong()));
  }

  private static Comparator<TensorInfo> byLength() {
    return Comparator.<TensorInfo>comparingInt(tensor -> tensor.name().length())
        .thenComparing(TensorInfo::name);
  }

  private static int inputRank(String name) {
    if (CODEBOOKS.stream().anyMatch(name::contains)) {
      return -1;
    }
    int rank = rank(name, INPUT);
    return rank >= 0 || !TOP_INPUT.contains(stripped(name)) ? rank : INPUT.size();
  }

  private static int outputRank(String name) {
    int rank = rank(name, OUTPUT);
    return rank >= 0 || !TOP_OUTPUT.contains(stripped(name)) ? rank : OUTPUT.size();
  }

  private static int rank(String fullName, List<String> ends) {
    String name = dotted(fullName);
    for (int i = 0; i < ends.size(); i++) {
      if (endsWith(name, ends.get(i))) {
        return i;
      }
    }
    return -1;
  }

  /** TensorFlow writes {@code a/b/c:0}, and behind variables of objects what they are. */
  private static String dotted(String name) {
    String plain = name;
    for (String end : List.of("/.ATTRIBUTES/VARIABLE_VALUE", ":0")) {
      if (plain.endsWith(end)) {
        plain = plain.substring(0, plain.length() - end.length());
      }
    }
    return plain.replace('/', '.');
  }

  private static boolean endsWith(String name, String end) {
    return name.endsWith(end)
        && (name.length() == end.length() || name.charAt(name.length() - end.length() - 1) == '.');
  }

  private static String stripped(String name) {
    for (String prefix : PREFIXES) {
      if (name.startsWith(prefix)) {
        return stripped(name.substring(prefix.length()));
      }
    }
    return name;
  }
}

package dev.rowan.analysis.edit;

import dev.rowan.analysis.edit.TokenTensor.Role;
import dev.rowan.core.Table;
import dev.rowan.core.kernel.RowFormat;
import dev.rowan.formats.convention.TableNames;
import dev.rowan.formats.file.UnsupportedFormatException;
import dev.rowan.formats.tensor.TensorInfo;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/** Finds every tensor of a model that has a row for each token. */
final class TokenTensors {
  /** Numbers that are added to logits. */
  private static final Pattern BIAS =
      Pattern.compile(
          "(.*\\.)?(lm_head(\\.decoder|\\.linear)?|embed_out|predictions(\\.decoder)?|generator_lm_head|vocab_projector|output_layer)\\.bias"
              + "|(.*\\.)?final_logits_bias");

  private TokenTensors() {}

  /**
   * Finds them.
   *
   * @param rows whether rows are to come or go, so that no tensor may be overlooked
   * @throws IllegalArgumentException if tables have different numbers of rows, or a tensor may have
   *     a row for each token and neither is known nor named by the options
   */
  static List<TokenTensor> of(ModelFolder model, EditOptions options, RowCount rows) {
    String input = model.lexicon().input().tensor();
    long count = model.lexicon().input().table().rows();
    checkNames(model, options);
    refuseStaticExtras(model);
    Map<TensorInfo, Role> roles = new LinkedHashMap<>();
    List<TensorInfo> all = model.tensors();
    Set<TensorInfo> outputs = new LinkedHashSet<>(TableNames.outputs(all));
    model.lexicon().output().ifPresent(output -> add(all, output.tensor(), outputs));
    Set<TensorInfo> inputs = new LinkedHashSet<>(TableNames.inputs(all));
    add(all, input, inputs);
    List<String> unclear = new ArrayList<>();
    for (TensorInfo tensor : all) {
      boolean tall = tensor.hasRows() && tensor.shape().getFirst() == count;
      boolean named = outputs.contains(tensor) || inputs.contains(tensor);
      if (options.leave().contains(tensor.name())) {
        continue;
      }
      if (tensor.hasRows() && named && !tall && isMain(model, tensor)) {
        throw new IllegalArgumentException(
            "the tables differ in their rows: \"%s\" has %,d, \"%s\" %,d; they cannot be edited together"
                .formatted(input, count, tensor.name(), tensor.shape().getFirst()));
      }
      if (tall && (named || options.also().contains(tensor.name()))) {
        roles.put(tensor, outputs.contains(tensor) ? Role.OUTPUT : Role.INPUT);
      } else if (isPerToken(tensor, count)
          && (BIAS.matcher(tensor.name()).matches() || options.also().contains(tensor.name()))) {
        roles.put(tensor, Role.BIAS);
      } else if (tensor.shape().contains(count)) {
        unclear.add("\"%s\" [%s]".formatted(tensor.name(), tensor.shapeText()));
      }
    }
    if (rows == RowCount.CHANGES && !unclear.isEmpty()) {
      throw new IllegalArgumentException(
          "%s %s a dimension of %,d like the table, and it is not known whether it belongs to tokens; say --also NAME if it does, --leave NAME if it is chance"
              .formatted(
                  String.join(", ", unclear.subList(0, Math.min(5, unclear.size()))),
                  unclear.size() == 1 ? "has" : "have",
                  count));
    }
    return roles.entrySet().stream().map(e -> open(model, e.getKey(), e.getValue())).toList();
  }

  /** Whether the number of rows, or their order, changes. */
  enum RowCount {
    /** It does. */
    CHANGES,
    /** It does not. */
    STAYS
  }

  private static void checkNames(ModelFolder model, EditOptions options) {
    Set<String> named = new LinkedHashSet<>(options.also());
    named.addAll(options.leave());
    model.tensors().forEach(tensor -> named.remove(tensor.name()));
    if (!named.isEmpty()) {
      throw new IllegalArgumentException(
          "there is no tensor \"%s\" in the model".formatted(named.iterator().next()));
    }
  }

  /** A row of such a model is made of several tensors, and tokens share rows. */
  private static void refuseStaticExtras(ModelFolder model) {
    boolean shared =
        model.tensors().stream().anyMatch(tensor -> tensor.name().equals("embeddings"))
            && model.tensors().stream()
                .anyMatch(t -> t.name().equals("mapping") || t.name().equals("weights"));
    if (shared) {
      throw new UnsupportedFormatException(
          model.folder(),
          "is a Model2Vec model whose tokens share rows or have weights; write it out first: rowan convert \"%s\" NEW --to model2vec --dtype f32"
              .formatted(model.folder()));
    }
  }

  private static boolean isMain(ModelFolder model, TensorInfo tensor) {
    return model.lexicon().output().filter(o -> o.tensor().equals(tensor.name())).isPresent();
  }

  private static void add(List<TensorInfo> all, String name, Set<TensorInfo> to) {
    all.stream().filter(tensor -> tensor.name().equals(name)).forEach(to::add);
  }

  private static boolean isPerToken(TensorInfo tensor, long count) {
    List<Long> shape = tensor.shape();
    return tensor.elements() == count
        && (shape.size() == 1 || (shape.size() == 2 && shape.getFirst() == 1));
  }

  private static TokenTensor open(ModelFolder model, TensorInfo tensor, Role role) {
    RowFormat format =
        tensor
            .dtype()
            .rows()
            .filter(_ -> RowEncoder.of(tensor.dtype()).isPresent())
            .orElseThrow(() ->
                new UnsupportedFormatException(
                    tensor.file(),
                    "the tensor \"%s\" is stored as %s; an edit takes F32, F16, BF16 and F64"
                        .formatted(tensor.name(), tensor.dtype().label())));
    long rows = role == Role.BIAS ? tensor.elements() : tensor.shape().getFirst();
    long width = role == Role.BIAS ? 1 : tensor.shape().get(1);
    return new TokenTensor(
        tensor,
        role,
        Table.over(model.shard(tensor).data(tensor), rows, Math.toIntExact(width), format));
  }
}

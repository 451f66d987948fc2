package dev.rowan.formats.hdf5;

import dev.rowan.formats.tensor.TensorInfo;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The tables of a Keras model: what its embedding layers hold.
 *
 * <pre>
 *   Keras 2   …/embeddings:0, …/embeddings
 *   Keras 3   …embedding…/vars/0
 * </pre>
 */
final class KerasTables {
  private static final Pattern KERAS_2 = Pattern.compile("(.*/)?embeddings(:0)?");
  private static final Pattern KERAS_3 = Pattern.compile("(.*/)?([^/]*embedding[^/]*)/vars/0");
  private static final Pattern OTHER_TABLES = Pattern.compile("position|segment|token_type");
  private static final int MOST_NAMED = 6;

  private KerasTables() {}

  /** Returns the one of Keras 3 with most rows, of several the widest. */
  static Optional<TensorInfo> largest(List<TensorInfo> tensors) {
    return tensors.stream()
        .filter(tensor -> is(KERAS_3, tensor))
        .max(
            Comparator.<TensorInfo>comparingLong(tensor -> tensor.shape().getFirst())
                .thenComparingLong(tensor -> tensor.shape().getLast())
                .thenComparing(tensors::indexOf, Comparator.reverseOrder()));
  }

  /** Names tables of as many rows as the largest, between which the file does not decide. */
  static Optional<String> note(List<TensorInfo> tensors) {
    List<TensorInfo> tables =
        tensors.stream().filter(tensor -> is(KERAS_2, tensor) || is(KERAS_3, tensor)).toList();
    long rows = tables.stream().mapToLong(tensor -> tensor.shape().getFirst()).max().orElse(0);
    List<TensorInfo> equal =
        tables.stream().filter(tensor -> tensor.shape().getFirst() == rows).toList();
    if (equal.size() < 2) {
      return Optional.empty();
    }
    String named =
        equal.stream()
            .limit(MOST_NAMED)
            .map(tensor -> "%s [%s]".formatted(tensor.name(), tensor.shapeText()))
            .collect(Collectors.joining(", "));
    return Optional.of(
        "%,d embedding layers have %,d rows each: %s%s; the file does not say which is that of the tokens, and any can be chosen by name"
            .formatted(
                equal.size(),
                rows,
                named,
                equal.size() > MOST_NAMED
                    ? ", and %,d more".formatted(equal.size() - MOST_NAMED)
                    : ""));
  }

  private static boolean is(Pattern kind, TensorInfo tensor) {
    String name = tensor.name().toLowerCase(Locale.ROOT);
    return tensor.hasRows()
        && tensor.dtype().rows().isPresent()
        && kind.matcher(name).matches()
        && !OTHER_TABLES.matcher(name.replaceFirst("/[^/]*(/0)?$", "")).find();
  }
}

package dev.rowan.formats.tensor;

import dev.rowan.formats.tensor.Scoring.Place;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * What a model does with its tensors, where its file shows what it computes. Tensors go by their
 * names.
 *
 * @param lookedUp those that rows are taken from
 * @param last those that the last products before the outputs multiply by, in the order of the
 *     outputs
 * @param all those that any product multiplies by
 * @param others those that reach an output, or the factor of a last product, in any other way
 * @param complete whether all ways to the outputs are known
 */
public record TensorUses(
    Set<String> lookedUp,
    List<Factor> last,
    List<Factor> all,
    Set<String> others,
    boolean complete) {

  /** Vocabularies are padded to multiples of 64 or 128 for speed; beyond that it is chance. */
  private static final int MOST_PADDING = 256;

  /**
   * A matrix in a product.
   *
   * @param tensor its name
   * @param kept where the tensor has what the product gives a number for: in rows, or in columns
   * @param count how many these are, where the tensor is packed and its shape does not tell
   */
  public record Factor(String tensor, Place kept, OptionalLong count) {
    private boolean gives(TensorInfo info, long numbers) {
      if (count.isPresent()) {
        return count.getAsLong() == numbers;
      }
      return info.shape().size() == 2 && kept(info) == numbers;
    }

    /**
     * Returns whether it turns rows of the input table's width into a few numbers more than rows.
     */
    private boolean givesPadded(TensorInfo info, TensorInfo input) {
      long rows = input.shape().getFirst();
      long width = input.shape().get(1);
      return info.shape().size() == 2
          && kept(info) > rows
          && kept(info) - rows < MOST_PADDING
          && info.shape().get(kept == Place.ROW ? 1 : 0) == width
          && rows > width; // else an inner layer may look so
    }

    private long kept(TensorInfo info) {
      return info.shape().get(kept == Place.ROW ? 0 : 1);
    }
  }

  /** Copies what it is given. */
  public TensorUses {
    lookedUp = Set.copyOf(lookedUp);
    last = List.copyOf(last);
    all = List.copyOf(all);
    others = Set.copyOf(others);
  }

  /**
   * Returns what the model scores tokens by: that by which a product gives as many numbers as the
   * input table has rows.
   *
   * @param input the input table
   * @param tensors all that the file holds
   * @return empty if the uses leave that open: ids are not looked up in the table itself, it is
   *     square, or something with as many rows or columns is used in a way that is not known
   */
  public Optional<Scoring> scoring(TensorInfo input, List<TensorInfo> tensors) {
    long rows = input.shape().getFirst();
    // of a square table, any product of the model's width gives as many numbers as it has rows
    if (!lookedUp.contains(input.name()) || rows == input.shape().get(1)) {
      return Optional.empty();
    }
    Map<String, TensorInfo> byName = new HashMap<>();
    tensors.forEach(tensor -> byName.put(tensor.name(), tensor));
    List<Factor> factors = new ArrayList<>(last);
    all.stream().filter(factor -> factor.tensor().equals(input.name())).forEach(factors::add);
    for (Factor factor : factors) {
      TensorInfo tensor = byName.get(factor.tensor());
      if (tensor != null && factor.gives(tensor, rows)) {
        return Optional.of(
            tensor.name().equals(input.name())
                ? new Scoring.ByInput()
                : new Scoring.ByOther(tensor, factor.kept()));
      }
    }
    for (Factor factor : last) {
      TensorInfo tensor = byName.get(factor.tensor());
      if (tensor != null && factor.givesPadded(tensor, input)) {
        return Optional.of(new Scoring.ByOther(tensor, factor.kept()));
      }
    }
    boolean open =
        others.stream()
            .flatMap(name -> Optional.ofNullable(byName.get(name)).stream())
            .anyMatch(tensor -> tensor.shape().size() > 1 && tensor.shape().contains(rows));
    return open || !complete ? Optional.empty() : Optional.of(new Scoring.ByNothing());
  }
}

package dev.rowan.formats.pytorch;

import dev.rowan.formats.pytorch.PickleValue.Dict;
import dev.rowan.formats.pytorch.PickleValue.Items;
import dev.rowan.formats.pytorch.PickleValue.Tensor;
import dev.rowan.formats.pytorch.PickleValue.Text;
import dev.rowan.formats.pytorch.PickleValue.Tuple;
import dev.rowan.formats.pytorch.PickleValue.Whole;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The tensors in what a checkpoint holds, by name. Most hold a dictionary of them; training scripts
 * put that into another one, under a name such as {@code state_dict}, which is left out here.
 */
final class StateDict {
  private static final Set<String> WRAPPERS =
      Set.of("state_dict", "model_state_dict", "model", "module", "net", "network", "params");

  /** What training keeps beside the model: tensors of the same shapes that are no tables. */
  private static final List<String> NOT_MODEL =
      List.of("optim", "scheduler", "lr_scheduler", "scaler", "rng", "hyper_parameters");

  private static final int DEEPEST = 16;

  private final Map<String, TorchTensor> tensors = new LinkedHashMap<>();
  private final Set<String> leftOut = new LinkedHashSet<>();
  // each dictionary is walked once, so what is shared many times over cannot multiply
  private final Set<PickleValue> seen = Collections.newSetFromMap(new IdentityHashMap<>());

  StateDict(PickleValue root) {
    walk("", "", root, 0);
  }

  /** Returns the tensors in the order of the file. */
  Map<String, TorchTensor> tensors() {
    return tensors;
  }

  /** Returns the names of what was left out because it is not of the model. */
  Set<String> leftOut() {
    return leftOut;
  }

  /**
   * Collects what is in a value.
   *
   * @param name its name without wrappers
   * @param full its whole name, for the case that the short one is taken
   */
  private void walk(String name, String full, PickleValue value, int depth) {
    switch (value) {
      case Tensor(TorchTensor tensor) -> {
        String free = tensors.containsKey(name) ? full : name;
        tensors.putIfAbsent(free.isEmpty() ? "tensor" : free, tensor);
      }
      case Dict dict -> {
        if (depth < DEEPEST && seen.add(dict)) {
          for (int i = 0; i < dict.keys().size(); i++) {
            entry(name, full, dict.keys().get(i), dict.values().get(i), depth);
          }
        }
      }
      case Items items -> list(name, full, items, items.values(), depth);
      case Tuple tuple -> list(name, full, tuple, tuple.values(), depth);
      default -> {}
    }
  }

  private void entry(String name, String full, PickleValue key, PickleValue value, int depth) {
    String step =
        switch (key) {
          case Text(String text) -> text;
          case Whole(long number) -> Long.toString(number);
          default -> "";
        };
    boolean nested = value instanceof Dict;
    boolean holds = nested || value instanceof Items || value instanceof Tuple;
    if ((holds && depth == 0 && NOT_MODEL.stream().anyMatch(step::startsWith))
        || isOptimizer(value)) {
      leftOut.add(step);
    } else if (nested && depth <= 1 && name.isEmpty() && WRAPPERS.contains(step)) {
      walk(name, join(full, step), value, depth + 1);
    } else {
      walk(join(name, step), join(full, step), value, depth + 1);
    }
  }

  /**
   * Whatever it is called: torch.optim.Optimizer.state_dict has these two, and numbers its states.
   */
  private static boolean isOptimizer(PickleValue value) {
    if (!(value instanceof Dict dict)) {
      return false;
    }
    int state = dict.keys().indexOf(new Text("state"));
    return state >= 0
        && (dict.keys().contains(new Text("param_groups"))
            || (dict.values().get(state) instanceof Dict states
                && !states.keys().isEmpty()
                && states.keys().stream().allMatch(Whole.class::isInstance)));
  }

  private void list(
      String name, String full, PickleValue list, List<PickleValue> values, int depth) {
    if (depth < DEEPEST && seen.add(list)) {
      for (int i = 0; i < values.size(); i++) {
        walk(join(name, "" + i), join(full, "" + i), values.get(i), depth + 1);
      }
    }
  }

  private static String join(String name, String step) {
    return name.isEmpty() ? step : name + "." + step;
  }
}

package dev.rowan.formats.onnx;

import dev.rowan.formats.protobuf.Wire;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What is kept of a graph's nodes: enough to see which tensor the ids are looked up in.
 *
 * <pre>
 *   NodeProto   1 input (repeated text)   2 output (repeated text)   4 op_type
 * </pre>
 */
final class Graph {
  /** Operations that hand their first input on, in another shape or number format. */
  private static final Set<String> PASSES_ON =
      Set.of("Cast", "DequantizeLinear", "Flatten", "Identity", "Reshape", "Squeeze", "Unsqueeze");

  /** Inputs that look things up too, but not tokens. */
  private static final Set<String> NOT_TOKENS =
      Set.of("attention_mask", "position_ids", "token_type_ids");

  private record Lookup(String table, String ids) {}

  private final Map<String, String> sources = new HashMap<>();
  private final List<Lookup> lookups = new ArrayList<>();
  private final Set<String> inputs = new HashSet<>();

  void addInput(String name) {
    inputs.add(name);
  }

  void addNode(Wire node) {
    String op = operation(node.again());
    if (!op.equals("Gather") && !PASSES_ON.contains(op)) {
      return; // most nodes: their names need not be read
    }
    List<String> from = new ArrayList<>(2);
    List<String> to = new ArrayList<>(1);
    while (node.next()) {
      switch (node.field()) {
        case 1 -> from.add(node.text());
        case 2 -> to.add(node.text());
        default -> node.skip();
      }
    }
    if (op.equals("Gather") && from.size() == 2) {
      lookups.add(new Lookup(from.get(0), from.get(1)));
    } else if (!op.equals("Gather") && !from.isEmpty() && !to.isEmpty()) {
      sources.put(to.getFirst(), from.getFirst());
    }
  }

  private static String operation(Wire node) {
    String op = "";
    while (node.next()) {
      if (node.field() == 4) {
        op = node.text();
      } else {
        node.skip();
      }
    }
    return op;
  }

  /**
   * Returns the tensor that the first Gather fed by {@code input_ids} takes rows from; in a graph
   * without such an input, by any input that may be tokens.
   */
  Optional<String> lookedUp() {
    return lookups.stream()
        .filter(lookup -> source(lookup.ids()).equals("input_ids"))
        .findFirst()
        .or(() -> lookups.stream().filter(lookup -> mayBeTokens(source(lookup.ids()))).findFirst())
        .map(lookup -> source(lookup.table()));
  }

  private boolean mayBeTokens(String input) {
    return inputs.contains(input) && !NOT_TOKENS.contains(input);
  }

  /** Follows a value back to where it comes from. */
  private String source(String value) {
    String at = value;
    // nodes are sorted, so there is no way round in a circle but in a broken file
    for (int steps = 0; steps <= sources.size(); steps++) {
      String before = sources.get(at);
      if (before == null) {
        return at;
      }
      at = before;
    }
    return at;
  }
}

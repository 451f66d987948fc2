package dev.rowan.formats.onnx;

import dev.rowan.formats.tensor.Scoring.Place;
import dev.rowan.formats.tensor.TensorUses;
import dev.rowan.formats.tensor.TensorUses.Factor;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * What is kept of a graph's nodes: enough to see which tensor the ids are looked up in, and which
 * ones the outputs are products with.
 */
final class Graph {
  /** Operations that hand their first input on, in another shape or number format. */
  private static final Set<String> PASSES_ON =
      Set.of("Cast", "DequantizeLinear", "Flatten", "Identity", "Reshape", "Squeeze", "Unsqueeze");

  /** Inputs that look things up too, but not tokens. */
  private static final Set<String> NOT_TOKENS =
      Set.of("attention_mask", "position_ids", "token_type_ids");

  /** A tensor is handed on a few times; nodes in a circle, as in a broken file, do so for ever. */
  private static final int MOST_STEPS = 64;

  /** What a node does with the values it takes. */
  private enum Kind {
    LOOKUP,
    PRODUCT,
    PASSES_ON,
    TURNS,
    /** What it does with them is not seen: it has a graph of its own, or is not known here. */
    CLOSED,
    OTHER
  }

  /**
   * A value that a product multiplies.
   *
   * @param kept where it has what the product gives a number for, seen as a matrix
   * @param count how many these are, where it is packed
   */
  private record Operand(String value, Place kept, OptionalLong count) {}

  /**
   * A node.
   *
   * @param lookup table and ids of a lookup
   * @param operands those of a product
   */
  private record Step(
      Kind kind, List<String> inputs, Optional<Lookup> lookup, List<Operand> operands) {}

  private record Lookup(String table, String ids) {}

  /** Where a value comes from, and whether it was turned an odd number of times on the way. */
  private record Origin(String value, boolean turned) {}

  private final Map<String, Step> steps = new LinkedHashMap<>(); // by what they give
  private final Set<String> inputs = new HashSet<>();
  private final List<String> outputs = new ArrayList<>();

  void addInput(String name) {
    inputs.add(name);
  }

  void addOutput(String name) {
    outputs.add(name);
  }

  void addNode(Node node) {
    Step step = step(node);
    node.outputs().forEach(output -> steps.putIfAbsent(output, step));
  }

  private static Step step(Node node) {
    List<String> from = node.inputs();
    Optional<Lookup> lookup =
        switch (node.op()) {
          case "Gather", "GatherBlockQuantized" -> lookup(from, 0, 1);
          case "EmbedLayerNormalization" -> lookup(from, 2, 0);
          default -> Optional.empty();
        };
    List<Operand> operands = operands(node);
    Kind kind =
        lookup.isPresent()
            ? Kind.LOOKUP
            : !operands.isEmpty() ? Kind.PRODUCT : kind(node.op(), from, node);
    return new Step(kind, List.copyOf(from), lookup, operands);
  }

  private static Kind kind(String op, List<String> from, Node node) {
    if (from.isEmpty()) {
      return Kind.OTHER;
    }
    if (PASSES_ON.contains(op)) {
      return Kind.PASSES_ON;
    }
    boolean product = op.contains("MatMul") || op.contains("Gemm"); // of a kind not known here
    return op.equals("Transpose")
        ? Kind.TURNS
        : product || node.holdsGraph() ? Kind.CLOSED : Kind.OTHER;
  }

  private static Optional<Lookup> lookup(List<String> from, int table, int ids) {
    return from.size() > Math.max(table, ids)
        ? Optional.of(new Lookup(from.get(table), from.get(ids)))
        : Optional.empty();
  }

  /** Those of ONNX, and of ONNX Runtime (docs/ContribOperators.md there). */
  private static List<Operand> operands(Node node) {
    return switch (node.op()) {
      case "MatMul",
          "Gemm",
          "FusedMatMul",
          "FusedGemm",
          "MatMulInteger",
          "MatMulIntegerToFloat",
          "DynamicQuantizeMatMul" ->
          factors(node, 0, 1);
      case "QLinearMatMul", "QGemm" -> factors(node, 0, 3); // scale and zero point between
      case "MatMulNBits", "MatMulBnb4" ->
          node.inputs().size() < 2
              ? List.of()
              : List.of(
                  new Operand(node.inputs().get(1), Place.ROW, OptionalLong.of(node.number("N"))));
      default -> List.of();
    };
  }

  /** The left matrix keeps its rows in the product, the right one its columns. */
  private static List<Operand> factors(Node node, int left, int right) {
    if (node.inputs().size() <= right) {
      return List.of();
    }
    boolean leftTurned = node.number("transA") != 0;
    boolean rightTurned = node.number("transB") != 0;
    return List.of(
        new Operand(node.inputs().get(right), place(rightTurned), OptionalLong.empty()),
        new Operand(node.inputs().get(left), place(!leftTurned), OptionalLong.empty()));
  }

  private static Place place(boolean row) {
    return row ? Place.ROW : Place.COLUMN;
  }

  /**
   * Returns the tensor that the first lookup fed by {@code input_ids} takes rows from; in a graph
   * without such an input, all that lookups fed by inputs take rows from that may be tokens.
   */
  List<String> lookedUp() {
    List<Lookup> lookups =
        steps.values().stream().map(Step::lookup).flatMap(Optional::stream).toList();
    List<String> byIds =
        lookups.stream()
            .filter(lookup -> origin(lookup.ids()).value().equals("input_ids"))
            .limit(1)
            .map(lookup -> origin(lookup.table()).value())
            .toList();
    return byIds.isEmpty()
        ? lookups.stream()
            .filter(lookup -> mayBeTokens(origin(lookup.ids()).value()))
            .map(lookup -> origin(lookup.table()).value())
            .distinct()
            .toList()
        : byIds;
  }

  private boolean mayBeTokens(String input) {
    return inputs.contains(input) && !NOT_TOKENS.contains(input);
  }

  /** Follows a value back to where it comes from. */
  private Origin origin(String value) {
    String at = value;
    boolean turned = false;
    for (int i = 0; i < MOST_STEPS; i++) {
      Step step = steps.get(at);
      if (step == null || (step.kind() != Kind.PASSES_ON && step.kind() != Kind.TURNS)) {
        break;
      }
      at = step.inputs().getFirst();
      turned ^= step.kind() == Kind.TURNS;
    }
    return new Origin(at, turned);
  }

  /**
   * Returns what is done with tensors.
   *
   * @param isTensor tells their names from those of other values
   */
  TensorUses uses(Predicate<String> isTensor) {
    return new Walk(isTensor).uses();
  }

  /** Goes from the outputs back to the last products, and on from what these multiply. */
  private final class Walk {
    private final Predicate<String> isTensor;
    private final Set<String> seen = new HashSet<>();
    private final Set<String> others = new HashSet<>();
    private boolean complete = !outputs.isEmpty();

    Walk(Predicate<String> isTensor) {
      this.isTensor = isTensor;
    }

    TensorUses uses() {
      List<Step> last = new ArrayList<>();
      outputs.forEach(output -> last.addAll(productsBefore(output)));
      last.stream()
          .flatMap(product -> product.operands().stream())
          .filter(operand -> !isTensor.test(origin(operand.value()).value()))
          .forEach(operand -> productsBefore(operand.value()));
      return new TensorUses(
          lookedUpTensors(), factors(last), factors(steps.values()), others, complete);
    }

    /** Returns the nearest products that a value is made of; notes what else it is made of. */
    private List<Step> productsBefore(String value) {
      List<Step> products = new ArrayList<>();
      Deque<String> left = new ArrayDeque<>(List.of(value));
      while (!left.isEmpty()) {
        String at = left.pop();
        if (!seen.add(at)) {
          continue;
        }
        Step step = steps.get(at);
        if (step == null) {
          if (isTensor.test(at)) {
            others.add(at);
          }
        } else if (step.kind() == Kind.PRODUCT) {
          products.add(step);
        } else if (!isOfTensor(step)) {
          complete &= step.kind() != Kind.CLOSED;
          step.inputs().forEach(left::push);
        }
      }
      return products;
    }

    /** A lookup may also pick some of the numbers that were computed. */
    private boolean isOfTensor(Step step) {
      return step.lookup().stream()
          .anyMatch(lookup -> isTensor.test(origin(lookup.table()).value()));
    }

    private Set<String> lookedUpTensors() {
      return steps.values().stream()
          .flatMap(step -> step.lookup().stream())
          .map(lookup -> origin(lookup.table()).value())
          .filter(isTensor)
          .collect(Collectors.toSet());
    }

    private List<Factor> factors(Collection<Step> products) {
      return products.stream()
          .flatMap(product -> product.operands().stream())
          .filter(operand -> isTensor.test(origin(operand.value()).value()))
          .map(operand -> {
            Origin origin = origin(operand.value());
            boolean row = operand.kept() == Place.ROW;
            return new Factor(origin.value(), place(row ^ origin.turned()), operand.count());
          })
          .toList();
    }
  }
}

package dev.rowan.formats.onnx;

import dev.rowan.formats.protobuf.Wire;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * One step of a graph.
 *
 * <pre>
 *   NodeProto        1 input (repeated text)   2 output (repeated text)   4 op_type
 *                    5 attribute (repeated)
 *   AttributeProto   1 name   3 i (int64)   5 t (TensorProto)   6 g (GraphProto)
 *                    11 graphs (repeated)
 * </pre>
 *
 * @param op the operation
 * @param inputs the names of the values that it takes; empty where an optional one is left out
 * @param outputs the names of the values that it gives
 * @param attributes cursors in front of its attributes
 */
record Node(String op, List<String> inputs, List<String> outputs, List<Wire> attributes) {

  static Node read(Wire node) {
    String op = "";
    List<String> inputs = new ArrayList<>(2);
    List<String> outputs = new ArrayList<>(1);
    List<Wire> attributes = new ArrayList<>(2);
    while (node.next()) {
      switch (node.field()) {
        case 1 -> inputs.add(node.text());
        case 2 -> outputs.add(node.text());
        case 4 -> op = node.text();
        case 5 -> attributes.add(node.message());
        default -> node.skip();
      }
    }
    return new Node(op, inputs, outputs, attributes);
  }

  /** Returns an attribute that is a whole number; 0 if it is left out, as its default is. */
  long number(String name) {
    return attribute(name, 3).map(Wire::number).orElse(0L);
  }

  /** Returns an attribute that is a tensor. */
  Optional<Wire> tensor(String name) {
    return attribute(name, 5).map(Wire::message);
  }

  /** Returns a cursor at the value of an attribute. */
  private Optional<Wire> attribute(String name, int field) {
    for (Wire attribute : attributes) {
      Wire at = attribute.again();
      boolean named = false;
      while (at.next()) { // its name stands in front of its value, as all writers have it
        if (at.field() == 1) {
          named = at.text().equals(name);
        } else if (named && at.field() == field) {
          return Optional.of(at);
        } else {
          at.skip();
        }
      }
    }
    return Optional.empty();
  }

  /** Returns whether there is a graph in it: a branch, or what is done again and again. */
  boolean holdsGraph() {
    for (Wire attribute : attributes) {
      Wire at = attribute.again();
      while (at.next()) {
        if (at.field() == 6 || at.field() == 11) {
          return true;
        }
        at.skip();
      }
    }
    return false;
  }
}

package dev.rowan.formats.pytorch;

import dev.rowan.formats.file.FormatException;
import dev.rowan.formats.pytorch.PickleValue.Dict;
import dev.rowan.formats.pytorch.PickleValue.Global;
import dev.rowan.formats.pytorch.PickleValue.Items;
import dev.rowan.formats.pytorch.PickleValue.Plain;
import dev.rowan.formats.pytorch.PickleValue.Real;
import dev.rowan.formats.pytorch.PickleValue.Text;
import dev.rowan.formats.pytorch.PickleValue.Truth;
import dev.rowan.formats.pytorch.PickleValue.Tuple;
import dev.rowan.formats.pytorch.PickleValue.Whole;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads one pickle (Python's Lib/pickletools.py, protocols 2 to 4 and what of 5 uses the same
 * opcodes) as data. A pickle is a program for a stack machine; of its opcodes only those are known
 * that build plain values, and those that would call something ask {@link TorchObjects}, which
 * knows a closed list of names and never calls anything. Whatever else comes is refused.
 *
 * <p>Bounded: the number of opcodes, of values in the memo, of marks that stand open, and the
 * length of texts. Not for several threads at once.
 */
final class Pickle {
  private static final int MOST_OPCODES = 8_000_000;
  private static final int MOST_REMEMBERED = 4_000_000;
  private static final int MOST_MARKS = 1_000;
  private static final int HIGHEST_PROTOCOL = 5;

  private final PickleInput in;
  private final TorchObjects objects;
  private final List<PickleValue> stack = new ArrayList<>();
  private final List<Integer> marks = new ArrayList<>();
  private final Map<Integer, PickleValue> memo = new HashMap<>();

  private Pickle(PickleInput in, TorchObjects objects) {
    this.in = in;
    this.objects = objects;
  }

  /**
   * Reads the pickle that the input stands in front of, and passes it.
   *
   * @throws FormatException if it is damaged, too large, or holds what is not plain data
   */
  static PickleValue read(PickleInput in, TorchObjects objects) {
    return new Pickle(in, objects).run();
  }

  private PickleValue run() {
    for (int count = 0; count < MOST_OPCODES; count++) {
      int opcode = in.u8();
      if (opcode == '.') {
        PickleValue result = pop();
        if (!stack.isEmpty() || !marks.isEmpty()) {
          throw in.wrong("the pickle stops with values left over");
        }
        return result;
      }
      step(opcode);
    }
    throw in.refused(
        "holds a pickle of more than %,d steps; convert it to safetensors".formatted(MOST_OPCODES));
  }

  private void step(int opcode) {
    switch (opcode) {
      case 0x80 -> protocol(in.u8());
      case 0x95 -> in.frame(in.i64());
      case '(' -> mark();
      case '0' -> pop();
      case '1' -> popMark();
      case 'N' -> stack.add(Plain.NONE);
      case 0x88 -> stack.add(Truth.TRUE);
      case 0x89 -> stack.add(Truth.FALSE);
      case 'K' -> stack.add(new Whole(in.u8()));
      case 'M' -> stack.add(new Whole(in.u16()));
      case 'J' -> stack.add(new Whole(in.i32()));
      case 0x8A -> stack.add(in.integer(in.u8()));
      case 'G' -> stack.add(new Real(in.bigEndianDouble()));
      case 'X' -> stack.add(new Text(in.text(in.u32())));
      case 0x8C -> stack.add(new Text(in.text(in.u8())));
      case 'T' -> stack.add(new Text(in.text(in.u32())));
      case 'U' -> stack.add(new Text(in.text(in.u8())));
      case 'B' -> bytes(in.u32());
      case 'C' -> bytes(in.u8());
      case ')' -> stack.add(new Tuple(List.of()));
      case 't' -> stack.add(new Tuple(popMark()));
      case 0x85 -> tuple(1);
      case 0x86 -> tuple(2);
      case 0x87 -> tuple(3);
      case ']', 0x8F -> stack.add(new Items());
      case 'a' -> append(List.of(pop()));
      case 'e', 0x90 -> append(popMark());
      case '}' -> stack.add(new Dict());
      case 's' -> {
        PickleValue value = pop();
        put(List.of(pop(), value));
      }
      case 'u' -> put(popMark());
      case 'q' -> remember(in.u8());
      case 'r' -> remember(in.u32());
      case 0x94 -> remember(memo.size());
      case 'h' -> recall(in.u8());
      case 'j' -> recall(in.u32());
      case 'c' -> stack.add(objects.global(in, new Global(in.line(), in.line())));
      case 0x93 -> stackGlobal();
      case 'R', 0x81 -> {
        PickleValue arguments = pop();
        stack.add(objects.made(in, pop(), arguments));
      }
      case 'b' -> {
        PickleValue state = pop();
        objects.built(in, peek(), state);
      }
      case 'Q' -> stack.add(objects.stored(in, pop()));
      default ->
          throw in.refused(
              "holds a pickle with the opcode 0x%02X, which plain weights do not need; nothing was run, save only the state dict or convert it to safetensors"
                  .formatted(opcode));
    }
  }

  private void protocol(int protocol) {
    if (protocol > HIGHEST_PROTOCOL) {
      throw in.refused(
          "holds a pickle of protocol %d; up to %d are known"
              .formatted(protocol, HIGHEST_PROTOCOL));
    }
  }

  private void mark() {
    if (marks.size() == MOST_MARKS) {
      throw in.refused("holds a pickle that nests deeper than %,d levels".formatted(MOST_MARKS));
    }
    marks.add(stack.size());
  }

  /** Takes what stands above the last mark, and the mark. */
  private List<PickleValue> popMark() {
    if (marks.isEmpty()) {
      throw in.wrong("the pickle closes what it did not open");
    }
    List<PickleValue> above = stack.subList(marks.removeLast(), stack.size());
    List<PickleValue> taken = List.copyOf(above);
    above.clear();
    return taken;
  }

  private PickleValue pop() {
    PickleValue top = peek();
    stack.removeLast();
    return top;
  }

  private PickleValue peek() {
    int floor = marks.isEmpty() ? 0 : marks.getLast();
    if (stack.size() <= floor) {
      throw in.wrong("the pickle takes a value that is not there");
    }
    return stack.getLast();
  }

  private void bytes(long length) {
    in.skip(length);
    stack.add(Plain.OPAQUE);
  }

  private void tuple(int count) {
    PickleValue[] values = new PickleValue[count];
    for (int i = count - 1; i >= 0; i--) {
      values[i] = pop();
    }
    stack.add(new Tuple(List.of(values)));
  }

  private void append(List<PickleValue> values) {
    switch (peek()) {
      case Items items -> items.values().addAll(values);
      case PickleValue other ->
          throw in.wrong(
              "the pickle appends to %s, which is no list".formatted(TorchObjects.what(other)));
    }
  }

  private void put(List<PickleValue> pairs) {
    if (!(peek() instanceof Dict dict)) {
      throw in.wrong(
          "the pickle puts a key into %s, which is no dictionary"
              .formatted(TorchObjects.what(peek())));
    }
    if (pairs.size() % 2 != 0) {
      throw in.wrong("the pickle has a key without a value");
    }
    for (int i = 0; i < pairs.size(); i += 2) {
      dict.put(pairs.get(i), pairs.get(i + 1));
    }
  }

  private void remember(long index) {
    if (memo.size() == MOST_REMEMBERED) {
      throw in.refused(
          "holds a pickle that remembers more than %,d values; convert it to safetensors"
              .formatted(MOST_REMEMBERED));
    }
    memo.put((int) index, peek()); // two indexes of 32 bits that differ also differ as int
  }

  private void recall(long index) {
    PickleValue value = memo.get((int) index);
    if (value == null) {
      throw in.wrong("the pickle recalls value %d, which it did not remember".formatted(index));
    }
    stack.add(value);
  }

  private void stackGlobal() {
    PickleValue name = pop();
    PickleValue module = pop();
    if (!(name instanceof Text nameText) || !(module instanceof Text moduleText)) {
      throw in.wrong("the pickle names a global by what is no text");
    }
    stack.add(objects.global(in, new Global(moduleText.value(), nameText.value())));
  }
}

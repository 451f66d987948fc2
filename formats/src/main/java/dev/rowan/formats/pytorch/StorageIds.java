package dev.rowan.formats.pytorch;

import dev.rowan.formats.pytorch.PickleValue.Global;
import dev.rowan.formats.pytorch.PickleValue.Plain;
import dev.rowan.formats.pytorch.PickleValue.Stored;
import dev.rowan.formats.pytorch.PickleValue.Text;
import dev.rowan.formats.pytorch.PickleValue.Tuple;
import dev.rowan.formats.pytorch.PickleValue.Whole;
import dev.rowan.formats.tensor.Dtype;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Storages as pickles name them by persistent ids, and which of them there are.
 *
 * <pre>
 *   ("storage", class, key, device, count of numbers)          zip archives
 *   (… as above …, None | (key, first number, count))          streams: a view of a storage
 * </pre>
 */
final class StorageIds implements TorchObjects.Ids {
  private final Map<String, TorchStorage> storages = new LinkedHashMap<>();

  /** Returns the storages that were named, whole ones, by key. */
  Map<String, TorchStorage> storages() {
    return storages;
  }

  @Override
  public PickleValue value(PickleInput in, PickleValue id) {
    if (!(id instanceof Tuple tuple)
        || tuple.values().size() < 5
        || !(tuple.values().get(0) instanceof Text(String kind))
        || !kind.equals("storage")
        || !(tuple.values().get(1) instanceof Global type)
        || !(tuple.values().get(4) instanceof Whole(long numbers))) {
      throw in.wrong("the pickle refers to something that is no storage");
    }
    List<PickleValue> values = tuple.values();
    Dtype dtype =
        TorchDtypes.ofStorage(type.name())
            .orElseThrow(() -> in.wrong("the pickle has storage of \"%s\"".formatted(type.full())));
    TorchStorage whole = new TorchStorage(key(in, values.get(2)), dtype, numbers, 0);
    TorchStorage other = storages.putIfAbsent(whole.key(), whole);
    if (numbers < 0 || (other != null && !other.equals(whole))) {
      throw in.wrong(
          "storage \"%s\" is said to have %,d numbers of %s%s"
              .formatted(
                  whole.key(),
                  numbers,
                  dtype.label(),
                  other == null ? "" : ", and elsewhere something else"));
    }
    boolean isView = values.size() > 5 && values.get(5) != Plain.NONE;
    return new Stored(isView ? view(in, whole, values.get(5)) : whole);
  }

  private static TorchStorage view(PickleInput in, TorchStorage whole, PickleValue view) {
    if (!(view instanceof Tuple tuple)
        || tuple.values().size() != 3
        || !(tuple.values().get(1) instanceof Whole(long first))
        || !(tuple.values().get(2) instanceof Whole(long numbers))) {
      throw in.wrong("a view of storage \"%s\" is not described".formatted(whole.key()));
    }
    if (first < 0 || numbers < 0 || first > whole.numbers() - numbers) {
      throw in.wrong(
          "a view of %,d numbers from %,d on does not lie in storage \"%s\", which has %,d"
              .formatted(numbers, first, whole.key(), whole.numbers()));
    }
    return new TorchStorage(whole.key(), whole.dtype(), numbers, first);
  }

  static String key(PickleInput in, PickleValue value) {
    return switch (value) {
      case Text(String text) -> text;
      case Whole(long number) -> Long.toString(number);
      default -> throw in.wrong("a storage's key is " + TorchObjects.what(value));
    };
  }
}

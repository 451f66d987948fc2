package dev.rowan.formats.pytorch;

import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import dev.rowan.formats.file.FormatException;
import dev.rowan.formats.file.MappedFile;
import dev.rowan.formats.pytorch.PickleValue.Global;
import dev.rowan.formats.pytorch.PickleValue.Items;
import dev.rowan.formats.pytorch.PickleValue.Plain;
import dev.rowan.formats.pytorch.PickleValue.Tensor;
import dev.rowan.formats.pytorch.PickleValue.Text;
import dev.rowan.formats.pytorch.PickleValue.Tuple;
import dev.rowan.formats.pytorch.PickleValue.Whole;
import dev.rowan.formats.tensor.Dtype;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Reads what {@code torch.save} wrote in 2016 (torch/serialization.py, legacy_load): a tar archive
 * of pickles with numbers between them.
 *
 * <pre>
 *   storages   pickle: count; for each: pickle (key, device, class), i64 count of numbers, numbers;
 *              pickle: list of (key, key of a storage, first number, count), views of storages
 *   tensors    pickle: count; for each: pickle (key, key of a storage, class), i32 dimensions,
 *              4 bytes, i64 per dimension, i64 stride per dimension, i64 offset
 *   pickle     the object; tensors and storages are persistent ids, their keys
 * </pre>
 */
final class TarCheckpoint {
  private static final ValueLayout.OfInt INT =
      JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfLong LONG =
      JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final int MOST_DIMENSIONS = 64;

  private final Path path;
  private final MappedFile file;
  private final TarArchive archive;
  private final Checkpoint.Places places;
  private final Map<String, TorchStorage> storages = new HashMap<>();
  private final Map<String, PickleValue> objects = new HashMap<>();

  private TarCheckpoint(MappedFile file) {
    this.path = file.path();
    this.file = file;
    this.archive = TarArchive.read(path, file.bytes());
    this.places = new Checkpoint.Places(path);
  }

  static Checkpoint read(MappedFile file) {
    return new TarCheckpoint(file).read();
  }

  private Checkpoint read() {
    TorchObjects named = new TorchObjects(this::object);
    readStorages(new Member("storages"), named);
    readTensors(new Member("tensors"), named);
    PickleValue object = new Member("pickle").pickle(named);
    return new Checkpoint("tar", object, ByteOrder.LITTLE_ENDIAN, places.all());
  }

  /** A member of the archive, read front to back. */
  private final class Member {
    private final long end;
    private final String name;
    private long at;

    Member(String name) {
      TarArchive.Member member =
          archive
              .find(name)
              .orElseThrow(() ->
                  new FormatException(
                      path,
                      "is a tar archive without \"%s\", so it is no PyTorch checkpoint"
                          .formatted(name)));
      this.name = name;
      this.at = member.offset();
      this.end = member.offset() + member.size();
    }

    PickleValue pickle(TorchObjects named) {
      PickleInput in = new PickleInput(path, file.bytes().asSlice(at, end - at), at);
      PickleValue value = Pickle.read(in, named);
      at += in.position();
      return value;
    }

    long count(TorchObjects named) {
      if (!(pickle(named) instanceof Whole(long count)) || count < 0 || count > end - at) {
        throw wrong("should start with a count of what follows");
      }
      return count;
    }

    List<PickleValue> tuple(TorchObjects named, int size) {
      if (!(pickle(named) instanceof Tuple tuple) || tuple.values().size() != size) {
        throw wrong("should hold %d values here".formatted(size));
      }
      return tuple.values();
    }

    long advance(long count) {
      if (count < 0 || count > end - at) {
        throw wrong("ends too early; the file looks cut off, copy it again");
      }
      at += count;
      return at - count;
    }

    long i64() {
      return file.bytes().get(LONG, advance(8));
    }

    FormatException wrong(String how) {
      return new FormatException(path, at, "its part \"%s\" %s".formatted(name, how));
    }
  }

  private void readStorages(Member member, TorchObjects named) {
    long count = member.count(named);
    for (long i = 0; i < count; i++) {
      List<PickleValue> values = member.tuple(named, 3);
      if (!(values.get(2) instanceof Global type)) {
        throw member.wrong("has a storage of no class");
      }
      Dtype dtype =
          TorchDtypes.ofStorage(type.name())
              .orElseThrow(() -> member.wrong("has a storage of \"%s\"".formatted(type.full())));
      long numbers = member.i64();
      long bytes = dtype.bits() / 8;
      if (numbers < 0 || numbers > (member.end - member.at) / bytes) {
        throw member.wrong(
            "has a storage of %,d numbers, which ends behind it; the file looks cut off"
                .formatted(numbers));
      }
      long at = member.advance(numbers * bytes);
      TorchStorage storage = new TorchStorage(key(member, values.get(0)), dtype, numbers, 0);
      places.put(storage, Checkpoint.mapped(at, file.bytes().asSlice(at, numbers * bytes)));
      storages.put(storage.key(), storage);
    }
    if (!(member.pickle(named) instanceof Items views)) {
      throw member.wrong("should end with a list of views");
    }
    for (PickleValue view : views.values()) {
      addView(member, view);
    }
  }

  private void addView(Member member, PickleValue view) {
    if (!(view instanceof Tuple tuple)
        || tuple.values().size() != 4
        || !(tuple.values().get(2) instanceof Whole(long first))
        || !(tuple.values().get(3) instanceof Whole(long numbers))) {
      throw member.wrong("has a view that is not described");
    }
    TorchStorage root = storage(member, tuple.values().get(1));
    if (first < 0 || numbers < 0 || first > root.numbers() - numbers) {
      throw member.wrong(
          "has a view of %,d numbers from %,d on, of a storage of %,d"
              .formatted(numbers, first, root.numbers()));
    }
    storages.put(
        key(member, tuple.values().get(0)),
        new TorchStorage(root.key(), root.dtype(), numbers, root.first() + first));
  }

  private void readTensors(Member member, TorchObjects named) {
    long count = member.count(named);
    for (long i = 0; i < count; i++) {
      List<PickleValue> values = member.tuple(named, 3);
      TorchStorage storage = storage(member, values.get(1));
      int dimensions = file.bytes().get(INT, member.advance(4));
      member.advance(4);
      if (dimensions < 0 || dimensions > MOST_DIMENSIONS) {
        throw member.wrong("has a tensor of %,d dimensions".formatted(dimensions));
      }
      List<Long> shape = numbers(member, dimensions);
      List<Long> strides = numbers(member, dimensions);
      long offset = member.i64();
      PickleInput place = new PickleInput(path, MemorySegment.NULL, member.at);
      objects.put(
          key(member, values.get(0)),
          new Tensor(
              TorchObjects.tensor(place, storage, Optional.empty(), offset, shape, strides)));
    }
  }

  private static List<Long> numbers(Member member, int count) {
    List<Long> numbers = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      numbers.add(member.i64());
    }
    return numbers;
  }

  private TorchStorage storage(Member member, PickleValue key) {
    TorchStorage storage = storages.get(key(member, key));
    if (storage == null) {
      throw member.wrong("refers to a storage that is not there");
    }
    return storage;
  }

  private static String key(Member member, PickleValue value) {
    return switch (value) {
      case Text(String text) -> text;
      case Whole(long number) -> Long.toString(number);
      default -> throw member.wrong("has a key that is " + TorchObjects.what(value));
    };
  }

  private PickleValue object(PickleInput in, PickleValue id) {
    if (id instanceof Tuple) {
      return Plain.OPAQUE; // a module with its source
    }
    String key = StorageIds.key(in, id);
    PickleValue object = objects.get(key);
    if (object != null) {
      return object;
    }
    if (storages.containsKey(key)) {
      return Plain.OPAQUE; // a storage outside of any tensor
    }
    throw in.wrong("the pickle refers to \"%s\", which is not there".formatted(key));
  }
}

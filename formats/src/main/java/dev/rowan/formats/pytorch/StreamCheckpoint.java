package dev.rowan.formats.pytorch;

import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import dev.rowan.formats.file.FormatException;
import dev.rowan.formats.file.MappedFile;
import dev.rowan.formats.file.UnsupportedFormatException;
import dev.rowan.formats.pytorch.PickleValue.Big;
import dev.rowan.formats.pytorch.PickleValue.Items;
import dev.rowan.formats.pytorch.PickleValue.Whole;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.file.Path;

/**
 * Reads what {@code torch.save} wrote before version 1.6 (torch/serialization.py, _legacy_save): a
 * row of pickles, then the storages.
 *
 * <pre>
 *   pickle   0x1950a86a20f9469cfc6c
 *   pickle   1001, the version of the layout
 *   pickle   {"protocol_version": 1001, "little_endian": True, "type_sizes": …}
 *   pickle   the object; storages are persistent ids, see StorageIds
 *   pickle   the keys of the storages
 *   for each key   i64 count of numbers, the numbers; little-endian whatever the machine
 * </pre>
 */
final class StreamCheckpoint {
  private static final Big MAGIC = new Big("6cfc9c46f9206aa85019"); // little-endian
  private static final long VERSION = 1001;
  private static final ValueLayout.OfLong LONG =
      JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private StreamCheckpoint() {}

  static Checkpoint read(MappedFile file) {
    Path path = file.path();
    PickleInput in = new PickleInput(path, file.bytes(), 0);
    StorageIds ids = new StorageIds();
    TorchObjects objects = new TorchObjects(ids);
    if (!MAGIC.equals(Pickle.read(in, objects))) {
      throw new UnsupportedFormatException(
          path,
          "is a Python pickle but no PyTorch checkpoint; it was read as data, nothing was run");
    }
    if (!(Pickle.read(in, objects) instanceof Whole(long version)) || version != VERSION) {
      throw new UnsupportedFormatException(
          path, "is a PyTorch checkpoint of an unknown version; %d is known".formatted(VERSION));
    }
    Pickle.read(in, objects);
    PickleValue object = Pickle.read(in, objects);
    if (!(Pickle.read(in, objects) instanceof Items keys)) {
      throw in.wrong("the list of storages should follow the object");
    }
    Checkpoint.Places places = new Checkpoint.Places(path);
    long at = in.position();
    for (PickleValue value : keys.values()) {
      String key = StorageIds.key(in, value);
      TorchStorage storage = ids.storages().get(key);
      if (storage == null) {
        throw in.wrong("storage \"%s\" is listed but no tensor uses it".formatted(key));
      }
      at = place(file, at, storage, places);
    }
    for (String key : ids.storages().keySet()) {
      if (!places.all().containsKey(key)) {
        throw in.wrong("storage \"%s\" is used but not in the list of storages".formatted(key));
      }
    }
    return new Checkpoint("stream", object, ByteOrder.LITTLE_ENDIAN, places.all());
  }

  /** Notes where a storage lies, and returns where the next one starts. */
  private static long place(
      MappedFile file, long at, TorchStorage storage, Checkpoint.Places places) {
    if (file.size() - at < 8) {
      throw new FormatException(
          file.path(),
          at,
          "storage \"%s\" is missing; the file looks cut off, copy it again"
              .formatted(storage.key()));
    }
    long numbers = file.bytes().get(LONG, at);
    long bytes = storage.dtype().bits() / 8;
    long start = at + 8;
    if (numbers != storage.numbers()) {
      throw new FormatException(
          file.path(),
          at,
          "storage \"%s\" has %,d numbers here but %,d where it is used"
              .formatted(storage.key(), numbers, storage.numbers()));
    }
    long room = file.size() - start;
    long size = numbers > room / bytes ? room : numbers * bytes;
    MemorySegment segment = file.bytes().asSlice(start, size);
    places.put(storage, Checkpoint.mapped(start, segment));
    return start + size;
  }
}

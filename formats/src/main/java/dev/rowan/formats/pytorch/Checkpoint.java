package dev.rowan.formats.pytorch;

import dev.rowan.formats.file.FormatException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * What one checkpoint file holds: tensors, and where the bytes of their storages are.
 *
 * @param container which of the three layouts it has, for messages
 * @param object what its pickle holds
 * @param order the byte order of its numbers
 * @param storages where storages lie, by key; those that tensors view are all there and long enough
 */
record Checkpoint(
    String container, PickleValue object, ByteOrder order, Map<String, Place> storages) {

  /**
   * Where a storage lies.
   *
   * @param offset the byte of the file at which it starts, 0 if it is not stored as it is; in an
   *     archive of which only the directory was read, the first at which it can start
   * @param size its bytes
   * @param start finds out at which byte it starts, which in such an archive costs a look
   * @param bytes gives its bytes
   */
  record Place(long offset, long size, LongSupplier start, Supplier<MemorySegment> bytes) {}

  /** Returns a place of bytes that are stored as they are. */
  static Place mapped(long offset, MemorySegment bytes) {
    return new Place(offset, bytes.byteSize(), () -> offset, () -> bytes);
  }

  /** Collects the places of storages and checks them. */
  static final class Places {
    private final Path path;
    private final Map<String, Place> places = new HashMap<>();

    Places(Path path) {
      this.path = path;
    }

    void put(TorchStorage storage, Place place) {
      long bytes = storage.dtype().bits() / 8;
      if (storage.numbers() > place.size() / bytes) {
        throw new FormatException(
            path,
            place.offset(),
            "storage \"%s\" should have %,d numbers of %,d bytes but only %,d bytes are there; the file looks cut off or damaged"
                .formatted(storage.key(), storage.numbers(), bytes, place.size()));
      }
      places.put(storage.key(), place);
    }

    Map<String, Place> all() {
      return places;
    }
  }
}

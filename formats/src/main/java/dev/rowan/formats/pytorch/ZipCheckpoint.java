package dev.rowan.formats.pytorch;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import dev.rowan.formats.file.FormatException;
import dev.rowan.formats.file.UnsupportedFormatException;
import dev.rowan.formats.zip.ZipArchive;
import dev.rowan.formats.zip.ZipEntry;
import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Reads what {@code torch.save} writes since version 1.6 (torch/serialization.py): a zip archive of
 * stored entries in one folder.
 *
 * <pre>
 *   NAME/data.pkl       the object; storages are persistent ids, see StorageIds
 *   NAME/data/KEY       the numbers of a storage
 *   NAME/byteorder      "little" or "big"; since 2.1, little if it is not there
 *   NAME/constants.pkl  only in TorchScript, which is refused
 * </pre>
 */
final class ZipCheckpoint {
  private static final String PICKLE = "data.pkl";

  private ZipCheckpoint() {}

  /** Returns whether an archive is a checkpoint. */
  static boolean is(ZipArchive archive) {
    return pickle(archive).isPresent();
  }

  private static Optional<ZipEntry> pickle(ZipArchive archive) {
    return archive.entries().values().stream()
        .filter(entry -> entry.name().equals(PICKLE) || entry.name().endsWith("/" + PICKLE))
        .min(Comparator.comparingInt(entry -> entry.name().length()));
  }

  static Checkpoint read(Path path, ZipArchive archive) {
    ZipEntry pickle =
        pickle(archive)
            .orElseThrow(() ->
                new UnsupportedFormatException(
                    path, "is a zip archive without a data.pkl, so it is no PyTorch checkpoint"));
    String folder = pickle.name().substring(0, pickle.name().length() - PICKLE.length());
    if (archive.find(folder + "constants.pkl").isPresent()) {
      throw new UnsupportedFormatException(
          path,
          "is a TorchScript program, not a checkpoint; save its state dict, torch.save(model.state_dict(), …), and open that");
    }
    StorageIds ids = new StorageIds();
    long start = pickle.deflated() ? 0 : archive.offset(pickle);
    PickleInput in = new PickleInput(path, archive.bytes(pickle), start);
    PickleValue object = Pickle.read(in, new TorchObjects(ids));
    Checkpoint.Places places = new Checkpoint.Places(path);
    for (TorchStorage storage : ids.storages().values()) {
      places.put(storage, place(path, archive, folder + "data/" + storage.key()));
    }
    return new Checkpoint("zip", object, order(path, archive, folder), places.all());
  }

  private static Checkpoint.Place place(Path path, ZipArchive archive, String name) {
    ZipEntry entry =
        archive
            .find(name)
            .orElseThrow(() ->
                new FormatException(
                    path,
                    "holds no \"%s\", though its data.pkl names that storage; copy it again"
                        .formatted(name)));
    if (!entry.deflated()) {
      return new Checkpoint.Place(
          archive.least(entry),
          entry.size(),
          () -> archive.offset(entry),
          () -> archive.bytes(entry));
    }
    return new Checkpoint.Place(0, entry.size(), () -> 0, new Inflated(archive, entry));
  }

  /** A storage that somebody packed again: inflated when it is needed, and kept. */
  private static final class Inflated implements Supplier<MemorySegment> {
    private final ZipArchive archive;
    private final ZipEntry entry;
    private Optional<MemorySegment> bytes = Optional.empty();

    Inflated(ZipArchive archive, ZipEntry entry) {
      this.archive = archive;
      this.entry = entry;
    }

    @Override
    public synchronized MemorySegment get() {
      if (bytes.isEmpty()) {
        bytes = Optional.of(archive.bytes(entry));
      }
      return bytes.get();
    }
  }

  private static ByteOrder order(Path path, ZipArchive archive, String folder) {
    Optional<ZipEntry> entry = archive.find(folder + "byteorder");
    if (entry.isEmpty()) {
      return ByteOrder.LITTLE_ENDIAN;
    }
    byte[] raw = archive.start(entry.get(), 16).toArray(JAVA_BYTE);
    String order = new String(raw, StandardCharsets.US_ASCII);
    return switch (order) {
      case "little" -> ByteOrder.LITTLE_ENDIAN;
      case "big" -> ByteOrder.BIG_ENDIAN;
      default ->
          throw new FormatException(
              path,
              entry.get().header(),
              "says that its byte order is \"%s\"; little and big are known".formatted(order));
    };
  }
}

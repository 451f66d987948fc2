package dev.rowan.app.cli;

import dev.rowan.core.Lexicon;
import dev.rowan.core.NamedTable;
import dev.rowan.core.Origin;
import dev.rowan.core.TieDecision;
import dev.rowan.formats.Models;
import dev.rowan.formats.OpenOptions;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The model that comes with Rowan: the input table and the vocabulary of all-MiniLM-L6-v2, out of
 * the ONNX file in a library jar.
 *
 * <p>The first use writes them to the cache folder, 47 MB, in about a second. Each file goes to a
 * temporary name, is forced to disk, checked against its known SHA-256 and renamed; the table goes
 * last, so a folder that has it is complete. A lock makes concurrent first uses wait for one
 * another.
 */
final class BundledModel {
  private static final String ONNX = "/all-minilm-l6-v2.onnx";
  private static final String TOKENIZER = "/all-minilm-l6-v2-tokenizer.json";
  private static final String TENSOR = "embeddings.word_embeddings.weight";

  // What the model's own config says of its table; the library jar does not hold it.
  private static final String CONFIG =
      """
      {
        "architectures": ["BertModel"],
        "model_type": "bert",
        "hidden_size": 384,
        "vocab_size": 30522
      }
      """;

  /** Float numbers in the whole ONNX file; what is extracted is the table alone. */
  private static final long MODEL_PARAMETERS = 22_565_376;

  private static final String CONFIG_SHA256 =
      "93d0fdfd2cde95a2bd32162aa8e5a71f24c4af2b7c31901a40d2c5c81cfe6eb6";
  private static final long TABLE_SIZE = 46_881_904;
  private static final String TABLE_SHA256 =
      "50695a6c1a0f1f7bbe236d353f8a508e6a2d30ecc3852e529385d9b4a9c50bba";
  private static final long TOKENIZER_SIZE = 711_661;
  private static final String TOKENIZER_SHA256 =
      "da0e79933b9ed51798a3ae27893d3c5fa4a201126cef75586296df9b4d2c62a0";

  private final Path folder;

  BundledModel(Path cache) {
    this.folder = cache.resolve("all-MiniLM-L6-v2");
  }

  /** Opens the model, after writing it to the cache if it is not there. */
  Lexicon open(Surroundings surroundings) throws IOException {
    if (!isComplete()) {
      try (Progress _ = Progress.of(surroundings, "unpacking the table of all-MiniLM-L6-v2")) {
        extract();
      }
    }
    Lexicon lexicon = Models.open(folder, OpenOptions.DEFAULT);
    return withWholeModel(lexicon);
  }

  private boolean isComplete() throws IOException {
    return hasSize("tokenizer.json", TOKENIZER_SIZE)
        && Files.exists(folder.resolve("config.json"))
        && hasSize("model.safetensors", TABLE_SIZE);
  }

  private boolean hasSize(String name, long size) throws IOException {
    Path file = folder.resolve(name);
    return Files.isRegularFile(file) && Files.size(file) == size;
  }

  private void extract() throws IOException {
    try {
      Files.createDirectories(folder);
    } catch (IOException e) {
      throw new IOException(
          "the cache folder %s cannot be made (%s); set ROWAN_CACHE to one that can"
              .formatted(folder, e.getMessage()),
          e);
    }
    try (FileChannel lock =
            FileChannel.open(
                folder.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        var _ = lock.lock()) {
      if (isComplete()) {
        return; // another process did it meanwhile
      }
      Path tokenizer = temporary("tokenizer.json");
      copyResource(TOKENIZER, tokenizer);
      finish(tokenizer, "tokenizer.json", TOKENIZER_SHA256);
      Path config = temporary("config.json");
      Files.writeString(config, CONFIG);
      finish(config, "config.json", CONFIG_SHA256);
      Path onnx = temporary("model.onnx");
      try {
        copyResource(ONNX, onnx);
        Path table = temporary("model.safetensors");
        try (Lexicon whole = Models.open(onnx, OpenOptions.DEFAULT.withTensor(TENSOR))) {
          writeTable(whole.input(), table);
        }
        finish(table, "model.safetensors", TABLE_SHA256);
      } finally {
        Files.deleteIfExists(onnx);
      }
    }
  }

  private Path temporary(String name) {
    return folder.resolve(name + ".part");
  }

  private static void copyResource(String resource, Path target) throws IOException {
    try (InputStream in = BundledModel.class.getResourceAsStream(resource)) {
      if (in == null) {
        throw new IOException(
            "the bundled model is missing from this installation (%s); build Rowan again or name a model with -m"
                .formatted(resource.substring(1)));
      }
      Files.copy(in, target, StandardCopyOption.REPLACE_EXISTING);
    }
  }

  /** Writes a safetensors file of one f32 tensor: u64 header length, JSON header, numbers. */
  private static void writeTable(NamedTable named, Path target) throws IOException {
    MemorySegment data = named.table().data();
    String json =
        "{\"%s\":{\"dtype\":\"F32\",\"shape\":[%d,%d],\"data_offsets\":[0,%d]}}"
            .formatted(TENSOR, named.table().rows(), named.table().width(), data.byteSize());
    byte[] header = (json + " ".repeat(-json.length() & 7)).getBytes(StandardCharsets.UTF_8);
    ByteBuffer start = ByteBuffer.allocate(8 + header.length).order(ByteOrder.LITTLE_ENDIAN);
    start.putLong(header.length).put(header).flip();
    try (FileChannel out =
        FileChannel.open(
            target,
            StandardOpenOption.CREATE,
            StandardOpenOption.WRITE,
            StandardOpenOption.TRUNCATE_EXISTING)) {
      writeFully(out, start);
      writeFully(out, data.asByteBuffer()); // 47 MB, far below the 2 GB that a buffer can view
    }
  }

  private static void writeFully(FileChannel out, ByteBuffer bytes) throws IOException {
    while (bytes.hasRemaining()) {
      out.write(bytes);
    }
  }

  /** Forces a file to disk, checks it and gives it its name. */
  private void finish(Path temporary, String name, String sha256) throws IOException {
    try (FileChannel channel =
        FileChannel.open(temporary, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      channel.force(true);
      if (!sha256.equals(sha256Of(channel))) {
        throw new IOException(
            "%s: the checksum is wrong after unpacking; is the disk full, or %s damaged?"
                .formatted(temporary, "the library jar"));
      }
    }
    Path target = folder.resolve(name);
    try {
      Files.move(temporary, target, StandardCopyOption.ATOMIC_MOVE);
    } catch (AtomicMoveNotSupportedException e) {
      Files.move(temporary, target, StandardCopyOption.REPLACE_EXISTING);
    }
  }

  private static String sha256Of(FileChannel channel) throws IOException {
    MessageDigest digest;
    try {
      digest = MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
    ByteBuffer buffer = ByteBuffer.allocate(1 << 20);
    long at = 0;
    int read;
    while ((read = channel.read(buffer.clear(), at)) > 0) {
      digest.update(buffer.flip());
      at += read;
    }
    return HexFormat.of().formatHex(digest.digest());
  }

  private static Lexicon withWholeModel(Lexicon table) {
    Origin origin = table.origin();
    List<String> notes = new ArrayList<>(origin.notes());
    notes.add(
        "comes with Rowan: the input table of sentence-transformers/all-MiniLM-L6-v2, a model that"
            + " itself ends in one vector for a sentence and scores no tokens");
    return Lexicon.lazy(
        table.input(),
        table.output(),
        Optional.of(() -> table.vocabulary().orElseThrow()),
        () -> new TieDecision(table.tie(), table.tieEvidence()),
        new Origin(
            origin.path(),
            origin.format(),
            origin.architecture(),
            OptionalLong.of(MODEL_PARAMETERS),
            notes),
        table::close);
  }
}

package dev.rowan.hub;

import dev.rowan.core.Counted;
import dev.rowan.formats.file.FileKind;
import dev.rowan.formats.file.FormatException;
import dev.rowan.formats.file.MappedFile;
import dev.rowan.formats.gguf.GgufFile;
import dev.rowan.formats.safetensors.Safetensors;
import dev.rowan.formats.safetensors.SafetensorsHeader;
import dev.rowan.formats.tensor.TensorFile;
import dev.rowan.formats.tensor.TensorInfo;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads the headers of remote weights, several files at once, and keeps them. */
final class Heads {
  /** Holds the header of almost any file; one request less counts for more than the bytes. */
  static final int FIRST = 128 << 10;

  static final String HEAD = "head";

  private final Fetcher fetcher;
  private final long limit;

  /**
   * Makes a reader.
   *
   * @param limit the longest header to accept in one file, in bytes
   */
  Heads(Fetcher fetcher, long limit) {
    this.fetcher = fetcher;
    this.limit = limit;
  }

  /**
   * Reads the headers of weights.
   *
   * @param path the model, for messages
   * @param shardOf which file an index says holds a tensor; empty if there is no index
   */
  TensorFile read(Path path, Weights weights, Map<String, String> shardOf) throws IOException {
    return switch (weights.kind()) {
      case SAFETENSORS -> safetensors(path, weights.files(), shardOf);
      case GGUF -> gguf(weights.files());
      case ONNX -> new CheckpointHeads(fetcher, limit).onnx(path, weights);
      case TENSORFLOW -> new CheckpointHeads(fetcher, limit).tensorflow(path, weights);
      case PYTORCH -> new CheckpointHeads(fetcher, limit).pytorch(path, weights.files(), shardOf);
      case NUMPY -> new CheckpointHeads(fetcher, limit).numpy(weights.files().getFirst());
      case WHOLE -> throw new IllegalStateException("has no header to be read alone");
    };
  }

  /**
   * Reads the headers of safetensors files.
   *
   * @param path the model, for messages
   * @param shardOf which file an index says holds a tensor; empty if there is no index
   */
  private RemoteTensors safetensors(Path path, List<Entry> files, Map<String, String> shardOf)
      throws IOException {
    Map<Entry, SafetensorsHeader> headers = new LinkedHashMap<>();
    files.forEach(file -> headers.put(file, new SafetensorsHeader(List.of(), Map.of())));
    List<Together.Task> tasks = new ArrayList<>();
    for (List<Entry> some : shared(fetcher, files)) {
      tasks.add(() -> {
        for (Entry file : some) {
          SafetensorsHeader header = header(file);
          synchronized (headers) {
            headers.put(file, header);
          }
        }
      });
    }
    Together.run(tasks);
    Map<String, TensorInfo> tensors = new LinkedHashMap<>();
    Map<String, String> texts = new LinkedHashMap<>();
    for (SafetensorsHeader header : headers.values()) {
      header.metadata().forEach(texts::putIfAbsent);
      for (TensorInfo tensor : header.tensors()) {
        add(tensors, tensor, shardOf);
      }
    }
    return new RemoteTensors(
        path,
        "safetensors",
        List.copyOf(tensors.values()),
        Safetensors.config(texts),
        notes(tensors, shardOf),
        Safetensors.texts(texts));
  }

  /** Deals files out, so that no more connections are open than the settings allow. */
  static List<List<Entry>> shared(Fetcher fetcher, List<Entry> files) {
    int hands = Math.min(files.size(), fetcher.settings().transfer().connections());
    List<List<Entry>> dealt = new ArrayList<>();
    for (int i = 0; i < hands; i++) {
      dealt.add(new ArrayList<>());
    }
    for (int i = 0; i < files.size(); i++) {
      dealt.get(i % hands).add(files.get(i));
    }
    return dealt;
  }

  private static void add(
      Map<String, TensorInfo> tensors, TensorInfo tensor, Map<String, String> shardOf) {
    TensorInfo other = tensors.putIfAbsent(tensor.name(), tensor);
    if (other == null) {
      return;
    }
    String expected = shardOf.get(tensor.name());
    if (expected == null) {
      throw new FormatException(
          tensor.file(),
          "duplicate name: tensor \"%s\" is also in %s".formatted(tensor.name(), other.file()));
    }
    if (tensor.file().endsWith(expected)) {
      tensors.put(tensor.name(), tensor);
    }
  }

  private static List<String> notes(Map<String, TensorInfo> tensors, Map<String, String> shardOf) {
    List<String> absent =
        shardOf.keySet().stream().filter(name -> !tensors.containsKey(name)).toList();
    return absent.isEmpty()
        ? List.of()
        : List.of(
            "the index lists %s that no shard holds, such as \"%s\"; left out"
                .formatted(Counted.of(absent.size(), "tensor"), absent.getFirst()));
  }

  private SafetensorsHeader header(Entry file) throws IOException {
    long size = file.size().orElseThrow();
    Path name = Path.of(file.name());
    Path head =
        fetcher.obtain(
            file, HEAD, (source, part) -> Files.write(part, safetensorsHead(source, name, size)));
    try (MappedFile bytes = MappedFile.open(head)) {
      return SafetensorsHeader.read(name, bytes.bytes(), size, limit);
    }
  }

  private GgufFile gguf(List<Entry> files) throws IOException {
    Map<Entry, Path> heads = new LinkedHashMap<>();
    List<Together.Task> tasks = new ArrayList<>();
    for (List<Entry> some : shared(fetcher, files)) {
      tasks.add(() -> {
        for (Entry file : some) {
          Path head = ggufHead(file);
          synchronized (heads) {
            heads.put(file, head);
          }
        }
      });
    }
    Together.run(tasks);
    List<GgufFile.Head> read = new ArrayList<>();
    for (Entry file : files) {
      MemorySegment bytes = MemorySegment.ofArray(Files.readAllBytes(heads.get(file)));
      read.add(new GgufFile.Head(Path.of(file.name()), bytes, file.size().orElseThrow()));
    }
    return GgufFile.ofHeads(read);
  }

  /** Returns the header of a GGUF file, settings and tokens included: some megabytes. */
  Path ggufHead(Entry file) throws IOException {
    return fetcher.obtain(
        file,
        HEAD,
        (source, part) -> Files.write(part, ggufHead(source, Path.of(file.name()), file)));
  }

  /** Where the header ends is only known at its end, so four times as much is read each time. */
  private byte[] ggufHead(ByteSource source, Path name, Entry file) throws IOException {
    long size = file.size().orElseThrow();
    byte[] head = first(source, size);
    if (FileKind.of(MemorySegment.ofArray(head)) == FileKind.MARKUP) {
      throw new FormatException(name, "arrives as a web page; is a login or a proxy in between?");
    }
    long length = GgufWalk.length(name, head);
    while (length < 0 && head.length < Math.min(size, limit)) {
      ByteArrayOutputStream more = new ByteArrayOutputStream();
      more.writeBytes(head);
      long to = Math.min(Math.min(size, limit), 4L * head.length);
      source.read(head.length, to, bytes -> append(more, bytes), _ -> {});
      head = more.toByteArray();
      length = GgufWalk.length(name, head);
    }
    if (length < 0 && head.length < size) {
      throw new FormatException(
          name,
          "the header is above the limit of %,d bytes; raise the limit (ROWAN_HEADER_LIMIT) if you trust this file"
              .formatted(limit));
    }
    // a header that the file itself cuts off is for the reader to refuse
    return length < 0 ? head : Arrays.copyOf(head, (int) length);
  }

  private byte[] safetensorsHead(ByteSource source, Path name, long size) throws IOException {
    byte[] first = first(source, size);
    MemorySegment bytes = MemorySegment.ofArray(first);
    if (FileKind.of(bytes) == FileKind.MARKUP) {
      throw new FormatException(name, "arrives as a web page; is a login or a proxy in between?");
    }
    long length = 8 + SafetensorsHeader.checkedLength(name, bytes, size, limit);
    ByteArrayOutputStream head = new ByteArrayOutputStream(first.length);
    head.write(first, 0, (int) Math.min(first.length, length));
    if (length > first.length) {
      source.read(first.length, length, more -> append(head, more), _ -> {});
    }
    return head.toByteArray();
  }

  static byte[] first(ByteSource source, long size) throws IOException {
    int count = (int) Math.min(FIRST, size);
    if (source instanceof RemoteFile remote) {
      return remote.head(Math.max(count, 1));
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(count);
    source.read(0, count, buffer -> append(bytes, buffer), _ -> {});
    return bytes.toByteArray();
  }

  static boolean append(ByteArrayOutputStream bytes, ByteBuffer buffer) {
    byte[] more = new byte[buffer.remaining()];
    buffer.get(more);
    bytes.writeBytes(more);
    return true;
  }
}

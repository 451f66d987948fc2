package dev.rowan.hub;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import dev.rowan.core.Tie;
import dev.rowan.core.kernel.RowFormat;
import dev.rowan.formats.config.TieSetting;
import dev.rowan.formats.tensor.Dtype;
import dev.rowan.formats.tensor.TensorInfo;
import dev.rowan.formats.zip.ZipPart;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringWriter;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/**
 * A file put together from parts of another: bytes of our own, then pieces of the other file, one
 * after the other, then again bytes of our own.
 */
final class Excerpt {
  /** The key in a safetensors file's metadata that says that it is an excerpt. */
  static final String MARK = "rowan.excerpt";

  /** What safetensors calls its dtypes. */
  private static final Set<String> LABELS =
      Set.of("F64", "F32", "F16", "BF16", "I64", "I32", "I16", "I8", "U8", "BOOL");

  /**
   * Some bytes of the other file.
   *
   * @param from the first
   * @param to behind the last
   */
  record Piece(long from, long to) {
    long bytes() {
      return to - from;
    }
  }

  private final byte[] start;
  private final List<Piece> pieces;
  private final byte[] end;

  /**
   * Makes an excerpt.
   *
   * @param start our own bytes
   * @param pieces what follows
   */
  Excerpt(byte[] start, List<Piece> pieces) {
    this(start, pieces, new byte[0]);
  }

  private Excerpt(byte[] start, List<Piece> pieces, byte[] end) {
    this.start = start.clone();
    this.pieces = List.copyOf(pieces);
    this.end = end.clone();
  }

  /** Returns whether a safetensors file can hold numbers of a dtype of another format. */
  static boolean canHold(Dtype dtype) {
    return LABELS.contains(label(dtype));
  }

  private static String label(Dtype dtype) {
    String rows = dtype.rows().map(RowFormat::label).orElse("").toUpperCase(Locale.ROOT);
    return LABELS.contains(rows) ? rows : dtype.label();
  }

  /** Returns our own bytes. */
  byte[] start() {
    return start.clone();
  }

  /** Returns how many bytes of our own there are. */
  int startSize() {
    return start.length;
  }

  List<Piece> pieces() {
    return pieces;
  }

  /** Returns our own bytes behind the pieces. */
  byte[] end() {
    return end.clone();
  }

  /** Returns whether nothing is our own. */
  boolean hasOnlyPieces() {
    return start.length == 0 && end.length == 0;
  }

  /** Returns all of a file. */
  static Excerpt whole(long size) {
    return new Excerpt(new byte[0], List.of(new Piece(0, size)));
  }

  /** Returns an archive of some of an archive's entries. */
  static Excerpt ofZip(ZipPart part) {
    List<Piece> pieces =
        part.spans().stream().map(span -> new Piece(span.from(), span.to())).toList();
    return new Excerpt(new byte[0], pieces, part.directory().toArray(JAVA_BYTE));
  }

  /**
   * Returns a safetensors file of some of a file's tensors, under their own names, in the order in
   * which they lie there. Nothing in it tells by which name the file was asked for, so that it is
   * the same under each.
   *
   * @param tie how the whole model's tables relate, which an excerpt cannot tell
   */
  static Excerpt ofSafetensors(Tie tie, List<TensorInfo> tensors) {
    List<TensorInfo> ordered = new ArrayList<>(tensors);
    ordered.sort(Comparator.comparingLong(TensorInfo::offset));
    StringWriter text = new StringWriter();
    List<Piece> pieces = new ArrayList<>();
    try (JsonGenerator json = new JsonFactory().createGenerator(ObjectWriteContext.empty(), text)) {
      json.writeStartObject();
      json.writeObjectPropertyStart("__metadata__");
      json.writeStringProperty(MARK, "some of the tensors of a larger file");
      json.writeStringProperty(TieSetting.NOTE, TieSetting.note(tie));
      json.writeEndObject();
      long at = 0;
      for (TensorInfo tensor : ordered) {
        json.writeObjectPropertyStart(tensor.name());
        json.writeStringProperty("dtype", label(tensor.dtype()));
        json.writeArrayPropertyStart("shape");
        tensor.shape().forEach(json::writeNumber);
        json.writeEndArray();
        json.writeArrayPropertyStart("data_offsets");
        json.writeNumber(at);
        json.writeNumber(at + tensor.bytes());
        json.writeEndArray();
        json.writeEndObject();
        pieces.add(new Piece(tensor.offset(), Math.addExact(tensor.offset(), tensor.bytes())));
        at = Math.addExact(at, tensor.bytes());
      }
      json.writeEndObject();
    }
    byte[] header = text.toString().getBytes(StandardCharsets.UTF_8);
    int padded = header.length + (-header.length & 7); // so that the numbers start aligned
    ByteBuffer start = ByteBuffer.allocate(8 + padded).order(ByteOrder.LITTLE_ENDIAN);
    start.putLong(padded).put(header);
    while (start.hasRemaining()) {
      start.put((byte) ' ');
    }
    return new Excerpt(start.array(), pieces);
  }

  /** Returns how many bytes of the other file there are. */
  long fetched() {
    return pieces.stream().mapToLong(Piece::bytes).sum();
  }

  /** Returns how many bytes the excerpt has. */
  long size() {
    return start.length + fetched() + end.length;
  }

  /** Returns whether a file may be this excerpt: it has its size, and our own bytes are there. */
  boolean isIn(Path file) throws IOException {
    if (Files.size(file) != size()) {
      return false;
    }
    try (FileChannel channel = FileChannel.open(file)) {
      InputStream bytes = Channels.newInputStream(channel);
      boolean starts = Arrays.equals(bytes.readNBytes(start.length), start);
      channel.position(size() - end.length);
      return starts && Arrays.equals(bytes.readNBytes(end.length), end);
    }
  }

  /** Returns a name that differs where the excerpt differs. */
  String name() {
    StringBuilder text = new StringBuilder(new String(start, StandardCharsets.ISO_8859_1));
    pieces.forEach(piece -> text.append('\n').append(piece.from).append('-').append(piece.to));
    text.append(new String(end, StandardCharsets.ISO_8859_1));
    return Identity.digest(text.toString()).substring(0, 16);
  }
}

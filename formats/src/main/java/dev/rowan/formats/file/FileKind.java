package dev.rowan.formats.file;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;

/** What a file is, told by its first bytes: names and suffixes lie. */
public enum FileKind {
  /** A header length and a JSON header. */
  SAFETENSORS("a safetensors file"),
  /** JSON text. */
  JSON("a JSON file"),
  /** A protobuf message that begins like an ONNX model. */
  ONNX("an ONNX model"),
  /** A text that stands for a file kept elsewhere by Git LFS. */
  GIT_LFS_POINTER("a Git LFS pointer"),
  /** llama.cpp's format. */
  GGUF("a GGUF file"),
  /** A zip archive: PyTorch, Keras 3 or NumPy .npz. */
  ZIP("a zip archive, such as a PyTorch checkpoint"),
  /** A Python pickle: an old PyTorch checkpoint. */
  PICKLE("a Python pickle, such as an old PyTorch checkpoint"),
  /** A tar archive: a PyTorch checkpoint of 2016. */
  TAR("a tar archive, such as a very old PyTorch checkpoint"),
  /** A NumPy array. */
  NUMPY("a NumPy array"),
  /** HDF5: Keras weights. */
  HDF5("an HDF5 file"),
  /** Columns on disk. */
  PARQUET("a Parquet file"),
  /** Columns as Arrow keeps them in memory; also Feather. */
  ARROW("an Arrow file"),
  /** What llama.cpp read before GGUF. */
  GGML("a file of llama.cpp from before GGUF"),
  /** finalfusion's chunks. */
  FINALFUSION("a finalfusion file"),
  /** The index of a TensorFlow checkpoint. */
  TENSORFLOW_INDEX("the index of a TensorFlow checkpoint"),
  /** fastText binary. */
  FASTTEXT("a fastText model"),
  /** Word vectors: text, or word2vec's binary behind its header. */
  WORD_VECTORS("a file of word vectors"),
  /** Lines of numbers with tabs between, as the TensorBoard projector reads. */
  NUMBER_LINES("a table of numbers with tabs between"),
  /** Lines of an id, a token and numbers, which the first line names. */
  COLUMNS("a table of ids, tokens and numbers"),
  /** A config of the TensorBoard projector, which names files of numbers. */
  PROJECTOR_CONFIG("a config of the TensorBoard projector"),
  /** A text whose characters take two bytes each, as Excel's "Unicode text" has. */
  UTF_16("a text in UTF-16; save it as UTF-8"),
  /** An XML or HTML text, often an error page saved as a model. */
  MARKUP("an HTML or XML page, not a model"),
  /** No bytes at all. */
  EMPTY("an empty file"),
  /** None of these. */
  UNKNOWN("of a kind that is not known here");

  private final String description;

  FileKind(String description) {
    this.description = description;
  }

  /** Returns what to call such a file, with its article. */
  public String description() {
    return description;
  }

  /** Returns whether a file is a Git LFS pointer: they have fewer than 1024 bytes. */
  public static boolean isPointer(Path file) throws IOException {
    return Files.isRegularFile(file)
        && Files.size(file) < 1024
        && of(MemorySegment.ofArray(Files.readAllBytes(file))) == GIT_LFS_POINTER;
  }

  /** Returns the kind of a file's bytes. Reads at most the first few thousand. */
  public static FileKind of(MemorySegment bytes) {
    long size = bytes.byteSize();
    if (size == 0) {
      return EMPTY;
    }
    String head = head(bytes);
    if (head.startsWith("version https://git-lfs")) {
      return GIT_LFS_POINTER;
    }
    // before the magics: a header length may happen to look like one of them
    if (size > 8 && head.charAt(8) == '{' && fits(new ByteWindow(bytes).littleEndian(0, 8), size)) {
      return SAFETENSORS;
    }
    if (head.startsWith("GGUF") && !head.startsWith("GGUF ")) { // a word of that name is text
      return GGUF;
    }
    if (head.startsWith("PK\3\4")) {
      return ZIP;
    }
    if (head.startsWith("\u0093NUMPY")) {
      return NUMPY;
    }
    if (head.startsWith("\u0089HDF\r\n") || Hdf5Clues.start(bytes) >= 0) {
      return HDF5;
    }
    if (head.startsWith("PAR1") && endsWith(bytes, "PAR1")) {
      return PARQUET;
    }
    if (head.startsWith("ARROW1\0\0")) {
      return ARROW;
    }
    if (isGgml(head)) {
      return GGML;
    }
    if (head.startsWith("FiFu\0")) {
      return FINALFUSION;
    }
    if (head.startsWith("\u00BA\u0016O/")) {
      return FASTTEXT;
    }
    if (endsAsSortedTable(bytes)) { // before the magics of few bytes: a table starts with any
      return TENSORFLOW_INDEX;
    }
    if (head.startsWith("\u0080") && size > 1 && head.charAt(1) <= 5) {
      return PICKLE;
    }
    if (size >= 512 && ustar(bytes)) {
      return TAR;
    }
    if (FastTextClues.isOldModel(bytes)) {
      return FASTTEXT;
    }
    return TextStart.isUtf16(bytes) ? UTF_16 : ofText(TextStart.after(bytes));
  }

  private static FileKind ofText(MemorySegment bytes) {
    String head = head(bytes);
    if (VectorClues.namesColumns(head)) {
      return COLUMNS;
    }
    // before JSON and markup: words such as "{" and "<unk>" may begin a file of word vectors
    if (VectorClues.hasHeader(head) || VectorClues.isWordLine(bytes)) {
      return WORD_VECTORS;
    }
    if (VectorClues.isNumberLine(bytes)) {
      return NUMBER_LINES;
    }
    if (ProjectorClues.isConfig(bytes)) {
      return PROJECTOR_CONFIG;
    }
    String text = head.stripLeading();
    if (text.startsWith("{")) {
      return JSON;
    }
    if (text.startsWith("<")) {
      return MARKUP;
    }
    // ModelProto begins with ir_version (field 1, varint), today below 16, then another field
    if (bytes.byteSize() > 2 && head.charAt(0) == 8 && head.charAt(1) > 0 && head.charAt(1) < 64) {
      return ONNX;
    }
    return UNKNOWN;
  }

  /** Returns the first bytes for a message: text if they are text, else hexadecimal. */
  public static String firstBytes(MemorySegment bytes) {
    String head = head(bytes).substring(0, (int) Math.min(16, bytes.byteSize()));
    if (head.chars().allMatch(c -> c == 0)) {
      return "zeros, as a copy does that was broken off";
    }
    return head.chars().allMatch(c -> (c >= ' ' && c <= '~') || (c >= '\t' && c <= '\r'))
        ? '"' + head.replaceAll("\\s+", " ") + '"'
        : HexFormat.ofDelimiter(" ").formatHex(head.getBytes(StandardCharsets.ISO_8859_1));
  }

  /** Three magics, one after the other, and a version or a count, which no text starts with. */
  private static boolean isGgml(String head) {
    return head.length() > 8
        && (head.startsWith("lmgg") || head.startsWith("fmgg") || head.startsWith("tjgg"))
        && head.substring(4, 8).indexOf('\0') >= 0;
  }

  /** POSIX and GNU tar headers have this behind the name, the mode, the owner, sizes and links. */
  private static boolean ustar(MemorySegment bytes) {
    byte[] magic = bytes.asSlice(257, 5).toArray(JAVA_BYTE);
    return new String(magic, StandardCharsets.ISO_8859_1).equals("ustar");
  }

  private static boolean endsWith(MemorySegment bytes, String end) {
    long size = bytes.byteSize();
    byte[] last = bytes.asSlice(size - Math.min(size, end.length())).toArray(JAVA_BYTE);
    return new String(last, StandardCharsets.ISO_8859_1).equals(end);
  }

  /** LevelDB's tables, which TensorFlow writes its index as, are told by their end alone. */
  private static boolean endsAsSortedTable(MemorySegment bytes) {
    long size = bytes.byteSize();
    return size >= 48 && new ByteWindow(bytes).littleEndian(size - 8, 8) == 0xdb4775248b80fb57L;
  }

  private static boolean fits(long headerLength, long size) {
    return headerLength > 0 && headerLength <= size - 8;
  }

  private static String head(MemorySegment bytes) {
    byte[] head = bytes.asSlice(0, Math.min(64, bytes.byteSize())).toArray(JAVA_BYTE);
    return new String(head, StandardCharsets.ISO_8859_1);
  }
}

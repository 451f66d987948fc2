package dev.rowan.hub;

import dev.rowan.core.Tie;
import dev.rowan.formats.config.TieSetting;
import dev.rowan.formats.file.FormatException;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Finds out where the header of a GGUF file ends while only its first bytes are here, and writes
 * headers of fewer tensors. It steps over what it passes; the reader of the format checks it.
 *
 * <pre>
 *   "GGUF", u32 version, i64 tensors, i64 keys
 *   keys      text key, u32 type, value; an array is u32 type, u64 count, items
 *   tensors   text name, u32 n, n × i64 dimensions, u32 type, u64 offset
 *   text      u64 length, bytes
 * </pre>
 */
final class GgufWalk {
  /** The bytes of each type of value; 0 for texts (8) and arrays (9). */
  private static final int[] SIZES = {1, 1, 2, 2, 4, 4, 4, 1, 0, 0, 8, 8, 8};

  private static final int TEXT = 8;
  private static final int ARRAY = 9;
  private static final int U32 = 4;
  private static final int MOST_DIMENSIONS = 4;
  private static final int MOST_NESTING = 8;
  private static final int START = 24;

  private final Path path;
  private final ByteBuffer bytes;
  private final Map<String, Description> tensors = new LinkedHashMap<>();
  private long alignment = 32;
  private long keyCount;
  private boolean hasNote;
  private int keysEnd;
  private int partsAt; // of the number of parts that the file was split into; 0 if there is none
  private int partsBytes;

  /** Where the description of a tensor lies; its last eight bytes are the offset of the data. */
  private record Description(int from, int to) {}

  /** More bytes are needed to go on. */
  private static final class NeedsMore extends Exception {
    private static final long serialVersionUID = 1;

    NeedsMore() {
      super("more bytes are needed", null, false, false);
    }
  }

  private GgufWalk(Path path, byte[] head) {
    this.path = path;
    this.bytes = ByteBuffer.wrap(head).order(ByteOrder.LITTLE_ENDIAN);
  }

  /**
   * Returns the length of the header, −1 if it does not end within these bytes.
   *
   * @param path the file, for messages
   * @throws FormatException if this is no GGUF file
   */
  static long length(Path path, byte[] head) {
    try {
      GgufWalk walk = new GgufWalk(path, head);
      walk.pass();
      return walk.bytes.position();
    } catch (NeedsMore e) {
      return -1;
    }
  }

  /** Where an excerpt stands in the model. */
  static final class Setting {
    private final byte[] settings;
    private final int files;
    private final Tie tie;

    /**
     * Makes a setting.
     *
     * @param settings the header with the settings and tokens: of a split file that of the first
     *     part
     * @param files of how many files the excerpts of all parts are
     * @param tie how the whole model's tables relate, which an excerpt cannot tell
     */
    Setting(byte[] settings, int files, Tie tie) {
      this.settings = settings.clone();
      this.files = files;
      this.tie = tie;
    }
  }

  /**
   * Returns a file of some of a file's tensors, with all settings and tokens of the model.
   *
   * @param head the file's whole header
   * @param wanted the tensors, in the order of the file, with the places of their data
   * @param size of the file
   */
  static Excerpt excerpt(
      Path path, byte[] head, Map<String, Excerpt.Piece> wanted, long size, Setting setting) {
    GgufWalk walk = new GgufWalk(path, head);
    GgufWalk model = new GgufWalk(path, setting.settings);
    try {
      walk.pass();
      model.pass();
    } catch (NeedsMore e) {
      throw new FormatException(path, head.length, "the header is cut off", e);
    }
    return walk.excerpt(head, wanted, size, model.start(wanted.size(), setting), model.alignment);
  }

  /** Returns a header with all settings of this one, up to the descriptions of tensors. */
  private ByteArrayOutputStream start(int tensorCount, Setting setting) {
    byte[] head = setting.settings.clone();
    if (partsAt > 0) {
      byte[] files = number(setting.files);
      boolean little = bytes.order() == ByteOrder.LITTLE_ENDIAN;
      System.arraycopy(files, little ? 0 : 8 - partsBytes, head, partsAt, partsBytes);
    }
    ByteArrayOutputStream start = new ByteArrayOutputStream();
    start.write(head, 0, 8);
    start.writeBytes(number(tensorCount));
    if (hasNote) { // a file that Rowan wrote
      start.write(head, 16, keysEnd - 16);
    } else {
      start.writeBytes(number(keyCount + 1));
      start.write(head, START, keysEnd - START);
      start.writeBytes(counted(TieSetting.NOTE));
      start.writeBytes(ByteBuffer.allocate(4).order(bytes.order()).putInt(TEXT).array());
      start.writeBytes(counted(TieSetting.note(setting.tie)));
    }
    return start;
  }

  private Excerpt excerpt(
      byte[] head,
      Map<String, Excerpt.Piece> wanted,
      long size,
      ByteArrayOutputStream start,
      long padding) {
    List<String> names = List.copyOf(wanted.keySet());
    Map<String, Excerpt.Piece> pieces = new LinkedHashMap<>();
    long at = 0;
    for (String name : names) {
      Excerpt.Piece piece = wanted.get(name);
      Description description = tensors.get(name);
      if (piece == null || description == null) {
        throw new IllegalArgumentException("there is no tensor \"%s\"".formatted(name));
      }
      start.write(head, description.from, description.to - description.from - 8);
      start.writeBytes(number(at));
      // what pads a tensor there pads it here
      Excerpt.Piece padded =
          new Excerpt.Piece(piece.from(), Math.min(size, aligned(piece, padding)));
      pieces.put(name, padded);
      at += padded.bytes();
    }
    while (start.size() % padding != 0) {
      start.write(0);
    }
    return new Excerpt(start.toByteArray(), List.copyOf(pieces.values()));
  }

  private static long aligned(Excerpt.Piece piece, long padding) {
    return piece.from() + (piece.bytes() + padding - 1) / padding * padding;
  }

  private byte[] counted(String text) {
    byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
    return ByteBuffer.allocate(8 + utf8.length)
        .order(bytes.order())
        .putLong(utf8.length)
        .put(utf8)
        .array();
  }

  private byte[] number(long value) {
    return ByteBuffer.allocate(8).order(bytes.order()).putLong(value).array();
  }

  private void pass() throws NeedsMore {
    need(START);
    byte[] magic = new byte[4];
    bytes.get(magic);
    if (!new String(magic, StandardCharsets.ISO_8859_1).equals("GGUF")) {
      throw new FormatException(path, 0, "does not start with \"GGUF\"");
    }
    if ((bytes.getInt() & 0xFFFF) == 0) {
      bytes.order(ByteOrder.BIG_ENDIAN);
    }
    long tensorCount = bytes.getLong();
    keyCount = bytes.getLong();
    for (long i = 0; i < keyCount; i++) {
      passKey();
    }
    keysEnd = bytes.position();
    for (long i = 0; i < tensorCount; i++) {
      passTensor();
    }
  }

  private void passKey() throws NeedsMore {
    String key = text();
    hasNote |= key.equals(TieSetting.NOTE);
    need(4);
    int type = bytes.getInt();
    if (type == U32 && key.equals("general.alignment")) {
      need(4);
      alignment = Integer.toUnsignedLong(bytes.getInt(bytes.position()));
      if (Long.bitCount(alignment) != 1 || alignment > 1 << 20) {
        throw wrong("general.alignment is %d; it should be a power of two".formatted(alignment));
      }
    }
    if (key.equals("split.count") && type >= 0 && type < SIZES.length && SIZES[type] > 0) {
      partsAt = bytes.position();
      partsBytes = SIZES[type];
    }
    passValue(type, 0);
  }

  private void passValue(int type, int depth) throws NeedsMore {
    if (type < 0 || type >= SIZES.length || depth > MOST_NESTING) {
      throw wrong("a value has type %d, which is not known".formatted(type));
    }
    if (type == TEXT) {
      skip(length());
    } else if (type == ARRAY) {
      need(12);
      int items = bytes.getInt();
      long count = bytes.getLong();
      if (items < 0 || items >= SIZES.length || count < 0) {
        throw wrong("an array of %d items of type %d cannot be".formatted(count, items));
      }
      if (SIZES[items] > 0) {
        skip(count > Long.MAX_VALUE / 8 ? Long.MAX_VALUE : count * SIZES[items]);
      } else {
        for (long i = 0; i < count; i++) {
          passValue(items, depth + 1);
        }
      }
    } else {
      skip(SIZES[type]);
    }
  }

  private void passTensor() throws NeedsMore {
    int from = bytes.position();
    String name = text();
    need(4);
    int dimensions = bytes.getInt();
    if (dimensions < 0 || dimensions > MOST_DIMENSIONS) {
      throw wrong("tensor \"%s\" has %d dimensions".formatted(name, dimensions));
    }
    skip(8L * dimensions + 4 + 8);
    tensors.put(name, new Description(from, bytes.position()));
  }

  private String text() throws NeedsMore {
    long length = length();
    if (length > bytes.remaining()) {
      throw new NeedsMore();
    }
    byte[] text = new byte[(int) length];
    bytes.get(text);
    return new String(text, StandardCharsets.UTF_8);
  }

  private long length() throws NeedsMore {
    need(8);
    long length = bytes.getLong();
    if (length < 0) {
      throw wrong("a text has %s bytes".formatted(Long.toUnsignedString(length)));
    }
    return length;
  }

  private void skip(long count) throws NeedsMore {
    if (count > bytes.remaining()) {
      throw new NeedsMore();
    }
    bytes.position(bytes.position() + (int) count);
  }

  private void need(int count) throws NeedsMore {
    if (count > bytes.remaining()) {
      throw new NeedsMore();
    }
  }

  private FormatException wrong(String message) {
    return new FormatException(path, bytes.position(), message);
  }
}

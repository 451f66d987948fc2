package dev.rowan.hub;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rowan.core.Lexicon;
import dev.rowan.core.Tie;
import dev.rowan.formats.file.FormatException;
import dev.rowan.formats.tensor.TensorInfo;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;

/**
 * TensorFlow checkpoints: the index tells where the table lies in the large files. Indexes are
 * written here byte by byte (google/leveldb doc/table_format.md, tensorflow tensor_bundle.proto).
 */
class TensorflowTest extends HubFixture {
  private static final String PREFIX = "bert_model.ckpt";
  private static final String NUMBERS = PREFIX + ".data-00000-of-00002";
  private static final String OTHERS = PREFIX + ".data-00001-of-00002";
  private static final String TABLE_NAME = "bert/embeddings/word_embeddings";

  private static byte[] varint(long value) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    long rest = value;
    while (rest > 127) {
      out.write((int) (rest & 127) | 128);
      rest >>>= 7;
    }
    out.write((int) rest);
    return out.toByteArray();
  }

  private static byte[] joined(byte[]... parts) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      out.writeBytes(part);
    }
    return out.toByteArray();
  }

  private static byte[] number(int field, long value) {
    return joined(varint(field << 3), varint(value));
  }

  private static byte[] message(int field, byte[]... parts) {
    byte[] all = joined(parts);
    return joined(varint(field << 3 | 2), varint(all.length), all);
  }

  private static byte[] fixed(int value) {
    return ByteBuffer.allocate(4).order(ByteOrder.LITTLE_ENDIAN).putInt(value).array();
  }

  /** BundleEntryProto of float32 numbers. */
  private static byte[] tensor(long rows, long width, int shard, long offset) {
    return joined(
        number(1, 1),
        message(2, message(2, number(1, rows)), message(2, number(1, width))),
        number(3, shard),
        number(4, offset),
        number(5, 4 * rows * width));
  }

  private static byte[] entry(String key, byte[] value) {
    byte[] name = Sample.text(key);
    return joined(varint(0), varint(name.length), varint(value.length), name, value);
  }

  private static byte[] block(byte[]... entries) {
    byte[] block = joined(joined(entries), fixed(0), fixed(1));
    CRC32C crc = new CRC32C();
    crc.update(block);
    crc.update(0);
    int sum = (int) crc.getValue();
    return joined(block, new byte[1], fixed(Integer.rotateRight(sum, 15) + 0xa282ead8));
  }

  private static byte[] handle(long offset, byte[] block) {
    return joined(varint(offset), varint(block.length - 5));
  }

  /** An index of two files of numbers. */
  private static byte[] index(byte[] table) {
    return index(
        entry("", joined(number(1, 2), message(3, number(1, 1)))),
        entry(TABLE_NAME, table),
        entry("bert/encoder/layer_0/kernel", tensor(750, 1_000, 0, 0)),
        entry("bert/encoder/layer_1/kernel", tensor(750, 1_000, 1, 0)));
  }

  private static byte[] index(byte[]... entries) {
    byte[] data = block(entries);
    byte[] meta = block();
    byte[] index = block(entry("c", handle(0, data)));
    byte[] handles = joined(handle(data.length, meta), handle(data.length + meta.length, index));
    byte[] magic =
        ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN).putLong(0xdb4775248b80fb57L).array();
    return joined(data, meta, index, Arrays.copyOf(handles, 40), magic);
  }

  private static byte[] numbers(Sample.Tensor... tensors) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (Sample.Tensor tensor : tensors) {
      ByteBuffer numbers = ByteBuffer.allocate(tensor.bytes()).order(ByteOrder.LITTLE_ENDIAN);
      numbers.asFloatBuffer().put(tensor.numbers());
      out.writeBytes(numbers.array());
    }
    return out.toByteArray();
  }

  private void serve() {
    server
        .with(PREFIX + ".index", index(tensor(3_000, 16, 0, LAYER.bytes())))
        .withLarge(NUMBERS, numbers(LAYER, TABLE))
        .withLarge(OTHERS, numbers(LAYER))
        .with(PREFIX + ".meta", Sample.text("never asked for"))
        .with("bert_config.json", Sample.text("{\"vocab_size\": 3000, \"hidden_size\": 16}"));
  }

  @Test
  void fetchesTheTableAlone() throws IOException {
    serve();
    try (Lexicon model = open(SPEC)) {
      assertThat(model.input().table().row(2_999)).containsExactly(TABLE.row(2_999));
      assertThat(model.input().tensor()).isEqualTo(TABLE_NAME);
      assertThat(model.origin().format()).isEqualTo("tensorflow");
      assertThat(model.origin().architecture()).hasValue("bert");
      assertThat(model.tie()).isEqualTo(Tie.TIED);
      assertThat(model.modelParameters()).hasValue(2 * 750_000 + 48_000);
    }
    assertThat(server.bytesAskedOf(NUMBERS)).isEqualTo(TABLE.bytes() + 1);
    assertThat(server.bytesAskedOf(OTHERS)).isZero();
    assertThat(notes.heard).isEmpty();
    server.requests.clear();
    open(offline(), SPEC, Tables.INPUT).close();
    assertThat(server.requests).isEmpty();
  }

  @Test
  void inspectionListsEveryTensorWithoutNumbers() throws IOException {
    serve();
    assertThat(inspect(SPEC).tensors())
        .extracting(TensorInfo::name)
        .containsExactly(TABLE_NAME, "bert/encoder/layer_0/kernel", "bert/encoder/layer_1/kernel");
    assertThat(server.bytesAskedOf(NUMBERS)).isZero();
  }

  @Test
  void refusesATableBehindTheEndOfItsFile() throws IOException {
    serve();
    server.with(PREFIX + ".index", index(tensor(3_000, 16, 0, LAYER.bytes() + 4)));
    assertThatThrownBy(() -> open(SPEC))
        .isInstanceOf(FormatException.class)
        .hasMessageStartingWith(
            NUMBERS + ": \"" + TABLE_NAME + "\" has 192,000 bytes from byte 3,000,004 on but");
  }

  @Test
  void asksAServerThatListsNoFilesForTheOneThatHoldsTheTable() throws IOException {
    serve();
    server
        .with(PREFIX + ".index", index(tensor(3_000, 16, 1, LAYER.bytes())))
        .withLarge(OTHERS, numbers(LAYER, TABLE));
    String address = server.storeAddress() + "/" + PREFIX + ".index";
    try (Lexicon model = open(address)) {
      assertThat(model.input().table().row(2_999)).containsExactly(TABLE.row(2_999));
    }
    assertThat(server.bytesAskedOf(NUMBERS)).isZero();
    assertThat(notes.heard).isEmpty();
    server.requests.clear();
    open(offline(), address, Tables.INPUT).close();
    assertThat(server.requests).isEmpty();
  }

  /**
   * Half of the table; {@code key} is how start and length of rows and columns stand in its key.
   */
  private static byte[] part(String key, int shard, long offset) {
    byte[] name = Sample.text(TABLE_NAME);
    byte[] whole = joined(new byte[1], name, new byte[] {0, 1, 1, 2}, HexFormat.of().parseHex(key));
    byte[] value = tensor(1_500, 16, shard, offset);
    return joined(varint(0), varint(whole.length), varint(value.length), whole, value);
  }

  private static byte[] slice(long start) {
    return message(7, message(1, number(1, start), number(2, 1_500)), message(1));
  }

  /** A table in two halves, each in a file of its own (keys: tensorflow ordered_code.cc). */
  private void serveHalves() {
    byte[] table =
        joined(
            number(1, 1),
            message(2, message(2, number(1, 3_000)), message(2, number(1, 16))),
            slice(0),
            slice(1_500));
    int half = TABLE.bytes() / 2;
    byte[] numbers = numbers(TABLE);
    server
        .with(
            PREFIX + ".index",
            index(
                entry("", joined(number(1, 2), message(3, number(1, 1)))),
                part("80c5dc807f", 0, 0),
                part("c5dcc5dc807f", 1, 8),
                entry(TABLE_NAME, table)))
        .withLarge(NUMBERS, Arrays.copyOf(numbers, half))
        .withLarge(OTHERS, joined(new byte[8], Arrays.copyOfRange(numbers, half, 2 * half)));
  }

  @Test
  void fetchesEveryFileOfAPartitionedTable() throws IOException {
    serveHalves();
    String address = server.storeAddress() + "/" + PREFIX + ".index";
    for (String spec : new String[] {SPEC, address}) {
      try (Lexicon model = open(spec)) {
        assertThat(model.input().table().row(1_499)).containsExactly(TABLE.row(1_499));
        assertThat(model.input().table().row(2_999)).containsExactly(TABLE.row(2_999));
      }
    }
    assertThat(notes.heard)
        .hasSize(3)
        .last()
        .isEqualTo(PREFIX + ".index names 2 files more, whose 192,008 bytes are fetched too");
    server.requests.clear();
    open(offline(), address, Tables.INPUT).close();
    assertThat(server.requests).isEmpty();
  }

  @Test
  void saysWhichFileOfNumbersTheServerDoesNotHave() throws IOException {
    serveHalves();
    server.rule =
        (_, exchange) -> {
          if (!exchange.getRequestURI().getPath().endsWith(OTHERS)) {
            return false;
          }
          FakeHub.send(exchange, 404, "");
          return true;
        };
    assertThatThrownBy(() -> open(server.storeAddress() + "/" + PREFIX + ".index"))
        .isInstanceOf(HubException.class)
        .hasMessageContaining("there is no " + OTHERS + " at localhost:");
  }

  @Test
  void fetchesWholeWhatOnlyHasTheName() throws IOException {
    server.with("words.index", Sample.text("2 3\ncat 1 2 3\ndog 4 5 6\n"));
    try (Lexicon model = open(SPEC)) {
      assertThat(model.vocabulary().orElseThrow().id("dog")).hasValue(1);
    }
  }
}

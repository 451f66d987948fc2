package dev.rowan.hub;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.rowan.core.Lexicon;
import dev.rowan.core.Tie;
import dev.rowan.formats.OpenOptions;
import dev.rowan.formats.numpy.NumpyFile;
import dev.rowan.formats.tensor.TensorInfo;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;

/** NumPy's arrays and archives of them, written here by its documented layout and the JDK's zip. */
class NumpyTest extends HubFixture {
  private static final String FILE = "model.npz";

  /** The head, the archive's end, and a look at each of six arrays. */
  private static final long SMALL_PARTS = (128 << 10) + (66 << 10) + 6 * (16 << 10);

  /** By the method of compression; to compress takes most of the time of these tests. */
  private static final Map<Integer, byte[]> MADE = new ConcurrentHashMap<>();

  /** Returns a .npy file (version 1.0). */
  private static byte[] npy(String descr, boolean fortran, String shape, byte[] data) {
    String dict =
        "{'descr': '%s', 'fortran_order': %s, 'shape': %s, }"
            .formatted(descr, fortran ? "True" : "False", shape);
    String header = dict + " ".repeat(64 - (10 + dict.length() + 1) % 64) + "\n";
    ByteArrayOutputStream file = new ByteArrayOutputStream();
    file.writeBytes(new byte[] {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0});
    file.write(header.length() & 0xFF);
    file.write(header.length() >> 8);
    file.writeBytes(Sample.text(header));
    file.writeBytes(data);
    return file.toByteArray();
  }

  private static byte[] bytes(float[] numbers) {
    ByteBuffer bytes = ByteBuffer.allocate(4 * numbers.length).order(ByteOrder.LITTLE_ENDIAN);
    bytes.asFloatBuffer().put(numbers);
    return bytes.array();
  }

  private static byte[] rows(Sample.Tensor tensor, int rows, int width) {
    return npy("<f4", false, "(%d, %d)".formatted(rows, width), bytes(tensor.numbers()));
  }

  private static byte[] tokens(int count) {
    ByteBuffer texts = ByteBuffer.allocate(count * 24).order(ByteOrder.LITTLE_ENDIAN);
    for (int i = 0; i < count; i++) {
      String text = "w" + i;
      for (int k = 0; k < 6; k++) {
        texts.putInt(k < text.length() ? text.charAt(k) : 0);
      }
    }
    return npy("<U6", false, "(%d,)".formatted(count), texts.array());
  }

  private static byte[] npz(int method, Map<String, byte[]> arrays) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (ZipOutputStream zip = new ZipOutputStream(out)) {
      for (var array : arrays.entrySet()) {
        ZipEntry entry = new ZipEntry(array.getKey() + ".npy");
        CRC32 crc = new CRC32();
        crc.update(array.getValue());
        entry.setMethod(method);
        entry.setSize(array.getValue().length);
        entry.setCrc(crc.getValue());
        zip.putNextEntry(entry);
        zip.write(array.getValue());
        zip.closeEntry();
      }
    }
    return out.toByteArray();
  }

  /** A model whose table lies between two layers, and its tokens at the end. */
  private static Map<String, byte[]> arrays() {
    Map<String, byte[]> arrays = new LinkedHashMap<>();
    arrays.put("h.0", rows(LAYER, 750, 1_000));
    arrays.put("wte.weight", rows(TABLE, 3_000, 16));
    arrays.put("h.1", rows(LAYER, 1_000, 750));
    arrays.put("tokens", tokens(3_000));
    return arrays;
  }

  private void serve(int method) throws IOException {
    byte[] file = MADE.get(method);
    if (file == null) {
      file = npz(method, arrays());
      MADE.put(method, file);
    }
    server.withLarge(FILE, file);
  }

  private Path kept(String suffix) throws IOException {
    try (Stream<Path> files = Files.walk(settings.cache().resolve("files"))) {
      return files.filter(file -> file.toString().endsWith(suffix)).findFirst().orElseThrow();
    }
  }

  private static String place(TensorInfo tensor) {
    return tensor.name() + " " + tensor.shape() + " " + tensor.offset() + " " + tensor.bytes();
  }

  @Test
  void fetchesTheTableAndItsTokensAlone() throws IOException {
    serve(ZipEntry.STORED);
    assertOpens();
    assertThat(server.bytesAskedOf(FILE))
        .isBetween((long) TABLE.bytes(), TABLE.bytes() + 3_000 * 24 + SMALL_PARTS);
    assertThat(notes.heard).isEmpty();
    try (Lexicon model = open(offline(), SPEC, Tables.INPUT)) {
      assertThat(model.text(2_999)).isEqualTo("w2999");
      assertThat(model.modelParameters()).hasValue(1_500_000 + 48_000);
      assertThat(model.origin().format()).isEqualTo("npz");
    }
  }

  @Test
  void fetchesPackedArraysWhole() throws IOException {
    serve(ZipEntry.DEFLATED);
    long packed;
    try (ZipFile zip = new ZipFile(Files.write(folder.resolve(FILE), server.file(FILE)).toFile())) {
      packed = zip.getEntry("wte.weight.npy").getCompressedSize();
      packed += zip.getEntry("tokens.npy").getCompressedSize();
    }
    assertOpens();
    assertThat(server.bytesAskedOf(FILE)).isLessThan(packed + SMALL_PARTS);
    assertThat(notes.heard).isEmpty();
    try (Lexicon model = open(offline(), SPEC, Tables.INPUT)) {
      assertThat(model.text(2_999)).isEqualTo("w2999");
    }
  }

  @Test
  void inspectionSeesWhatTheFileOnDiskHas() throws IOException {
    for (int method : new int[] {ZipEntry.STORED, ZipEntry.DEFLATED}) {
      serve(method);
      server.commit = ("" + method).repeat(40).substring(0, 40); // another version of the model
      Path local = Files.write(folder.resolve(FILE), server.file(FILE));
      try (NumpyFile file = NumpyFile.openArchive(local)) {
        Inspection seen = inspect(SPEC);
        assertThat(seen.tensors().stream().map(NumpyTest::place).toList())
            .isEqualTo(file.tensors().stream().map(NumpyTest::place).toList());
        assertThat(seen.vocabulary().orElseThrow().tokens()).isEqualTo(3_000);
        assertThat(seen.rowsWithoutToken()).isZero();
      }
    }
  }

  @Test
  void whatIsKeptIsAnArchiveOfTheTableAndItsTokens() throws IOException {
    serve(ZipEntry.STORED);
    open(SPEC).close();
    try (ZipFile zip = new ZipFile(kept(".npz").toFile())) {
      assertThat(zip.stream().map(ZipEntry::getName).toList())
          .containsExactly("wte.weight.npy", "tokens.npy");
      for (String name : List.of("wte.weight", "tokens")) {
        assertThat(zip.getInputStream(zip.getEntry(name + ".npy")).readAllBytes())
            .isEqualTo(arrays().get(name));
      }
    }
    try (NumpyFile file = NumpyFile.openArchive(kept(".npz"))) {
      TensorInfo table = file.find("wte.weight").orElseThrow();
      assertThat(file.data(table).toArray(JAVA_BYTE)).isEqualTo(bytes(TABLE.numbers()));
    }
  }

  @Test
  void fetchesADamagedCopyAgain() throws IOException {
    serve(ZipEntry.STORED);
    open(SPEC).close();
    try (FileChannel copy = FileChannel.open(kept(".npz"), StandardOpenOption.WRITE)) {
      copy.write(ByteBuffer.wrap(new byte[10]), copy.size() - 30);
    }
    assertOpens();
    assertThat(notes.heard)
        .containsExactly("the copy of model.npz in the cache is damaged; it is fetched again");
  }

  @Test
  void goesOnWhereConnectionsAreCut() throws IOException {
    serve(ZipEntry.DEFLATED);
    AtomicInteger asked = new AtomicInteger();
    server.rule =
        (host, exchange) -> {
          boolean cut = host.equals("store") && asked.incrementAndGet() % 3 == 0;
          if (cut) {
            FakeHub.sendHalf(exchange, server.file(FILE));
          }
          return cut;
        };
    assertOpens();
  }

  @Test
  void fetchesTheArrayThatTheUserNames() throws IOException {
    serve(ZipEntry.STORED);
    try (Hub hub = Hub.of(settings);
        Lexicon model =
            hub.open(hub.parse(SPEC), Tables.INPUT, OpenOptions.DEFAULT.withTensor("h.1"), notes)) {
      assertThat(model.input().table().rows()).isEqualTo(1_000);
      assertThat(model.input().table().row(999)[749]).isEqualTo(LAYER.row(749)[999]);
    }
  }

  @Test
  void readsColumnMajorTables() throws IOException {
    float[] turned = new float[48_000];
    for (int i = 0; i < 48_000; i++) {
      turned[i % 16 * 3_000 + i / 16] = TABLE.numbers()[i];
    }
    Map<String, byte[]> arrays = new LinkedHashMap<>();
    arrays.put("h.0", rows(LAYER, 750, 1_000));
    arrays.put("wte.weight", npy("<f4", true, "(3000, 16)", bytes(turned)));
    server.withLarge(FILE, npz(ZipEntry.STORED, arrays));
    assertOpens();
    assertThat(server.bytesAskedOf(FILE)).isLessThan(TABLE.bytes() + SMALL_PARTS);
  }

  private void serveTwo(int method, Sample.Tensor output) throws IOException {
    Map<String, byte[]> arrays = new LinkedHashMap<>(Map.of("wte.weight", rows(TABLE, 3_000, 16)));
    arrays.put("h.0", rows(LAYER, 750, 1_000));
    arrays.put("lm_head.weight", rows(output, 3_000, 16));
    server.withLarge(FILE, npz(method, arrays));
  }

  @Test
  void comparesPartsOfStoredTables() throws IOException {
    serveTwo(ZipEntry.STORED, Sample.Tensor.of("lm_head.weight", 3_000, 16, 9));
    assertThat(inspect(SPEC).tie().tie()).isEqualTo(Tie.UNTIED);
    try (Lexicon model = open(SPEC)) {
      assertThat(model.tie()).isEqualTo(Tie.UNTIED);
      assertThat(model.output()).isEmpty();
    }
  }

  @Test
  void comparesPackedTablesInFull() throws IOException {
    serveTwo(ZipEntry.DEFLATED, TABLE);
    Inspection seen = inspect(SPEC);
    assertThat(seen.tie().tie()).isEqualTo(Tie.UNKNOWN);
    assertThat(seen.tie().evidence()).contains("packed so that no parts could be compared");
    try (Lexicon model = open(SPEC)) {
      assertThat(model.tie()).isEqualTo(Tie.TIED_STORED_TWICE);
    }
  }

  @Test
  void looksAtTheHeaderOfAnArrayAndFetchesItWhole() throws IOException {
    byte[] array = rows(TABLE, 3_000, 16);
    server.withLarge("table.npy", array).with("tokenizer.json", Sample.tokenizer(3_000));
    Inspection seen = inspect(SPEC);
    assertThat(seen.input().name()).isEqualTo("table");
    assertThat(seen.input().shape()).containsExactly(3_000L, 16L);
    assertThat(server.bytesAskedOf("table.npy")).isEqualTo(128 << 10);
    server.requests.clear();
    try (Lexicon model = open(SPEC)) {
      assertThat(model.input().tensor()).isEqualTo("table");
      assertThat(model.input().table().row(2_999)).containsExactly(TABLE.row(2_999));
      assertThat(model.text(4)).isEqualTo("w4");
    }
    assertThat(server.bytesAskedOf("table.npy")).isEqualTo(array.length + 1L);
    try (Lexicon model = open(offline(), SPEC, Tables.INPUT)) {
      assertThat(model.input().table().row(0)).containsExactly(TABLE.row(0));
    }
  }

  @Test
  void fetchesAnArchiveWholeWhereTheServerSendsNoParts() throws IOException {
    server.ranges = false;
    serve(ZipEntry.STORED);
    assertOpens();
    assertThat(notes.heard)
        .containsExactly(
            "the weights (model.npz) cannot be read in part (its server sends no parts of files), so all their %,d bytes are fetched"
                .formatted(server.file(FILE).length));
  }

  @Test
  void readsAnAddress() throws IOException {
    serve(ZipEntry.STORED);
    try (Lexicon model = open(server.storeAddress() + "/" + FILE)) {
      assertThat(model.input().table().row(2_999)).containsExactly(TABLE.row(2_999));
      assertThat(model.text(7)).isEqualTo("w7");
    }
    assertThat(server.bytesAskedOf(FILE)).isLessThan(server.file(FILE).length / 4);
  }

  @Test
  void fetchesWholeWhatIsNoArchiveButCalledSo() throws IOException {
    server.withLarge(FILE, "2 3\ncat 1 2 3\ndog 4 5 6\n".getBytes(StandardCharsets.UTF_8));
    try (Lexicon model = open(SPEC)) {
      assertThat(model.text(1)).isEqualTo("dog");
    }
  }
}

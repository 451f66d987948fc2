package dev.rowan.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The verbs for remote models, on a server of this test that answers as the hub does. */
class RemoteVerbsTest extends Commands {
  private static final String COMMIT = "0123456789abcdef0123456789abcdef01234567";
  private static final String MODEL = "hf:owner/name";

  private final Map<String, byte[]> files = new LinkedHashMap<>();
  private final List<String> asked = new CopyOnWriteArrayList<>();
  private final AtomicLong sent = new AtomicLong();
  private HttpServer server;

  @BeforeEach
  void serve() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::answer);
    server.start();
    // 400,000 numbers that nobody asks for, the table, and an output table of its own
    files.put("model.safetensors", safetensors(400_000));
    files.put("config.json", utf8("{\"model_type\":\"gpt2\",\"vocab_size\":3}"));
    files.put(
        "tokenizer.json",
        utf8(
            "{\"model\":{\"type\":\"WordLevel\",\"unk_token\":\"a\",\"vocab\":{\"a\":0,\"b\":1,\"c\":2}}}"));
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static byte[] safetensors(int others) {
    int large = 4 * others;
    byte[] header =
        utf8(
            ("{\"h.0.mlp.weight\":{\"dtype\":\"F32\",\"shape\":[%d,1],\"data_offsets\":[0,%d]},"
                    + "\"wte.weight\":{\"dtype\":\"F32\",\"shape\":[3,2],\"data_offsets\":[%d,%d]},"
                    + "\"lm_head.weight\":{\"dtype\":\"F32\",\"shape\":[3,2],\"data_offsets\":[%d,%d]}}")
                .formatted(others, large, large, large + 24, large + 24, large + 48));
    ByteBuffer file =
        ByteBuffer.allocate(8 + header.length + large + 48).order(ByteOrder.LITTLE_ENDIAN);
    file.putLong(header.length).put(header).position(8 + header.length + large);
    for (int i = 1; i <= 12; i++) {
      file.putFloat(i);
    }
    return file.array();
  }

  /**
   * A checkpoint as torch.save writes it: an archive of a pickle and the numbers, not compressed.
   */
  private static byte[] pytorch() throws IOException {
    ByteBuffer table = ByteBuffer.allocate(24).order(ByteOrder.LITTLE_ENDIAN);
    for (int i = 1; i <= 6; i++) {
      table.putFloat(i);
    }
    String pickle =
        "\u0080\u0002}("
            + tensor("h.0.mlp.weight", 0, 400_000, 1)
            + tensor("wte.weight", 1, 3, 2)
            + "u.";
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ZipOutputStream zip = new ZipOutputStream(bytes)) {
      store(zip, "archive/data.pkl", pickle.getBytes(StandardCharsets.ISO_8859_1));
      store(zip, "archive/data/0", new byte[1_600_000]);
      store(zip, "archive/data/1", table.array());
    }
    return bytes.toByteArray();
  }

  private static String tensor(String name, int storage, int rows, int width) {
    return text(name)
        + "ctorch._utils\n_rebuild_tensor_v2\n(("
        + text("storage")
        + "ctorch\nFloatStorage\n"
        + text("" + storage)
        + text("cpu")
        + number(rows * width)
        + "tQK\0"
        + number(rows)
        + number(width)
        + "\u0086"
        + number(width)
        + "K\u0001\u0086\u0089ccollections\nOrderedDict\n)RtR";
  }

  private static String text(String text) {
    return "X" + (char) text.length() + "\0\0\0" + text;
  }

  private static String number(int number) {
    byte[] bytes = ByteBuffer.allocate(4).order(ByteOrder.LITTLE_ENDIAN).putInt(number).array();
    return "J" + new String(bytes, StandardCharsets.ISO_8859_1);
  }

  private static void store(ZipOutputStream zip, String name, byte[] bytes) throws IOException {
    ZipEntry entry = new ZipEntry(name);
    CRC32 crc = new CRC32();
    crc.update(bytes);
    entry.setMethod(ZipEntry.STORED);
    entry.setSize(bytes.length);
    entry.setCrc(crc.getValue());
    zip.putNextEntry(entry);
    zip.write(bytes);
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      String path = exchange.getRequestURI().getPath();
      asked.add(path);
      String resolve = "/owner/name/resolve/" + COMMIT + "/";
      if (path.startsWith("/api/models/owner/name/revision/")) {
        String siblings =
            files.entrySet().stream()
                .map(e ->
                    "{\"rfilename\":\"%s\",\"size\":%d,\"blobId\":\"%s\"}"
                        .formatted(e.getKey(), e.getValue().length, blob(e.getValue())))
                .collect(Collectors.joining(","));
        send(exchange, utf8("{\"sha\":\"%s\",\"siblings\":[%s]}".formatted(COMMIT, siblings)));
      } else if (path.startsWith(resolve) && files.containsKey(path.substring(resolve.length()))) {
        exchange.getResponseHeaders().set("X-Repo-Commit", COMMIT);
        send(exchange, Objects.requireNonNull(files.get(path.substring(resolve.length()))));
      } else {
        exchange.getResponseHeaders().set("X-Error-Code", "RepoNotFound");
        exchange.sendResponseHeaders(404, -1);
      }
    }
  }

  /** What git calls a file of these bytes. */
  private static String blob(byte[] bytes) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-1");
      digest.update(utf8("blob " + bytes.length + "\0"));
      return HexFormat.of().formatHex(digest.digest(bytes));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-1", e);
    }
  }

  private void send(HttpExchange exchange, byte[] bytes) throws IOException {
    String range = exchange.getRequestHeaders().getFirst("Range");
    int from = 0;
    int to = bytes.length;
    if (range != null) {
      String[] ends = range.substring("bytes=".length()).split("-", -1);
      from = Integer.parseInt(ends[0]);
      to = ends[1].isEmpty() ? to : Math.min(to, Integer.parseInt(ends[1]) + 1);
      exchange
          .getResponseHeaders()
          .set("Content-Range", "bytes %d-%d/%d".formatted(from, to - 1, bytes.length));
    }
    sent.addAndGet(to - from);
    exchange.getResponseHeaders().set("ETag", "\"one\"");
    exchange.sendResponseHeaders(range == null ? 200 : 206, to - from);
    exchange.getResponseBody().write(bytes, from, to - from);
  }

  @Override
  int run(String... arguments) {
    Map<String, String> environment =
        Map.of(
            "HF_ENDPOINT",
            "http://127.0.0.1:" + server.getAddress().getPort(),
            "ROWAN_CACHE",
            folder.resolve("cache").toString(),
            "HF_HUB_CACHE",
            folder.resolve("none").toString());
    return run(environment, arguments);
  }

  private String output(String... arguments) {
    assertThat(run(arguments)).as(told()).isZero();
    return answered().strip();
  }

  @Test
  void pullFetchesTheTableForLater() {
    assertThat(output("--json", "pull", MODEL))
        .contains("\"tables\":[\"wte.weight\"],\"rows\":3,\"width\":2,\"bytes\":24");
    asked.clear();
    assertThat(output("--json", "-m", MODEL, "row", "b")).contains("\"values\":[3.0,4.0]");
    assertThat(asked).noneMatch(path -> path.endsWith(".safetensors"));
  }

  @Test
  void pullFetchesTheOutputTableIfAsked() {
    assertThat(output("--json", "--table", "output", "pull", MODEL))
        .contains("\"tables\":[\"wte.weight\",\"lm_head.weight\"]", "\"bytes\":48");
  }

  @Test
  void infoListsEveryTensorWithoutTheTable() {
    assertThat(output("--json", "-m", MODEL, "info", "--all"))
        .contains(
            "\"tensors\":[{\"name\":\"h.0.mlp.weight\",\"dtype\":\"f32\",\"shape\":[400000,1]",
            "\"tied\":false",
            "\"name\":\"lm_head.weight\"");
    assertThat(output("-m", MODEL, "info", "--all")).contains("3 tensors", "400000 × 1");
  }

  @Test
  void readsAPytorchCheckpointInPart() throws IOException {
    files.remove("model.safetensors");
    files.put("pytorch_model.bin", pytorch());
    assertThat(output("--json", "-m", MODEL, "info", "--all"))
        .contains(
            "\"format\":\"pytorch\"",
            "\"tensors\":[{\"name\":\"h.0.mlp.weight\",\"dtype\":\"f32\",\"shape\":[400000,1]",
            "\"modelParameters\":400006");
    assertThat(output("--json", "pull", MODEL))
        .contains("\"tables\":[\"wte.weight\"],\"rows\":3,\"width\":2,\"bytes\":24");
    assertThat(output("--json", "-m", MODEL, "row", "b")).contains("\"values\":[3.0,4.0]");
    assertThat(sent.get()).isLessThan(300_000);
  }

  @Test
  void convertTakesTheOutputTableAlong() {
    String target = folder.resolve("out").toString();
    output("convert", MODEL, target, "--to", "safetensors");
    assertThat(output("--json", "-m", target, "info"))
        .contains("\"tied\":false", "\"output\":{\"tensor\":\"lm_head.weight\"");
  }

  @Test
  void excerptNeverCallsTheModelTied() {
    String path = output("--json", "pull", MODEL).replaceAll(".*\"path\":\"([^\"]*)\".*", "$1");
    assertThat(output("--json", "-m", path, "info")).contains("\"tied\":null");
  }

  @Test
  void cacheListsAndPrunes() {
    assertThat(output("--json", "cache", "list")).contains("\"models\":[]");
    output("pull", MODEL);
    assertThat(output("cache", "list")).contains("owner/name", "0123456789ab", "1 model;");
    assertThat(output("--json", "cache", "prune", "--all", "--dry-run"))
        .contains("\"model\":\"hf:owner/name\"", "\"dryRun\":true");
    assertThat(output("--json", "cache", "list")).contains("\"model\":\"hf:owner/name\"");
    assertThat(output("--json", "cache", "prune", MODEL)).contains("\"dryRun\":false");
    assertThat(output("--json", "cache", "list")).contains("\"models\":[]");
  }

  @Test
  void cacheRefusesWhatMakesNoSense() {
    assertThat(run("cache", "prune", "hf:not/there")).isEqualTo(2);
    assertThat(told()).contains("is not in the cache");
    assertThat(run("cache", "list", "--all")).isEqualTo(2);
    assertThat(run("cache", "prune", "--unused", "-1")).isEqualTo(2);
    assertThat(told()).contains("--unused -1: it takes 0 or more");
  }

  @Test
  void modelThatIsNotThereIsExitCodeThree() {
    assertThat(run("pull", "hf:owner/other")).isEqualTo(3);
    assertThat(told()).contains("hf:owner/other");
  }

  @Test
  void convertWritesTheOutputTableAloneIfAsked() {
    for (String name : List.of("out.npy", "out.vec", "out.gguf")) {
      String target = folder.resolve(name).toString();
      output("--table", "output", "convert", MODEL, target);
      assertThat(output("--json", "-m", target, "row", "#0")).contains("\"values\":[7.0,8.0]");
    }
    assertThat(output("--json", "-m", folder.resolve("out.gguf").toString(), "info"))
        .contains("\"output\":null");
  }
}

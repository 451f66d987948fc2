package dev.rowan.hub;

import static dev.rowan.hub.OnnxSample.bytes;
import static dev.rowan.hub.OnnxSample.held;
import static dev.rowan.hub.OnnxSample.number;
import static dev.rowan.hub.OnnxSample.text;
import static org.assertj.core.api.Assertions.assertThat;

import dev.rowan.formats.onnx.OnnxFile;
import dev.rowan.formats.tensor.TensorInfo;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Models of many layers in one file, from tensor to tensor over their numbers. */
class OnnxWalkTest extends HubFixture {
  private static final int LAYERS = 24;
  private static final byte[] FILE = model();

  /** A layer has three matrices of one size, one of another, and small tensors between them. */
  private static byte[] model() {
    ByteArrayOutputStream graph = new ByteArrayOutputStream();
    graph.writeBytes(
        bytes(1, text(1, "wte"), text(1, "input_ids"), text(2, "rows"), text(4, "Gather")));
    graph.writeBytes(held("wte", 3_000, 16, TABLE.numbers()));
    for (int i = 0; i < LAYERS; i++) {
      for (int k = 0; k < 4; k++) {
        int width = k < 3 ? 100 : 300;
        graph.writeBytes(held("onnx::MatMul_" + (4 * i + k), 100, width, new float[100 * width]));
        graph.writeBytes(held("h.%d.%d.bias".formatted(i, k), 1, width, new float[width]));
      }
    }
    graph.writeBytes(bytes(11, text(1, "input_ids")));
    ByteArrayOutputStream model = new ByteArrayOutputStream();
    model.writeBytes(number(1, 8));
    model.writeBytes(bytes(7, graph.toByteArray()));
    return model.toByteArray();
  }

  @BeforeEach
  void serve() {
    server.withLarge("model.onnx", FILE).with("config.json", Sample.config(3_000));
  }

  private List<Path> glimpses() throws IOException {
    try (Stream<Path> files = Files.walk(settings.cache())) {
      return files.filter(file -> file.toString().endsWith(Glimpses.SUFFIX)).sorted().toList();
    }
  }

  /** Holds what was seen from afar against what is read of the file on disk. */
  private void assertSeesAll() throws IOException {
    Path local = Files.write(folder.resolve("model.onnx"), FILE);
    try (OnnxFile file = OnnxFile.open(local)) {
      assertThat(inspect(SPEC).tensors().stream().map(OnnxWalkTest::place).toList())
          .hasSize(1 + 8 * LAYERS)
          .isEqualTo(file.tensors().stream().map(OnnxWalkTest::place).toList());
    }
  }

  private static String place(TensorInfo tensor) {
    return tensor.name() + " " + tensor.shape() + " " + tensor.offset() + " " + tensor.bytes();
  }

  @Test
  void asksForTheLayersTogether() throws IOException {
    assertSeesAll();
    // one behind the head, three to know a layer, then 2, 4, 8, 16, 32, 32 jumps at once
    assertThat(glimpses()).hasSizeBetween(5, 12);
    assertThat(server.ranges("model.onnx")).hasSizeBetween(4 * LAYERS, 4 * LAYERS + 20);
    assertThat(server.bytesAskedOf("model.onnx")).isLessThan(FILE.length / 2);
  }

  @Test
  void usesItsConnectionsAgain() throws IOException {
    Set<InetSocketAddress> connections = ConcurrentHashMap.newKeySet();
    server.rule =
        (_, exchange) -> {
          connections.add(exchange.getRemoteAddress());
          return false;
        };
    inspect(SPEC);
    // three at once to the host of large files, and some to the other
    assertThat(connections).hasSizeLessThan(20);
    assertThat(server.requests).hasSizeGreaterThan(4 * LAYERS);
  }

  @Test
  void needsNoNetworkToLookAgain() throws IOException {
    inspect(SPEC);
    server.requests.clear();
    settings = offline();
    assertSeesAll();
    assertThat(server.requests).isEmpty();
  }

  @Test
  void goesOnWithWhatAnEarlierRunKept() throws IOException {
    inspect(SPEC);
    List<Path> kept = glimpses();
    Files.delete(kept.getFirst());
    try (FileChannel damaged = FileChannel.open(kept.getLast(), StandardOpenOption.WRITE)) {
      damaged.truncate(damaged.size() - 1);
    }
    server.requests.clear();
    assertSeesAll();
    assertThat(server.bytesAskedOf("model.onnx")).isBetween(1L, FILE.length / 2L);
    assertOpens("wte");
  }

  @Test
  void goesOnWhereAConnectionWasCut() throws IOException {
    AtomicInteger asked = new AtomicInteger();
    server.rule =
        (host, exchange) -> {
          boolean cut = host.equals("store") && asked.incrementAndGet() % 5 == 0;
          if (cut) {
            FakeHub.sendHalf(exchange, FILE);
          }
          return cut;
        };
    assertSeesAll();
  }

  private void assertOpens(String table) throws IOException {
    try (var model = open(SPEC)) {
      assertThat(model.input().tensor()).isEqualTo(table);
      assertThat(model.input().table().row(2_999)).containsExactly(TABLE.row(2_999));
    }
  }
}

package dev.rowan.hub;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.api.BugDetectors;
import com.code_intelligence.jazzer.junit.FuzzTest;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ProxySelector;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.MethodSource;

/** A server may answer anything: the bytes asked for come, or a reason why they do not. */
class AnswerFuzzTest {
  private static final byte[] WANTED = "3456".getBytes(StandardCharsets.US_ASCII);

  static Stream<byte[]> seeds() {
    return Stream.of(
            "HTTP/1.1 206 Partial\r\nContent-Range: bytes 3-6/10\r\nContent-Length: 4\r\nETag: \"a\"\r\n\r\n3456",
            "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n0123456789",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\na\r\n0123456789\r\n0\r\n\r\n",
            "HTTP/1.1 302 Found\r\nLocation: /there\r\nX-Linked-Size: 10\r\nContent-Length: 0\r\n\r\n",
            "HTTP/1.1 416 No\r\nContent-Range: bytes */10\r\nContent-Length: 0\r\n\r\n",
            "HTTP/1.1 429 Slow\r\nRetry-After: 1000000\r\nContent-Length: 2\r\n\r\nno",
            "HTTP/1.1 401 No\r\nWWW-Authenticate: Bearer\r\nX-Error-Code: GatedRepo\r\nContent-Length: 0\r\n\r\n",
            "HTTP/1.1 206 Partial\r\nContent-Encoding: gzip\r\nContent-Range: bytes 3-6/*\r\n\r\n3456")
        .map(text -> text.getBytes(StandardCharsets.US_ASCII));
  }

  @MethodSource("seeds")
  @FuzzTest(maxDuration = "4m")
  void bytesComeOrAReason(byte[] answer) throws IOException {
    try (AutoCloseable _ = BugDetectors.allowNetworkConnections((_, _) -> true);
        ServerSocket server = new ServerSocket(0, 8, InetAddress.getLoopbackAddress())) {
      Thread.ofVirtual().start(() -> serve(server, answer));
      URI uri = URI.create("http://127.0.0.1:%d/model".formatted(server.getLocalPort()));
      byte[] got = new byte[WANTED.length];
      int[] count = {0};
      try (Transport transport = new Transport(settings(uri))) {
        RemoteSpec spec = RemoteSpec.parse(uri.toString(), uri.resolve("/"));
        Contact contact = Contact.of(spec, transport, HubListener.SILENT);
        contact
            .file("model", uri, OptionalLong.empty())
            .read(
                3,
                7,
                bytes -> {
                  while (bytes.hasRemaining()) {
                    got[count[0]++] = bytes.get();
                  }
                  return true;
                },
                _ -> {});
        assertThat(count[0]).isEqualTo(4);
      } catch (IOException e) {
        assertThat(e.getMessage()).isNotBlank();
      }
    } catch (RuntimeException | IOException e) {
      throw e;
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  private static void serve(ServerSocket server, byte[] answer) {
    while (true) {
      try (Socket socket = server.accept()) {
        socket.getInputStream().read(new byte[4096]);
        OutputStream out = socket.getOutputStream();
        out.write(answer);
        out.flush();
      } catch (IOException e) {
        if (server.isClosed()) {
          return;
        }
      }
    }
  }

  private static HubSettings settings(URI uri) {
    Duration soon = Duration.ofMillis(500);
    return new HubSettings(
        uri.resolve("/"),
        Optional.empty(),
        HubSettings.Network.ONLINE,
        Path.of("cache"),
        List.of(),
        ProxySelector.of(null),
        new Patience(1, Duration.ofMillis(1), Duration.ofMillis(1), soon, soon),
        HubSettings.Transfer.USUAL);
  }
}

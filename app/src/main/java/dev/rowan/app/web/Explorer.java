package dev.rowan.app.web;

import java.io.IOException;
import java.time.Duration;
import org.eclipse.jetty.http.UriCompliance;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.NetworkConnectionLimit;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.thread.VirtualThreadPool;

/**
 * The running explorer: pages and data over HTTP, each request on a virtual thread.
 *
 * <p>Jetty's core server, without servlets: the pages are a map in memory, the routes another, so
 * that nothing stands between a request and {@link Gate} but the HTTP parser.
 */
public final class Explorer implements AutoCloseable {
  private static final int MOST_CONNECTIONS = 1024;
  private static final int MOST_REQUESTS = 512; // at once
  private static final int MOST_HEADER = 16 << 10; // bytes
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final Server server;
  private final ServerConnector connector;
  private final Entrance entrance;
  private final TrainingRoom room;
  private final WarmUp warmUp;
  private final ExplorerSettings settings;

  private Explorer(
      Server server,
      ServerConnector connector,
      Entrance entrance,
      TrainingRoom room,
      WarmUp warmUp,
      ExplorerSettings settings) {
    this.server = server;
    this.connector = connector;
    this.entrance = entrance;
    this.room = room;
    this.warmUp = warmUp;
    this.settings = settings;
  }

  /**
   * Starts to listen.
   *
   * @throws IOException if the port is taken, the host cannot be listened on, or the pages cannot
   *     be read
   */
  public static Explorer start(
      ExplorerSettings settings, ServedModels models, TrainingPlaces places) throws IOException {
    return start(settings, models, places, PATIENCE);
  }

  /**
   * Starts to listen.
   *
   * @param patience how long a client may take to send one request, or to say nothing
   */
  static Explorer start(
      ExplorerSettings settings, ServedModels models, TrainingPlaces places, Duration patience)
      throws IOException {
    TrainingRoom room = new TrainingRoom(places.checked(), models);
    VirtualThreadPool threads = new VirtualThreadPool(MOST_REQUESTS);
    threads.setName("rowan-web");
    Server server = new Server(threads);
    HttpConfiguration http = new HttpConfiguration();
    http.setSendServerVersion(false);
    http.setSendDateHeader(false);
    http.setRequestHeaderSize(MOST_HEADER);
    http.setUriCompliance(UriCompliance.RFC3986); // ambiguous paths are refused by the parser
    HttpConnectionFactory factory = new HttpConnectionFactory(http);
    ServerConnector connector = new ServerConnector(server, 1, 1, factory);
    connector.setHost(settings.host());
    connector.setPort(settings.port());
    connector.setIdleTimeout(patience.toMillis());
    connector.setAcceptQueueSize(256);
    connector.addBean(new SlowSenders(patience));
    server.addConnector(connector);
    server.addBean(new NetworkConnectionLimit(MOST_CONNECTIONS, server));
    Api api = new Api(models, room);
    Entrance entrance = new Entrance(new Gate(settings), Site.read(), api);
    WarmUp warmUp = new WarmUp(api, models, entrance::isIdle);
    server.setHandler(entrance);
    server.setErrorHandler(Entrance::refuse);
    server.setStopTimeout(0);
    try {
      server.start();
    } catch (IOException e) {
      stop(server);
      throw new IOException(
          "cannot listen on %s port %d (%s); choose another with --port"
              .formatted(settings.host(), settings.port(), e.getMessage()),
          e);
    } catch (Exception e) {
      stop(server);
      throw new IllegalStateException("the server did not start", e);
    }
    warmUp.start();
    return new Explorer(server, connector, entrance, room, warmUp, settings);
  }

  /** Returns the port that it listens on. */
  public int port() {
    return connector.getLocalPort();
  }

  /** Returns the address to open; with the token, if there is one. */
  public String address() {
    String host = settings.host().contains(":") ? "[" + settings.host() + "]" : settings.host();
    return "http://%s:%d/%s"
        .formatted(
            host,
            port(),
            settings.token().map(token -> "?" + Gate.PARAMETER + "=" + token).orElse(""));
  }

  /** Waits until it is closed, or until the calling thread is interrupted. */
  public void join() throws InterruptedException {
    server.join();
  }

  /** Stops to listen and ends running jobs; a training saves its checkpoint first. */
  @Override
  public void close() {
    warmUp.stop();
    entrance.stopJobs();
    stop(server);
    room.close();
  }

  private static void stop(Server server) {
    try {
      server.stop();
      server.join();
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    } catch (Exception e) {
      throw new IllegalStateException("the server did not stop", e);
    }
  }
}

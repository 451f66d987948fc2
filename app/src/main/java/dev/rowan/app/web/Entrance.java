package dev.rowan.app.web;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.http.HttpCookie;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.Fields;

/** Where every request comes in: it is let through the gate, routed, answered or refused. */
final class Entrance extends Handler.Abstract {
  /** The addresses that show the pages; which view is the page's own business. */
  static final Set<String> PAGES =
      Set.of(
          "/",
          "/lookup",
          "/neighbours",
          "/map",
          "/analogy",
          "/output",
          "/geometry",
          "/audit",
          "/training",
          "/compare");

  private static final System.Logger LOG = System.getLogger(Entrance.class.getName());
  private static final int MOST_PARAMETERS = 512;
  // questions answered at once: more would only share the same cores and hold more memory
  private static final int TURNS = 4 * Runtime.getRuntime().availableProcessors();

  private final Gate gate;
  private final Site site;
  private final Api api;
  private final EventStreams streams = new EventStreams();
  private final Semaphore turns = new Semaphore(TURNS, true);

  Entrance(Gate gate, Site site, Api api) {
    this.gate = gate;
    this.site = site;
    this.api = api;
  }

  /** Returns whether no question is being answered. */
  boolean isIdle() {
    return turns.availablePermits() == TURNS;
  }

  /** Ends running jobs. */
  void stopJobs() {
    streams.close();
  }

  @Override
  public boolean handle(Request request, Response response, Callback callback) throws IOException {
    try {
      answer(request, response);
      callback.succeeded();
    } catch (Refusal e) {
      Reply.refuse(request, response, callback, e.status(), e.reason());
    } catch (RuntimeException e) {
      fail(request, response, callback, e);
    } catch (IOException e) {
      if (response.isCommitted()) {
        callback.failed(e); // the client has gone
      } else {
        fail(request, response, callback, e);
      }
    }
    return true;
  }

  private void answer(Request request, Response response) throws IOException {
    String path = request.getHttpURI().getDecodedPath();
    boolean page = path != null && PAGES.contains(path);
    Gate.Asker asker = asker(request, page);
    gate.checkOrigin(asker);
    Endpoint endpoint = path == null ? null : api.endpoints().get(path);
    boolean changes = endpoint != null && endpoint.method() == Endpoint.Method.POST;
    String method = request.getMethod();
    if (changes ? !method.equals("POST") : !method.equals("GET") && !method.equals("HEAD")) {
      response.getHeaders().put(HttpHeader.ALLOW, changes ? "POST" : "GET, HEAD");
      throw new Refusal(405, changes ? "this takes a POST" : "this answers GET and HEAD");
    }
    if (!changes && request.getLength() > 0) {
      throw new Refusal(413, "this request takes no body");
    }
    if (page && bringsToken(request, response)) {
      return;
    }
    gate.checkToken(asker);
    if (page) {
      Reply.send(request, response, site.index(), "no-cache");
    } else if (path != null && path.startsWith("/assets/")) {
      Body file = site.file(path).orElseThrow(() -> new Refusal(404, "there is no such file"));
      Reply.send(
          request, response, file, "public, max-age=31536000, immutable"); // its name has its hash
    } else if (path != null && path.equals(Api.ROOT + "openapi.json")) {
      Reply.send(request, response, api.document(), "no-cache");
    } else if (path != null && path.startsWith(Api.ROOT)) {
      if (endpoint == null) {
        throw new Refusal(
            404, "there is no such question; " + Api.ROOT + "openapi.json lists them");
      }
      answer(request, response, endpoint);
    } else {
      Body file = path == null ? null : site.file(path).orElse(null);
      if (file == null || path.equals("/files.txt")) {
        throw new Refusal(404, "there is no such page");
      }
      Reply.send(request, response, file, "no-cache");
    }
  }

  private static Gate.Asker asker(Request request, boolean page) {
    HttpFields headers = request.getHeaders();
    List<String> hosts = headers.getValuesList(HttpHeader.HOST);
    List<String> cookies = new ArrayList<>();
    for (HttpCookie cookie : Request.getCookies(request)) {
      if (cookie.getName().equals(Gate.COOKIE)) {
        cookies.add(cookie.getValue());
      }
    }
    return new Gate.Asker(
        hosts,
        headers.get(HttpHeader.ORIGIN),
        headers.get("Sec-Fetch-Site"),
        headers.get("Sec-Fetch-Mode"),
        page,
        headers.get(HttpHeader.AUTHORIZATION),
        cookies);
  }

  /** Turns a token in the address into a cookie, so that it does not stay in the address. */
  private boolean bringsToken(Request request, Response response) throws IOException {
    List<String> shown = parameters(request).getOrDefault(Gate.PARAMETER, List.of());
    if (shown.size() != 1 || !gate.isToken(shown.getFirst())) {
      return false;
    }
    Reply.secure(response);
    response
        .getHeaders()
        .add(
            HttpHeader.SET_COOKIE,
            "%s=%s; HttpOnly; SameSite=Strict; Path=/".formatted(Gate.COOKIE, shown.getFirst()));
    response.getHeaders().put(HttpHeader.LOCATION, String.valueOf(request.getHttpURI().getPath()));
    response.getHeaders().put(HttpHeader.CACHE_CONTROL, "no-store");
    response.setStatus(303);
    Content.Sink.write(response, true, ByteBuffer.allocate(0));
    return true;
  }

  private static Map<String, List<String>> parameters(Request request) {
    Map<String, List<String>> given = new LinkedHashMap<>();
    int count = 0;
    Fields fields;
    try {
      fields = Request.extractQueryParameters(request, StandardCharsets.UTF_8);
    } catch (RuntimeException e) {
      throw new Refusal(400, "the address holds a parameter that is no percent-encoded UTF-8");
    }
    for (Fields.Field field : fields) {
      count += field.getValues().size();
      given.put(field.getName(), List.copyOf(field.getValues()));
    }
    if (count > MOST_PARAMETERS) {
      throw new Refusal(400, "%,d parameters are more than %,d".formatted(count, MOST_PARAMETERS));
    }
    return given;
  }

  private void answer(Request request, Response response, Endpoint endpoint) throws IOException {
    Map<String, List<String>> given =
        switch (endpoint.method()) {
          case GET -> parameters(request);
          case POST -> JsonBody.of(request);
        };
    Question question = Question.of(endpoint.parameters(), given);
    Answer answer;
    boolean mine;
    try {
      mine = turns.tryAcquire(10, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new Refusal(503, "the server is stopping");
    }
    if (!mine) {
      response.getHeaders().put(HttpHeader.RETRY_AFTER, "2");
      throw new Refusal(503, "the server is busy with other questions; ask again in a moment");
    }
    try {
      answer = endpoint.handler().answer(question);
    } finally {
      turns.release();
    }
    switch (answer) {
      case Answer.Of(Record value) ->
          Reply.send(
              request,
              response,
              new Body(RecordJson.of(value).getBytes(StandardCharsets.UTF_8), Endpoint.JSON),
              "no-cache");
      case Answer.Bytes(byte[] bytes, String type) ->
          Reply.send(request, response, new Body(bytes, type), "no-cache");
      case Answer.Download(Path file, String name) -> Reply.download(response, file, name);
      case Answer.Events(Answer.Job job) -> {
        Reply.secure(response);
        streams.send(response, job);
      }
      case Answer.Live(Answer.Job job) -> {
        Reply.secure(response);
        streams.sendLive(response, job);
      }
    }
  }

  private static void fail(
      Request request, Response response, Callback callback, Throwable thrown) {
    Throwable failure =
        thrown instanceof UncheckedIOException wrapped && wrapped.getCause() != null
            ? wrapped.getCause()
            : thrown;
    int status = HttpFailures.status(failure);
    if (status == 500) {
      LOG.log(System.Logger.Level.ERROR, "a bug in Rowan, asked for " + request, failure);
    }
    Reply.refuse(request, response, callback, status, HttpFailures.message(failure));
  }

  /** Answers what the HTTP parser refuses. */
  static boolean refuse(Request request, Response response, Callback callback) {
    int status = response.getStatus() < 400 ? 400 : response.getStatus();
    Reply.refuse(
        request, response, callback, status, "this is no request that the server understands");
    return true;
  }
}

package dev.rowan.app.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.rowan.app.web.TrainingGlance.Spot;
import dev.rowan.train.Keepsakes;
import dev.rowan.train.TrainingReport.LossPoint;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TrainingEndpointsTest {
  private static final String START = "/api/v1/training/start";
  private static final String SMALL =
      "{\"corpus\":\"texts/two.txt\",\"width\":16,\"epochs\":3,\"watch\":[\"a1\",\"soup\"]}";
  private static final String LONG =
      "{\"corpus\":\"texts/two.txt\",\"width\":64,\"epochs\":1000,\"watch\":[\"a1\"]}";

  @TempDir Path folder;

  @SuppressWarnings("NullAway.Init") // set before each test
  private Server server;

  @BeforeEach
  void start() throws IOException {
    Path texts = Files.createDirectory(folder.resolve("texts"));
    Files.createDirectory(folder.resolve("tables"));
    Files.writeString(folder.resolve("secret.txt"), "not to be read\n".repeat(100));
    Files.writeString(texts.resolve(".hidden.txt"), "not to be read\n".repeat(100));
    Files.createSymbolicLink(texts.resolve("link.txt"), folder.resolve("secret.txt"));
    Files.writeString(texts.resolve("two.txt"), text());
    server =
        new Server(
            Optional.empty(),
            new TrainingPlaces(List.of(texts), Optional.of(folder.resolve("tables"))));
  }

  @AfterEach
  void stop() {
    server.close();
  }

  /** Sentences of words a0 to a19, or of b0 to b19; one word that comes twice only. */
  private static String text() {
    SplittableRandom random = new SplittableRandom(1);
    StringBuilder text = new StringBuilder("rare rare\n");
    for (int line = 0; line < 4000; line++) {
      char side = line % 2 == 0 ? 'a' : 'b';
      for (int word = 0; word < 10; word++) {
        text.append(side).append(random.nextInt(20)).append(' ');
      }
      text.append('\n');
    }
    return text.toString();
  }

  private Object started(String body) throws IOException {
    HttpResponse<String> response = server.post(START, body);
    assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
    return JsonTree.parse(response.body());
  }

  /** Listens until the run is over; returns the last event of a name. */
  private static Object last(String stream, String name) {
    Matcher matcher = Pattern.compile("event: " + name + "\ndata: (.*)\n").matcher(stream);
    String data = null;
    while (matcher.find()) {
      data = matcher.group(1);
    }
    assertThat(data).as("an event %s in %s", name, stream).isNotNull();
    return JsonTree.parse(String.valueOf(data));
  }

  private String events(Object run) throws IOException {
    return server.get("/api/v1/training/events?run=" + JsonTree.at(run, "run")).body();
  }

  @Test
  void learnsFromATextAndTheTableCanBeAsked() throws IOException {
    Object run = started(SMALL);
    String stream = events(run);
    Object end = last(stream, "progress");
    assertThat(JsonTree.at(end, "state")).isEqualTo("finished");
    assertThat(JsonTree.at(end, "rows")).isEqualTo(40L); // twenty words a side; "rare" is too rare
    assertThat(String.valueOf(JsonTree.at(end, "notes"))).contains("soup");
    Object look = last(stream, "look");
    assertThat(JsonTree.at(look, "share")).isEqualTo(1.0);
    assertThat((List<?>) JsonTree.at(look, "spots")).hasSize(40);
    assertThat(JsonTree.at(look, "near", 0, "word")).isEqualTo("a1");
    // the sides share no sentence, so a word's neighbours are of its own
    assertThat(String.valueOf(JsonTree.at(look, "near", 0, "neighbours", 0, "word")))
        .startsWith("a");
    String model = String.valueOf(JsonTree.at(end, "model"));
    Object near = server.json("/api/v1/near?token=a1&k=1&model=" + model);
    assertThat(JsonTree.at(near, "results", 0, "neighbours", 0, "token"))
        .isEqualTo(JsonTree.at(look, "near", 0, "neighbours", 0, "word"));
    assertThat((Double) JsonTree.at(near, "results", 0, "baseline"))
        .isCloseTo((Double) JsonTree.at(look, "baseline"), within(1e-9));
    Path written = folder.resolve("tables/two-1.safetensors");
    HttpResponse<String> download =
        server.get("/api/v1/training/file?run=" + JsonTree.at(run, "run"));
    assertThat(download.headers().firstValueAsLong("Content-Length").orElseThrow())
        .isEqualTo(Files.size(written));
    assertThat(download.headers().firstValue("Content-Disposition").orElse(""))
        .isEqualTo("attachment; filename=\"two-1.safetensors\"");
    assertThat(files("tables")).containsExactly("two-1.safetensors"); // no checkpoint is left
  }

  private List<String> files(String name) throws IOException {
    try (Stream<Path> files = Files.list(folder.resolve(name))) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  @Test
  void stopsWithACheckpointAndGoesOnFromThere() throws Exception {
    Object run = started(LONG);
    untilWords(run, 400_000); // some points of the curve: one each 133 thousand words
    assertThat(server.post(START, SMALL).statusCode()).isEqualTo(409); // one at a time
    assertThat(server.post("/api/v1/training/resume", "{}").statusCode()).isEqualTo(409);
    server.post("/api/v1/training/stop", "{}");
    Object stopped = last(events(run), "progress");
    assertThat(JsonTree.at(stopped, "state")).isEqualTo("stopped");
    assertThat(JsonTree.at(stopped, "resumable")).isEqualTo(true);
    assertThat(files("tables")).containsExactly("two-1.safetensors.checkpoint");
    // as the command line keeps them, which can go on with it
    assertThat(Keepsakes.of(folder.resolve("tables/two-1.safetensors.checkpoint")).texts())
        .containsOnlyKeys("texts", "command.min-count", "command.letters", "threads", "report")
        .containsEntry("command.min-count", "5")
        .containsEntry("command.letters", "kept");
    double words = JsonTree.number(stopped, "words");
    List<?> curve = curve(stopped);
    assertThat(curve).hasSizeGreaterThan(2);
    Object shown = last(events(run), "look");
    Object again = JsonTree.parse(server.post("/api/v1/training/resume", "{}").body());
    assertThat(JsonTree.at(again, "run")).isEqualTo(2L);
    Object seen = server.json("/api/v1/training/look?run=2"); // until the next look the last one
    assertThat((Double) JsonTree.at(seen, "share"))
        .isGreaterThanOrEqualTo((Double) JsonTree.at(shown, "share"));
    untilWords(again, words + 200_000);
    server.post("/api/v1/training/stop", "{}");
    Object longer = last(events(again), "progress");
    assertThat(JsonTree.at(longer, "state")).isEqualTo("stopped");
    List<?> points = curve(longer);
    assertThat(points.subList(0, curve.size())).isEqualTo(curve);
    assertThat(points).hasSizeGreaterThan(curve.size());
    // another one takes its place, and its checkpoint goes
    Object other = started(SMALL);
    assertThat(JsonTree.at(last(events(other), "progress"), "state")).isEqualTo("finished");
    assertThat(files("tables")).containsExactly("two-1.safetensors");
  }

  @Test
  void aCheckpointThatCameFromElsewhereIsLeftAndAnotherIsSaved() throws IOException {
    Object run = started(LONG);
    untilWords(run, 1);
    Path theirs = folder.resolve("tables/two-1.safetensors.checkpoint");
    Files.writeString(theirs, "mine");
    server.post("/api/v1/training/stop", "{}");
    Object stopped = last(events(run), "progress");
    assertThat(JsonTree.at(stopped, "resumable")).isEqualTo(true);
    assertThat(String.valueOf(JsonTree.at(stopped, "notes")))
        .contains(
            "two-1.safetensors.checkpoint came from elsewhere and is left as it is; this training is saved in two-1.safetensors.checkpoint.2");
    assertThat(files("tables")).hasSize(2).contains("two-1.safetensors.checkpoint.2");
    Object again = JsonTree.parse(server.post("/api/v1/training/resume", "{}").body());
    untilWords(again, JsonTree.number(stopped, "words") + 1);
    server.post("/api/v1/training/stop", "{}");
    last(events(again), "progress");
    Object other = started(SMALL);
    assertThat(JsonTree.at(last(events(other), "progress"), "state")).isEqualTo("finished");
    assertThat(files("tables")).hasSize(2).doesNotContain("two-1.safetensors.checkpoint.2");
    assertThat(theirs).hasContent("mine");
  }

  private static List<?> curve(Object standing) {
    return JsonTree.at(standing, "curve") instanceof List<?> curve ? curve : List.of();
  }

  private void untilWords(Object run, double least) throws IOException {
    long end = System.nanoTime() + Duration.ofSeconds(60).toNanos();
    Object standing;
    do {
      standing = JsonTree.at(server.json("/api/v1/training"), "run");
    } while (JsonTree.number(standing, "words") < least && System.nanoTime() < end);
    assertThat(JsonTree.at(standing, "run")).isEqualTo(JsonTree.at(run, "run"));
    assertThat(JsonTree.number(standing, "words")).isGreaterThanOrEqualTo(least);
  }

  @Test
  void theServersEndSavesACheckpoint() throws IOException {
    untilWords(started(LONG), 1);
    server.close();
    assertThat(files("tables")).containsExactly("two-1.safetensors.checkpoint");
    assertThat(Thread.getAllStackTraces().keySet())
        .noneMatch(thread -> thread.getName().equals("rowan-training"));
  }

  @Test
  void learnsFromAPastedText() throws IOException {
    Object run =
        started(
            "{\"text\":\"%s\",\"width\":4,\"minCount\":1,\"lower\":true}"
                .formatted("The cat sat.\\nthe dog sat.\\n".repeat(50)));
    Object end = last(events(run), "progress");
    assertThat(JsonTree.at(end, "state")).isEqualTo("finished");
    assertThat(JsonTree.at(end, "rows")).isEqualTo(4L);
    assertThat(JsonTree.at(end, "file")).isEqualTo("pasted-text-1.safetensors");
  }

  @Test
  void listsPackedTexts() throws IOException {
    for (String name : List.of("a.gz", "b.jsonl.zst", "c.txt.zst", "d.tar")) {
      Files.writeString(folder.resolve("texts").resolve(name), "");
    }
    assertThat(JsonTree.at(server.json("/api/v1/training"), "texts"))
        .isEqualTo(List.of("texts/a.gz", "texts/c.txt.zst", "texts/two.txt"));
  }

  @Test
  void onlyListedTextsAreRead() throws IOException {
    assertThat(JsonTree.at(server.json("/api/v1/training"), "texts"))
        .isEqualTo(List.of("texts/two.txt"));
    for (String name :
        List.of(
            "../secret.txt",
            "texts/../../secret.txt",
            "texts/link.txt",
            "texts/.hidden.txt",
            folder.resolve("secret.txt").toString(),
            "/etc/passwd",
            "")) {
      HttpResponse<String> response = server.post(START, "{\"corpus\":\"" + name + "\"}");
      assertThat(response.statusCode()).as(name).isEqualTo(404);
    }
    assertThat(JsonTree.at(server.json("/api/v1/training"), "run")).isNull();
  }

  @Test
  void refusesWhatIsNoQuestion() throws IOException {
    Map<String, Integer> refused =
        Map.ofEntries(
            Map.entry("", 400),
            Map.entry("[]", 400),
            Map.entry("{\"corpus\":{}}", 400),
            Map.entry("{\"corpus\":\"texts/two.txt\"", 400),
            Map.entry("{\"corpus\":\"texts/two.txt\"} {}", 400),
            Map.entry("{\"corpus\":\"texts/two.txt\",\"corpus\":\"texts/two.txt\"}", 400),
            Map.entry("{\"corpus\":\"texts/two.txt\",\"width\":0}", 400),
            Map.entry("{\"corpus\":\"texts/two.txt\",\"width\":1e99}", 400),
            Map.entry("{\"corpus\":\"texts/two.txt\",\"path\":\"/tmp\"}", 400),
            Map.entry("{\"corpus\":\"texts/two.txt\",\"text\":\"a b\"}", 400),
            Map.entry("{}", 400),
            Map.entry("{\"text\":\"" + "x ".repeat(100_001) + "\"}", 400),
            Map.entry("{\"watch\":" + "[".repeat(5000), 400),
            Map.entry("{\"watch\":[" + "\"a\",".repeat(600) + "\"a\"]}", 400));
    for (Map.Entry<String, Integer> body : refused.entrySet()) {
      String shown = body.getKey().substring(0, Math.min(60, body.getKey().length()));
      assertThat(server.post(START, body.getKey()).statusCode())
          .as(shown)
          .isEqualTo(body.getValue());
    }
    assertThat(server.post(START, SMALL, "Content-Type", "text/plain").statusCode()).isEqualTo(415);
    assertThat(server.get(START).statusCode()).isEqualTo(405);
    String head = "POST " + START + " HTTP/1.1\r\nHost: localhost\r\n";
    String json = "Content-Type: application/json\r\n";
    // only announced: an answer in the middle of a body may be lost to a client that still sends
    assertThat(server.raw(head + json + "Content-Length: " + (JsonBody.MOST + 1) + "\r\n\r\n"))
        .startsWith("HTTP/1.1 413");
    assertThat(server.raw(head + json + "Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n"))
        .startsWith("HTTP/1.1 411");
    assertThat(server.raw(head + json + "Content-Length: 99999999999\r\n\r\n{"))
        .startsWith("HTTP/1.1 413");
    assertThat(JsonTree.at(server.json("/api/v1/training"), "run")).isNull();
  }

  @Test
  void pagesOfOtherSitesStartNothing() throws IOException {
    for (String origin : List.of("http://evil.example", "null", "http://127.0.0.1:1")) {
      assertThat(server.post(START, SMALL, "Origin", origin).statusCode()).isEqualTo(403);
      // what a form could send
      assertThat(
              server
                  .post(START, SMALL, "Origin", origin, "Content-Type", "text/plain")
                  .statusCode())
          .isEqualTo(403);
    }
    assertThat(server.post(START, SMALL, "Sec-Fetch-Site", "cross-site").statusCode())
        .isEqualTo(403);
    assertThat(
            server
                .post(START, SMALL, "Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "navigate")
                .statusCode())
        .isEqualTo(403);
    assertThat(JsonTree.at(server.json("/api/v1/training"), "run")).isNull();
  }

  @Test
  void saysWhyATextCannotBeLearnedFrom() throws IOException {
    Object run = started("{\"text\":\"once upon a time\"}");
    Object end = last(events(run), "progress");
    assertThat(JsonTree.at(end, "state")).isEqualTo("failed");
    assertThat(String.valueOf(JsonTree.at(end, "message"))).contains("min");
    assertThat(JsonTree.at(end, "resumable")).isEqualTo(false);
    assertThat(server.get("/api/v1/training/file?run=" + JsonTree.at(run, "run")).statusCode())
        .isEqualTo(409);
    assertThat(server.get("/api/v1/training/events?run=77").statusCode()).isEqualTo(404);
  }

  @Test
  void eventsAreAsTheyAreDescribed() throws IOException {
    Object document = server.json("/api/v1/openapi.json");
    Object run = started(SMALL);
    String stream = events(run);
    List<String> wrong = new ArrayList<>();
    JsonTree.check(run, schema("Standing"), document, "start", wrong);
    JsonTree.check(last(stream, "progress"), schema("Standing"), document, "progress", wrong);
    JsonTree.check(last(stream, "look"), schema("Glance"), document, "look", wrong);
    assertThat(wrong).isEmpty();
    assertThat(server.json("/api/v1/training/look?run=" + JsonTree.at(run, "run")))
        .isEqualTo(last(stream, "look"));
    Map<?, ?> properties =
        JsonTree.object(
            document,
            "paths",
            START,
            "post",
            "requestBody",
            "content",
            "application/json",
            "schema",
            "properties");
    assertThat(properties.keySet().stream().map(String::valueOf))
        .contains("corpus", "text", "width", "watch");
  }

  private static Map<String, Object> schema(String name) {
    return Map.of("$ref", "#/components/schemas/" + name);
  }

  @Test
  void mapsAreTurnedOntoTheOneBefore() {
    List<Spot> before =
        List.of(
            new Spot("a", 0, 3, 0, false),
            new Spot("b", 1, 0, 1, false),
            new Spot("c", 2, -1, -1, false));
    // a quarter turn of those: (x, y) → (−y, x); and that mirrored: (−y, x) → (−y, −x)
    List<Spot> turned =
        before.stream().map(s -> new Spot(s.word(), s.row(), -s.y(), s.x(), false)).toList();
    List<Spot> mirrored =
        turned.stream().map(s -> new Spot(s.word(), s.row(), s.x(), -s.y(), false)).toList();
    for (List<Spot> now : List.of(turned, mirrored)) {
      List<Spot> back = TrainingGlance.turned(now, before);
      for (int i = 0; i < 3; i++) {
        assertThat(back.get(i).x()).isCloseTo(before.get(i).x(), within(1e-12));
        assertThat(back.get(i).y()).isCloseTo(before.get(i).y(), within(1e-12));
      }
    }
  }

  @Test
  void aLongCurveIsAveraged() {
    List<LossPoint> losses =
        IntStream.range(0, 601).mapToObj(i -> new LossPoint(i, i, 0.1)).toList();
    List<TrainingEndpoints.Loss> curve = TrainingEndpoints.curve(losses);
    assertThat(curve).hasSize(201);
    assertThat(curve.getFirst()).isEqualTo(new TrainingEndpoints.Loss(2, 1)); // of 0, 1, 2
    assertThat(curve.getLast()).isEqualTo(new TrainingEndpoints.Loss(600, 600));
  }
}

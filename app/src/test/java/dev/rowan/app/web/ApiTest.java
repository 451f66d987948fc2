package dev.rowan.app.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ApiTest extends ServerFixture {
  @Test
  void parametersAreCheckedAndTheMessageSaysTheRange() throws IOException {
    assertThat(server.refusal("/api/v1/near")).contains("token is missing");
    assertThat(server.refusal("/api/v1/near?token=east&k=-1")).contains("[0, 1000]");
    assertThat(server.refusal("/api/v1/near?token=east&k=99999999999999999999"))
        .contains("[0, 1000]");
    assertThat(server.refusal("/api/v1/near?token=east&metric=taxi"))
        .contains("cosine, dot, euclidean");
    assertThat(server.refusal("/api/v1/near?token=east&centred=maybe")).contains("true or false");
    assertThat(server.refusal("/api/v1/near?token=east&colour=red")).contains("\"colour\"");
    assertThat(server.refusal("/api/v1/near?token=east&k=1&k=2")).contains("given 2 times");
    assertThat(server.refusal("/api/v1/near?token=" + "a".repeat(501))).contains("500 at most");
    assertThat(server.refusal("/api/v1/near?" + "token=east&".repeat(17))).contains("16 at most");
    assertThat(server.refusal("/api/v1/near?token=%23%F0%9F%98%80")).contains("no token");
    assertThat(server.refusal("/api/v1/near?token=soup")).contains("no token \"soup\"");
    assertThat(server.refusal("/api/v1/panel?from=6")).contains("[0, 5]");
    assertThat(server.refusal("/api/v1/analogy?expression=east%20-"))
        .contains("ends without a token");
  }

  @Test
  void describesItsAnswersAsTheyAre() throws IOException {
    Object document = server.json("/api/v1/openapi.json");
    Map<String, String> questions =
        Map.ofEntries(
            Map.entry("models", ""),
            Map.entry("info", ""),
            Map.entry("stats", ""),
            Map.entry("row", "?token=east&token=%234"),
            Map.entry("corner", "?rows=2"),
            Map.entry("names", "?count=2"),
            Map.entry("complete", "?text=e"),
            Map.entry("toy", ""),
            Map.entry("step", "?token=east"),
            Map.entry("near", "?token=east"),
            Map.entry("histogram", "?token=east"),
            Map.entry("analogy", "?expression=east%20-%20west%20%2B%20north"),
            Map.entry("axis", "?from=east&to=north&word=west"),
            Map.entry("score", "?token=east"),
            Map.entry("similar", "?token=east&token=west"),
            Map.entry("doesnt-match", "?token=east&token=west"),
            Map.entry("params", ""),
            Map.entry("compare/near", "?other=turned&token=east"),
            Map.entry("training", ""));
    List<String> wrong = new ArrayList<>();
    List<String> asked =
        new ArrayList<>(
            List.of(
                "/api/v1/tokens",
                "/api/v1/panel",
                "/api/v1/map",
                "/api/v1/audit",
                "/api/v1/audit/marks",
                "/api/v1/compare",
                "/api/v1/geometry",
                "/api/v1/map/points",
                "/api/v1/map/tokens",
                "/api/v1/training/start",
                "/api/v1/training/stop",
                "/api/v1/training/resume",
                "/api/v1/training/events",
                "/api/v1/training/look",
                "/api/v1/training/file"));
    for (Map.Entry<String, String> question : questions.entrySet()) {
      String path = "/api/v1/" + question.getKey();
      asked.add(path);
      Map<?, ?> schema =
          JsonTree.object(
              document,
              "paths",
              path,
              "get",
              "responses",
              "200",
              "content",
              "application/json",
              "schema");
      JsonTree.check(server.json(path + question.getValue()), schema, document, path, wrong);
    }
    assertThat(wrong).isEmpty();
    // no tokenizer here, binary, events and what changes something: tested elsewhere
    assertThat(JsonTree.object(document, "paths").keySet()).isEqualTo(Set.copyOf(asked));
    HttpResponse<String> refused = server.get("/api/v1/near");
    JsonTree.check(
        JsonTree.parse(refused.body()),
        Map.of("$ref", "#/components/schemas/Failure"),
        document,
        "failure",
        wrong);
    assertThat(wrong).isEmpty();
  }
}

package dev.rowan.app.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CompareEndpointsTest extends ServerFixture {
  private Object compared(String query) throws IOException {
    return event("compare", server.get("/api/v1/compare?" + query).body());
  }

  @Test
  void differencesAreThoseOfTheHead() throws IOException {
    Object diff = compared("other=turned&k=1&bands=1");
    assertThat(JsonTree.at(diff, "shared")).isEqualTo(4L);
    assertThat(JsonTree.at(diff, "onlyInATokens", 0, "token")).isEqualTo("nowhere");
    assertThat(JsonTree.at(diff, "onlyInBTokens", 0, "token")).isEqualTo("south");
    assertThat(JsonTree.at(diff, "equalRows")).isEqualTo(0L);
    // every row is at a right angle to its counterpart
    assertThat(JsonTree.number(diff, "asStored", "meanCosine")).isCloseTo(0, within(1e-12));
    // nearest among the shared: between, between, north, north; and west, between, north, east
    assertThat(JsonTree.at(diff, "neighbourOverlap", "share")).isEqualTo(0.5);
    assertThat(JsonTree.at(diff, "strayed", 0, "token")).isEqualTo("east");
    assertThat(JsonTree.at(diff, "strayed", 0, "overlap")).isEqualTo(0.0);
  }

  @Test
  void neighboursOfOneTokenStandSideBySide() throws IOException {
    Object near = server.json("/api/v1/compare/near?other=turned&token=East&k=2");
    assertThat(JsonTree.at(near, "respelled")).isEqualTo("other case");
    assertThat(JsonTree.at(near, "a", "neighbours", 0, "token")).isEqualTo("between");
    assertThat(JsonTree.number(near, "a", "neighbours", 0, "score")).isEqualTo(0.6);
    assertThat(JsonTree.at(near, "a", "neighbours", 1, "token")).isEqualTo("north");
    assertThat(JsonTree.at(near, "b", "neighbours", 0, "token")).isEqualTo("west");
    assertThat(JsonTree.number(near, "b", "neighbours", 0, "score")).isEqualTo(1);
    assertThat(JsonTree.at(near, "b", "neighbours", 1, "token")).isEqualTo("between");
    assertThat(JsonTree.at(near, "a", "neighbours", 0, "both")).isEqualTo(true);
    assertThat(JsonTree.at(near, "a", "neighbours", 1, "both")).isEqualTo(false);
    assertThat(JsonTree.at(near, "b", "neighbours", 1, "both")).isEqualTo(true);
    assertThat(JsonTree.at(near, "overlap")).isEqualTo(0.5);
  }

  @Test
  void overlapOfTokensAveragesToThatOfTheTables() throws IOException {
    double sum = 0;
    for (String token : List.of("east", "north", "between", "west")) {
      sum +=
          JsonTree.number(
              server.json("/api/v1/compare/near?other=turned&k=2&token=" + token), "overlap");
    }
    assertThat(JsonTree.number(compared("other=turned&k=2"), "neighbourOverlap", "share"))
        .isCloseTo(sum / 4, within(1e-12));
  }

  @Test
  void refusesWhatCannotBeCompared() throws IOException {
    assertThat(refused("/api/v1/compare?other=small", 400)).contains("name two models");
    assertThat(refused("/api/v1/compare", 400)).contains("other is missing");
    assertThat(refused("/api/v1/compare?other=../secret", 404)).contains("no model");
    assertThat(refused("/api/v1/compare/near?other=turned&token=nowhere", 404))
        .contains("no token of \"turned\"");
    assertThat(refused("/api/v1/compare/near?other=large&token=east", 400))
        .contains("no vocabulary");
    assertThat(server.get("/api/v1/compare?other=large").body())
        .contains("event: failed")
        .contains("no vocabulary");
  }

  private String refused(String path, int status) throws IOException {
    HttpResponse<String> response = server.get(path);
    assertThat(response.statusCode()).as(path).isEqualTo(status);
    return String.valueOf(JsonTree.at(JsonTree.parse(response.body()), "error", "message"));
  }

  @Test
  void eventsAreAsTheyAreDescribed() throws IOException {
    List<String> wrong = new ArrayList<>();
    JsonTree.check(
        compared("other=turned"),
        Map.of("$ref", "#/components/schemas/Compared"),
        server.json("/api/v1/openapi.json"),
        "compare",
        wrong);
    assertThat(wrong).isEmpty();
  }
}

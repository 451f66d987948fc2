package dev.rowan.app.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What the API answers about five rows of two numbers, worked out by hand. */
class AnswersTest extends ServerFixture {
  @Test
  void neighboursAreTheCosinesOfTheHead() throws IOException {
    Object near = server.json("/api/v1/near?token=east&k=3");
    // east (1,0): between (3,4) has cosine 3/5, north and nowhere 0 with the lower id first
    assertThat(JsonTree.at(near, "results", 0, "neighbours", 0, "token")).isEqualTo("between");
    assertThat((Double) JsonTree.at(near, "results", 0, "neighbours", 0, "score")).isEqualTo(0.6);
    assertThat(JsonTree.at(near, "results", 0, "neighbours", 1, "token")).isEqualTo("north");
    // ten pairs: ±1 once, 0.6, 0.8, −0.6, the rest 0: (0.6 + 0.8 − 0.6 − 1) / 10
    assertThat((Double) JsonTree.at(near, "results", 0, "baseline")).isCloseTo(-0.02, within(1e-7));
  }

  @Test
  void centringTakesTheMeanRowAway() throws IOException {
    Object near = server.json("/api/v1/near?token=east&k=1&centred=true");
    // mean (0.6, 1.2): east becomes (0.4, −1.2), west (−1.6, −1.2), nowhere (−0.6, −1.2)
    double nowhere = (0.4 * -0.6 + 1.2 * 1.2) / (Math.hypot(0.4, 1.2) * Math.hypot(0.6, 1.2));
    assertThat(JsonTree.at(near, "results", 0, "neighbours", 0, "token")).isEqualTo("nowhere");
    assertThat((Double) JsonTree.at(near, "results", 0, "neighbours", 0, "score"))
        .isCloseTo(nowhere, within(1e-6));
  }

  @Test
  void histogramCountsEveryOtherRow() throws IOException {
    Object histogram = server.json("/api/v1/histogram?token=east&bins=4");
    // −1 in the first quarter, the two zeros in the third, 0.6 in the last
    assertThat(JsonTree.at(histogram, "counts")).isEqualTo(List.of(1L, 0L, 2L, 1L));
    assertThat((Double) JsonTree.at(histogram, "mean")).isCloseTo(-0.1, within(1e-12));
  }

  @Test
  void axisPlacesItsEndsAtZeroAndOne() throws IOException {
    Object axis =
        server.json(
            "/api/v1/axis?from=west&to=east&word=east&word=west&word=north&word=between&word=xyz");
    assertThat(JsonTree.at(axis, "leftOut")).isEqualTo(List.of("xyz"));
    assertThat(JsonTree.at(axis, "words", 0, "token")).isEqualTo("west");
    assertThat(JsonTree.number(axis, "words", 0, "position")).isEqualTo(0);
    // rows at unit norm: north (0, 1) is (1, 1) from west, along (2, 0) by 2 of 4
    assertThat(JsonTree.at(axis, "words", 1, "token")).isEqualTo("north");
    assertThat(JsonTree.number(axis, "words", 1, "position")).isEqualTo(0.5);
    assertThat(JsonTree.number(axis, "words", 1, "cosine"))
        .isCloseTo(Math.sqrt(0.5), within(1e-12));
    // between (0.6, 0.8) is (1.6, 0.8) from west
    assertThat(JsonTree.number(axis, "words", 2, "position")).isCloseTo(0.8, within(1e-7));
    assertThat(JsonTree.number(axis, "words", 3, "position")).isEqualTo(1); // east
    assertThat(JsonTree.at(axis, "forward", 0, "token")).isEqualTo("between");
  }

  @Test
  void tellsHowAlikeTwoTokensAre() throws IOException {
    Object alike = server.json("/api/v1/similar?token=east&token=between");
    assertThat(JsonTree.number(alike, "cosine")).isEqualTo(0.6);
    assertThat(JsonTree.number(alike, "dot")).isEqualTo(3);
    assertThat(JsonTree.number(alike, "distance")).isCloseTo(Math.sqrt(20), within(1e-12));
    assertThat(JsonTree.at(alike, "rankFromA")).isEqualTo(1L); // nearest of east
    assertThat(JsonTree.at(alike, "rankFromB")).isEqualTo(2L); // north, by 0.8, is nearer
    assertThat(server.refusal("/api/v1/similar?token=east")).contains("two tokens");
  }

  @Test
  void saysHowAWordWasRespelled() throws IOException {
    Map<String, Object[]> places =
        Map.of(
            "near?token=%s", new Object[] {"results", 0, "query"},
            "histogram?token=%s", new Object[] {"query"},
            "row?token=%s", new Object[] {"rows", 0},
            "similar?token=west&token=%s", new Object[] {"b"},
            "analogy?expression=west%%20-%%20%s", new Object[] {"inputs", 1},
            "axis?from=west&to=%s", new Object[] {"to", 0},
            "axis?from=west&to=north&word=%s", new Object[] {"words", 0},
            "score?token=%s", new Object[] {});
    for (Map.Entry<String, Object[]> place : places.entrySet()) {
      for (Map.Entry<String, String> word :
          Map.of("East", "other case", "éast", "other accents", "east", "").entrySet()) {
        String typed = URLEncoder.encode(word.getKey(), StandardCharsets.UTF_8);
        Object answer =
            JsonTree.at(
                server.json("/api/v1/" + place.getKey().formatted(typed)), place.getValue());
        Object how = word.getValue().isEmpty() ? null : word.getValue();
        assertThat(JsonTree.at(answer, "respelled")).as(place + " " + word).isEqualTo(how);
      }
    }
  }

  @Test
  void findsTheOddOneOut() throws IOException {
    Object odd = server.json("/api/v1/doesnt-match?token=north&token=between&token=west&token=xyz");
    // the mean of (0, 1), (0.6, 0.8) and (−1, 0) points to (−0.4, 1.8)
    double norm = Math.hypot(0.4, 1.8);
    assertThat(JsonTree.at(odd, "ranked", 0, "token")).isEqualTo("west");
    assertThat(JsonTree.number(odd, "ranked", 0, "score")).isCloseTo(0.4 / norm, within(1e-7));
    assertThat(JsonTree.number(odd, "ranked", 2, "score")).isCloseTo(1.8 / norm, within(1e-7));
    assertThat(JsonTree.at(odd, "leftOut")).isEqualTo(List.of("xyz"));
  }

  @Test
  void tellsWhatTheTablesCost() throws IOException {
    Object params = server.json("/api/v1/params");
    assertThat(JsonTree.at(params, "tableParameters")).isEqualTo(10L); // 5 × 2, tied
    assertThat(JsonTree.number(params, "shareOfModel")).isEqualTo(0.5); // of 20
    assertThat(JsonTree.at(params, "secondTableBytes")).isEqualTo(40L);
    assertThat(JsonTree.at(params, "comparison")).isNull();
  }

  @Test
  void geometryNamesTheDirectionsInWhichRowsDiffer() throws IOException {
    Object geometry = event("geometry", server.get("/api/v1/geometry").body());
    // two dimensions: two directions hold all the variance
    assertThat(
            JsonTree.number(geometry, "topDirections", 0, "share")
                + JsonTree.number(geometry, "topDirections", 1, "share"))
        .isCloseTo(1, within(1e-9));
    // the mean row is (0.6, 1.2)
    assertThat(JsonTree.number(geometry, "meanRowNorm"))
        .isCloseTo(Math.hypot(0.6, 1.2), within(1e-6));
    List<String> wrong = new ArrayList<>();
    JsonTree.check(
        geometry,
        Map.of("$ref", "#/components/schemas/Geometry"),
        server.json("/api/v1/openapi.json"),
        "geometry",
        wrong);
    assertThat(wrong).isEmpty();
  }

  @Test
  void pictureOfAnAnalogyIsAParallelogram() throws IOException {
    Object told = server.json("/api/v1/analogy?expression=east%20-%20nowhere%20%2B%20north&k=1");
    assertThat(JsonTree.at(told, "start")).isEqualTo("east");
    assertThat(JsonTree.at(told, "picture", 0, "x")).isEqualTo(1.0); // a, along the first axis
    assertThat(JsonTree.at(told, "picture", 2, "y")).isEqualTo(2.0); // c, along the second
    assertThat(JsonTree.at(told, "picture", 3, "x")).isEqualTo(1.0); // the sum
    assertThat(JsonTree.at(told, "picture", 3, "y")).isEqualTo(2.0);
  }

  @Test
  void marksTheRowsThatAnAuditFound() throws IOException {
    assertThat(server.get("/api/v1/audit/marks?model=turned").statusCode()).isEqualTo(409);
    Object audit = event("audit", server.get("/api/v1/audit").body());
    int zero = 0;
    while (!"zero".equals(JsonTree.at(audit, "rules", zero, "rule"))) {
      zero++;
    }
    byte[] marks = server.get("/api/v1/audit/marks").body().getBytes(StandardCharsets.UTF_8);
    assertThat(marks).hasSize(5);
    assertThat(marks[4]).isEqualTo((byte) (zero + 1)); // nowhere
    assertThat(marks[2]).isZero();
  }
}

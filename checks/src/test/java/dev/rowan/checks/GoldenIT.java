package dev.rowan.checks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.rowan.checks.Rowan.Outcome;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The bundled table gives the numbers that numpy computed from the same ONNX file in double: scores
 * to 1e-5, orders exactly.
 */
class GoldenIT {
  private static final double TOLERANCE = 1e-5;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "cat: cats 8870 0.815262, kitten 18401 0.559992, kitty 14433 0.536922, dog 3899 0.423856,"
            + " pets 18551 0.410421, dogs 6077 0.397942, pet 9004 0.382316, ##cat 11266 0.378029,"
            + " car 2482 0.32117, fe 10768 0.319607",
        "dog: dogs 6077 0.873183, canine 28735 0.656669, puppy 17022 0.539795, pets 18551 0.514532,"
            + " pup 26781 0.500335, animal 4111 0.48465, animals 4176 0.464281, pet 9004 0.460727,"
            + " dogg 28844 0.453646, cat 4937 0.423856",
        "three: 3 1017 0.725686, four 2176 0.586239, two 2048 0.585401, five 2274 0.53715,"
            + " third 2353 0.500993, trio 7146 0.493068, six 2416 0.458045, seven 2698 0.445807,"
            + " nine 3157 0.445228, ##3 2509 0.424124",
        "king: kings 5465 0.690393, queen 3035 0.627252, monarch 11590 0.493502, prince 3159"
            + " 0.462956, monarchy 12078 0.446799, royal 2548 0.444185, queens 8603 0.431103,"
            + " kingdom 2983 0.426324, kingdoms 12028 0.412312, throne 6106 0.396949",
        "doctor: doctors 7435 0.764837, physician 7522 0.616188, dr 2852 0.597918, physicians 11572"
            + " 0.547068, medical 2966 0.473293, surgeon 9431 0.455559, ##ogist 22522 0.448934, doc"
            + " 9986 0.428392, ##logist 10727 0.423673, hospital 2902 0.418457"
      })
  void findsTheNeighboursOfAWord(String expected) {
    String word = expected.substring(0, expected.indexOf(':'));
    Json result = Rowan.run("--json", "near", word).json().at("results").at(0);
    List<Json> neighbours = result.at("neighbours").elements();
    String[] lines = expected.substring(expected.indexOf(':') + 1).split(",", -1);
    assertThat(neighbours).hasSameSizeAs(lines);
    for (int i = 0; i < lines.length; i++) {
      String[] fields = lines[i].strip().split(" ", -1);
      assertThat(neighbours.get(i).at("token").text()).isEqualTo(fields[0]);
      assertThat(neighbours.get(i).at("id").whole()).isEqualTo(Long.parseLong(fields[1]));
      assertThat(neighbours.get(i).at("score").number())
          .isCloseTo(Double.parseDouble(fields[2]), within(TOLERANCE));
    }
    assertThat(result.at("metric").text()).isEqualTo("cosine");
    assertThat(result.at("baseline").number()).isCloseTo(0.018062, within(TOLERANCE));
  }

  @ParameterizedTest
  @CsvSource({
    "king, man, woman, king 2332 0.666058, queen 3035 0.511481, 0.627252, 2",
    "paris, france, germany, germany 2762 0.583463, berlin 4068 0.522993, 0.331882, 9",
    "doctor, man, woman, doctor 3460 0.731067, doctors 7435 0.556196, 0.764837, 1",
    "dogs, dog, car, car 2482 0.886248, cars 3765 0.776423, 0.273294, 53",
    "rome, italy, france, france 2605 0.632381, paris 3000 0.489017, 0.322189, 26",
  })
  void answersAnalogies(
      String a, String b, String c, String raw, String answer, double before, long rank) {
    Json json = Rowan.run("--json", "analogy", a, "-", b, "+", c).json();
    hasHit(json.at("raw").at(0), raw);
    hasHit(json.at("excludingInputs").at(0), answer);
    hasHit(json.at("answer"), answer);
    assertThat(json.at("answer").at("scoreBefore").number()).isCloseTo(before, within(TOLERANCE));
    assertThat(json.at("answer").at("rankBefore").whole()).isEqualTo(rank);
    assertThat(json.at("baseline").number()).isCloseTo(0.018062, within(TOLERANCE));
  }

  private static void hasHit(Json hit, String expected) {
    String[] fields = expected.split(" ", -1);
    assertThat(hit.at("token").text()).isEqualTo(fields[0]);
    assertThat(hit.at("id").whole()).isEqualTo(Long.parseLong(fields[1]));
    assertThat(hit.at("score").number())
        .isCloseTo(Double.parseDouble(fields[2]), within(TOLERANCE));
  }

  @Test
  void ranksTheRawAnswersOfTheQueenAnalogy() {
    Json json = Rowan.run("--json", "analogy", "king - man + woman").json();
    assertThat(json.at("raw").texts("token"))
        .containsExactly("king", "queen", "kings", "woman", "monarch");
    assertThat(json.at("excludingInputs").texts("token"))
        .containsExactly("queen", "kings", "monarch", "queens", "monarchy");
  }

  @Test
  void measuresTheTable() {
    Json json = Rowan.run("--json", "stats").json();
    assertThat(json.at("rows").whole()).isEqualTo(30_522);
    assertThat(json.at("width").whole()).isEqualTo(384);
    assertThat(json.at("meanCosine").number()).isCloseTo(0.018062, within(1e-6));
    // float64 numpy: rows less their mean, then less its three strongest directions
    assertThat(json.at("meanCosineCentered").number())
        .isCloseTo(0.0024385042769151117, within(1e-9));
    assertThat(json.at("meanCosineWithoutTop").number())
        .isCloseTo(0.0011182862100952192, within(1e-9));
    Json norm = json.at("norm");
    assertThat(norm.at("min").number()).isCloseTo(0.244884171, within(1e-6));
    assertThat(norm.at("argmin").at("token").text()).isEqualTo("[MASK]");
    assertThat(norm.at("argmin").at("id").whole()).isEqualTo(103);
    assertThat(norm.at("max").number()).isCloseTo(1.694027777, within(1e-6));
    assertThat(norm.at("argmax").at("token").text()).isEqualTo("briefs");
    assertThat(norm.at("argmax").at("id").whole()).isEqualTo(28_760);
    assertThat(norm.at("mean").number()).isCloseTo(1.065648836, within(1e-6));
    assertThat(json.at("zeroRows").whole()).isZero();
    assertThat(json.at("nonFiniteRows").whole()).isZero();
  }

  @ParameterizedTest
  @CsvSource({
    "0, -0.019989013671875, -0.0034027099609375, -0.014678955078125",
    "100, -0.07308480888605118, -0.016659004613757133, 0.021525880321860313",
    "2332, -0.02745634876191616, 0.022507917135953903, -0.06231093034148216",
    "4937, 0.03254606947302818, -0.032863881438970566, 0.06211727112531662",
  })
  void readsRowsExactly(String id, double first, double second, double third) {
    Json row = Rowan.run("--json", "row", "#" + id).json().at("rows").at(0);
    List<Json> values = row.at("values").elements();
    assertThat(values).hasSize(384);
    assertThat((float) values.get(0).number()).isEqualTo((float) first);
    assertThat((float) values.get(1).number()).isEqualTo((float) second);
    assertThat((float) values.get(2).number()).isEqualTo((float) third);
  }

  @Test
  void describesTheFile() {
    Json json = Rowan.run("--json", "info").json();
    assertThat(json.at("architecture").text()).isEqualTo("bert");
    Json input = json.at("input");
    assertThat(input.at("tensor").text()).isEqualTo("embeddings.word_embeddings.weight");
    assertThat(input.at("rows").whole()).isEqualTo(30_522);
    assertThat(input.at("width").whole()).isEqualTo(384);
    assertThat(input.at("dtype").text()).isEqualTo("f32");
    assertThat(input.at("parameters").whole()).isEqualTo(11_720_448);
    assertThat(input.at("bytes").whole()).isEqualTo(46_881_792);
    assertThat(json.at("output").isNull()).isTrue();
    assertThat(json.at("vocabulary").at("kind").text()).isEqualTo("wordpiece");
    assertThat(json.at("vocabulary").at("size").whole()).isEqualTo(30_522);
    assertThat(json.at("rowsWithoutToken").whole()).isZero();
    // float initialisers of the ONNX file, counted with a protobuf walk in Python
    assertThat(json.at("modelParameters").whole()).isEqualTo(22_565_376);
    assertThat(json.at("shareOfModel").number()).isCloseTo(0.519400, within(1e-6));
  }

  @Test
  void splitsText() {
    Json json = Rowan.run("--json", "tokens", "The cat sat").json();
    assertThat(json.at("ids").elements().stream().map(Json::whole))
        .containsExactly(1996L, 4937L, 2938L);
    assertThat(json.at("tokens").elements().stream().map(Json::text))
        .containsExactly("the", "cat", "sat");
  }

  @Test
  void multipliesOutOneHotTimesTheTable() {
    Json json = Rowan.run("--json", "step", "cat").json();
    assertThat(json.at("equal").truth()).isTrue();
    assertThat(json.at("multiplicationsSaved").whole()).isEqualTo(11_720_448);
    assertThat(json.at("oneHotTimesTable").value()).isEqualTo(json.at("lookedUp").value());
  }

  @Test
  void scoresSumToOne() {
    Json json = Rowan.run("--json", "score", "cat", "-k", "30522").json();
    List<Json> scores = json.at("scores").elements();
    double sum = scores.stream().mapToDouble(s -> s.at("probability").number()).sum();
    assertThat(sum).isCloseTo(1, within(1e-9));
    // the highest logit is the row with itself: norm² = 1.3732…², see the neighbours of "cat"
    assertThat(scores.getFirst().at("token").text()).isEqualTo("cat");
    double norm = Rowan.run("--json", "row", "cat").json().at("rows").at(0).at("norm").number();
    assertThat(scores.getFirst().at("logit").number()).isCloseTo(norm * norm, within(1e-9));
  }

  @Test
  void threadsAndSimdDoNotChangeABit() {
    List<String> answers = new ArrayList<>();
    for (String threads : List.of("1", "2", "7")) {
      answers.add(Rowan.run("near", "cat", "king", "three", "--json", "--threads", threads).out());
    }
    Outcome simd =
        Rowan.launcher()
            .env("ROWAN_JAVA_OPTS", "--add-modules jdk.incubator.vector")
            .with("near", "cat", "king", "three", "--json");
    answers.add(simd.out());
    assertThat(answers).allMatch(answers.getFirst()::equals);
  }
}

package dev.rowan.analysis.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import dev.rowan.analysis.compare.Differ.Settings;
import dev.rowan.core.Hit;
import dev.rowan.core.Lexicon;
import dev.rowan.core.NamedTable;
import dev.rowan.core.Origin;
import dev.rowan.core.Spelling;
import dev.rowan.core.Table;
import dev.rowan.core.Tie;
import dev.rowan.core.Vocabulary;
import dev.rowan.core.Workers;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/** {@link SharedRows}, {@link Procrustes} and {@link Differ}. */
class TableDiffTest {
  private static final Workers ONE = Workers.of(1);
  private static final Workers THREE = Workers.of(3);
  private static final Settings SETTINGS = new Settings(2, 3, 2, 1);

  @AfterAll
  static void endThreads() {
    ONE.close();
    THREE.close();
  }

  private static Lexicon lexicon(Spelling spelling, Table table, String... tokens) {
    Vocabulary words = Vocabulary.of(spelling, Arrays.asList(tokens), new BitSet());
    return new Lexicon(
        new NamedTable("t", table),
        Optional.empty(),
        tokens.length == 0 ? Optional.empty() : Optional.of(words),
        Tie.UNKNOWN,
        "",
        new Origin(Path.of("t"), "test", Optional.empty(), OptionalLong.empty(), List.of()),
        () -> {});
  }

  private static SharedRows shared(Lexicon a, Lexicon b) {
    return SharedRows.of(a, a.input().table(), b, b.input().table());
  }

  private static SharedRows all(int rows) {
    Table column = Table.of(1, new float[rows]);
    return shared(lexicon(Spelling.PLAIN, column), lexicon(Spelling.PLAIN, column));
  }

  private static float[] normals(int count, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    float[] values = new float[count];
    for (int i = 0; i < count; i++) {
      values[i] = (float) random.nextGaussian();
    }
    return values;
  }

  @Test
  void tokensAreMatchedByWhatTheySay() {
    Lexicon a =
        lexicon(Spelling.BYTE_LEVEL, Table.of(1, 1f, 2f, 3f, 4f), "cat", "\u0120dog", "ox", "ox");
    Lexicon b = lexicon(Spelling.SENTENCEPIECE, Table.of(1, 1f, 2f, 3f), "owl", "\u2581dog", "cat");
    SharedRows shared = shared(a, b);
    assertThat(shared.first()).containsExactly(0, 1);
    assertThat(shared.second()).containsExactly(2, 1);
    assertThat(shared.missing()).isEqualTo(1); // the second "ox" is not counted twice
    assertThat(shared.missingIds()).containsExactly(2L);
    assertThat(shared.addedIds()).containsExactly(0L);
  }

  @Test
  void rowsWithoutVocabulariesAreMatchedById() {
    Lexicon three = lexicon(Spelling.PLAIN, Table.of(1, 1f, 2f, 3f));
    Lexicon two = lexicon(Spelling.PLAIN, Table.of(1, 1f, 2f));
    assertThat(shared(three, two).first()).containsExactly(0, 1);
    assertThat(shared(three, two).missingIds()).containsExactly(2L);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> shared(three, lexicon(Spelling.PLAIN, Table.of(1, 1f), "a")))
        .withMessageStartingWith("the first model has no vocabulary");
  }

  @Test
  void equalTablesHaveNoDifference() {
    Table table = Table.of(4, normals(40, 1));
    TableDiff diff = Differ.diff(table, table, all(10), SETTINGS, ONE);
    assertThat(diff.equalRows()).isEqualTo(10);
    assertThat(diff.asStored().orElseThrow().distance()).isZero();
    assertThat(diff.aligned().meanCosine()).isCloseTo(1, within(1e-12));
    assertThat(diff.neighbourOverlap()).isEqualTo(1);
    assertThat(diff.moved()).isEmpty();
    assertThat(diff.bands()).hasSize(2);
    assertThat(diff.bands().get(1))
        .satisfies(band -> {
          assertThat(band.from()).isEqualTo(5);
          assertThat(band.to()).isEqualTo(9);
          assertThat(band.equal()).isEqualTo(5);
        });
  }

  @Test
  void movedRowsAreFoundAndMeasured() {
    Table a = Table.of(2, 1f, 0f, 0f, 1f, 1f, 1f, 2f, 0f);
    Table b = Table.of(2, 1f, 0f, 1f, 0f, 1f, 1f, 2f, 2f);
    TableDiff diff = Differ.diff(a, b, all(4), SETTINGS, ONE);
    assertThat(diff.equalRows()).isEqualTo(2);
    // cosines 1, 0, 1, √½; Σ‖a−b‖² = 2 + 4, Σ‖b‖² = 1 + 1 + 2 + 8
    assertThat(diff.asStored().orElseThrow().meanCosine())
        .isCloseTo((2 + Math.sqrt(0.5)) / 4, within(1e-12));
    assertThat(diff.asStored().orElseThrow().distance()).isCloseTo(Math.sqrt(0.5), within(1e-12));
    assertThat(diff.moved()).extracting(moved -> moved.first().id()).containsExactly(1L, 3L);
    assertThat(diff.moved().getFirst().first()).isEqualTo(new Hit(1, 0));
  }

  /** Rows turned by a rotation in the plane of two columns, and a reflection of a third. */
  private static Table turned(Table table) {
    float[] values = new float[(int) table.rows() * table.width()];
    double cos = Math.cos(0.7);
    double sin = Math.sin(0.7);
    for (int r = 0; r < table.rows(); r++) {
      float[] row = table.row(r);
      int at = r * table.width();
      System.arraycopy(row, 0, values, at, row.length);
      values[at] = (float) (cos * row[0] - sin * row[1]);
      values[at + 1] = (float) (sin * row[0] + cos * row[1]);
      values[at + 2] = -row[2];
    }
    return Table.of(table.width(), values);
  }

  @Test
  void aRotatedTableIsFoundToBeOne() {
    Table table = Table.of(5, normals(500, 2));
    TableDiff diff = Differ.diff(table, turned(table), all(100), SETTINGS, THREE);
    assertThat(diff.asStored().orElseThrow().meanCosine()).isLessThan(0.9);
    assertThat(diff.aligned().meanCosine()).isCloseTo(1, within(1e-9));
    assertThat(diff.aligned().distance()).isCloseTo(0, within(1e-6));
    assertThat(diff.rank()).isEqualTo(5);
    assertThat(diff.neighbourOverlap()).isEqualTo(1);
  }

  @Test
  void widthsThatDifferAreComparedAfterRotationAlone() {
    Table wide = Table.of(5, normals(500, 3));
    float[] narrow = new float[300];
    for (int r = 0; r < 100; r++) {
      System.arraycopy(wide.row(r), 0, narrow, 3 * r, 3);
    }
    Table cut = Table.of(3, narrow);
    for (boolean turn : new boolean[] {false, true}) {
      TableDiff diff = Differ.diff(turn ? cut : wide, turn ? wide : cut, all(100), SETTINGS, THREE);
      assertThat(diff.asStored()).isEmpty();
      assertThat(diff.equalRows()).isZero();
      assertThat(diff.rank()).isEqualTo(3);
      assertThat(diff.bands().getFirst().meanCosine()).isEmpty();
      assertThat(diff.aligned().meanCosine()).isBetween(turn ? 0.7 : 0.95, 1.0);
    }
  }

  @Test
  void rotationIsThatOfScipy() {
    // scipy.linalg.orthogonal_procrustes of these rows: numbers written here as it printed them
    float[] a = {1, 2, 0, -1, 1, 3, 2, 0, 1, 0, 1, -2};
    float[] b = {2, 1, 1, 0, -1, 3, 1, 2, 0, -1, 1, -1};
    double[] products = new double[9];
    for (int r = 0; r < 4; r++) {
      for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
          products[3 * i + j] += a[3 * r + i] * b[3 * r + j];
        }
      }
    }
    double[] q = Procrustes.of(products, 3, 3, ONE).q();
    double[] expected = {
      0.825854909158574,
      0.4906897881960218,
      -0.2778258461317555,
      -0.24636246934872102,
      0.7571732960807076,
      0.6049744898743066,
      0.5072171159524129,
      -0.43117529087648326,
      0.746202831556204
    };
    for (int i = 0; i < 9; i++) {
      assertThat(q[i]).isCloseTo(expected[i], within(1e-12));
    }
  }

  @Test
  void directionsThatNoRowHasAreLeftOut() {
    Procrustes flat = Procrustes.of(new double[] {2, 0, 0, 0}, 2, 2, ONE);
    assertThat(flat.rank()).isEqualTo(1);
    double[] first = {1, 0, 0, 0};
    assertThat(flat.q()).containsExactly(first, within(1e-12));
    assertThat(Procrustes.of(new double[4], 2, 2, ONE).rank()).isZero();
  }

  @Test
  void rowsThatAreNotFiniteAreLeftOut() {
    Table a = Table.of(1, 1f, Float.NaN, 2f);
    Table b = Table.of(1, 1f, 1f, Float.POSITIVE_INFINITY);
    TableDiff diff = Differ.diff(a, b, all(3), SETTINGS, ONE);
    assertThat(diff.comparedRows()).isEqualTo(1);
    assertThat(diff.neighbourOverlap()).isNaN();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Differ.diff(a, b, all(0), SETTINGS, ONE))
        .withMessageContaining("share no token with finite rows");
  }

  @Test
  void threadsDoNotChangeABit() {
    Table a = Table.of(20, normals(40_000, 5));
    Table b = Table.of(20, normals(40_000, 6));
    assertThat(Differ.diff(a, b, all(2000), SETTINGS, THREE))
        .isEqualTo(Differ.diff(a, b, all(2000), SETTINGS, ONE));
  }

  @Test
  void wordPiecesAreMatchedWithMarkedSpaces() {
    Table rows = Table.of(1, 1f, 2f, 3f, 4f);
    Lexicon pieces = lexicon(Spelling.WORDPIECE, rows, "[CLS]", "cat", "##cat", "##");
    Lexicon spaces = lexicon(Spelling.SENTENCEPIECE, rows, "cat", "[CLS]", "\u2581cat", "x");
    SharedRows shared = shared(pieces, spaces);
    assertThat(shared.first()).containsExactly(0, 1, 2);
    assertThat(shared.second()).containsExactly(1, 2, 0);
    // beside plain words a word is a word
    SharedRows plain = shared(pieces, lexicon(Spelling.PLAIN, rows, "cat", "a", "b", "c"));
    assertThat(plain.first()).containsExactly(1);
  }

  @Test
  void tokensThatKeptFewestNeighboursAreNamed() {
    // a quarter turn of the first table, but for the last row, which is turned the other way
    Table a = Table.of(2, 1f, 0f, 0f, 2f, 3f, 4f, -1f, 0f);
    Table b = Table.of(2, 0f, 1f, -2f, 0f, -4f, 3f, 0f, 1f);
    TableDiff diff = Differ.diff(a, b, all(4), new Settings(1, 9, 1, 1), ONE);
    // nearest in a: 2, 2, 1, 1; in b: 3, 2, 1, 0
    assertThat(diff.neighbourOverlap()).isEqualTo(0.5);
    assertThat(diff.strayed())
        .containsExactly(new TableDiff.Strayed(0, 0, 0), new TableDiff.Strayed(3, 3, 0));
  }
}

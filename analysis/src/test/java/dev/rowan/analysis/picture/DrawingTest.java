package dev.rowan.analysis.picture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.IntFunction;
import javax.imageio.ImageIO;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.w3c.dom.Document;
import org.w3c.dom.NodeList;

class DrawingTest {
  private static final String METHOD = "PCA of some rows";
  private static final String DISTORTION = "The two axes hold 12.3 % of the variance";

  private static MapPicture picture(PicturePoints points) {
    return new MapPicture("Words", METHOD, DISTORTION, List.of(), MapPicture.Axes.NONE, points);
  }

  private static PicturePoints scattered(int count, IntFunction<String> labels) {
    Random random = new Random(count);
    double[] x = random.doubles(count).map(v -> v * v).toArray();
    double[] y = random.doubles(count).map(v -> v * v).toArray();
    return PicturePoints.of(x, y, labels);
  }

  private static Document parsed(byte[] svg) {
    try {
      return DocumentBuilderFactory.newInstance()
          .newDocumentBuilder()
          .parse(new ByteArrayInputStream(svg));
    } catch (Exception e) {
      throw new AssertionError("no well-formed XML: " + e.getMessage(), e);
    }
  }

  private static List<String> texts(Document svg) {
    NodeList nodes = svg.getElementsByTagName("text");
    List<String> texts = new ArrayList<>();
    for (int i = 0; i < nodes.getLength(); i++) {
      texts.add(nodes.item(i).getTextContent());
    }
    return texts;
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3, 48, 120, 400, 401, 3000})
  void labelsOverlapNeitherOneAnotherNorThePage(int count) {
    Drawing drawing = picture(scattered(count, i -> "word number " + i)).draw();
    List<Box> boxes = labelBoxes(drawing);
    assertThat(boxes).hasSize(drawing.labelled());
    Box page = new Box(0, 0, drawing.width(), drawing.height());
    for (int a = 0; a < boxes.size(); a++) {
      assertThat(page.contains(boxes.get(a))).isTrue();
      for (int b = 0; b < a; b++) {
        assertThat(boxes.get(a).overlaps(boxes.get(b))).as("%s, %s", a, b).isFalse();
      }
    }
    assertThat(drawing.labelled()).isGreaterThanOrEqualTo(Math.min(count, 40));
  }

  @ParameterizedTest
  @ValueSource(ints = {3, 48, 200})
  void labelsOfFewPointsLieOverNoSymbol(int count) {
    Drawing drawing = picture(scattered(count, i -> "word" + i)).draw();
    for (Box label : labelBoxes(drawing)) {
      for (Scene.Mark mark : drawing.scene().marks()) {
        if (mark instanceof Scene.Symbol s) {
          assertThat(Box.around(s.x(), s.y(), s.radius()).overlaps(label)).isFalse();
        }
      }
    }
  }

  /** What the words of labels take: they alone begin with "word" and have a width. */
  private static List<Box> labelBoxes(Drawing drawing) {
    List<Box> boxes = new ArrayList<>();
    for (Scene.Mark mark : drawing.scene().marks()) {
      if (mark instanceof Scene.Words w && w.text().startsWith("word") && w.width() > 0) {
        double top = w.y() - 0.75 * w.size();
        boxes.add(new Box(w.x(), top, w.x() + w.width(), w.y() + 0.2 * w.size()));
      }
    }
    return boxes;
  }

  @Test
  void everyPointWhereThereIsRoomHasItsLabel() {
    double[] x = new double[48];
    double[] y = new double[48];
    for (int i = 0; i < 48; i++) {
      x[i] = i % 8;
      y[i] = Math.floorDiv(i, 8);
    }
    Drawing drawing = picture(PicturePoints.of(x, y, i -> "word" + i)).draw();
    assertThat(drawing.labelled()).isEqualTo(48);
    assertThat(drawing.leftOut()).isZero();
    assertThat(texts(parsed(drawing.svg()))).contains("word0", "word47");
  }

  @Test
  void saysHowManyLabelsFoundNoPlace() {
    double[] same = new double[300];
    Drawing drawing = picture(PicturePoints.of(same, same, i -> "word" + i)).draw();
    assertThat(drawing.labelled()).isPositive();
    assertThat(drawing.labelled() + drawing.leftOut()).isEqualTo(300);
    assertThat(String.join(" ", texts(parsed(drawing.svg()))))
        .contains(drawing.labelled() + " of 300 points are labelled")
        .contains(drawing.leftOut() + " labels found no free place");
  }

  @Test
  void captionNamesMethodAndDistortion() {
    Document svg = parsed(picture(scattered(5, i -> "word" + i)).draw().svg());
    String all = String.join(" ", texts(svg));
    assertThat(all).contains(METHOD, DISTORTION, "All 5 points are labelled");
    String description = svg.getElementsByTagName("desc").item(0).getTextContent();
    assertThat(description).contains(METHOD, DISTORTION);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "  "})
  void refusesAPictureWithoutItsDistortion(String blank) {
    PicturePoints points = scattered(3, i -> "w");
    assertThatThrownBy(
            () -> new MapPicture("t", METHOD, blank, List.of(), MapPicture.Axes.NONE, points))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("names its method and its distortion");
    assertThatThrownBy(
            () -> new MapPicture("t", blank, DISTORTION, List.of(), MapPicture.Axes.NONE, points))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void hostileLabelsAreEscapedOrShownAsWhatTheyAre() throws IOException {
    List<String> labels =
        List.of(
            "</text><script>alert('&\"')</script>",
            "a\u0000b\u001bc\nd\te",
            "\u202eevil",
            "\ud800 half",
            "\ufffe",
            "שלום",
            "مرحبا",
            "😀",
            "e" + "\u0301".repeat(500),
            "long ".repeat(1000),
            "",
            "日本語");
    Drawing drawing =
        new MapPicture(
                "<title> & \u0007",
                METHOD + " <&>",
                DISTORTION,
                List.of("]]>"),
                MapPicture.Axes.NONE,
                scattered(labels.size(), labels::get)
                    .withGroups(new int[12], List.of("<g>&\u0001")))
            .draw();
    Document svg = parsed(drawing.svg());
    assertThat(svg.getElementsByTagName("script").getLength()).isZero();
    assertThat(texts(svg))
        .contains(
            "</text><script>alert('&\"')</…",
            "e\u0301\u0301\u0301",
            "a\\u{0}b\\u{1b}c\\nd\\te",
            "\\u{202e}evil",
            "שלום",
            "مرحبا",
            "😀",
            "(empty)",
            "日本語",
            "<g>&\\u{1}")
        .anyMatch(text -> text.startsWith("long long") && text.endsWith("…"))
        .allMatch(text -> text.length() < 120);
    assertThat(image(drawing.png(1)).getWidth()).isEqualTo(1000);
  }

  @Test
  void svgNeedsNothingFromElsewhere() {
    String svg =
        new String(picture(scattered(500, i -> "word" + i)).draw().svg(), StandardCharsets.UTF_8);
    assertThat(svg.replace("http://www.w3.org/2000/svg", ""))
        .doesNotContain("http", "href", "url(", "@import", "<script", "<style", "<image");
  }

  @Test
  void sameMapSameBytes() {
    PicturePoints points = scattered(300, i -> "word" + i);
    assertThat(picture(points).draw().svg()).isEqualTo(picture(points).draw().svg());
  }

  @Test
  void hundredsOfThousandsOfPointsMakeAFileThatOpens() throws IOException {
    int count = 300_000;
    PicturePoints points = scattered(count, i -> "word" + i);
    Drawing drawing = picture(points).draw();
    byte[] svg = drawing.svg();
    assertThat(svg.length).isBetween(1_000_000, 6_000_000);
    Document parsed = parsed(svg);
    assertThat(parsed.getElementsByTagName("*").getLength()).isLessThan(1000);
    NodeList paths = parsed.getElementsByTagName("path");
    int dots = 0;
    for (int i = 0; i < paths.getLength(); i++) {
      String d = ((org.w3c.dom.Element) paths.item(i)).getAttribute("d");
      dots += (int) d.chars().filter(c -> c == 'h').count();
    }
    assertThat(dots).as("every point is drawn, none is sampled away").isEqualTo(count);
    assertThat(drawing.labelled()).isBetween(50, 150);
    assertThat(inked(image(drawing.png(1)))).isGreaterThan(50_000);
  }

  @Test
  void pngShowsEverySymbolInItsColour() throws IOException {
    double[] x = {0, 1, 2, 3};
    double[] y = {0, 1, 0, 1};
    PicturePoints points =
        PicturePoints.of(x, y, i -> "").withGroups(new int[] {0, 1, 2, -1}, List.of("a", "b", "c"));
    Drawing drawing = picture(points).draw();
    BufferedImage image = image(drawing.png(2));
    assertThat(image.getWidth()).isEqualTo((int) (2 * drawing.width()));
    assertThat(image.getHeight()).isEqualTo((int) (2 * drawing.height()));
    int found = 0;
    for (Scene.Mark mark : drawing.scene().marks()) {
      if (mark instanceof Scene.Symbol s) {
        int rgb = image.getRGB((int) (2 * s.x()), (int) (2 * s.y())) & 0xFFFFFF;
        assertThat(rgb).isEqualTo(s.colour());
        found++;
      }
    }
    assertThat(found).as("4 points and 4 in the legend").isEqualTo(8);
  }

  @Test
  void seventyTwoGroupsLookDifferent() {
    Set<String> looks = new HashSet<>();
    for (int group = 0; group < Palette.distinct(); group++) {
      looks.add(Palette.shape(group) + " " + Palette.group(group));
    }
    assertThat(looks).hasSize(72);
  }

  @Test
  void manyGroupsAreCountedWhereTheLegendEnds() {
    int[] groups = new int[300];
    List<String> names = new ArrayList<>();
    for (int g = 0; g < 300; g++) {
      groups[g] = g;
      names.add("a group with a long name " + g);
    }
    Drawing drawing = picture(scattered(300, i -> "word" + i).withGroups(groups, names)).draw();
    assertThat(texts(parsed(drawing.svg()))).anyMatch(text -> text.matches("and \\d+ more groups"));
  }

  @Test
  void shadesAreExplainedAndUnknownOnesSaid() {
    double[] shades = new double[1000];
    shades[3] = Double.NaN;
    shades[4] = 1;
    Drawing drawing = picture(scattered(1000, i -> "word" + i).withShades(shades)).draw();
    assertThat(texts(parsed(drawing.svg()))).contains("100 %", "not measured");
  }

  @Test
  void wordsThatStandOutAreLabelledFirst() {
    int[] order = new int[5000];
    for (int i = 0; i < order.length; i++) {
      order[i] = order.length - 1 - i;
    }
    Drawing drawing = picture(scattered(5000, i -> "word" + i).withLabels(order, 3)).draw();
    String svg = new String(drawing.svg(), StandardCharsets.UTF_8);
    for (int i : new int[] {4999, 4998, 4997}) {
      assertThat(svg).containsPattern("font-weight=\"bold\"[^>]*>word" + i + "<");
    }
  }

  @Test
  void refusesPointsWithoutAPlaceAndArraysThatDoNotFit() {
    double[] two = {0, 1};
    assertThatThrownBy(() -> PicturePoints.of(two, new double[] {0, Double.NaN}, i -> ""))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("point 1 lies at (1.0, NaN)");
    assertThatThrownBy(() -> PicturePoints.of(two, new double[1], i -> ""))
        .hasMessageContaining("2 points with 1 heights");
    PicturePoints points = PicturePoints.of(two, two, i -> "");
    assertThatThrownBy(() -> points.withGroups(new int[] {0, 1}, List.of("one")))
        .hasMessageContaining("group 1 has no name");
    assertThatThrownBy(() -> points.withLabels(new int[] {1, 1}, 0))
        .hasMessageContaining("there twice");
    assertThatThrownBy(() -> picture(points).draw().png(0)).hasMessageContaining("(0, 8]");
  }

  @ParameterizedTest
  @ValueSource(doubles = {1e-300, 1, 1e300})
  void anyMagnitudeFitsThePage(double scale) {
    double[] x = {-scale, scale, 0};
    double[] y = {0, scale, -scale};
    Drawing drawing = picture(PicturePoints.of(x, y, i -> "word" + i)).draw();
    Box page = new Box(0, 0, drawing.width(), drawing.height());
    for (Scene.Mark mark : drawing.scene().marks()) {
      if (mark instanceof Scene.Symbol s) {
        assertThat(page.contains(s.x(), s.y())).isTrue();
      }
    }
    assertThat(drawing.labelled()).isEqualTo(3);
  }

  private static BufferedImage image(byte[] png) throws IOException {
    return ImageIO.read(new ByteArrayInputStream(png));
  }

  private static int inked(BufferedImage image) {
    int inked = 0;
    for (int y = 0; y < image.getHeight(); y++) {
      for (int x = 0; x < image.getWidth(); x++) {
        int rgb = image.getRGB(x, y) & 0xFFFFFF;
        inked += rgb != Palette.PAPER && rgb != Palette.PANEL ? 1 : 0;
      }
    }
    return inked;
  }
}

package dev.rowan.app.cli;

import dev.rowan.analysis.geometry.GroupAgreement;
import dev.rowan.analysis.map.TableMap;
import dev.rowan.analysis.picture.MapPicture;
import dev.rowan.analysis.picture.PicturePoints;
import dev.rowan.app.answers.MapStory;
import dev.rowan.core.NamedTable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/** A map with the words on it. Not thread-safe. */
final class WordMap {
  private static final int LEAST_TO_SHADE = 30;

  private final Session session;
  private final MapSelection selection;
  private final TableMap map;
  private final MapStory story;
  private final String title;
  private final String[] tokens; // one a point, as in JSON
  private final Set<String> bare = new HashSet<>();
  private final List<String> groupNames;
  private final int[] groups; // one a point; −1 for none

  WordMap(Session session, NamedTable table, MapSelection selection, TableMap map)
      throws IOException {
    this.session = session;
    this.selection = selection;
    this.map = map;
    Set<String> names = new LinkedHashSet<>(selection.named().values());
    names.remove("");
    this.groupNames = List.copyOf(names);
    this.groups =
        Arrays.stream(map.ids()).mapToInt(id -> groupNames.indexOf(selection.group(id))).toArray();
    this.tokens = new String[map.points()];
    for (int i = 0; i < tokens.length; i++) {
      tokens[i] = session.lexicon().text(map.ids()[i]);
      if (!tokens[i].startsWith(" ")) {
        bare.add(tokens[i]);
      }
    }
    Optional<GroupAgreement> agreement =
        GroupAgreement.of(
            table.table(),
            map.method().metric(),
            map.ids(),
            map.x(),
            map.y(),
            groups,
            session.workers());
    this.story = new MapStory(map, table.table().width(), agreement);
    this.title = "%,d %s of %s".formatted(map.points(), kind(), session.modelName());
  }

  private String kind() {
    return selection.hasRange() ? "tokens" : "words";
  }

  TableMap map() {
    return map;
  }

  MapStory story() {
    return story;
  }

  String title() {
    return title;
  }

  MapSelection selection() {
    return selection;
  }

  List<String> groupNames() {
    return groupNames;
  }

  int group(int point) {
    return groups[point];
  }

  /** Returns the group of a point; empty for none. */
  String groupName(int point) {
    return groups[point] < 0 ? "" : groupNames.get(groups[point]);
  }

  /** Returns a point's token as plain text. */
  String token(int point) {
    return tokens[point];
  }

  /**
   * Returns a point's token as a label: the space that begins a word in running text is left out
   * unless the same word without it is on the map too.
   */
  String label(int point) {
    String token = tokens[point];
    boolean plain = token.startsWith(" ") && token.strip().length() == token.length() - 1;
    return plain && !bare.contains(token.substring(1))
        ? token.substring(1)
        : token.replace(' ', '␣');
  }

  /** Returns how many points, the first ones, the user named on a map of more. */
  int emphasised() {
    return selection.hasRange()
        ? (int) Arrays.stream(map.ids()).filter(selection.named()::containsKey).count()
        : 0;
  }

  /** Returns the points that labels are wanted for, the most wanted first. */
  int[] labelOrder() {
    int[] all = IntStream.range(0, tokens.length).toArray();
    if (!selection.hasRange()) {
      return all;
    }
    int first = emphasised();
    IntPredicate isSignpost = i -> i < first || isWord(tokens[i]);
    return IntStream.concat(
            Arrays.stream(all).filter(isSignpost), Arrays.stream(all).filter(isSignpost.negate()))
        .toArray();
  }

  /** Pieces, numbers and signs make poor signposts: they come last. */
  private static boolean isWord(String token) {
    String text = token.strip();
    return text.length() >= 3 && text.codePoints().allMatch(Character::isLetter);
  }

  /** Returns the picture. */
  MapPicture picture() {
    PicturePoints points =
        PicturePoints.of(map.x(), map.y(), this::label).withLabels(labelOrder(), emphasised());
    if (!groupNames.isEmpty()) {
      points = points.withGroups(groups, groupNames);
    } else if (map.points() >= LEAST_TO_SHADE && 2 * map.quality().measured() >= map.points()) {
      points = points.withShades(reliability());
    }
    return new MapPicture(
        title, story.method(), story.distortion(), story.hints(), story.axes(), points);
  }

  private double[] reliability() {
    float[] measured = map.quality().reliability();
    return IntStream.range(0, measured.length).mapToDouble(i -> measured[i]).toArray();
  }

  /** Returns the map in characters. */
  List<String> text(int columns) {
    int[] order = labelOrder();
    boolean[] labelled = new boolean[tokens.length];
    int words = tokens.length <= TextPlot.FEW ? order.length : Math.max(emphasised(), 24);
    List<Integer> sequence = new ArrayList<>();
    for (int o = 0; o < Math.min(words, order.length); o++) {
      labelled[order[o]] = true;
      sequence.add(order[o]);
    }
    IntStream.range(0, tokens.length).filter(i -> !labelled[i]).forEach(sequence::add);
    List<TextPlot.Point> points = new ArrayList<>();
    for (int i : sequence) {
      String word = labelled[i] ? Visible.token(label(i)) : "";
      points.add(new TextPlot.Point(map.x()[i], map.y()[i], word, groups[i]));
    }
    return TextPlot.of(points, columns, session.ink());
  }
}

package dev.rowan.train;

import dev.rowan.formats.file.FormatException;
import dev.rowan.formats.json.JsonTree;
import dev.rowan.formats.json.JsonTree.Elements;
import dev.rowan.formats.json.JsonTree.Layout;
import dev.rowan.formats.json.JsonTree.Literal;
import dev.rowan.formats.json.JsonTree.Members;
import dev.rowan.formats.json.JsonTree.Text;
import dev.rowan.train.TrainingReport.Band;
import dev.rowan.train.TrainingReport.LossPoint;
import dev.rowan.train.TrainingReport.Neighbour;
import dev.rowan.train.TrainingReport.Neighbourhood;
import dev.rowan.train.TrainingReport.Snapshot;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * What a {@link TrainingReport} has seen, as a checkpoint keeps it: JSON whose members are named
 * like the components here, with NaN where a number is none.
 *
 * @param losses over time
 * @param epochLosses the mean of each epoch; NaN for one of which no window was sampled
 * @param snapshots the rows at equal steps
 */
public record TrainingHistory(
    List<LossPoint> losses, List<Double> epochLosses, List<Snapshot> snapshots) {
  /** Nothing was seen yet. */
  public static final TrainingHistory NONE = new TrainingHistory(List.of(), List.of(), List.of());

  /** Copies the lists. */
  public TrainingHistory {
    losses = List.copyOf(losses);
    epochLosses = List.copyOf(epochLosses);
    snapshots = List.copyOf(snapshots);
  }

  /** Returns the history as {@link #of} reads it. */
  public String asText() {
    Members history =
        Members.empty()
            .put("losses", list(losses, TrainingHistory::loss))
            .put("epochLosses", list(epochLosses, TrainingHistory::number))
            .put("snapshots", list(snapshots, TrainingHistory::snapshot));
    return new String(history.text(Layout.COMPACT), StandardCharsets.UTF_8);
  }

  private static JsonTree loss(LossPoint point) {
    return Members.empty()
        .put("words", Literal.of(point.words()))
        .put("loss", number(point.loss()))
        .put("rate", number(point.rate()));
  }

  private static JsonTree snapshot(Snapshot snapshot) {
    return Members.empty()
        .put("share", number(snapshot.share()))
        .put("meanCosine", number(snapshot.meanCosine()))
        .put(
            "bands",
            list(
                snapshot.bands(),
                band ->
                    Members.empty()
                        .put("least", Literal.of(band.least()))
                        .put("rows", Literal.of(band.rows()))
                        .put("moved", number(band.moved()))
                        .put("norm", number(band.norm()))))
        .put(
            "near",
            list(
                snapshot.near(),
                near ->
                    Members.empty()
                        .put("word", new Text(near.word()))
                        .put(
                            "neighbours",
                            list(
                                near.neighbours(),
                                hit ->
                                    Members.empty()
                                        .put("word", new Text(hit.word()))
                                        .put("cosine", number(hit.cosine()))))));
  }

  private static <T> JsonTree list(List<T> all, Function<T, JsonTree> each) {
    return new Elements(new ArrayList<>(all.stream().map(each).toList()));
  }

  private static Literal number(double value) {
    return new Literal(Double.toString(value));
  }

  /**
   * Reads a history that {@link #asText} wrote.
   *
   * @param checkpoint where it stood, for messages
   * @throws FormatException if it is none
   */
  public static TrainingHistory of(String text, Path checkpoint) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    Members history = JsonTree.read(checkpoint, MemorySegment.ofArray(bytes));
    return new Reader(checkpoint).history(history);
  }

  /** Reads the parts of a history; what is wrong is told of the file. */
  private record Reader(Path file) {

    TrainingHistory history(Members history) {
      return new TrainingHistory(
          list(history, "losses", one -> loss(members(one))),
          list(history, "epochLosses", this::number),
          list(history, "snapshots", one -> snapshot(members(one))));
    }

    private LossPoint loss(Members point) {
      return new LossPoint(whole(point, "words"), number(point, "loss"), number(point, "rate"));
    }

    private Snapshot snapshot(Members one) {
      return new Snapshot(
          number(one, "share"),
          number(one, "meanCosine"),
          list(one, "bands", band -> band(members(band))),
          list(one, "near", near -> near(members(near))));
    }

    private Band band(Members band) {
      return new Band(
          whole(band, "least"), whole(band, "rows"), number(band, "moved"), number(band, "norm"));
    }

    private Neighbourhood near(Members near) {
      return new Neighbourhood(text(near), list(near, "neighbours", n -> neighbour(members(n))));
    }

    private Neighbour neighbour(Members neighbour) {
      return new Neighbour(text(neighbour), number(neighbour, "cosine"));
    }

    private <T> List<T> list(Members in, String name, Function<JsonTree, T> each) {
      return in.array(name).orElseThrow(() -> wrong(name, "a list")).elements().stream()
          .map(each)
          .toList();
    }

    private Members members(JsonTree value) {
      if (value instanceof Members members) {
        return members;
      }
      throw wrong("a part", "an object");
    }

    private String text(Members in) {
      return in.text("word").orElseThrow(() -> wrong("word", "a text"));
    }

    private long whole(Members in, String name) {
      return in.whole(name).orElseThrow(() -> wrong(name, "a whole number"));
    }

    private double number(Members in, String name) {
      return number(in.find(name).orElseThrow(() -> wrong(name, "a number")));
    }

    private double number(JsonTree value) {
      if (value instanceof Literal(String characters)) {
        try {
          return Double.parseDouble(characters);
        } catch (NumberFormatException _) {
          // told below
        }
      }
      throw wrong("a part", "a number");
    }

    private FormatException wrong(String what, String expected) {
      return new FormatException(
          file, "its report is damaged: \"%s\" should be %s".formatted(what, expected));
    }
  }
}

package dev.rowan.app.cli;

import dev.rowan.app.answers.OneHot;
import dev.rowan.app.cli.Ink.Style;
import dev.rowan.core.Counted;
import dev.rowan.core.Table;
import dev.rowan.core.kernel.FloatFormat;
import dev.rowan.layer.CrossEntropy;
import dev.rowan.layer.Embedding;
import dev.rowan.layer.EmbeddingOptions;
import dev.rowan.layer.Initializer;
import dev.rowan.layer.Optimizer;
import dev.rowan.layer.Schedule;
import dev.rowan.layer.Sgd;
import dev.rowan.layer.TiedOutput;
import dev.rowan.layer.WeightTable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/**
 * A few steps of gradient descent on the toy table: the mean of the rows of "the cat" has to
 * predict "sat" through an output table of its own. Only the two rows of the batch get a gradient.
 */
final class ToyTraining {
  /** More steps show nothing new. */
  static final int MOST_STEPS = 1000;

  private static final long[] CONTEXT = {0, 1};
  private static final long TARGET = 2;
  private static final double RATE = 0.5;
  private static final long SEED = 7;

  private final Table before;
  private final Table after;
  private final List<Step> steps;

  /**
   * What one step did.
   *
   * @param loss the cross-entropy before the step
   * @param touched the rows that the gradient holds
   */
  private record Step(double loss, List<Long> touched) {}

  private ToyTraining(Table before, Table after, List<Step> steps) {
    this.before = before;
    this.after = after;
    this.steps = steps;
  }

  /** Trains a copy of the toy table. */
  static ToyTraining of(Table toy, int count) {
    int width = toy.width();
    Embedding embedding = Embedding.trainable(toy, EmbeddingOptions.plain());
    WeightTable output =
        WeightTable.fresh(toy.rows(), width, FloatFormat.F32, Initializer.normal(SEED));
    CrossEntropy objective = new CrossEntropy(TiedOutput.over(output), CrossEntropy.Reduction.MEAN);
    Optimizer optimizer = Optimizer.of(embedding.weights(), Sgd.of(Schedule.constant(RATE)));
    float[] rows = new float[CONTEXT.length * width];
    float[] hidden = new float[width];
    float[] hiddenGradient = new float[width];
    float[] upstream = new float[rows.length];
    List<Step> steps = new ArrayList<>();
    for (int s = 0; s < count; s++) {
      embedding.lookup(CONTEXT, rows);
      for (int i = 0; i < width; i++) {
        hidden[i] = (rows[i] + rows[width + i]) / 2;
      }
      double loss = objective.forward(hidden, new long[] {TARGET});
      objective.backward(hiddenGradient);
      for (int i = 0; i < upstream.length; i++) {
        upstream[i] = hiddenGradient[i % width] / 2; // each row is half of the mean
      }
      var gradient = embedding.backward(CONTEXT, upstream);
      steps.add(new Step(loss, Arrays.stream(gradient.ids()).boxed().toList()));
      optimizer.step(gradient);
    }
    return new ToyTraining(toy, embedding.table(), steps);
  }

  private boolean moved(long id) {
    return !OneHot.sameBits(before.row(id), after.row(id));
  }

  private double distance(long id) {
    float[] a = before.row(id);
    float[] b = after.row(id);
    double sum = 0;
    for (int i = 0; i < a.length; i++) {
      sum += (b[i] - a[i]) * (double) (b[i] - a[i]);
    }
    return Math.sqrt(sum);
  }

  /** Writes the steps and what became of each row. */
  void write(Json json, List<String> tokens) {
    json.objects(
        "steps",
        steps,
        (j, step) ->
            j.number("loss", step.loss())
                .array("touched", ids -> step.touched().forEach(ids::element)));
    json.objects(
        "rows",
        IntStream.range(0, tokens.size()).boxed().toList(),
        (j, id) ->
            j.text("token", tokens.get(id))
                .number("id", (long) id)
                .truth("moved", moved(id))
                .number("distance", distance(id))
                .numbers("before", before.row(id))
                .numbers("after", after.row(id)));
  }

  /** Prints the losses and what became of each row. */
  void print(Page page, List<String> tokens) {
    page.heading(
        "%s of gradient descent on the toy table, rate %s: \"the cat\" has to predict \"sat\""
            .formatted(Counted.of(steps.size(), "step"), RATE));
    Grid losses = new Grid();
    losses.row(
        Grid.right("step", Style.FAINT),
        Grid.right("loss", Style.FAINT),
        Grid.left("rows with a gradient", Style.FAINT));
    int stride = Math.max(1, Math.ceilDiv(steps.size(), 10)); // ten lines tell the story
    for (int s = 0; s < steps.size(); s += stride) {
      Step step = steps.get(s);
      String touched =
          String.join(
              ", ",
              step.touched().stream().map(id -> tokens.get(id.intValue()) + " #" + id).toList());
      losses.row(
          Grid.right(String.valueOf(s + 1), Style.PLAIN),
          Grid.right(String.format(Locale.ROOT, "%.4f", step.loss()), Style.PLAIN),
          Grid.left(touched, Style.TOKEN));
    }
    page.grid(losses);
    page.gap();
    page.heading("what became of the rows");
    Grid rows = new Grid();
    for (int id = 0; id < before.rows(); id++) {
      boolean moved = moved(id);
      float[] row = after.row(id);
      Grid.Cell[] cells = new Grid.Cell[3 + row.length];
      Style style = moved ? Style.TOKEN : Style.FAINT;
      cells[0] = Grid.left(tokens.get(id), style);
      cells[1] = Grid.right("#" + id, Style.FAINT);
      for (int i = 0; i < row.length; i++) {
        cells[2 + i] = Grid.right(String.format(Locale.ROOT, "%.3f", row[i]), style);
      }
      cells[2 + row.length] =
          Grid.left(
              moved
                  ? String.format(Locale.ROOT, "moved by %.3f", distance(id))
                  : "the same bits as before",
              style);
      rows.row(cells);
    }
    page.grid(rows);
    page.prose(
        "A row moves only when its token is in the batch, so rare tokens stay near their noise.");
    page.note(
        "The output table is a separate one here. Tied to the input table, it would give every row"
            + " a gradient: each token's score takes part in the softmax.");
  }
}

package dev.rowan.layer;

import dev.rowan.core.Ids;
import dev.rowan.core.Rows;
import dev.rowan.core.Table;
import dev.rowan.core.kernel.FloatFormat;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Objects;

/**
 * The trainable lookup: id → row, and gradients back to the rows that were looked up.
 *
 * {@snippet :
 * Embedding embedding = Embedding.fresh(262_144, 1_152, Initializer.normal(42));
 * Optimizer optimizer = Optimizer.of(embedding.weights(), RowWiseAdagrad.of(Schedule.constant(0.1)));
 * long[] ids = {3797, 3290, 3797};
 * float[] rows = new float[ids.length * 1_152];
 * embedding.lookup(ids, rows); // then the model, whose gradient for these rows is `upstream`
 * float[] upstream = rows.clone();
 * optimizer.step(embedding.backward(ids, upstream)); // touches two rows of the table
 * }
 *
 * <p>Forward: y[p] = scale · E[ids[p]]. Backward: dE[v] = scale · Σ_{p: ids[p] = v} dy[p], divided
 * by the count of v in the call where {@link EmbeddingOptions.Frequency#MEAN} says so, without the
 * padding id. Every id is checked before anything is written. A lookup under a max norm first
 * scales rows of the table (each looked-up row once, the padding row too); no derivative flows
 * through that.
 *
 * <p>Lookups are safe for any number of threads unless there is a max norm, while no thread trains.
 */
public final class Embedding {
  private final WeightTable weights;
  private EmbeddingOptions options;
  private final Renorm renorm;

  /**
   * Makes a layer over weights, which may be shared with other layers.
   *
   * @throws IllegalArgumentException if the padding id is not in [−V, V)
   */
  public Embedding(WeightTable weights, EmbeddingOptions options) {
    this.weights = Objects.requireNonNull(weights, "weights");
    this.options = Objects.requireNonNull(options, "options");
    long _ = options.paddingIn(weights.rows());
    this.renorm = new Renorm(weights);
  }

  /**
   * Returns a fresh f32 layer without options.
   *
   * @param rows V, 1 or more
   * @param width d, 1 or more
   */
  public static Embedding fresh(long rows, int width, Initializer initializer) {
    return fresh(
        WeightTable.fresh(rows, width, FloatFormat.F32, initializer), EmbeddingOptions.plain());
  }

  /** Returns a layer over fresh weights: the padding row, if any, is set to zero. */
  public static Embedding fresh(WeightTable weights, EmbeddingOptions options) {
    Embedding embedding = new Embedding(weights, options);
    long padding = options.paddingIn(weights.rows());
    if (padding >= 0) {
      weights.write(padding, new float[weights.width()], 0);
    }
    return embedding;
  }

  /** Returns a layer over a copy of a table that training may change. The padding row is kept. */
  public static Embedding trainable(Table table, EmbeddingOptions options) {
    return new Embedding(WeightTable.copyOf(table, formatOf(table)), options);
  }

  /** Returns a layer over a copy of a table that optimizers refuse to change. */
  public static Embedding frozen(Table table, EmbeddingOptions options) {
    Embedding embedding = trainable(table, options);
    embedding.weights.freeze();
    return embedding;
  }

  private static FloatFormat formatOf(Table table) {
    return table.format() instanceof FloatFormat format ? format : FloatFormat.F32;
  }

  /** Returns the rows that training changes. */
  public WeightTable weights() {
    return weights;
  }

  /** Returns a read-only view of the rows, sharing their bytes. */
  public Table table() {
    return weights.table();
  }

  /** Returns the options. */
  public EmbeddingOptions options() {
    return options;
  }

  /** Returns the padding id, counted from the start; −1 if there is none. */
  public long padding() {
    return options.paddingIn(weights.rows());
  }

  /**
   * Looks rows up.
   *
   * @param ids ids of any shape
   * @return float32 of shape {@code ids.shape() + [d]}
   * @throws IndexOutOfBoundsException if an id is not in [0, V); nothing is written then
   * @throws IllegalArgumentException if the result does not fit an array
   */
  public Rows lookup(Ids ids) {
    int[] shape = Arrays.copyOf(ids.shape(), ids.shape().length + 1);
    shape[shape.length - 1] = weights.width();
    float[] target = new float[places(ids.count())];
    lookup(ids.toArray(), target);
    return new Rows(target, shape);
  }

  private int places(int count) {
    long places = (long) count * weights.width();
    if (places > Integer.MAX_VALUE - 8) {
      throw new IllegalArgumentException(
          "%,d rows of width %,d do not fit an array; look them up into a memory segment"
              .formatted(count, weights.width()));
    }
    return (int) places;
  }

  /**
   * Looks rows up into a caller's array, without allocation.
   *
   * @param target receives ids.length × d numbers from its start
   * @throws IndexOutOfBoundsException if an id is not in [0, V); nothing is written then
   * @throws IllegalArgumentException if {@code target} is too short; nothing is written then
   */
  public void lookup(long[] ids, float[] target) {
    lookup(ids, MemorySegment.ofArray(target));
  }

  /** As {@link #lookup(long[], float[])}, for ids in an int array. */
  public void lookup(int[] ids, float[] target) {
    lookup(ids, MemorySegment.ofArray(target));
  }

  /** As {@link #lookup(long[], float[])}, into a segment of any size, native byte order. */
  public void lookup(long[] ids, MemorySegment target) {
    Checks.room("the buffer", target.byteSize() / 4, ids.length, weights.width());
    renorm(ids);
    Gather.rows(weights, ids, target, options.scale());
  }

  /** As {@link #lookup(long[], MemorySegment)}, for ids in an int array. */
  public void lookup(int[] ids, MemorySegment target) {
    Checks.room("the buffer", target.byteSize() / 4, ids.length, weights.width());
    Checks.ids(ids, weights.rows());
    if (options.maxNorm().isPresent()) {
      renorm.apply(ids, options.maxNorm().get());
    }
    Gather.rows(weights, ids, target, options.scale());
  }

  /**
   * Scales the rows of these ids in the table down to the max norm, as a lookup does first; without
   * a max norm only checks the ids.
   *
   * @throws IndexOutOfBoundsException if an id is not in [0, V); nothing is written then
   */
  public void renorm(long[] ids) {
    Checks.ids(ids, weights.rows());
    if (options.maxNorm().isPresent()) {
      renorm.apply(ids, options.maxNorm().get());
    }
  }

  /**
   * Computes one-hot(ids) × table by multiplication: V·d multiplications an id, of which all but d
   * are by zero. A product by zero counts as nothing, even where the row holds infinities or NaN,
   * so the result equals {@link #lookup(Ids)} to the last bit. For showing, not for use.
   */
  public Rows oneHotTimesTable(Ids ids) {
    renorm(ids.toArray());
    return OneHot.times(weights, ids, options.scale());
  }

  /**
   * Returns the gradient of the table for one call of lookup.
   *
   * @param ids the ids that were looked up, row-major
   * @param upstream the gradient of the looked-up rows, ids.length × d numbers
   * @throws IndexOutOfBoundsException if an id is not in [0, V)
   * @throws IllegalArgumentException if {@code upstream} has another length
   */
  public RowGradient backward(long[] ids, float[] upstream) {
    RowGradient gradient = RowGradient.empty(weights.rows(), weights.width());
    backward(ids, upstream, gradient);
    return gradient;
  }

  /** As {@link #backward(long[], float[])}, for ids of any shape. */
  public RowGradient backward(Ids ids, float[] upstream) {
    return backward(ids.toArray(), upstream);
  }

  /** As {@link #backward(long[], float[])}, added to a gradient that the caller keeps. */
  public void backward(long[] ids, float[] upstream, RowGradient gradient) {
    gradient.requireShape(weights.rows(), weights.width());
    prepare(ids, upstream, gradient.coalescer());
    gradient.accumulate(
        gradient.coalescer(), sum(gradient.coalescer(), upstream), weights.workers());
  }

  /** Checks a call of backward and groups its ids. */
  void prepare(long[] ids, float[] upstream, Coalescer coalescer) {
    Checks.ids(ids, weights.rows());
    Checks.length("upstream", upstream, ids.length, weights.width());
    coalescer.group(ids, weights.rows(), padding());
  }

  SegmentSum sum(Coalescer grouped, float[] upstream) {
    boolean mean = options.frequency() == EmbeddingOptions.Frequency.MEAN;
    return new UpstreamSum(grouped, upstream, weights.width(), options.scale(), mean);
  }

  /**
   * Grows or shrinks the table in place; layers that share the weights stay tied. Old rows keep
   * their bits. New rows are drawn from the normal distribution with the mean of the old rows and
   * 1e-9 times their covariance (÷ V), so that they start as an average token. A padding id beyond
   * the new end is cleared. Costs one pass over the table, and one more for each new row.
   */
  public void resize(Resize size, long seed) {
    long rows = size.rowsFrom(weights.rows());
    long padding = padding();
    long old = weights.rows();
    if (rows > old) {
      Resize.grow(weights, rows, seed);
    } else if (rows < old) {
      weights.replace(rows);
    }
    if (padding >= rows) {
      options = options.withoutPadding();
    } else if (padding >= 0) {
      options = options.withPadding(padding); // −1 must keep meaning the same row
    }
  }

  @Override
  public String toString() {
    return "Embedding[%s]".formatted(weights);
  }
}

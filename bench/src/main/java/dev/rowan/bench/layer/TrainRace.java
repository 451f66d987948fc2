package dev.rowan.bench.layer;

import dev.rowan.core.Workers;
import dev.rowan.core.kernel.FloatFormat;
import dev.rowan.layer.Adagrad;
import dev.rowan.layer.Embedding;
import dev.rowan.layer.EmbeddingOptions;
import dev.rowan.layer.FusedStep;
import dev.rowan.layer.Optimizer;
import dev.rowan.layer.RowGradient;
import dev.rowan.layer.RowWiseAdagrad;
import dev.rowan.layer.Rule;
import dev.rowan.layer.Schedule;
import dev.rowan.layer.Sgd;
import dev.rowan.layer.SparseAdam;
import dev.rowan.layer.WeightTable;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.AdagradOptions;
import org.bytedeco.pytorch.BoolOptional;
import org.bytedeco.pytorch.SGDOptions;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorArrayRefOptional;
import org.bytedeco.pytorch.TensorVector;
import org.bytedeco.pytorch.global.torch;

/** One training step: look 4,096 Zipf ids up, take a gradient for the rows, update the table. */
final class TrainRace {
  private static final int IDS = 4096;
  private static final double RATE = 0.01;

  private TrainRace() {}

  /** Our side of one problem. */
  private static final class Ours {
    final Embedding embedding;
    final float[] rows;
    final float[] upstream;
    final long[][] ids;
    int turn;

    Ours(WeightTable weights, long[][] ids) {
      this.embedding = new Embedding(weights, EmbeddingOptions.plain());
      this.ids = ids;
      this.rows = new float[IDS * weights.width()];
      this.upstream = Work.floats(IDS * weights.width());
    }

    Runnable fused(Rule rule) {
      FusedStep step = FusedStep.of(embedding, Optimizer.of(embedding.weights(), rule));
      return () -> {
        long[] batch = ids[turn++ & 31];
        embedding.lookup(batch, rows);
        step.apply(batch, upstream);
      };
    }

    Runnable separate(Rule rule) {
      Optimizer optimizer = Optimizer.of(embedding.weights(), rule);
      RowGradient gradient =
          RowGradient.empty(embedding.weights().rows(), embedding.weights().width());
      return () -> {
        long[] batch = ids[turn++ & 31];
        embedding.lookup(batch, rows);
        gradient.clear();
        embedding.backward(batch, upstream, gradient);
        optimizer.step(gradient);
      };
    }
  }

  static void run(Workers workers) {
    long rows = 262_144;
    int width = 1152;
    try (PointerScope _ = new PointerScope()) {
      Torch.Shared shared = Torch.filled(rows, width);
      WeightTable weights =
          WeightTable.over(shared.memory(), rows, width, FloatFormat.F32).on(workers);
      Ours ours = new Ours(weights, Work.zipfIds(IDS, rows));
      Tensor[] ids = new Tensor[Work.BATCHES];
      for (int i = 0; i < ids.length; i++) {
        ids[i] = Torch.longs(ours.ids[i]);
      }
      Tensor upstream = Torch.floats(ours.upstream, IDS, width);
      Tensor out = torch.zeros(IDS, width);
      int[] turn = new int[3];
      Tensor leaf = shared.tensor().detach().set_requires_grad(true);
      SGDOptions sgd = new SGDOptions(RATE);
      var theirSgd = new org.bytedeco.pytorch.SGD(new TensorVector(leaf), sgd);
      AdagradOptions adagrad = new AdagradOptions(RATE);
      var theirAdagrad = new org.bytedeco.pytorch.Adagrad(new TensorVector(leaf), adagrad);
      Schedule rate = Schedule.constant(RATE);
      IO.println(
          "distinct ids a batch: %d of 4,096"
              .formatted(Arrays.stream(ours.ids[0]).distinct().count()));
      new Race("step by SGD, V = 262,144, d = 1,152", 0)
          .with("ours, lookup + fused step", ours.fused(Sgd.of(rate)))
          .with("ours, lookup + backward + step", ours.separate(Sgd.of(rate)))
          .with(
              "libtorch, index_select + index_add_",
              () -> {
                try (PointerScope _ = new PointerScope()) {
                  Tensor batch = ids[turn[0]++ & 31];
                  Tensor _ = torch.index_select_out(out, shared.tensor(), 0, batch);
                  Tensor _ = shared.tensor().index_add_(0, batch, upstream, new Scalar(-RATE));
                }
              })
          .with(
              "libtorch, sparse embedding + autograd + SGD",
              () -> autograd(leaf, ids[turn[1]++ & 31], upstream, theirSgd))
          .run(101);
      new Race("step by Adagrad, V = 262,144, d = 1,152", 0)
          .with("ours, row-wise, fused", ours.fused(RowWiseAdagrad.of(rate)))
          .with("ours, full, fused", ours.fused(Adagrad.of(rate)))
          .with(
              "libtorch, sparse embedding + autograd + Adagrad",
              () -> autograd(leaf, ids[turn[2]++ & 31], upstream, theirAdagrad))
          .run(51);
      new Race("step by SparseAdam, V = 262,144, d = 1,152; torch: sparse_adam_torch.py", 0)
          .with("ours, lookup + backward + step", ours.separate(SparseAdam.of(rate)))
          .run(51);
    }
  }

  private static void autograd(
      Tensor leaf, Tensor ids, Tensor upstream, org.bytedeco.pytorch.Optimizer optimizer) {
    try (PointerScope _ = new PointerScope()) {
      optimizer.zero_grad();
      Tensor y = torch.embedding(leaf, ids, -1, false, true);
      y.backward(upstream, new BoolOptional(false), false, new TensorArrayRefOptional());
      Tensor _ = optimizer.step();
    }
  }

  /** The same step for tables of 10⁴ to 10⁶ rows, and what it allocates. */
  static void sizes(Workers workers) {
    var threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
    for (long rows : new long[] {10_000, 100_000, 262_144, 1_000_000}) {
      WeightTable weights = Work.table(rows, 1152, workers);
      // the same 10,000 rows, spread over the table, so that only V changes
      long[][] ids = Work.zipfIds(IDS, 10_000);
      for (long[] batch : ids) {
        for (int i = 0; i < IDS; i++) {
          batch[i] = batch[i] * (rows / 10_000);
        }
      }
      Ours ours = new Ours(weights, ids);
      Runnable step = ours.fused(RowWiseAdagrad.of(Schedule.constant(RATE)));
      double[] _ =
          new Race("row-wise Adagrad step, V = %,d, d = 1,152".formatted(rows), 0)
              .with("ours, lookup + fused step", step)
              .run(101);
      long before = threads.getTotalThreadAllocatedBytes();
      for (int i = 0; i < 100; i++) {
        step.run();
      }
      IO.println(
          "  allocated a step: %,d bytes"
              .formatted((threads.getTotalThreadAllocatedBytes() - before) / 100));
    }
  }
}

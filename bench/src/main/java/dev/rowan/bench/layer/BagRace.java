package dev.rowan.bench.layer;

import dev.rowan.core.Workers;
import dev.rowan.core.kernel.FloatFormat;
import dev.rowan.layer.Bags;
import dev.rowan.layer.EmbeddingBag;
import dev.rowan.layer.EmbeddingOptions;
import dev.rowan.layer.Pooling;
import dev.rowan.layer.WeightTable;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.LongOptional;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorOptional;
import org.bytedeco.pytorch.global.torch;

/** Sum and mean of 32 ids a bag, 4,096 bags, random rows of a large table. */
final class BagRace {
  private static final long ROWS = 262_144;
  private static final int BAGS = 4096;
  private static final int EACH = 32;

  private BagRace() {}

  static void run(Workers workers) {
    for (int width : new int[] {64, 768}) {
      try (PointerScope _ = new PointerScope()) {
        Torch.Shared shared = Torch.filled(ROWS, width);
        WeightTable weights =
            WeightTable.over(shared.memory(), ROWS, width, FloatFormat.F32).on(workers);
        long[] offsets = new long[BAGS];
        for (int b = 0; b < BAGS; b++) {
          offsets[b] = (long) b * EACH;
        }
        long[][] ids = Work.uniformIds(BAGS * EACH, ROWS);
        Tensor[] theirIds = new Tensor[ids.length];
        Bags[] bags = new Bags[ids.length];
        for (int i = 0; i < ids.length; i++) {
          theirIds[i] = Torch.longs(ids[i]);
          bags[i] = Bags.of(ids[i], offsets);
        }
        Tensor theirOffsets = Torch.longs(offsets);
        float[] target = new float[BAGS * width];
        for (Pooling pooling : new Pooling[] {Pooling.SUM, Pooling.MEAN}) {
          EmbeddingBag ours = new EmbeddingBag(weights, pooling, EmbeddingOptions.plain());
          int mode = pooling == Pooling.SUM ? 0 : 1;
          int[] turn = new int[2];
          new Race(
                  "%s of 32 ids, 4,096 bags, d = %d".formatted(pooling, width),
                  4.0 * width * BAGS * EACH)
              .with("ours", () -> ours.lookup(bags[turn[0]++ & 31], target))
              .with(
                  "libtorch embedding_bag",
                  () -> {
                    try (PointerScope _ = new PointerScope()) {
                      Tensor _ =
                          torch
                              .embedding_bag(
                                  shared.tensor(),
                                  theirIds[turn[1]++ & 31],
                                  theirOffsets,
                                  false,
                                  mode,
                                  false,
                                  new TensorOptional(),
                                  false,
                                  new LongOptional())
                              .get0();
                    }
                  })
              .run(width == 64 ? 101 : 31);
        }
      }
    }
  }
}

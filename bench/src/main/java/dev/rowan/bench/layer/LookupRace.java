package dev.rowan.bench.layer;

import dev.rowan.core.Workers;
import dev.rowan.core.kernel.FloatFormat;
import dev.rowan.layer.Embedding;
import dev.rowan.layer.EmbeddingOptions;
import dev.rowan.layer.WeightTable;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;

/** 4,096 random ids into a reused buffer, and one id. */
final class LookupRace {
  private static final long ROWS = 262_144;
  private static final int IDS = 4096;

  private LookupRace() {}

  static void run(Workers workers) {
    for (int width : new int[] {64, 768, 1152}) {
      try (PointerScope _ = new PointerScope();
          Arena arena = Arena.ofShared()) {
        long bytes = 4L * IDS * width;
        Torch.Shared shared = Torch.filled(ROWS, width);
        Embedding ours = over(shared.memory(), width, workers);
        Embedding alone = over(shared.memory(), width, null);
        long[][] ids = Work.uniformIds(IDS, ROWS);
        Tensor[] theirIds = new Tensor[ids.length];
        for (int i = 0; i < ids.length; i++) {
          theirIds[i] = Torch.longs(ids[i]);
        }
        MemorySegment buffer = arena.allocate(bytes, 64);
        MemorySegment source = arena.allocate(4 * bytes, 64);
        source.fill((byte) 1);
        MemorySegment copy = arena.allocate(bytes, 64);
        float[] heap = new float[IDS * width];
        Torch.Shared out = Torch.filled(IDS, width);
        int[] turn = new int[5];
        new Race("lookup of 4,096 ids, d = " + width, bytes)
            .with("ours, workers, native buffer", () -> ours.lookup(ids[turn[0]++ & 31], buffer))
            .with("ours, workers, float[]", () -> ours.lookup(ids[turn[1]++ & 31], heap))
            .with(
                "ours, one thread, native buffer", () -> alone.lookup(ids[turn[2]++ & 31], buffer))
            .with(
                "libtorch index_select_out",
                () -> {
                  try (PointerScope _ = new PointerScope()) {
                    Tensor _ =
                        torch.index_select_out(
                            out.tensor(), shared.tensor(), 0, theirIds[turn[3]++ & 31]);
                  }
                })
            .with(
                "copy of the same size, one thread",
                () -> copy.copyFrom(source.asSlice((turn[4]++ & 3) * bytes, bytes)))
            .run(201);
      }
    }
  }

  private static Embedding over(
      MemorySegment memory, int width, @org.jspecify.annotations.Nullable Workers workers) {
    WeightTable weights = WeightTable.over(memory, ROWS, width, FloatFormat.F32);
    return new Embedding(workers == null ? weights : weights.on(workers), EmbeddingOptions.plain());
  }

  /** The cost of a call: one id, a thousand times a run. */
  static void one() {
    int width = 768;
    try (PointerScope _ = new PointerScope()) {
      Torch.Shared shared = Torch.filled(1000, width);
      Embedding ours = over0(shared.memory(), width);
      long[] id = {17};
      Tensor theirId = Torch.longs(id);
      float[] row = new float[width];
      Torch.Shared out = Torch.filled(1, width);
      new Race("1,000 lookups of one id, d = 768", 0)
          .with(
              "ours into float[]",
              () -> {
                for (int i = 0; i < 1000; i++) {
                  ours.lookup(id, row);
                }
              })
          .with(
              "libtorch embedding",
              () -> {
                for (int i = 0; i < 1000; i++) {
                  try (PointerScope _ = new PointerScope()) {
                    Tensor _ = torch.embedding(shared.tensor(), theirId);
                  }
                }
              })
          .with(
              "libtorch index_select_out",
              () -> {
                for (int i = 0; i < 1000; i++) {
                  try (PointerScope _ = new PointerScope()) {
                    Tensor _ = torch.index_select_out(out.tensor(), shared.tensor(), 0, theirId);
                  }
                }
              })
          .run(51);
    }
  }

  private static Embedding over0(MemorySegment memory, int width) {
    return new Embedding(
        WeightTable.over(memory, 1000, width, FloatFormat.F32), EmbeddingOptions.plain());
  }
}

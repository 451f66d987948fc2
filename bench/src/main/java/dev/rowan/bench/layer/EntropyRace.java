package dev.rowan.bench.layer;

import dev.rowan.core.Workers;
import dev.rowan.core.kernel.FloatFormat;
import dev.rowan.layer.CrossEntropy;
import dev.rowan.layer.RowGradient;
import dev.rowan.layer.TiedOutput;
import dev.rowan.layer.WeightTable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SplittableRandom;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;

/** Cross-entropy over V = 50,257, d = 768, a batch of 64: forward and both gradients. */
final class EntropyRace {
  private static final int ROWS = 50_257;
  private static final int WIDTH = 768;
  private static final int BATCH = 64;

  private EntropyRace() {}

  static void run(Workers workers) {
    try (PointerScope _ = new PointerScope()) {
      Torch.Shared shared = Torch.filled(ROWS, WIDTH);
      WeightTable weights =
          WeightTable.over(shared.memory(), ROWS, WIDTH, FloatFormat.F32).on(workers);
      float[] row = new float[WIDTH];
      SplittableRandom random = new SplittableRandom(3);
      for (int v = 0; v < ROWS; v++) {
        for (int i = 0; i < WIDTH; i++) {
          row[i] = (float) (0.1 * random.nextGaussian());
        }
        weights.setRow(v, row);
      }
      float[] hidden = Work.floats(BATCH * WIDTH);
      long[] targets = random.longs(BATCH, 0, ROWS).toArray();
      Tensor leaf = shared.tensor().detach().set_requires_grad(true);
      Tensor h = Torch.floats(hidden, BATCH, WIDTH).clone().set_requires_grad(true);
      Tensor labels = Torch.longs(targets);
      CrossEntropy ours = new CrossEntropy(TiedOutput.over(weights), CrossEntropy.Reduction.MEAN);
      float[] hiddenGradient = new float[BATCH * WIDTH];
      RowGradient gradient = RowGradient.empty(ROWS, WIDTH);
      memory(ours, hidden, targets, hiddenGradient);
      double loss = ours.forward(hidden, targets);
      ours.backward(hiddenGradient, gradient);
      long before = peak();
      double theirLoss = theirs(leaf, h, labels);
      IO.println(
          "loss %.6f and %.6f; libtorch made the process grow by %,d KB, E's gradient being %,d"
              .formatted(loss, theirLoss, peak() - before, ROWS * WIDTH * 4L / 1024));
      new Race("cross-entropy, V = 50,257, d = 768, batch 64", 0)
          .with(
              "ours, forward + both gradients",
              () -> {
                double _ = ours.forward(hidden, targets);
                ours.backward(hiddenGradient, gradient);
              })
          .with(
              "ours, gradient of E handed out by panels",
              () -> {
                double _ = ours.forward(hidden, targets);
                ours.backward(hiddenGradient, (_, _, _) -> {});
              })
          .with(
              "ours, forward",
              () -> {
                double _ = ours.forward(hidden, targets);
              })
          .with(
              "libtorch, forward + both gradients",
              () -> {
                double _ = theirs(leaf, h, labels);
              })
          .with(
              "libtorch, the same, gradient buffers kept",
              () -> {
                double _ = theirsKept(leaf, h, labels);
              })
          .run(21);
    }
  }

  private static double theirs(Tensor leaf, Tensor h, Tensor labels) {
    leaf.mutable_grad().reset();
    h.mutable_grad().reset();
    return theirsKept(leaf, h, labels);
  }

  private static double theirsKept(Tensor leaf, Tensor h, Tensor labels) {
    try (PointerScope _ = new PointerScope()) {
      Tensor loss = torch.cross_entropy_loss(torch.mm(h, leaf.t()), labels);
      loss.backward();
      return loss.item_float();
    }
  }

  /** Prints what our side keeps between runs and what it allocates in one, both on the heap. */
  private static void memory(
      CrossEntropy ours, float[] hidden, long[] targets, float[] hiddenGradient) {
    var threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
    long empty = heap();
    for (int i = 0; i < 8; i++) { // compiled code no longer allocates vectors
      double _ = ours.forward(hidden, targets);
      ours.backward(hiddenGradient, (_, _, _) -> {});
    }
    long allocated = threads.getTotalThreadAllocatedBytes();
    double _ = ours.forward(hidden, targets);
    ours.backward(hiddenGradient, (_, _, _) -> {});
    allocated = threads.getTotalThreadAllocatedBytes() - allocated;
    IO.println(
        "ours keeps %,d KB between runs and allocates %,d KB in one"
            .formatted((heap() - empty) / 1024, allocated / 1024));
  }

  private static long heap() {
    System.gc();
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }

  /** Returns the most memory this process ever had resident, in KB. */
  private static long peak() {
    try {
      for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
        if (line.startsWith("VmHWM:")) {
          return Long.parseLong(line.replaceAll("\\D", ""));
        }
      }
      return 0;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}

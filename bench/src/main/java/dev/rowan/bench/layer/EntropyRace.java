package dev.rowan.bench.layer;

import dev.rowan.core.Workers;
import dev.rowan.core.kernel.FloatFormat;
import dev.rowan.layer.CrossEntropy;
import dev.rowan.layer.RowGradient;
import dev.rowan.layer.TiedOutput;
import dev.rowan.layer.WeightTable;
import java.io.IOException;
import java.io.UncheckedIOException;
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
      long idle = peak("before");
      double loss = ours.forward(hidden, targets);
      ours.backward(hiddenGradient, (_, _, _) -> {});
      long streamed = peak("after ours, gradient of E handed out by panels");
      RowGradient gradient = RowGradient.empty(ROWS, WIDTH);
      ours.backward(hiddenGradient, gradient);
      long held = peak("after ours, gradient of E held");
      double theirLoss = theirs(leaf, h, labels);
      long their = peak("after libtorch");
      IO.println(
          "loss %.6f and %.6f; peak memory grew by %,d KB (panels), %,d KB (E's gradient held), "
                  .formatted(loss, theirLoss, streamed - idle, held - streamed)
              + "%,d KB (libtorch)".formatted(their - held));
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

  /** Returns the most memory this process ever had resident, in KB. */
  private static long peak(String when) {
    try {
      for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
        if (line.startsWith("VmHWM:")) {
          long kilobytes = Long.parseLong(line.replaceAll("\\D", ""));
          IO.println("  peak resident %s: %,d KB".formatted(when, kilobytes));
          return kilobytes;
        }
      }
      return 0;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}

package dev.rowan.bench.layer;

import dev.rowan.core.Workers;
import dev.rowan.core.kernel.RowKernels;
import java.util.List;
import org.bytedeco.pytorch.global.torch;

/**
 * Runs the races named on the command line, or all: {@code lookup one bag train size entropy}.
 * {@code -Dthreads=N} sets the threads of both sides (default 2).
 */
public final class LayerRace {
  private LayerRace() {}

  /** Runs the races. */
  public static void main(String[] arguments) {
    int threads = Integer.getInteger("threads", 2);
    torch.set_num_threads(threads);
    IO.println(
        "threads %d, ours %s, libtorch %d threads"
            .formatted(threads, RowKernels.best().name(), torch.get_num_threads()));
    List<String> wanted =
        arguments.length == 0
            ? List.of("lookup", "one", "bag", "train", "size", "entropy")
            : List.of(arguments);
    try (Workers workers = Workers.of(threads)) {
      for (String race : wanted) {
        switch (race) {
          case "lookup" -> LookupRace.run(workers);
          case "one" -> LookupRace.one();
          case "bag" -> BagRace.run(workers);
          case "train" -> TrainRace.run(workers);
          case "size" -> TrainRace.sizes(workers);
          case "entropy" -> EntropyRace.run(workers);
          default -> throw new IllegalArgumentException("no race is called " + race);
        }
      }
    }
  }
}

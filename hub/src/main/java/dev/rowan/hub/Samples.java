package dev.rowan.hub;

import dev.rowan.core.Tie;
import dev.rowan.core.TieDecision;
import dev.rowan.formats.tensor.TensorInfo;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Compares a few parts of two tables of the same shape: at the start, in the middle, at the end.
 * One byte that differs proves that they are two; equal parts prove nothing.
 */
final class Samples {
  static final String SUFFIX = ".sample";

  private static final int BYTES = 32 << 10;

  private final Fetcher fetcher;
  private final RemoteModel model;

  Samples(Fetcher fetcher, RemoteModel model) {
    this.fetcher = fetcher;
    this.model = model;
  }

  /** Returns the decision, empty if the parts are equal. */
  Optional<TieDecision> compare(TensorInfo input, TensorInfo output) throws IOException {
    List<Path> samples = new ArrayList<>(List.of(Path.of(""), Path.of("")));
    Together.run(
        List.of(() -> samples.set(0, sample(input)), () -> samples.set(1, sample(output))));
    byte[] one = Files.readAllBytes(samples.get(0));
    byte[] other = Files.readAllBytes(samples.get(1));
    int difference = Arrays.mismatch(one, other);
    if (difference < 0) {
      return Optional.empty();
    }
    return Optional.of(
        new TieDecision(
            Tie.UNTIED,
            "the model holds \"%s\" and \"%s\", whose bytes differ at byte %d"
                .formatted(input.name(), output.name(), place(input, difference))));
  }

  private Path sample(TensorInfo tensor) throws IOException {
    List<Excerpt.Piece> pieces =
        starts(tensor).stream()
            .map(start -> tensor.offset() + start)
            .map(from -> new Excerpt.Piece(from, from + length(tensor)))
            .toList();
    Excerpt excerpt = new Excerpt(new byte[0], pieces);
    return fetcher.quietly().excerpt(model.holder(tensor), excerpt, SUFFIX);
  }

  private static int length(TensorInfo tensor) {
    return (int) Math.min(BYTES, tensor.bytes());
  }

  private static List<Long> starts(TensorInfo tensor) {
    long last = tensor.bytes() - length(tensor);
    // where the three would overlap, one that holds all is enough
    return tensor.bytes() <= 3L * BYTES && last == 0 ? List.of(0L) : List.of(0L, last / 2, last);
  }

  private static long place(TensorInfo tensor, int difference) {
    int length = length(tensor);
    return starts(tensor).get(difference / length) + difference % length;
  }
}

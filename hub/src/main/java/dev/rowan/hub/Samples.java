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

  /**
   * Compares the first rows of a table with what would be the same numbers of an output table that
   * is stored as width × rows. Returns the decision, empty if they are equal.
   */
  Optional<TieDecision> compareTransposed(TensorInfo input, TensorInfo output) throws IOException {
    int number = input.dtype().bits() / 8;
    long rows = input.shape().getFirst();
    long width = input.shape().get(1);
    int some = (int) Math.clamp(BYTES / (width * number), 1, rows);
    long[] columns = {0, width / 2, width - 1};
    List<Long> starts = Arrays.stream(columns).map(c -> c * rows * number).boxed().toList();
    byte[] one = Files.readAllBytes(sample(input, List.of(0L), some * width * number));
    byte[] other = Files.readAllBytes(sample(output, starts, (long) some * number));
    boolean equal = true;
    for (int i = 0; i < columns.length; i++) {
      for (int row = 0; row < some; row++) {
        int here = Math.toIntExact((row * width + columns[i]) * number);
        int there = (i * some + row) * number;
        equal &= Arrays.equals(one, here, here + number, other, there, there + number);
      }
    }
    if (equal) {
      return Optional.empty();
    }
    return Optional.of(
        new TieDecision(
            Tie.UNTIED,
            "the model holds \"%s\" and \"%s\", which is stored transposed and differs"
                .formatted(input.name(), output.name())));
  }

  private Path sample(TensorInfo tensor) throws IOException {
    return sample(tensor, starts(tensor), length(tensor));
  }

  private Path sample(TensorInfo tensor, List<Long> starts, long length) throws IOException {
    List<Excerpt.Piece> pieces =
        starts.stream()
            .map(start -> tensor.offset() + start)
            .map(from -> new Excerpt.Piece(from, from + length))
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

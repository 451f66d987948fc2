package dev.rowan.hub;

import dev.rowan.core.Table;
import dev.rowan.core.Tie;
import dev.rowan.core.TieDecision;
import dev.rowan.formats.convention.SameNumbers;
import dev.rowan.formats.convention.SameNumbers.Stored;
import dev.rowan.formats.tensor.TensorInfo;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

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
   * Compares a few rows of two tables in two number formats. Returns the decision, empty if they
   * are equal.
   */
  Optional<TieDecision> compareFormats(TensorInfo input, TensorInfo output) throws IOException {
    long rows = input.shape().getFirst();
    long longest = Math.max(rowBytes(input), rowBytes(output));
    long some = Math.clamp(BYTES / longest, 1, rows);
    List<Long> firsts = some == rows ? List.of(0L) : List.of(0L, (rows - some) / 2, rows - some);
    List<Table> tables = new ArrayList<>();
    for (TensorInfo tensor : List.of(input, output)) {
      long size = rowBytes(tensor);
      List<Long> starts = firsts.stream().map(first -> first * size).toList();
      tables.add(
          Table.over(
              bytes(sample(tensor, starts, some * size)),
              some * firsts.size(),
              Math.toIntExact(tensor.shape().get(1)),
              tensor.dtype().rows().orElseThrow()));
    }
    OptionalLong difference = SameNumbers.firstDifference(tables.get(0), tables.get(1));
    if (difference.isEmpty()) {
      return Optional.empty();
    }
    long at = difference.getAsLong();
    return Optional.of(
        new TieDecision(
            Tie.UNTIED,
            "the model holds \"%s\" and \"%s\", one as %s and one as %s, whose numbers differ at row %,d"
                .formatted(
                    input.name(),
                    output.name(),
                    input.dtype().shown(),
                    output.dtype().shown(),
                    firsts.get(Math.toIntExact(at / some)) + at % some)));
  }

  private static long rowBytes(TensorInfo tensor) {
    return tensor.dtype().rows().orElseThrow().rowBytes(Math.toIntExact(tensor.shape().get(1)));
  }

  private static MemorySegment bytes(Path file) throws IOException {
    return MemorySegment.ofArray(Files.readAllBytes(file));
  }

  /**
   * Compares the first rows of a table with what would be the same numbers of an output table that
   * is stored as width × rows. Returns the decision, empty if they are equal.
   */
  Optional<TieDecision> compareTransposed(TensorInfo input, TensorInfo output) throws IOException {
    int number = input.dtype().bits() / 8;
    int turned = output.dtype().bits() / 8;
    long rows = input.shape().getFirst();
    long width = input.shape().get(1);
    int some = (int) Math.clamp(BYTES / (width * number), 1, rows);
    long[] columns = {0, width / 2, width - 1};
    List<Long> starts = Arrays.stream(columns).map(c -> c * rows * turned).boxed().toList();
    Stored one =
        new Stored(input.dtype(), bytes(sample(input, List.of(0L), some * width * number)));
    Stored other = new Stored(output.dtype(), bytes(sample(output, starts, (long) some * turned)));
    boolean equal = true;
    for (int i = 0; i < columns.length; i++) {
      for (int row = 0; row < some; row++) {
        long here = row * width + columns[i];
        long there = (long) i * some + row;
        equal &= SameNumbers.areEqual(one, here, other, there);
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

package dev.rowan.analysis.edit;

import dev.rowan.core.Lexicon;
import dev.rowan.core.NamedTable;
import dev.rowan.core.OutOfRange;
import dev.rowan.core.Table;
import dev.rowan.core.Vocabulary;
import dev.rowan.formats.Models;
import dev.rowan.formats.OpenOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The other models whose tables are mixed in, open until the edit is done. */
final class Blends implements AutoCloseable {
  private final ModelFolder model;
  private final List<Lexicon> open = new ArrayList<>();
  private @Nullable Edit wanted;

  Blends(ModelFolder model) {
    this.model = model;
  }

  void average(Edit.Average average) throws IOException {
    checkWeight(average.weight());
    want(average);
    checkTokens(average.other());
  }

  void taskVector(Edit.TaskVector vector) throws IOException {
    checkWeight(vector.weight());
    want(vector);
    checkTokens(vector.tuned());
    checkTokens(vector.base());
  }

  private static void checkWeight(double weight) {
    OutOfRange.check(Double.isFinite(weight), "weight", weight, "a finite number");
  }

  private void want(Edit edit) {
    if (wanted != null) {
      throw new IllegalArgumentException("tables are merged twice; do one merge at a time");
    }
    wanted = edit;
  }

  /** A row must stand for the same token in both models. */
  private void checkTokens(Path other) throws IOException {
    Lexicon theirs = lexicon(other, OpenOptions.DEFAULT);
    Optional<Vocabulary> a = model.vocabulary();
    Optional<Vocabulary> b = theirs.vocabulary();
    if (a.isEmpty() || b.isEmpty()) {
      return;
    }
    int size = Math.min(a.get().size(), b.get().size());
    for (int id = 0; id < size; id++) {
      boolean same =
          a.get().has(id) == b.get().has(id)
              && (!a.get().has(id) || Arrays.equals(a.get().bytes(id), b.get().bytes(id)));
      if (!same) {
        throw new IllegalArgumentException(
            "row %d stands for \"%s\" here but for \"%s\" in %s; tables are merged row by row, so bring them to one tokenizer first"
                .formatted(id, a.get().text(id), b.get().text(id), other));
      }
    }
    if (a.get().size() != b.get().size()) {
      throw new IllegalArgumentException(
          "this model has tokens up to #%d, %s up to #%d; tables are merged row by row, so bring them to one tokenizer first"
              .formatted(a.get().size() - 1, other, b.get().size() - 1));
    }
  }

  private Lexicon lexicon(Path path, OpenOptions options) throws IOException {
    Lexicon lexicon = Models.open(path, options);
    open.add(lexicon);
    return lexicon;
  }

  /** Returns what a table is mixed with. */
  Optional<Blend> of(TokenTensor tensor) throws IOException {
    return switch (wanted) {
      case Edit.Average(Path other, double weight) ->
          Optional.of(new Blend.Mean(counterpart(other, tensor), weight));
      case Edit.TaskVector(Path tuned, Path base, double weight) ->
          Optional.of(
              new Blend.Difference(counterpart(tuned, tensor), counterpart(base, tensor), weight));
      case null -> Optional.empty();
      default -> throw new IllegalStateException("no merge: " + wanted);
    };
  }

  private Table counterpart(Path other, TokenTensor tensor) throws IOException {
    NamedTable found = find(other, tensor);
    Table ours = tensor.table();
    if (found.table().rows() != ours.rows() || found.table().width() != ours.width()) {
      throw new IllegalArgumentException(
          "%s is %,d × %,d but \"%s\" of %s is %,d × %,d; tables to merge have one shape"
              .formatted(
                  tensor.title(),
                  ours.rows(),
                  ours.width(),
                  found.tensor(),
                  other,
                  found.table().rows(),
                  found.table().width()));
    }
    return found.table();
  }

  /** The input table goes with the input table, the output table with what scores there. */
  private NamedTable find(Path other, TokenTensor tensor) throws IOException {
    String name = tensor.info().name();
    Lexicon theirs = lexicon(other, OpenOptions.DEFAULT);
    boolean output = model.lexicon().output().filter(o -> o.tensor().equals(name)).isPresent();
    if (output) {
      return theirs
          .output()
          .or(() -> theirs.tie().isTied() ? Optional.of(theirs.input()) : Optional.empty())
          .orElseThrow(() ->
              new IllegalArgumentException(
                  "%s has no output table (%s), so there is nothing to merge into %s"
                      .formatted(other, theirs.tieEvidence(), tensor.title())));
    }
    if (model.lexicon().input().tensor().equals(name)) {
      return theirs.input();
    }
    return lexicon(other, OpenOptions.DEFAULT.withTensor(name)).input(); // a further copy
  }

  @Override
  public void close() {
    open.forEach(Lexicon::close);
  }
}

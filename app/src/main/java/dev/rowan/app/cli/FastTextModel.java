package dev.rowan.app.cli;

import dev.rowan.core.Counted;
import dev.rowan.formats.fasttext.FastTextWriter;
import dev.rowan.formats.fasttext.Subwords;
import dev.rowan.train.Objective;
import dev.rowan.train.Output;
import dev.rowan.train.TrainedFile;
import dev.rowan.train.TrainedTable;
import dev.rowan.train.TrainingSettings;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What was trained here, in fastText's own layout: a model with its n-grams and output rows. */
final class FastTextModel {
  /** What to call the format. */
  static final String NAME = "fasttext";

  private FastTextModel() {}

  /** Checks that the layout has a place for what is trained. */
  static void check(Optional<TrainingSettings> settings) {
    if (settings.isEmpty()
        || !(settings.get().output() instanceof Output.NegativeSampling)
        || (settings.get().objective() instanceof Objective.Cbow(var combine)
            && combine == Objective.Combine.SUM)) {
      throw new UseException(
          "fastText's layout is written for skip-gram and CBOW with negative sampling and the mean of a context; choose another format");
    }
  }

  /** Writes a file. */
  static void write(Path path, TrainedTable table, TrainingSettings how, Map<String, String> notes)
      throws IOException {
    int words = table.vocabulary().size();
    Subwords grams =
        how.grams()
            .map(g -> new Subwords(g.shortest(), g.longest(), g.buckets(), words, null))
            .orElse(new Subwords(0, 0, 0, words, null));
    int negatives =
        how.output() instanceof Output.NegativeSampling sampling ? sampling.negatives() : 0;
    FastTextWriter.write(
        path,
        table.vocabulary().vocabulary(),
        table.vocabulary().counts(),
        table.parts().orElse(table.rows()),
        table.output().orElseThrow(),
        grams,
        new FastTextWriter.Training(
            how.objective() instanceof Objective.Cbow
                ? FastTextWriter.Model.CBOW
                : FastTextWriter.Model.SKIP_GRAM,
            how.window(),
            how.epochs(),
            Integer.parseInt(notes.getOrDefault("min-count", "1")),
            negatives,
            2,
            how.subsample()));
  }

  /** Writes a file that {@code train --keep-output} wrote. */
  static void convert(Session session, Path in, Path out, ForceOption existing) throws IOException {
    if (!in.toString().endsWith(".safetensors")) {
      throw new UseException(
          "--to fasttext takes a .safetensors file of train --keep-output; train writes a .bin file at once too");
    }
    try (TrainedFile file = TrainedFile.open(in)) {
      TrainedTable table = file.table();
      TrainingSettings how = settings(in, table);
      check(Optional.of(how));
      if (table.output().isEmpty() || how.grams().isPresent() != table.parts().isPresent()) {
        throw new UseException(
            "%s was written without its output rows; fastText's layout has them: train with --keep-output"
                .formatted(in));
      }
      existing.write(Map.of(out, place -> write(place, table, how, table.settings())));
      int rows = table.vocabulary().size();
      int width = table.rows().width();
      session.answer(
          json ->
              json.text("path", out.toString())
                  .text("format", NAME)
                  .number("rows", rows)
                  .number("width", (long) width)
                  .text("dtype", "f32")
                  .array("notes", j -> List.<String>of().forEach(j::element)),
          page ->
              page.line(
                  "%s: %s × %,d, f32, as a fastText model"
                      .formatted(Visible.message(out.toString()), Counted.of(rows, "row"), width)));
    }
  }

  private static TrainingSettings settings(Path in, TrainedTable table) {
    try {
      return TrainingSettings.of(table.settings());
    } catch (IllegalArgumentException e) {
      throw new UseException(
          "%s was not trained by windows of words here: %s".formatted(in, e.getMessage()));
    }
  }
}

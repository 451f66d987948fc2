package dev.rowan.app.cli;

import dev.rowan.core.Lexicon;
import dev.rowan.formats.write.Conversion;
import dev.rowan.formats.write.ConvertOptions;
import dev.rowan.formats.write.Converter;
import dev.rowan.formats.write.NewFolder;
import dev.rowan.train.TrainedTable;
import dev.rowan.train.TrainedTable.OutputRows;
import dev.rowan.train.TrainingSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Where a trained table goes, and in which format; known, and found fit, before training begins.
 *
 * @param path the file or folder
 * @param form what is written
 * @param other the format if it is one of convert's
 * @param settings how windows are learned from; empty for another objective
 */
record TrainTarget(
    Path path,
    Form form,
    ConvertCommand.@Nullable Name other,
    Optional<TrainingSettings> settings) {

  private static final String NO_GRAMS =
      "the rows of n-grams were not written: words that are not in the table have no vector; ";

  /** What is written. */
  enum Form {
    /** One safetensors file. */
    SAFETENSORS,
    /** A model in fastText's layout, with its n-grams. */
    FASTTEXT,
    /** A format of convert. */
    OTHER
  }

  /** Returns the target; its format follows from its ending unless it was asked for. */
  static TrainTarget of(Path path, @Nullable String asked, Optional<TrainingSettings> settings)
      throws IOException {
    Path parent = path.toAbsolutePath().getParent();
    if (parent == null || !Files.isDirectory(parent)) {
      throw new NotDirectoryException(String.valueOf(parent));
    }
    boolean file = path.toString().endsWith(".safetensors");
    if (file && (asked == null || asked.equalsIgnoreCase("safetensors"))) {
      return new TrainTarget(path, Form.SAFETENSORS, null, settings);
    }
    ConvertCommand.checkEnding(asked, path);
    boolean grams = settings.isPresent() && settings.get().grams().isPresent();
    boolean bin = path.toString().endsWith(".bin") && asked == null;
    if (FastTextModel.NAME.equalsIgnoreCase(asked) || (grams && bin)) {
      FastTextModel.check(settings);
      return new TrainTarget(path, Form.FASTTEXT, null, settings);
    }
    return new TrainTarget(path, Form.OTHER, ConvertCommand.name(asked, path), settings);
  }

  /** Returns where checkpoints go. */
  Path checkpoint() {
    return path.resolveSibling(path.getFileName() + ".checkpoint");
  }

  /** Returns what to call the format. */
  String format() {
    return other == null ? form.name().toLowerCase(Locale.ROOT) : other.typed;
  }

  /** Checks that the table can go there; the rule for files is that of {@code existing}. */
  void check(ForceOption existing) throws IOException {
    if (isFolder()) {
      NewFolder.check(path);
    } else {
      existing.check(path);
    }
  }

  /** Returns whether it is a folder. */
  boolean isFolder() {
    return other != null && other.format.isFolder();
  }

  /**
   * Writes the table; returns one sentence each on what the format does not keep.
   *
   * @param place where: the target's own path, or a name it has until it is whole
   */
  List<String> write(
      Path place,
      TrainedTable table,
      OutputRows outputRows,
      Map<String, String> notes,
      Session session)
      throws IOException {
    ConvertCommand.Name name = other;
    if (form == Form.FASTTEXT) {
      FastTextModel.write(place, table, settings.orElseThrow(), notes);
      return List.of();
    }
    if (name == null) {
      table.save(place, outputRows, notes);
      return table.parts().isPresent() && outputRows == OutputRows.DROPPED
          ? List.of(NO_GRAMS + "write a .bin file, or --keep-output, to keep them")
          : List.of();
    }
    try (Lexicon lexicon = table.lexicon(path, outputRows)) {
      Conversion written =
          Converter.convert(
              lexicon, place, name.format, ConvertOptions.DEFAULT.withWorkers(session.workers()));
      List<String> lost = new ArrayList<>(written.notes());
      if (table.parts().isPresent()) {
        lost.add(
            NO_GRAMS
                + "write fastText's layout (--to fasttext), or a .safetensors file with --keep-output, to keep them");
      }
      return List.copyOf(lost);
    }
  }
}

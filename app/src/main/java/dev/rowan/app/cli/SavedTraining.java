package dev.rowan.app.cli;

import dev.rowan.train.Checkpoint;
import dev.rowan.train.Start;
import dev.rowan.train.glove.GloveCheckpoint;
import dev.rowan.train.lm.LanguageCheckpoint;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * What a training goes on from: read and checked before any text is, since counting may take long.
 * All are empty for one that begins; else one is there, that of the objective.
 */
record SavedTraining(
    Optional<Checkpoint> windows,
    Optional<GloveCheckpoint> pairs,
    Optional<LanguageCheckpoint> language)
    implements AutoCloseable {

  /**
   * Opens what is gone on from.
   *
   * @throws dev.rowan.formats.file.FormatException if it is damaged
   * @throws IllegalArgumentException if it began with something else than {@code start}
   */
  static SavedTraining of(TrainCommand typed, TrainTarget target, Start start) throws IOException {
    Path file = target.checkpoint();
    if (!typed.resume) {
      return new SavedTraining(Optional.empty(), Optional.empty(), Optional.empty());
    }
    return switch (typed.options.goal) {
      case skipgram, cbow ->
          new SavedTraining(Optional.of(windows(file, start)), Optional.empty(), Optional.empty());
      case glove ->
          new SavedTraining(
              Optional.empty(), Optional.of(GloveCheckpoint.open(file)), Optional.empty());
      case next ->
          new SavedTraining(
              Optional.empty(), Optional.empty(), Optional.of(LanguageCheckpoint.open(file)));
    };
  }

  private static Checkpoint windows(Path file, Start start) throws IOException {
    Checkpoint open = Checkpoint.open(file);
    try {
      open.check(start);
      return open;
    } catch (RuntimeException | Error e) {
      open.close();
      throw e;
    }
  }

  /** Closes what is open; again does no harm, so that it need not wait for the end of training. */
  @Override
  public void close() {
    windows.ifPresent(Checkpoint::close);
    pairs.ifPresent(GloveCheckpoint::close);
    language.ifPresent(LanguageCheckpoint::close);
  }
}

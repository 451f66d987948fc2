package dev.rowan.app.cli;

import dev.rowan.train.Start;
import dev.rowan.train.TableTrainer;
import dev.rowan.train.Trainer;
import dev.rowan.train.TrainingSettings;
import dev.rowan.train.corpus.EncodedCorpus;
import dev.rowan.train.glove.GloveTrainer;
import java.io.IOException;
import java.util.Optional;

/** The trainer that {@code train}'s options ask for. */
final class TrainerChoice {
  private TrainerChoice() {}

  /**
   * Begins a training, or goes on with one that the same command began.
   *
   * @param windows how windows are learned from; empty for GloVe
   * @param saved what is gone on from; closed then
   */
  static TableTrainer of(
      TrainCommand typed,
      Session session,
      EncodedCorpus encoded,
      Optional<TrainingSettings> windows,
      Start start,
      SavedTraining saved)
      throws IOException {
    try (saved) {
      if (windows.isEmpty()) {
        return saved.pairs().isPresent()
            ? GloveTrainer.resumed(encoded, saved.pairs().get(), session.workers())
            : GloveTrainer.fresh(
                encoded, typed.gloveOptions.settings(typed.options), session.workers());
      }
      return saved.windows().isPresent()
          ? Trainer.resumed(encoded, saved.windows().get(), start, session.workers())
          : Trainer.fresh(encoded, windows.get(), start, session.workers());
    }
  }
}

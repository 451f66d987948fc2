package dev.rowan.app.cli;

import dev.rowan.train.Checkpoint;
import dev.rowan.train.Start;
import dev.rowan.train.TableTrainer;
import dev.rowan.train.Trainer;
import dev.rowan.train.TrainingSettings;
import dev.rowan.train.corpus.EncodedCorpus;
import dev.rowan.train.glove.GloveCheckpoint;
import dev.rowan.train.glove.GloveSettings;
import dev.rowan.train.glove.GloveTrainer;
import java.io.IOException;
import java.util.Optional;

/** The trainer that {@code train}'s options ask for. */
final class TrainerChoice {
  private TrainerChoice() {}

  /** Begins a training, or goes on with one that the same command began. */
  static TableTrainer of(
      TrainCommand typed, Session session, EncodedCorpus encoded, TrainTarget target, Start start)
      throws IOException {
    Optional<TrainingSettings> windows = target.settings();
    if (windows.isEmpty()) {
      return glove(typed, session, encoded, typed.gloveOptions.settings(typed.options), target);
    }
    if (!typed.resume) {
      return Trainer.fresh(encoded, windows.get(), start, session.workers());
    }
    try (Checkpoint checkpoint = Checkpoint.open(target.checkpoint())) {
      return Trainer.resumed(encoded, checkpoint, start, session.workers());
    }
  }

  private static TableTrainer glove(
      TrainCommand typed,
      Session session,
      EncodedCorpus encoded,
      GloveSettings settings,
      TrainTarget target)
      throws IOException {
    if (!typed.resume) {
      return GloveTrainer.fresh(encoded, settings, session.workers());
    }
    try (GloveCheckpoint checkpoint = GloveCheckpoint.open(target.checkpoint())) {
      return GloveTrainer.resumed(encoded, checkpoint, session.workers());
    }
  }
}

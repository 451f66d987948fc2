package dev.rowan.train;

/** Hears what happens while a table is trained. */
public interface TrainingListener {
  /** Nobody listens. */
  TrainingListener NONE = _ -> {};

  /**
   * Called for each event, by one thread at a time, which waits until this returns.
   *
   * <p>At {@link TrainingEvent.Progress} that is a computing thread: do not use the trainer's
   * workers there. At all others it is the one that called {@link Trainer#run}.
   */
  void heard(TrainingEvent event);

  /** Returns a listener that tells this one first, then another. */
  default TrainingListener and(TrainingListener other) {
    return event -> {
      heard(event);
      other.heard(event);
    };
  }
}

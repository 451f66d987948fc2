package dev.rowan.app.web;

/** Where a run stands. */
enum TrainingState {
  /** The text is being read. */
  READING,
  /** Rows are being learned. */
  TRAINING,
  /** It was told to stop and saves its checkpoint. */
  STOPPING,
  /** It stopped. */
  STOPPED,
  /** The table is on disk. */
  FINISHED,
  /** It could not go on. */
  FAILED;

  boolean isOver() {
    return this == STOPPED || this == FINISHED || this == FAILED;
  }
}

package dev.rowan.train.corpus;

/**
 * Ids of one block.
 *
 * @param ordinal the block's place among all
 * @param worker whose numbers the ids are
 * @param isLast whether the file ends with the block
 */
record Segment(long ordinal, int worker, IdStore.Run ids, boolean isLast) {
  Segment with(IdStore.Run ids) {
    return new Segment(ordinal, worker, ids, isLast);
  }

  Segment with(IdStore.Run ids, int worker) {
    return new Segment(ordinal, worker, ids, isLast);
  }
}

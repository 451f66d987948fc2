package dev.rowan.analysis.edit;

import java.util.Arrays;
import java.util.BitSet;

/** Which new id each old one gets when some go. Immutable. */
final class IdMap {
  private final long[] kept; // old ids, ascending; the place is the new id
  private final int[] newId;

  private IdMap(long[] kept, int[] newId) {
    this.kept = kept;
    this.newId = newId;
  }

  /** Keeps the ids that are set, in order. */
  static IdMap keeping(BitSet ids) {
    int[] newId = new int[ids.length()];
    Arrays.fill(newId, -1);
    long[] kept = new long[ids.cardinality()];
    int next = 0;
    for (int id = ids.nextSetBit(0); id >= 0; id = ids.nextSetBit(id + 1)) {
      newId[id] = next;
      kept[next++] = id;
    }
    return new IdMap(kept, newId);
  }

  /** Returns the new id; −1 if the old one has gone or never was. */
  int of(long oldId) {
    return oldId < 0 || oldId >= newId.length ? -1 : newId[(int) oldId];
  }

  /** Returns the old ids in the order of the new ones. */
  long[] kept() {
    return kept.clone();
  }
}

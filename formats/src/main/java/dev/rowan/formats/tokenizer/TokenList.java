package dev.rowan.formats.tokenizer;

import dev.rowan.core.Counted;
import dev.rowan.core.Spelling;
import dev.rowan.core.Vocabulary;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/**
 * Tokens as a file lists them, in any order, until they become a vocabulary. Conflicts are settled
 * here and counted, with the first of each sort kept for the notes.
 */
final class TokenList {
  /** Ids without a token take memory too, so a small file may not claim a huge id. */
  private static final long FREE_IDS = 1 << 20;

  private static final int IDS_PER_TOKEN = 64;

  private byte[][] spellings = new byte[1024][];
  private int[] ids = new int[1024];
  private int count;
  private int firstAdded = -1;
  private int maxId = -1;

  void add(byte[] spelling, int id) {
    if (count == ids.length) {
      ids = Arrays.copyOf(ids, count * 2);
      spellings = Arrays.copyOf(spellings, count * 2);
    }
    ids[count] = id;
    spellings[count++] = spelling;
    maxId = Math.max(maxId, id);
  }

  void addAll(TokenList others) {
    for (int i = 0; i < others.count; i++) {
      add(others.spellings[i], others.ids[i]);
    }
  }

  /** Says that what follows are added tokens. */
  void addedFollow() {
    firstAdded = count;
  }

  int count() {
    return count;
  }

  int startingWith(String character) {
    byte[] start = character.getBytes(StandardCharsets.UTF_8);
    int found = 0;
    for (int i = 0; i < count; i++) {
      byte[] spelling = spellings[i];
      if (spelling.length >= start.length
          && Arrays.equals(spelling, 0, start.length, start, 0, start.length)) {
        found++;
      }
    }
    return found;
  }

  /** Returns the highest id if it is too high for so few tokens, else −1. */
  int excessiveId() {
    return isExcessive(maxId, count) ? maxId : -1;
  }

  /** Returns whether an id is too high for so few tokens. */
  static boolean isExcessive(int id, int tokens) {
    return id >= Math.max(FREE_IDS, (long) IDS_PER_TOKEN * tokens);
  }

  Vocabulary toVocabulary(Spelling spelling) {
    byte[][] entries = new byte[maxId + 1][];
    BitSet present = new BitSet(entries.length);
    BitSet added = new BitSet();
    List<String> replaced = new ArrayList<>();
    List<String> ignored = new ArrayList<>();
    int vocabularyEnd = firstAdded < 0 ? count : firstAdded;
    for (int i = 0; i < count; i++) {
      int id = ids[i];
      boolean isAdded = i >= vocabularyEnd;
      boolean differs = present.get(id) && !Arrays.equals(entries[id], spellings[i]);
      if (differs && isAdded && !added.get(id)) {
        replaced.add(conflict(id, entries[id], spellings[i]));
      } else if (differs) {
        ignored.add(conflict(id, entries[id], spellings[i]));
        continue;
      }
      entries[id] = spellings[i];
      present.set(id);
      added.set(id, isAdded);
    }
    BitSet absent = (BitSet) present.clone();
    absent.flip(0, entries.length);
    for (int id = absent.nextSetBit(0); id >= 0; id = absent.nextSetBit(id + 1)) {
      entries[id] = new byte[0];
    }
    List<String> notes = new ArrayList<>();
    if (!replaced.isEmpty()) {
      notes.add(
          "%s another spelling among the added tokens, which is the one kept: %s"
              .formatted(Counted.of(replaced.size(), "id has", "ids have"), replaced.getFirst()));
    }
    if (!ignored.isEmpty()) {
      notes.add(
          "%s given to two tokens, and the first is kept: %s"
              .formatted(Counted.of(ignored.size(), "id is", "ids are"), ignored.getFirst()));
    }
    return Vocabulary.of(spelling, entries, absent, added).withNotes(notes);
  }

  private static String conflict(int id, byte[] first, byte[] second) {
    return "id %d is \"%s\" and \"%s\""
        .formatted(
            id,
            new String(first, StandardCharsets.UTF_8),
            new String(second, StandardCharsets.UTF_8));
  }
}

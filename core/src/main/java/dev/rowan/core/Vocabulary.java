package dev.rowan.core;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * Tokens and their ids.
 *
 * <p>The identity of a token is the bytes of its spelling as stored in the file; text is for
 * display only, so entries that are not UTF-8, or that look alike, stay apart. Duplicates are
 * normal: each keeps its id, and looking the spelling up gives the lowest. An id may have no token.
 * A vocabulary may have fewer or more entries than its table has rows.
 *
 * <p>Immutable and safe for any number of threads. All spellings together hold at most 2³¹ − 1
 * bytes.
 */
public final class Vocabulary {
  private final Spelling spelling;
  private final byte[] bytes; // all spellings, one after the other
  private final int[] ends; // entry i is bytes [ends[i-1], ends[i])
  private final BitSet absent; // ids without a token
  private final BitSet added; // tokens written as plain text whatever the spelling
  private final int[] slots; // open addressing: id + 1, 0 is free
  private final int present;
  private final int repeats;
  private final int firstRepeat; // −1 if there is none
  private final List<String> notes;

  private Vocabulary(Vocabulary source, List<String> notes) {
    this.spelling = source.spelling;
    this.bytes = source.bytes;
    this.ends = source.ends;
    this.absent = source.absent;
    this.added = source.added;
    this.slots = source.slots;
    this.present = source.present;
    this.repeats = source.repeats;
    this.firstRepeat = source.firstRepeat;
    this.notes = List.copyOf(notes);
  }

  private Vocabulary(Spelling spelling, byte[] bytes, int[] ends, BitSet absent, BitSet added) {
    this.notes = List.of();
    this.spelling = spelling;
    this.bytes = bytes;
    this.ends = ends;
    this.absent = absent;
    this.added = added;
    this.present = ends.length - absent.cardinality();
    this.slots = new int[Math.max(4, Integer.highestOneBit(Math.max(1, ends.length)) << 2)];
    int again = 0;
    int first = -1;
    for (int id = 0; id < ends.length; id++) {
      if (!absent.get(id)) {
        int slot = slotOf(bytes, start(id), ends[id]);
        if (slots[slot] == 0) {
          slots[slot] = id + 1;
        } else if (again++ == 0) {
          first = id;
        }
      }
    }
    this.repeats = again;
    this.firstRepeat = first;
  }

  /**
   * Returns a vocabulary of UTF-8 spellings.
   *
   * @param spelling how they are written
   * @param entries the spelling of id i at place i; null where an id has no token
   * @param added ids of added tokens, which are plain text whatever the spelling
   */
  public static Vocabulary of(Spelling spelling, List<@Nullable String> entries, BitSet added) {
    byte[][] raw = new byte[entries.size()][];
    BitSet absent = new BitSet();
    for (int i = 0; i < raw.length; i++) {
      String entry = entries.get(i);
      if (entry == null) {
        absent.set(i);
        raw[i] = new byte[0];
      } else {
        raw[i] = entry.getBytes(StandardCharsets.UTF_8);
      }
    }
    return of(spelling, raw, absent, added);
  }

  /**
   * Returns a vocabulary of spellings that need not be UTF-8.
   *
   * @param entries the spelling of id i at place i; copied
   * @param absent ids without a token; their entries are ignored
   * @param added ids of added tokens, which are plain text whatever the spelling
   * @throws IllegalArgumentException if all spellings together exceed 2³¹ − 1 bytes
   */
  public static Vocabulary of(Spelling spelling, byte[][] entries, BitSet absent, BitSet added) {
    Objects.requireNonNull(spelling, "spelling");
    long total = 0;
    for (byte[] entry : entries) {
      total += entry.length;
    }
    if (total > Integer.MAX_VALUE - 8) {
      throw new IllegalArgumentException(
          "the spellings take %,d bytes together; at most 2^31 are supported".formatted(total));
    }
    byte[] bytes = new byte[(int) total];
    int[] ends = new int[entries.length];
    int at = 0;
    for (int i = 0; i < entries.length; i++) {
      System.arraycopy(entries[i], 0, bytes, at, entries[i].length);
      at += entries[i].length;
      ends[i] = at;
    }
    return new Vocabulary(spelling, bytes, ends, (BitSet) absent.clone(), (BitSet) added.clone());
  }

  /** Returns a vocabulary whose tokens are plain text, id i at place i. */
  public static Vocabulary ofWords(List<String> words) {
    return of(Spelling.PLAIN, List.copyOf(words), new BitSet());
  }

  /**
   * Returns a vocabulary whose tokens are plain text that need not be UTF-8, out of one piece.
   *
   * @param bytes all spellings, one behind the other; copied
   * @param ends where the spelling of id i ends and the next begins; copied
   * @throws IllegalArgumentException if the ends do not rise from 0 to the number of bytes
   */
  public static Vocabulary ofWords(byte[] bytes, int[] ends) {
    int before = 0;
    for (int end : ends) {
      if (end < before) {
        throw new IllegalArgumentException("a spelling ends at " + end + ", before its start");
      }
      before = end;
    }
    if (before != bytes.length) {
      throw new IllegalArgumentException(
          "the spellings end at %,d of %,d bytes".formatted(before, bytes.length));
    }
    return new Vocabulary(Spelling.PLAIN, bytes.clone(), ends.clone(), new BitSet(), new BitSet());
  }

  /** Returns this vocabulary with notes on how it was read, one sentence each. */
  public Vocabulary withNotes(List<String> notes) {
    return new Vocabulary(this, notes);
  }

  /** Returns one sentence each on anything odd in the file that the tokens came from. */
  public List<String> notes() {
    return notes;
  }

  /** Returns how the tokens are written. */
  public Spelling spelling() {
    return spelling;
  }

  /** Returns the least number above every id. */
  public int size() {
    return ends.length;
  }

  /** Returns how many ids have a token. */
  public int tokens() {
    return present;
  }

  /** Returns how many ids repeat the spelling of a lower id. */
  public int repeats() {
    return repeats;
  }

  /** Returns the lowest id that repeats the spelling of a lower one. */
  public OptionalInt firstRepeat() {
    return firstRepeat < 0 ? OptionalInt.empty() : OptionalInt.of(firstRepeat);
  }

  /** Returns whether an id, of any value, has a token. */
  public boolean has(long id) {
    return id >= 0 && id < ends.length && !absent.get((int) id);
  }

  /** Returns whether the token of an id is an added one, such as {@code <|endoftext|>}. */
  public boolean isAdded(long id) {
    return has(id) && added.get((int) id);
  }

  /**
   * Returns the stored bytes of a token.
   *
   * @throws IllegalArgumentException if the id has no token
   */
  public byte[] bytes(long id) {
    if (!has(id)) {
      throw new IllegalArgumentException("id " + id + " has no token");
    }
    return Arrays.copyOfRange(bytes, start((int) id), ends[(int) id]);
  }

  /**
   * Returns the stored spelling of a token as text ({@code Ġcat}, {@code ##ing}); bytes that are
   * not UTF-8 show as U+FFFD.
   *
   * @throws IllegalArgumentException if the id has no token
   */
  public String stored(long id) {
    return new String(bytes(id), StandardCharsets.UTF_8);
  }

  /**
   * Returns a token as a person reads it: byte-level spellings decoded ({@code " cat"}), others as
   * stored ({@code ##ing}); bytes that are not UTF-8 show as U+FFFD. An id without a token shows as
   * {@code [no token 50300]}.
   */
  public String text(long id) {
    if (!has(id)) {
      return "[no token " + id + "]";
    }
    String stored = stored(id);
    if (spelling != Spelling.BYTE_LEVEL || added.get((int) id)) {
      return stored;
    }
    return new String(Spelling.bytesOfByteLevel(stored), StandardCharsets.UTF_8);
  }

  /** Returns the id of a stored spelling, the lowest of several. */
  public OptionalInt id(String stored) {
    return id(stored.getBytes(StandardCharsets.UTF_8));
  }

  /** Returns the id of a stored spelling, the lowest of several. */
  public OptionalInt id(byte[] stored) {
    int slot = slotOf(stored, 0, stored.length);
    return slots[slot] == 0 ? OptionalInt.empty() : OptionalInt.of(slots[slot] - 1);
  }

  /** Returns the slot that holds these bytes, or the free one where they would go. */
  private int slotOf(byte[] source, int from, int to) {
    int hash = 0x811C9DC5; // FNV-1a, then mixed because tables are powers of two
    for (int i = from; i < to; i++) {
      hash = (hash ^ source[i]) * 0x01000193;
    }
    hash ^= hash >>> 15;
    hash *= 0x2C1B3C6D;
    hash ^= hash >>> 12;
    int mask = slots.length - 1;
    int slot = hash & mask;
    while (slots[slot] != 0) {
      int id = slots[slot] - 1;
      if (Arrays.equals(source, from, to, bytes, start(id), ends[id])) {
        return slot;
      }
      slot = (slot + 1) & mask;
    }
    return slot;
  }

  private int start(int id) {
    return id == 0 ? 0 : ends[id - 1];
  }

  @Override
  public String toString() {
    return "Vocabulary[%s, %d tokens]".formatted(spelling, present);
  }
}

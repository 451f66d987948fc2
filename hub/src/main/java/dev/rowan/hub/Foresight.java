package dev.rowan.hub;

import java.util.ArrayList;
import java.util.List;

/**
 * Guesses where in a far file its reader looks next. From tensor to tensor it jumps over the
 * numbers of one, and the layers of a model have the same sizes: after a jump like an earlier one
 * comes what came after that. As long as that proves right, twice as many are guessed each time.
 * Not for several threads at once.
 */
final class Foresight {
  /** A wrong guess costs a request for nothing, so not everything is guessed at once. */
  private static final int MOST = 32;

  /** Jumps this close count as equal: the name of a later tensor has a digit more. */
  private static final int CLOSE = 64;

  /** As many jumps tell one layer from another. */
  private static final int CONTEXT = 64;

  /**
   * A jump.
   *
   * @param bytes how far
   * @param before how many equal jumps came right in front of it
   */
  private record Jump(long bytes, int before) {
    boolean isLike(Jump other) {
      return before == other.before && isClose(other.bytes);
    }

    boolean isClose(long far) {
      return Math.abs(bytes - far) <= CLOSE;
    }
  }

  private final List<Jump> jumps = new ArrayList<>();
  private long place;
  private int guessed;
  private int met;

  /** Takes note that the reader jumped to a byte that was here. */
  void met(long to) {
    jump(to);
    met++;
  }

  /**
   * Takes note that the reader jumped to a byte that was not here.
   *
   * @return where it may jump to from there, in this order
   */
  List<Long> missed(long to) {
    jump(to);
    guessed = met < guessed ? 1 : Math.clamp(2L * guessed, 1, MOST);
    met = 0;
    // one jump is no pattern: it leads from the graph to the tensors, or over the largest of them
    List<Long> places = jumps.size() < 2 ? List.of() : guesses(to);
    guessed = places.size();
    return places;
  }

  private void jump(long to) {
    long bytes = to - place;
    place = to;
    if (bytes < 0) {
      jumps.clear(); // back to something else
      return;
    }
    boolean again = !jumps.isEmpty() && jumps.getLast().isClose(bytes);
    jumps.add(new Jump(bytes, again ? jumps.getLast().before() + 1 : 0));
  }

  private List<Long> guesses(long from) {
    int first = likeTheLast() + 1;
    int period = jumps.size() - first;
    List<Long> places = new ArrayList<>();
    long at = from;
    for (int i = 0; i < guessed; i++) {
      at += jumps.get(first + i % period).bytes();
      places.add(at);
    }
    return places;
  }

  /**
   * Returns the jump that is most like the last one by what came before it; where none is, the one
   * in front of the last, so that the last comes again.
   */
  private int likeTheLast() {
    int best = jumps.size() - 2;
    int longest = 0;
    for (int i = jumps.size() - 2; i >= 0; i--) {
      int alike = alike(i);
      if (alike > longest) {
        longest = alike;
        best = i;
      }
    }
    return best;
  }

  private int alike(int jump) {
    int last = jumps.size() - 1;
    int alike = 0;
    while (alike <= jump
        && alike < CONTEXT
        && jumps.get(jump - alike).isLike(jumps.get(last - alike))) {
      alike++;
    }
    return alike;
  }
}

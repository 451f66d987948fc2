package dev.rowan.analysis.edit;

import dev.rowan.formats.json.JsonTree;
import dev.rowan.formats.json.JsonTree.Elements;
import dev.rowan.formats.json.JsonTree.Text;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The merges of byte-pair encoding, to find out what must stay so that tokens can still be made.
 *
 * <p>A token is made by merges, each of which needs two tokens. If with every token that stays all
 * merges that make it stay too, and with each merge its two parts, then a text whose tokens all
 * stay is still encoded the same: of the merges that could be applied at each step the first of the
 * list is taken, it leads to a token that stays, so it is still there, and none is new.
 */
final class MergeList {
  /** Two tokens and what they make. */
  record Pair(String left, String right, String joint) {}

  private final List<Pair> pairs;
  private final Map<String, List<Pair>> making = new HashMap<>();

  private MergeList(List<Pair> pairs) {
    this.pairs = pairs;
    pairs.forEach(pair -> making.computeIfAbsent(pair.joint(), _ -> new ArrayList<>()).add(pair));
  }

  /**
   * Reads the merges of a tokenizer.json.
   *
   * @param prefix what stands in front of tokens that continue a word, and goes when they are
   *     merged
   */
  static MergeList of(Elements merges, String prefix) {
    List<Pair> pairs = new ArrayList<>();
    for (JsonTree merge : merges.elements()) {
      pairs.add(
          switch (merge) {
            case Text(String text) -> pair(text, prefix);
            case Elements(List<JsonTree> two)
                when two.size() == 2
                    && two.get(0) instanceof Text(String left)
                    && two.get(1) instanceof Text(String right) ->
                pair(left, right, prefix);
            default -> throw new IllegalArgumentException("a merge is not two tokens");
          });
    }
    return new MergeList(pairs);
  }

  /** Reads the lines of a merges.txt; those that are no merge have no place here. */
  static MergeList ofLines(List<String> lines) {
    return new MergeList(lines.stream().map(line -> pair(line, "")).toList());
  }

  private static Pair pair(String text, String prefix) {
    int space = text.indexOf(' ', 1); // a token may itself be a space
    if (space < 0) {
      throw new IllegalArgumentException("\"%s\" is not two tokens".formatted(text));
    }
    return pair(text.substring(0, space), text.substring(space + 1), prefix);
  }

  private static Pair pair(String left, String right, String prefix) {
    String tail = right.startsWith(prefix) ? right.substring(prefix.length()) : right;
    return new Pair(left, right, left + tail);
  }

  /** Returns the tokens and all that they are made of. */
  Set<String> withParts(Set<String> tokens) {
    Set<String> all = new HashSet<>(tokens);
    Deque<String> open = new ArrayDeque<>(tokens);
    while (!open.isEmpty()) {
      for (Pair pair : making.getOrDefault(open.pop(), List.of())) {
        if (all.add(pair.left())) {
          open.push(pair.left());
        }
        if (all.add(pair.right())) {
          open.push(pair.right());
        }
      }
    }
    return all;
  }

  /** Returns whether a merge has all its tokens. */
  boolean stays(int place, Set<String> tokens) {
    Pair pair = pairs.get(place);
    return tokens.contains(pair.left())
        && tokens.contains(pair.right())
        && tokens.contains(pair.joint());
  }

  int count() {
    return pairs.size();
  }
}

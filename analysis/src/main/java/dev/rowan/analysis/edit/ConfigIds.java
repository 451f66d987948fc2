package dev.rowan.analysis.edit;

import dev.rowan.formats.json.JsonTree;
import dev.rowan.formats.json.JsonTree.Elements;
import dev.rowan.formats.json.JsonTree.Literal;
import dev.rowan.formats.json.JsonTree.Members;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.LongUnaryOperator;
import java.util.regex.Pattern;

/**
 * The settings of config.json and generation_config.json that hold ids of tokens:
 *
 * <pre>
 *   eos_token_id, suppress_tokens …      an id, or a list of ids
 *   bad_words_ids, force_words_ids       lists of sequences of ids
 *   forced_decoder_ids                   [place in the text, id] …
 *   sequence_bias                        [[id …], bias] …
 *   lang_to_id, task_to_id …             an id for each name
 * </pre>
 *
 * <p>An id that has gone leaves a list; what cannot be said without it, a sequence, a pair or a
 * name, goes with it. A single one becomes null.
 */
final class ConfigIds {
  private static final Pattern NAMES =
      Pattern.compile(
          ".*_token_ids?|.*_token_index|suppress_tokens|begin_suppress_tokens|.*_words_ids|.*_token_ids_.*");
  private static final Pattern BY_NAME =
      Pattern.compile("lang_to_id|task_to_id|lang_code_to_id|text_decoder_lang_to_code_id");

  private ConfigIds() {}

  /** Returns whether a setting holds ids. */
  static boolean holds(String name) {
    return NAMES.matcher(name).matches()
        || BY_NAME.matcher(name).matches()
        || name.equals("forced_decoder_ids")
        || name.equals("sequence_bias");
  }

  /**
   * Returns a setting with new ids; lists and objects are changed in place.
   *
   * @param newId the new id of an old one; −1 if it has gone
   */
  static JsonTree mapped(String name, JsonTree value, LongUnaryOperator newId) {
    return switch (value) {
      case Members(Map<String, JsonTree> ids) when BY_NAME.matcher(name).matches() -> {
        ids.replaceAll((_, id) -> mapped(id, newId));
        ids.values().removeIf(Literal.NULL::equals);
        yield value;
      }
      case Elements(List<JsonTree> pairs) when name.equals("forced_decoder_ids") -> {
        mapMembers(pairs, 1, newId);
        yield value;
      }
      case Elements(List<JsonTree> pairs) when name.equals("sequence_bias") -> {
        mapMembers(pairs, 0, newId);
        yield value;
      }
      case Elements(List<JsonTree> elements) -> {
        elements.replaceAll(element -> mapped(element, newId));
        elements.removeIf(Literal.NULL::equals);
        yield value;
      }
      default -> mapped(value, newId);
    };
  }

  /** Maps one member of each pair; a pair whose member has gone goes too. */
  private static void mapMembers(List<JsonTree> pairs, int at, LongUnaryOperator newId) {
    pairs.removeIf(pair -> {
      if (!(pair instanceof Elements(List<JsonTree> members)) || members.size() <= at) {
        return false;
      }
      boolean none = members.get(at).equals(Literal.NULL);
      members.set(at, mapped(members.get(at), newId));
      return !none && members.get(at).equals(Literal.NULL);
    });
  }

  /** Returns null for an id that has gone, and for a sequence with such an id. */
  private static JsonTree mapped(JsonTree value, LongUnaryOperator newId) {
    if (value instanceof Elements(List<JsonTree> sequence)) {
      boolean nested = sequence.stream().anyMatch(Elements.class::isInstance);
      sequence.replaceAll(element -> mapped(element, newId));
      if (nested) {
        sequence.removeIf(Literal.NULL::equals);
      }
      return sequence.contains(Literal.NULL) || sequence.isEmpty() ? Literal.NULL : value;
    }
    OptionalLong id = value instanceof Literal literal ? literal.whole() : OptionalLong.empty();
    if (id.isEmpty() || id.getAsLong() < 0) {
      return value; // null, or −1 for "none"
    }
    long mapped = newId.applyAsLong(id.getAsLong());
    return mapped < 0 ? Literal.NULL : Literal.of(mapped);
  }
}

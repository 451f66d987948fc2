package dev.rowan.analysis.edit;

import dev.rowan.formats.json.JsonTree;
import dev.rowan.formats.json.JsonTree.Elements;
import dev.rowan.formats.json.JsonTree.Literal;
import dev.rowan.formats.json.JsonTree.Members;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.LongUnaryOperator;
import java.util.regex.Pattern;

/** Brings the files that name ids and numbers of rows in line with the edited tables. */
final class ConfigEdit {
  private static final List<String> TEXT_CONFIGS =
      List.of("text_config", "llm_config", "language_config");

  /** Settings that hold ids of tokens, alone or in lists. */
  private static final Pattern IDS =
      Pattern.compile(
          ".*_token_ids?|.*_token_index|suppress_tokens|begin_suppress_tokens|forced_decoder_ids|bad_words_ids|.*_token_ids_.*");

  private final ModelFolder model;
  private final TextDrafts drafts;

  ConfigEdit(ModelFolder model, TextDrafts drafts) {
    this.model = model;
    this.drafts = drafts;
  }

  /** Writes the number of rows wherever a config gives one. */
  void rows(long rows) throws IOException {
    for (Path file : model.named("config.json")) {
      Members root = drafts.json(file).orElseThrow();
      set(file, root, "vocab_size", rows);
      for (String inner : TEXT_CONFIGS) {
        if (root.object(inner).isPresent()) {
          set(file, root.object(inner).get(), inner + ".vocab_size", rows);
        }
      }
    }
  }

  private void set(Path file, Members members, String path, long rows) {
    OptionalLong before = members.whole("vocab_size");
    if (before.isPresent() && before.getAsLong() != rows) {
      members.put("vocab_size", Literal.of(rows));
      drafts.change(file, path, Long.toString(before.getAsLong()), Long.toString(rows));
    }
  }

  /**
   * Gives ids their new numbers in config.json and generation_config.json.
   *
   * @param newId the new id of an old one; −1 if it has gone
   */
  void ids(LongUnaryOperator newId) throws IOException {
    for (String name : List.of("config.json", "generation_config.json")) {
      for (Path file : model.named(name)) {
        walk(file, drafts.json(file).orElseThrow(), "", newId);
      }
    }
  }

  private void walk(Path file, Members members, String prefix, LongUnaryOperator newId) {
    for (Map.Entry<String, JsonTree> member : members.members().entrySet()) {
      String path = prefix + member.getKey();
      if (IDS.matcher(member.getKey()).matches()) {
        String before = shown(member.getValue());
        member.setValue(mapped(member.getValue(), newId));
        String after = shown(member.getValue());
        if (!before.equals(after)) {
          drafts.change(file, path, before, after);
        }
      } else if (member.getValue() instanceof Members inner) {
        walk(file, inner, path + ".", newId);
      }
    }
  }

  /** An id that has gone becomes null, and leaves a list. */
  private static JsonTree mapped(JsonTree value, LongUnaryOperator newId) {
    if (value instanceof Elements(List<JsonTree> elements)) {
      elements.replaceAll(element -> mapped(element, newId));
      elements.removeIf(Literal.NULL::equals);
      return value;
    }
    OptionalLong id = value instanceof Literal literal ? literal.whole() : OptionalLong.empty();
    if (id.isEmpty() || id.getAsLong() < 0) {
      return value; // null, or −1 for "none"
    }
    long mapped = newId.applyAsLong(id.getAsLong());
    return mapped < 0 ? Literal.NULL : Literal.of(mapped);
  }

  private static String shown(JsonTree value) {
    return new String(value.text(JsonTree.Layout.COMPACT), java.nio.charset.StandardCharsets.UTF_8);
  }

  /** Writes the sizes into the index of the shards. */
  void index(long bytesBefore, long bytesAfter, long numbersBefore, long numbersAfter)
      throws IOException {
    if (model.index().isEmpty()) {
      return;
    }
    Path file = model.index().get();
    Members metadata = drafts.json(file).orElseThrow().object("metadata").orElse(Members.empty());
    update(file, metadata, "total_size", bytesAfter - bytesBefore);
    update(file, metadata, "total_parameters", numbersAfter - numbersBefore);
  }

  private void update(Path file, Members metadata, String name, long difference) {
    OptionalLong before = metadata.whole(name);
    if (before.isPresent() && difference != 0) {
      long after = Math.addExact(before.getAsLong(), difference);
      metadata.put(name, Literal.of(after));
      drafts.change(
          file, "metadata." + name, Long.toString(before.getAsLong()), Long.toString(after));
    }
  }
}

package dev.rowan.analysis.edit;

import dev.rowan.formats.json.JsonTree;
import dev.rowan.formats.json.JsonTree.Literal;
import dev.rowan.formats.json.JsonTree.Members;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.LongUnaryOperator;

/** Brings the files that name ids and numbers of rows in line with the edited tables. */
final class ConfigEdit {
  private static final List<String> TEXT_CONFIGS =
      List.of("text_config", "llm_config", "language_config");

  /** What configs call the number of rows of a table, which all have as many here. */
  private static final List<String> SIZES =
      List.of("vocab_size", "n_vocab", "decoder_vocab_size", "src_vocab_size", "tgt_vocab_size");

  private final ModelFolder model;
  private final TextDrafts drafts;

  ConfigEdit(ModelFolder model, TextDrafts drafts) {
    this.model = model;
    this.drafts = drafts;
  }

  /** Writes the number of rows wherever a config gives one, of a model's halves too. */
  void rows(long before, long rows) throws IOException {
    for (Path file : model.named("config.json")) {
      Members root = drafts.json(file).orElseThrow();
      set(file, root, "", rows);
      for (String inner : TEXT_CONFIGS) {
        root.object(inner).ifPresent(config -> set(file, config, inner + ".", rows));
      }
      for (String half : List.of("encoder", "decoder")) {
        root.object(half)
            .filter(config -> config.whole("vocab_size").equals(OptionalLong.of(before)))
            .ifPresent(config -> set(file, config, half + ".", rows));
      }
    }
  }

  private void set(Path file, Members members, String prefix, long rows) {
    for (String name : SIZES) {
      OptionalLong before = members.whole(name);
      if (before.isPresent() && before.getAsLong() != rows) {
        members.put(name, Literal.of(rows));
        drafts.change(file, prefix + name, Long.toString(before.getAsLong()), Long.toString(rows));
      }
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
      if (ConfigIds.holds(member.getKey())) {
        String before = shown(member.getValue());
        member.setValue(ConfigIds.mapped(member.getKey(), member.getValue(), newId));
        String after = shown(member.getValue());
        if (!before.equals(after)) {
          drafts.change(file, path, before, after);
        }
      } else if (member.getValue() instanceof Members inner) {
        walk(file, inner, path + ".", newId);
      }
    }
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

package dev.rowan.analysis.edit;

import dev.rowan.core.Counted;
import dev.rowan.core.Vocabulary;
import dev.rowan.formats.json.JsonTree;
import dev.rowan.formats.json.JsonTree.Elements;
import dev.rowan.formats.json.JsonTree.Literal;
import dev.rowan.formats.json.JsonTree.Members;
import dev.rowan.formats.json.JsonTree.Text;
import dev.rowan.formats.tokenizer.TokenizerFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Stream;

/** Takes tokens out of a model's tokenizer files and gives the others their new ids. */
final class TokenRewrite {
  /** Files that cannot be rewritten; beside a tokenizer.json readers do without them. */
  private static final List<String> OPAQUE =
      Stream.concat(
              TokenizerFile.PIECES.stream(), Stream.of("source.spm", "target.spm", "qwen.tiktoken"))
          .toList();

  private final ModelFolder model;
  private final TextDrafts drafts;
  private final Vocabulary vocabulary;
  private final IdMap ids;
  private final Set<String> staying = new HashSet<>();

  TokenRewrite(ModelFolder model, TextDrafts drafts, Vocabulary vocabulary, IdMap ids) {
    this.model = model;
    this.drafts = drafts;
    this.vocabulary = vocabulary;
    this.ids = ids;
    for (long id : ids.kept()) {
      if (vocabulary.has(id)) {
        staying.add(vocabulary.stored(id));
      }
    }
  }

  void write() throws IOException {
    for (Path file : model.named("tokenizer.json")) {
      tokenizer(file, drafts.json(file).orElseThrow());
    }
    for (Path file : model.named("tokenizer_config.json")) {
      Members root = drafts.json(file).orElseThrow();
      if (root.object("added_tokens_decoder").isPresent()) {
        root.put("added_tokens_decoder", decoder(root.object("added_tokens_decoder").get()));
        drafts.change(file, "added_tokens_decoder", "old ids", "new ids");
      }
    }
    for (String name : List.of("added_tokens.json", "vocab.json")) {
      for (Path file : model.named(name)) {
        Members root = drafts.json(file).orElseThrow();
        int before = root.members().size();
        map(root);
        drafts.change(file, "tokens", count(before), count(root.members().size()));
      }
    }
    for (Path file : model.named("merges.txt")) {
      mergeLines(file);
    }
    for (Path file : model.named("vocab.txt")) {
      tokenLines(file);
    }
    for (String name : OPAQUE) {
      for (Path file : model.named(name)) {
        drafts.remove(file);
      }
    }
    writeMap();
  }

  private void tokenizer(Path file, Members root) {
    Members model = root.object("model").orElseThrow();
    int before;
    int after;
    switch (model.find("vocab").orElse(Literal.NULL)) {
      case Members vocab -> {
        before = vocab.members().size();
        map(vocab);
        after = vocab.members().size();
      }
      case Elements(List<JsonTree> pieces) -> {
        before = pieces.size();
        List<JsonTree> left = new ArrayList<>();
        for (int id = 0; id < pieces.size(); id++) {
          if (ids.of(id) >= 0) {
            left.add(pieces.get(id));
          }
        }
        pieces.clear();
        pieces.addAll(left);
        after = left.size();
      }
      case Text _, Literal _ -> throw new IllegalStateException("was checked before");
    }
    drafts.change(file, "model.vocab", count(before), count(after));
    renumber(model, "unk_id");
    model.array("merges").ifPresent(merges -> merges(file, model, merges));
    for (JsonTree added : root.array("added_tokens").map(Elements::elements).orElse(List.of())) {
      if (added instanceof Members token) {
        renumber(token, "id");
      }
    }
    root.object("padding").ifPresent(padding -> renumber(padding, "pad_id"));
    root.find("post_processor").ifPresent(this::postProcessor);
  }

  private static String count(int tokens) {
    return Counted.of(tokens, "token");
  }

  /** A map from tokens to ids. */
  private void map(Members tokens) {
    Map<String, JsonTree> left = new LinkedHashMap<>();
    tokens
        .members()
        .forEach((token, value) -> {
          OptionalLong id =
              value instanceof Literal literal ? literal.whole() : OptionalLong.empty();
          int renumbered = id.isPresent() ? ids.of(id.getAsLong()) : -1;
          if (renumbered >= 0) {
            left.put(token, Literal.of(renumbered));
          }
        });
    tokens.members().clear();
    tokens.members().putAll(left);
  }

  private void renumber(Members members, String name) {
    OptionalLong id = members.whole(name);
    if (id.isPresent() && ids.of(id.getAsLong()) >= 0) {
      members.put(name, Literal.of(ids.of(id.getAsLong())));
    }
  }

  private void merges(Path file, Members model, Elements merges) {
    MergeList list = TokenRemoval.merges(model);
    List<JsonTree> left = new ArrayList<>();
    for (int i = 0; i < list.count(); i++) {
      if (list.stays(i, staying)) {
        left.add(merges.elements().get(i));
      }
    }
    merges.elements().clear();
    merges.elements().addAll(left);
    drafts.change(
        file,
        "model.merges",
        "%,d merges".formatted(list.count()),
        "%,d merges".formatted(left.size()));
  }

  /**
   * The ids in post-processors stand beside the tokens that they are of. Some files name ids of
   * another vocabulary there (MinishLab/model2vec#335); those stay.
   */
  private void postProcessor(JsonTree value) {
    switch (value) {
      case Members members -> {
        if (members.array("ids").isPresent() && members.array("tokens").isPresent()) {
          List<JsonTree> numbers = members.array("ids").get().elements();
          List<JsonTree> tokens = members.array("tokens").get().elements();
          for (int i = 0; i < Math.min(numbers.size(), tokens.size()); i++) {
            numbers.set(i, renumbered(numbers.get(i), tokens.get(i)));
          }
        }
        members.members().values().forEach(this::postProcessor);
      }
      case Elements(List<JsonTree> elements) -> {
        if (elements.size() == 2 && elements.get(0) instanceof Text) { // ["[SEP]", 102]
          elements.set(1, renumbered(elements.get(1), elements.get(0)));
        }
        elements.forEach(this::postProcessor);
      }
      case Text _, Literal _ -> {}
    }
  }

  private JsonTree renumbered(JsonTree id, JsonTree token) {
    if (id instanceof Literal literal
        && token instanceof Text(String text)
        && literal.whole().isPresent()) {
      long old = literal.whole().getAsLong();
      boolean same = vocabulary.has(old) && vocabulary.stored(old).equals(text);
      return same && ids.of(old) >= 0 ? Literal.of(ids.of(old)) : id;
    }
    return id;
  }

  private Members decoder(Members old) {
    Members renumbered = Members.empty();
    old.members()
        .forEach((key, value) -> {
          OptionalLong id = new Literal(key).whole();
          int to = id.isPresent() ? ids.of(id.getAsLong()) : -1;
          if (to >= 0) {
            renumbered.put(Integer.toString(to), value);
          }
        });
    return renumbered;
  }

  private void mergeLines(Path file) throws IOException {
    List<String> lines = new String(drafts.text(file), StandardCharsets.UTF_8).lines().toList();
    StringBuilder left = new StringBuilder();
    int before = 0;
    int after = 0;
    for (String line : lines) {
      boolean merge = TokenRemoval.isMerge(line);
      before += merge ? 1 : 0;
      if (!merge || MergeList.ofLines(List.of(line)).stays(0, staying)) {
        left.append(line).append('\n');
        after += merge ? 1 : 0;
      }
    }
    drafts.text(file, left.toString().getBytes(StandardCharsets.UTF_8));
    drafts.change(file, "merges", Counted.of(before, "merge"), Counted.of(after, "merge"));
  }

  private void tokenLines(Path file) throws IOException {
    List<String> lines = new String(drafts.text(file), StandardCharsets.UTF_8).lines().toList();
    StringBuilder left = new StringBuilder();
    int after = 0;
    for (int id = 0; id < lines.size(); id++) {
      if (ids.of(id) >= 0) {
        left.append(lines.get(id)).append('\n');
        after++;
      }
    }
    drafts.text(file, left.toString().getBytes(StandardCharsets.UTF_8));
    drafts.change(file, "lines", count(lines.size()), count(after));
  }

  /** Which row is which, for whoever has ids of the old model. */
  private void writeMap() {
    StringBuilder lines = new StringBuilder("new_id\told_id\ttoken\n");
    long[] kept = ids.kept();
    for (int id = 0; id < kept.length; id++) {
      String token = vocabulary.has(kept[id]) ? vocabulary.stored(kept[id]) : "";
      lines.append(id).append('\t').append(kept[id]).append('\t');
      lines.append(
          new String(new Text(token).text(JsonTree.Layout.COMPACT), StandardCharsets.UTF_8));
      lines.append('\n');
    }
    Path file = Path.of("token-ids.tsv");
    drafts.text(file, lines.toString().getBytes(StandardCharsets.UTF_8));
    drafts.change(file, "the old id of each new one", "", Counted.of(kept.length, "line"));
  }
}

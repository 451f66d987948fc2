package dev.rowan.analysis.edit;

import dev.rowan.core.Vocabulary;
import dev.rowan.formats.file.FileKind;
import dev.rowan.formats.file.FormatException;
import dev.rowan.formats.file.MappedFile;
import dev.rowan.formats.tokenizer.TokenizerFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;

/**
 * Gives a model another tokenizer: rows of tokens that both have are copied, others are made as the
 * initialisation says, and the tokenizer's files change places.
 */
final class Transplant {
  private static final List<String> FILES =
      Stream.concat(
              TokenizerFile.PIECES.stream(),
              Stream.of(
                  "tokenizer.json",
                  "tokenizer_config.json",
                  "special_tokens_map.json",
                  "added_tokens.json",
                  "vocab.json",
                  "merges.txt",
                  "vocab.txt",
                  "source.spm",
                  "target.spm",
                  "qwen.tiktoken"))
          .toList();

  private final Editor editor;
  private final ModelFolder model;
  private final TextDrafts drafts;
  private final RowLayout layout;
  private final List<String> notes;

  Transplant(
      Editor editor, ModelFolder model, TextDrafts drafts, RowLayout layout, List<String> notes) {
    this.editor = editor;
    this.model = model;
    this.drafts = drafts;
    this.layout = layout;
    this.notes = notes;
  }

  Reference of(Path donor, Initialisation others) throws IOException {
    if (!Files.isDirectory(donor)) {
      throw new IllegalArgumentException(
          "there is no folder \"%s\" to take a tokenizer from".formatted(donor));
    }
    if (!layout.isUnchanged()) {
      throw new IllegalArgumentException(
          "a tokenizer is transplanted before rows are edited; do the two one after the other");
    }
    TokenizerFile tokenizer = TokenizerFile.of(donor);
    if (!tokenizer.hasSameIdsBeside(model.folder().resolve("config.json"))) {
      throw new IllegalArgumentException(
          "the ids of %s depend on the class it belongs to, which only the config.json beside it tells, and that stays behind; name the class in a tokenizer_config.json there (\"tokenizer_class\")"
              .formatted(tokenizer.path()));
    }
    Vocabulary theirs = tokenizer.vocabulary();
    Vocabulary ours =
        model
            .vocabulary()
            .orElseThrow(() ->
                new IllegalArgumentException(
                    "the model has no tokenizer, so it is not known which of its rows are which"
                        + " tokens"));
    long rows = layout.oldRows();
    int[] source = shared(theirs, ours, donor);
    OtherRows made = OtherRows.of(others, editor, model, donor, source);
    layout.restart(theirs.size());
    long copied = 0;
    for (int id = 0; id < theirs.size(); id++) {
      if (source[id] >= 0 && source[id] < rows) {
        layout.set(id, (long) source[id]);
        copied++;
      } else if (theirs.has(id)) {
        layout.set(id, made.recipe(theirs, id));
      } else {
        layout.set(id, new Recipe.Mean());
      }
    }
    notes.add(
        "%,d of the %,d tokens of the new tokenizer have a row in the old table, which is copied; the others' are made: %s"
            .formatted(copied, theirs.tokens(), made.method()));
    if (made.withoutPieces() > 0) {
      notes.add(
          "%,d new tokens have nothing to be made of; their rows are the mean of all rows"
              .formatted(made.withoutPieces()));
    }
    moveFiles(donor);
    renumberConfig(source, ours, theirs, donor);
    return new Reference(donor, theirs, List.of(), id -> id);
  }

  /** Returns the old id of each new one; −1 where there is none. */
  private int[] shared(Vocabulary theirs, Vocabulary ours, Path donor) throws IOException {
    Matching matching = new Matching(ours, model.folder());
    int[] source = new int[theirs.size()];
    for (int id = 0; id < source.length; id++) {
      source[id] = theirs.has(id) ? matching.find(theirs, id).orElse(-1) : -1;
    }
    Matching.roles(theirs, donor)
        .forEach((role, id) -> {
          OptionalInt same = matching.role(role);
          if (source[id] < 0 && same.isPresent()) {
            source[id] = same.getAsInt();
          }
        });
    return source;
  }

  private void moveFiles(Path donor) throws IOException {
    for (String name : FILES) {
      for (Path file : model.named(name)) {
        drafts.remove(file);
        drafts.change(file, "the whole file", "the old tokenizer's", "");
      }
    }
    for (String name : FILES) {
      Path file = donor.resolve(name);
      if (Files.isRegularFile(file)) {
        try (MappedFile mapped = MappedFile.open(file)) {
          if (FileKind.of(mapped.bytes()) == FileKind.GIT_LFS_POINTER) {
            throw new FormatException(
                file,
                "is a Git LFS pointer, not the tokenizer; fetch the real file with git lfs pull");
          }
        }
        drafts.text(Path.of(name), Files.readAllBytes(file));
        drafts.change(Path.of(name), "the whole file", "", "the new tokenizer's");
      }
    }
  }

  /** Ids in the config follow their tokens; those of a role follow the role. */
  private void renumberConfig(int[] source, Vocabulary ours, Vocabulary theirs, Path donor)
      throws IOException {
    Map<Long, Long> newId = new HashMap<>();
    Map<String, Integer> roles = Matching.roles(theirs, donor);
    Matching.roles(ours, model.folder())
        .forEach((role, id) -> {
          Integer same = roles.get(role);
          if (same != null) {
            newId.put((long) id, (long) same);
          }
        });
    for (int id = source.length - 1; id >= 0; id--) {
      if (source[id] >= 0) {
        newId.merge((long) source[id], (long) id, (role, _) -> role);
      }
    }
    new ConfigEdit(model, drafts).ids(id -> Optional.ofNullable(newId.get(id)).orElse(-1L));
  }
}

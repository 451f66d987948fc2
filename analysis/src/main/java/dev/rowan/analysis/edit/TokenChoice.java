package dev.rowan.analysis.edit;

import dev.rowan.core.Counted;
import dev.rowan.core.OutOfRange;
import dev.rowan.core.Vocabulary;
import dev.rowan.formats.file.FileKind;
import dev.rowan.formats.file.FormatException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.List;

/** Takes rows away with their tokens: those that a corpus does not use, or those at the end. */
final class TokenChoice {
  private final Editor editor;
  private final ModelFolder model;
  private final TextDrafts drafts;
  private final RowLayout layout;
  private final List<String> notes;

  TokenChoice(
      Editor editor, ModelFolder model, TextDrafts drafts, RowLayout layout, List<String> notes) {
    this.editor = editor;
    this.model = model;
    this.drafts = drafts;
    this.layout = layout;
    this.notes = notes;
  }

  /** Keeps the tokens that texts use, and those that the tokenizer cannot do without. */
  Reference prune(List<Path> corpus, long leastCount) throws IOException {
    OutOfRange.atLeast("min count", leastCount, 1);
    Vocabulary vocabulary = vocabulary();
    TextSplitter splitter =
        editor
            .splitters()
            .open(model.folder())
            .orElseThrow(() ->
                new IllegalArgumentException(
                    "the model has no tokenizer that can split text, so it is not known which"
                        + " tokens a corpus uses"));
    long[] counts = new long[vocabulary.size()];
    for (Path file : corpus) {
      if (FileKind.isPointer(file)) {
        throw new FormatException(
            file, "is a Git LFS pointer, not the text; fetch the real file with git lfs pull");
      }
      long[] more = TokenUse.of(file, splitter, counts.length, editor.workers());
      for (int id = 0; id < counts.length; id++) {
        counts[id] += more[id];
      }
    }
    BitSet used = new BitSet();
    long occurrences = 0;
    for (int id = 0; id < counts.length; id++) {
      occurrences += counts[id];
      used.set(id, counts[id] >= leastCount && id < layout.rows());
    }
    BitSet kept = new TokenRemoval(model, drafts, vocabulary).withNeeded(used);
    kept.clear(Math.toIntExact(layout.rows()), Math.max(kept.length(), (int) layout.rows()));
    notes.add(
        "the corpus has %s and uses %,d; %s because the tokenizer or the config needs them"
            .formatted(
                Counted.of(occurrences, "token"),
                used.cardinality(),
                Counted.of(kept.cardinality() - used.cardinality(), "more stays", "more stay")));
    if (kept.cardinality() == layout.rows()) {
      notes.add("the corpus uses every token, so none goes");
    }
    return keep(kept, corpus);
  }

  /** Keeps the first rows. */
  Reference shrink(long rows) throws IOException {
    OutOfRange.atLeast("shrink", rows, 1);
    if (rows >= layout.rows()) {
      throw new IllegalArgumentException(
          "--shrink %,d takes nothing from the %,d rows there are".formatted(rows, layout.rows()));
    }
    BitSet kept = new BitSet();
    kept.set(0, Math.toIntExact(rows));
    boolean losesTokens = model.vocabulary().filter(known -> known.size() > rows).isPresent();
    if (!losesTokens) {
      layout.keep(IdMap.keeping(kept).kept());
      new ConfigEdit(model, drafts).ids(id -> id < rows ? id : -1);
      Vocabulary known = model.vocabulary().orElseGet(() -> Vocabulary.ofWords(List.of()));
      return new Reference(model.folder(), known, List.of(), id -> id);
    }
    Vocabulary vocabulary = vocabulary();
    BitSet tokens = (BitSet) kept.clone();
    for (int id = 0; id < rows; id++) {
      tokens.set(id, vocabulary.has(id));
    }
    BitSet needed = new BitSet();
    for (int id = 0; id < vocabulary.size(); id++) {
      // what a config names is cleared by a shrink that was asked for, so it is no reason
      needed.set(id, vocabulary.has(id) && vocabulary.isAdded(id));
    }
    TokenRemoval.firstMissing(needed, tokens)
        .ifPresent(id -> {
          throw new IllegalArgumentException(
              "the tokenizer cannot do without \"%s\", #%d, so %,d rows are too few; use --prune-to to choose tokens"
                  .formatted(vocabulary.stored(id), id, rows));
        });
    new TokenRemoval(model, drafts, vocabulary).checkCanRewrite();
    return keep(kept, List.of());
  }

  private Vocabulary vocabulary() {
    return model
        .vocabulary()
        .orElseThrow(() ->
            new IllegalArgumentException("the model has no tokenizer, so its rows have no tokens"));
  }

  private Reference keep(BitSet kept, List<Path> texts) throws IOException {
    IdMap ids = IdMap.keeping(kept);
    layout.keep(ids.kept());
    new TokenRewrite(model, drafts, vocabulary(), ids).write();
    new ConfigEdit(model, drafts).ids(ids::of);
    return new Reference(model.folder(), vocabulary(), texts, ids::of);
  }
}

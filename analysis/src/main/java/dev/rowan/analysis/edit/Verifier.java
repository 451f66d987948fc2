package dev.rowan.analysis.edit;

import dev.rowan.analysis.edit.EditPlan.Parts;
import dev.rowan.analysis.edit.Verification.Check;
import dev.rowan.core.Counted;
import dev.rowan.core.Ids;
import dev.rowan.core.Lexicon;
import dev.rowan.core.Table;
import dev.rowan.core.Vocabulary;
import dev.rowan.core.Workers;
import dev.rowan.formats.Models;
import dev.rowan.formats.config.ModelConfig;
import dev.rowan.formats.tensor.TensorInfo;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Opens the result as any reader would and compares it with the old model, byte by byte. A check
 * that fails is our bug and ends the edit before the folder gets its name.
 */
final class Verifier {
  private static final int TURN_ROWS = 1024;
  private static final long TURN_BYTES = 1 << 22;
  private static final int SAMPLE = 200; // tokens of the old vocabulary that are split again

  private final Parts parts;
  private final Path draft;
  private final Set<Path> rewritten;
  private final Map<Path, byte[]> texts;
  private final List<Check> checks = new ArrayList<>();

  Verifier(Parts parts, Path draft, Set<Path> rewritten, Map<Path, byte[]> texts) {
    this.parts = parts;
    this.draft = draft;
    this.rewritten = rewritten;
    this.texts = texts;
  }

  Verification verify() throws IOException {
    try (Lexicon result = Models.open(draft, parts.request().open())) {
      shapes(result);
      compareShards();
      compareFiles();
      lookup(result);
      tokens(result);
    }
    return new Verification(checks);
  }

  private void shapes(Lexicon result) throws IOException {
    Table table = result.input().table();
    long rows = parts.layout().rows();
    require(
        table.rows() == rows && result.input().tensor().equals(old().input().tensor()),
        "the input table of the result is \"%s\" with %d rows"
            .formatted(result.input().tensor(), table.rows()));
    for (Path file : parts.model().named("config.json")) {
      ModelConfig config = ModelConfig.read(draft.resolve(file));
      require(
          config.vocabularySize().isEmpty() || config.vocabularySize().getAsLong() == rows,
          "%s says vocab_size %s".formatted(file, config.vocabularySize()));
    }
    checks.add(
        new Check(
            "shapes and config agree",
            "%,d × %,d %s".formatted(rows, table.width(), table.format().label())));
    require(
        result.tie().isTied() == old().tie().isTied(),
        "the tables were %s and are %s".formatted(old().tie(), result.tie()));
    checks.add(
        new Check(
            old().tie().isTied() ? "tied tables stay tied" : "the tables relate as before",
            result.tieEvidence()));
  }

  private Lexicon old() {
    return parts.model().lexicon();
  }

  /** Old rows keep their bytes, made ones are what the plan makes, other tensors are untouched. */
  private void compareShards() throws IOException {
    long sameRows = 0;
    long madeRows = 0;
    int sameTensors = 0;
    for (Shard shard : parts.model().shards()) {
      Path place = draft.resolve(shard.relative());
      if (Files.isSameFile(place, shard.file())) {
        sameTensors += shard.header().tensors().size();
        continue;
      }
      try (Shard written = Shard.open(draft, place)) {
        require(
            written.header().metadata().equals(shard.header().metadata()),
            "%s lost its metadata".formatted(shard.relative()));
        for (TensorInfo before : shard.header().tensors()) {
          TensorInfo after = find(written, before.name());
          EditedRows rows = parts.edited().get(before.name());
          if (rows == null) {
            require(
                before.dtype().equals(after.dtype())
                    && before.shape().equals(after.shape())
                    && areSame(shard.data(before), written.data(after)),
                "tensor \"%s\" changed".formatted(before.name()));
            sameTensors++;
          } else {
            long verbatim = compareRows(rows, written.data(after));
            sameRows += verbatim;
            madeRows += rows.layout().rows() - verbatim;
          }
        }
        require(
            written.header().tensors().size() == shard.header().tensors().size(),
            "%s has other tensors".formatted(shard.relative()));
      }
    }
    if (sameRows > 0) {
      checks.add(
          new Check("old rows are bit-identical", Counted.of(sameRows, "row") + " compared"));
    }
    if (madeRows > 0) {
      checks.add(new Check("new rows are as planned", Counted.of(madeRows, "row") + " made again"));
    }
    checks.add(
        new Check("other tensors are untouched", Counted.of(sameTensors, "tensor") + " compared"));
  }

  private boolean areSame(MemorySegment before, MemorySegment after) {
    if (before.byteSize() != after.byteSize()) {
      return false;
    }
    AtomicBoolean same = new AtomicBoolean(true);
    long size = before.byteSize();
    parts
        .editor()
        .workers()
        .run(
            Math.ceilDiv(size, TURN_BYTES),
            () ->
                turn -> {
                  long at = turn * TURN_BYTES;
                  long count = Math.min(TURN_BYTES, size - at);
                  if (before.asSlice(at, count).mismatch(after.asSlice(at, count)) >= 0) {
                    same.set(false);
                  }
                });
    return same.get();
  }

  private static TensorInfo find(Shard shard, String name) {
    return shard.header().tensors().stream()
        .filter(tensor -> tensor.name().equals(name))
        .findFirst()
        .orElseThrow(() -> new IllegalStateException("the result lost tensor \"" + name + "\""));
  }

  /** Returns how many rows have the bytes of old ones. */
  private long compareRows(EditedRows rows, MemorySegment written) {
    long rowBytes = rows.rowBytes();
    AtomicLong verbatim = new AtomicLong();
    RowEncoder encoder = RowEncoder.of(rows.numbers().dtype()).orElseThrow();
    MemorySegment old = rows.tensor().table().data();
    Workers workers = parts.editor().workers();
    workers.run(
        Math.ceilDiv(rows.layout().rows(), (long) TURN_ROWS),
        () -> {
          Blend.Reader reader = rows.reader();
          float[] row = new float[rows.width()];
          MemorySegment made = Arena.ofAuto().allocate(rowBytes);
          return turn -> {
            long end = Math.min((turn + 1) * TURN_ROWS, rows.layout().rows());
            for (long id = turn * TURN_ROWS; id < end; id++) {
              long source = rows.verbatim(id);
              MemorySegment expected = made;
              if (source >= 0) {
                verbatim.incrementAndGet();
                expected = old.asSlice(source * rowBytes, rowBytes);
              } else {
                reader.read(id, row);
                encoder.encode(row, made, 0);
              }
              long differs = expected.mismatch(written.asSlice(id * rowBytes, rowBytes));
              require(
                  differs < 0,
                  "row %d of %s is not as planned".formatted(id, rows.tensor().title()));
            }
          };
        });
    return verbatim.get();
  }

  private void compareFiles() throws IOException {
    int same = 0;
    for (Path file : parts.model().files().kept()) {
      boolean changed =
          texts.containsKey(file)
              || rewritten.contains(file)
              || parts.drafts().removed().contains(file);
      if (!changed) {
        Path before = parts.model().folder().resolve(file);
        boolean weights = parts.model().shards().stream().anyMatch(s -> s.relative().equals(file));
        require(weights || Files.mismatch(before, draft.resolve(file)) < 0, file + " changed");
        same++;
      }
    }
    checks.add(new Check("other files are untouched", Counted.of(same, "file") + " compared"));
  }

  private void lookup(Lexicon result) {
    Table table = result.input().table();
    long last = table.rows() - 1;
    float[] rows = table.lookup(Ids.of(0, last)).values();
    float[] single = table.row(last);
    for (int i = 0; i < single.length; i++) {
      require(
          Float.floatToRawIntBits(rows[single.length + i]) == Float.floatToRawIntBits(single[i]),
          "lookup of row " + last);
    }
    checks.add(new Check("lookup works", "rows 0 and %,d".formatted(last)));
  }

  private void tokens(Lexicon result) throws IOException {
    Optional<Vocabulary> vocabulary = result.vocabulary();
    if (vocabulary.isEmpty()) {
      return;
    }
    for (AddedToken token : parts.added()) {
      require(
          vocabulary.get().has(token.id())
              && vocabulary.get().stored(token.id()).equals(token.token().text()),
          "id %d does not name \"%s\"".formatted(token.id(), token.token().text()));
    }
    Optional<TextSplitter> splitter = parts.editor().splitters().open(draft);
    Reference reference =
        parts
            .reference()
            .orElseGet(() ->
                new Reference(
                    parts.model().folder(),
                    parts.model().vocabulary().orElseThrow(),
                    List.of(),
                    id -> id));
    Optional<TextSplitter> before = parts.editor().splitters().open(reference.folder());
    if (splitter.isEmpty() || before.isEmpty()) {
      checks.add(
          new Check(
              "tokens have their ids", "%,d tokens read".formatted(vocabulary.get().tokens())));
      return;
    }
    for (AddedToken token : parts.added()) {
      long[] ids = splitter.get().split(token.token().text());
      if (ids.length != 1 || ids[0] != token.id()) {
        throw new IllegalArgumentException(
            "the tokenizer splits \"%s\" into %d tokens instead of giving #%d: its rules change or cut that text before tokens are looked for; add it in the form that they leave, or as a special token"
                .formatted(token.token().text(), ids.length, token.id()));
      }
    }
    int sampled =
        TokenSample.compare(reference, parts.added(), before.get(), splitter.get(), SAMPLE);
    long lines = TextSample.compare(reference, parts.added(), before.get(), splitter.get());
    if (lines > 0) {
      checks.add(new Check("the corpus splits as before", Counted.of(lines, "line") + " split"));
    }
    checks.add(
        new Check(
            "text splits as %s".formatted(parts.reference().isPresent() ? "planned" : "before"),
            "%,d added and %,d other tokens split".formatted(parts.added().size(), sampled)));
  }

  private static void require(boolean holds, String found) {
    if (!holds) {
      throw new IllegalStateException("the result is not what was planned: " + found);
    }
  }
}

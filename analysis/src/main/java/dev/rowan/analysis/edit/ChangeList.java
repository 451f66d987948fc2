package dev.rowan.analysis.edit;

import dev.rowan.analysis.edit.EditPlan.Parts;
import dev.rowan.core.Vocabulary;
import dev.rowan.formats.safetensors.SafetensorsWriter.Place;
import dev.rowan.formats.tensor.TensorInfo;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Puts what changes into words. */
final class ChangeList {
  private final Parts parts;
  private final Optional<Vocabulary> vocabulary;
  private final Map<Long, String> added;
  private final List<Change> changes = new ArrayList<>();

  ChangeList(Parts parts) {
    this.parts = parts;
    this.vocabulary = parts.model().vocabulary();
    this.added = parts.addedTokens();
  }

  List<Change> all() {
    for (Shard shard : parts.model().shards()) {
      for (TensorInfo tensor : shard.header().tensors()) {
        EditedRows rows = parts.edited().get(tensor.name());
        if (rows != null) {
          tensor(shard, tensor, rows);
        }
      }
    }
    if (!parts.edited().isEmpty()) {
      rows();
    }
    changes.addAll(parts.drafts().changes());
    return List.copyOf(changes);
  }

  private void tensor(Shard shard, TensorInfo tensor, EditedRows rows) {
    Place place = ShardWriter.place(tensor, parts.edited());
    StringBuilder after = new StringBuilder(shape(place.shape(), place.dtype().shown()));
    rows.numbers().blend().ifPresent(blend -> after.append(", ").append(blend.description()));
    rows.numbers()
        .shapes()
        .forEach(shape ->
            after.append(
                switch (shape) {
                  case CENTRED -> ", the mean row taken from each row";
                  case UNIT -> ", each row divided by its length";
                }));
    changes.add(
        new Change(
            shard.relative().toString(),
            rows.tensor().title(),
            shape(tensor.shape(), tensor.dtype().shown()),
            after.toString()));
  }

  private static String shape(List<Long> shape, String dtype) {
    return String.join(" × ", shape.stream().map(String::valueOf).toList()) + " " + dtype;
  }

  /** Rows that become something else, those of one sort together. */
  private void rows() {
    RowLayout layout = parts.layout();
    String file = parts.model().shard(main().info()).relative().toString();
    if (parts.reference().isPresent()) {
      moved(file);
      return;
    }
    long row = 0;
    while (row < layout.rows()) {
      if (layout.source(row) == row) {
        row++;
        continue;
      }
      String after = after(row);
      long end = row + 1;
      while (end < layout.rows() && joins(row, end) && after(end).equals(after)) {
        end++;
      }
      changes.add(new Change(file, title(row, end), before(row), after));
      row = end;
    }
    if (layout.rows() < layout.oldRows()) {
      changes.add(
          new Change(
              file, "rows %d to %d".formatted(layout.rows(), layout.oldRows() - 1), "rows", ""));
    }
  }

  /** Where tokens go or change, nearly every row moves: rows that are made are named alone. */
  private void moved(String file) {
    RowLayout layout = parts.layout();
    long kept = 0;
    for (long row = 0; row < layout.rows(); row++) {
      kept += layout.source(row) >= 0 ? 1 : 0;
    }
    changes.add(
        new Change(
            file,
            "rows",
            "%,d rows".formatted(layout.oldRows()),
            "%,d of them, and %,d that are made".formatted(kept, layout.rows() - kept)));
    long row = 0;
    while (row < layout.rows()) {
      long end = row + 1;
      if (layout.source(row) < 0) {
        while (end < layout.rows() && layout.source(end) < 0 && after(end).equals(after(row))) {
          end++;
        }
        changes.add(new Change(file, renamed(row, end), "", after(row)));
      }
      row = end;
    }
  }

  private String renamed(long from, long end) {
    Optional<Vocabulary> names = parts.reference().map(Reference::vocabulary);
    boolean transplanted =
        parts.reference().filter(r -> !r.folder().equals(parts.model().folder())).isPresent();
    return end == from + 1 && transplanted
        ? "row %d%s".formatted(from, named(names, from))
        : end == from + 1 ? "row " + from : "rows %d to %d".formatted(from, end - 1);
  }

  /** New tokens stand alone, and so do rows that were there: each has a name. */
  private boolean joins(long row, long next) {
    long old = parts.layout().oldRows();
    return parts.layout().source(next) != next
        && !added.containsKey(row)
        && !added.containsKey(next)
        && (row >= old) == (next >= old);
  }

  private TokenTensor main() {
    return parts.edited().values().iterator().next().tensor();
  }

  private String title(long from, long end) {
    String token = added.get(from);
    if (end == from + 1 && token != null) {
      return "row %d \"%s\"".formatted(from, token);
    }
    return end == from + 1
        ? "row %d%s".formatted(from, named(from))
        : "rows %d to %d".formatted(from, end - 1);
  }

  private String named(long id) {
    return named(vocabulary, id);
  }

  private static String named(Optional<Vocabulary> vocabulary, long id) {
    return vocabulary
        .filter(known -> known.has(id))
        .map(known -> " \"" + known.text(id) + "\"")
        .orElse("");
  }

  private String before(long row) {
    return row < parts.layout().oldRows() ? "as it was" : "";
  }

  private String after(long row) {
    long source = parts.layout().source(row);
    return source >= 0
        ? "old row %d%s".formatted(source, named(source))
        : parts.layout().recipe(row).orElseThrow().description();
  }
}

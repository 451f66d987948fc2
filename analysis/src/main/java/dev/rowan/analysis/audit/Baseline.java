package dev.rowan.analysis.audit;

import dev.rowan.formats.file.FormatException;
import dev.rowan.formats.file.MappedFile;
import dev.rowan.formats.file.NewFile;
import dev.rowan.formats.json.JsonReader;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;

/**
 * Findings that are known and need not fail a build, kept in a file beside the model.
 *
 * <p>The file is one JSON object, ids ascending, one rule a line so that changes show in a diff:
 *
 * <pre>
 * {
 *   "rowanAuditBaseline": 1,
 *   "rows": 30522,
 *   "width": 384,
 *   "zero": [],
 *   "under-trained": [1401, 1402]
 * }
 * </pre>
 *
 * <p>A rule that the file does not name knows nothing. A list under a name that is no rule is
 * refused, since a mistyped rule would know nothing either; other fields are left alone.
 *
 * <p>Immutable.
 */
public final class Baseline {
  /** Knows nothing. */
  public static final Baseline NONE = new Baseline(Map.of());

  private static final String VERSION_FIELD = "rowanAuditBaseline";
  private static final long VERSION = 1;

  private final Map<Rule, long[]> known; // ids ascending

  private Baseline(Map<Rule, long[]> known) {
    this.known = known;
  }

  /** Returns the baseline that knows everything that an audit found. */
  public static Baseline of(Audit audit) {
    Map<Rule, long[]> known = new EnumMap<>(Rule.class);
    for (Rule rule : Rule.values()) {
      known.put(rule, audit.found(rule).stream().mapToLong(Finding::id).sorted().toArray());
    }
    return new Baseline(known);
  }

  /**
   * Reads a file.
   *
   * @param rows the rows of the table that is audited
   * @throws FormatException if it is no baseline, of a later version, or of a table with another
   *     number of rows
   */
  public static Baseline read(Path path, long rows) throws IOException {
    try (MappedFile file = MappedFile.open(path)) {
      return read(path, file.bytes(), rows);
    }
  }

  private static Baseline read(Path path, MemorySegment bytes, long rows) {
    Map<Rule, long[]> known = new EnumMap<>(Rule.class);
    boolean versioned = false;
    JsonReader json = JsonReader.over(path, bytes, 0);
    json.enterObject("the baseline");
    while (json.nextName()) {
      String name = json.name();
      json.nextValue();
      Optional<Rule> rule = Rule.of(name);
      if (name.equals(VERSION_FIELD)) {
        long version = json.whole(VERSION_FIELD);
        if (version != VERSION) {
          throw json.wrong("is of version %d; this program reads %d".formatted(version, VERSION));
        }
        versioned = true;
      } else if (name.equals("rows")) {
        long its = json.whole("rows");
        if (its != rows) {
          throw json.wrong(
              "is of a table of %,d rows but this one has %,d; write a new one with --write-baseline"
                  .formatted(its, rows));
        }
      } else if (rule.isPresent() && json.isArray()) {
        known.put(rule.get(), ids(json));
      } else if (json.isArray()) {
        throw json.wrong(
            "names a rule \"%s\" that there is not; there are %s"
                .formatted(name, String.join(", ", Rule.labels())));
      } else {
        json.skip();
      }
    }
    json.end();
    if (!versioned) {
      throw json.wrong("has no \"%s\": it is not a baseline of an audit".formatted(VERSION_FIELD));
    }
    return new Baseline(known);
  }

  private static long[] ids(JsonReader json) {
    long[] ids = new long[16];
    int count = 0;
    while (json.nextValue()) {
      if (count == ids.length) {
        ids = Arrays.copyOf(ids, 2 * count);
      }
      ids[count++] = json.whole("an id");
    }
    long[] sorted = Arrays.copyOf(ids, count);
    Arrays.sort(sorted);
    return sorted;
  }

  /** Writes a file, under another name first. */
  public void write(Path path, Audit audit) throws IOException {
    StringBuilder text = new StringBuilder();
    text.append("{\n  \"%s\": %d,\n".formatted(VERSION_FIELD, VERSION));
    text.append("  \"rows\": %d,\n  \"width\": %d".formatted(audit.rows(), audit.width()));
    known.forEach((rule, ids) ->
        text.append(",\n  \"%s\": %s".formatted(rule.label(), Arrays.toString(ids))));
    text.append("\n}\n");
    byte[] bytes = text.toString().getBytes(StandardCharsets.UTF_8);
    NewFile.write(path, file -> file.append(MemorySegment.ofArray(bytes)));
  }

  /** Returns whether a finding is known. */
  public boolean knows(Rule rule, long id) {
    long[] ids = known.get(rule);
    return ids != null && Arrays.binarySearch(ids, id) >= 0;
  }
}

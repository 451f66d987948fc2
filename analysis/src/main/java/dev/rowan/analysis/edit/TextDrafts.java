package dev.rowan.analysis.edit;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import dev.rowan.formats.file.MappedFile;
import dev.rowan.formats.json.JsonTree;
import dev.rowan.formats.json.JsonTree.Layout;
import dev.rowan.formats.json.JsonTree.Members;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The small files of the new folder that will differ from the old ones, and the list of what
 * changes in them. Nothing is written here. Not for several threads.
 */
final class TextDrafts {
  private final ModelFolder model;
  private final Map<Path, Json> trees = new LinkedHashMap<>();
  private final Map<Path, byte[]> texts = new TreeMap<>();
  private final Set<Path> removed = new TreeSet<>();
  private final List<Change> changes = new ArrayList<>();

  /** A JSON file that is being changed. */
  private record Json(Members root, Layout layout, String end) {
    byte[] text() {
      byte[] text = root.text(layout);
      byte[] whole = Arrays.copyOf(text, text.length + end.length());
      System.arraycopy(end.getBytes(StandardCharsets.UTF_8), 0, whole, text.length, end.length());
      return whole;
    }
  }

  TextDrafts(ModelFolder model) {
    this.model = model;
  }

  /** Returns the root of a JSON file of the model, which may be changed; empty if it has none. */
  Optional<Members> json(Path relative) throws IOException {
    Json known = trees.get(relative);
    byte[] text = texts.get(relative);
    if (known == null && text != null) {
      known = parsed(relative, MemorySegment.ofArray(text));
      trees.put(relative, known);
    }
    if (known == null && !model.files().kept().contains(relative)) {
      return Optional.empty();
    }
    if (known == null) {
      Path file = model.folder().resolve(relative);
      try (MappedFile mapped = MappedFile.open(file)) {
        known = parsed(file, mapped.bytes());
      }
      trees.put(relative, known);
    }
    return Optional.of(known.root());
  }

  private static Json parsed(Path file, MemorySegment bytes) {
    long size = bytes.byteSize();
    byte[] start = bytes.asSlice(0, Math.min(64, size)).toArray(JAVA_BYTE);
    boolean line = size > 0 && bytes.get(JAVA_BYTE, size - 1) == '\n';
    return new Json(JsonTree.read(file, bytes), Layout.of(start), line ? "\n" : "");
  }

  /** Returns the places of files of a name as they are now to be. */
  List<Path> named(String name) {
    Set<Path> places = new LinkedHashSet<>(model.named(name));
    places.removeAll(removed);
    if (texts.containsKey(Path.of(name))) {
      places.add(Path.of(name)); // another tokenizer's
    }
    return List.copyOf(places);
  }

  /** Returns the root of a new JSON file. */
  Members newJson(Path relative) {
    Json made = new Json(Members.empty(), Layout.INDENTED, "\n");
    trees.put(relative, made);
    return made.root();
  }

  /** Returns the bytes of a file as it is now to be. */
  byte[] text(Path relative) throws IOException {
    byte[] known = texts.get(relative);
    return known == null ? Files.readAllBytes(model.folder().resolve(relative)) : known;
  }

  /** Sets the bytes of a file. */
  void text(Path relative, byte[] bytes) {
    texts.put(relative, bytes);
    removed.remove(relative);
  }

  /** Leaves a file of the model out. */
  void remove(Path relative) {
    removed.add(relative);
    texts.remove(relative);
    trees.remove(relative);
  }

  Set<Path> removed() {
    return removed;
  }

  void change(Path relative, String what, String before, String after) {
    changes.add(new Change(relative.toString(), what, before, after));
  }

  List<Change> changes() {
    return List.copyOf(changes);
  }

  /** Returns the bytes of each file in which something changes. */
  Map<Path, byte[]> files() {
    Map<Path, byte[]> files = new TreeMap<>(texts);
    Set<String> changed = new TreeSet<>();
    changes.forEach(change -> changed.add(change.file()));
    trees.forEach((path, json) -> {
      if (changed.contains(path.toString())) {
        files.put(path, json.text());
      }
    });
    return files;
  }

  /** Reads JSON bytes of another folder's file. */
  static Members read(Path file) throws IOException {
    return JsonTree.read(file, MemorySegment.ofArray(Files.readAllBytes(file)));
  }
}

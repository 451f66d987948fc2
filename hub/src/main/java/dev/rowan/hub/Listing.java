package dev.rowan.hub;

import dev.rowan.formats.file.FormatException;
import dev.rowan.formats.file.MappedFile;
import dev.rowan.formats.json.JsonReader;
import java.io.IOException;
import java.io.StringWriter;
import java.lang.foreign.MemorySegment;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/**
 * The files of one version of a remote model.
 *
 * @param commit the version: a commit, or for an address what its server calls the version
 * @param entries the files
 */
record Listing(String commit, List<Entry> entries) {
  private static final int MOST_ENTRIES = 200_000;

  Listing {
    entries = List.copyOf(entries);
  }

  Optional<Entry> find(String name) {
    return entries.stream().filter(entry -> entry.name().equals(name)).findFirst();
  }

  /** Returns those files of the top folder that end in a suffix. */
  List<Entry> ending(String suffix) {
    return entries.stream()
        .filter(entry -> entry.name().endsWith(suffix) && entry.name().indexOf('/') < 0)
        .toList();
  }

  /** Returns this listing with a file described anew, or one more. */
  Listing with(Entry known) {
    List<Entry> changed = new ArrayList<>(entries);
    changed.replaceAll(entry -> entry.name().equals(known.name()) ? known : entry);
    if (find(known.name()).isEmpty()) {
      changed.add(known);
    }
    return new Listing(commit, changed);
  }

  /** Makes the address of a file from its name. */
  interface Location {
    URI of(String commit, String name);
  }

  /**
   * Reads a hub's answer: {@code {"sha": …, "siblings": [{"rfilename": …, "size": …, "blobId": …,
   * "lfs": {"sha256": …}}]}}.
   */
  static Listing ofHub(Path what, MemorySegment bytes, Location location) {
    String commit = "";
    List<Answered> files = new ArrayList<>();
    JsonReader json = JsonReader.over(what, bytes, 0);
    json.enterObject("the answer");
    while (json.nextName()) {
      String field = json.name();
      json.nextValue();
      if (field.equals("sha") && json.isText()) {
        commit = json.text(field);
      } else if (field.equals("siblings") && json.isArray()) {
        while (json.nextValue()) {
          if (files.size() >= MOST_ENTRIES) {
            throw json.wrong("lists more than %,d files".formatted(MOST_ENTRIES));
          }
          files.add(Answered.read(json));
        }
      } else {
        json.skip();
      }
    }
    json.end();
    if (!HubSpec.isCommit(commit)) {
      throw new FormatException(what, "names no commit of 40 hexadecimal digits in \"sha\"");
    }
    String sha = commit;
    return new Listing(
        sha,
        files.stream()
            .filter(file -> HubSpec.isPlainFile(file.name))
            .map(file -> file.entry(location.of(sha, file.name)))
            .toList());
  }

  private static final class Answered {
    private String name = "";
    private OptionalLong size = OptionalLong.empty();
    private Optional<String> blob = Optional.empty();
    private Optional<String> sha256 = Optional.empty();

    static Answered read(JsonReader json) {
      Answered file = new Answered();
      if (!json.isObject()) {
        throw json.wrong("a file of the listing should be an object");
      }
      while (json.nextName()) {
        String field = json.name();
        json.nextValue();
        switch (field) {
          case "rfilename" -> file.name = json.text(field);
          case "size" -> file.size = size(json);
          case "blobId" -> file.blob = text(json).filter(Identity::isSha1);
          case "lfs" -> file.readLfs(json);
          default -> json.skip();
        }
      }
      return file;
    }

    private void readLfs(JsonReader json) {
      if (!json.isObject()) {
        json.skip();
        return;
      }
      while (json.nextName()) {
        String field = json.name();
        json.nextValue();
        switch (field) {
          case "sha256" -> sha256 = text(json).filter(Identity::isSha256);
          case "size" -> size = size(json);
          default -> json.skip();
        }
      }
    }

    private static Optional<String> text(JsonReader json) {
      if (json.isText()) {
        return Optional.of(json.text("an id"));
      }
      json.skip();
      return Optional.empty();
    }

    private static OptionalLong size(JsonReader json) {
      if (json.isWhole()) {
        long size = json.whole("a size");
        return size < 0 ? OptionalLong.empty() : OptionalLong.of(size);
      }
      json.skip();
      return OptionalLong.empty();
    }

    Entry entry(URI uri) {
      // the blob of a large file is its pointer, so its own digest goes first
      Optional<String> identity =
          sha256.map(Identity::sha256).or(() -> blob.map(Identity::git)).filter(_ -> hasSize());
      return new Entry(name, size, identity, uri);
    }

    private boolean hasSize() {
      return size.isPresent();
    }
  }

  /** Reads what {@link #write} wrote. */
  static Listing read(Path path) throws IOException {
    String commit = "";
    List<Entry> entries = new ArrayList<>();
    try (MappedFile file = MappedFile.open(path)) {
      JsonReader json = JsonReader.over(path, file.bytes(), 0);
      json.enterObject("the listing");
      while (json.nextName()) {
        String field = json.name();
        json.nextValue();
        if (field.equals("commit")) {
          commit = json.text(field);
        } else if (field.equals("files") && json.isArray()) {
          while (json.nextValue()) {
            entries.add(readEntry(json));
          }
        } else {
          json.skip();
        }
      }
      json.end();
    }
    return new Listing(commit, entries);
  }

  private static Entry readEntry(JsonReader json) {
    String name = "";
    OptionalLong size = OptionalLong.empty();
    Optional<String> identity = Optional.empty();
    String uri = "";
    if (!json.isObject()) {
      throw json.wrong("a file of the listing should be an object");
    }
    while (json.nextName()) {
      String field = json.name();
      json.nextValue();
      switch (field) {
        case "name" -> name = json.text(field);
        case "size" -> size = OptionalLong.of(json.whole(field));
        case "identity" -> identity = Optional.of(json.text(field));
        case "uri" -> uri = json.text(field);
        default -> json.skip();
      }
    }
    return new Entry(name, size, identity.filter(Identity::isSafe), URI.create(uri));
  }

  /** Returns the listing as JSON. */
  String write() {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = new JsonFactory().createGenerator(ObjectWriteContext.empty(), text)) {
      json.writeStartObject();
      json.writeStringProperty("commit", commit);
      json.writeArrayPropertyStart("files");
      for (Entry entry : entries) {
        json.writeStartObject();
        json.writeStringProperty("name", entry.name());
        entry.size().ifPresent(size -> json.writeNumberProperty("size", size));
        entry.identity().ifPresent(identity -> json.writeStringProperty("identity", identity));
        json.writeStringProperty("uri", entry.uri().toString());
        json.writeEndObject();
      }
      json.writeEndArray();
      json.writeEndObject();
    }
    return text.toString();
  }
}

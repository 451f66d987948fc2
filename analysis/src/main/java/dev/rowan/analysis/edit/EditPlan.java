package dev.rowan.analysis.edit;

import dev.rowan.core.Tie;
import dev.rowan.formats.safetensors.SafetensorsWriter.Place;
import dev.rowan.formats.tensor.TensorInfo;
import dev.rowan.formats.write.NewFolder;
import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CancellationException;

/**
 * An edit that was checked and can be written. It holds the model open; nothing of the model may
 * change until it is closed. Not for several threads.
 */
public final class EditPlan implements AutoCloseable {
  private final Parts parts;
  private final Map<Path, byte[]> texts;
  private final Set<Path> rewritten = new TreeSet<>(); // shards with an edited tensor
  private final List<Change> changes;
  private final long bytes;

  /** What the planner found out. */
  record Parts(
      Editor editor,
      ModelFolder model,
      EditRequest request,
      RowLayout layout,
      Map<String, EditedRows> edited,
      TextDrafts drafts,
      List<AddedToken> added,
      List<String> notes,
      Blends blends,
      Optional<Reference> reference) {
    /** Returns the texts of new tokens by id. */
    Map<Long, String> addedTokens() {
      Map<Long, String> tokens = new TreeMap<>();
      added.forEach(token -> tokens.put((long) token.id(), token.token().text()));
      return tokens;
    }
  }

  private EditPlan(Parts parts) throws IOException {
    this.parts = parts;
    long before = 0;
    long after = 0;
    long numbersBefore = 0;
    long numbersAfter = 0;
    for (Shard shard : parts.model.shards()) {
      for (TensorInfo tensor : shard.header().tensors()) {
        if (parts.edited.containsKey(tensor.name())) {
          Place place = ShardWriter.place(tensor, parts.edited);
          rewritten.add(shard.relative());
          before += tensor.bytes();
          after += place.bytes();
          numbersBefore += tensor.elements();
          numbersAfter += place.shape().stream().reduce(1L, Math::multiplyExact);
        }
      }
    }
    new ConfigEdit(parts.model, parts.drafts).index(before, after, numbersBefore, numbersAfter);
    this.texts = parts.drafts.files();
    this.bytes = bytes(after - before);
    this.changes = new ChangeList(parts).all();
  }

  static EditPlan of(Parts parts) throws IOException {
    EditPlan plan = new EditPlan(parts);
    if (parts.request.options().untouched() == EditOptions.Untouched.LINKED) {
      Places.checkLinks(parts.model.folder(), parts.request.target());
    }
    Places.checkRoom(parts.request.target(), plan.bytes);
    return plan;
  }

  private long bytes(long growth) throws IOException {
    long sum = growth;
    for (Path file : kept()) {
      byte[] text = texts.get(file);
      boolean linked =
          parts.request.options().untouched() == EditOptions.Untouched.LINKED
              && text == null
              && !rewritten.contains(file);
      if (!linked) {
        sum += text == null ? Files.size(parts.model.folder().resolve(file)) : text.length;
      }
    }
    return sum;
  }

  /** Returns the files of the new folder that the old one has too. */
  private List<Path> kept() {
    return parts.model.files().kept().stream()
        .filter(file -> !parts.drafts.removed().contains(file))
        .toList();
  }

  /** Returns everything that changes, tables first. */
  public List<Change> changes() {
    return changes;
  }

  /** Returns one sentence each on what a user should know beside the changes. */
  public List<String> notes() {
    return List.copyOf(parts.notes);
  }

  /** Returns the files and folders of the model that the new folder will not have. */
  public List<String> leftOut() {
    List<String> names = new ArrayList<>();
    parts.model.files().leftOut().forEach(path -> names.add(path.toString()));
    parts.drafts.removed().forEach(path -> names.add(path.toString()));
    return names;
  }

  /** Returns the number of rows before. */
  public long rowsBefore() {
    return parts.layout.oldRows();
  }

  /** Returns the number of rows after. */
  public long rowsAfter() {
    return parts.layout.rows();
  }

  /** Returns the numbers in a row. */
  public int width() {
    return parts.model.lexicon().input().table().width();
  }

  /** Returns how the tables of the model relate; reads both of them if there are two. */
  public Tie tie() {
    return parts.model.lexicon().tie();
  }

  /** Returns the new tokens and their ids. */
  public Map<Long, String> addedTokens() {
    return parts.addedTokens();
  }

  /** Returns the bytes that will be written, linked files not counted. */
  public long bytesToWrite() {
    return bytes;
  }

  /**
   * Writes the new folder: under another name beside it, verified while the disk takes it, then
   * renamed when all of it is there. Cost: one copy of the model's files and one comparison with
   * the old ones.
   *
   * @throws IOException if writing fails; nothing is left then
   * @throws CancellationException if the thread is interrupted; nothing is left then
   * @throws IllegalArgumentException if the tokenizer does not give a new token back as one;
   *     nothing is left then
   * @throws IllegalStateException if the result is not what the plan says; nothing is left then
   */
  public Edited write() throws IOException {
    List<Verification> verification = new ArrayList<>();
    try {
      NewFolder.write(
          parts.request.target(),
          draft -> {
            try (DiskForce disk = new DiskForce()) {
              FileCopier copier = new FileCopier(draft, parts.request.options().untouched(), disk);
              write(draft, copier, disk);
              verification.add(new Verifier(parts, draft, Set.copyOf(rewritten), texts).verify());
              disk.await();
              copier.forceFolders();
            }
          });
    } catch (ClosedByInterruptException e) {
      CancellationException cancelled = new CancellationException("interrupted while writing");
      cancelled.initCause(e);
      throw cancelled;
    }
    return new Edited(parts.request.target(), bytes, verification.getFirst());
  }

  private void write(Path draft, FileCopier copier, DiskForce disk) throws IOException {
    for (Path file : kept()) {
      if (Thread.currentThread().isInterrupted()) {
        throw new CancellationException("interrupted while writing");
      }
      copier.makeFolder(file);
      if (texts.containsKey(file)) {
        continue;
      }
      if (rewritten.contains(file)) {
        Path place = draft.resolve(file);
        ShardWriter.write(shard(file), parts.edited, place, parts.editor.workers());
        disk.add(place);
      } else {
        copier.keep(parts.model.folder().resolve(file), file);
      }
    }
    for (Map.Entry<Path, byte[]> text : texts.entrySet()) {
      copier.makeFolder(text.getKey());
      copier.write(text.getValue(), text.getKey());
    }
  }

  private Shard shard(Path relative) {
    return parts.model.shards().stream()
        .filter(shard -> shard.relative().equals(relative))
        .findFirst()
        .orElseThrow();
  }

  /** Closes the model. */
  @Override
  public void close() {
    parts.blends.close();
    parts.model.close();
  }
}

package dev.rowan.train.corpus;

import dev.rowan.core.Counted;
import dev.rowan.formats.file.FileKind;
import dev.rowan.formats.file.FormatException;
import dev.rowan.train.corpus.Corpus.Place;
import dev.rowan.train.corpus.FileBlocks.Cut;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The blocks of all places of a corpus, one place after the other. */
final class CorpusBlocks implements Blocks {
  private final Deque<Place> left = new ArrayDeque<>();
  private final Cut cut;
  private final long totalBytes;
  private final List<String> notes;
  private @Nullable Blocks current;
  private long handedOut;

  private CorpusBlocks(List<Place> places, Cut cut, long totalBytes, List<String> notes) {
    this.left.addAll(places);
    this.cut = cut;
    this.totalBytes = totalBytes;
    this.notes = List.copyOf(notes);
  }

  /** A block and its place among all. */
  record Numbered(long ordinal, Block block) {}

  /**
   * Finds the files; none is read yet.
   *
   * @throws NoSuchFileException if one is not there, or a folder holds no text
   * @throws FormatException if one is a Git LFS pointer, or one that was named is no text
   */
  static CorpusBlocks of(List<Place> places, Cut cut) throws IOException {
    List<Place> all = new ArrayList<>();
    List<String> notes = new ArrayList<>();
    long bytes = 0;
    boolean known = true;
    for (Place place : places) {
      switch (place) {
        case Place.Files(Path path) -> {
          List<Path> files = texts(path, notes);
          if (files.isEmpty()) {
            throw new NoSuchFileException(path.toString(), null, "holds no text file");
          }
          for (Path file : files) {
            if (FileKind.isPointer(file)) {
              throw new FormatException(
                  file,
                  "this is a Git LFS pointer, not the text; fetch the real file with git lfs pull");
            }
            all.add(new Place.Files(file));
            bytes += Files.size(file);
            known &= Files.isRegularFile(file) && Packing.of(file) == Packing.NONE;
          }
        }
        case Place.Stream stream -> {
          all.add(stream);
          known = false;
        }
      }
    }
    return new CorpusBlocks(all, cut, known ? bytes : -1, notes);
  }

  /** Leaves files of a folder out that are no text; one that was named is refused. */
  private static List<Path> texts(Path path, List<String> notes) throws IOException {
    List<Path> texts = new ArrayList<>();
    List<Path> others = new ArrayList<>();
    for (Path file : files(path)) {
      Optional<String> why =
          Files.isRegularFile(file) && Packing.of(file) == Packing.NONE
              ? NotText.why(file)
              : Optional.empty();
      if (why.isPresent() && file.equals(path)) {
        throw new FormatException(file, why.get());
      }
      (why.isPresent() ? others : texts).add(file);
    }
    if (!others.isEmpty()) {
      notes.add(
          "%s left out of %s, such as %s"
              .formatted(
                  Counted.of(
                      others.size(), "file that is no text was", "files that are no text were"),
                  path,
                  path.relativize(others.getFirst())));
    }
    return texts;
  }

  private static List<Path> files(Path path) throws IOException {
    if (!Files.isDirectory(path)) {
      if (!Files.exists(path)) {
        throw new NoSuchFileException(path.toString());
      }
      return List.of(path);
    }
    List<Path> files = new ArrayList<>();
    Files.walkFileTree(
        path,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
            return !folder.equals(path) && isHidden(folder)
                ? FileVisitResult.SKIP_SUBTREE
                : FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            if (attributes.isRegularFile() && !isHidden(file)) {
              files.add(file);
            }
            return FileVisitResult.CONTINUE;
          }
        });
    files.sort(null);
    return files;
  }

  private static boolean isHidden(Path path) {
    Path name = path.getFileName();
    return name != null && name.toString().startsWith(".");
  }

  /** Returns one sentence each on what was left out. */
  List<String> notes() {
    return notes;
  }

  /** Returns the bytes of all files; −1 if that is not known before they are read. */
  long totalBytes() {
    return totalBytes;
  }

  /** Returns the next block with its number. */
  synchronized Optional<Numbered> nextNumbered() throws IOException {
    return next().map(block -> new Numbered(handedOut++, block));
  }

  @Override
  public synchronized Optional<Block> next() throws IOException {
    while (true) {
      Blocks open = current;
      if (open == null) {
        if (left.isEmpty()) {
          return Optional.empty();
        }
        open = open(left.remove());
        current = open;
      }
      Optional<Block> block = open.next();
      if (block.isPresent()) {
        return block;
      }
      current = null;
      open.close();
    }
  }

  private Blocks open(Place place) throws IOException {
    return switch (place) {
      case Place.Stream(String name, InputStream in) -> stream(name, in);
      case Place.Files(Path file) ->
          Files.isRegularFile(file) && Packing.of(file) == Packing.NONE
              ? new FileBlocks(file, Files.size(file), cut)
              : stream(file.toString(), Files.newInputStream(file));
    };
  }

  /** What can only be read from front to back: packed files, pipes, stdin. */
  private Blocks stream(String name, InputStream in) throws IOException {
    return new StreamBlocks(name, Packing.unpacked(name, in), cut);
  }

  @Override
  public synchronized void close() throws IOException {
    Blocks open = current;
    if (open != null) {
      current = null;
      open.close();
    }
  }
}

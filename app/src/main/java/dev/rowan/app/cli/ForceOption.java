package dev.rowan.app.cli;

import dev.rowan.formats.file.NewFiles;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/**
 * What a command may write over: the same rule for every verb that writes. Files that are there are
 * replaced with {@code --force} only; folders, and what the command itself reads or writes, never.
 */
final class ForceOption {
  @Option(names = "--force", description = "Replace files that are there already.")
  boolean force;

  /**
   * Checks all files a command is to write, before anything is read.
   *
   * @param outputs what is written; each a file
   * @param inputs what is read, see {@link #inputs}
   * @throws UseException if one may not be written
   */
  void check(List<Path> outputs, List<Path> inputs) throws IOException {
    checkApart(outputs, inputs);
    outputs.forEach(this::check);
  }

  /**
   * Checks a file to be written.
   *
   * @throws UseException if it is there and may not be replaced
   */
  void check(Path file) {
    if (!Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
      return;
    }
    if (Files.isDirectory(file)) {
      throw new UseException("%s is a folder; name a file in it".formatted(file));
    }
    if (Files.exists(file) && !Files.isRegularFile(file)) {
      throw new UseException(
          "%s is a device or a pipe; name a file, which is written beside it and then renamed"
              .formatted(file));
    }
    if (!force) {
      throw new UseException(
          "%s is there already; --force replaces it, or name another file".formatted(file));
    }
  }

  /**
   * Writes files that were checked: all of them or none, and over nothing that came since; with
   * {@code --force} one after the other, over what is there.
   *
   * @param files what writes each, under the name that it is given
   * @throws UseException if something came under one of the names
   */
  void write(Map<Path, NewFiles.Writing> files) throws IOException {
    if (force) {
      for (Map.Entry<Path, NewFiles.Writing> file : files.entrySet()) {
        file.getValue().writeTo(file.getKey());
      }
      return;
    }
    try (NewFiles drafts = new NewFiles()) {
      for (Map.Entry<Path, NewFiles.Writing> file : files.entrySet()) {
        drafts.add(file.getKey(), file.getValue());
      }
      drafts.publish(() -> {});
    } catch (FileAlreadyExistsException e) {
      throw came(e, "add --force or name another file");
    }
  }

  /**
   * Writes a folder whose place was checked.
   *
   * @throws UseException if something came there
   */
  static void writeFolder(NewFiles.Rest writing) throws IOException {
    try {
      writing.run();
    } catch (FileAlreadyExistsException e) {
      throw came(e, "name another folder");
    }
  }

  private static UseException came(FileAlreadyExistsException e, String otherwise) {
    return new UseException(
        "%s came while this ran and is left as it is. Nothing was written: move that away or %s, and type the same command again"
            .formatted(e.getFile(), otherwise));
  }

  /**
   * Checks that what is written is neither one place twice nor what is read; {@code --force} does
   * not change that.
   *
   * @throws NotDirectoryException if there is no folder to write one in
   */
  static void checkApart(List<Path> outputs, List<Path> inputs) throws IOException {
    List<Path> places = new ArrayList<>();
    for (Path output : outputs) {
      Path place = place(output);
      for (int i = 0; i < places.size(); i++) {
        Path other = places.get(i);
        if (place.startsWith(other) || other.startsWith(place) || isSame(place, other)) {
          throw new UseException(
              "%s and %s are to be written to one place; name two"
                  .formatted(outputs.get(i), output));
        }
      }
      places.add(place);
      for (Path input : inputs) {
        checkApart(output, input);
      }
    }
  }

  private static void checkApart(Path output, Path input) throws IOException {
    if (!Files.exists(output) || !Files.exists(input)) {
      return;
    }
    if (!Files.isDirectory(output)
        && Files.isDirectory(input)
        && (output.toRealPath().startsWith(input.toRealPath())
            || place(output).startsWith(input.toRealPath()))) {
      throw new UseException(
          "%s lies in %s, which is read, so that --force does not replace it; remove it, or write to another place"
              .formatted(output, input));
    }
    if (Files.isRegularFile(input)
        && Files.isSameFile(parent(output), parent(input))
        && ReadAlong.is(name(input), name(output))) {
      throw new UseException(
          "%s may be read along with %s, so that --force does not replace it; remove it, or write to another place"
              .formatted(output, input));
    }
    if (Files.isSameFile(output, input)) {
      throw new UseException(
          "%s is to be read and written; write to another place%s"
              .formatted(output, output.equals(input) ? "" : " than " + input));
    }
  }

  private static Path parent(Path file) throws IOException {
    Path parent = file.toAbsolutePath().getParent();
    return parent == null ? file.toRealPath() : parent;
  }

  private static String name(Path file) {
    return String.valueOf(file.getFileName());
  }

  private static boolean isSame(Path a, Path b) throws IOException {
    return Files.exists(a) && Files.exists(b) && Files.isSameFile(a, b);
  }

  /** Returns the name by which links to folders lead to one place; a link itself is replaced. */
  private static Path place(Path output) throws IOException {
    Path name = output.getFileName();
    Path folder = output.toAbsolutePath().normalize().getParent();
    if (name == null || folder == null || name.toString().isEmpty()) {
      throw new UseException(
          "%s is not the name of a file".formatted(Visible.quoted(output.toString())));
    }
    if (output.toString().equals("-")) {
      throw new UseException("files are not written to stdout; name a file instead of -");
    }
    if (!Files.isDirectory(folder)) {
      throw new NotDirectoryException(folder.toString());
    }
    return folder.toRealPath().resolve(name.toString()).normalize();
  }

  /**
   * Returns the files and folders among what a user named.
   *
   * @param named paths, specs of models, and lists of them; what names no path is left out
   */
  static List<Path> inputs(@Nullable Object... named) {
    List<Path> inputs = new ArrayList<>();
    for (Object name : named) {
      switch (name) {
        case null -> {}
        case Iterable<?> several when !(name instanceof Path) ->
            several.forEach(one -> inputs.addAll(inputs(one)));
        default -> {
          try {
            inputs.add(Path.of(name.toString()));
          } catch (InvalidPathException _) {
            // told by who opens it, if it is to be a path at all
          }
        }
      }
    }
    return inputs;
  }
}

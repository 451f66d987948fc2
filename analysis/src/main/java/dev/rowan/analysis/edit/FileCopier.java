package dev.rowan.analysis.edit;

import dev.rowan.analysis.edit.EditOptions.Untouched;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.TreeSet;

/** Puts files into a new folder, and has each forced to disk. */
final class FileCopier {
  private final Path target;
  private final Untouched untouched;
  private final DiskForce disk;
  private final Set<Path> folders = new TreeSet<>();

  FileCopier(Path target, Untouched untouched, DiskForce disk) {
    this.target = target;
    this.untouched = untouched;
    this.disk = disk;
  }

  /** Makes the folder that a file is to lie in. */
  void makeFolder(Path relative) throws IOException {
    Path folder = target.resolve(relative).getParent();
    if (folder != null && folders.add(folder)) {
      Files.createDirectories(folder);
    }
  }

  /** Copies or links a file; of a link the file behind it. */
  void keep(Path source, Path relative) throws IOException {
    Path place = target.resolve(relative);
    if (untouched == Untouched.LINKED) {
      Files.createLink(place, source.toRealPath());
      return;
    }
    try (FileChannel from = FileChannel.open(source, StandardOpenOption.READ);
        FileChannel to = create(place)) {
      long size = from.size();
      long done = 0;
      while (done < size) {
        long moved = from.transferTo(done, Math.min(size - done, 1L << 30), to);
        if (moved <= 0) {
          throw new IOException(
              source + " became shorter while it was copied; leave it alone and try again");
        }
        done += moved;
      }
    }
    disk.add(place);
  }

  /** Writes bytes as a file. */
  void write(byte[] bytes, Path relative) throws IOException {
    Path place = target.resolve(relative);
    try (FileChannel to = create(place)) {
      ByteBuffer buffer = ByteBuffer.wrap(bytes);
      while (buffer.hasRemaining()) {
        to.write(buffer);
      }
    }
    disk.add(place);
  }

  /** Forces the lists of files to disk. */
  void forceFolders() {
    for (Path folder : folders) {
      try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
        channel.force(true);
      } catch (IOException _) {
        // not every system lets a folder be opened; its files are already safe on disk
      }
    }
  }

  private static FileChannel create(Path file) throws IOException {
    return FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
  }
}

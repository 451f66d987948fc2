package dev.rowan.hub;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.HashSet;
import java.util.Set;

/** Counts the bytes that files take on the disk, those of several names once. */
final class Usage {
  private final Set<Object> seen = new HashSet<>();
  private long bytes;

  /** Adds a file, or all that is in a folder. */
  void add(Path path) throws IOException {
    if (Files.isDirectory(path)) {
      for (Path entry : HubCache.entries(path)) {
        add(entry);
      }
      return;
    }
    try {
      BasicFileAttributes file = Files.readAttributes(path, BasicFileAttributes.class);
      Object key = file.fileKey();
      // a system without keys of files counts each name
      if (file.isRegularFile() && seen.add(key == null ? path : key)) {
        bytes += file.size();
      }
    } catch (NoSuchFileException e) {
      // gone meanwhile, or nothing was ever kept
    }
  }

  long bytes() {
    return bytes;
  }
}

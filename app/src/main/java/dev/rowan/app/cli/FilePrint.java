package dev.rowan.app.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;
import java.util.zip.CheckedInputStream;

/** What tells a file from itself after it was changed. */
final class FilePrint {
  /** Of what can be read only once, or not at all. */
  static final String NONE = "none";

  private FilePrint() {}

  /** Returns the CRC-32C of each file's bytes. Cost: reading them. */
  static List<String> of(List<Path> files) throws IOException {
    List<String> prints = new ArrayList<>();
    for (Path file : files) {
      prints.add(Files.isReadable(file) && Files.isRegularFile(file) ? of(file) : NONE);
    }
    return prints;
  }

  private static String of(Path file) throws IOException {
    CRC32C crc = new CRC32C();
    try (InputStream bytes = new CheckedInputStream(Files.newInputStream(file), crc)) {
      bytes.transferTo(OutputStream.nullOutputStream());
    }
    return "%08x".formatted(crc.getValue());
  }
}

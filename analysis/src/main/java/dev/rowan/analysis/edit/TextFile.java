package dev.rowan.analysis.edit;

import java.io.BufferedInputStream;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPInputStream;

/** A file of text, as it is or packed with gzip, which its first two bytes say (RFC 1952). */
final class TextFile {
  private static final int BUFFER = 1 << 16;

  private TextFile() {}

  /** Returns a reader that refuses what is not UTF-8; its memory does not grow with the file. */
  static BufferedReader reader(Path file) throws IOException {
    InputStream raw = new BufferedInputStream(Files.newInputStream(file), BUFFER);
    try {
      raw.mark(2);
      byte[] start = raw.readNBytes(2);
      raw.reset();
      boolean packed = start.length == 2 && start[0] == 0x1f && start[1] == (byte) 0x8b;
      InputStream text = packed ? new GZIPInputStream(raw, BUFFER) : raw;
      // a decoder, not a charset: the latter would replace what is wrong
      return new BufferedReader(new InputStreamReader(text, StandardCharsets.UTF_8.newDecoder()));
    } catch (IOException | RuntimeException e) {
      raw.close();
      throw e;
    }
  }
}

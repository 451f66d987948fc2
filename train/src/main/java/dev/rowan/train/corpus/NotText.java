package dev.rowan.train.corpus;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Tells from the first bytes of a file that it is no text: by what such files start with, else by a
 * NUL, which no text in UTF-8 holds and hardly any other file lacks.
 */
final class NotText {
  private static final int HEAD = 8192;

  /** First bytes, as ISO 8859-1, and what to say of them. */
  private static final Map<String, String> STARTS = new LinkedHashMap<>();

  static {
    STARTS.put("%PDF-", "this is a PDF file; take its text out first, as pdftotext does");
    STARTS.put("PK\3\4", "this is a zip archive; unpack it, and learn from what is in it");
    STARTS.put("BZh91AY&SY", "this is packed by bzip2; pipe it: bzip2 -dc FILE | rowan train -");
    STARTS.put("\u00FD7zXZ\0", "this is packed by xz; pipe it: xz -dc FILE | rowan train -");
    STARTS.put("\u0089PNG", "this is a picture");
    STARTS.put("\u00FF\u00D8\u00FF", "this is a picture");
    STARTS.put("\u00FF\u00FE", "this is UTF-16; convert it first: iconv -f utf-16 -t utf-8");
    STARTS.put("\u00FE\u00FF", "this is UTF-16; convert it first: iconv -f utf-16 -t utf-8");
  }

  private NotText() {}

  /** Returns what a file is, if its first bytes show that it is no text. */
  static Optional<String> why(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      byte[] head = in.readNBytes(HEAD);
      return why(head, head.length);
    }
  }

  /** Returns what a text is, if its first bytes show that it is none. */
  static Optional<String> why(byte[] text, int stop) {
    int length = Math.min(stop, HEAD);
    String head = new String(text, 0, length, StandardCharsets.ISO_8859_1);
    for (Map.Entry<String, String> start : STARTS.entrySet()) {
      if (head.startsWith(start.getKey())) {
        return Optional.of(start.getValue());
      }
    }
    int nul = head.indexOf('\0');
    return nul < 0
        ? Optional.empty()
        : Optional.of(
            "this is no text: byte %,d is NUL; if it is UTF-16, convert it: iconv -f %s -t utf-8; stray ones go by tr -d '\\0'"
                .formatted(nul, order(head)));
  }

  /** Returns which UTF-16 it would be: the byte of a common character that is NUL tells. */
  private static String order(String head) {
    int balance = 0;
    for (int i = head.indexOf('\0'); i >= 0; i = head.indexOf('\0', i + 1)) {
      balance += i % 2 == 0 ? 1 : -1;
    }
    return balance > 0 ? "utf-16be" : "utf-16le";
  }
}

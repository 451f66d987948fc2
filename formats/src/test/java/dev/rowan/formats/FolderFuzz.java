package dev.rowan.formats;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowan.core.Lexicon;
import dev.rowan.formats.file.FormatException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/** Models of several files as one stretch of bytes, for fuzz tests: a mark stands between files. */
public final class FolderFuzz {
  private static final byte[] MARK = "\n=NEXT=\n".getBytes(StandardCharsets.UTF_8);

  private FolderFuzz() {}

  /** Returns the files of a seed with marks between. */
  public static byte[] joined(byte[]... files) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (byte[] file : files) {
      all.writeBytes(all.size() == 0 ? new byte[0] : MARK);
      all.writeBytes(file);
    }
    return all.toByteArray();
  }

  /**
   * Writes what lies between marks to a folder, under names in order, and opens it: it is read, or
   * refused with a reason.
   */
  public static void refusesOrReads(byte[] bytes, List<String> names) throws IOException {
    Path folder = Files.createTempDirectory("rowan");
    try {
      int at = 0;
      for (String name : names) {
        int end = mark(bytes, at);
        Files.write(folder.resolve(name), Arrays.copyOfRange(bytes, Math.min(at, end), end));
        at = Math.min(bytes.length, end + MARK.length);
      }
      try (Lexicon lexicon = Models.open(folder)) {
        lexicon.vocabulary();
        lexicon.tie();
        for (long row = 0; row < Math.min(1000, lexicon.input().table().rows()); row++) {
          lexicon.input().table().row(row);
        }
      } catch (FormatException e) {
        assertThat(e.getMessage()).contains(": ");
      }
    } finally {
      for (String name : names) {
        Files.deleteIfExists(folder.resolve(name));
      }
      Files.delete(folder);
    }
  }

  private static int mark(byte[] bytes, int from) {
    for (int at = from; at + MARK.length <= bytes.length; at++) {
      if (Arrays.equals(bytes, at, at + MARK.length, MARK, 0, MARK.length)) {
        return at;
      }
    }
    return bytes.length;
  }
}

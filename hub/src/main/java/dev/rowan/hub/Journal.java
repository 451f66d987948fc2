package dev.rowan.hub;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.BitSet;
import java.util.List;

/**
 * Which chunks of a download are on disk: a line that says of what, then a line with the number of
 * each chunk. A line that a kill cut off does not count. Safe for several threads.
 */
final class Journal implements AutoCloseable {
  private static final long LONGEST = 16 << 20;

  private final Path path;
  private final FileChannel channel;
  private final BitSet done;
  private final boolean isNew;

  private Journal(Path path, FileChannel channel, BitSet done, boolean isNew) {
    this.path = path;
    this.channel = channel;
    this.done = done;
    this.isNew = isNew;
  }

  /**
   * Opens a journal; one about something else is begun anew.
   *
   * @param about what is downloaded, in one line
   */
  static Journal open(Path path, String about) throws IOException {
    BitSet done = new BitSet();
    boolean goesOn =
        Files.isRegularFile(path) && Files.size(path) <= LONGEST && read(path, about, done);
    FileChannel channel =
        FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    try {
      channel.truncate(0);
      Journal journal = new Journal(path, channel, done, !goesOn);
      journal.line(about);
      for (int chunk : done.stream().toArray()) {
        journal.line(Integer.toString(chunk));
      }
      return journal;
    } catch (IOException e) {
      channel.close();
      throw e;
    }
  }

  private static boolean read(Path path, String about, BitSet done) throws IOException {
    String text = Files.readString(path, StandardCharsets.ISO_8859_1);
    List<String> lines = text.substring(0, text.lastIndexOf('\n') + 1).lines().toList();
    if (lines.isEmpty() || !lines.getFirst().equals(about)) {
      return false;
    }
    for (String line : lines.subList(1, lines.size())) {
      if (line.matches("\\d{1,8}")) {
        done.set(Integer.parseInt(line));
      }
    }
    return true;
  }

  boolean isNew() {
    return isNew;
  }

  boolean has(int chunk) {
    return done.get(chunk);
  }

  synchronized void add(int chunk) throws IOException {
    line(Integer.toString(chunk));
  }

  private void line(String text) throws IOException {
    ByteBuffer line = ByteBuffer.wrap((text + "\n").getBytes(StandardCharsets.ISO_8859_1));
    while (line.hasRemaining()) {
      channel.write(line);
    }
  }

  /** Removes the journal: everything is there. */
  void delete() throws IOException {
    channel.close();
    Files.deleteIfExists(path);
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}

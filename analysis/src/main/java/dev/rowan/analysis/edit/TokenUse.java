package dev.rowan.analysis.edit;

import dev.rowan.core.Workers;
import dev.rowan.formats.file.FormatException;
import java.io.EOFException;
import java.io.IOException;
import java.io.Reader;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.zip.ZipException;

/**
 * Counts how often a corpus uses each token.
 *
 * <p>Text is split in blocks of some ten thousand characters that end where a line does and the
 * next begins with no space, so that tokens of several line ends are seen whole; and once more line
 * by line, since many tokenizers treat the beginning of a text in their own way. The greater count
 * holds. Memory: some blocks.
 */
final class TokenUse {
  private static final int BLOCK = 1 << 16; // characters
  private static final int MOST = 1 << 20; // of a block, where no line ends
  private static final int BATCH = 64; // blocks handed out to the workers at once

  private final TextSplitter splitter;
  private final Workers workers;
  private final AtomicLongArray inBlocks;
  private final AtomicLongArray inLines;

  private TokenUse(TextSplitter splitter, Workers workers, int size) {
    this.splitter = splitter;
    this.workers = workers;
    this.inBlocks = new AtomicLongArray(size);
    this.inLines = new AtomicLongArray(size);
  }

  /**
   * Counts.
   *
   * @param size the least number above every id
   * @return the count of each id
   * @throws FormatException if it is damaged gzip
   * @throws IllegalArgumentException if the corpus is not UTF-8 or holds no text
   */
  static long[] of(Path corpus, TextSplitter splitter, int size, Workers workers)
      throws IOException {
    if (!Files.isRegularFile(corpus)) {
      throw new NoSuchFileException(corpus.toString(), null, "there is no such file of text");
    }
    TokenUse use = new TokenUse(splitter, workers, size);
    long used = 0;
    try (Reader reader = TextFile.reader(corpus)) {
      use.read(reader);
    } catch (CharacterCodingException _) {
      throw new IllegalArgumentException("\"%s\" is not UTF-8; save it as that".formatted(corpus));
    } catch (ZipException | EOFException e) {
      throw new FormatException(
          corpus, "is gzip that cannot be unpacked (%s); copy it again".formatted(e.getMessage()));
    }
    long[] counts = new long[size];
    for (int id = 0; id < size; id++) {
      counts[id] = Math.max(use.inBlocks.get(id), use.inLines.get(id));
      used += counts[id];
    }
    if (used == 0) {
      throw new IllegalArgumentException("\"%s\" holds no text".formatted(corpus));
    }
    return counts;
  }

  private void read(Reader reader) throws IOException {
    List<String> batch = new ArrayList<>();
    StringBuilder block = new StringBuilder();
    char[] buffer = new char[BLOCK];
    int read;
    while ((read = reader.read(buffer)) >= 0) {
      block.append(buffer, 0, read);
      int end = block.length() < BLOCK ? 0 : end(block);
      if (end > 0) {
        batch.add(block.substring(0, end));
        block.delete(0, end);
      }
      if (batch.size() == BATCH) {
        count(batch);
        batch.clear();
      }
    }
    batch.add(block.toString());
    count(batch);
  }

  /** Returns where to cut; 0 for not yet. */
  private static int end(StringBuilder block) {
    for (int i = block.length() - 1; i > 0; i--) {
      if (block.charAt(i - 1) == '\n' && !Character.isWhitespace(block.charAt(i))) {
        return i;
      }
    }
    if (block.length() < MOST) {
      return 0;
    }
    int space = block.lastIndexOf(" ");
    return space > 0 ? space : block.length();
  }

  private void count(List<String> batch) {
    workers.run(
        batch.size(),
        () ->
            number -> {
              String block = batch.get((int) number);
              count(block, inBlocks);
              block.lines().forEach(line -> count(line, inLines));
            });
  }

  private void count(String text, AtomicLongArray counts) {
    for (long id : splitter.split(text)) {
      counts.incrementAndGet((int) id);
    }
  }
}

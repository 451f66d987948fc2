package dev.rowan.train.corpus;

import java.io.IOException;
import java.nio.file.Path;

/** A part of a corpus that one worker reads and scans. */
interface Block {
  /** Reads the block, into the worker's own buffer where that is long enough. */
  Text read(byte[] buffer) throws IOException;

  /**
   * The bytes of a block.
   *
   * @param file the file, for messages
   * @param origin the byte of the file at which the buffer starts
   * @param bytes the buffer; {@link WordScanner#PADDING} blanks follow the text
   * @param start the first byte that belongs to the block
   * @param end the byte behind the last one; a word or line may go on behind it
   * @param stop where the readable text ends
   */
  record Text(Path file, long origin, byte[] bytes, int start, int end, int stop) {}
}

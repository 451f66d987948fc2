package dev.rowan.formats.file;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;

/** Tells configs of the TensorBoard projector, JSON or protobuf text, by the names in them. */
final class ProjectorClues {
  private static final int LOOK = 4096;

  private ProjectorClues() {}

  static boolean isConfig(MemorySegment bytes) {
    byte[] head = bytes.asSlice(0, Math.min(LOOK, bytes.byteSize())).toArray(JAVA_BYTE);
    String text = new String(head, StandardCharsets.ISO_8859_1).stripLeading();
    boolean json = text.startsWith("{") && text.contains("\"tensorPath\"");
    boolean proto = text.startsWith("embeddings") && text.contains("tensor_path");
    return json || proto;
  }
}

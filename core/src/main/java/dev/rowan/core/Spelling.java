package dev.rowan.core;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/** How a tokenizer writes its tokens down: what stands for a space, what marks a continuation. */
public enum Spelling {
  /**
   * Byte-level BPE (GPT-2, Llama 3, Qwen): each byte of UTF-8 text is written as one printable
   * character, the space as {@code Ġ} (U+0120).
   */
  BYTE_LEVEL,

  /** WordPiece (BERT): {@code ##} in front of a piece that continues a word. */
  WORDPIECE,

  /** SentencePiece (T5, Llama 2, Gemma): {@code ▁} (U+2581) for a space, {@code <0x41>} bytes. */
  SENTENCEPIECE,

  /** The token is the text. */
  PLAIN;

  // GPT-2's byte → character table: the 188 printable characters of Latin-1 stand for themselves,
  // the other 68 bytes take U+0100, U+0101, … in order (openai/gpt-2 encoder.py bytes_to_unicode).
  private static final char[] CHARACTER_OF_BYTE = new char[256];
  private static final Map<Character, Integer> BYTE_OF_CHARACTER = new HashMap<>();

  static {
    int next = 0x100;
    for (int b = 0; b < 256; b++) {
      boolean printable = (b >= '!' && b <= '~') || (b >= 0xA1 && b <= 0xFF && b != 0xAD);
      CHARACTER_OF_BYTE[b] = (char) (printable ? b : next++);
      BYTE_OF_CHARACTER.put(CHARACTER_OF_BYTE[b], b);
    }
  }

  /** Returns its name for people and scripts: {@code byte-level}, {@code wordpiece} and so on. */
  public String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /**
   * Returns the bytes of text that a stored byte-level spelling stands for. Characters outside the
   * byte alphabet stand for their own UTF-8.
   */
  public static byte[] bytesOfByteLevel(String stored) {
    byte[] bytes = new byte[stored.length() * 3];
    int n = 0;
    for (int i = 0; i < stored.length(); ) {
      int codePoint = stored.codePointAt(i);
      int length = Character.charCount(codePoint);
      Integer b = length == 1 ? BYTE_OF_CHARACTER.get((char) codePoint) : null;
      if (b != null) {
        bytes[n++] = (byte) (int) b;
      } else {
        for (byte raw : stored.substring(i, i + length).getBytes(StandardCharsets.UTF_8)) {
          bytes[n++] = raw;
        }
      }
      i += length;
    }
    return Arrays.copyOf(bytes, n);
  }

  /** Returns the byte-level spelling of text: {@code " cat"} becomes {@code Ġcat}. */
  public static String byteLevel(String text) {
    return byteLevel(text.getBytes(StandardCharsets.UTF_8));
  }

  /** Returns the byte-level spelling of bytes, which need not be UTF-8. */
  public static String byteLevel(byte[] bytes) {
    char[] characters = new char[bytes.length];
    for (int i = 0; i < bytes.length; i++) {
      characters[i] = CHARACTER_OF_BYTE[bytes[i] & 0xFF];
    }
    return new String(characters);
  }
}

package dev.rowan.analysis.audit;

import dev.rowan.core.Spelling;
import dev.rowan.core.Vocabulary;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What tokens stand for: their text, their single byte, whether they are markers. */
final class TokenText {
  private static final Pattern BYTE = Pattern.compile("<0x([0-9A-Fa-f]{2})>");
  private static final Pattern MARKER = Pattern.compile("(?s)[\\[<].*\\p{L}.*[]>]");
  private static final Pattern UNUSED =
      Pattern.compile("(?i)[\\[<]\\|?_?(unused|reserved)[\\p{L}\\p{N}_ -]*\\|?[]>]");

  private final Vocabulary vocabulary;

  TokenText(Vocabulary vocabulary) {
    this.vocabulary = vocabulary;
  }

  /** Returns the text that a token stands for; empty if its bytes alone are not UTF-8. */
  Optional<String> text(long id) {
    byte[] bytes = vocabulary.bytes(id);
    if (!vocabulary.isAdded(id)) {
      switch (vocabulary.spelling()) {
        case BYTE_LEVEL -> bytes = Spelling.bytesOfByteLevel(vocabulary.stored(id));
        case SENTENCEPIECE -> {
          OptionalInt single = fallbackByte(id);
          if (single.isPresent()) {
            bytes = new byte[] {(byte) single.getAsInt()};
          }
        }
        case WORDPIECE, PLAIN -> {}
      }
    }
    try {
      String text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
      boolean pieces = vocabulary.spelling() == Spelling.SENTENCEPIECE;
      return Optional.of(pieces ? text.replace('\u2581', ' ') : text);
    } catch (CharacterCodingException _) {
      return Optional.empty();
    }
  }

  /** Returns the byte that a token of one byte stands for, in [0, 255]. */
  OptionalInt singleByte(long id) {
    if (vocabulary.isAdded(id)) {
      return OptionalInt.empty();
    }
    return switch (vocabulary.spelling()) {
      case BYTE_LEVEL -> {
        String stored = vocabulary.stored(id);
        byte[] bytes = stored.length() == 1 ? Spelling.bytesOfByteLevel(stored) : new byte[0];
        yield bytes.length == 1 ? OptionalInt.of(bytes[0] & 0xFF) : OptionalInt.empty();
      }
      case SENTENCEPIECE -> fallbackByte(id);
      case WORDPIECE, PLAIN -> OptionalInt.empty();
    };
  }

  private OptionalInt fallbackByte(long id) {
    Matcher matcher = BYTE.matcher(vocabulary.stored(id));
    return matcher.matches()
        ? OptionalInt.of(Integer.parseInt(matcher.group(1), 16))
        : OptionalInt.empty();
  }

  /** Returns whether a token looks like a marker: {@code [CLS]}, {@code </s>}. */
  boolean isMarker(long id) {
    String stored = vocabulary.stored(id);
    return stored.length() >= 3
        && MARKER.matcher(stored).matches()
        && !BYTE.matcher(stored).matches();
  }

  /** Returns whether the vocabulary itself calls a token unused: {@code [unused7]}. */
  boolean isDeclaredUnused(long id) {
    return UNUSED.matcher(vocabulary.stored(id)).matches();
  }
}

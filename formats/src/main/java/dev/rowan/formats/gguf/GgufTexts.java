package dev.rowan.formats.gguf;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What a GGUF file says of itself: its texts under {@code general.}, such as the licence, and those
 * that came from the header of a file of another format.
 */
public final class GgufTexts {
  /** How the keys of GGUF's own texts begin. */
  private static final String GENERAL = "general.";

  private static final String ARCHITECTURE = GENERAL + "architecture";

  /** How the keys of texts begin that another format named. */
  private static final String OTHERS = "rowan.metadata.";

  private GgufTexts() {}

  static Map<String, String> of(GgufMetadata metadata) {
    Map<String, String> texts = new LinkedHashMap<>();
    for (String key : metadata.textKeys()) {
      boolean general = key.startsWith(GENERAL) && !key.equals(ARCHITECTURE);
      if (general || key.startsWith(OTHERS)) {
        texts.put(general ? key : key.substring(OTHERS.length()), metadata.text(key).orElseThrow());
      }
    }
    return texts;
  }

  /** Returns the key under which a text of that name is written, so that it comes back. */
  public static String key(String name) {
    return name.startsWith(GENERAL) && !name.equals(ARCHITECTURE) ? name : OTHERS + name;
  }
}

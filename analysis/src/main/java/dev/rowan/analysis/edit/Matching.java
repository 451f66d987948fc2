package dev.rowan.analysis.edit;

import dev.rowan.core.Spelling;
import dev.rowan.core.Vocabulary;
import dev.rowan.formats.json.JsonTree.Members;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Which token of one tokenizer is which of another, however each writes them down: tokens are
 * compared as the bytes of text they stand for, a space in front included, and added tokens as they
 * are written. Tokens of one role, such as the end of a text, match too.
 */
final class Matching {
  private static final List<String> ROLES =
      List.of(
          "bos_token",
          "eos_token",
          "unk_token",
          "pad_token",
          "cls_token",
          "sep_token",
          "mask_token");

  private final Map<String, Integer> idOf = new HashMap<>();
  private final Map<String, Integer> idOfRole;

  /** Prepares to find tokens of a vocabulary. */
  Matching(Vocabulary vocabulary, Path folder) throws IOException {
    for (int id = 0; id < vocabulary.size(); id++) {
      if (vocabulary.has(id)) {
        idOf.putIfAbsent(key(vocabulary, id), id);
      }
    }
    this.idOfRole = roles(vocabulary, folder);
  }

  /** Returns the id of the same text. */
  OptionalInt find(Vocabulary other, int id) {
    Integer found = idOf.get(key(other, id));
    return found == null ? OptionalInt.empty() : OptionalInt.of(found);
  }

  /** Returns the id of the same role. */
  OptionalInt role(String role) {
    Integer found = idOfRole.get(role);
    return found == null ? OptionalInt.empty() : OptionalInt.of(found);
  }

  /** Returns the ids of the roles that a tokenizer's settings name. */
  static Map<String, Integer> roles(Vocabulary vocabulary, Path folder) throws IOException {
    Map<String, Integer> roles = new LinkedHashMap<>();
    for (String name : List.of("special_tokens_map.json", "tokenizer_config.json")) {
      Path file = folder.resolve(name);
      if (Files.isRegularFile(file)) {
        Members root = TextDrafts.read(file);
        for (String role : ROLES) {
          Optional<String> token =
              root.text(role).or(() -> root.object(role).flatMap(inner -> inner.text("content")));
          token.flatMap(text -> boxed(vocabulary.id(text))).ifPresent(id -> roles.put(role, id));
        }
      }
    }
    return roles;
  }

  private static Optional<Integer> boxed(OptionalInt id) {
    return id.isPresent() ? Optional.of(id.getAsInt()) : Optional.empty();
  }

  /**
   * Returns the text that a token stands for as Latin-1 of its bytes, or its name if it is a mark.
   */
  private static String key(Vocabulary vocabulary, int id) {
    String stored = vocabulary.stored(id);
    if (vocabulary.isAdded(id)) {
      return "mark " + stored;
    }
    byte[] bytes =
        switch (vocabulary.spelling()) {
          case BYTE_LEVEL -> Spelling.bytesOfByteLevel(stored);
          case SENTENCEPIECE -> sentencePiece(stored);
          case WORDPIECE, PLAIN -> text(vocabulary, id).getBytes(StandardCharsets.UTF_8);
        };
    return "text " + new String(bytes, StandardCharsets.ISO_8859_1);
  }

  private static byte[] sentencePiece(String stored) {
    return stored.matches("<0x[0-9A-Fa-f]{2}>")
        ? new byte[] {(byte) Integer.parseInt(stored.substring(3, 5), 16)}
        : stored.replace('▁', ' ').getBytes(StandardCharsets.UTF_8);
  }

  /** Returns the text that a token stands for, a space in front where it begins a word. */
  static String text(Vocabulary vocabulary, int id) {
    String stored = vocabulary.stored(id);
    return switch (vocabulary.spelling()) {
      case BYTE_LEVEL -> vocabulary.text(id);
      case SENTENCEPIECE -> stored.replace('▁', ' ');
      case WORDPIECE ->
          stored.startsWith("##") && stored.length() > 2 ? stored.substring(2) : " " + stored;
      case PLAIN -> " " + stored;
    };
  }
}

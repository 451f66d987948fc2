package dev.rowan.formats.tokenizer;

import dev.rowan.core.Vocabulary;
import dev.rowan.formats.file.FileKind;
import dev.rowan.formats.file.FormatException;
import dev.rowan.formats.file.MappedFile;
import dev.rowan.formats.json.JsonReader;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;

/**
 * Reads the tokens out of a Hugging Face {@code tokenizer.json}: what is needed to name rows, not
 * to split text.
 *
 * <pre>
 *   {"added_tokens": [{"id": 0, "content": "[PAD]", …}, …],
 *    "normalizer": …, "pre_tokenizer": …, "decoder": …,      (how spaces are written)
 *    "model": {"type": "BPE" | "WordPiece" | "WordLevel" | "Unigram",
 *              "vocab": {"token": id, …}                      (the first three)
 *                     | [["token", score], …],                (Unigram: the place is the id)
 *              "merges": […]}}                                (passed over)
 * </pre>
 *
 * <p>{@code model.type} may be missing in old files. Ids may have gaps. Where an added token and
 * the vocabulary give one id two spellings the added token wins, as it does in the tokenizers
 * library, and {@link Vocabulary#notes} says so. Other ids in the file (of post-processors) may
 * belong to another vocabulary and are not read.
 */
public final class TokenizerJson {
  private final JsonReader json;
  private final Path path;
  private final TokenList tokens = new TokenList();
  private final SpellingClues clues = new SpellingClues();
  private final TokenList added = new TokenList();

  private TokenizerJson(Path path, JsonReader json) {
    this.path = path;
    this.json = json;
  }

  /**
   * Reads a file. Cost: one pass over it.
   *
   * @throws FormatException if it is not JSON, holds no tokens, or gives an id that is not one
   */
  public static Vocabulary read(Path path) throws IOException {
    try (MappedFile file = MappedFile.open(path)) {
      return read(path, file.bytes());
    }
  }

  /**
   * Reads the bytes of a file.
   *
   * @param path where they come from, for messages
   * @throws FormatException as {@link #read(Path)}
   */
  public static Vocabulary read(Path path, MemorySegment bytes) {
    if (FileKind.of(bytes) == FileKind.GIT_LFS_POINTER) {
      throw new FormatException(
          path,
          "starts with \"version https://git-lfs\": this is a Git LFS pointer, not the tokenizer;"
              + " fetch the real file with git lfs pull");
    }
    return new TokenizerJson(path, JsonReader.over(path, bytes, 0)).vocabulary();
  }

  private Vocabulary vocabulary() {
    json.enterObject("the tokenizer");
    boolean model = false;
    while (json.nextName()) {
      String field = json.name();
      json.nextValue();
      switch (field) {
        case "added_tokens" -> readAdded();
        case "normalizer", "pre_tokenizer", "decoder" -> clues.component(json);
        case "model" -> {
          readModel();
          model = true;
        }
        default -> json.skip();
      }
    }
    json.end();
    if (!model || tokens.count() == 0) {
      throw new FormatException(
          path, "holds no \"model\" with a \"vocab\", so there are no tokens to read");
    }
    tokens.addedFollow();
    tokens.addAll(added);
    if (tokens.excessiveId() >= 0) {
      throw new FormatException(
          path,
          "gives the id %,d though it lists only %,d tokens; ids that sparse are not supported"
              .formatted(tokens.excessiveId(), tokens.count()));
    }
    return tokens.toVocabulary(clues.spelling(tokens.startingWith("Ġ"), tokens.startingWith("▁")));
  }

  private void readAdded() {
    if (!json.isArray()) {
      json.skip(); // null where there are none
      return;
    }
    while (json.nextValue()) {
      if (!json.isObject()) {
        throw json.wrong("an entry of added_tokens should be an object");
      }
      byte[] content = null;
      int id = -1;
      while (json.nextName()) {
        String field = json.name();
        json.nextValue();
        switch (field) {
          case "content" -> content = json.textBytes("the content of an added token");
          case "id" -> id = id("the id of an added token");
          default -> json.skip();
        }
      }
      if (content == null || id < 0) {
        throw json.wrong("an entry of added_tokens lacks its id or its content");
      }
      added.add(content, id);
    }
  }

  private void readModel() {
    if (!json.isObject()) {
      throw json.wrong("model should be an object");
    }
    while (json.nextName()) {
      String field = json.name();
      json.nextValue();
      switch (field) {
        case "type" -> clues.modelType(json.text("model.type"));
        case "vocab" -> readVocab();
        case "byte_fallback" -> {
          if (json.isTrue()) {
            clues.byteFallback();
          }
        }
        default -> json.skip();
      }
    }
  }

  private void readVocab() {
    if (tokens.count() > 0) {
      throw json.wrong("duplicate name: \"vocab\" occurs twice");
    }
    if (json.isObject()) {
      while (json.nextName()) {
        byte[] token = json.nameBytes();
        json.nextValue();
        tokens.add(token, id("the id of a token"));
      }
    } else if (json.isArray()) {
      clues.scoredPieces();
      while (json.nextValue()) {
        readPiece();
      }
    } else {
      throw json.wrong("model.vocab should be an object or an array");
    }
  }

  private void readPiece() {
    if (!json.isArray() || !json.nextValue()) {
      throw json.wrong("an entry of model.vocab should be an array [token, score]");
    }
    tokens.add(json.textBytes("the token of an entry of model.vocab"), tokens.count());
    while (json.nextValue()) {
      json.skip();
    }
  }

  private int id(String what) {
    long id = json.whole(what);
    if (id < 0 || id >= Integer.MAX_VALUE) {
      throw json.wrong("%s is %d; it should lie in [0, 2^31 − 1)".formatted(what, id));
    }
    return (int) id;
  }
}

package dev.rowan.formats.tokenizer;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import dev.rowan.core.Spelling;
import dev.rowan.core.Vocabulary;
import dev.rowan.formats.file.FormatException;
import dev.rowan.formats.file.MappedFile;
import dev.rowan.formats.tokenizer.TokenizerModel.ByteLevelBpe;
import dev.rowan.formats.tokenizer.TokenizerModel.Form;
import dev.rowan.formats.tokenizer.TokenizerModel.Lead;
import dev.rowan.formats.tokenizer.TokenizerModel.Markers;
import dev.rowan.formats.tokenizer.TokenizerModel.WholeWord;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Reads a tiktoken file: a token a line, its bytes in Base64, a space, its id, which is also its
 * rank among the merges.
 *
 * <pre>
 *   IQ== 0
 *   Ig== 1
 * </pre>
 *
 * <p>The file says neither how text is cut into words nor which tokens were added. Both are told by
 * its name, or else by how many tokens it has: OpenAI's encodings, and the models that use the
 * format (Llama 3 calls it {@code tokenizer.model}, Qwen {@code qwen.tiktoken}, Kimi {@code
 * tiktoken.model}). A file that has another number of tokens than its name promises gets no added
 * ones. Any other file is taken to cut like {@code cl100k_base} and to have no added tokens, and
 * the vocabulary's notes say so.
 */
public final class TiktokenFile {
  private static final Map<String, Integer> CL100K_ADDED =
      Map.of(
          "<|endoftext|>", 100257,
          "<|fim_prefix|>", 100258,
          "<|fim_middle|>", 100259,
          "<|fim_suffix|>", 100260,
          "<|endofprompt|>", 100276);
  private static final Map<String, Integer> LLAMA3_ADDED =
      Map.of(
          "<|begin_of_text|>", 128000,
          "<|end_of_text|>", 128001,
          "<|start_header_id|>", 128006,
          "<|end_header_id|>", 128007,
          "<|eot_id|>", 128009);
  private static final Map<String, Integer> QWEN_ADDED =
      Map.of("<|endoftext|>", 151643, "<|im_start|>", 151644, "<|im_end|>", 151645);

  private static final Encoding QWEN = // its tokenizer composes characters first
      new Encoding("qwen", 151_643, WordSplit.QWEN2, QWEN_ADDED);

  private static final List<Encoding> KNOWN =
      List.of(
          new Encoding("r50k", 50_256, WordSplit.GPT2, Map.of("<|endoftext|>", 50256)),
          new Encoding("gpt2", 50_256, WordSplit.GPT2, Map.of("<|endoftext|>", 50256)),
          new Encoding("p50k", 50_280, WordSplit.GPT2, Map.of("<|endoftext|>", 50256)),
          new Encoding("cl100k", 100_256, WordSplit.CL100K, CL100K_ADDED),
          new Encoding(
              "o200k",
              199_998,
              WordSplit.O200K,
              Map.of("<|endoftext|>", 199999, "<|endofprompt|>", 200018)),
          new Encoding("kimi", 163_584, WordSplit.KIMI, Map.of()), // its config names the others
          new Encoding("llama", 128_000, WordSplit.LLAMA3, LLAMA3_ADDED),
          QWEN);

  /**
   * What a file does not say of itself.
   *
   * @param name what its file name contains
   * @param tokens how many lines it has
   */
  private record Encoding(String name, int tokens, WordSplit split, Map<String, Integer> added) {}

  private TiktokenFile() {}

  /** Returns whether bytes begin like such a file: with a token in Base64 and an id. */
  public static boolean isOne(MemorySegment bytes) {
    byte[] start = bytes.asSlice(0, Math.min(4096, bytes.byteSize())).toArray(JAVA_BYTE);
    String line = new String(start, StandardCharsets.ISO_8859_1).lines().findFirst().orElse("");
    return line.matches(
        "(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{4}|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{2}==) 0");
  }

  /**
   * Reads a file. Cost: one pass over it.
   *
   * @throws FormatException if a line is wrong, or two lines have one id
   */
  public static ByteLevelBpe read(Path path) throws IOException {
    try (MappedFile file = MappedFile.open(path)) {
      return read(path, file.bytes());
    }
  }

  private static ByteLevelBpe read(Path path, MemorySegment bytes) {
    TokenList tokens = new TokenList();
    Map<Integer, Long> lineOfId = new TreeMap<>();
    TextFile lines = TextFile.over(path, bytes);
    while (lines.next()) {
      if (!lines.isEmpty()) {
        addLine(path, lines, tokens, lineOfId);
      }
    }
    if (tokens.count() == 0) {
      throw new FormatException(path, "holds no tokens");
    }
    Optional<Encoding> known = encoding(path, tokens.count());
    tokens.addedFollow();
    int listed = tokens.count();
    known
        .filter(encoding -> encoding.tokens() == listed)
        .ifPresent(encoding -> addTokens(encoding, tokens));
    if (tokens.excessiveId() >= 0) {
      throw new FormatException(
          path,
          "gives the id %,d though it lists only %,d tokens; ids that sparse are not supported"
              .formatted(tokens.excessiveId(), tokens.count()));
    }
    Vocabulary vocabulary = tokens.toVocabulary(Spelling.BYTE_LEVEL);
    if (known.isEmpty()) {
      vocabulary =
          vocabulary.withNotes(
              List.of(
                  "the file does not say how it cuts text into words; it is taken to do as cl100k_base does"));
    }
    return new ByteLevelBpe(
        vocabulary,
        Optional.empty(),
        known.map(Encoding::split).orElse(WordSplit.CL100K),
        WholeWord.TAKEN,
        Lead.NONE,
        known.filter(QWEN::equals).isPresent() ? Form.NFC : Form.KEPT,
        markers(vocabulary));
  }

  private static void addTokens(Encoding encoding, TokenList tokens) {
    new TreeMap<>(encoding.added())
        .forEach((token, id) -> tokens.add(token.getBytes(StandardCharsets.UTF_8), id));
  }

  private static Markers markers(Vocabulary vocabulary) {
    List<Integer> inText =
        IntStream.range(0, vocabulary.size()).filter(vocabulary::isAdded).boxed().toList();
    return new Markers(inText, VocabTxt.ids(vocabulary, "<|begin_of_text|>"), List.of());
  }

  private static Optional<Encoding> encoding(Path path, int tokens) {
    Path fileName = path.getFileName();
    String name = fileName == null ? "" : fileName.toString().toLowerCase(Locale.ROOT);
    Optional<Encoding> named =
        KNOWN.stream().filter(encoding -> name.contains(encoding.name())).findFirst();
    return named.or(
        () -> KNOWN.stream().filter(encoding -> encoding.tokens() == tokens).findFirst());
  }

  private static void addLine(
      Path path, TextFile lines, TokenList tokens, Map<Integer, Long> lineOfId) {
    String line = new String(lines.line(), StandardCharsets.ISO_8859_1);
    int space = line.indexOf(' ');
    byte[] token;
    int id;
    try {
      token = Base64.getDecoder().decode(line.substring(0, Math.max(0, space)));
      id = Integer.parseInt(line.substring(space + 1));
    } catch (IllegalArgumentException e) {
      throw wrong(path, lines, "is not a token in Base64, a space and an id", e);
    }
    if (token.length == 0 || id < 0 || id == Integer.MAX_VALUE) {
      throw wrong(path, lines, "has an empty token or an id outside [0, 2^31 − 1)", null);
    }
    Long before = lineOfId.putIfAbsent(id, lines.number());
    if (before != null) {
      throw wrong(path, lines, "has the id %d, as line %,d has".formatted(id, before), null);
    }
    tokens.add(Spelling.byteLevel(token).getBytes(StandardCharsets.UTF_8), id);
  }

  private static FormatException wrong(
      Path path, TextFile lines, String what, @Nullable Exception cause) {
    String message = "line %,d %s".formatted(lines.number(), what);
    return cause == null
        ? new FormatException(path, lines.offset(), message)
        : new FormatException(path, lines.offset(), message, cause);
  }
}

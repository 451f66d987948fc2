package dev.rowan.formats.tokenizer;

import dev.rowan.formats.tokenizer.TokenizerModel.WholeWord;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * The ways in which byte-level BPE models cut text into words before they merge. Each is defined by
 * a regular expression in the model's own tokenizer file; the names are those of the model that
 * used it first.
 */
public enum WordSplit {
  /** Words and numbers with one leading space, contractions apart. */
  GPT2,
  /** As GPT2, and every digit alone. */
  STARCODER,
  /** Runs of punctuation apart, then as GPT2, then digits by three. */
  FALCON,
  /** Contractions in any case, one foreign character before a word, digits by three. */
  LLAMA3,
  /** As LLAMA3, but white space at the end of a text is one word even with line ends in it. */
  CL100K,
  /** As LLAMA3, and every digit alone. */
  QWEN2,
  /** Words split where a capital follows a small letter, contractions with their word. */
  O200K,
  /** As O200K, and Chinese characters apart. */
  KIMI,
  /** As O200K without contractions, and every digit alone. */
  TEKKEN,
  /** Digits by three, Chinese and Japanese apart, marks with their letters. */
  DEEPSEEK_V3,
  /** Line ends, words, punctuation, Chinese and single digits, one after the other. */
  DEEPSEEK_CODER,
  /** Anything between spaces and a few marks of punctuation. */
  BLOOM,
  /** As BLOOM, and every digit alone. */
  VIKING,
  /** What llama.cpp does where a file does not say. */
  UNNAMED;

  /** GPT-2's expression, which the step {@code ByteLevel} of tokenizer.json files has built in. */
  public static final String GPT2_PATTERN =
      "'s|'t|'re|'ve|'m|'ll|'d| ?\\p{L}+| ?\\p{N}+| ?[^\\s\\p{L}\\p{N}]+|\\s+(?!\\S)|\\s+";

  /** Stands for the step {@code Digits} with digits apart. */
  public static final String SINGLE_DIGITS = "digits";

  private static final String CONTRACTIONS = "(?i:'s|'t|'re|'ve|'m|'ll|'d)";
  private static final String REST =
      "| ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+";
  private static final String REST_WITH_SLASH =
      "| ?[^\\s\\p{L}\\p{N}]+[\\r\\n/]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+";
  private static final String UPPER = "[^\\r\\n\\p{L}\\p{N}]?[\\p{Lu}\\p{Lt}\\p{Lm}\\p{Lo}\\p{M}]";
  private static final String LOWER = "[\\p{Ll}\\p{Lm}\\p{Lo}\\p{M}]";

  /**
   * Returns the expressions that a {@code tokenizer.json} of such a model cuts by, one after the
   * other within the pieces of the one before; empty if that is not how such files say it.
   */
  public Optional<List<String>> steps() {
    return Optional.ofNullable(
        switch (this) {
          case GPT2 -> List.of(GPT2_PATTERN);
          case STARCODER -> List.of(SINGLE_DIGITS, GPT2_PATTERN);
          case LLAMA3 ->
              List.of(CONTRACTIONS + "|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}{1,3}" + REST);
          case QWEN2 -> List.of(CONTRACTIONS + "|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}" + REST);
          case TEKKEN ->
              List.of(
                  UPPER + "*" + LOWER + "+|" + UPPER + "+" + LOWER + "*|\\p{N}" + REST_WITH_SLASH);
          case O200K ->
              List.of(
                  "%s*%s+%s?|%s+%s*%s?|\\p{N}{1,3}"
                          .formatted(UPPER, LOWER, CONTRACTIONS, UPPER, LOWER, CONTRACTIONS)
                      + REST_WITH_SLASH);
          case DEEPSEEK_V3 ->
              List.of(
                  "\\p{N}{1,3}",
                  "[一-龥\u3040-ゟ゠-ヿ]+",
                  "[!\"#$%&'()*+,\\-./:;<=>?@\\[\\\\\\]^_`{|}~][A-Za-z]+"
                      + "|[^\\r\\n\\p{L}\\p{P}\\p{S}]?[\\p{L}\\p{M}]+"
                      + "| ?[\\p{P}\\p{S}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+");
          case FALCON, CL100K, KIMI, DEEPSEEK_CODER, BLOOM, VIKING, UNNAMED -> null;
        });
  }

  /** Returns the one that cuts by these expressions, if there is one. */
  static Optional<WordSplit> ofSteps(List<String> steps) {
    return Arrays.stream(values())
        .filter(split -> split.steps().filter(steps::equals).isPresent())
        .findFirst();
  }

  /** Returns the one that a GGUF file calls by a name ({@code tokenizer.ggml.pre}). */
  public static Optional<WordSplit> ofGguf(String name) {
    return Optional.ofNullable(
        switch (name) {
          case "gpt-2",
              "phi-2",
              "mpt",
              "olmo",
              "jais",
              "trillion",
              "granite-docling",
              "exaone4",
              "gigachat",
              "mellum",
              "a.x-4.0",
              "jina-es",
              "jina-de",
              "jina-v2-es",
              "jina-v2-de",
              "jina-v1-en",
              "jina-v2-code",
              "roberta-bpe" ->
              GPT2;
          case "starcoder", "refact", "command-r", "smollm", "codeshell", "exaone", "minerva-7b" ->
              STARCODER;
          case "falcon" -> FALCON;
          case "llama3",
              "llama-v3",
              "llama-bpe",
              "falcon3",
              "falcon-h1",
              "pixtral",
              "midm-2.0",
              "lfm2",
              "dbrx",
              "smaug-bpe",
              "glm4",
              "chatglm-bpe" ->
              LLAMA3;
          case "qwen2", "stablelm2", "hunyuan", "deepseek-r1-qwen", "kormo", "megrez", "grok-2" ->
              QWEN2;
          case "gpt-4o", "llama4", "minimax-m2" -> O200K;
          case "tekken" -> TEKKEN;
          case "kimi-k2" -> KIMI;
          case "deepseek-v3", "hunyuan-dense" -> DEEPSEEK_V3;
          case "deepseek-coder" -> DEEPSEEK_CODER;
          case "bloom", "poro-chat", "gpt3-finnish" -> BLOOM;
          case "viking" -> VIKING;
          case "default" -> UNNAMED;
          default -> null;
        });
  }

  /**
   * Returns a name that GGUF files and llama.cpp have for this way and for what becomes of whole
   * words; empty if they have none.
   */
  public Optional<String> ggufName(WholeWord wholeWord) {
    boolean taken = wholeWord == WholeWord.TAKEN;
    return Optional.ofNullable(
        switch (this) {
          case LLAMA3 -> taken ? "llama-bpe" : "smaug-bpe";
          case TEKKEN -> taken ? "tekken" : null;
          case GPT2 -> taken ? null : "gpt-2";
          case STARCODER -> taken ? null : "starcoder";
          case FALCON -> taken ? null : "falcon";
          case QWEN2 -> taken ? null : "qwen2";
          case O200K -> taken ? null : "gpt-4o";
          case KIMI -> taken ? null : "kimi-k2";
          case DEEPSEEK_V3 -> taken ? null : "deepseek-v3";
          case DEEPSEEK_CODER -> taken ? null : "deepseek-coder";
          case BLOOM -> taken ? null : "bloom";
          case VIKING -> taken ? null : "viking";
          case UNNAMED -> taken ? null : "default";
          case CL100K -> null;
        });
  }
}

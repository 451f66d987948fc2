package dev.rowan.formats.tokenizer;

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
          case "deepseek-v3", "hunyuan-dense" -> DEEPSEEK_V3;
          case "deepseek-coder" -> DEEPSEEK_CODER;
          case "bloom", "poro-chat", "gpt3-finnish" -> BLOOM;
          case "viking" -> VIKING;
          case "default" -> UNNAMED;
          default -> null;
        });
  }
}

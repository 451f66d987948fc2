package dev.rowan.formats.tokenizer;

import dev.rowan.formats.file.UnsupportedFormatException;
import dev.rowan.formats.tokenizer.TokenizerModel.Form;
import dev.rowan.formats.tokenizer.TokenizerModel.Lead;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * What {@code vocab.json} and {@code merges.txt} leave to the Python class that they were saved
 * from (transformers 5, {@code tokenization_*.py} of each model). {@code tokenizer_config.json}
 * names it, else the {@code model_type} of {@code config.json} leads to it; without either it is
 * GPT-2's.
 */
enum SavedClass {
  GPT2(WordSplit.GPT2, Form.KEPT, Lead.NONE),
  /** Blenderbot and LayoutLMv3: as GPT-2, with a space in front of a text. */
  LED(WordSplit.GPT2, Form.KEPT, Lead.SPACE_BEFORE),
  /** RoBERTa and BART: as GPT-2, between {@code <s>} and {@code </s>}. */
  FRAMED(WordSplit.GPT2, Form.KEPT, Lead.NONE),
  GPT_NEOX(WordSplit.GPT2, Form.NFC, Lead.NONE),
  COHERE(WordSplit.STARCODER, Form.NFC, Lead.NONE),
  QWEN2(WordSplit.QWEN2, Form.NFC, Lead.NONE);

  /** Classes with rules that no model here has. */
  private static final Pattern FOREIGN =
      Pattern.compile(
          "(clip|openai|herbert|nougat|ctrl|biogpt|fsmt|flaubert|blenderbotsmall|clvp|qwen35|qwen4"
              + "|groupvit|owlv|phobert|bertweet|speech).*|xlm");

  final WordSplit split;
  final Form form;
  final Lead lead;

  SavedClass(WordSplit split, Form form, Lead lead) {
    this.split = split;
    this.form = form;
    this.lead = lead;
  }

  /**
   * Returns the class that files belong to.
   *
   * @param name of a class or of a type of model, if known
   * @throws UnsupportedFormatException if it is known to split text by other rules
   */
  static SavedClass of(Path path, Optional<String> name) {
    String key = name.map(SavedClass::key).orElse("");
    if (FOREIGN.matcher(key).matches()) {
      throw new UnsupportedFormatException(
          path,
          "belongs to a tokenizer or model of the kind \"%s\", whose rules for splitting text are not known here; use the model's tokenizer.json"
              .formatted(name.orElseThrow()));
    }
    if (startsWith(key, "qwen2", "qwen3")) {
      return QWEN2;
    }
    if (startsWith(key, "gptneox")) {
      return GPT_NEOX;
    }
    if (startsWith(key, "cohere")) {
      return COHERE;
    }
    if (startsWith(key, "blenderbot", "layoutlmv3")) {
      return LED;
    }
    return startsWith(key, "roberta", "bart") ? FRAMED : GPT2;
  }

  /** What "Qwen2TokenizerFast" and "qwen2_moe" have in common. */
  static String key(String name) {
    return name.replaceFirst("Tokenizer(Fast)?$", "")
        .replaceAll("[^A-Za-z0-9]", "")
        .toLowerCase(Locale.ROOT);
  }

  private static boolean startsWith(String key, String... starts) {
    return List.of(starts).stream().anyMatch(key::startsWith);
  }
}

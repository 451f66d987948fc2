package dev.rowan.train.lm;

import dev.rowan.core.Table;
import dev.rowan.core.Vocabulary;
import dev.rowan.formats.safetensors.SafetensorsDtypes;
import dev.rowan.formats.safetensors.SafetensorsWriter;
import dev.rowan.formats.safetensors.SafetensorsWriter.Tensor;
import dev.rowan.formats.safetensors.StoredTokens;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/** Writes the tables of a language model: the input, and the output where it is another. */
public final class TrainedLanguage {
  /** How the marker between sentences is called in the written vocabulary. */
  public static final String MARKER = "</s>";

  private TrainedLanguage() {}

  /**
   * Writes a safetensors file: {@code embeddings.weight}, {@code lm_head.weight} where the tables
   * are two, the words with {@value #MARKER} last, every setting and measure in its metadata.
   *
   * @param notes further texts for the metadata
   * @throws IOException if writing fails; the old file, if any, is untouched then
   */
  public static void save(Path file, LanguageTrainer trainer, Map<String, String> notes)
      throws IOException {
    List<Tensor> tensors = new ArrayList<>(StoredTokens.tensors(vocabulary(trainer)));
    tensors.add(tensor("embeddings.weight", trainer.input()));
    trainer.output().ifPresent(table -> tensors.add(tensor("lm_head.weight", table)));
    Map<String, String> texts = new LinkedHashMap<>();
    trainer.settings().asText().forEach((name, value) -> texts.put("rowan.train." + name, value));
    LanguageReport report = trainer.report();
    texts.put("rowan.train.parameters", String.valueOf(report.parameters()));
    texts.put("rowan.train.perplexity-unigram", number(report.unigram()));
    texts.put("rowan.train.perplexity-trigram", number(report.trigram()));
    if (!report.epochs().isEmpty()) {
      texts.put("rowan.train.perplexity", number(report.epochs().getLast().heldOut()));
    }
    notes.forEach((name, value) -> texts.put("rowan.train." + name, value));
    SafetensorsWriter.write(file, tensors, texts);
  }

  /** Returns the words, then the marker. */
  public static Vocabulary vocabulary(LanguageTrainer trainer) {
    Vocabulary words = trainer.vocabulary().vocabulary();
    byte[][] all = new byte[words.size() + 1][];
    for (int w = 0; w < words.size(); w++) {
      all[w] = words.bytes(w);
    }
    all[words.size()] = MARKER.getBytes(java.nio.charset.StandardCharsets.UTF_8);
    return Vocabulary.of(words.spelling(), all, new BitSet(), new BitSet());
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, "%.4f", value);
  }

  private static Tensor tensor(String name, Table table) {
    return new Tensor(
        name,
        Objects.requireNonNull(SafetensorsDtypes.byLabel().get("F32")),
        List.of(table.rows(), (long) table.width()),
        table.data());
  }
}

package dev.rowan.formats.write;

import dev.rowan.formats.file.NewFile;
import dev.rowan.formats.gguf.GgufTexts;
import dev.rowan.formats.tokenizer.TokenizerModel;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * GGUF version 3 with the input table, {@code token_embd.weight}, an output table of its own where
 * there is one, {@code output.weight}, and the tokens.
 *
 * <pre>
 *   "GGUF", u32 3, i64 tensors, i64 settings
 *   settings: text key, u32 type, value        texts: u64 length, bytes
 *   tensor: text name, u32 2, i64 width, i64 rows, u32 type, u64 offset
 *   padding to 32, the rows of each tensor
 * </pre>
 *
 * <p>Tokens of BERT are spelled as llama.cpp's converter does; see {@link
 * dev.rowan.formats.gguf.PhantomSpaces}. Rows without a token are named {@code [PADid]} and marked
 * unused.
 */
final class GgufOut {
  private static final int ALIGNMENT = 32;

  private static final Map<String, Integer> TYPES =
      Map.ofEntries(
          Map.entry("f32", 0),
          Map.entry("f16", 1),
          Map.entry("q4_0", 2),
          Map.entry("q4_1", 3),
          Map.entry("q5_0", 6),
          Map.entry("q5_1", 7),
          Map.entry("q8_0", 8),
          Map.entry("q2_k", 10),
          Map.entry("q3_k", 11),
          Map.entry("q4_k", 12),
          Map.entry("q5_k", 13),
          Map.entry("q6_k", 14),
          Map.entry("iq4_nl", 20),
          Map.entry("iq3_s", 21),
          Map.entry("iq4_xs", 23),
          Map.entry("f64", 28),
          Map.entry("bf16", 30),
          Map.entry("mxfp4", 39));

  private final Source source;
  private final GgufKeys keys = new GgufKeys();

  private GgufOut(Source source) {
    this.source = source;
  }

  /**
   * Writes.
   *
   * @param output the rows of an output table of its own
   * @param tokenizer how text is split, where that is known
   */
  static void write(
      Source source,
      EncodedRows rows,
      Optional<EncodedRows> output,
      Optional<TokenizerModel> tokenizer,
      Path file)
      throws IOException {
    GgufOut out = new GgufOut(source);
    out.settings();
    if (source.hasTokens()) {
      GgufTokens.write(source, out.keys, tokenizer);
    }
    byte[] header = out.header(rows, output);
    NewFile.write(
        file,
        target -> {
          target.append(MemorySegment.ofArray(header));
          rows.appendTo(target);
          if (output.isPresent()) {
            target.append(MemorySegment.ofArray(new byte[padding(rows.bytes())]));
            output.get().appendTo(target);
          }
        });
  }

  private static int padding(long bytes) {
    return Math.floorMod(-bytes, ALIGNMENT);
  }

  private void settings() {
    String architecture =
        source.lexicon().origin().architecture().orElse("embedding-table").toLowerCase(Locale.ROOT);
    keys.text("general.architecture", architecture);
    Map<String, String> texts = source.texts();
    texts.putIfAbsent("general.name", source.name());
    texts.forEach((name, text) -> keys.text(GgufTexts.key(name), text));
    keys.number("general.alignment", ALIGNMENT);
    keys.number(architecture + ".embedding_length", source.width());
    source.provenance().forEach(keys::text);
  }

  private byte[] header(EncodedRows rows, Optional<EncodedRows> output) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.writeBytes(GgufKeys.utf8("GGUF"));
    GgufKeys.little(out, 3, 4);
    GgufKeys.little(out, output.isPresent() ? 2 : 1, 8);
    GgufKeys.little(out, keys.count(), 8);
    out.writeBytes(keys.toBytes());
    tensor(out, "token_embd.weight", rows, 0);
    output.ifPresent(
        table -> tensor(out, "output.weight", table, rows.bytes() + padding(rows.bytes())));
    out.writeBytes(new byte[padding(out.size())]);
    return out.toByteArray();
  }

  private static void tensor(
      ByteArrayOutputStream out, String name, EncodedRows rows, long offset) {
    GgufKeys.text(out, GgufKeys.utf8(name));
    GgufKeys.little(out, 2, 4);
    GgufKeys.little(out, rows.source().width(), 8); // the fastest dimension first
    GgufKeys.little(out, rows.source().rows(), 8);
    Integer type = TYPES.get(rows.encoder().label());
    if (type == null) {
      throw new IllegalStateException("gguf has no " + rows.encoder().label());
    }
    GgufKeys.little(out, type, 4);
    GgufKeys.little(out, offset, 8);
  }
}

package dev.rowan.formats.write;

import dev.rowan.core.Spelling;
import dev.rowan.formats.file.NewFile;
import dev.rowan.formats.gguf.PhantomSpaces;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;

/**
 * GGUF version 3 with one table, {@code token_embd.weight}, and its tokens.
 *
 * <pre>
 *   "GGUF", u32 3, i64 tensors, i64 settings
 *   settings: text key, u32 type, value        texts: u64 length, bytes
 *   tensor: text name, u32 2, i64 width, i64 rows, u32 type, u64 offset 0
 *   padding to 32, the rows
 * </pre>
 *
 * <p>Tokens of BERT are spelled as llama.cpp's converter does; see {@link PhantomSpaces}. Rows
 * without a token are named {@code [PADid]} and marked unused.
 */
final class GgufOut {
  private static final int ALIGNMENT = 32;
  private static final int U32 = 4;
  private static final int I32 = 5;
  private static final int TEXT = 8;
  private static final int ARRAY = 9;
  private static final int NORMAL = 1;
  private static final int CONTROL = 3;
  private static final int UNUSED = 5;

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
  private final ByteArrayOutputStream settings = new ByteArrayOutputStream();
  private long count;

  private GgufOut(Source source) {
    this.source = source;
  }

  static void write(Source source, EncodedRows rows, Path file) throws IOException {
    GgufOut out = new GgufOut(source);
    out.settings();
    byte[] header = out.header(rows.encoder().label());
    NewFile.write(
        file,
        target -> {
          target.append(MemorySegment.ofArray(header));
          rows.appendTo(target);
        });
  }

  private void settings() {
    String architecture =
        source.lexicon().origin().architecture().orElse("embedding-table").toLowerCase(Locale.ROOT);
    text("general.architecture", architecture);
    text("general.name", String.valueOf(source.lexicon().origin().path().getFileName()));
    number("general.alignment", ALIGNMENT);
    number(architecture + ".embedding_length", source.width());
    source.provenance().forEach(this::text);
    if (source.hasTokens()) {
      tokens();
    }
  }

  private void tokens() {
    Spelling spelling = source.vocabulary().spelling();
    text(
        "tokenizer.ggml.model",
        switch (spelling) {
          case BYTE_LEVEL -> "gpt2";
          case WORDPIECE -> "bert";
          case SENTENCEPIECE -> "llama";
          case PLAIN -> "none";
        });
    array("tokenizer.ggml.tokens", TEXT);
    for (long row = 0; row < source.rows(); row++) {
      byte[] token = source.token(row);
      text(settings, token == null ? ascii("[PAD" + row + "]") : spelled(token, row, spelling));
    }
    array("tokenizer.ggml.token_type", I32);
    for (long row = 0; row < source.rows(); row++) {
      boolean absent = source.token(row) == null;
      little(settings, absent ? UNUSED : source.isAdded(row) ? CONTROL : NORMAL, 4);
    }
    source.note("merges and scores of the tokenizer were not written: tokens name rows, no more");
  }

  private byte[] spelled(byte[] token, long row, Spelling spelling) {
    return spelling == Spelling.WORDPIECE
        ? PhantomSpaces.write(token, source.isAdded(row))
        : token;
  }

  private byte[] header(String numbers) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.writeBytes(ascii("GGUF"));
    little(out, 3, 4);
    little(out, 1, 8);
    little(out, count, 8);
    out.writeBytes(settings.toByteArray());
    text(out, ascii("token_embd.weight"));
    little(out, 2, 4);
    little(out, source.width(), 8); // the fastest dimension first
    little(out, source.rows(), 8);
    Integer type = TYPES.get(numbers);
    if (type == null) {
      throw new IllegalStateException("gguf has no " + numbers);
    }
    little(out, type, 4);
    little(out, 0, 8);
    out.writeBytes(new byte[Math.floorMod(-out.size(), ALIGNMENT)]);
    return out.toByteArray();
  }

  private void key(String key, int type) {
    text(settings, ascii(key));
    little(settings, type, 4);
    count++;
  }

  private void text(String key, String value) {
    key(key, TEXT);
    text(settings, value.getBytes(StandardCharsets.UTF_8));
  }

  private void number(String key, int value) {
    key(key, U32);
    little(settings, value, 4);
  }

  private void array(String key, int type) {
    key(key, ARRAY);
    little(settings, type, 4);
    little(settings, source.rows(), 8);
  }

  private static void text(ByteArrayOutputStream out, byte[] text) {
    little(out, text.length, 8);
    out.writeBytes(text);
  }

  private static void little(ByteArrayOutputStream out, long value, int bytes) {
    byte[] all = ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN).putLong(value).array();
    out.write(all, 0, bytes);
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}

package dev.rowan.formats.write;

/** A format that can be written. */
public enum TargetFormat {
  /** A folder: {@code model.safetensors}, {@code tokenizer.json}, {@code config.json}. */
  SAFETENSORS("safetensors", true, "f64 f32 f16 bf16"),
  /** One file with the tables and the spellings of the tokens, but nothing that splits text. */
  SAFETENSORS_FILE("safetensors", false, "f64 f32 f16 bf16"),
  /** A folder that model2vec and sentence-transformers open. */
  MODEL2VEC("model2vec", true, "f64 f32 f16 i8"),
  /** A file of llama.cpp's format, with the tokens in it. */
  GGUF(
      "gguf",
      false,
      "f64 f32 f16 bf16 q4_0 q4_1 q5_0 q5_1 q8_0 q2_k q3_k q4_k q5_k q6_k iq4_nl iq3_s iq4_xs mxfp4"),
  /** Text with a header of count and width. */
  WORD2VEC_TEXT("word2vec text", false, "f32"),
  /** Float32 behind each word. */
  WORD2VEC_BINARY("word2vec binary", false, "f32"),
  /** Text without a header. */
  GLOVE_TEXT("GloVe text", false, "f32"),
  /** The numbers alone, for NumPy. */
  NPY("npy", false, "f64 f32 f16"),
  /** {@code embeddings}, {@code tokens} and {@code source}, for NumPy. */
  NPZ("npz", false, "f64 f32 f16"),
  /** A folder: numbers, metadata and config for the TensorBoard projector. */
  PROJECTOR("projector", true, "f32"),
  /** A table for people: id, token, numbers; commas between (RFC 4180). */
  CSV("csv", false, "f32"),
  /** A table for people: id, token, numbers; tabs between. */
  TSV("tsv", false, "f32");

  private final String label;
  private final boolean folder;
  private final String numbers; // the labels of row formats, spaces between

  TargetFormat(String label, boolean folder, String numbers) {
    this.label = label;
    this.folder = folder;
    this.numbers = numbers;
  }

  /** Returns what to call it. */
  public String label() {
    return label;
  }

  /** Returns whether it is a folder of several files. */
  public boolean isFolder() {
    return folder;
  }

  /** Returns whether it holds an output table beside the input table. */
  public boolean holdsOutput() {
    return switch (this) {
      case SAFETENSORS, SAFETENSORS_FILE, GGUF, NPZ -> true;
      case MODEL2VEC, WORD2VEC_TEXT, WORD2VEC_BINARY, GLOVE_TEXT, NPY, PROJECTOR, CSV, TSV -> false;
    };
  }

  /** Returns whether it holds numbers stored in a row format of that label. */
  boolean holds(String rowFormat) {
    return (" " + numbers + " ").contains(" " + rowFormat + " ");
  }
}

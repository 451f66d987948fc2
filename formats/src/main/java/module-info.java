/**
 * Readers and writers of the files that hold token embedding tables, one package a format.
 *
 * <p>Start at {@link dev.rowan.formats.Models#open}. Nothing here talks to the network or runs code
 * from a file.
 */
module dev.rowan.formats {
  requires transitive dev.rowan.core;
  requires static transitive org.jspecify;
  requires io.jhdf;

  exports dev.rowan.formats;
  exports dev.rowan.formats.columns;
  exports dev.rowan.formats.config;
  exports dev.rowan.formats.convention;
  exports dev.rowan.formats.fasttext;
  exports dev.rowan.formats.file;
  exports dev.rowan.formats.gguf;
  exports dev.rowan.formats.hdf5;
  exports dev.rowan.formats.json;
  exports dev.rowan.formats.model2vec;
  exports dev.rowan.formats.numpy;
  exports dev.rowan.formats.onnx;
  exports dev.rowan.formats.projector;
  exports dev.rowan.formats.pytorch;
  exports dev.rowan.formats.safetensors;
  exports dev.rowan.formats.tensor;
  exports dev.rowan.formats.tensorflow;
  exports dev.rowan.formats.tokenizer;
  exports dev.rowan.formats.word2vec;
  exports dev.rowan.formats.write;
  exports dev.rowan.formats.zip;
}

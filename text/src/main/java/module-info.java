/**
 * From what a person types to tokens.
 *
 * <p>{@link dev.rowan.text.TokenResolver} turns a typed word into one token; {@link
 * dev.rowan.text.Tokenizer} turns text into ids. Only {@link dev.rowan.text.NativeTokenizer} needs
 * native code, and nothing loads it before it is opened.
 */
module dev.rowan.text {
  requires transitive dev.rowan.core;
  requires transitive dev.rowan.formats;
  requires ai.djl.api;
  requires ai.djl.tokenizers;
  requires static transitive org.jspecify;

  exports dev.rowan.text;
}

/**
 * Tokenizer files of all kinds: their tokens, and what is needed to split text with them.
 *
 * <p>Read {@link dev.rowan.formats.tokenizer.TokenizerFile} first; a {@link
 * dev.rowan.formats.tokenizer.TokenizerModel} is what module {@code dev.rowan.text} runs.
 */
@NullMarked
package dev.rowan.formats.tokenizer;

import org.jspecify.annotations.NullMarked;

/**
 * Vocabularies out of tokenizer files.
 *
 * <p>Read {@link dev.rowan.formats.tokenizer.TokenizerJson} first.
 */
@NullMarked
package dev.rowan.formats.tokenizer;

import org.jspecify.annotations.NullMarked;

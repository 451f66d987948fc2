/**
 * fastText's own models: words, subwords, and tables that are dense or product-quantised.
 *
 * <p>Read {@link dev.rowan.formats.fasttext.FastTextFile} first.
 */
@NullMarked
package dev.rowan.formats.fasttext;

import org.jspecify.annotations.NullMarked;

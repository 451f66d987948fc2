/**
 * Word vectors as word2vec, GloVe and fastText write them: text and word2vec's binary.
 *
 * <p>Read {@link dev.rowan.formats.word2vec.WordVectors} first.
 */
@NullMarked
package dev.rowan.formats.word2vec;

import org.jspecify.annotations.NullMarked;

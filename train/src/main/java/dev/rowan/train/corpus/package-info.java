/**
 * From text to ids: files are read once, in parallel, and every word is counted and numbered.
 *
 * <p>Start at {@link dev.rowan.train.corpus.Corpus}, which says what to read, and {@link
 * dev.rowan.train.corpus.EncodedCorpus#read}, which reads it.
 */
@NullMarked
package dev.rowan.train.corpus;

import org.jspecify.annotations.NullMarked;

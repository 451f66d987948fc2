/**
 * Static embedding models: Model2Vec, and StaticEmbedding of sentence-transformers.
 *
 * <p>Read {@link dev.rowan.formats.model2vec.StaticModel} first.
 */
@NullMarked
package dev.rowan.formats.model2vec;

import org.jspecify.annotations.NullMarked;

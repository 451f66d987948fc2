/**
 * Training rows of an embedding table at a cost that depends on the rows touched, not on V.
 *
 * <p>Read {@link dev.rowan.layer.Embedding} first: ids → rows, and gradients back to rows. An
 * {@link dev.rowan.layer.EmbeddingBag} pools rows, a {@link dev.rowan.layer.RowGradient} holds the
 * rows that a step touched, an {@link dev.rowan.layer.Optimizer} applies it, and a {@link
 * dev.rowan.layer.TiedOutput} scores hidden vectors against the same table.
 */
@NullMarked
package dev.rowan.layer;

import org.jspecify.annotations.NullMarked;

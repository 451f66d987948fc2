/**
 * Token embedding tables and exact answers from them.
 *
 * <p>Read {@link dev.rowan.core.Table} first: V rows of d numbers, row i belongs to token i. A
 * {@link dev.rowan.core.Vocabulary} gives ids their spellings, a {@link dev.rowan.core.Lexicon} is
 * what opening a model returns. {@link dev.rowan.core.Search} finds the highest-scoring rows,
 * {@link dev.rowan.core.Analogy} does a − b + c, {@link dev.rowan.core.RowStatistics} holds norms
 * and the baseline.
 */
@NullMarked
package dev.rowan.core;

import org.jspecify.annotations.NullMarked;

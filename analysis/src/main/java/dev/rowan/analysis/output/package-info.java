/**
 * The table at the output: what vectors score against every row, and what the two tables of a model
 * cost and have in common. Start at {@link dev.rowan.analysis.output.OutputScorer}.
 */
@NullMarked
package dev.rowan.analysis.output;

import org.jspecify.annotations.NullMarked;

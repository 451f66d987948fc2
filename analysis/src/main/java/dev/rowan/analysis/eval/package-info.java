/**
 * Evaluation of a table against what people said: word pairs with a similarity, analogy questions,
 * and how parallel the offsets of a relation are.
 *
 * <p>Start at {@link dev.rowan.analysis.eval.TestSet}, which reads a file; {@link
 * dev.rowan.analysis.eval.Evaluator} scores it under {@link dev.rowan.analysis.eval.EvalRules}.
 */
@NullMarked
package dev.rowan.analysis.eval;

import org.jspecify.annotations.NullMarked;

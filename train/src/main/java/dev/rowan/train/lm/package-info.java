/**
 * Next-token prediction: a small language model whose input table is tied or untied at the output.
 *
 * <p>Start at {@link dev.rowan.train.lm.LanguageTrainer}.
 */
@NullMarked
package dev.rowan.train.lm;

import org.jspecify.annotations.NullMarked;

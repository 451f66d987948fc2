/**
 * Training tables from text.
 *
 * <p>Start at {@link dev.rowan.train.Trainer}. What to read is a {@link
 * dev.rowan.train.corpus.Corpus}, how to learn a {@link dev.rowan.train.TrainingSettings}; what
 * happens meanwhile is told as {@link dev.rowan.train.TrainingEvent}s.
 */
@NullMarked
package dev.rowan.train;

import org.jspecify.annotations.NullMarked;

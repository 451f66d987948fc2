/**
 * Training and what comes before it.
 *
 * <p>{@link dev.rowan.bench.train.Counting} times the first pass over a text, {@link
 * dev.rowan.bench.train.InnerLoop} the loop that learns.
 */
@NullMarked
package dev.rowan.bench.train;

import org.jspecify.annotations.NullMarked;

/**
 * Rows held against each other: two of one table, several around their middle, many along a line.
 *
 * <p>Start at {@link dev.rowan.analysis.compare.Likeness}, {@link
 * dev.rowan.analysis.compare.OddOneOut} or {@link dev.rowan.analysis.compare.Axis}.
 */
@NullMarked
package dev.rowan.analysis.compare;

import org.jspecify.annotations.NullMarked;

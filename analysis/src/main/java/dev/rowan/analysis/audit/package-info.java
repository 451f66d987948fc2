/**
 * Finds rows that training never or hardly reached, broken rows, duplicates, and rows without a
 * token. Start at {@link dev.rowan.analysis.audit.Audit}.
 *
 * <p>What is found by an indicator is a candidate: only the whole model can tell whether it handles
 * a token, and this package sees its tables alone.
 */
@NullMarked
package dev.rowan.analysis.audit;

import org.jspecify.annotations.NullMarked;

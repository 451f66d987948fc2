/** Tests of the evaluation, on inputs made by hand. */
@NullMarked
package dev.rowan.analysis.eval;

import org.jspecify.annotations.NullMarked;

/** Tests of comparisons. */
@NullMarked
package dev.rowan.analysis.compare;

import org.jspecify.annotations.NullMarked;

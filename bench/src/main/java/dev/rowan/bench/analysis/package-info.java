/** Times of whole jobs on tables: the audit, and scoring at the output. */
@NullMarked
package dev.rowan.bench.analysis;

import org.jspecify.annotations.NullMarked;

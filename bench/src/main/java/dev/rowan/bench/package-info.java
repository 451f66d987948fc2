/**
 * Benchmarks of the inner loops, each beside the yardstick that bounds it.
 *
 * <p>Start with {@code bench/run}, which compares whole searches with a peer. Never shipped.
 */
@NullMarked
package dev.rowan.bench;

import org.jspecify.annotations.NullMarked;

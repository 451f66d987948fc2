/** Whole maps and neighbour graphs, timed; see {@code bench/map}. */
@NullMarked
package dev.rowan.bench.map;

import org.jspecify.annotations.NullMarked;

/**
 * The layer against libtorch on the same work, in one process.
 *
 * <p>Run {@link dev.rowan.bench.layer.LayerRace}. Contestants take turns, so that a busy neighbour
 * slows all of them alike; medians are compared.
 */
@NullMarked
package dev.rowan.bench.layer;

import org.jspecify.annotations.NullMarked;

/**
 * Two-dimensional maps of rows, each with a measure of what it distorts.
 *
 * <p>Start at {@link dev.rowan.analysis.map.Mapper}: it takes a table and a {@link
 * dev.rowan.analysis.map.MapMethod}, which is a method with its settings, and returns a {@link
 * dev.rowan.analysis.map.TableMap}. The same rows, settings and seed give the same bits for any
 * number of threads.
 */
@NullMarked
package dev.rowan.analysis.map;

import org.jspecify.annotations.NullMarked;

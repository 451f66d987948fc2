/**
 * Tables for people: a line a row, its id and token in front of its numbers.
 *
 * <p>Read {@link dev.rowan.formats.columns.ColumnFile} first.
 */
@NullMarked
package dev.rowan.formats.columns;

import org.jspecify.annotations.NullMarked;

/**
 * Tables written as lines of decimal numbers, parsed by several threads.
 *
 * <p>Read {@link dev.rowan.formats.lines.LineTable} first.
 */
@NullMarked
package dev.rowan.formats.lines;

import org.jspecify.annotations.NullMarked;

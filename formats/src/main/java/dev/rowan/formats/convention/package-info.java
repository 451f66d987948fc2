/**
 * How models name their tables, and how to tell whether input and output share one.
 *
 * <p>Read {@link dev.rowan.formats.convention.TableNames} and {@link
 * dev.rowan.formats.convention.TieRule} first.
 */
@NullMarked
package dev.rowan.formats.convention;

import org.jspecify.annotations.NullMarked;

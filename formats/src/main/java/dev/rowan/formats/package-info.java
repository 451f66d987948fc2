/**
 * Opens models: finds the table, the tokens and how the two ends of a model relate.
 *
 * <p>Read {@link dev.rowan.formats.Models} first; it puts the packages beneath together.
 */
@NullMarked
package dev.rowan.formats;

import org.jspecify.annotations.NullMarked;

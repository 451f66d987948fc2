/**
 * Files as readers see them: mapped, of a kind told by content, wrong in ways that name the place.
 *
 * <p>Read {@link dev.rowan.formats.file.MappedFile} and {@link
 * dev.rowan.formats.file.FormatException} first.
 */
@NullMarked
package dev.rowan.formats.file;

import org.jspecify.annotations.NullMarked;

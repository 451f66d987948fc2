/**
 * Writes an open lexicon in another format.
 *
 * <p>Read {@link dev.rowan.formats.write.Converter} first.
 */
@NullMarked
package dev.rowan.formats.write;

import org.jspecify.annotations.NullMarked;

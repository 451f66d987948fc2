/**
 * Zip archives read in place: what is stored in them is mapped, not copied.
 *
 * <p>Read {@link dev.rowan.formats.zip.ZipArchive} first.
 */
@NullMarked
package dev.rowan.formats.zip;

import org.jspecify.annotations.NullMarked;

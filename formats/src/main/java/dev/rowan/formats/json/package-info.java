/**
 * JSON read as a stream over mapped bytes, with errors that name file and byte.
 *
 * <p>Read {@link dev.rowan.formats.json.JsonReader} first.
 */
@NullMarked
package dev.rowan.formats.json;

import org.jspecify.annotations.NullMarked;

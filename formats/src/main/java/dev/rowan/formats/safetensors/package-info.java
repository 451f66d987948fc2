/**
 * The safetensors format: one file, several shards, writing.
 *
 * <p>Read {@link dev.rowan.formats.safetensors.SafetensorsHeader} for the layout, {@link
 * dev.rowan.formats.safetensors.Safetensors} to open files.
 */
@NullMarked
package dev.rowan.formats.safetensors;

import org.jspecify.annotations.NullMarked;

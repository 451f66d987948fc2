/**
 * What a model's config.json says about its table.
 *
 * <p>Read {@link dev.rowan.formats.config.ModelConfig} first.
 */
@NullMarked
package dev.rowan.formats.config;

import org.jspecify.annotations.NullMarked;

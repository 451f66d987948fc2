/**
 * Files of the TensorBoard projector: numbers in one, tokens in another, a config that names both.
 *
 * <p>Read {@link dev.rowan.formats.projector.ProjectorFile} first.
 */
@NullMarked
package dev.rowan.formats.projector;

import org.jspecify.annotations.NullMarked;

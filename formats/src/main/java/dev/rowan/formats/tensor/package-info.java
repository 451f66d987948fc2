/**
 * Tensors as every format describes them.
 *
 * <p>Read {@link dev.rowan.formats.tensor.TensorFile} first: an open file, its {@link
 * dev.rowan.formats.tensor.TensorInfo}s and their bytes.
 */
@NullMarked
package dev.rowan.formats.tensor;

import org.jspecify.annotations.NullMarked;

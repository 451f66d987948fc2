/**
 * NumPy arrays: {@code .npy} files, and {@code .npz} archives of them.
 *
 * <p>Read {@link dev.rowan.formats.numpy.NumpyFile} first.
 */
@NullMarked
package dev.rowan.formats.numpy;

import org.jspecify.annotations.NullMarked;

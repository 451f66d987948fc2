/**
 * Keras weights and other HDF5 files.
 *
 * <p>Read {@link dev.rowan.formats.hdf5.Hdf5File} first.
 */
@NullMarked
package dev.rowan.formats.hdf5;

import org.jspecify.annotations.NullMarked;

/**
 * The inner loop of training: one window of text as a small matrix product.
 *
 * <p>Start at {@link dev.rowan.train.kernel.WindowKernels}; {@link
 * dev.rowan.train.kernel.ScalarWindowKernels} is the readable reference.
 */
@NullMarked
package dev.rowan.train.kernel;

import org.jspecify.annotations.NullMarked;

/**
 * The inner loops: a plain scalar reference and a SIMD twin with the same results.
 *
 * <p>Read {@link dev.rowan.core.kernel.Kernels} first. {@link dev.rowan.core.kernel.ScalarKernels}
 * is the truth; {@link dev.rowan.core.kernel.VectorKernels} is the only class family that names the
 * Vector API.
 */
@NullMarked
package dev.rowan.core.kernel;

import org.jspecify.annotations.NullMarked;

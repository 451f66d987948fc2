/**
 * Initialisers of ONNX models, read without a protobuf library and without copying.
 *
 * <p>Read {@link dev.rowan.formats.onnx.OnnxFile} first.
 */
@NullMarked
package dev.rowan.formats.onnx;

import org.jspecify.annotations.NullMarked;

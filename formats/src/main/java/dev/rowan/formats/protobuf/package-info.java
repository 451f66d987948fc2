/**
 * Protobuf messages in mapped files, walked without a protobuf library and without copying.
 *
 * <p>{@link dev.rowan.formats.protobuf.Wire} is all there is.
 */
@NullMarked
package dev.rowan.formats.protobuf;

import org.jspecify.annotations.NullMarked;

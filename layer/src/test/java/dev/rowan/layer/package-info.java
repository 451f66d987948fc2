/** Tests of the layer. The worked cases carry their number in the name of the method. */
@NullMarked
package dev.rowan.layer;

import org.jspecify.annotations.NullMarked;

/**
 * Pictures of two-dimensional maps, as SVG and as PNG. Start at {@link
 * dev.rowan.analysis.picture.MapPicture}: it cannot be made without saying how the map was made and
 * how far it is from the truth.
 */
@NullMarked
package dev.rowan.analysis.picture;

import org.jspecify.annotations.NullMarked;

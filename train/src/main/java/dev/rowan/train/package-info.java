/** Training tables from text. */
@NullMarked
package dev.rowan.train;

import org.jspecify.annotations.NullMarked;

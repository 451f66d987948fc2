/** Whole-task measurements of readers. */
@NullMarked
package dev.rowan.bench.formats;

import org.jspecify.annotations.NullMarked;

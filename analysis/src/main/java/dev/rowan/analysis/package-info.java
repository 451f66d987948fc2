/** What the rows of a table mean, and how far to trust the answer. */
@NullMarked
package dev.rowan.analysis;

import org.jspecify.annotations.NullMarked;

/**
 * Safe edits of a model's vocabulary and table: the old folder is never touched, the new one
 * appears complete and checked or not at all.
 *
 * <p>Read {@link dev.rowan.analysis.edit.Editor} first.
 */
@NullMarked
package dev.rowan.analysis.edit;

import org.jspecify.annotations.NullMarked;

/**
 * What a question to a model gives, whoever asks: the command line and the explorer share these.
 *
 * <p>Read {@link dev.rowan.app.answers.OpenModel} first, then {@link
 * dev.rowan.app.answers.Neighbours}. Nothing here prints or knows JSON.
 */
@NullMarked
package dev.rowan.app.answers;

import org.jspecify.annotations.NullMarked;

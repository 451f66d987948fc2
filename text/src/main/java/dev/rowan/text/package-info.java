/**
 * From what a person types to tokens.
 *
 * <p>Read {@link dev.rowan.text.TokenResolver} first: it finds the one token that a typed word
 * means, says which spelling it used, and never picks the first piece of several silently. {@link
 * dev.rowan.text.Tokenizer} splits text.
 */
@NullMarked
package dev.rowan.text;

import org.jspecify.annotations.NullMarked;

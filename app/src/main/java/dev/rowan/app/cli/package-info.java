/**
 * The command line.
 *
 * <p>Read {@link dev.rowan.app.cli.Main} first, then {@link dev.rowan.app.cli.NearCommand}: each
 * verb is a small class that asks the libraries and writes the answer twice, as text and as JSON.
 * This is the only package that prints.
 */
@NullMarked
package dev.rowan.app.cli;

import org.jspecify.annotations.NullMarked;

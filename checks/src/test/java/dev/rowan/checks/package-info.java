/**
 * Checks on the whole: architecture rules, and end-to-end tests on the packed program.
 *
 * <p>Read {@link dev.rowan.checks.ArchitectureTest} first, then {@link dev.rowan.checks.Rowan}.
 */
@NullMarked
package dev.rowan.checks;

import org.jspecify.annotations.NullMarked;

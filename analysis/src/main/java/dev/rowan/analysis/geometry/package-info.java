/**
 * The shape of a set of rows: principal components, and what they are made of. Start at {@link
 * dev.rowan.analysis.geometry.Pca}.
 */
@NullMarked
package dev.rowan.analysis.geometry;

import org.jspecify.annotations.NullMarked;

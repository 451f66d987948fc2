/**
 * GloVe: rows whose dot products fit the logarithms of how much words come near each other
 * (Pennington et al. 2014). Start at {@link dev.rowan.train.glove.GloveTrainer}.
 */
@NullMarked
package dev.rowan.train.glove;

import org.jspecify.annotations.NullMarked;

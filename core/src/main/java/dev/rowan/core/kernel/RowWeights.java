package dev.rowan.core.kernel;

/**
 * What turns a dot product into a metric's ranking score: {@code score = dot × scale[id] +
 * bias[id]}. A NaN scale keeps a row out.
 *
 * @param scale one factor for each row of the table
 * @param bias one summand for each row of the table
 */
public record RowWeights(Column scale, Column bias) {}

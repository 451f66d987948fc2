package dev.rowan.core;

/**
 * A row that a search found.
 *
 * @param id the row
 * @param score its score in the metric of the search, computed in double
 */
public record Hit(long id, double score) {}

package dev.rowan.core;

/**
 * How a model's two tables relate, and why we say so.
 *
 * @param tie the relation
 * @param evidence one plain sentence on how it was decided
 */
public record TieDecision(Tie tie, String evidence) {}

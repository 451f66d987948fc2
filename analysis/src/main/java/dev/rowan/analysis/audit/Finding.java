package dev.rowan.analysis.audit;

/**
 * A row that a rule found.
 *
 * @param id the row; for {@link Rule#TOKEN_WITHOUT_ROW} the token
 * @param value the number behind it: the norm, the z-score, the cosine with {@code other}, the
 *     indicator; NaN if there is none
 * @param other the row that it is like; −1 if there is none
 * @param reason one phrase for people
 */
public record Finding(Rule rule, long id, double value, long other, String reason) {}

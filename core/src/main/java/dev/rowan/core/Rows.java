package dev.rowan.core;

/**
 * Looked-up rows: an array of float32 whose shape is the shape of the ids followed by the width.
 *
 * @param values row-major numbers, {@code product(shape)} of them; owned by the receiver
 * @param shape the shape of the ids, then d
 */
@SuppressWarnings("ArrayRecordComponent") // a plain carrier for numeric results, never compared
public record Rows(float[] values, int... shape) {}

package dev.rowan.core;

/**
 * A table and the tensor it came from.
 *
 * @param tensor the name of the tensor in its file
 * @param table the rows
 */
public record NamedTable(String tensor, Table table) {}

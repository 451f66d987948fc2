package dev.rowan.analysis.edit;

/**
 * One thing that an edit changes.
 *
 * @param file the file of the new folder, relative to it
 * @param what what in the file
 * @param before how it was; empty if it was not there
 * @param after how it will be; empty if it goes
 */
public record Change(String file, String what, String before, String after) {}

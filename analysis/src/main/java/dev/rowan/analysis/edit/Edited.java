package dev.rowan.analysis.edit;

import java.nio.file.Path;

/**
 * An edit that was done.
 *
 * @param path the new folder
 * @param bytesWritten how many bytes were written, linked files not counted
 * @param verification what was checked before the folder got its name
 */
public record Edited(Path path, long bytesWritten, Verification verification) {}

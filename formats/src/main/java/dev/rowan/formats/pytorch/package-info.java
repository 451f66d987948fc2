/**
 * PyTorch checkpoints: zip archives, the pickle streams and tar archives before them. Their pickles
 * are read as data, by a closed list of opcodes and names; nothing in them is run.
 *
 * <p>Read {@link dev.rowan.formats.pytorch.PytorchFile} first.
 */
@NullMarked
package dev.rowan.formats.pytorch;

import org.jspecify.annotations.NullMarked;

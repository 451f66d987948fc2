/**
 * TensorFlow checkpoints, in which GPT-2 and BERT first appeared: an index in LevelDB's table
 * format and files of numbers.
 *
 * <p>Read {@link dev.rowan.formats.tensorflow.TensorflowFile} first.
 */
@NullMarked
package dev.rowan.formats.tensorflow;

import org.jspecify.annotations.NullMarked;

package dev.rowan.formats.pytorch;

import dev.rowan.formats.tensor.Dtype;

/**
 * A run of numbers in a checkpoint, as its pickle names it.
 *
 * @param key which run
 * @param dtype what it holds
 * @param numbers how many, 0 or more
 * @param first the number of the run that the storage starts with: not 0 for views, which only old
 *     checkpoints have
 */
record TorchStorage(String key, Dtype dtype, long numbers, long first) {}

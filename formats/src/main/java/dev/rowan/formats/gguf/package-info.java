/**
 * GGUF, the format of llama.cpp: table, tokens and settings in one file.
 *
 * <p>Read {@link dev.rowan.formats.gguf.GgufFile} first.
 */
@NullMarked
package dev.rowan.formats.gguf;

import org.jspecify.annotations.NullMarked;

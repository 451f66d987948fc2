package dev.rowan.formats.zip;

/**
 * A file in an archive, as the central directory describes it; its bytes are checked to lie in the
 * archive, apart from those of any other.
 *
 * @param name with {@code /} between folders, not to be trusted as a path
 * @param header the byte of the archive at which its local header starts, which its stored bytes
 *     follow; see {@link ZipArchive#offset}
 * @param stored how many bytes it takes in the archive
 * @param size how many bytes it has
 * @param deflated whether they are compressed; else stored bytes and bytes are the same
 * @param crc the CRC-32 of its bytes
 */
public record ZipEntry(
    String name, long header, long stored, long size, boolean deflated, long crc) {}

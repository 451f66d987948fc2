package dev.rowan.formats.zip;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.rowan.formats.FuzzFile;
import dev.rowan.formats.file.MappedFile;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.params.provider.MethodSource;

/** Any bytes either are an archive whose entries can be unpacked, or are refused. */
class ZipFuzzTest {
  static Stream<byte[]> seeds() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ZipOutputStream zip = new ZipOutputStream(bytes)) {
      byte[] text = "numbers, numbers, numbers".getBytes(StandardCharsets.US_ASCII);
      zip.putNextEntry(new java.util.zip.ZipEntry("deflated"));
      zip.write(text);
      java.util.zip.ZipEntry stored = new java.util.zip.ZipEntry("folder/stored");
      stored.setMethod(java.util.zip.ZipEntry.STORED);
      stored.setSize(text.length);
      CRC32 crc = new CRC32();
      crc.update(text);
      stored.setCrc(crc.getValue());
      zip.putNextEntry(stored);
      zip.write(text);
    }
    return Stream.of(bytes.toByteArray());
  }

  @MethodSource("seeds")
  @FuzzTest(maxDuration = "4m")
  void refusesOrReads(byte[] bytes) throws IOException {
    FuzzFile.refusesOrReads(
        bytes,
        ".zip",
        file -> {
          try (MappedFile mapped = MappedFile.open(file)) {
            ZipArchive archive = ZipArchive.of(mapped);
            for (ZipEntry entry : archive.entries().values()) {
              archive.start(entry, 10);
              archive.bytes(entry);
            }
          }
        });
  }
}

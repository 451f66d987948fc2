package dev.rowan.formats.zip;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rowan.formats.file.FormatException;
import dev.rowan.formats.file.MappedFile;
import dev.rowan.formats.file.Stretches;
import dev.rowan.formats.file.UnsupportedFormatException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.zip.CRC32;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Archives are written by the JDK; zip64 ones and wrong ones by hand. */
class ZipArchiveTest {
  @TempDir Path folder;

  private static byte[] zip(byte[] deflated, byte[] stored, String comment) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (ZipOutputStream zip = new ZipOutputStream(out)) {
      zip.setComment(comment);
      zip.putNextEntry(new java.util.zip.ZipEntry("folder/"));
      zip.closeEntry();
      zip.putNextEntry(new java.util.zip.ZipEntry("folder/deflated"));
      zip.write(deflated);
      zip.closeEntry();
      java.util.zip.ZipEntry entry = new java.util.zip.ZipEntry("stored");
      CRC32 crc = new CRC32();
      crc.update(stored);
      entry.setMethod(java.util.zip.ZipEntry.STORED);
      entry.setSize(stored.length);
      entry.setCrc(crc.getValue());
      zip.putNextEntry(entry);
      zip.write(stored);
      zip.closeEntry();
    }
    return out.toByteArray();
  }

  private static byte[] text(String text) {
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }

  private static byte[] pattern(int length) {
    byte[] bytes = new byte[length];
    for (int i = 0; i < length; i++) {
      bytes[i] = (byte) (i % 251);
    }
    return bytes;
  }

  private MappedFile file(byte[] bytes) throws IOException {
    return MappedFile.open(Files.write(folder.resolve("a.zip"), bytes));
  }

  private byte[] read(byte[] archive, String name) throws IOException {
    try (MappedFile file = file(archive)) {
      ZipArchive zip = ZipArchive.of(file);
      return zip.bytes(zip.find(name).orElseThrow()).toArray(JAVA_BYTE);
    }
  }

  @Test
  void partOfAnArchiveIsAnArchive() throws IOException {
    byte[] archive = zip(pattern(200_000), text("abc"), "a comment");
    ByteArrayOutputStream part = new ByteArrayOutputStream();
    try (MappedFile file = file(archive)) {
      for (List<String> names :
          List.of(
              List.of("folder/deflated"),
              List.of("stored"),
              List.of("stored", "folder/deflated", "none"))) {
        part.reset();
        ZipPart parts = ZipArchive.listed(file).part(names);
        for (ZipPart.Span span : parts.spans()) {
          part.write(archive, (int) span.from(), (int) (span.to() - span.from()));
        }
        part.writeBytes(parts.directory().toArray(JAVA_BYTE));
        Path place = Files.write(folder.resolve("part.zip"), part.toByteArray());
        try (ZipFile zip = new ZipFile(place.toFile())) { // of the JDK
          assertThat(zip.size()).isEqualTo(Math.min(names.size(), 2));
          if (names.contains("stored")) {
            assertThat(zip.getInputStream(zip.getEntry("stored")).readAllBytes())
                .isEqualTo(text("abc"));
          }
          if (names.contains("folder/deflated")) {
            assertThat(zip.getInputStream(zip.getEntry("folder/deflated")).readAllBytes())
                .isEqualTo(pattern(200_000));
          }
        }
        try (MappedFile own = MappedFile.open(place)) {
          ZipArchive zip = ZipArchive.of(own);
          for (ZipEntry entry : zip.entries().values()) {
            assertThat(zip.bytes(entry).byteSize()).isEqualTo(entry.size());
          }
        }
      }
    }
  }

  @Test
  void readsStoredAndDeflatedEntries() throws IOException {
    byte[] archive = zip(pattern(200_000), text("abc"), "");
    assertThat(read(archive, "folder/deflated")).isEqualTo(pattern(200_000));
    assertThat(read(archive, "stored")).isEqualTo(text("abc"));
    try (MappedFile file = file(archive)) {
      assertThat(ZipArchive.of(file).entries().keySet())
          .containsExactly("folder/deflated", "stored");
    }
  }

  @Test
  void readsTheStartOfAnEntry() throws IOException {
    try (MappedFile file = file(zip(pattern(200_000), text("abc"), ""))) {
      ZipArchive zip = ZipArchive.of(file);
      assertThat(zip.start(zip.find("folder/deflated").orElseThrow(), 70_000).toArray(JAVA_BYTE))
          .isEqualTo(pattern(70_000));
      assertThat(zip.start(zip.find("stored").orElseThrow(), 70_000).toArray(JAVA_BYTE))
          .isEqualTo(text("abc"));
    }
  }

  @Test
  void findsTheDirectoryInFrontOfAComment() throws IOException {
    assertThat(read(zip(text("x"), text("abc"), "said PK\5\6 and more"), "stored"))
        .isEqualTo(text("abc"));
  }

  /** One stored entry "a" of three bytes whose numbers are all in zip64 fields. */
  private static byte[] zip64() {
    ByteBuffer out = ByteBuffer.allocate(400).order(ByteOrder.LITTLE_ENDIAN);
    out.putInt(0x04034B50).putShort((short) 45).putShort((short) 0).putShort((short) 0);
    out.putInt(0).putInt(0).putInt(-1).putInt(-1).putShort((short) 1).putShort((short) 0);
    out.put((byte) 'a').put(text("xyz"));
    int directory = out.position();
    out.putInt(0x02014B50).putShort((short) 45).putShort((short) 45).putShort((short) 0);
    out.putShort((short) 0).putInt(0).putInt(0).putInt(-1).putInt(-1).putShort((short) 1);
    out.putShort((short) 32).putShort((short) 0).putShort((short) 0).putShort((short) 0);
    out.putInt(0).putInt(-1).put((byte) 'a');
    out.putShort((short) 99).putShort((short) 0); // another field, to be passed over
    out.putShort((short) 1).putShort((short) 24).putLong(3).putLong(3).putLong(0);
    int end64 = out.position();
    out.putInt(0x06064B50).putLong(44).putShort((short) 45).putShort((short) 45).putInt(0);
    out.putInt(0).putLong(1).putLong(1).putLong(end64 - directory).putLong(directory);
    out.putInt(0x07064B50).putInt(0).putLong(end64).putInt(1);
    out.putInt(0x06054B50).putShort((short) 0).putShort((short) 0).putShort((short) -1);
    out.putShort((short) -1).putInt(-1).putInt(-1).putShort((short) 0);
    return Arrays.copyOf(out.array(), out.position());
  }

  @Test
  void readsZip64() throws IOException {
    assertThat(read(zip64(), "a")).isEqualTo(text("xyz"));
  }

  @ParameterizedTest
  @CsvSource({
    // place from the archive's end, the 64-bit number put there, what is said
    "26, 9223372036854775807, the archive's zip64 directory is not where this says",
    "42, -1, the archive's directory should start at byte 18446744073709551615",
    "58, -1, the archive claims 18446744073709551615 entries",
    "58, 2, the archive's directory is damaged: entry 1 does not start",
    "98, -1, '\"a\" in the archive lies past the end of the file'",
    "114, 9223372036854775807, '\"a\" in the archive is stored as it is but has'"
  })
  void boundsEveryWideNumber(int fromEnd, long number, String message) throws IOException {
    byte[] archive = zip64();
    ByteBuffer.wrap(archive)
        .order(ByteOrder.LITTLE_ENDIAN)
        .putLong(archive.length - fromEnd - 8, number);
    assertThatThrownBy(() -> read(archive, "a"))
        .isInstanceOf(FormatException.class)
        .hasMessageStartingWith("a.zip: " + message);
  }

  @Test
  void refusesEveryCut() throws IOException {
    byte[] archive = zip(pattern(300), text("abc"), "note");
    for (int length = 0; length < archive.length; length++) {
      byte[] cut = Arrays.copyOf(archive, length);
      assertThatThrownBy(() -> read(cut, "stored"))
          .as("cut to %d", length)
          .isInstanceOf(FormatException.class);
    }
  }

  @Test
  void refusesDamagedBytes() throws IOException {
    byte[] archive = zip(pattern(3000), text("abc"), "");
    ZipEntry entry;
    long start;
    try (MappedFile file = file(archive)) {
      ZipArchive zip = ZipArchive.of(file);
      entry = zip.find("folder/deflated").orElseThrow();
      start = zip.offset(entry);
    }
    assertThat(entry.stored()).isGreaterThan(200);
    for (int i = 0; i < entry.stored(); i++) {
      int at = (int) start + i;
      byte[] damaged = archive.clone();
      damaged[at] ^= 0x55;
      assertThatThrownBy(() -> read(damaged, "folder/deflated"))
          .as("byte %d", at)
          .isInstanceOf(FormatException.class)
          .hasMessageContaining("\"folder/deflated\" in the archive ");
    }
  }

  @Test
  void refusesEncryptedEntriesAndRareMethods() throws IOException {
    byte[] archive = zip(text("x"), text("abc"), "");
    int directory = archive.length - 22;
    directory = ByteBuffer.wrap(archive).order(ByteOrder.LITTLE_ENDIAN).getInt(directory + 16);
    // the folder comes first and has a name of 7 letters
    int second = directory + 46 + 7;
    byte[] encrypted = archive.clone();
    encrypted[second + 8] |= 1;
    assertThatThrownBy(() -> read(encrypted, "stored"))
        .isInstanceOf(UnsupportedFormatException.class)
        .hasMessageContaining("in the archive is encrypted; unpack it first");
    byte[] rare = archive.clone();
    rare[second + 10] = 12;
    assertThatThrownBy(() -> read(rare, "stored"))
        .isInstanceOf(UnsupportedFormatException.class)
        .hasMessageContaining("is packed with method 12; stored (0) and deflated (8) can be read");
  }

  @Test
  void refusesANameThatOccursTwice() throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (ZipOutputStream zip = new ZipOutputStream(out)) {
      for (String name : new String[] {"name1", "name2"}) {
        zip.putNextEntry(new java.util.zip.ZipEntry(name));
        zip.closeEntry();
      }
    }
    byte[] twice = text(out.toString(StandardCharsets.ISO_8859_1).replace("name2", "name1"));
    assertThatThrownBy(() -> read(twice, "name1"))
        .isInstanceOf(FormatException.class)
        .hasMessageContaining("duplicate name: \"name1\" occurs twice in the archive");
  }

  /** Bytes far away, and how many of them were looked at. */
  private static final class Far implements Stretches {
    private final byte[] bytes;
    private long looked;

    Far(byte[] bytes) {
      this.bytes = bytes;
    }

    @Override
    public Path path() {
      return Path.of("far.zip");
    }

    @Override
    public long size() {
      return bytes.length;
    }

    @Override
    public MemorySegment stretch(long from, long count) {
      looked += count;
      return MemorySegment.ofArray(bytes).asSlice(from, count);
    }
  }

  @Test
  void aListedArchiveLooksAtItsEndAndAtWhatIsAskedFor() throws IOException {
    byte[] archive = zip(pattern(300), pattern(500_000), "");
    Far far = new Far(archive);
    ZipArchive listed = ZipArchive.listed(far);
    ZipEntry stored = listed.find("stored").orElseThrow();
    assertThat(listed.offset(stored)).isGreaterThan(listed.least(stored));
    assertThat(far.looked).isLessThan(70_000);
    assertThat(listed.bytes(stored).toArray(JAVA_BYTE)).isEqualTo(pattern(500_000));
    try (MappedFile file = file(archive)) {
      ZipArchive whole = ZipArchive.of(file);
      assertThat(whole.least(stored)).isEqualTo(listed.offset(stored));
    }
  }

  @Test
  void refusesEntriesThatShareBytes() throws IOException {
    byte[] archive = zip(text("x"), text("abc"), "");
    ByteBuffer bytes = ByteBuffer.wrap(archive).order(ByteOrder.LITTLE_ENDIAN);
    int directory = bytes.getInt(archive.length - 22 + 16);
    int second = directory + 46 + 7;
    int third = second + 46 + "folder/deflated".length();
    bytes.putInt(third + 42, bytes.getInt(second + 42)); // starts where the other one does
    assertThatThrownBy(() -> ZipArchive.listed(new Far(archive)))
        .isInstanceOf(FormatException.class)
        .hasMessageStartingWith("far.zip: \"stored\" in the archive starts within another entry");
  }
}

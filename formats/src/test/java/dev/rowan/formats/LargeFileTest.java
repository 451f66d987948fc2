package dev.rowan.formats;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowan.core.Lexicon;
import dev.rowan.formats.safetensors.RawSafetensors;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LargeFileTest {
  @TempDir Path folder;

  @Test
  void opensATableBeyondFourGibibytesAndReadsItsLastRow() throws IOException {
    long rows = 1_100_000; // × 1024 × 4 bytes: offsets beyond 2^32, numbers beyond 2^30
    long bytes = rows * 1024 * 4;
    String header =
        "{"
            + RawSafetensors.entry("wte.weight", "F32", "[%d,1024]".formatted(rows), 0, bytes)
            + "}";
    byte[] json = header.getBytes(StandardCharsets.UTF_8);
    Path file = folder.resolve("model.safetensors");
    try (FileChannel channel =
        FileChannel.open(
            file,
            StandardOpenOption.CREATE_NEW,
            StandardOpenOption.WRITE,
            StandardOpenOption.SPARSE)) {
      channel.write(
          ByteBuffer.allocate(8 + json.length)
              .order(ByteOrder.LITTLE_ENDIAN)
              .putLong(json.length)
              .put(json)
              .flip());
      channel.write(
          ByteBuffer.wrap(RawSafetensors.floats(1f, 2f, 3f)), 8 + json.length + bytes - 12);
    }

    try (Lexicon large = Models.open(file)) {
      assertThat(large.input().table().rows()).isEqualTo(rows);
      float[] last = large.input().table().row(rows - 1);
      assertThat(last).endsWith(1f, 2f, 3f);
      assertThat(last[0]).isZero();
      assertThat(large.input().table().row(0)).containsOnly(0f);
    }
  }
}

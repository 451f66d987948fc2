package dev.rowan.analysis.edit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rowan.core.Workers;
import dev.rowan.formats.file.FormatException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TokenUseTest {
  @TempDir Path folder;

  /** Id 0 for each double line end, 1 for each "x". */
  private static long[] split(String text) {
    long[] ids = new long[text.length()];
    int count = 0;
    for (int i = 0; i < text.length(); i++) {
      if (text.startsWith("\n\n", i)) {
        ids[count++] = 0;
      } else if (text.charAt(i) == 'x') {
        ids[count++] = 1;
      }
    }
    return Arrays.copyOf(ids, count);
  }

  @Test
  void seesTokensOfSeveralLineEndsWhole() throws IOException {
    int paragraphs = 200_000; // several blocks and batches
    Path corpus = Files.writeString(folder.resolve("c"), "x word\n\n".repeat(paragraphs));
    try (Workers workers = Workers.of(3)) {
      assertThat(TokenUse.of(corpus, TokenUseTest::split, 2, workers))
          .containsExactly(paragraphs, paragraphs);
    }
  }

  @Test
  void readsTextPackedWithGzip() throws IOException {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(packed)) {
      gzip.write("x xx\n\n".getBytes(StandardCharsets.UTF_8));
    }
    Path file = Files.write(folder.resolve("t.txt.gz"), packed.toByteArray());
    Path cut = Files.write(folder.resolve("cut.gz"), Arrays.copyOf(packed.toByteArray(), 18));
    try (Workers workers = Workers.of(1)) {
      assertThat(TokenUse.of(file, TokenUseTest::split, 2, workers)).containsExactly(1, 3);
      assertThatThrownBy(() -> TokenUse.of(cut, TokenUseTest::split, 2, workers))
          .isInstanceOf(FormatException.class)
          .hasMessageContaining("cut.gz");
    }
  }

  @Test
  void refusesWhatIsNoText() throws IOException {
    Path corpus = Files.write(folder.resolve("c"), new byte[] {'x', (byte) 0xFF});
    Path empty = Files.createFile(folder.resolve("e"));
    try (Workers workers = Workers.of(1)) {
      assertThatThrownBy(() -> TokenUse.of(corpus, TokenUseTest::split, 2, workers))
          .hasMessageContaining("not UTF-8");
      assertThatThrownBy(() -> TokenUse.of(empty, TokenUseTest::split, 2, workers))
          .hasMessageContaining("holds no text");
    }
  }
}

package dev.rowan.train;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rowan.formats.file.FormatException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Changes single bytes of the tensors of a safetensors file, by what its header says of them. */
public final class DamagedBytes {
  private static final Pattern TENSOR =
      Pattern.compile("\"([^\"]*)\":\\{[^}]*\"data_offsets\":\\[(\\d+),(\\d+)]");

  private DamagedBytes() {}

  /** Opens a file, and closes it. */
  public interface Opening {
    /** Does so. */
    void open() throws IOException;
  }

  /** Asserts that a changed bit in each tensor's first, middle and last byte is told as damage. */
  public static void areNoticed(Path file, int tensors, Opening opening) throws IOException {
    opening.open();
    byte[] whole = Files.readAllBytes(file);
    int start = 8 + (int) ByteBuffer.wrap(whole).order(ByteOrder.LITTLE_ENDIAN).getLong();
    Matcher found = TENSOR.matcher(new String(whole, 8, start - 8, StandardCharsets.UTF_8));
    int seen = 0;
    while (found.find()) {
      int from = start + Integer.parseInt(found.group(2));
      int to = start + Integer.parseInt(found.group(3));
      assertThat(to).as(found.group(1)).isGreaterThan(from);
      for (int at : new int[] {from, (from + to) / 2, to - 1}) {
        byte[] changed = whole.clone();
        changed[at] ^= 1;
        Files.write(file, changed);
        assertThatThrownBy(opening::open)
            .as("%s, byte %d", found.group(1), at - from)
            .isInstanceOf(FormatException.class)
            .hasMessageContaining(
                file.getFileName() + ": tensor \"" + found.group(1) + "\" does not");
      }
      seen++;
    }
    assertThat(seen).isEqualTo(tensors);
    Files.write(file, whole);
    opening.open();
  }
}

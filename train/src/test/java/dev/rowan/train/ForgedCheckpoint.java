package dev.rowan.train;

import dev.rowan.formats.safetensors.Safetensors;
import dev.rowan.formats.safetensors.SafetensorsHeader;
import dev.rowan.formats.safetensors.SafetensorsWriter;
import dev.rowan.formats.safetensors.SafetensorsWriter.Tensor;
import dev.rowan.formats.tensor.TensorInfo;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.CRC32C;

/** Checkpoints with other contents and right checksums, as no damage makes them. */
final class ForgedCheckpoint {
  private ForgedCheckpoint() {}

  /** Gives a text of the header another value. */
  static void text(Path file, String name, String value) throws IOException {
    rewrite(file, name, value, "", new byte[0]);
  }

  /** Gives a tensor of as many bytes other ones. */
  static void tensor(Path file, String name, byte[] bytes) throws IOException {
    rewrite(file, "x", "", name, bytes);
  }

  private static void rewrite(Path file, String text, String value, String tensor, byte[] bytes)
      throws IOException {
    List<Tensor> tensors = new ArrayList<>();
    Map<String, String> texts;
    try (Safetensors open = Safetensors.open(file, SafetensorsHeader.DEFAULT_LIMIT)) {
      texts = new TreeMap<>(open.metadata());
      texts.put(text, value);
      for (TensorInfo info : open.tensors()) {
        byte[] whole =
            info.name().equals(tensor) ? bytes : open.data(info).toArray(ValueLayout.JAVA_BYTE);
        texts.put("rowan.crc32c." + info.name(), sum(whole));
        tensors.add(
            new Tensor(info.name(), info.dtype(), info.shape(), MemorySegment.ofArray(whole)));
      }
    }
    texts.remove("rowan.crc32c");
    StringBuilder all = new StringBuilder();
    texts.forEach((name, of) -> all.append(name).append('\0').append(of).append('\0'));
    texts.put("rowan.crc32c", sum(all.toString().getBytes(StandardCharsets.UTF_8)));
    SafetensorsWriter.write(file, tensors, texts);
  }

  private static String sum(byte[] bytes) {
    CRC32C crc = new CRC32C();
    crc.update(bytes);
    return "%08x".formatted(crc.getValue());
  }
}

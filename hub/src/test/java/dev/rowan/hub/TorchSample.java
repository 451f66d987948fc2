package dev.rowan.hub;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.CRC32;
import java.util.zip.Deflater;

/**
 * PyTorch checkpoints, written byte by byte as torch.save writes them: the pickle opcode by opcode
 * (Python's pickletools), the zip archive record by record (APPNOTE 6.3.10), with the padding that
 * aligns numbers to 64 bytes in the local headers alone, and zip64 records at the end.
 */
final class TorchSample {
  /** How the storages lie in the archive. */
  enum Packing {
    STORED,
    DEFLATED
  }

  private TorchSample() {}

  /** Returns a checkpoint of a state dict. */
  static byte[] zip(Sample.Tensor... tensors) {
    return zip(Packing.STORED, pickle(tensors), tensors);
  }

  /** Returns a checkpoint with a pickle of its own and one storage a tensor. */
  static byte[] zip(Packing packing, byte[] pickle, Sample.Tensor... tensors) {
    Map<String, byte[]> entries = new LinkedHashMap<>();
    entries.put("archive/data.pkl", pickle);
    entries.put("archive/byteorder", latin("little"));
    for (int i = 0; i < tensors.length; i++) {
      entries.put("archive/data/" + i, numbers(tensors[i]));
    }
    entries.put("archive/version", latin("3\n"));
    return archive(packing, entries);
  }

  /** Returns what torch.save wrote before version 1.6. */
  static byte[] legacy(Sample.Tensor... tensors) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.writeBytes(latin("\u0080\u0002\u008A\nl\u00FC\u009CF\u00F9 j"));
    out.writeBytes(latin("\u00A8P\u0019.\u0080\u0002M\u00E9\u0003.\u0080\u0002}."));
    out.writeBytes(pickle(tensors));
    out.writeBytes(latin("\u0080\u0002]("));
    for (int i = 0; i < tensors.length; i++) {
      out.writeBytes(latin(text("" + i)));
    }
    out.writeBytes(latin("e."));
    for (Sample.Tensor tensor : tensors) {
      ByteBuffer count = ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN);
      out.writeBytes(count.putLong(tensor.numbers().length).array());
      out.writeBytes(numbers(tensor));
    }
    return out.toByteArray();
  }

  /** Returns the pickle of a state dict in which each tensor has a storage of its own. */
  static byte[] pickle(Sample.Tensor... tensors) {
    List<String> entries = new ArrayList<>();
    for (int i = 0; i < tensors.length; i++) {
      entries.add(entry(tensors[i], "" + i));
    }
    return pickle(entries);
  }

  static byte[] pickle(List<String> entries) {
    return latin("\u0080\u0002}(" + String.join("", entries) + "u.");
  }

  /** Returns the opcodes of a name and its row-major tensor over all of a storage. */
  static String entry(Sample.Tensor tensor, String storage) {
    long rows = tensor.numbers().length / tensor.row(0).length;
    long width = tensor.row(0).length;
    return entry(tensor, storage, pair(rows, width), pair(width, 1));
  }

  static String entry(Sample.Tensor tensor, String storage, String size, String stride) {
    return text(tensor.name())
        + "ctorch._utils\n_rebuild_tensor_v2\n(("
        + text("storage")
        + "ctorch\nFloatStorage\n"
        + text(storage)
        + text("cpu")
        + whole(tensor.numbers().length)
        + "tQ"
        + whole(0)
        + size
        + stride
        + "\u0089ccollections\nOrderedDict\n)RtR";
  }

  static String pair(long first, long second) {
    return whole(first) + whole(second) + "\u0086";
  }

  private static String text(String text) {
    return "X" + (char) text.length() + "\0\0\0" + text;
  }

  /** A number of up to 32 bits. */
  private static String whole(long number) {
    byte[] bytes =
        ByteBuffer.allocate(4).order(ByteOrder.LITTLE_ENDIAN).putInt((int) number).array();
    return "J" + new String(bytes, StandardCharsets.ISO_8859_1);
  }

  static byte[] latin(String text) {
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }

  private static byte[] numbers(Sample.Tensor tensor) {
    ByteBuffer numbers = ByteBuffer.allocate(tensor.bytes()).order(ByteOrder.LITTLE_ENDIAN);
    numbers.asFloatBuffer().put(tensor.numbers());
    return numbers.array();
  }

  /** Returns an archive; only entries of numbers are deflated. */
  static byte[] archive(Packing packing, Map<String, byte[]> entries) {
    Out out = new Out();
    Out directory = new Out();
    for (var entry : entries.entrySet()) {
      byte[] name = latin(entry.getKey());
      boolean deflated = packing == Packing.DEFLATED && entry.getKey().contains("/data/");
      byte[] stored = deflated ? deflate(entry.getValue()) : entry.getValue();
      CRC32 crc = new CRC32();
      crc.update(entry.getValue());
      int header = out.size();
      int padding = Math.floorMod(-(header + 30 + name.length + 4), 64);
      for (Out record : List.of(out, directory)) {
        boolean local = record == out;
        record.u32(local ? 0x04034B50 : 0x02014B50);
        if (!local) {
          record.u16(20);
        }
        record.u16(20).u16(0).u16(deflated ? 8 : 0).u16(0).u16(0).u32((int) crc.getValue());
        record.u32(stored.length).u32(entry.getValue().length).u16(name.length);
        record.u16(local ? 4 + padding : 0);
        if (!local) {
          record.u16(0).u16(0).u16(0).u32(0).u32(header);
        }
        record.writeBytes(name);
      }
      out.u16(0x4246).u16(padding).writeBytes(latin("Z".repeat(padding)));
      out.writeBytes(stored);
    }
    int start = out.size();
    out.writeBytes(directory.toByteArray());
    int end64 = out.size();
    out.u32(0x06064B50).u64(44).u16(45).u16(45).u32(0).u32(0);
    out.u64(entries.size()).u64(entries.size()).u64(directory.size()).u64(start);
    out.u32(0x07064B50).u32(0).u64(end64).u32(1);
    out.u32(0x06054B50).u16(0).u16(0).u16(entries.size()).u16(entries.size());
    out.u32(directory.size()).u32(start).u16(0);
    return out.toByteArray();
  }

  private static byte[] deflate(byte[] bytes) {
    byte[] target = new byte[bytes.length + 1000];
    try (Deflater deflater = new Deflater(Deflater.DEFAULT_COMPRESSION, true)) {
      deflater.setInput(bytes);
      deflater.finish();
      return java.util.Arrays.copyOf(target, deflater.deflate(target));
    }
  }

  /** Little-endian numbers. */
  private static final class Out extends ByteArrayOutputStream {
    Out u16(int value) {
      write(value);
      write(value >> 8);
      return this;
    }

    Out u32(int value) {
      return u16(value).u16(value >> 16);
    }

    Out u64(long value) {
      return u32((int) value).u32((int) (value >> 32));
    }
  }
}

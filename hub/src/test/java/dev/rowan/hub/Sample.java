package dev.rowan.hub;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/** Small models, written out byte by byte as the formats' descriptions say. */
final class Sample {
  /** A tensor of float32 numbers. */
  static final class Tensor {
    private final String name;
    private final int rows;
    private final int width;
    private final float[] numbers;

    Tensor(String name, int rows, int width, float[] numbers) {
      this.name = name;
      this.rows = rows;
      this.width = width;
      this.numbers = numbers.clone();
    }

    String name() {
      return name;
    }

    float[] numbers() {
      return numbers.clone();
    }

    static Tensor of(String name, int rows, int width, long seed) {
      SplittableRandom random = new SplittableRandom(seed);
      float[] numbers = new float[rows * width];
      for (int i = 0; i < numbers.length; i++) {
        numbers[i] = (float) random.nextDouble(-1, 1);
      }
      return new Tensor(name, rows, width, numbers);
    }

    Tensor named(String other) {
      return new Tensor(other, rows, width, numbers);
    }

    float[] row(int row) {
      return Arrays.copyOfRange(numbers, row * width, (row + 1) * width);
    }

    int bytes() {
      return 4 * numbers.length;
    }
  }

  private Sample() {}

  /** Returns a safetensors file: u64 header length, JSON header, numbers. */
  static byte[] safetensors(Tensor... tensors) {
    List<String> entries = new ArrayList<>();
    int at = 0;
    for (Tensor tensor : tensors) {
      entries.add(
          "\"%s\":{\"dtype\":\"F32\",\"shape\":[%d,%d],\"data_offsets\":[%d,%d]}"
              .formatted(tensor.name, tensor.rows, tensor.width, at, at + tensor.bytes()));
      at += tensor.bytes();
    }
    byte[] header = ("{" + String.join(",", entries) + "}").getBytes(StandardCharsets.UTF_8);
    ByteBuffer file = ByteBuffer.allocate(8 + header.length + at).order(ByteOrder.LITTLE_ENDIAN);
    file.putLong(header.length).put(header);
    for (Tensor tensor : tensors) {
      for (float number : tensor.numbers) {
        file.putFloat(number);
      }
    }
    return file.array();
  }

  /** Returns a GGUF file, version 3: settings, tokens of 60 characters, float32 tensors. */
  static byte[] gguf(int tokens, Tensor... tensors) {
    ByteArrayOutputStream file = ggufStart(3, tensors);
    settings(file, tokens);
    return described(file, tensors);
  }

  /** Returns a part of a GGUF file that was split, as llama-gguf-split writes them. */
  static byte[] ggufPart(int part, int parts, int tokens, Tensor... tensors) {
    ByteArrayOutputStream file = ggufStart(part == 1 ? 5 : 2, tensors);
    if (part == 1) {
      settings(file, tokens);
    }
    short16(file, "split.no", part - 1);
    short16(file, "split.count", parts);
    return described(file, tensors);
  }

  private static void short16(ByteArrayOutputStream file, String key, int value) {
    counted(file, key);
    file.writeBytes(number(4, 2));
    file.writeBytes(number(2, value));
  }

  private static ByteArrayOutputStream ggufStart(int keys, Tensor... tensors) {
    ByteArrayOutputStream file = new ByteArrayOutputStream();
    file.writeBytes(text("GGUF"));
    file.writeBytes(number(4, 3));
    file.writeBytes(number(8, tensors.length));
    file.writeBytes(number(8, keys));
    return file;
  }

  private static void settings(ByteArrayOutputStream file, int tokens) {
    setting(file, "general.architecture", "llama");
    setting(file, "tokenizer.ggml.model", "gpt2");
    counted(file, "tokenizer.ggml.tokens");
    file.writeBytes(number(4, 9)); // an array
    file.writeBytes(number(4, 8)); // of texts
    file.writeBytes(number(8, tokens));
    for (int i = 0; i < tokens; i++) {
      counted(file, ggufToken(i));
    }
  }

  private static byte[] described(ByteArrayOutputStream file, Tensor... tensors) {
    long offset = 0;
    for (Tensor tensor : tensors) {
      counted(file, tensor.name);
      file.writeBytes(number(4, 2));
      file.writeBytes(number(8, tensor.width)); // fastest first
      file.writeBytes(number(8, tensor.rows));
      file.writeBytes(number(4, 0)); // f32
      file.writeBytes(number(8, offset));
      offset += (tensor.bytes() + 31L) / 32 * 32;
    }
    for (Tensor tensor : tensors) {
      file.writeBytes(new byte[-file.size() & 31]);
      ByteBuffer numbers = ByteBuffer.allocate(tensor.bytes()).order(ByteOrder.LITTLE_ENDIAN);
      numbers.asFloatBuffer().put(tensor.numbers);
      file.writeBytes(numbers.array());
    }
    return file.toByteArray();
  }

  static String ggufToken(int id) {
    return "t" + "x".repeat(54) + "%05d".formatted(id);
  }

  private static void setting(ByteArrayOutputStream file, String key, String value) {
    counted(file, key);
    file.writeBytes(number(4, 8));
    counted(file, value);
  }

  private static void counted(ByteArrayOutputStream file, String text) {
    file.writeBytes(number(8, text.length()));
    file.writeBytes(text(text));
  }

  private static byte[] number(int size, long value) {
    ByteBuffer bytes = ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN).putLong(value);
    return Arrays.copyOf(bytes.array(), size);
  }

  static byte[] config(int tokens) {
    return text("{\"model_type\":\"gpt2\",\"vocab_size\":%d}".formatted(tokens));
  }

  /** Returns a tokenizer.json of the tokens w0, w1, … */
  static byte[] tokenizer(int tokens) {
    List<String> entries = new ArrayList<>();
    for (int i = 0; i < tokens; i++) {
      entries.add("\"w%d\":%d".formatted(i, i));
    }
    return text(
        "{\"model\":{\"type\":\"WordLevel\",\"unk_token\":\"w0\",\"vocab\":{%s}}}"
            .formatted(String.join(",", entries)));
  }

  static byte[] text(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}

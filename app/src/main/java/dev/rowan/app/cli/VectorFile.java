package dev.rowan.app.cli;

import dev.rowan.core.Counted;
import dev.rowan.core.Query;
import dev.rowan.core.Table;
import dev.rowan.formats.numpy.NumpyFile;
import dev.rowan.formats.tensor.TensorInfo;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Vectors in files: one as text, or many in an array. */
final class VectorFile {
  private static final long MOST_BYTES = 16L << 20;

  private static final int MOST_VECTORS = 4096;

  private VectorFile() {}

  /**
   * Reads vectors: one as text, or a .npy array, a vector a row.
   *
   * @param width how many numbers each must have
   */
  static List<ScoreAnswer.Hidden> readAll(Path file, int width) throws IOException {
    if (!isNumpy(file)) {
      return List.of(
          new ScoreAnswer.Hidden("h = " + file.getFileName(), List.of(), read(file, width)));
    }
    try (NumpyFile array = NumpyFile.open(file)) {
      TensorInfo info = array.tensors().getFirst();
      List<Long> shape = info.shape();
      boolean fits = !shape.isEmpty() && shape.size() <= 2 && shape.getLast() == width;
      if (!fits || info.dtype().rows().isEmpty()) {
        throw new UseException(
            "%s is %s, %s; it must be rows of %,d float numbers, the table's width"
                .formatted(file, info.shapeText(), info.dtype().shown(), width));
      }
      long rows = shape.size() == 1 ? 1 : shape.getFirst();
      if (rows < 1 || rows > MOST_VECTORS) {
        throw new UseException(
            "%s has %,d rows; 1 to %,d vectors are scored at a time"
                .formatted(file, rows, MOST_VECTORS));
      }
      Table table = Table.over(array.data(info), rows, width, info.dtype().rows().get());
      List<ScoreAnswer.Hidden> all = new ArrayList<>();
      for (long id = 0; id < rows; id++) {
        checkFinite(file, id, table.row(id));
        all.add(
            new ScoreAnswer.Hidden(
                "h = row %,d of %s".formatted(id, file.getFileName()),
                List.of(),
                Query.of(table.row(id))));
      }
      return all;
    }
  }

  private static void checkFinite(Path file, long id, float[] row) {
    for (int i = 0; i < row.length; i++) {
      if (!Float.isFinite(row[i])) {
        throw new UseException(
            "%s: row %,d is %s at column %d; every number must be finite"
                .formatted(file, id, row[i], i));
      }
    }
  }

  private static boolean isNumpy(Path file) throws IOException {
    if (Files.isDirectory(file)) {
      return false; // which reading it as text then says
    }
    try (InputStream in = Files.newInputStream(file)) {
      byte[] start = in.readNBytes(6);
      return start.length == 6 && start[0] == (byte) 0x93 && start[1] == 'N' && start[5] == 'Y';
    }
  }

  /**
   * Reads numbers apart by white space, commas, semicolons or brackets.
   *
   * @param width how many there must be
   */
  static Query read(Path file, int width) throws IOException {
    String text = TextInput.read(file, MOST_BYTES, "a vector as text");
    String[] words = text.strip().split("[\\s,;\\[\\]]+", -1);
    double[] values = new double[words.length];
    int count = 0;
    for (String word : words) {
      if (word.isEmpty()) {
        continue; // in front of the first bracket, after the last
      }
      try {
        values[count++] = Double.parseDouble(word);
      } catch (NumberFormatException e) {
        throw new IOException(
            "%s: %s is no number (entry %,d)".formatted(file, Visible.quoted(word), count), e);
      }
    }
    if (count != width) {
      throw new UseException(
          "%s has %s but the table's width is %,d; make the vector with this model"
              .formatted(file, Counted.of(count, "number"), width));
    }
    return Query.of(java.util.Arrays.copyOf(values, count));
  }
}

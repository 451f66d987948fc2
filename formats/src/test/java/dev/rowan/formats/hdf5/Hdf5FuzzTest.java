package dev.rowan.formats.hdf5;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.rowan.formats.file.FormatException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.MethodSource;

/** Any bytes either open as a file whose tables can be read, or are refused as such. */
class Hdf5FuzzTest {
  static Stream<byte[]> seeds() throws IOException {
    return Stream.of(
        Hdf5FileTest.bytes("keras2.h5"),
        Hdf5FileTest.bytes("keras3.weights.h5"),
        Hdf5FileTest.bytes("kinds-v110.h5"),
        Hdf5FileTest.bytes("holes.h5"),
        Hdf5FileTest.bytes("holes-v110.h5"));
  }

  @MethodSource("seeds")
  @FuzzTest(maxDuration = "5m")
  void refusesOrReads(byte[] bytes) throws IOException {
    Path file = Files.createTempFile("rowan", ".h5");
    try {
      Hdf5FileTest.readEvery(Files.write(file, bytes));
    } catch (FormatException e) {
      assertThat(e).hasMessageStartingWith(file.getFileName() + ": ");
    } finally {
      Files.delete(file);
    }
  }
}

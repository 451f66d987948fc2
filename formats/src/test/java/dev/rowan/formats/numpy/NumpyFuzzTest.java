package dev.rowan.formats.numpy;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.rowan.formats.Fixture;
import java.io.IOException;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.MethodSource;

/** Any bytes either open as a model whose tokens and rows can be read, or are refused as such. */
class NumpyFuzzTest {
  static Stream<byte[]> seeds() throws IOException {
    return Fixture.all(
        "numpy/little-f4.npy",
        "numpy/fortran-big.npy",
        "numpy/version3.npy",
        "numpy/stored.npz",
        "numpy/deflated.npz");
  }

  @MethodSource("seeds")
  @FuzzTest(maxDuration = "5m")
  void refusesOrReads(byte[] file) throws IOException {
    Fixture.refusesOrReads(file, ".npy");
  }
}

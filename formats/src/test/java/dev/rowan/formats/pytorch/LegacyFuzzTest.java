package dev.rowan.formats.pytorch;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.rowan.formats.Fixture;
import java.io.IOException;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.MethodSource;

/** The layouts before the zip archive: pickles in a row, and a tar archive. */
class LegacyFuzzTest {
  static Stream<byte[]> seeds() throws IOException {
    return Fixture.all(
        "pytorch/tar.pt",
        "pytorch/tied-legacy.pt",
        "pytorch/transposed-legacy.pt",
        "pytorch/view-legacy.pt");
  }

  @MethodSource("seeds")
  @FuzzTest(maxDuration = "4m")
  void refusesOrReads(byte[] file) throws IOException {
    Fixture.refusesOrReads(file, ".pt");
  }
}

package dev.rowan.formats.pytorch;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.rowan.formats.Fixture;
import java.io.IOException;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.MethodSource;

/** Any bytes either open as a model whose tokens and rows can be read, or are refused as such. */
class PytorchFuzzTest {
  static Stream<byte[]> seeds() throws IOException {
    return Fixture.all(
        "pytorch/tied.pt",
        "pytorch/tied-legacy.pt",
        "pytorch/protocol4.pt",
        "pytorch/training.pt",
        "pytorch/view-legacy.pt",
        "pytorch/dtypes.pt",
        "pytorch/tar.pt",
        "pytorch/deflated.pt");
  }

  @MethodSource("seeds")
  @FuzzTest(maxDuration = "5m")
  void refusesOrReads(byte[] file) throws IOException {
    Fixture.refusesOrReads(file, ".pt");
  }
}

package dev.rowan.formats.numpy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.rowan.formats.Fixture;
import dev.rowan.formats.file.FileKind;
import dev.rowan.formats.file.FormatException;
import dev.rowan.formats.file.HeldBytes;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
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

  /** What a few stretches of a file say is what the reader of the whole file says. */
  @MethodSource("seeds")
  @FuzzTest(maxDuration = "5m")
  void agreesWithTheReaderOfTheFile(byte[] bytes) throws IOException {
    boolean archive = FileKind.of(MemorySegment.ofArray(bytes)) == FileKind.ZIP;
    Path path = Files.createTempFile("listed", archive ? ".npz" : ".npy");
    try {
      Files.write(path, bytes);
      NumpyFile listed;
      try {
        listed = NumpyFile.ofListed(new HeldBytes(path, MemorySegment.ofArray(bytes)));
      } catch (FormatException e) {
        assertThatThrownBy(() -> open(path, archive).close()).isInstanceOf(FormatException.class);
        return;
      }
      try (NumpyFile whole = open(path, archive)) {
        assertThat(listed.tensors()).isEqualTo(whole.tensors());
        assertThat(listed.notes()).isEqualTo(whole.notes());
      } catch (FormatException e) {
        // the local header of an entry that is no array may be wrong
        assertThat(e).hasMessageContaining(" in the archive ");
      }
    } finally {
      Files.delete(path);
    }
  }

  private static NumpyFile open(Path path, boolean archive) throws IOException {
    return archive ? NumpyFile.openArchive(path) : NumpyFile.open(path);
  }
}

package dev.rowan.formats.pytorch;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.rowan.formats.Fixture;
import dev.rowan.formats.file.FormatException;
import dev.rowan.formats.file.MappedFile;
import dev.rowan.formats.file.Stretches;
import dev.rowan.formats.tensor.TensorInfo;
import dev.rowan.formats.zip.ZipArchive;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.MethodSource;

/** What a few stretches of an archive say is what the reader of the whole archive says. */
class ListedFuzzTest {
  /** Bytes far away; no more of them are looked at than a file has. */
  private static final class Far implements Stretches {
    private final byte[] bytes;

    Far(byte[] bytes) {
      this.bytes = bytes;
    }

    @Override
    public Path path() {
      return Path.of("x.pt");
    }

    @Override
    public long size() {
      return bytes.length;
    }

    @Override
    public MemorySegment stretch(long from, long count) {
      assertThat(from).isNotNegative();
      assertThat(count).isBetween(0L, bytes.length - from);
      return MemorySegment.ofArray(bytes).asSlice(from, count).asReadOnly();
    }
  }

  static Stream<byte[]> seeds() throws IOException {
    return Fixture.all(
        "pytorch/tied.pt",
        "pytorch/untied.pt",
        "pytorch/training.pt",
        "pytorch/dtypes.pt",
        "pytorch/sliced.pt",
        "pytorch/transposed.pt",
        "pytorch/big-endian.pt",
        "pytorch/deflated.pt",
        "pytorch/torchscript.pt");
  }

  @MethodSource("seeds")
  @FuzzTest(maxDuration = "4m")
  void agreesWithTheReaderOfTheFile(byte[] bytes) throws IOException {
    PytorchFile listed;
    try {
      listed = PytorchFile.ofListed(Path.of("x.pt"), List.of(new Far(bytes)), Map.of());
      for (TensorInfo tensor : listed.tensors()) {
        TensorInfo located = listed.located(tensor);
        assertThat(located.offset()).isBetween(0L, bytes.length - Math.max(0, spanned(located)));
      }
    } catch (FormatException e) {
      assertThat(e).hasMessageStartingWith("x.pt: ");
      return;
    }
    Path file = Files.createTempFile("listed", ".pt");
    try {
      Files.write(file, bytes);
      compare(file, listed);
    } finally {
      Files.delete(file);
    }
  }

  private static long spanned(TensorInfo tensor) {
    return tensor.offset() > 0 ? tensor.bytes() : 0;
  }

  private static void compare(Path path, PytorchFile listed) throws IOException {
    try (MappedFile file = MappedFile.open(path)) {
      ZipArchive.of(file);
    } catch (FormatException e) {
      return; // the local header of what no tensor needs may be wrong
    }
    try (PytorchFile whole = PytorchFile.open(path)) {
      assertThat(listed.tensors()).hasSameSizeAs(whole.tensors());
      for (int i = 0; i < whole.tensors().size(); i++) {
        TensorInfo expected = whole.tensors().get(i);
        TensorInfo located = listed.located(listed.tensors().get(i));
        assertThat(located.name()).isEqualTo(expected.name());
        assertThat(located.dtype()).isEqualTo(expected.dtype());
        assertThat(located.shape()).isEqualTo(expected.shape());
        assertThat(located.offset()).isEqualTo(expected.offset());
        assertThat(located.bytes()).isEqualTo(expected.bytes());
      }
    } catch (FormatException e) {
      // a file that starts as another kind is read as that kind
      assertThat(e).hasMessageStartingWith(path.getFileName() + ": ");
    }
  }
}

package dev.rowan.formats.onnx;

import static dev.rowan.formats.onnx.OnnxFixture.constant;
import static dev.rowan.formats.onnx.OnnxFixture.external;
import static dev.rowan.formats.onnx.OnnxFixture.graph;
import static dev.rowan.formats.onnx.OnnxFixture.initializer;
import static dev.rowan.formats.onnx.OnnxFixture.input;
import static dev.rowan.formats.onnx.OnnxFixture.looseFloats;
import static dev.rowan.formats.onnx.OnnxFixture.model;
import static dev.rowan.formats.onnx.OnnxFixture.node;
import static dev.rowan.formats.onnx.OnnxFixture.output;
import static dev.rowan.formats.onnx.OnnxFixture.packedFloats;
import static dev.rowan.formats.onnx.OnnxFixture.packedInts;
import static dev.rowan.formats.onnx.OnnxFixture.raw;
import static dev.rowan.formats.onnx.OnnxFixture.whole;
import static dev.rowan.formats.onnx.OnnxFixture.with;
import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.rowan.formats.file.FormatException;
import dev.rowan.formats.file.HeldBytes;
import dev.rowan.formats.tensor.Scoring;
import dev.rowan.formats.tensor.TensorInfo;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.MethodSource;

/** Any bytes either read as a model whose numbers are all there, or are refused as such. */
class OnnxFuzzTest {
  /** In a folder that does not exist, so that no external data is ever found. */
  private static final Path PATH = Path.of("no-such-folder", "model.onnx");

  static Stream<byte[]> seeds() {
    long[] shape = {2, 2};
    return Stream.of(
        model(initializer("t", 1, shape, raw(new byte[16]))),
        model(initializer("t", 1, shape, packedFloats(1, 2, 3, 4))),
        model(initializer("t", 1, shape, looseFloats(1, 2, 3, 4))),
        model(initializer("t", 10, shape, packedInts(1, 2, 3, 0x3C00))),
        model(
            node("Cast", "ids", "input_ids"),
            node("Gather", "rows", "t", "ids"),
            initializer("t", 1, shape, external("location", "w", "offset", "8", "length", "16")),
            input("input_ids")),
        model(
            constant("t", 1, new long[] {3, 2}, raw(new byte[24])),
            constant("q", 16, new long[] {2}, packedInts(1, 0x3F80)),
            node("Gather", "x", "t", "input_ids"),
            node("Transpose", "w", "t"),
            with("Gemm", "y", List.of("x", "w", "q"), whole("transB", 1)),
            with("If", "z", List.of("y"), graph("then_branch", node("MatMul", "b", "x", "w"))),
            input("input_ids"),
            output("y"),
            output("z")));
  }

  @MethodSource("seeds")
  @FuzzTest(maxDuration = "5m")
  void refusesOrReads(byte[] file) throws IOException {
    try (OnnxFile model = OnnxFile.ofListed(new HeldBytes(PATH, MemorySegment.ofArray(file)))) {
      model.lookedUp();
      for (TensorInfo tensor : model.tensors()) {
        if (tensor.hasRows()) {
          Scoring.of(model, tensor);
        }
        read(model, tensor);
      }
    } catch (FormatException e) {
      assertThat(e).hasMessageStartingWith("model.onnx: ");
    }
  }

  private static void read(OnnxFile model, TensorInfo tensor) throws IOException {
    try {
      MemorySegment data = model.data(tensor);
      if (tensor.dtype().rows().isPresent()) {
        assertThat(data.byteSize()).isEqualTo(tensor.bytes());
      }
    } catch (FormatException e) {
      assertThat(e).hasMessageStartingWith("model.onnx: ");
    }
  }
}

package dev.rowan.formats.projector;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.rowan.formats.FolderFuzz;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.MethodSource;

/** Any config, numbers and metadata either open as a table, or are refused with a reason. */
class ProjectorFuzzTest {
  static Stream<byte[]> seeds() {
    return Stream.of(
        seed(
            "embeddings {\n  tensor_name: \"mine\"\n  tensor_path: \"t.tsv\"\n  metadata_path: 'm.tsv'\n}\n",
            "0.5\t-1\n1e-5\t2\n",
            "count\tWord\n12\tthe\n7\tcat\n"),
        seed(
            "embeddings {\n tensor_shape: 2\n tensor_shape: 1\n tensor_path: \"t.tsv\"\n}\n",
            "\0\0\0?\0\0\0@",
            "a\nb\n"));
  }

  private static byte[] seed(String... files) {
    return FolderFuzz.joined(
        Stream.of(files).map(text -> text.getBytes(StandardCharsets.UTF_8)).toArray(byte[][]::new));
  }

  @MethodSource("seeds")
  @FuzzTest(maxDuration = "5m")
  void refusesOrReads(byte[] bytes) throws IOException {
    FolderFuzz.refusesOrReads(bytes, List.of("projector_config.pbtxt", "t.tsv", "m.tsv"));
  }
}

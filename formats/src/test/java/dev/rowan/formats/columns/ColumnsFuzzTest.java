package dev.rowan.formats.columns;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.rowan.formats.Fixture;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.MethodSource;

/** Any bytes either are a table of columns or are refused with a reason. */
class ColumnsFuzzTest {
  static Stream<byte[]> seeds() {
    return Stream.of(
            "id,token,d0,d1\n0,\"a,b\",0.0,-1.5e2\n1,\"say \"\"x\"\"\",2,3\n",
            "id\ttoken\td0\n0\ta\t1\n7\t\tnan\n")
        .map(text -> text.getBytes(StandardCharsets.UTF_8));
  }

  @MethodSource("seeds")
  @FuzzTest(maxDuration = "4m")
  void refusesOrReads(byte[] bytes) throws IOException {
    Fixture.refusesOrReads(bytes, ".csv");
  }
}

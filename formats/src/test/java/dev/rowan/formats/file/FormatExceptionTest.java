package dev.rowan.formats.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class FormatExceptionTest {
  @Test
  void aLineIsNamedBesideTheByte() {
    FormatException found = new FormatException(Path.of("in/x.jsonl"), 1234, "this is no JSON");
    FormatException numbered = found.inLine(56);
    assertThat(numbered).hasMessage("x.jsonl: this is no JSON (line 56, at byte 1234)");
    assertThat(numbered).hasCause(found);
    assertThat(numbered.offset()).hasValue(1234);
    assertThat(numbered.path()).isEqualTo(Path.of("in/x.jsonl"));
  }

  @Test
  void onlyBytesHaveLines() {
    assertThatThrownBy(() -> new FormatException(Path.of("x"), "is empty").inLine(1))
        .isInstanceOf(IllegalStateException.class);
  }
}

package dev.rowan.formats.file;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rowan.formats.Models;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MappedFileTest {
  @TempDir Path folder;

  private final byte[] bytes = new byte[100_000];

  private MappedFile open() throws IOException {
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) ((i * 31) >> 3);
    }
    return MappedFile.open(Files.write(folder.resolve("file"), bytes));
  }

  private void copies(MappedFile file) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment target = arena.allocate(70_001);
      file.copy(29_999, target);
      assertThat(target.toArray(JAVA_BYTE)).isEqualTo(Arrays.copyOfRange(bytes, 29_999, 100_000));
    }
  }

  @Test
  void copiesBytesOfTheFile() throws IOException {
    try (MappedFile file = open()) {
      copies(file);
      assertThatThrownBy(() -> file.copy(99_999, MemorySegment.ofArray(new byte[2])))
          .isInstanceOf(IndexOutOfBoundsException.class);
    }
  }

  @Test
  void copiesForInterruptedThreadsAndForOthersAfterThem() throws IOException {
    try (MappedFile file = open()) {
      Thread.currentThread().interrupt();
      copies(file);
      assertThat(Thread.interrupted()).isTrue();
      copies(file);
    }
  }

  @Test
  void aFileThatBecomesShorterIsToldFromABug() throws IOException {
    Path path = folder.resolve("shrinking.bin");
    Files.write(path, new byte[1 << 20]);
    try (MappedFile file = MappedFile.open(path)) {
      try (FileChannel channel = FileChannel.open(path, StandardOpenOption.WRITE)) {
        channel.truncate(0);
      }
      assertThatThrownBy(() -> file.bytes().toArray(JAVA_BYTE))
          .satisfies(failure -> assertThat(MappedFile.isLost(failure)).isTrue());
    }
    assertThat(MappedFile.isLost(new InternalError("other"))).isFalse();
  }

  @Test
  void saysWhereALinkThatLeadsNowhereEnds() throws IOException {
    Path circle = folder.resolve("a");
    Files.createSymbolicLink(circle, Path.of("b"));
    Files.createSymbolicLink(folder.resolve("b"), Path.of("a"));
    Path dangling = Files.createSymbolicLink(folder.resolve("c"), Path.of("gone"));
    assertThatThrownBy(() -> MappedFile.open(circle))
        .hasMessageContaining("this link leads back to itself");
    assertThatThrownBy(() -> Models.open(circle))
        .hasMessageContaining("this link leads back to itself");
    assertThatThrownBy(() -> Models.open(dangling))
        .hasMessageContaining("this link leads to nothing");
  }
}

package dev.rowan.app.cli;

import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Standard output or error. Remembers what went wrong, which a {@link PrintStream} does not say.
 */
final class StandardStream extends FilterOutputStream {
  private static final int BUFFER = 1 << 16;

  private @Nullable IOException failure;

  StandardStream(OutputStream out) {
    super(out);
  }

  /** Returns a stream of the process. */
  static StandardStream of(FileDescriptor descriptor) {
    return new StandardStream(new FileOutputStream(descriptor));
  }

  /** Returns a printer on top of it, in UTF-8 whatever the locale: tokens are in every script. */
  PrintStream printer() {
    return new PrintStream(new BufferedOutputStream(this, BUFFER), false, StandardCharsets.UTF_8);
  }

  /**
   * Returns why something was not written; empty where whoever read it wanted no more, as {@code
   * head} does after its ten lines.
   */
  Optional<IOException> failure() {
    String reason = failure == null ? null : failure.getMessage();
    boolean readerLeft =
        reason != null
            && (reason.startsWith("Broken pipe") || reason.startsWith("The pipe is being closed"));
    return readerLeft ? Optional.empty() : Optional.ofNullable(failure);
  }

  @Override
  public void write(byte[] bytes, int from, int count) throws IOException {
    try {
      out.write(bytes, from, count);
    } catch (IOException e) {
      if (failure == null) {
        failure = e;
      }
      throw e;
    }
  }

  @Override
  public void write(int b) throws IOException {
    write(new byte[] {(byte) b}, 0, 1);
  }
}

package dev.rowan.formats.hdf5;

import dev.rowan.formats.file.FormatException;
import java.nio.file.Path;
import java.util.function.Supplier;

/**
 * Calls of the HDF5 library. It trusts files: a wrong one ends in any exception, in a stack that is
 * too deep, or in a request for memory that no file could fill. All are told as what they are, a
 * wrong file.
 */
final class Guard {
  private Guard() {}

  static <T> T read(Path path, Supplier<T> call) {
    try {
      return call.get();
    } catch (FormatException e) {
      throw e;
    } catch (RuntimeException | StackOverflowError | OutOfMemoryError | AssertionError e) {
      FormatException wrong =
          new FormatException(
              path,
              "is damaged, or an HDF5 file of a kind that cannot be read (%s)"
                  .formatted(reason(e)));
      wrong.initCause(e);
      throw wrong;
    }
  }

  /** The innermost cause says most; the others tell the way to it. */
  private static String reason(Throwable failure) {
    Throwable root = failure;
    for (int depth = 0; root.getCause() != null && depth < 16; depth++) {
      root = root.getCause();
    }
    String message = root.getMessage();
    return message == null || message.isBlank()
        ? root.getClass().getSimpleName()
        : message.lines().findFirst().orElse("");
  }
}

package dev.rowan.app.cli;

import dev.rowan.formats.file.FormatException;
import dev.rowan.formats.file.MappedFile;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileLockInterruptionException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.util.concurrent.CancellationException;

/** Turns a failure into a message and an exit code. */
final class Failures {
  static final int DONE = 0;
  static final int BUG = 1;
  static final int USE = 2;
  static final int FILE = 3;
  static final int CHECK = 4; // the work is done, but what was found is more than the user allows
  static final int INTERRUPTED = 130; // 128 + SIGINT, as shells count
  static final int TERMINATED = 143; // 128 + SIGTERM

  private static final int LONGEST = 6_000; // characters of a message

  private Failures() {}

  /** Prints what went wrong and returns the exit code. */
  static int report(Throwable thrown, PrintStream err, boolean debug) {
    Throwable failure = root(thrown);
    int code = code(failure);
    switch (code) {
      case BUG -> {
        err.println("rowan: this is a bug in Rowan, please report it with the lines below");
        err.println("rowan " + Version.text() + ", " + Version.machine());
        failure.printStackTrace(err);
      }
      case INTERRUPTED -> err.println("rowan: interrupted");
      case TERMINATED -> err.println("rowan: terminated");
      default -> err.println("rowan: " + Visible.message(bounded(message(failure))));
    }
    if (debug && code != BUG) {
      failure.printStackTrace(err);
    }
    return code;
  }

  /** Suppliers cannot throw IOException, so some of ours arrive wrapped. */
  private static Throwable root(Throwable thrown) {
    if (thrown instanceof UncheckedIOException wrapped) {
      IOException cause = wrapped.getCause();
      return cause == null ? thrown : cause;
    }
    return thrown;
  }

  private static int code(Throwable failure) {
    return switch (failure) {
      // an interrupt closes the file that is being read or written
      case ClosedByInterruptException _, FileLockInterruptionException _ -> INTERRUPTED;
      case FormatException _, IOException _ -> FILE;
      case InternalError _ when MappedFile.isLost(failure) -> FILE;
      case OutOfMemoryError _ -> FILE;
      case FailedCheck _ -> CHECK;
      case UnsupportedOperationException _ -> ours(failure) ? USE : BUG;
      // the JDK throws this one too, and then it was us who called it wrongly
      case IllegalArgumentException _ -> ours(failure) ? USE : BUG;
      case Stopped stopped -> stopped.code();
      case CancellationException _ -> INTERRUPTED;
      default -> BUG;
    };
  }

  private static boolean ours(Throwable failure) {
    StackTraceElement[] trace = failure.getStackTrace();
    return trace.length > 0 && trace[0].getClassName().startsWith("dev.rowan.");
  }

  /** Leaves out the middle of what names from files have made too long. */
  private static String bounded(String message) {
    return message.length() <= LONGEST
        ? message
        : message.substring(0, LONGEST / 2)
            + " … "
            + message.substring(message.length() - LONGEST / 2);
  }

  private static String message(Throwable failure) {
    return switch (failure) {
      case InternalError _ -> MappedFile.LOST;
      case OutOfMemoryError _ ->
          "this takes more memory than the JVM may use, %,d MB (%s); give it more with ROWAN_JAVA_OPTS=-Xmx4g or so"
              .formatted(Runtime.getRuntime().maxMemory() >> 20, failure.getMessage());
      case NoSuchFileException e when e.getReason() == null ->
          "there is no file or folder " + e.getFile();
      case AccessDeniedException e -> e.getFile() + ": no permission to read it";
      case NotDirectoryException e -> "there is no folder " + e.getFile() + "; make it first";
      case FileSystemException e when e.getReason() == null -> e.getFile() + ": cannot be read";
      default -> {
        String message = failure.getMessage();
        yield message == null ? failure.getClass().getSimpleName() : message;
      }
    };
  }
}

package dev.rowan.app.web;

import dev.rowan.formats.file.FormatException;
import dev.rowan.formats.file.MappedFile;
import java.io.IOException;
import java.util.concurrent.CancellationException;

/** What a client is told about a failure: whose fault it is, and why. */
final class HttpFailures {
  private HttpFailures() {}

  /** Returns what to tell a client about a failure. */
  static String message(Throwable failure) {
    if (status(failure) == 500) {
      return "this is a bug in Rowan (%s); the server's log has more"
          .formatted(failure.getClass().getSimpleName());
    }
    String message = MappedFile.isLost(failure) ? MappedFile.LOST : failure.getMessage();
    return message == null ? failure.getClass().getSimpleName() : message;
  }

  /** Returns the HTTP status of a failure; 500 is our fault. */
  static int status(Throwable failure) {
    return switch (failure) {
      case Refusal refusal -> refusal.status();
      case FormatException _, IOException _ -> 422;
      case InternalError _ when MappedFile.isLost(failure) -> 422;
      case CancellationException _ -> 503;
      // the JDK throws these too, and then it was us who called it wrongly
      case IllegalArgumentException _, UnsupportedOperationException _ -> ours(failure) ? 400 : 500;
      default -> 500;
    };
  }

  private static boolean ours(Throwable failure) {
    StackTraceElement[] trace = failure.getStackTrace();
    return trace.length > 0 && trace[0].getClassName().startsWith("dev.rowan.");
  }
}

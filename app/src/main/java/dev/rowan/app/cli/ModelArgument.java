package dev.rowan.app.cli;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Parameters;

/** The model of a verb that takes nothing else, so that it need not stand behind {@code -m}. */
final class ModelArgument {
  @Parameters(
      arity = "0..1",
      paramLabel = "MODEL",
      description = "The model, as -m takes it; else what -m names.")
  @Nullable String model;

  /**
   * Makes it the session's model.
   *
   * @throws UseException if it is empty, or -m names a model too
   */
  void choose(Session session) {
    String named = model;
    if (named != null) {
      session.globals().nameModel("MODEL", named);
    }
  }
}

package dev.rowan.app.cli;

import java.io.PrintStream;
import java.util.Map;

/**
 * What the program runs in. The launcher knows which streams are terminals and how wide they are,
 * and says so in system properties; started without it, neither counts as one.
 *
 * @param out for results
 * @param err for everything else
 * @param environment the environment variables
 * @param outIsTerminal whether a person reads {@code out} as it is written
 * @param errIsTerminal whether a person reads {@code err} as it is written
 * @param columns the width of the terminal, 80 if there is none
 */
record Surroundings(
    PrintStream out,
    PrintStream err,
    Map<String, String> environment,
    boolean outIsTerminal,
    boolean errIsTerminal,
    int columns) {
  private static final int USUAL_COLUMNS = 80;

  /** Returns what the launcher says. */
  static Surroundings ofProcess(PrintStream out, PrintStream err) {
    String terminals = System.getProperty("rowan.terminals", "");
    return new Surroundings(
        out,
        err,
        System.getenv(),
        terminals.contains("out"),
        terminals.contains("err"),
        Math.clamp(Integer.getInteger("rowan.columns", USUAL_COLUMNS), 20, 1000));
  }

  /**
   * Returns whether results may be coloured: on a terminal, unless NO_COLOR is set (no-color.org).
   */
  Ink ink() {
    boolean dumb = "dumb".equals(environment.get("TERM"));
    boolean unwanted = !environment.getOrDefault("NO_COLOR", "").isEmpty();
    return outIsTerminal && !dumb && !unwanted ? Ink.COLOUR : Ink.PLAIN;
  }
}

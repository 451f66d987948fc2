package dev.rowan.app.cli;

import picocli.CommandLine.Option;

/** The help option that every verb has. */
final class HelpOption {
  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Explain and exit.")
  boolean help;
}

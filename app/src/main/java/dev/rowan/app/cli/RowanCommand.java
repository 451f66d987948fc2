package dev.rowan.app.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** The program itself: global options and the list of verbs. */
@Command(
    name = "rowan",
    versionProvider = Version.class,
    description = "Opens, checks, measures and answers from token embedding tables.",
    synopsisSubcommandLabel = "VERB",
    commandListHeading = "%nVerbs:%n",
    footerHeading = "%nExamples:%n",
    footer = {
      "  rowan tour                          the whole story, in seconds",
      "  rowan near cat dog                  which rows are close",
      "  rowan analogy king - man + woman    arithmetic on rows",
      "  rowan -m path/to/model info         what is in a file",
      "",
      "rowan VERB --help explains a verb. Without -m, Rowan uses the model it comes with.",
      "Exit codes: 0 done, 2 wrong use or unknown token, 3 unreadable file, 1 a bug in Rowan."
    },
    subcommands = {
      TourCommand.class,
      InfoCommand.class,
      NearCommand.class,
      AnalogyCommand.class,
      TokensCommand.class,
      RowCommand.class,
      CornerCommand.class,
      StepCommand.class,
      StatsCommand.class,
      ScoreCommand.class,
      CompletionCommand.class
    })
final class RowanCommand {
  @Mixin Globals globals = new Globals();
}

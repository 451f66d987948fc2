package dev.rowan.app.cli;

import dev.rowan.core.Vocabulary;
import dev.rowan.text.NearSpellings;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The program itself: global options and the list of verbs. Not thread-safe. */
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
      "  rowan -m hf:owner/name near cat     of the hub; fetches its table alone",
      "",
      "rowan VERB --help explains a verb. Without -m, Rowan uses its own model.",
      "Exit codes: 0 done, 2 wrong use or unknown token, 3 unreadable or unavailable,",
      "4 a check that failed (audit --fail-on), 1 a bug in Rowan."
    })
final class RowanCommand {
  @Mixin Globals globals = new Globals();

  @Mixin HelpOption help = new HelpOption();

  @Option(
      names = {"-V", "--version"},
      versionHelp = true,
      description = "Print the version, the JVM and the kernels in use.")
  boolean version;

  /** The verbs in the order of the help page. */
  private static final Map<String, Supplier<Verb>> VERBS = new LinkedHashMap<>();

  static {
    VERBS.put("tour", TourCommand::new);
    VERBS.put("info", InfoCommand::new);
    VERBS.put("near", NearCommand::new);
    VERBS.put("analogy", AnalogyCommand::new);
    VERBS.put("similar", SimilarCommand::new);
    VERBS.put("doesnt-match", DoesntMatchCommand::new);
    VERBS.put("axis", AxisCommand::new);
    VERBS.put("tokens", TokensCommand::new);
    VERBS.put("row", RowCommand::new);
    VERBS.put("corner", CornerCommand::new);
    VERBS.put("step", StepCommand::new);
    VERBS.put("stats", StatsCommand::new);
    VERBS.put("map", MapCommand::new);
    VERBS.put("score", ScoreCommand::new);
    VERBS.put("params", ParamsCommand::new);
    VERBS.put("audit", AuditCommand::new);
    VERBS.put("train", TrainCommand::new);
    VERBS.put("eval", EvalCommand::new);
    VERBS.put("diff", DiffCommand::new);
    VERBS.put("serve", ServeCommand::new);
    VERBS.put("convert", ConvertCommand::new);
    VERBS.put("edit", EditCommand::new);
    VERBS.put("pull", PullCommand::new);
    VERBS.put("cache", CacheCommand::new);
    VERBS.put("completion", CompletionCommand::new);
  }

  /** Returns the command line with every verb. */
  CommandLine withEveryVerb() {
    CommandLine command = new CommandLine(this);
    VERBS.forEach((name, verb) -> command.addSubcommand(name, verb.get()));
    return command;
  }

  /**
   * Returns the command line for some arguments. If one of them can be a verb, only verbs among the
   * arguments are set up: a fifth of a second less for a command of half a second.
   */
  CommandLine forArguments(String... arguments) {
    CommandLine command = new CommandLine(this);
    for (String argument : new LinkedHashSet<>(List.of(arguments))) {
      Supplier<Verb> verb = VERBS.get(argument);
      if (verb != null) {
        command.addSubcommand(argument, verb.get());
      }
    }
    return command.getSubcommands().isEmpty() ? withEveryVerb() : command;
  }

  /** Returns the verbs that a mistyped one may have meant, likeliest first. */
  static List<String> verbsLike(String typed) {
    return NearSpellings.of(Vocabulary.ofWords(List.copyOf(VERBS.keySet())), typed, 3).stream()
        .map(id -> List.copyOf(VERBS.keySet()).get((int) (long) id))
        .toList();
  }
}

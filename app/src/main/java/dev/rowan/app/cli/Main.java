package dev.rowan.app.cli;

import java.io.FileDescriptor;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/** Starts the command line. */
public final class Main {
  private Main() {}

  /** Runs a command and exits with its code. */
  public static void main(String[] arguments) {
    StandardStream answers = StandardStream.of(FileDescriptor.out);
    PrintStream out = answers.printer();
    PrintStream err = StandardStream.of(FileDescriptor.err).printer();
    int code = run(Surroundings.ofProcess(out, err), arguments);
    out.flush();
    Optional<IOException> lost = answers.failure();
    if (lost.isPresent() && code == Failures.DONE) {
      err.println("rowan: the answer cannot be written: " + lost.get().getMessage());
      code = Failures.FILE;
    }
    err.flush();
    System.exit(code);
  }

  /** Runs a command and returns its exit code. */
  static int run(Surroundings surroundings, String... arguments) {
    RowanCommand root = new RowanCommand();
    CommandLine command = root.forArguments(arguments);
    command.setOut(new PrintWriter(surroundings.out(), false, StandardCharsets.UTF_8));
    command.setErr(new PrintWriter(surroundings.err(), false, StandardCharsets.UTF_8));
    command.setUsageHelpWidth(Math.clamp(surroundings.columns(), 60, 100));
    command.setColorScheme(
        CommandLine.Help.defaultColorScheme(surroundings.ink() == Ink.COLOUR ? Ansi.ON : Ansi.OFF));
    command.setParameterExceptionHandler((e, _) -> misused(e, surroundings));
    command.setExecutionStrategy(parsed -> execute(parsed, root.globals, surroundings));
    int code = command.execute(arguments);
    command.getOut().flush();
    command.getErr().flush();
    return code;
  }

  private static int execute(ParseResult parsed, Globals globals, Surroundings surroundings) {
    Integer help = CommandLine.executeHelpRequest(parsed);
    if (help != null) {
      return help;
    }
    if (!parsed.hasSubcommand()) {
      parsed.commandSpec().commandLine().usage(parsed.commandSpec().commandLine().getErr());
      return Failures.USE;
    }
    Verb verb = (Verb) parsed.subcommand().commandSpec().userObject();
    try (Session session = new Session(globals, surroundings)) {
      verb.run(session);
      return Failures.DONE;
    } catch (Exception | Error e) {
      surroundings.out().flush();
      return Failures.report(Misuse.inWordsOf(parsed, e), surroundings.err(), globals.debug);
    }
  }

  private static int misused(ParameterException e, Surroundings surroundings) {
    PrintStream err = surroundings.err();
    err.println("rowan: " + Misuse.message(e));
    String name = e.getCommandLine().getCommandSpec().qualifiedName();
    err.println("Try '" + name + " --help'.");
    return Failures.USE;
  }
}

package dev.rowan.app.cli;

import java.io.IOException;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Completion for shells. */
@Command(
    name = "completion",
    description = "Print a completion script for bash and zsh.",
    footerHeading = "%nExamples:%n",
    footer = {
      "  source <(./rowan completion)        for this shell",
      "  ./rowan completion > ~/.rowan-completion"
    })
final class CompletionCommand implements Verb {
  @Mixin HelpOption help = new HelpOption();

  @Override
  public void run(Session session) throws IOException {
    String script = AutoComplete.bash("rowan", new RowanCommand().withEveryVerb());
    session.answer(
        json -> json.text("shell", "bash").text("script", script), page -> page.line(script));
  }
}

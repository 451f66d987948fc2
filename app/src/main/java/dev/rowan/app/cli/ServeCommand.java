package dev.rowan.app.cli;

import dev.rowan.app.web.Explorer;
import dev.rowan.app.web.ExplorerSettings;
import dev.rowan.app.web.ServedModels;
import dev.rowan.app.web.TrainingPlaces;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The explorer: pages that show what the other verbs say. */
@Command(
    name = "serve",
    description = {
      "Serve pages on this machine that show the table: lookup, neighbours, map, analogies, output.",
      "Prints the address to open and runs until Ctrl-C. Only this machine can connect unless --host"
          + " says otherwise."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  rowan serve",
      "  rowan -m path/to/gpt2 serve --port 8080",
      "  rowan serve path/to/a.vec path/to/b.vec       further models to choose from",
      "  rowan serve --root ~/models                   whatever lies in a folder",
      "  rowan serve --corpora ~/texts --save ~/tables   and train on the pages",
      "  rowan serve --host 0.0.0.0 --token \"$(openssl rand -hex 16)\""
    })
final class ServeCommand implements Verb {
  @Mixin HelpOption help = new HelpOption();

  @Parameters(
      paramLabel = "MODEL",
      arity = "0..*",
      description = "Further models to choose from, each as -m takes it.")
  List<String> models = List.of();

  @Option(
      names = "--port",
      paramLabel = "N",
      description = "The port; 0 takes any free one (${DEFAULT-VALUE}).")
  int port = 7171;

  @Option(
      names = "--host",
      paramLabel = "NAME",
      description = "What to listen on (${DEFAULT-VALUE}); anything else needs --token.")
  String host = "127.0.0.1";

  @Option(
      names = "--token",
      paramLabel = "TEXT",
      description = "What a visitor has to show; part of the address that is printed.")
  @Nullable String token;

  @Option(
      names = "--root",
      paramLabel = "FOLDER",
      description = "A folder whose models may be opened from the pages; may be repeated.")
  List<Path> roots = List.of();

  @Option(
      names = "--corpora",
      paramLabel = "FOLDER",
      description = "A folder whose texts may be trained on from the pages; may be repeated.")
  List<Path> corpora = List.of();

  @Option(
      names = "--save",
      paramLabel = "FOLDER",
      description = "Where tables trained from the pages stay; without it they go with the server.")
  @Nullable Path save;

  @Override
  public void run(Session session) throws IOException {
    ExplorerSettings settings = new ExplorerSettings(host, port, Optional.ofNullable(token), roots);
    Map<String, Session> named = new LinkedHashMap<>();
    named.put(name(session.modelSpec()), session);
    for (String spec : models) {
      named.put(name(spec), session.forModel(spec));
    }
    for (Session one : named.values()) {
      one.lexicon(); // what cannot be read is said now, not on a page
    }
    ServedModels served =
        new ServedModels(named, settings.roots(), path -> session.forModel(path.toString()));
    try (Explorer explorer =
        Explorer.start(settings, served, new TrainingPlaces(corpora, Optional.ofNullable(save)))) {
      Thread stop = new Thread(explorer::close, "rowan-stop");
      Runtime.getRuntime().addShutdownHook(stop);
      session.answer(
          json -> json.text("address", explorer.address()).number("port", (long) explorer.port()),
          page -> page.line("The explorer is at " + explorer.address() + "  (Ctrl-C ends it)"));
      explorer.join();
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  /** Returns what visitors call a model: the end of its path, unless it is no path. */
  private static String name(String spec) {
    if (spec.contains("://") || spec.startsWith("hf:")) {
      return spec;
    }
    Path last = Path.of(spec).getFileName();
    return last == null ? spec : last.toString();
  }
}

package dev.rowan.app.cli;

import dev.rowan.app.cli.Ink.Style;
import dev.rowan.core.Counted;
import dev.rowan.core.OutOfRange;
import dev.rowan.hub.Cached;
import dev.rowan.hub.HubCache;
import dev.rowan.hub.HubSettings;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Lists and removes what was fetched. */
@Command(
    name = "cache",
    description = "List the remote models in the cache, or make room.",
    footerHeading = "%nExamples:%n",
    footer = {
      "  rowan cache list",
      "  rowan cache prune                        left-overs that no model uses",
      "  rowan cache prune hf:openai-community/gpt2",
      "  rowan cache prune --unused 30            models not opened for 30 days",
      "  rowan cache prune --all --dry-run"
    })
final class CacheCommand implements Verb {
  enum Action {
    list,
    prune
  }

  @Mixin HelpOption help = new HelpOption();

  @Parameters(index = "0", paramLabel = "list|prune", description = "What to do.")
  @Nullable Action action;

  @Parameters(
      index = "1..*",
      paramLabel = "MODEL",
      description = "Models to remove, as the list names them.")
  List<String> models = List.of();

  @Option(
      names = "--unused",
      paramLabel = "DAYS",
      description = "Remove models that were not opened for so many days, 0 or more.")
  @Nullable Integer unused;

  @Option(names = "--all", description = "Remove all remote models and all left-overs.")
  boolean all;

  @Option(names = "--dry-run", description = "Only say what would be removed.")
  boolean dryRun;

  @Override
  public void run(Session session) throws IOException {
    HubCache cache = HubCache.of(HubSettings.of(session.environment()));
    if (action == Action.prune) {
      prune(session, cache);
    } else if (all || dryRun || unused != null || !models.isEmpty()) {
      throw new UseException("\"cache list\" takes nothing more; to remove models say cache prune");
    } else {
      list(session, cache);
    }
  }

  private static void list(Session session, HubCache cache) throws IOException {
    List<Cached> models = cache.models();
    long bytes = cache.bytes();
    session.answer(
        json ->
            json.text("folder", cache.folder().toString())
                .number("bytes", bytes)
                .objects("models", models, CacheCommand::write),
        page -> {
          page.grid(grid(models));
          page.note(
              "%s; %s in %s".formatted(count(models), InfoCommand.bytes(bytes), cache.folder()));
        });
  }

  private static String count(List<Cached> models) {
    return models.size() == 1 ? "1 model" : models.size() + " models";
  }

  private static void write(Json json, Cached model) {
    json.text("model", model.source())
        .text("version", model.commit())
        .array("tables", j -> model.tables().forEach(j::element))
        .number("bytes", model.bytes())
        .text("lastUsed", model.lastUsed().toString())
        .text("folder", model.folder().toString());
  }

  private static Grid grid(List<Cached> models) {
    Grid grid = new Grid();
    for (Cached model : models) {
      String day = model.lastUsed().atZone(ZoneId.systemDefault()).toLocalDate().toString();
      grid.row(
          Grid.left(Visible.token(model.source()), Style.PLAIN),
          Grid.left(model.commit().substring(0, 12), Style.FAINT),
          Grid.right(InfoCommand.bytes(model.bytes()), Style.PLAIN),
          Grid.left("used " + day, Style.FAINT),
          Grid.left(String.join(", ", model.tables()), Style.FAINT));
    }
    return grid;
  }

  private void prune(Session session, HubCache cache) throws IOException {
    Integer days = unused;
    if (days != null) {
      OutOfRange.atLeast("unused", days, 0);
    }
    for (String model : models) {
      if (cache.models().stream().noneMatch(kept -> kept.source().equals(model))) {
        throw new UseException(
            "%s is not in the cache; rowan cache list shows what is"
                .formatted(Visible.quoted(model)));
      }
    }
    Predicate<Cached> unwanted = model -> all || models.contains(model.source());
    if (days != null) {
      Instant limit = Instant.now().minus(Duration.ofDays(days));
      unwanted = unwanted.or(model -> model.lastUsed().isBefore(limit));
    }
    HubCache.Pruned pruned =
        cache.prune(
            unwanted,
            all ? HubCache.LeftOvers.ALL : HubCache.LeftOvers.OLD,
            dryRun ? HubCache.Mode.REHEARSE : HubCache.Mode.REMOVE);
    session.answer(
        json ->
            json.objects("removed", pruned.models(), CacheCommand::write)
                .number("files", pruned.files())
                .number("bytes", pruned.bytes())
                .truth("dryRun", dryRun),
        page -> {
          page.grid(grid(pruned.models()));
          page.line(
              "%s %s and %s, %s"
                  .formatted(
                      dryRun ? "would remove" : "removed",
                      count(pruned.models()),
                      Counted.of(pruned.files(), "file"),
                      InfoCommand.bytes(pruned.bytes())));
        });
  }
}

package dev.rowan.app.cli;

import dev.rowan.core.Counted;
import dev.rowan.core.Lexicon;
import dev.rowan.hub.Tables;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Fetches a model for later. */
@Command(
    name = "pull",
    description =
        "Fetch the table, tokens and config of a remote model into the cache, for use without a network. Weights that cannot be read in part are fetched whole, however large.",
    footerHeading = "%nExamples:%n",
    footer = {
      "  rowan pull hf:openai-community/gpt2",
      "  rowan --table output pull hf:owner/name     the output table too",
      "  rowan pull hf:owner/name@v1:model-q4.gguf   a tag, one of several files"
    })
final class PullCommand implements Verb {
  @Mixin HelpOption help = new HelpOption();

  @Parameters(
      arity = "0..1",
      paramLabel = "MODEL",
      description = "hf:owner/name[@revision][:file] or https://…; else what -m names.")
  @Nullable String model;

  @Override
  public void run(Session session) throws IOException {
    String named = model;
    if (named != null) {
      session.globals().nameModel("MODEL", named);
    }
    String spec = session.remoteSpec();
    Tables tables =
        session.globals().table == Globals.TableChoice.output
            ? Tables.INPUT_AND_OUTPUT
            : Tables.INPUT;
    try (Lexicon fetched = session.pull(tables)) {
      long rows = fetched.input().table().rows();
      long width = fetched.input().table().width();
      long bytes =
          fetched.input().table().bytes() + fetched.output().map(o -> o.table().bytes()).orElse(0L);
      session.answer(
          json ->
              json.text("model", spec)
                  .text("path", fetched.origin().path().toString())
                  .array(
                      "tables",
                      j -> {
                        j.element(fetched.input().tensor());
                        fetched.output().ifPresent(o -> j.element(o.tensor()));
                      })
                  .number("rows", rows)
                  .number("width", width)
                  .number("bytes", bytes),
          page ->
              page.line(
                  "%s is here: %s × %,d, %s"
                      .formatted(
                          Visible.token(spec),
                          Counted.of(rows, "row"),
                          width,
                          InfoCommand.bytes(bytes))));
    }
  }
}

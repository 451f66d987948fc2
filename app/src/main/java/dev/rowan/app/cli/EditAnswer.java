package dev.rowan.app.cli;

import dev.rowan.analysis.edit.Change;
import dev.rowan.analysis.edit.EditPlan;
import dev.rowan.analysis.edit.Edited;
import dev.rowan.analysis.edit.Verification.Check;
import dev.rowan.app.cli.Ink.Style;
import dev.rowan.core.Counted;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** What an edit changes, or would change, for people and for programs. */
final class EditAnswer {
  private final EditPlan plan;
  private final Path target;

  EditAnswer(EditPlan plan, Path target) {
    this.plan = plan;
    this.target = target;
  }

  /** Writes the object; without a result it is that of a dry run. */
  void write(Json json, Optional<Edited> done) {
    json.text("path", target.toString())
        .truth("dryRun", done.isEmpty())
        .object(
            "rows", j -> j.number("before", plan.rowsBefore()).number("after", plan.rowsAfter()))
        .number("width", (long) plan.width())
        .truth("tied", plan.tie().isTied())
        .number("bytes", plan.bytesToWrite())
        .objects(
            "added",
            plan.addedTokens().entrySet(),
            (j, token) -> j.text("token", token.getValue()).number("id", token.getKey()))
        .objects("changes", plan.changes(), EditAnswer::write)
        .array("leftOut", j -> plan.leftOut().forEach(j::element));
    if (done.isPresent()) {
      json.objects(
          "verification",
          done.get().verification().checks(),
          (j, check) -> j.text("claim", check.claim()).text("evidence", check.evidence()));
    } else {
      json.nothing("verification");
    }
    json.array("notes", j -> plan.notes().forEach(j::element));
  }

  private static void write(Json json, Change change) {
    json.text("file", change.file())
        .text("what", change.what())
        .text("before", change.before())
        .text("after", change.after());
  }

  /** Shows it on a page. */
  void show(Page page, Optional<Edited> done) {
    page.heading(
        done.isPresent()
            ? "%s: %s → %,d"
                .formatted(name(), Counted.of(plan.rowsBefore(), "row"), plan.rowsAfter())
            : "dry run, nothing written: %s → %,d"
                .formatted(Counted.of(plan.rowsBefore(), "row"), plan.rowsAfter()));
    String file = "";
    for (Change change : plan.changes()) {
      if (!change.file().equals(file)) {
        file = change.file();
        page.line("  " + page.paint(Style.TOKEN, Visible.message(file)));
      }
      page.line("    " + Visible.message(text(change)));
    }
    List<String> leftOut = plan.leftOut();
    if (!leftOut.isEmpty()) {
      page.note("left out: " + Visible.message(String.join(", ", leftOut)));
    }
    plan.notes().forEach(note -> page.note(Visible.message(note)));
    if (done.isEmpty()) {
      page.note(
          "it would write %,d bytes; leave --dry-run away to do so".formatted(plan.bytesToWrite()));
      return;
    }
    page.line("  verified before it got its name");
    for (Check check : done.get().verification().checks()) {
      page.line("    %s: %s".formatted(check.claim(), Visible.message(check.evidence())));
    }
  }

  private String name() {
    return Visible.message(target.toString());
  }

  private static String text(Change change) {
    if (change.before().isEmpty()) {
      return "%s: + %s".formatted(change.what(), change.after());
    }
    return change.after().isEmpty()
        ? "%s: taken away".formatted(change.what())
        : "%s: %s → %s".formatted(change.what(), change.before(), change.after());
  }
}

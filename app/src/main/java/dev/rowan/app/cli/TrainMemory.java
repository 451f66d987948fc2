package dev.rowan.app.cli;

import dev.rowan.core.Counted;
import dev.rowan.formats.file.FormatException;
import dev.rowan.train.Keepsakes;
import dev.rowan.train.TrainingHistory;
import dev.rowan.train.kernel.WindowKernels;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a checkpoint keeps of the command that made it, so that a training that goes on ends as one
 * that was not interrupted: what was typed, threads, time, the report and the scores.
 */
final class TrainMemory {
  /** What was typed and decides what is written, each by its name. */
  static final String COMMAND = "command.";

  /** The history of a report. */
  static final String REPORT = "report";

  private static final String SCORES = "scores";
  private static final String EPOCH_LOSS = "epoch-loss";
  private static final String SECONDS = "seconds";
  private static final String TESTS = "eval-prints"; // not shown, so none of the command's
  private static final String THREADS = "threads";
  private static final String KERNELS = "kernels";
  private static final String TEXTS = "texts";
  private static final String FORCE = "force";
  private static final String THEN = ", then ";

  private final Path checkpoint;
  private final Keepsakes before;
  private final Map<String, String> command;
  private final List<Path> tests; // those of a report
  private final List<String> prints;
  private final String threads;
  private final String texts;
  private final boolean force;
  private long began = System.nanoTime();

  private TrainMemory(Path checkpoint, Keepsakes before, TrainCommand typed, Session session)
      throws IOException {
    Map<String, String> command = command(typed, session);
    this.tests = typed.report == null ? List.of() : typed.tests;
    this.prints = FilePrint.of(tests);
    this.checkpoint = checkpoint;
    this.before = before;
    this.force = typed.existing.force || before.texts().containsKey(FORCE);
    this.command = command;
    this.texts = before.texts().getOrDefault(TEXTS, command.getOrDefault(TEXTS, ""));
    this.threads = String.valueOf(session.workers().threads());
    command.remove(TEXTS); // what is in them is compared, not what they are called
  }

  /**
   * Returns the memory of a training that begins, or what its checkpoint keeps.
   *
   * @param settings those that are typed
   * @throws UseException if the checkpoint was made by another command
   * @throws FormatException if the file is no checkpoint, or damaged
   */
  static TrainMemory of(
      TrainCommand typed, Session session, TrainTarget target, Map<String, String> settings)
      throws IOException {
    Path checkpoint = target.checkpoint();
    Keepsakes before = typed.resume ? Keepsakes.of(checkpoint) : Keepsakes.NONE;
    TrainMemory memory = new TrainMemory(checkpoint, before, typed, session);
    if (typed.resume) {
      memory.check(settings);
      if (memory.seconds() < 0 || Double.isInfinite(memory.seconds())) {
        throw new FormatException(checkpoint, "the seconds in it are no time");
      }
      if (!memory.force) { // what was allowed once need not be said again
        TrainChecks.resumed(typed, target);
      }
    }
    return memory;
  }

  /** Returns what decides what is written, beside the settings. */
  private static Map<String, String> command(TrainCommand typed, Session session) {
    Map<String, String> command = new LinkedHashMap<>(typed.text.notes(session));
    typed.beginning().forEach(command::put);
    if (typed.keepOutput) {
      command.put("keep-output", "");
    }
    if (typed.to != null) {
      command.put("to", typed.to);
    }
    if (typed.report != null) {
      command.put("report", "");
    }
    if (!typed.watch.isEmpty()) {
      command.put("watch", String.join(" ", typed.watch));
    }
    if (!typed.tests.isEmpty()) {
      command.put("eval", String.join(" ", typed.tests.stream().map(Path::toString).toList()));
    }
    return command;
  }

  private void check(Map<String, String> settings) {
    Map<String, String> then = TrainWords.ofSettings(before.settings());
    Map<String, String> now = TrainWords.ofSettings(settings);
    Map<String, String> kept = kept();
    if (!kept.isEmpty()) { // earlier checkpoints keep nothing but the settings
      Map<String, String> typed = new LinkedHashMap<>(command);
      if (!kept.containsKey("report")) { // one may begin on the way
        typed.remove("report");
      }
      if (!typed.containsKey("report")) { // what is only printed
        List<String> printed = List.of("watch", "eval");
        typed.keySet().removeAll(printed);
        kept.keySet().removeAll(printed);
      }
      then.putAll(options(kept));
      now.putAll(options(typed));
    }
    Optional<TrainWords.Difference> difference = TrainWords.difference(then, now);
    if (difference.isPresent()) {
      throw new UseException(
          "%s was made with %s; this command has %s. Type the first command again with --resume, or delete the file to begin anew"
              .formatted(checkpoint, difference.get().then(), difference.get().now()));
    }
    if (hasReport()) {
      checkTests();
    }
  }

  private void checkTests() {
    List<String> then =
        before.find(TESTS).map(text -> List.of(text.split(" ", -1))).orElse(List.of());
    for (int i = 0; i < Math.min(then.size(), tests.size()); i++) {
      String now = prints.get(i);
      boolean known = !now.equals(FilePrint.NONE) && !then.get(i).equals(FilePrint.NONE);
      if (known && !now.equals(then.get(i))) {
        throw new UseException(
            "--eval %s holds something else than when the training of %s began, so its scores could not be compared; give that file again, or delete the checkpoint to begin anew"
                .formatted(Visible.message(tests.get(i).toString()), checkpoint));
      }
    }
  }

  private Map<String, String> kept() {
    Map<String, String> kept = new LinkedHashMap<>();
    before
        .texts()
        .forEach((name, value) -> {
          if (name.startsWith(COMMAND)) {
            kept.put(name.substring(COMMAND.length()), value);
          }
        });
    return kept;
  }

  private static Map<String, String> options(Map<String, String> command) {
    Map<String, String> options = new LinkedHashMap<>();
    command.forEach((name, value) -> {
      switch (name) {
        case "letters" -> {
          if (value.equals("lowered")) {
            options.put("--lower", "");
          }
        }
        case "bad-utf8" -> {
          if (!value.equals(CorpusOptions.BadUtf8.replace.name())) {
            options.put("--bad-utf8", value);
          }
        }
        default -> options.put("--" + name, value);
      }
    });
    return options;
  }

  /** Returns whether the report that is wanted began with the training. */
  private boolean hasReport() {
    return before.texts().containsKey(COMMAND + "report");
  }

  /** Returns what the report has seen so far. */
  TrainingHistory history() {
    return before
        .find(REPORT)
        .filter(_ -> hasReport())
        .map(text -> TrainingHistory.of(text, checkpoint))
        .orElse(TrainingHistory.NONE);
  }

  /** Returns the scores so far. */
  List<TrainScore> scores() {
    return before
        .find(SCORES)
        .filter(_ -> hasReport())
        .map(text -> TrainScore.of(text, checkpoint))
        .orElse(List.of());
  }

  /** Returns the mean loss of the last epoch that ended. */
  double epochLoss() {
    return number(EPOCH_LOSS);
  }

  private double number(String name) {
    String text = before.texts().get(name);
    try {
      return text == null ? Double.NaN : Double.parseDouble(text);
    } catch (NumberFormatException _) {
      throw new FormatException(
          checkpoint,
          "\"%s\" in it is %s, which is no number".formatted(name, Visible.quoted(text)));
    }
  }

  /** Returns whether files that are there are replaced: this command or an earlier one said so. */
  boolean mayReplace() {
    return force;
  }

  /** Returns whether this is the first part of the training. */
  boolean isFirst() {
    return before.equals(Keepsakes.NONE);
  }

  /** Starts the clock of this part of the training. */
  void begin() {
    began = System.nanoTime();
  }

  /** Returns whether the time of all parts of the training is known. */
  boolean isTimed() {
    return before.equals(Keepsakes.NONE) || !Double.isNaN(number(SECONDS));
  }

  /** Returns the seconds of all parts of the training that are known. */
  double seconds() {
    double here = (System.nanoTime() - began) / 1e9;
    double earlier = number(SECONDS);
    return Double.isNaN(earlier) ? here : earlier + here;
  }

  /**
   * Returns what the user should know of going on.
   *
   * @param words how many were learned from before
   * @param threadsMatter whether the bytes depend on their number
   */
  List<String> remarks(long words, boolean threadsMatter) {
    List<String> remarks = new ArrayList<>();
    if (before.equals(Keepsakes.NONE)) {
      return remarks;
    }
    remarks.add("going on after " + Counted.of(words, "word"));
    String then = before.texts().get(THREADS);
    String last = then == null ? threads : then.substring(then.lastIndexOf(' ') + 1);
    if (threadsMatter && !last.equals(threads)) {
      remarks.add(
          "this training ran with --threads %s and goes on with %s, so its rows will differ a little from those of one that was not interrupted"
              .formatted(Visible.message(last), threads));
    }
    String kernels = before.texts().get(KERNELS);
    if (kernels != null && !kernels.equals(WindowKernels.best().name())) {
      remarks.add(
          "this training ran with %s kernels and goes on with %s ones, so its rows will differ a little from those of one that was not interrupted"
              .formatted(Visible.message(kernels), WindowKernels.best().name()));
    }
    if (command.containsKey("report") && !hasReport()) {
      remarks.add("the checkpoint keeps no report, so that of this training begins here");
    }
    if (!isTimed()) {
      remarks.add("the checkpoint keeps no time, so seconds are counted from here");
    }
    return remarks;
  }

  /** Returns what else the result depends on and the first command said: texts and threads. */
  Map<String, String> notes() {
    return Map.of(TEXTS, texts, THREADS, threads());
  }

  /** Returns the threads of all parts of the training. */
  private String threads() {
    String then = before.texts().get(THREADS);
    boolean same = then == null || then.equals(threads) || then.endsWith(THEN + threads);
    return then == null ? threads : same ? then : then + THEN + threads;
  }

  /** Returns what is kept by now. */
  Map<String, String> keepsakes(TrainSeen seen) {
    Map<String, String> kept = new LinkedHashMap<>();
    command.forEach((name, value) -> kept.put(COMMAND + name, value));
    kept.putAll(notes());
    kept.put(KERNELS, WindowKernels.best().name());
    if (force) {
      kept.put(FORCE, "");
    }
    kept.put(EPOCH_LOSS, String.valueOf(seen.progress().epochLoss()));
    if (isTimed()) {
      kept.put(SECONDS, String.valueOf(seconds()));
    }
    if (command.containsKey("report")) {
      kept.put(REPORT, seen.story().history().asText());
      if (!tests.isEmpty()) {
        kept.put(TESTS, String.join(" ", prints));
      }
      kept.put(SCORES, TrainScore.asText(seen.scoring().scores()));
    }
    return kept;
  }
}

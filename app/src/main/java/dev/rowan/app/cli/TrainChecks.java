package dev.rowan.app.cli;

import dev.rowan.core.OutOfRange;
import dev.rowan.formats.file.NewFile;
import dev.rowan.train.glove.GloveSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** What is checked of {@code train}'s options before any text is read. */
final class TrainChecks {
  /** Options that say nothing to objectives that learn from something else than windows. */
  private static final List<String> OF_WINDOWS =
      List.of(
          "--context",
          "--loss",
          "--negatives",
          "--per-pair",
          "--power",
          "--subsample",
          "--sentence-words",
          "--blocks",
          "--subwords",
          "--buckets",
          "--from",
          "--freeze");

  private TrainChecks() {}

  /**
   * Returns where the table goes.
   *
   * @throws UseException if options do not go together, or files stand in the way
   */
  static TrainTarget target(TrainCommand typed, Session session) throws IOException {
    boolean next = typed.options.goal == TrainOptions.Goal.next;
    boolean glove = typed.options.goal == TrainOptions.Goal.glove;
    model(typed, session.globals());
    together(typed, session, next, glove);
    if (glove) {
      GloveSettings _ = typed.gloveOptions.settings(typed.options); // wrong ones are told at once
    }
    TrainTarget target =
        TrainTarget.of(
            Path.of(typed.out),
            typed.to,
            next || glove ? Optional.empty() : Optional.of(typed.options.settings()));
    if (next && target.form() != TrainTarget.Form.SAFETENSORS) {
      throw new UseException(
          "--objective next writes safetensors; end OUT in .safetensors, and convert that");
    }
    checkpoint(typed, target);
    List<Path> outputs = new ArrayList<>(besides(typed));
    outputs.add(target.path());
    outputs.add(target.checkpoint());
    ForceOption.checkApart(outputs, inputs(typed, session));
    if (!typed.resume) {
      target.check(typed.existing);
      besides(typed).forEach(typed.existing::check);
    }
    for (Path output : outputs) { // not known only once all is learned
      NewFile.checkPlace(output);
    }
    return target;
  }

  /**
   * Checks what a training that goes on is still to write: the first part wrote the vocabulary.
   *
   * @throws UseException if a file stands in the way that came since
   */
  static void resumed(TrainCommand typed, TrainTarget target) throws IOException {
    target.check(typed.existing);
    reports(typed).forEach(typed.existing::check);
  }

  /** Checks what means a model elsewhere, and what can be read once. */
  private static void model(TrainCommand typed, Globals globals) {
    if (globals.model != null) {
      throw new UseException(
          "-m says nothing to train: --from MODEL is what begins with a table; leave -m away");
    }
    if (globals.table != null) {
      throw new UseException(
          "--table says nothing to train: --from MODEL begins with both tables; leave --table away");
    }
    if (globals.tensor != null && typed.from == null) {
      throw new UseException(
          "--tensor goes with --from MODEL only, of which it is the table; leave it away");
    }
    if (typed.text.texts.stream().filter("-"::equals).count() > 1) {
      throw new UseException("- is given twice: stdin can be read once");
    }
  }

  private static void together(TrainCommand typed, Session session, boolean next, boolean glove) {
    CommandSpec spec = typed.spec;
    if (spec != null) {
      ParseResult parsed = spec.commandLine().getParseResult();
      refuse(
          parsed,
          next || glove ? OF_WINDOWS : List.of(),
          "goes with --objective skipgram and cbow only");
      refuse(
          parsed, next ? NextTokenOptions.OTHERS : List.of(), "does not go with --objective next");
      refuse(parsed, next ? List.of() : NextTokenOptions.OWN, "goes with --objective next only");
      refuse(parsed, glove ? List.of() : GloveOptions.OWN, "goes with --objective glove only");
      TrainOptions learned = typed.options;
      refuse(
          parsed,
          learned.goal == TrainOptions.Goal.cbow ? List.of() : List.of("--context"),
          "goes with --objective cbow only");
      refuse(
          parsed,
          learned.loss == TrainOptions.Loss.negative
              ? List.of()
              : List.of("--negatives", "--per-pair", "--power", "--blocks"),
          "goes with --loss negative only");
      refuse(
          parsed,
          learned.goal == TrainOptions.Goal.cbow ? List.of("--blocks") : List.of(),
          "goes with --objective skipgram only");
      if (learned.subwords == null) {
        refuse(parsed, List.of("--buckets"), "goes with --subwords only");
      } else {
        refuse(parsed, List.of("--blocks", "--from", "--freeze"), "does not go with --subwords");
        if (learned.context == TrainOptions.Context.sum) {
          throw new UseException(
              "--context sum does not go with --subwords, where all parts of all words have one mean");
        }
      }
      if (session.globals().tokenizer != null) {
        refuse(
            parsed,
            List.of("--min-count", "--max-vocab", "--lower", "--read-vocab"),
            "does not go with --tokenizer, each of whose tokens gets a row");
      }
      if (typed.text.readVocabulary != null) {
        refuse(
            parsed,
            List.of("--min-count", "--max-vocab"),
            "does not go with --read-vocab, each of whose words gets a row");
      }
    }
    if (glove) {
      typed.gloveOptions.checkOutput(typed.keepOutput);
    } else if (typed.keepOutput && typed.options.loss == TrainOptions.Loss.hierarchical) {
      throw new UseException(
          "--keep-output: the output rows of --loss hierarchical belong to no word; leave one away");
    }
  }

  private static void refuse(ParseResult typed, List<String> names, String why) {
    for (String name : names) {
      if (typed.hasMatchedOption(name)) {
        throw new UseException(name + " " + why + "; see rowan train --help");
      }
    }
  }

  private static void checkpoint(TrainCommand typed, TrainTarget target)
      throws NoSuchFileException {
    double minutes = typed.checkpointMinutes;
    OutOfRange.check(
        minutes >= 0 && minutes <= 1e6, "checkpoint minutes", minutes, "0 to 1,000,000");
    boolean there = Files.exists(target.checkpoint());
    if (typed.resume && !there) {
      throw new NoSuchFileException(
          target.checkpoint().toString(), null, "there is no checkpoint to go on from");
    }
    if (!typed.resume && there) {
      throw new UseException(
          "%s is left of an interrupted training: --resume goes on from it; delete it to begin anew"
              .formatted(target.checkpoint()));
    }
  }

  /** Returns the files to be written beside the table. */
  private static List<Path> besides(TrainCommand typed) {
    List<Path> files = new ArrayList<>(reports(typed));
    Path vocabulary = typed.text.saveVocabulary;
    if (vocabulary != null) {
      files.add(vocabulary);
    }
    return files;
  }

  private static List<Path> reports(TrainCommand typed) {
    Path story = typed.report;
    if (story == null) {
      return List.of();
    }
    TrainReportFile.Names names = TrainReportFile.names(story);
    return List.of(names.json(), names.page());
  }

  /** Returns the files and folders to be read. */
  private static List<Path> inputs(TrainCommand typed, Session session) {
    List<String> texts = typed.text.texts.stream().filter(name -> !name.equals("-")).toList();
    return ForceOption.inputs(
        texts,
        typed.text.readVocabulary,
        typed.from,
        typed.freeze,
        typed.tests,
        session.globals().tokenizer);
  }
}

package dev.rowan.app.cli;

import dev.rowan.core.Counted;
import dev.rowan.train.CheckpointPlan;
import dev.rowan.train.TableTrainer;
import dev.rowan.train.TrainedTable;
import dev.rowan.train.TrainedTable.OutputRows;
import dev.rowan.train.Trainer;
import dev.rowan.train.TrainingListener;
import dev.rowan.train.TrainingReport;
import dev.rowan.train.TrainingSettings;
import dev.rowan.train.corpus.Corpus;
import dev.rowan.train.corpus.EncodedCorpus;
import dev.rowan.train.glove.GloveTrainer;
import dev.rowan.train.kernel.WindowKernels;
import dev.rowan.train.lm.LanguageSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Learns a table from text. */
@Command(
    name = "train",
    sortOptions = false,
    description = {
      "Learn a table of word rows from text, by skip-gram, CBOW or GloVe, or by predicting the next"
          + " word.",
      "A line feed ends a sentence; words are what stands between white space, or the tokens of"
          + " --tokenizer FILE. The format of OUT follows from its ending: one .safetensors file,"
          + " which holds the words too, or what convert writes. Ctrl-C saves a checkpoint; a second"
          + " one does not wait for that."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  rowan train corpus.txt -o vectors.safetensors",
      "  rowan train articles/ -o vectors.vec --objective cbow -d 300 --epochs 3",
      "  zcat dump.gz | rowan train - -o v.safetensors --lower --watch cat dog",
      "  rowan train corpus.jsonl.zst --field text -o v.vec --objective glove --phrases",
      "  rowan train corpus.txt -o model.safetensors --objective next --hidden 128",
      "  rowan train corpus.txt -o vectors.safetensors --resume"
    })
final class TrainCommand implements Verb {
  @Mixin HelpOption help = new HelpOption();

  @Mixin CorpusOptions text = new CorpusOptions();

  @Option(
      names = {"-o", "--out"},
      paramLabel = "OUT",
      required = true,
      description = "The file or folder to write.")
  String out = "";

  @Option(
      names = "--to",
      paramLabel = "FORMAT",
      description = "A format of convert, or fasttext, where the ending of OUT names none.")
  @Nullable String to;

  @Mixin TrainOptions options = new TrainOptions();

  @Mixin GloveOptions gloveOptions = new GloveOptions();

  @Mixin NextTokenOptions nextToken = new NextTokenOptions();

  @Option(
      names = "--keep-output",
      description =
          "Write the output rows too, as lm_head.weight, and those of n-grams: to go on from"
              + " later, or for convert --to fasttext.")
  boolean keepOutput;

  @Option(
      names = "--from",
      paramLabel = "MODEL",
      description = "Begin with the rows of this table where it has the words, as -m takes it.")
  @Nullable String from;

  @Option(
      names = "--freeze",
      paramLabel = "FILE",
      description = "Words, one a line, whose rows do not move.")
  @Nullable Path freeze;

  @Option(
      names = "--watch",
      paramLabel = "WORD",
      arity = "1..*",
      description = "Print the neighbours of these words as training goes.")
  List<String> watch = List.of();

  @Option(
      names = "--eval",
      paramLabel = "FILE",
      arity = "1..*",
      description = "Score word pairs or analogies at every fourth of the training, as eval does.")
  List<Path> tests = List.of();

  @Option(
      names = "--report",
      paramLabel = "FILE",
      description =
          "Write how training went as JSON, and as a page beside it: loss, how far rows moved,"
              + " the mean cosine, neighbours.")
  @Nullable Path report;

  @Option(
      names = "--checkpoint-minutes",
      paramLabel = "N",
      description = "Save a checkpoint beside OUT so often; 0 for none (${DEFAULT-VALUE}).")
  double checkpointMinutes = 10;

  @Option(
      names = "--resume",
      description =
          "Go on from the checkpoint beside OUT, with the same command as before; the bytes depend on"
              + " its --threads too, which a checkpoint does not keep.")
  boolean resume;

  @Mixin ForceOption existing = new ForceOption();

  @Spec @Nullable CommandSpec spec;

  @Override
  public void run(Session session) throws IOException {
    TrainTarget target = TrainChecks.target(this, session);
    if (options.goal == TrainOptions.Goal.next) {
      predictNext(session, target);
      return;
    }
    Corpus corpus = text.corpus(session);
    try (TrainProgress progress = session.trainProgress()) {
      learn(session, target, corpus, progress);
    }
  }

  private void learn(Session session, TrainTarget target, Corpus corpus, TrainProgress progress)
      throws IOException {
    TrainEval scoring = TrainEval.of(tests, session.workers(), progress::say);
    try (StartOptions start = StartOptions.open(session, from, freeze);
        EncodedCorpus encoded = EncodedCorpus.read(corpus, session.workers(), progress::read)) {
      encoded.notes().forEach(progress::say);
      if (resume) {
        progress.say(
            "going on with --threads %d, which the checkpoint does not keep; other bytes may come of another number than before"
                .formatted(session.workers().threads()));
      }
      Path vocabulary = text.saveVocabulary;
      if (vocabulary != null) {
        encoded.vocabulary().save(vocabulary);
      }
      TrainWatch watching = new TrainWatch(watch, session.workers(), progress::say);
      watching.check(encoded.vocabulary().vocabulary());
      TrainingReport story = new TrainingReport(watch, session.workers());
      TrainingListener listener = progress.and(watching).and(scoring);
      long began = System.nanoTime();
      try (TableTrainer trainer = TrainerChoice.of(this, session, encoded, target, start.start())) {
        if (trainer instanceof GloveTrainer pairs) {
          progress.say(
              Counted.of(
                  pairs.pairs(),
                  "pair of words comes near each other",
                  "pairs of words come near each other"));
        }
        long wordsBefore = trainer.wordsDone();
        train(trainer, progress, report == null ? listener : listener.and(story), target);
        double seconds = (System.nanoTime() - began) / 1e9;
        long words = trainer.wordsDone() - wordsBefore;
        finish(session, trainer, target, progress, words, seconds);
        Path wanted = report;
        if (wanted != null) {
          Path page =
              new TrainReportFile(story, trainer.settingsAsText(), scoring.scores()).write(wanted);
          progress.say("how training went: " + wanted + ", " + page);
        }
      }
    }
  }

  private void predictNext(Session session, TrainTarget target) throws IOException {
    if (target.form() != TrainTarget.Form.SAFETENSORS) {
      throw new UseException(
          "--objective next writes safetensors; end OUT in .safetensors, and convert that");
    }
    LanguageSettings settings =
        nextToken.settings(
            options.width,
            TrainOptions.or(options.epochs, TrainingSettings.DEFAULT.epochs()),
            options.rate,
            options.seed);
    try (TrainProgress progress = session.trainProgress();
        EncodedCorpus encoded =
            EncodedCorpus.read(text.corpus(session), session.workers(), progress::read)) {
      encoded.notes().forEach(progress::say);
      Path vocabulary = text.saveVocabulary;
      if (vocabulary != null) {
        encoded.vocabulary().save(vocabulary);
      }
      new NextTokenTraining(target.path(), target.checkpoint(), plan(target))
          .run(session, encoded, settings, resume, progress, notes(session));
    }
  }

  private Optional<CheckpointPlan> plan(TrainTarget target) {
    return checkpointMinutes == 0
        ? Optional.empty()
        : Optional.of(
            new CheckpointPlan(
                target.checkpoint(), Duration.ofMillis((long) (checkpointMinutes * 60_000))));
  }

  private void train(
      TableTrainer trainer, TrainProgress progress, TrainingListener listener, TrainTarget target)
      throws IOException {
    Optional<CheckpointPlan> plan = plan(target);
    try (Interrupts _ =
        Interrupts.asking(() -> {
          progress.say("stopping; once more stops at once");
          trainer.stop();
        })) {
      if (trainer.run(listener, plan) == Trainer.Ending.STOPPED) {
        progress.say(
            plan.isPresent()
                ? "go on with the same command and --resume"
                : "nothing was saved, since --checkpoint-minutes is 0");
        throw new CancellationException("training was stopped");
      }
    }
  }

  private void finish(
      Session session,
      TableTrainer trainer,
      TrainTarget target,
      TrainProgress progress,
      long words,
      double seconds)
      throws IOException {
    TrainedTable table = trainer.finish();
    List<String> notes =
        target.write(
            table, keepOutput ? OutputRows.KEPT : OutputRows.DROPPED, notes(session), session);
    Files.deleteIfExists(target.checkpoint());
    long rows = table.rows().rows();
    session.answer(
        json ->
            json.text("path", target.path().toString())
                .text("format", target.format())
                .number("rows", rows)
                .number("width", (long) table.rows().width())
                .number("words", words)
                .number("seconds", seconds)
                .number("wordsPerSecond", words / seconds)
                .number("loss", progress.epochLoss())
                .object("settings", j -> table.settings().forEach(j::setting))
                .array("notes", j -> notes.forEach(j::element)),
        page -> {
          page.line(
              String.format(
                  Locale.ROOT,
                  "%s: %s × %,d, from %s in %.1f s (%s words/s), loss %s",
                  Visible.message(target.path().toString()),
                  Counted.of(rows, "row"),
                  table.rows().width(),
                  Counted.of(words, "word"),
                  seconds,
                  TrainProgress.speed(words / seconds),
                  Double.isNaN(progress.epochLoss())
                      ? "not measured: too little text to learn from"
                      : String.format(Locale.ROOT, "%.4f", progress.epochLoss())));
          notes.forEach(page::note);
        });
  }

  /** What the settings do not say but the result depends on. */
  private Map<String, String> notes(Session session) {
    Map<String, String> notes = text.notes(session);
    String origin = from;
    if (origin != null) {
      notes.put("from", origin);
    }
    Path still = freeze;
    if (still != null) {
      notes.put("freeze", still.toString());
    }
    notes.put("threads", String.valueOf(session.workers().threads()));
    notes.put("kernels", WindowKernels.best().name());
    notes.put("program", Version.text());
    return notes;
  }
}

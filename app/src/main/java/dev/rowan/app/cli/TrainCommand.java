package dev.rowan.app.cli;

import dev.rowan.formats.file.NewFiles;
import dev.rowan.train.corpus.Corpus;
import dev.rowan.train.corpus.EncodedCorpus;
import dev.rowan.train.kernel.WindowKernels;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
          "Write how training went to FILE.json, and as a page to FILE.html, whether FILE has one of"
              + " these endings or none: loss, how far rows moved, the mean cosine, neighbours.")
  @Nullable Path report;

  @Option(
      names = "--checkpoint-minutes",
      paramLabel = "N",
      description = "Save a checkpoint beside OUT so often; 0 for none (${DEFAULT-VALUE}).")
  double checkpointMinutes = 10;

  @Option(
      names = "--resume",
      description =
          "Go on from the checkpoint beside OUT, with the same command as before; with one thread to"
              + " the same bytes, report and scores as without the interruption.")
  boolean resume;

  @Mixin ForceOption existing = new ForceOption();

  @Spec @Nullable CommandSpec spec;

  @Override
  public void run(Session session) throws IOException {
    TrainTarget target = TrainChecks.target(this, session);
    TrainMemory memory = TrainMemory.of(this, session, target, settingsAsText(target));
    Corpus corpus = text.corpus(session);
    try (TrainProgress progress = session.trainProgress();
        StartOptions start = StartOptions.open(session, this);
        SavedTraining saved = SavedTraining.of(this, target, start.start())) {
      TrainSeen seen = TrainSeen.of(this, session, memory, progress);
      TrainDelivery delivery = TrainDelivery.of(target, memory, seen);
      try (EncodedCorpus encoded = EncodedCorpus.read(corpus, session.workers(), progress::read)) {
        encoded.notes().forEach(progress::say);
        if (!resume) { // else it was told at the beginning
          start.notes(this, encoded.vocabulary().vocabulary()).forEach(progress::say);
        }
        Path vocabulary = text.saveVocabulary;
        if (vocabulary != null) {
          saveVocabulary(encoded, vocabulary, memory, progress);
        }
        seen.check(encoded.vocabulary().vocabulary());
        if (options.goal == TrainOptions.Goal.next) {
          new NextTokenTraining(this, session, memory, delivery).run(encoded, saved);
        } else {
          new TableTraining(this, session, memory, delivery).run(encoded, start.start(), saved);
        }
      }
    }
  }

  private void saveVocabulary(
      EncodedCorpus encoded, Path file, TrainMemory memory, TrainProgress progress)
      throws IOException {
    if (memory.mayReplace()) {
      encoded.vocabulary().save(file);
    } else if (resume && Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
      progress.say(file + " is there already and stays as it is");
    } else {
      try (NewFiles files = new NewFiles()) {
        files.add(file, encoded.vocabulary()::save);
        files.publish(() -> {});
      }
    }
  }

  private Map<String, String> settingsAsText(TrainTarget target) {
    return switch (options.goal) {
      case skipgram, cbow -> target.settings().orElseThrow().asText();
      case glove -> gloveOptions.settings(options).asText();
      case next -> nextToken.settings(options).asText();
    };
  }

  /** Returns how often checkpoints are saved, if they are. */
  Optional<Duration> betweenCheckpoints() {
    return checkpointMinutes == 0
        ? Optional.empty()
        : Optional.of(Duration.ofNanos(Math.max(1, Math.round(checkpointMinutes * 60e9))));
  }

  /** Returns what the training begins with, by name. */
  Map<String, String> beginning() {
    Map<String, String> beginning = new LinkedHashMap<>();
    String origin = from;
    if (origin != null) {
      beginning.put("from", origin);
    }
    Path still = freeze;
    if (still != null) {
      beginning.put("freeze", still.toString());
    }
    return beginning;
  }

  /** Returns what the settings do not say but the result depends on. */
  Map<String, String> notes(Session session, TrainMemory memory) {
    Map<String, String> notes = text.notes(session);
    notes.putAll(beginning());
    notes.putAll(memory.notes());
    notes.put("kernels", WindowKernels.best().name());
    notes.put("program", Version.text());
    return notes;
  }
}

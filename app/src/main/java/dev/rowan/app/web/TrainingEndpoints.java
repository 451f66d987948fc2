package dev.rowan.app.web;

import dev.rowan.app.web.TrainingGlance.Glance;
import dev.rowan.app.web.TrainingRun.Moment;
import dev.rowan.train.Objective;
import dev.rowan.train.Objective.Combine;
import dev.rowan.train.TrainingEvent;
import dev.rowan.train.TrainingReport.LossPoint;
import dev.rowan.train.TrainingSettings;
import dev.rowan.train.corpus.Corpus.Letters;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Training: one run at a time, watched live, stopped and resumed. */
final class TrainingEndpoints {
  private static final int MOST_PASTED = 200_000; // characters
  private static final int MOST_WATCHED = 8;
  private static final int MOST_LOSSES = 300; // points of the curve

  private final ServedModels models;
  private final TrainingRoom room;

  TrainingEndpoints(ServedModels models, TrainingRoom room) {
    this.models = models;
    this.room = room;
  }

  /**
   * What can be trained, and what runs.
   *
   * @param texts the texts that may be named
   * @param kept whether results stay when the server ends
   * @param mostPasted the characters of a text that is sent instead
   * @param run the latest run
   */
  record Training(List<String> texts, boolean kept, int mostPasted, Optional<Standing> run) {}

  /** A setting, as the command line calls it. */
  record Setting(String name, String value) {}

  /**
   * A point of the loss curve.
   *
   * @param words learned from by then
   * @param loss in nats a prediction, from a sample of the windows
   */
  record Loss(long words, double loss) {}

  /**
   * How a run stands.
   *
   * @param state reading, training, stopping, stopped, finished or failed
   * @param message why it failed
   * @param bytes of the text that were read
   * @param rows words that have a row; 0 until the text was read
   * @param words learned from so far, over all epochs
   * @param resumable whether it can go on from a checkpoint
   * @param file what its table is called; null until it is on disk
   * @param model what to name it in questions, when it is on disk
   */
  record Standing(
      long run,
      String title,
      String state,
      Optional<String> message,
      List<Setting> settings,
      List<String> notes,
      long bytes,
      long rows,
      int epoch,
      int epochs,
      long words,
      long totalWords,
      double rate,
      double loss,
      double wordsPerSecond,
      double secondsLeft,
      List<Loss> curve,
      boolean resumable,
      Optional<String> file,
      Optional<String> model) {}

  List<Endpoint> all() {
    Parameter run = Parameter.whole("run", 0, 0, Long.MAX_VALUE, "The number of a run.");
    return List.of(
        Endpoint.json(
            Api.ROOT + "training",
            "What can be trained, and how the latest run stands.",
            Training.class,
            _ -> training()),
        Endpoint.change(
            Api.ROOT + "training/start",
            "Starts a training; one runs at a time, whether somebody watches or not.",
            Standing.class,
            this::start,
            Parameter.text("corpus", 1000, "A name out of /api/v1/training.").optional(),
            Parameter.text("text", MOST_PASTED, "A text instead; a line is a sentence.").optional(),
            Parameter.choice("objective", List.of("skipgram", "cbow"), "What is learned."),
            Parameter.whole("width", 100, 1, 1000, "Numbers in a row."),
            Parameter.whole("window", 5, 1, 100, "The most words on either side."),
            Parameter.whole("epochs", 5, 1, 1000, "How often the text is gone through."),
            Parameter.whole("minCount", 5, 1, 1_000_000, "Rarer words get no row."),
            Parameter.whole("seed", 1, 0, Long.MAX_VALUE, "Where randomness begins."),
            Parameter.truth("lower", "Lower-case the text."),
            Parameter.texts("watch", MOST_WATCHED, 100, "Words whose neighbours are shown.")
                .optional()),
        Endpoint.change(
            Api.ROOT + "training/stop",
            "Stops the running training, with a checkpoint if it had begun to learn.",
            Standing.class,
            this::stop),
        Endpoint.change(
            Api.ROOT + "training/resume",
            "Goes on with the training that was stopped.",
            Standing.class,
            _ -> standing(room.resume())),
        Endpoint.of(
            Api.ROOT + "training/events",
            "How a run goes on, until it is over. Events: progress, look (neighbours and a map; the"
                + " schema Glance), failed, done.",
            List.of(run),
            Endpoint.EVENTS,
            Optional.of(Standing.class),
            this::events),
        Endpoint.json(
            Api.ROOT + "training/look",
            "The rows of a run when they last stood still: neighbours of the watched words, a map.",
            Glance.class,
            this::look,
            run),
        Endpoint.of(
            Api.ROOT + "training/file",
            "The table of a finished run, as a safetensors file.",
            List.of(run),
            Endpoint.BINARY,
            Optional.empty(),
            this::file));
  }

  private Training training() throws IOException {
    TrainingPlaces places = room.places();
    Optional<TrainingRun> latest = room.latest();
    return new Training(
        List.copyOf(places.texts().keySet()),
        places.save().isPresent(),
        MOST_PASTED,
        latest.isPresent() ? Optional.of(standing(latest.get())) : Optional.empty());
  }

  private Standing start(Question question) throws IOException {
    Optional<String> name = question.optionalText("corpus");
    Optional<String> pasted = question.optionalText("text").filter(text -> !text.isBlank());
    if (name.isPresent() == pasted.isPresent()) {
      throw new Refusal(400, "give a corpus or a text, and not both");
    }
    Objective objective =
        question.choice("objective").equals("cbow")
            ? new Objective.Cbow(Combine.MEAN)
            : new Objective.SkipGram();
    TrainingSettings settings =
        TrainingSettings.DEFAULT
            .withObjective(objective)
            .withRate(objective.usualRate())
            .withWidth((int) question.whole("width"))
            .withWindow((int) question.whole("window"))
            .withEpochs((int) question.whole("epochs"))
            .withSeed(question.whole("seed"));
    Optional<Path> file =
        name.isPresent() ? Optional.of(room.places().text(name.get())) : Optional.empty();
    return standing(
        room.start(
            new TrainingPlan(
                name.orElse("pasted text"),
                file,
                pasted.orElse("").getBytes(StandardCharsets.UTF_8),
                question.whole("minCount"),
                question.truth("lower") ? Letters.LOWERED : Letters.KEPT,
                question.texts("watch"),
                settings)));
  }

  private Standing stop(Question question) throws IOException {
    TrainingRun run = room.latest().orElseThrow(() -> new Refusal(409, "no training was started"));
    run.stop();
    return standing(run);
  }

  private Answer events(Question question) {
    TrainingRun run = room.run(question.whole("run"));
    return new Answer.Live(listener -> {
      Optional<Glance> shown = Optional.empty();
      Moment now = run.now();
      while (true) {
        if (!now.glance().equals(shown)) {
          shown = now.glance();
          shown.ifPresent(glance -> listener.event("look", glance));
        }
        listener.event("progress", standing(run, now));
        if (now.state().isOver()) {
          return;
        }
        now = run.after(now.version());
      }
    });
  }

  private Glance look(Question question) {
    return room.run(question.whole("run"))
        .now()
        .glance()
        .orElseThrow(() -> new Refusal(404, "the rows have not stood still yet; ask again"));
  }

  private Answer file(Question question) {
    TrainingRun run = room.run(question.whole("run"));
    if (run.now().state() != TrainingState.FINISHED) {
      throw new Refusal(409, "the run has not finished; its table is not written yet");
    }
    return new Answer.Download(run.file(), String.valueOf(run.file().getFileName()));
  }

  private Standing standing(TrainingRun run) throws IOException {
    return standing(run, run.now());
  }

  private Standing standing(TrainingRun run, Moment now) {
    List<Setting> settings = new ArrayList<>();
    run.plan().settings().asText().forEach((n, value) -> settings.add(new Setting(n, value)));
    settings.add(new Setting("min-count", String.valueOf(run.plan().minCount())));
    settings.add(new Setting("letters", run.plan().letters().name().toLowerCase(Locale.ROOT)));
    Optional<TrainingEvent.Progress> p = now.progress();
    List<Loss> curve = curve(now.losses());
    boolean finished = now.state() == TrainingState.FINISHED;
    String file = String.valueOf(run.file().getFileName());
    return new Standing(
        run.number(),
        run.plan().title(),
        now.state().name().toLowerCase(Locale.ROOT),
        now.trouble(),
        settings,
        notes(run, now),
        now.text().bytes(),
        now.text().rows(),
        p.map(TrainingEvent.Progress::epoch).orElse(0),
        run.plan().settings().epochs(),
        p.map(TrainingEvent.Progress::words).orElse(0L),
        p.map(TrainingEvent.Progress::totalWords).orElse(0L),
        p.map(TrainingEvent.Progress::rate).orElse(Double.NaN),
        loss(p, curve),
        p.map(TrainingEvent.Progress::wordsPerSecond).orElse(Double.NaN),
        p.map(progress -> progress.left().toMillis() / 1000.0).orElse(Double.NaN),
        curve,
        (now.state() == TrainingState.STOPPED || now.state() == TrainingState.FAILED)
            && run.checkpoint().isThere(),
        finished ? Optional.of(file) : Optional.empty(),
        finished ? Optional.of(models.trained(file, run.file())) : Optional.empty());
  }

  private static List<String> notes(TrainingRun run, TrainingRun.Moment now) {
    List<String> notes = new ArrayList<>(now.text().notes());
    Path wanted = run.checkpoint().wanted();
    Path saved = run.checkpoint().path();
    if (!saved.equals(wanted)) {
      notes.add(
          "%s came from elsewhere and is left as it is; this training is saved in %s"
              .formatted(wanted.getFileName(), saved.getFileName()));
    }
    return notes;
  }

  /** Returns the loss of late, of whatever is known. */
  private static double loss(Optional<TrainingEvent.Progress> told, List<Loss> curve) {
    double late = told.map(TrainingEvent.Progress::loss).orElse(Double.NaN);
    return Double.isNaN(late) && !curve.isEmpty() ? curve.getLast().loss() : late;
  }

  /** Returns the curve, neighbouring points averaged where there are too many. */
  static List<Loss> curve(List<LossPoint> losses) {
    int stride = Math.max(1, Math.ceilDiv(losses.size(), MOST_LOSSES));
    List<Loss> curve = new ArrayList<>();
    for (int from = 0; from < losses.size(); from += stride) {
      List<LossPoint> part = losses.subList(from, Math.min(losses.size(), from + stride));
      curve.add(
          new Loss(
              part.getLast().words(),
              part.stream().mapToDouble(LossPoint::loss).average().orElse(Double.NaN)));
    }
    return curve;
  }
}

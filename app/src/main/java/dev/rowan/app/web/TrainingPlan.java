package dev.rowan.app.web;

import dev.rowan.train.TrainingSettings;
import dev.rowan.train.corpus.Corpus;
import dev.rowan.train.corpus.Corpus.Letters;
import dev.rowan.train.corpus.Corpus.Place;
import dev.rowan.train.corpus.Corpus.WordRules;
import java.io.ByteArrayInputStream;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * What somebody wants trained.
 *
 * @param title what the text is called
 * @param file the text; empty where it was pasted
 * @param pasted the text itself, UTF-8; empty where it is a file
 * @param minCount words that come less often get no row
 * @param letters whether capitals count
 * @param watch words whose neighbours are shown
 */
@SuppressWarnings("ArrayRecordComponent") // carries a text to the trainer, never compared
record TrainingPlan(
    String title,
    Optional<Path> file,
    byte[] pasted,
    long minCount,
    Letters letters,
    List<String> watch,
    TrainingSettings settings) {
  /** The note of what was read. */
  static final String TEXTS = "texts";

  /** Copies the list. */
  TrainingPlan {
    watch = List.copyOf(watch);
  }

  /** Returns the text, to be read from its beginning. */
  Corpus corpus() {
    Place place =
        file.isPresent()
            ? new Place.Files(file.get())
            : new Place.Stream(title, new ByteArrayInputStream(pasted));
    return new Corpus(
        List.of(place),
        new Corpus.Form.Words(),
        WordRules.DEFAULT.withMinCount(minCount).withLetters(letters));
  }

  /** What the settings do not say but the result depends on, as the command line notes it. */
  Map<String, String> notes() {
    Map<String, String> notes = new LinkedHashMap<>();
    notes.put(TEXTS, title);
    notes.put("min-count", String.valueOf(minCount));
    notes.put("letters", letters.name().toLowerCase(Locale.ROOT));
    return notes;
  }

  /** Returns a name for files: letters, digits and dashes of the title. */
  String slug() {
    String slug =
        title
            .replaceFirst(".*/", "")
            .replaceFirst("(\\.[A-Za-z0-9]{1,4})+$", "")
            .replaceAll("[^A-Za-z0-9]+", "-")
            .replaceAll("^-+|-+$", "");
    return slug.isEmpty() ? "text" : slug.substring(0, Math.min(slug.length(), 40));
  }
}

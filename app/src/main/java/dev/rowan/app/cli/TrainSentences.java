package dev.rowan.app.cli;

import dev.rowan.core.Counted;
import dev.rowan.train.TrainingReport.Band;
import dev.rowan.train.TrainingReport.Snapshot;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What the page of a report says of its numbers: nothing that they do not say. */
final class TrainSentences {
  private TrainSentences() {}

  static String loss(Map<String, String> settings) {
    return switch (settings.getOrDefault("objective", "")) {
      case "glove" -> "The mean weighted squared error of a pair.";
      case "next-token" ->
          settings.getOrDefault("sampled", "0").equals("0")
              ? "In nats a token, the mean over the text as it is learned from."
              : "In nats a token, as far as the drawn tokens tell, the mean over the text as it is learned from.";
      default -> "In nats a prediction, the mean of a sample of the windows.";
    };
  }

  static String cosines(List<Snapshot> snapshots) {
    String text =
        "Mean cosine over all pairs of rows: the baseline that any cosine is to be held against.";
    if (snapshots.isEmpty()) {
      return text;
    }
    Snapshot first = snapshots.getFirst();
    Snapshot last = snapshots.getLast();
    return "%s It is %s at %s and %s at %s of the training."
        .formatted(
            text,
            cosine(first.meanCosine()),
            share(first.share()),
            cosine(last.meanCosine()),
            share(last.share()));
  }

  /** Holds the rarest band against the most frequent one. */
  static String bands(List<Snapshot> snapshots) {
    String text = "Mean distance of rows from where they began.";
    List<Band> bands = snapshots.isEmpty() ? List.of() : snapshots.getLast().bands();
    if (bands.size() < 2) {
      return text;
    }
    double rare = bands.getFirst().moved();
    double frequent = bands.getLast().moved();
    String compared =
        String.format(
            Locale.ROOT,
            "%s Rows of words that come %s moved by %.3f, those of words that come %s by %.3f",
            text,
            name(bands, 0),
            rare,
            name(bands, bands.size() - 1),
            frequent);
    double ratio = Math.max(rare, frequent) / Math.min(rare, frequent);
    if (!Double.isFinite(ratio)) {
      return compared + ".";
    }
    return compared
        + (ratio < 1.05
            ? ": about as far."
            : String.format(
                Locale.ROOT,
                ": the %s words moved %.1f times as far.",
                frequent > rare ? "frequent" : "rare",
                ratio));
  }

  static String share(double share) {
    return String.format(Locale.ROOT, "%.0f %%", 100 * share);
  }

  /** A cosine or correlation that is zero but for rounding has no sign. */
  static String cosine(double cosine) {
    return String.format(Locale.ROOT, "%.3f", Math.abs(cosine) < 5e-4 ? 0.0 : cosine);
  }

  static String name(List<Band> bands, int b) {
    long least = bands.get(b).least();
    if (b + 1 == bands.size()) {
      return Counted.times(least) + " or more";
    }
    long most = bands.get(b + 1).least() - 1;
    return least == most
        ? Counted.times(least)
        : String.format(Locale.ROOT, "%,d–%,d times", least, most);
  }
}

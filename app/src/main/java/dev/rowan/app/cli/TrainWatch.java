package dev.rowan.app.cli;

import dev.rowan.core.Hit;
import dev.rowan.core.Metric;
import dev.rowan.core.Query;
import dev.rowan.core.Search;
import dev.rowan.core.Table;
import dev.rowan.core.Vocabulary;
import dev.rowan.core.Workers;
import dev.rowan.train.TrainingEvent;
import dev.rowan.train.TrainingListener;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** Prints the neighbours of chosen words as training goes: at the start and every tenth of it. */
final class TrainWatch implements TrainingListener {
  private static final int NEIGHBOURS = 5;
  private static final int TENTHS = 10;

  private final List<String> words;
  private final Workers workers;
  private final Consumer<String> say;

  TrainWatch(List<String> words, Workers workers, Consumer<String> say) {
    this.words = List.copyOf(words);
    this.workers = workers;
    this.say = say;
  }

  /** Refuses words that have no row. */
  void check(Vocabulary vocabulary) {
    for (String word : words) {
      if (vocabulary.id(word).isEmpty()) {
        throw new UseException(
            "--watch %s: the word has no row; it comes too seldom, or not at all"
                .formatted(Visible.quoted(word)));
      }
    }
  }

  @Override
  public void heard(TrainingEvent event) {
    if (event instanceof TrainingEvent.Look look && !words.isEmpty() && look.endsOneOf(TENTHS)) {
      print(look.share(), look.view().rows(), look.view().vocabulary().vocabulary());
    }
  }

  private void print(double share, Table table, Vocabulary vocabulary) {
    List<Query> queries = new ArrayList<>();
    for (String word : words) {
      OptionalInt id = vocabulary.id(word);
      queries.add(Query.row(table, id.orElseThrow()));
    }
    List<List<Hit>> found = Search.over(table, workers).nearest(queries, Metric.COSINE, NEIGHBOURS);
    double baseline = table.statistics(workers).meanCosine();
    say.accept(
        "at %s, baseline %s:"
            .formatted(TrainSentences.share(share), TrainSentences.cosine(baseline)));
    for (int w = 0; w < words.size(); w++) {
      String neighbours =
          found.get(w).stream()
              .map(hit ->
                  Visible.token(vocabulary.text(hit.id()))
                      + " "
                      + TrainSentences.cosine(hit.score()))
              .collect(Collectors.joining("  "));
      say.accept("  " + Visible.token(words.get(w)) + ": " + neighbours);
    }
  }
}

package dev.rowan.train.corpus;

import dev.rowan.core.Counted;
import dev.rowan.core.Workers;
import dev.rowan.train.corpus.Corpus.PhraseRules;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/**
 * Makes words that come together one word, by {@link PhraseRules}. The same phrases for any number
 * of threads and any memory. One use.
 */
final class PhraseJoiner {
  private final MergedWords words;
  private final PhraseRules rules;
  private final Workers workers;
  private final int most;
  private final List<String> notes = new ArrayList<>();

  /**
   * Makes a joiner.
   *
   * @param most places of the table of pairs of each thread, a power of two
   */
  PhraseJoiner(MergedWords words, PhraseRules rules, Workers workers, int most) {
    this.words = words;
    this.rules = rules;
    this.workers = workers;
    this.most = most;
  }

  /** Makes a joiner whose tables together take an eighth of the heap. */
  static PhraseJoiner of(MergedWords words, PhraseRules rules, Workers workers) {
    long places = Runtime.getRuntime().maxMemory() / 8 / 16 / workers.threads();
    return new PhraseJoiner(
        words, rules, workers, (int) Math.min(1 << 28, Long.highestOneBit(Math.max(1, places))));
  }

  /** Text in which phrases are words; its ids are numbers of all words. */
  record Joined(IdStore store, List<Segment> segments) {}

  /** Joins; the store is closed, and another one returned. */
  Joined join(IdStore store, List<Segment> segments) throws IOException {
    Joined text = new Joined(store, segments);
    for (int pass = 1; pass <= rules.passes(); pass++) {
      text = pass(pass, text);
    }
    return text;
  }

  /** Returns a sentence on each pass. */
  List<String> notes() {
    return notes;
  }

  private Joined pass(int number, Joined text) throws IOException {
    WordTable all = words.all();
    long before = total(all);
    PairCounts.Numbers phrases = phrases(text.segments());
    IdStore store = new IdStore(Runtime.getRuntime().maxMemory() / 4);
    try {
      List<Segment> segments = rewritten(text.segments(), phrases, store);
      long joined = before - total(all);
      notes.add(
          "phrases, pass %d: %s of words became one word in %s"
              .formatted(number, Counted.of(phrases.size(), "pair"), Counted.of(joined, "place")));
      text.store().close();
      words.unify();
      return new Joined(store, segments);
    } catch (IOException | RuntimeException | Error e) {
      store.close();
      throw e;
    }
  }

  private static long total(WordTable words) {
    long total = 0;
    for (int w = 0; w < words.size(); w++) {
      total += words.count(w);
    }
    return total;
  }

  /** Finds the pairs that become words, and makes these words. */
  private PairCounts.Numbers phrases(List<Segment> segments) {
    WordTable all = words.all();
    long total = total(all);
    int parts = workers.threads();
    long share = PairCounts.HASHES / parts;
    List<PairCounts> round = new ArrayList<>();
    for (int p = 0; p < parts; p++) {
      round.add(
          new PairCounts(p * share, p == parts - 1 ? PairCounts.HASHES : (p + 1) * share, most));
    }
    List<Long> found = new ArrayList<>();
    while (!round.isEmpty()) {
      count(segments, round);
      round.forEach(part ->
          part.forEach((a, b, count) -> {
            if (count >= rules.minCount() && score(a, b, count, total) > rules.threshold()) {
              found.add(PairCounts.key(a, b));
            }
          }));
      round = round.stream().flatMap(part -> part.rest().stream()).toList();
    }
    return numbered(found.stream().mapToLong(Long::longValue).sorted().toArray());
  }

  private double score(int a, int b, long count, long total) {
    WordTable all = words.all();
    return (count - (double) rules.minCount()) / ((double) all.count(a) * all.count(b)) * total;
  }

  private void count(List<Segment> segments, List<PairCounts> parts) {
    WordTable all = words.all();
    boolean[] often = new boolean[all.size()];
    for (int w = 0; w < often.length; w++) {
      often[w] = all.count(w) >= rules.minCount();
    }
    workers.run(
        (long) segments.size() * parts.size(),
        () ->
            chunk -> {
              Segment segment = segments.get((int) (chunk / parts.size()));
              PairCounts counts = parts.get((int) (chunk % parts.size()));
              synchronized (counts) {
                count(segment, often, counts);
              }
            });
  }

  private void count(Segment segment, boolean[] often, PairCounts counts) {
    int[] numbers = words.inAll()[segment.worker()];
    int[] before = {-1};
    try {
      segment
          .ids()
          .forEachPiece((ids, count) -> {
            int last = before[0];
            for (int i = 0; i < count; i++) {
              int word = ids[i] < 0 ? ids[i] : numbers[ids[i]];
              if (word == WordNumbers.NO_ROW) {
                continue; // it was not UTF-8 and is left out
              }
              boolean fit = word >= 0 && often[word];
              if (fit && last >= 0) {
                counts.add(last, word);
              }
              last = fit ? word : -1;
            }
            before[0] = last;
          });
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Makes a word of each pair. */
  private PairCounts.Numbers numbered(long[] pairs) {
    WordTable all = words.all();
    int[] numbers = new int[pairs.length];
    for (int i = 0; i < pairs.length; i++) {
      byte[] first = all.word((int) (pairs[i] >>> 32));
      byte[] second = all.word((int) pairs[i]);
      byte[] phrase = Arrays.copyOf(first, first.length + 1 + second.length);
      phrase[first.length] = '_';
      System.arraycopy(second, 0, phrase, first.length + 1, second.length);
      numbers[i] = all.add(phrase, 1); // counted when the text is written anew
    }
    return new PairCounts.Numbers(pairs, numbers);
  }

  private List<Segment> rewritten(List<Segment> segments, PairCounts.Numbers phrases, IdStore store)
      throws IOException {
    Segment[] joined = new Segment[segments.size()];
    List<long[]> counts = Collections.synchronizedList(new ArrayList<>());
    try {
      workers.run(
          segments.size(),
          () -> {
            long[] own = new long[words.all().size()];
            counts.add(own);
            return chunk -> {
              Segment segment = segments.get((int) chunk);
              int[] numbers = words.inAll()[segment.worker()];
              Rewriting rewriting = new Rewriting(phrases, own, segment.ids().length());
              try {
                segment.ids().forEachPiece((ids, count) -> rewriting.take(ids, count, numbers));
                joined[(int) chunk] = segment.with(store.put(rewriting.ids()), 0);
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            };
          });
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
    long[] total = new long[words.all().size()];
    for (long[] own : counts) {
      Arrays.setAll(total, w -> total[w] + own[w]);
    }
    words.all().recount(total);
    return List.of(joined);
  }

  /** The ids of a segment as phrases are put in. */
  private static final class Rewriting {
    private final PairCounts.Numbers phrases;
    private final long[] counts;
    private final int[] target;
    private int count;
    private boolean isOpen; // whether the last word may still become the first of a phrase

    Rewriting(PairCounts.Numbers phrases, long[] counts, int most) {
      this.phrases = phrases;
      this.counts = counts;
      this.target = new int[most];
    }

    void take(int[] ids, int length, int[] numbers) {
      for (int i = 0; i < length; i++) {
        int id = ids[i] < 0 ? ids[i] : numbers[ids[i]];
        if (id == WordNumbers.NO_ROW) {
          continue;
        }
        int phrase = isOpen && id >= 0 ? phrases.of(target[count - 1], id) : -1;
        if (phrase >= 0) {
          counts[target[count - 1]]--;
          counts[phrase]++;
          target[count - 1] = phrase;
          isOpen = false;
        } else {
          if (id >= 0) {
            counts[id]++;
          }
          target[count++] = id;
          isOpen = id >= 0;
        }
      }
    }

    int[] ids() {
      return Arrays.copyOf(target, count);
    }
  }
}

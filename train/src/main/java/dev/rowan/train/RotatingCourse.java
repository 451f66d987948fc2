package dev.rowan.train;

import dev.rowan.core.Workers;
import dev.rowan.train.corpus.EncodedCorpus;
import dev.rowan.train.kernel.WindowKernels;
import java.util.Arrays;
import java.util.Deque;
import java.util.concurrent.ConcurrentLinkedDeque;

/**
 * Blocks of input rows and blocks of output rows take turns (Gemulla et al. 2011): a round of text
 * is cut into windows, which fall into parts by the blocks of their rows; then, in as many turns as
 * there are blocks, each thread learns from the parts of a pair of blocks that nobody else has.
 * What is learned in which order does not depend on the threads.
 */
final class RotatingCourse implements Course {
  /** Units of a round for each block: enough work between two turns, little memory. */
  private static final int ROUND_UNITS = 8;

  private final Lesson lesson;
  private final WindowKernels kernels;
  private final int blocks;
  private final Dealing dealing;
  private final Parts[] parts; // by unit of the round
  private final Deque<Cutter> cutters = new ConcurrentLinkedDeque<>();
  private final Deque<Stepper> steppers = new ConcurrentLinkedDeque<>();
  private volatile boolean paused;
  private volatile int done;

  RotatingCourse(Lesson lesson, int blocks, WindowKernels kernels) {
    this.lesson = lesson;
    this.kernels = kernels;
    this.blocks = blocks;
    this.dealing = new Dealing(lesson.corpus().vocabulary().size(), blocks);
    this.parts = new Parts[ROUND_UNITS * blocks];
    Arrays.setAll(parts, _ -> new Parts(blocks));
  }

  @Override
  public Dealing dealing() {
    return dealing;
  }

  @Override
  public int run(int epoch, int from, int to, Workers workers, Ledger ledger) {
    int at = from;
    done = at;
    while (at < to && !paused) {
      int first = at;
      int end = Math.min(to, first + parts.length - first % parts.length);
      workers.run(end - (long) first, () -> unit -> cut(epoch, first + (int) unit, (int) unit));
      for (int turn = 0; turn < blocks; turn++) {
        int offset = turn;
        workers.run(
            blocks,
            () -> in -> learn(epoch, first, end, (int) in, ((int) in + offset) % blocks, ledger));
      }
      for (int unit = first; unit < end; unit++) {
        ledger.add(epoch, lesson.corpus().unit(unit).words(), 0, 0);
      }
      at = end;
      done = at;
    }
    return at;
  }

  private void cut(int epoch, int unit, int slot) {
    Cutter cutter = cutters.poll();
    if (cutter == null) {
      cutter = new Cutter();
    }
    cutter.cut(epoch, unit, parts[slot]);
    cutters.push(cutter);
  }

  private void learn(int epoch, int first, int end, int in, int out, Ledger ledger) {
    Stepper stepper = steppers.poll();
    if (stepper == null) {
      stepper = new Stepper();
    }
    stepper.learn(epoch, first, end, in, out);
    ledger.add(epoch, 0, stepper.step.loss(), stepper.step.losses());
    steppers.push(stepper);
  }

  @Override
  public int done() {
    return done;
  }

  @Override
  public void pause() {
    paused = true;
  }

  @Override
  public void resume() {
    paused = false;
  }

  /** The windows of a unit by pair of blocks: an output row, how many input rows, these. */
  private static final class Parts {
    private final int[][] values;
    private final int[] counts;
    private float rate;

    Parts(int blocks) {
      values = new int[blocks * blocks][1 << 12];
      counts = new int[blocks * blocks];
    }

    void clear() {
      Arrays.fill(counts, 0);
    }

    /** Begins a window and returns where its number of inputs goes. */
    int begin(int part, int row, int most) {
      if (values[part].length - counts[part] < most + 2) {
        values[part] = Arrays.copyOf(values[part], 2 * values[part].length + most);
      }
      values[part][counts[part]++] = row;
      return counts[part]++;
    }

    void add(int part, int row) {
      values[part][counts[part]++] = row;
    }
  }

  /** Cuts units into windows. One thread's at a time. */
  private final class Cutter {
    private final Draw draw = new Draw();
    private final Sentences sentences = new Sentences(lesson, draw);
    private final int[] lengths = new int[blocks]; // places of the lengths of the open parts

    void cut(int epoch, int unit, Parts target) {
      EncodedCorpus corpus = lesson.corpus();
      target.clear();
      target.rate =
          (float)
              Formulas.rate(
                  lesson.settings().rate(),
                  epoch * corpus.words() + corpus.unit(unit).wordsBefore(),
                  lesson.totalWords());
      draw.seed(lesson.settings().seed(), epoch, unit);
      sentences.start(epoch, unit);
      int count;
      while ((count = sentences.next()) >= 0) {
        windows(sentences.words(), count, target);
      }
    }

    private void windows(int[] words, int count, Parts target) {
      int most = lesson.settings().window();
      for (int at = 0; at < count; at++) {
        int radius = 1 + draw.below(most);
        int out = words[at] % blocks;
        Arrays.fill(lengths, -1);
        for (int i = Math.max(0, at - radius); i <= Math.min(count - 1, at + radius); i++) {
          if (i != at) {
            int in = words[i] % blocks;
            int part = in * blocks + out;
            if (lengths[in] < 0) {
              lengths[in] = target.begin(part, dealing.row(words[at]), 2 * most);
              target.values[part][lengths[in]] = 0;
            }
            target.add(part, dealing.row(words[i]));
            target.values[part][lengths[in]]++;
          }
        }
      }
    }
  }

  /** Learns from the windows of a pair of blocks. One thread's at a time. */
  private final class Stepper {
    private final Draw draw = new Draw();
    private final BlockStep step =
        new BlockStep(lesson, Replicas.ofOutput(lesson, 0, kernels).offsets(), draw, kernels);

    void learn(int epoch, int first, int end, int in, int out) {
      step.clearLoss();
      step.enter(out, dealing.first(out));
      int part = in * blocks + out;
      draw.seed(lesson.settings().seed() + 1 + part, epoch, first);
      Weights weights = lesson.weights();
      int[] inputs = step.window().inputs();
      for (int slot = 0; slot < end - first; slot++) {
        int[] values = parts[slot].values[part];
        for (int at = 0; at < parts[slot].counts[part]; ) {
          int row = values[at++];
          int count = values[at++];
          for (int i = 0; i < count; i++) {
            inputs[i] = weights.offset(values[at++]);
          }
          step.skipGram(weights.input(), count, row, parts[slot].rate);
        }
      }
    }
  }
}

package dev.rowan.train;

import dev.rowan.core.Workers;
import dev.rowan.train.kernel.WindowKernels;
import java.util.Deque;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Threads take units in turn and change the same rows without locks, of those that are touched
 * often each its {@link Replicas}; at the end of a run these are merged.
 */
final class SharedCourse implements Course {
  /** Enough for any number of threads to share. */
  private static final int PARTS = 256;

  private final Lesson lesson;
  private final WindowKernels kernels;
  private final Deque<UnitTrainer> idle = new ConcurrentLinkedDeque<>();
  private final AtomicInteger made = new AtomicInteger();
  private volatile boolean paused;
  private volatile int done;

  SharedCourse(Lesson lesson, WindowKernels kernels) {
    this.lesson = lesson;
    this.kernels = kernels;
  }

  @Override
  public Dealing dealing() {
    return new Dealing(lesson.corpus().vocabulary().size(), 1);
  }

  @Override
  public int run(int epoch, int from, int to, Workers workers, Ledger ledger) {
    AtomicInteger next = new AtomicInteger(from);
    try {
      workers.run(
          to - (long) from,
          () ->
              _ -> {
                // a unit that was taken is also done, so that those done are the first ones
                int number = paused ? to : next.getAndIncrement();
                if (number < to) {
                  UnitTrainer trainer = idle.poll();
                  if (trainer == null) {
                    trainer = new UnitTrainer(lesson, made.getAndIncrement(), kernels);
                  }
                  trainer.train(epoch, number);
                  ledger.add(
                      epoch,
                      lesson.corpus().unit(number).words(),
                      trainer.loss(),
                      trainer.losses());
                  idle.push(trainer);
                }
              });
    } finally {
      done = Math.min(to, next.get());
      merge(workers);
    }
    return done;
  }

  /** Merges the replicas of all, each row by one thread, since two at once would lose a sum. */
  private void merge(Workers workers) {
    Workers.Share share = part -> idle.forEach(trainer -> trainer.mergePart(part, PARTS));
    try {
      workers.run(PARTS, () -> share);
    } catch (CancellationException _) { // all the same: what was merged already changes no more
      for (int part = 0; part < PARTS; part++) {
        share.run(part);
      }
    }
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
}

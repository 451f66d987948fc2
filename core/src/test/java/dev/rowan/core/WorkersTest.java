package dev.rowan.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(20)
class WorkersTest {
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 7})
  void doesEachChunkExactlyOnce(int threads) {
    try (Workers workers = Workers.of(threads)) {
      for (int chunks : new int[] {0, 1, 2, 3, 1000}) {
        AtomicIntegerArray done = new AtomicIntegerArray(chunks);
        for (int turn = 1; turn <= 50; turn++) {
          workers.run(chunks, () -> c -> done.incrementAndGet((int) c));
          for (int c = 0; c < chunks; c++) {
            assertThat(done.get(c)).as("chunk %d after %d jobs", c, turn).isEqualTo(turn);
          }
        }
      }
    }
  }

  @Test
  void oneThreadWorksWhereItIsCalled() {
    Set<Thread> seen = ConcurrentHashMap.newKeySet();
    try (Workers workers = Workers.of(1)) {
      workers.run(10, () -> c -> seen.add(Thread.currentThread()));
    }
    assertThat(seen).containsExactly(Thread.currentThread());
  }

  @Test
  void aVirtualCallerOnlyWaits() throws InterruptedException {
    Set<Thread> seen = ConcurrentHashMap.newKeySet();
    try (Workers workers = Workers.of(2)) {
      Thread caller =
          Thread.startVirtualThread(
              () -> workers.run(100, () -> c -> seen.add(Thread.currentThread())));
      caller.join();
    }
    assertThat(seen).isNotEmpty().noneMatch(Thread::isVirtual);
  }

  @Test
  void aJobIsDoneWhileAnotherCallersHoldsTheThreads() throws InterruptedException {
    CountDownLatch held = new CountDownLatch(2);
    CountDownLatch release = new CountDownLatch(1);
    try (Workers workers = Workers.of(2)) {
      Thread other =
          Thread.startVirtualThread(() -> workers.run(2, () -> c -> hold(held, release)));
      held.await();
      LongAdder sum = new LongAdder();
      workers.run(5, () -> sum::add);
      assertThat(sum.sum()).isEqualTo(10);
      assertThat(other.isAlive()).isTrue();
      release.countDown();
      other.join();
    }
  }

  @Test
  void aShareMayHandOutWorkItself() {
    LongAdder sum = new LongAdder();
    try (Workers workers = Workers.of(2)) {
      workers.run(4, () -> outer -> workers.run(5, () -> sum::add));
    }
    assertThat(sum.sum()).isEqualTo(4 * (0 + 1 + 2 + 3 + 4));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void throwsWhatAShareThrew(int threads) {
    try (Workers workers = Workers.of(threads)) {
      for (int bad = 0; bad < 20; bad++) {
        int chunk = bad;
        assertThatThrownBy(() -> workers.run(20, () -> c -> failAt(c, chunk)))
            .isInstanceOf(IllegalStateException.class)
            .hasMessage("chunk " + chunk);
      }
      LongAdder after = new LongAdder();
      workers.run(3, () -> after::add);
      assertThat(after.sum()).isEqualTo(3);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void anInterruptedCallerStopsTheWorkAndKeepsItsFlag(int threads) throws InterruptedException {
    try (Workers workers = Workers.of(threads)) {
      for (boolean virtual : new boolean[] {false, true}) {
        LongAdder done = new LongAdder();
        CountDownLatch begun = new CountDownLatch(1);
        AtomicReference<Throwable> thrown = new AtomicReference<>();
        Runnable call =
            () -> {
              try {
                workers.run(
                    Long.MAX_VALUE,
                    () ->
                        c -> {
                          done.increment();
                          begun.countDown();
                        });
              } catch (CancellationException e) {
                if (Thread.currentThread().isInterrupted()) {
                  thrown.set(e);
                }
              }
            };
        Thread caller = virtual ? Thread.ofVirtual().start(call) : Thread.ofPlatform().start(call);
        begun.await();
        caller.interrupt();
        caller.join();
        long count = done.sum();
        assertThat(thrown.get()).isInstanceOf(CancellationException.class);
        workers.run(1, () -> c -> {});
        assertThat(done.sum()).as("chunks run after the return").isEqualTo(count);
      }
    }
  }

  @Test
  void refusesACallerThatIsInterruptedAlready() {
    try (Workers workers = Workers.of(2)) {
      Thread.currentThread().interrupt();
      assertThatThrownBy(() -> workers.run(1, () -> c -> {}))
          .isInstanceOf(CancellationException.class);
      assertThat(Thread.interrupted()).isTrue();
    }
  }

  @Test
  void refusesFewerThanOneThread() {
    assertThatThrownBy(() -> Workers.of(0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("threads is 0");
  }

  private static void hold(CountDownLatch held, CountDownLatch release) {
    held.countDown();
    try {
      release.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void failAt(long chunk, int bad) {
    if (chunk == bad) {
      throw new IllegalStateException("chunk " + chunk);
    }
  }
}

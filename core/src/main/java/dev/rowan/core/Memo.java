package dev.rowan.core;

import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A value computed on first use and kept. If computing fails the next use tries again.
 *
 * <p>Safe for any number of threads; one computes, the others wait.
 */
final class Memo<T> implements Supplier<T> {
  private final Supplier<? extends T> source;
  private volatile @Nullable T value;

  Memo(Supplier<? extends T> source) {
    this.source = source;
  }

  @Override
  public T get() {
    T known = value;
    if (known != null) {
      return known;
    }
    synchronized (this) {
      known = value;
      if (known == null) {
        known = Objects.requireNonNull(source.get());
        value = known;
      }
      return known;
    }
  }
}

package dev.rowan.app.web;

import dev.rowan.analysis.map.TableMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Maps that were computed, by what was asked: the same question is not computed twice, and points
 * can be fetched after the events that announced them. Keeps the latest, bounded by their points.
 *
 * <p>Safe for any number of threads.
 */
final class MapStore {
  /** Points to keep: some 40 bytes each. */
  private static final long MOST_POINTS = 2_000_000;

  private final Map<String, Stored> maps = new LinkedHashMap<>(16, 0.75f, true);
  private long points;

  /**
   * A map and the words that it was asked with.
   *
   * @param key what visitors fetch it by
   * @param model whose rows they are
   */
  record Stored(String key, ServedModel model, TableMap map, Mapped.Listed listed) {}

  /** Returns a map. */
  synchronized Optional<Stored> find(String key) {
    return Optional.ofNullable(maps.get(key));
  }

  /** Keeps a map, and lets go of the ones that were not asked for longest. */
  synchronized void keep(Stored stored) {
    Stored before = maps.put(stored.key(), stored);
    points += stored.map().points() - (before == null ? 0 : before.map().points());
    Iterator<Stored> oldest = maps.values().iterator();
    while (points > MOST_POINTS && maps.size() > 1) {
      points -= oldest.next().map().points();
      oldest.remove();
    }
  }
}

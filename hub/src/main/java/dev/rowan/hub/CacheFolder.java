package dev.rowan.hub;

import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;

/** Where files that can be made again are kept. */
public final class CacheFolder {
  private CacheFolder() {}

  /** Returns {@code $ROWAN_CACHE}, else {@code rowan} in the platform's folder for caches. */
  public static Path of(Map<String, String> environment) {
    String chosen = environment.getOrDefault("ROWAN_CACHE", "");
    if (!chosen.isEmpty()) {
      return Path.of(chosen).toAbsolutePath();
    }
    String home = System.getProperty("user.home", ".");
    String system = System.getProperty("os.name", "").toLowerCase(Locale.ROOT);
    if (system.startsWith("mac")) {
      return Path.of(home, "Library", "Caches", "rowan");
    }
    String platform =
        environment.getOrDefault(
            system.startsWith("windows") ? "LOCALAPPDATA" : "XDG_CACHE_HOME", "");
    // the XDG specification says to ignore a relative path
    boolean usable = !platform.isEmpty() && Path.of(platform).isAbsolute();
    return usable ? Path.of(platform, "rowan") : Path.of(home, ".cache", "rowan");
  }
}

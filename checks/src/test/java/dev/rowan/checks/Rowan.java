package dev.rowan.checks;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;

/** Runs the packed program through the launcher, as a user would. */
final class Rowan {
  static final Path HOME =
      Path.of(System.getProperty("rowan.home", "..")).toAbsolutePath().normalize();

  private static final long MOST_SECONDS = 120;

  private final Map<String, String> environment = new LinkedHashMap<>();
  private Path folder = HOME;

  /**
   * How a run ended.
   *
   * @param code the exit code
   */
  record Outcome(int code, String out, String err) {
    /** Returns the one JSON object on stdout. */
    Json json() {
      return Json.parse(out);
    }
  }

  private Rowan() {
    // the tests are about the program as it was packed, not about building it once more
    environment.put("ROWAN_BUILD", "never");
    environment.put("ROWAN_CACHE", HOME.resolve("checks/target/cache").toString());
    environment.put("JAVA_HOME", System.getProperty("rowan.jdk", System.getProperty("java.home")));
  }

  /** Returns the launcher with a cache of the tests' own. */
  static Rowan launcher() {
    return new Rowan();
  }

  /** Returns the environment variables that a run gets. */
  Map<String, String> environment() {
    return Map.copyOf(environment);
  }

  /** Runs a command with everything as usual. */
  static Outcome run(String... arguments) {
    return launcher().with(arguments);
  }

  /** Sets an environment variable; empty unsets it. */
  Rowan env(String name, String value) {
    environment.put(name, value);
    return this;
  }

  /** Sets the folder to run in. */
  Rowan in(Path where) {
    folder = where;
    return this;
  }

  /** Runs a command and waits for it. */
  Outcome with(String... arguments) {
    List<String> command = new ArrayList<>(List.of(HOME.resolve("rowan").toString()));
    command.addAll(List.of(arguments));
    return command(command);
  }

  /**
   * Runs a command that may make no file longer than some kilobytes: what a disk that is full does,
   * without one. Skipped where there is no shell that limits files.
   */
  Outcome limitedTo(int kilobytes, String... arguments) {
    String limit = "ulimit -f %d".formatted(kilobytes);
    Assumptions.assumeTrue(limits(limit), "needs bash, with ulimit -f, and a system that heeds it");
    List<String> command = new ArrayList<>(List.of("bash", "-c", limit + "; exec \"$0\" \"$@\""));
    command.add(HOME.resolve("rowan").toString());
    command.addAll(List.of(arguments));
    return command(command);
  }

  private static boolean limits(String limit) {
    try {
      return new ProcessBuilder("bash", "-c", limit)
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start()
              .waitFor()
          == 0;
    } catch (IOException e) {
      return false; // there is no bash
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted", e);
    }
  }

  /** Runs any command in the same surroundings. */
  Outcome command(List<String> command) {
    try {
      Path out = Files.createTempFile("rowan", ".out");
      Path err = Files.createTempFile("rowan", ".err");
      try {
        ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile());
        for (String inherited :
            List.of("ROWAN_MODEL", "ROWAN_JAVA_OPTS", "NO_COLOR", "JAVA_TOOL_OPTIONS")) {
          builder.environment().remove(inherited);
        }
        environment.forEach((name, value) -> {
          if (value.isEmpty()) {
            builder.environment().remove(name);
          } else {
            builder.environment().put(name, value);
          }
        });
        Process process = builder.redirectOutput(out.toFile()).redirectError(err.toFile()).start();
        process.getOutputStream().close();
        if (!process.waitFor(MOST_SECONDS, TimeUnit.SECONDS)) {
          process.destroyForcibly();
          throw new AssertionError(command + " did not end within " + MOST_SECONDS + " s");
        }
        return new Outcome(
            process.exitValue(),
            Files.readString(out, StandardCharsets.UTF_8),
            Files.readString(err, StandardCharsets.UTF_8));
      } finally {
        Files.delete(out);
        Files.delete(err);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted", e);
    }
  }
}

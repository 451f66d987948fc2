package dev.rowan.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.function.IntConsumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.io.TempDir;

/** Runs commands in this JVM, in a folder of their own; what they print is kept. */
abstract class Commands {
  @TempDir Path folder;
  final ByteArrayOutputStream out = new ByteArrayOutputStream();
  final ByteArrayOutputStream err = new ByteArrayOutputStream();

  /** Returns the words of a command in which @name is a file of the folder. */
  String[] words(String command) {
    return Stream.of(command.split(" ", -1))
        .map(word -> word.startsWith("@") ? folder.resolve(word.substring(1)).toString() : word)
        .toArray(String[]::new);
  }

  /** Runs a command; returns its exit code. */
  int run(String command) {
    return run(words(command));
  }

  /** Runs a command of words that may hold spaces. */
  int run(String... words) {
    return run(Map.of(), words);
  }

  /** Runs a command in an environment. */
  int run(Map<String, String> environment, String... words) {
    return run(printer(err), environment, words);
  }

  /** Runs a command; something happens when a line with this start is printed the n-th time. */
  int run(String command, String start, IntConsumer happens) {
    PrintStream told =
        new PrintStream(err, true, StandardCharsets.UTF_8) {
          private int times;

          @Override
          public void println(String line) {
            super.println(line);
            if (line.startsWith(start)) {
              happens.accept(++times);
            }
          }
        };
    return run(told, Map.of(), words(command));
  }

  /** Runs a command; something happens when it opens a model, which is after all checks. */
  int runUntilOpen(String command, Runnable happens) {
    Map<String, String> environment =
        new HashMap<>() {
          private static final long serialVersionUID = 1;

          @Override
          public String getOrDefault(@Nullable Object name, String other) {
            if ("ROWAN_HEADER_LIMIT".equals(name)) { // asked for by whoever opens
              happens.run();
            }
            return other;
          }
        };
    return run(environment, words(command));
  }

  private int run(PrintStream told, Map<String, String> environment, String... words) {
    out.reset();
    err.reset();
    return Main.run(new Surroundings(printer(out), told, environment, false, false, 80), words);
  }

  private static PrintStream printer(ByteArrayOutputStream bytes) {
    return new PrintStream(bytes, true, StandardCharsets.UTF_8);
  }

  /** Returns what was printed beside the answer. */
  String told() {
    return err.toString(StandardCharsets.UTF_8);
  }

  /** Returns the answer. */
  String answered() {
    return out.toString(StandardCharsets.UTF_8);
  }

  /** Runs a command that succeeds; returns its answer. */
  String answerTo(String command) {
    done(command);
    return answered().strip();
  }

  void done(String command) {
    assertThat(run(command)).as(told()).isZero();
  }
}

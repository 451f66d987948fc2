package dev.rowan.checks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowan.checks.Rowan.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every {@code console} block of README.md and docs/ shows what the program prints: a line that
 * starts with {@code $ } is run, the lines after it are its output. A line that is {@code …} stands
 * for any lines, and {@code …} inside a line for anything on it.
 */
class DocsIT {
  private static final Pattern BLOCK = Pattern.compile("(?ms)^```console\\n(.*?)^```$");

  /** A command of a page and the output that the page shows. */
  record Shown(String page, String command, List<String> output) {
    @Override
    public String toString() {
      return page + ": " + command;
    }
  }

  static List<Shown> shown() throws IOException {
    List<Path> pages = new ArrayList<>(List.of(Rowan.HOME.resolve("README.md")));
    try (Stream<Path> docs = Files.list(Rowan.HOME.resolve("docs"))) {
      docs.filter(p -> p.toString().endsWith(".md")).sorted().forEach(pages::add);
    }
    List<Shown> all = new ArrayList<>();
    for (Path page : pages) {
      Matcher block = BLOCK.matcher(Files.readString(page));
      while (block.find()) {
        all.addAll(commands(page.getFileName().toString(), block.group(1)));
      }
    }
    return all;
  }

  private static List<Shown> commands(String page, String block) {
    List<Shown> commands = new ArrayList<>();
    for (String line : block.lines().toList()) {
      if (line.startsWith("$ ")) {
        commands.add(new Shown(page, line.substring(2), new ArrayList<>()));
      } else {
        assertThat(commands).as("%s: output before a command: %s", page, line).isNotEmpty();
        commands.getLast().output().add(line);
      }
    }
    return commands;
  }

  @Test
  void thereArePagesToCheck() throws IOException {
    assertThat(shown()).hasSizeGreaterThan(12);
    assertThat(shown()).allMatch(s -> s.command().startsWith("./rowan "));
  }

  /** A file that is there already is not replaced, so what an earlier run wrote goes first. */
  @BeforeAll
  static void removeWhatPagesWrite() throws IOException {
    Pattern written = Pattern.compile(" -o (app/target/\\S+)");
    for (Shown shown : shown()) {
      Matcher file = written.matcher(shown.command());
      while (file.find()) {
        Files.deleteIfExists(Rowan.HOME.resolve(file.group(1)));
      }
    }
  }

  @ParameterizedTest
  @MethodSource("shown")
  void pageShowsWhatTheProgramPrints(Shown shown) {
    Outcome outcome =
        Rowan.launcher()
            .command(
                List.of("bash", "-c", "cd \"$0\" && " + shown.command(), Rowan.HOME.toString()));
    // verbs that want SIMD make the JDK say so on stderr
    String said = outcome.err().replaceFirst("WARNING: Using incubator modules: .*\\n", "");
    String printed = outcome.out() + said;
    assertThat(printed).matches(Pattern.compile(pattern(shown.output()), Pattern.DOTALL));
  }

  private static String pattern(List<String> lines) {
    StringBuilder pattern = new StringBuilder();
    for (String line : lines) {
      if (line.strip().equals("…")) {
        pattern.append("(?:[^\\n]*\\n)*?");
      } else {
        String[] parts = line.split("…", -1);
        pattern.append(String.join("[^\\n]*", Stream.of(parts).map(Pattern::quote).toList()));
        pattern.append("\\n");
      }
    }
    return pattern.toString();
  }
}

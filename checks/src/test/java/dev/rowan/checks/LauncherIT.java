package dev.rowan.checks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowan.checks.Rowan.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The launcher finds a JDK and starts from anywhere; the bundled model unpacks safely. */
class LauncherIT {
  @TempDir Path folder;

  private Path jdk(String name, String release) throws IOException {
    Path bin = Files.createDirectories(folder.resolve(name).resolve("bin"));
    for (String program : List.of("java", "javac")) {
      Path file = Files.writeString(bin.resolve(program), "#!/bin/sh\nexit 9\n");
      Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }
    Files.writeString(folder.resolve(name).resolve("release"), release);
    return folder.resolve(name);
  }

  /** Returns what the JDK finder picks of some folders. */
  private static String best(Path... folders) {
    StringBuilder arguments = new StringBuilder();
    for (Path f : folders) {
      arguments.append(" '").append(f).append('\'');
    }
    String script =
        ". '%s'; ROWAN_JDK=; ROWAN_TOO_OLD=; rowan_jdk_best%s; printf %%s \"$ROWAN_JDK\""
            .formatted(Rowan.HOME.resolve(".mvn/find-jdk"), arguments);
    Outcome outcome = Rowan.launcher().command(List.of("bash", "-uc", script));
    assertThat(outcome.err()).isEmpty();
    return outcome.out();
  }

  @ParameterizedTest
  @CsvSource({
    "25.0.3, true",
    "25.0.2, false",
    "25, false",
    "25.1, true",
    "26, true",
    "26-ea, true",
    "17.0.12, false",
    "1.8.0_402, false",
    "garbage, false",
    "025.0.08, true",
  })
  void takesJdksFrom25Point0Point3On(String version, boolean taken) throws IOException {
    Path jdk = jdk("jdk", "IMPLEMENTOR=\"x\"\nJAVA_VERSION=\"" + version + "\"\n");
    assertThat(best(jdk)).isEqualTo(taken ? jdk.toString() : "");
  }

  @Test
  void prefersTheNewestJdkAndBearsSpaces() throws IOException {
    Path older = jdk("jdk a", "JAVA_VERSION=\"25.0.3\"");
    Path newer = jdk("jdk b", "JAVA_VERSION=\"25.0.10\"");
    assertThat(best(older, newer, folder.resolve("none"))).isEqualTo(newer.toString());
  }

  @Test
  void findsAJdkWithoutJavaHome() {
    Path java = Path.of(System.getProperty("rowan.jdk"), "bin");
    Outcome outcome =
        Rowan.launcher()
            .env("JAVA_HOME", "")
            .env("PATH", java + ":" + System.getenv("PATH"))
            .with("--version");
    assertThat(outcome.code()).as(outcome.err()).isZero();
    assertThat(outcome.out()).contains("JDK 2");
  }

  @Test
  void passesOverAJavaHomeThatIsTooOld() throws IOException {
    Path old = jdk("old", "JAVA_VERSION=\"17.0.1\"");
    Path java = Path.of(System.getProperty("rowan.jdk"), "bin");
    Outcome outcome =
        Rowan.launcher()
            .env("JAVA_HOME", old.toString())
            .env("PATH", java + ":" + System.getenv("PATH"))
            .with("--version");
    assertThat(outcome.code()).as(outcome.err()).isZero();
  }

  @Test
  void startsThroughALinkAndFromAnotherFolder() throws IOException {
    Path link = Files.createSymbolicLink(folder.resolve("my rowan"), Rowan.HOME.resolve("rowan"));
    Outcome outcome =
        Rowan.launcher().in(folder).command(List.of(link.toString(), "near", "cat", "-k", "1"));
    assertThat(outcome.code()).as(outcome.err()).isZero();
    assertThat(outcome.out()).contains("cats");
  }

  @Test
  void concurrentFirstUsesUnpackOnce() throws Exception {
    Path cache = folder.resolve("cache");
    List<Future<Outcome>> running = new ArrayList<>();
    try (ExecutorService pool = Executors.newFixedThreadPool(3)) {
      for (int i = 0; i < 3; i++) {
        running.add(
            pool.submit(() ->
                Rowan.launcher()
                    .env("ROWAN_CACHE", cache.toString())
                    .with("near", "cat", "-k", "1")));
      }
    }
    for (Future<Outcome> run : running) {
      assertThat(outcome(run).code()).as(outcome(run).err()).isZero();
      assertThat(outcome(run).out()).contains("cats");
    }
    try (Stream<Path> files = Files.list(cache.resolve("all-MiniLM-L6-v2"))) {
      assertThat(files.map(f -> f.getFileName().toString()))
          .containsExactlyInAnyOrder("lock", "config.json", "tokenizer.json", "model.safetensors");
    }
  }

  private static Outcome outcome(Future<Outcome> run)
      throws InterruptedException, ExecutionException {
    return run.get();
  }

  @Test
  void aCutOffCacheIsMadeAgain() throws IOException {
    Path cache = folder.resolve("cache");
    Path model = Files.createDirectories(cache.resolve("all-MiniLM-L6-v2"));
    Files.writeString(model.resolve("model.safetensors"), "cut off");
    Files.writeString(model.resolve("model.onnx.part"), "left by a crash");
    Outcome outcome =
        Rowan.launcher().env("ROWAN_CACHE", cache.toString()).with("near", "cat", "-k", "1");
    assertThat(outcome.code()).as(outcome.err()).isZero();
    assertThat(outcome.out()).contains("cats");
    assertThat(model.resolve("model.onnx.part")).doesNotExist();
  }

  @Test
  void saysWhatToInstallWhenThereIsNoJdk() throws IOException {
    Path old = jdk("old", "JAVA_VERSION=\"17.0.1\"");
    String script =
        (". '%s'; rowan_jdk_best() { ROWAN_TOO_OLD=\"$ROWAN_TOO_OLD%n  17.0.1  %s\"; };"
                + " rowan_find_jdk")
            .formatted(Rowan.HOME.resolve(".mvn/find-jdk"), old);
    Outcome outcome = Rowan.launcher().command(List.of("bash", "-uc", script));
    assertThat(outcome.code()).isEqualTo(2);
    assertThat(outcome.err()).contains("no JDK 25.0.3 or later", "17.0.1", "Install one");
  }

  /** Writes a folder with the launcher, a JDK and a Maven that only pretend, and returns it. */
  private Path pretendedHome() throws IOException {
    Path home = Files.createDirectories(folder.resolve("home"));
    Files.createDirectories(home.resolve(".mvn"));
    Files.copy(Rowan.HOME.resolve(".mvn/find-jdk"), home.resolve(".mvn/find-jdk"));
    Files.copy(
        Rowan.HOME.resolve("rowan"), home.resolve("rowan"), StandardCopyOption.COPY_ATTRIBUTES);
    Files.writeString(home.resolve("pom.xml"), "<project/>");
    Files.createDirectories(home.resolve("core/src/main"));
    Path java = jdk("jdk", "JAVA_VERSION=\"25.0.3\"").resolve("bin/java");
    Files.writeString(
        java,
        """
        #!/bin/sh
        for option in "$@"; do
          case "$option" in
            -XX:AOTCacheOutput=*) echo classes > "${option#*=}"; exit 0 ;;
            -XX:AOTCache=*) echo cached ;;
          esac
        done
        echo ran
        """);
    Path maven = Files.createDirectories(folder.resolve("maven")).resolve("mvn");
    Files.writeString(
        maven,
        """
        #!/bin/sh
        echo build >> '%1$s/builds'
        sleep 0.5
        mkdir -p '%1$s/app/target/rowan'
        echo jar > '%1$s/app/target/rowan/rowan.jar'
        exit "${PRETENDED_RESULT:-0}"
        """
            .formatted(home));
    Files.setPosixFilePermissions(maven, PosixFilePermissions.fromString("rwxr-xr-x"));
    return home;
  }

  private Outcome pretended(Path home, String result) {
    return Rowan.launcher()
        .env("ROWAN_BUILD", "")
        .env("JAVA_HOME", folder.resolve("jdk").toString())
        .env("PATH", folder.resolve("maven") + ":" + System.getenv("PATH"))
        .env("PRETENDED_RESULT", result)
        .command(List.of(home.resolve("rowan").toString(), "near", "cat"));
  }

  @Test
  void concurrentFirstRunsBuildOnce() throws Exception {
    Path home = pretendedHome();
    List<Future<Outcome>> running = new ArrayList<>();
    try (ExecutorService pool = Executors.newFixedThreadPool(4)) {
      for (int i = 0; i < 4; i++) {
        running.add(pool.submit(() -> pretended(home, "0")));
      }
    }
    for (Future<Outcome> run : running) {
      assertThat(outcome(run).code()).as(outcome(run).err()).isZero();
      assertThat(outcome(run).out()).endsWith("ran\n");
    }
    assertThat(Files.readAllLines(home.resolve("builds"))).containsExactly("build");
    assertThat(home.resolve("app/target/rowan.lock")).doesNotExist();
  }

  @Test
  void aChangedSourceBuildsAgainAndAnUnchangedOneDoesNot() throws IOException {
    Path home = pretendedHome();
    assertThat(pretended(home, "0").err()).contains("building", "built in");
    assertThat(pretended(home, "0").err()).isEmpty();
    Files.setLastModifiedTime(
        Files.writeString(home.resolve("core/src/main/New.java"), "class New {}"),
        FileTime.from(Instant.now().plusSeconds(60)));
    assertThat(pretended(home, "0").err()).contains("built in");
    assertThat(Files.readAllLines(home.resolve("builds"))).hasSize(2);
  }

  @Test
  void classesOfAnOlderProgramAreNeverUsed() throws IOException {
    Path home = pretendedHome();
    pretended(home, "0");
    assertThat(pretended(home, "0").out()).isEqualTo("cached\nran\n");
    Files.setLastModifiedTime(
        home.resolve("app/target/rowan/rowan.jar"), FileTime.from(Instant.now().plusSeconds(60)));
    assertThat(pretended(home, "0").out()).isEqualTo("ran\n");
  }

  @Test
  void aFailedBuildSaysSoAndLeavesNoLock() throws IOException {
    Path home = pretendedHome();
    Outcome outcome = pretended(home, "1");
    assertThat(outcome.code()).isEqualTo(1);
    assertThat(outcome.err()).contains("the build failed; the whole log is");
    assertThat(outcome.out()).isEmpty();
    assertThat(home.resolve("app/target/rowan.lock")).doesNotExist();
  }

  @Test
  void aLockWhoseHolderDiedIsTakenOver() throws IOException {
    Path home = pretendedHome();
    Files.createDirectories(home.resolve("app/target"));
    // no process has this id: Linux stops at 2^22, macOS at 99998
    Files.createSymbolicLink(home.resolve("app/target/rowan.lock"), Path.of("99999999"));
    Outcome outcome = pretended(home, "0");
    assertThat(outcome.code()).as(outcome.err()).isZero();
    assertThat(outcome.out()).endsWith("ran\n");
  }
}

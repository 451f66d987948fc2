package dev.rowan.hub;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A model of a hub.
 *
 * @param repository {@code owner/name}, or {@code name} alone for the few that have no owner
 * @param revision a branch, a tag or a commit; the main branch if empty
 * @param file the weights file to take, where the repository has several
 */
public record HubSpec(String repository, Optional<String> revision, Optional<String> file)
    implements RemoteSpec {
  /** A name that is also safe in a path: no separators, no leading dot. */
  private static final Pattern REPOSITORY =
      Pattern.compile("(?:\\w[\\w.-]{0,95}/)?\\w[\\w.-]{0,95}", Pattern.UNICODE_CASE);

  private static final Pattern REVISION = Pattern.compile("\\w[\\w./+-]{0,199}");
  private static final Pattern FILE = Pattern.compile("[^\\\\:\\p{Cntrl}]{1,300}");
  private static final Pattern COMMIT = Pattern.compile("[0-9a-f]{40}");
  private static final Pattern SPEC =
      Pattern.compile("hf:([^@:]*)(?:@([^:]*))?(?::(.*))?", Pattern.CASE_INSENSITIVE);

  /**
   * Checks the parts.
   *
   * @throws IllegalArgumentException if one cannot be what it should be
   */
  public HubSpec {
    if (!REPOSITORY.matcher(repository).matches() || climbs(repository)) {
      throw new IllegalArgumentException(
          "\"hf:%s\" names no model; write hf:owner/name, such as hf:openai-community/gpt2"
              .formatted(repository));
    }
    if (revision.isPresent()
        && (!REVISION.matcher(revision.get()).matches() || climbs(revision.get()))) {
      throw new IllegalArgumentException(
          "\"%s\" is no revision of hf:%s; a branch, a tag or a commit may follow the @"
              .formatted(revision.get(), repository));
    }
    if (file.isPresent()
        && (!FILE.matcher(file.get()).matches()
            || climbs(file.get())
            || file.get().startsWith("/"))) {
      throw new IllegalArgumentException(
          "\"%s\" is no file of hf:%s; a path such as model.safetensors may follow the colon"
              .formatted(file.get(), repository));
    }
  }

  /** Returns whether a name that a server gives is a plain relative path. */
  static boolean isPlainFile(String name) {
    return FILE.matcher(name).matches() && !climbs(name) && !name.startsWith("/");
  }

  private static boolean climbs(String path) {
    return ("/" + path + "/").contains("/../")
        || ("/" + path + "/").contains("/./")
        || path.contains("//");
  }

  static HubSpec parse(String text) {
    Matcher matcher = SPEC.matcher(text);
    if (!matcher.matches()) {
      throw new IllegalArgumentException(
          "\"%s\" names no model; write hf:owner/name or hf:owner/name@revision".formatted(text));
    }
    return new HubSpec(
        matcher.group(1),
        Optional.ofNullable(matcher.group(2)),
        Optional.ofNullable(matcher.group(3)));
  }

  /** Returns whether a revision is a commit, which never changes what it stands for. */
  static boolean isCommit(String revision) {
    return COMMIT.matcher(revision).matches();
  }

  /** Returns the revision to ask for. */
  String asked() {
    return revision.orElse("main");
  }

  @Override
  public String text() {
    return "hf:"
        + repository
        + revision.map(r -> "@" + r).orElse("")
        + file.map(f -> ":" + f).orElse("");
  }

  @Override
  public String toString() {
    return text();
  }
}

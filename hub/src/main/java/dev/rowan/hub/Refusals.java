package dev.rowan.hub;

import java.io.IOException;
import java.net.URI;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Optional;

/** Turns the refusals of servers into what a person can act on. */
final class Refusals {
  private final HubSettings settings;
  private final RemoteSpec model;

  Refusals(HubSettings settings, RemoteSpec model) {
    this.settings = settings;
    this.model = model;
  }

  /** What was asked for. */
  enum About {
    /** What says which files a model has, or a file of which nothing was known. */
    MODEL,
    /** A file that the hub listed a moment ago. */
    LISTED_FILE,
    /** A file that a list in the cache names. */
    REMEMBERED_FILE
  }

  /** A refusal that may go away by itself. */
  static final class Transient extends IOException {
    private static final long serialVersionUID = 1;

    private final transient Optional<Duration> after;

    Transient(String message, Optional<Duration> after) {
      super(message);
      this.after = after;
    }

    /** Returns how long the server asks to wait. */
    Optional<Duration> after() {
      return after;
    }
  }

  /**
   * Returns what to throw for an answer that is no success.
   *
   * @param what the file, or what else was asked for
   * @param about what that is
   */
  IOException of(Reply reply, String what, About about) {
    String code = reply.hubHeader("X-Error-Code").orElse("");
    String host = Addresses.host(reply.from());
    int status = reply.status();
    boolean elsewhere = !Addresses.sameOrigin(reply.from(), settings.endpoint());
    boolean denies =
        switch (status) {
          case 401, 403, 404, 410 -> true;
          default -> false;
        };
    if (denies && about != About.MODEL && !isOfTheModel(code, reply)) {
      return file(reply, what, about);
    }
    return switch (status) {
      case 408, 425, 429, 500, 502, 503, 504 ->
          new Transient(
              "%s answers HTTP %d%s".formatted(host, status, meaning(status)), after(reply));
      case 401, 403 ->
          elsewhere || model instanceof UrlSpec
              ? notHere(
                  "%s refuses %s (HTTP %d)%s".formatted(host, what, status, foreignHint(elsewhere)))
              : denied(code, status, reply);
      case 404, 410 -> absent(code, status, "there is no %s at %s".formatted(what, host));
      case 407 -> gone("the proxy wants a user and password (HTTP 407), which are not supported");
      case 416 ->
          gone(
              "%s has no such part of %s (HTTP 416); the file there is shorter than it was said to be"
                  .formatted(host, what));
      case 451 -> gone("%s may not show it here for legal reasons (HTTP 451)".formatted(host));
      default ->
          gone(
              "%s answers HTTP %d to the question for %s%s"
                  .formatted(host, status, what, said(reply)));
    };
  }

  /** Returns whether the hub itself says that it refuses more than one file. */
  private static boolean isOfTheModel(String code, Reply reply) {
    return switch (code) {
      case "GatedRepo", "RepoNotFound", "RevisionNotFound" -> true;
      default -> isBadToken(reply);
    };
  }

  private static boolean isBadToken(Reply reply) {
    return reply.hubHeader("X-Error-Message").orElse("").startsWith("Invalid credentials");
  }

  /** A file of a model that is there. */
  private HubException file(Reply reply, String what, About about) {
    boolean absent = reply.status() == 404 || reply.status() == 410;
    boolean ours = Addresses.sameOrigin(reply.from(), settings.endpoint());
    String page = settings.endpoint().resolve("/" + repository()).toString();
    String token =
        absent || !ours
            ? ""
            : settings.token().isPresent()
                ? "check that the token in HF_TOKEN may read it, "
                : "set HF_TOKEN to a token that may read it, ";
    String rest =
        about == About.LISTED_FILE
            ? "though the hub lists this file: the model is there. %s, or name another weights file of it, hf:%s:FILE"
                .formatted(start(token + "try again later"), repository())
            : "which the list of the model's files in the cache names; the model may have changed since. %s"
                .formatted(start(token + "see what it has now at " + page));
    return notHere(
        "%s %s %s (HTTP %d), %s"
            .formatted(
                Addresses.host(reply.from()),
                absent ? "has no" : "refuses",
                what,
                reply.status(),
                rest));
  }

  private static String start(String sentence) {
    return sentence.substring(0, 1).toUpperCase(Locale.ROOT) + sentence.substring(1);
  }

  private HubException absent(String code, int status, String file) {
    return switch (code) {
      case "RevisionNotFound" -> revision();
      default ->
          model instanceof UrlSpec
              ? notHere("%s (HTTP %d)".formatted(file, status))
              : missing(status);
    };
  }

  private static String meaning(int status) {
    return switch (status) {
      case 429 -> " (too many requests; with a token in HF_TOKEN the hub allows more)";
      case 503 -> " (not available)";
      default -> "";
    };
  }

  private String foreignHint(boolean elsewhere) {
    return elsewhere && settings.token().isPresent()
        ? "; the token in HF_TOKEN goes to %s only".formatted(Addresses.host(settings.endpoint()))
        : "";
  }

  private HubException denied(String code, int status, Reply reply) {
    URI page = settings.endpoint().resolve("/" + repository());
    boolean known = settings.token().isPresent();
    if (code.equals("GatedRepo") && !known) {
      return gone(
          "this model is gated: its authors let in those who accept their terms. Accept them at %s, then set HF_TOKEN to a token from %s/settings/tokens"
              .formatted(page, settings.endpoint()));
    }
    if (code.equals("GatedRepo")) {
      return gone(
          "this model is gated and the account of the token in HF_TOKEN is not let in (yet). Ask for access at %s and try again when it is granted; a fine-grained token must also allow reading gated models"
              .formatted(page));
    }
    if (known && (status == 401 || isBadToken(reply))) {
      return gone(
          "%s does not accept the token in HF_TOKEN (HTTP %d), or there is no model of this name. Make a new token at %s/settings/tokens, or unset HF_TOKEN for public models"
              .formatted(Addresses.host(settings.endpoint()), status, settings.endpoint()));
    }
    if (known) {
      return gone(
          "the token in HF_TOKEN may not read this model (HTTP %d)%s"
              .formatted(status, said(reply)));
    }
    return missing(status);
  }

  private HubException missing(int status) {
    String host = Addresses.host(settings.endpoint());
    String hint =
        settings.token().isPresent()
            ? "check the spelling, and that the token in HF_TOKEN may read it if it is private"
            : "check the spelling; if it is private, set HF_TOKEN to a token that may read it";
    return gone("%s shows no such model (HTTP %d); %s".formatted(host, status, hint));
  }

  private HubException revision() {
    String asked = model instanceof HubSpec hub ? hub.asked() : "";
    return gone(
        "this model has no revision \"%s\"; see %s for those it has"
            .formatted(asked, settings.endpoint().resolve("/" + repository() + "/tree/main")));
  }

  private String repository() {
    return model instanceof HubSpec hub ? hub.repository() : "";
  }

  private HubException notHere(String message) {
    return HubException.absent(model.text() + ": " + message);
  }

  private HubException gone(String message) {
    return new HubException(model.text() + ": " + message);
  }

  /** Returns what the server says for itself, if that is a line of plain text. */
  private static String said(Reply reply) {
    String text =
        reply
            .hubHeader("X-Error-Message")
            .orElseGet(() -> reply.text().lines().findFirst().orElse(""))
            .replaceAll("\\p{Cntrl}", " ")
            .strip();
    boolean plain = !text.isEmpty() && text.length() <= 200 && !text.startsWith("<");
    return plain ? ": " + text : "";
  }

  /** Reads Retry-After: seconds, or a date. */
  static Optional<Duration> after(Reply reply) {
    return reply
        .header("Retry-After")
        .map(String::strip)
        .flatMap(text -> {
          try {
            if (text.matches("\\d{1,9}")) {
              return Optional.of(Duration.ofSeconds(Long.parseLong(text)));
            }
            Instant then = Instant.from(DateTimeFormatter.RFC_1123_DATE_TIME.parse(text));
            Duration until = Duration.between(Instant.now(), then);
            return Optional.of(until.isNegative() ? Duration.ZERO : until);
          } catch (DateTimeException e) {
            return Optional.empty(); // then our own pauses serve
          }
        });
  }
}

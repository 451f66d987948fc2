package dev.rowan.hub;

import java.net.URI;
import java.net.http.HttpHeaders;
import java.util.Optional;

/**
 * The last answer of a chain of redirects.
 *
 * @param status the HTTP status
 * @param headers of that answer
 * @param from where it came from
 * @param first the headers of the first answer, where the hub says what it redirects to
 * @param text the beginning of what an error says for itself
 */
record Reply(int status, HttpHeaders headers, URI from, HttpHeaders first, String text) {

  Optional<String> header(String name) {
    return headers.firstValue(name);
  }

  /** Returns a header of the hub's own answer, else of the one it led to. */
  Optional<String> hubHeader(String name) {
    return first.firstValue(name).or(() -> headers.firstValue(name));
  }

  boolean isSuccess() {
    return status / 100 == 2;
  }
}

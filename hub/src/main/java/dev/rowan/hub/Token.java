package dev.rowan.hub;

/** A secret that proves who asks. It can be sent, not read: its text form says nothing. */
public final class Token {
  private final String secret;

  private Token(String secret) {
    this.secret = secret;
  }

  /**
   * Takes a token of the hub.
   *
   * @throws IllegalArgumentException if it cannot be one; the message does not repeat it
   */
  public static Token of(String text) {
    String secret = text.strip();
    if (secret.isEmpty() || !secret.chars().allMatch(c -> c > ' ' && c < 127)) {
      throw new IllegalArgumentException(
          "HF_TOKEN holds blanks or characters that no token has; copy the token again from"
              + " https://huggingface.co/settings/tokens, or unset HF_TOKEN");
    }
    return new Token(secret);
  }

  /** Returns the value of an Authorization header. */
  String authorization() {
    return "Bearer " + secret;
  }

  @Override
  public String toString() {
    return "a token";
  }
}

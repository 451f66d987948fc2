package dev.rowan.analysis.edit;

/** A new token and its id. */
record AddedToken(int id, NewToken token) {
  boolean isSpecial() {
    return token.kind() == NewToken.Kind.SPECIAL;
  }
}

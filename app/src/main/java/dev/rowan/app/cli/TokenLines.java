package dev.rowan.app.cli;

import dev.rowan.analysis.edit.NewToken;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A list of tokens to add: one a line, as it stands in text; behind a tab, text that says what it
 * means.
 */
final class TokenLines {
  private TokenLines() {}

  static List<NewToken> read(Path file, NewToken.Kind kind) throws IOException {
    List<String> lines = TextInput.lines(file);
    List<NewToken> tokens = new ArrayList<>();
    for (int i = 0; i < lines.size(); i++) {
      int tab = lines.get(i).indexOf('\t');
      String token = tab < 0 ? lines.get(i) : lines.get(i).substring(0, tab);
      if (token.isEmpty()) {
        throw new UseException(
            "line %d of %s names no token; each line is a token, with its meaning behind a tab if you like"
                .formatted(i + 1, Visible.quoted(file.toString())));
      }
      String meaning = tab < 0 ? "" : lines.get(i).substring(tab + 1);
      tokens.add(new NewToken(token, kind, Optional.of(meaning).filter(text -> !text.isBlank())));
    }
    if (tokens.isEmpty()) {
      throw new UseException(
          "%s is empty; it takes a token a line".formatted(Visible.quoted(file.toString())));
    }
    return tokens;
  }
}

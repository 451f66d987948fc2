package dev.rowan.app.cli;

import dev.rowan.analysis.edit.TextSplitter;
import dev.rowan.core.Vocabulary;
import dev.rowan.text.Tokenizer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/** The tokenizers of several folders, each opened once. Not for several threads. */
final class Splitters implements TextSplitter.Source, AutoCloseable {
  private final Session session;
  private final Map<Path, Optional<Tokenizer>> open = new HashMap<>();

  Splitters(Session session) {
    this.session = session;
  }

  @Override
  public Optional<TextSplitter> open(Path folder) throws IOException {
    Optional<Tokenizer> tokenizer = open.get(folder);
    if (tokenizer == null) {
      tokenizer = session.tokenizerOf(folder);
      open.put(folder, tokenizer);
    }
    return tokenizer.map(Split::new);
  }

  private record Split(Tokenizer tokenizer) implements TextSplitter {
    @Override
    public long[] split(String text) {
      return tokenizer.encode(text);
    }

    @Override
    public OptionalInt unknown(Vocabulary vocabulary) throws IOException {
      return tokenizer.unknown(vocabulary);
    }
  }

  @Override
  public void close() {
    open.values().forEach(tokenizer -> tokenizer.ifPresent(Tokenizer::close));
  }
}

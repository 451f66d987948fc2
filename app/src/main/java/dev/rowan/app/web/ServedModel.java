package dev.rowan.app.web;

import dev.rowan.app.answers.Asked;
import dev.rowan.app.answers.Centring;
import dev.rowan.app.answers.OpenModel;
import dev.rowan.core.Lexicon;
import dev.rowan.core.NamedTable;
import dev.rowan.core.Workers;
import dev.rowan.text.Tokenizer;
import java.io.IOException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A model that many visitors ask at once: each part is opened by the first and kept. One lock for
 * all parts, because what it wraps is made for a single thread.
 */
final class ServedModel implements OpenModel {
  private final String name;
  private final OpenModel open;
  private final Part<Lexicon> lexicon;
  private final Part<NamedTable> table;
  private final Part<NamedTable> centred;
  private final Part<Optional<NamedTable>> output;
  private final Part<Optional<Tokenizer>> tokenizer;

  ServedModel(String name, OpenModel open) {
    this.name = name;
    this.open = open;
    this.lexicon = new Part<>(open::lexicon);
    this.table = new Part<>(open::table);
    this.centred = new Part<>(this::centre);
    this.output = new Part<>(open::ownOutput);
    this.tokenizer = new Part<>(open::tokenizer);
  }

  /** Something that is made once. */
  private final class Part<T> {
    private final Maker<T> maker;
    private volatile @Nullable T made;

    Part(Maker<T> maker) {
      this.maker = maker;
    }

    T get() throws IOException {
      T known = made;
      if (known == null) {
        synchronized (ServedModel.this) {
          known = made;
          if (known == null) {
            known = maker.make();
            made = known;
          }
        }
      }
      return known;
    }
  }

  private interface Maker<T> {
    T make() throws IOException;
  }

  /** Returns what visitors call it. */
  String name() {
    return name;
  }

  @Override
  public Lexicon lexicon() throws IOException {
    return lexicon.get();
  }

  @Override
  public NamedTable table() throws IOException {
    return table.get();
  }

  /** Returns the table with its mean row taken away from every row. */
  NamedTable centred() throws IOException {
    return centred.get();
  }

  private NamedTable centre() throws IOException {
    NamedTable plain = table();
    return new NamedTable(plain.tensor(), Centring.of(plain.table(), workers()));
  }

  @Override
  public Optional<NamedTable> ownOutput() throws IOException {
    return output.get();
  }

  @Override
  public Optional<Tokenizer> tokenizer() throws IOException {
    return tokenizer.get();
  }

  @Override
  public Workers workers() {
    return open.workers();
  }

  /** Returns the token of a row as it is shown to scripts. */
  Token token(long id) throws IOException {
    return new Token(new Asked(lexicon()).text(id), id);
  }

  /** A row's name. */
  record Token(String token, long id) {}
}

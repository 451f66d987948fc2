package dev.rowan.hub;

import dev.rowan.core.Vocabulary;
import dev.rowan.formats.OpenOptions;
import dev.rowan.formats.config.ModelConfig;
import dev.rowan.formats.config.TieSetting;
import dev.rowan.formats.tensor.TensorFile;
import dev.rowan.formats.tokenizer.TokenizerFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The small files beside the weights of a remote model: its config and its tokenizer.
 *
 * @param fetcher gets them
 * @param files where they are in the cache, by name
 */
record Companions(Fetcher fetcher, Map<String, Path> files) {
  private static final long LONGEST = 512 << 20;

  /** Copies the map. */
  Companions {
    files = Map.copyOf(files);
  }

  /** Fetches them while something else is done, which is a task like each of them. */
  static Companions fetch(Fetcher fetcher, Weights weights, Together.Task meanwhile)
      throws IOException {
    Map<String, Path> files = new LinkedHashMap<>();
    List<Together.Task> tasks = new ArrayList<>(List.of(meanwhile));
    for (Entry entry : weights.companions(fetcher.listing())) {
      tasks.add(() -> {
        Path file = fetcher.small(entry, LONGEST);
        synchronized (files) {
          files.put(entry.lastName(), file);
        }
      });
    }
    Together.run(tasks);
    return new Companions(fetcher, files);
  }

  /** As for local models: what the file notes of its tie goes before what a config says. */
  ModelConfig config(TensorFile tensors) throws IOException {
    Path beside = files.get("config.json");
    ModelConfig own = tensors.config();
    if (beside == null || own.tie() == TieSetting.INPUT_ONLY) {
      return own;
    }
    ModelConfig read = ModelConfig.read(beside);
    return own.tie().isNoted() ? read.withTie(own.tie()) : read;
  }

  /**
   * Returns what reads the tokens, once: of the tokenizer that the options name, else of the
   * weights themselves, else of what lies beside them.
   */
  Optional<Supplier<Vocabulary>> vocabulary(
      TensorFile tensors, Weights weights, OpenOptions options) throws IOException {
    Optional<Path> beside = tokenizer();
    Optional<Supplier<Vocabulary>> inFile =
        tensors.vocabulary().or(() -> TokensInside.of(fetcher, weights, tensors));
    Optional<Supplier<Vocabulary>> vocabulary =
        options.tokenizer().isEmpty() && inFile.isPresent()
            ? inFile
            : options.tokenizer().or(() -> beside).map(Companions::reader);
    return vocabulary.map(Once::new);
  }

  private static Supplier<Vocabulary> reader(Path file) {
    return () -> {
      try {
        return TokenizerFile.of(file).vocabulary();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    };
  }

  /** Returns the tokenizer; some are several files, which must lie side by side. */
  Optional<Path> tokenizer() throws IOException {
    Path alone = files.get("tokenizer.json");
    if (alone != null) {
      return Optional.of(alone);
    }
    Optional<String> name = TokenizerFile.NAMES.stream().filter(files::containsKey).findFirst();
    if (name.isEmpty()) {
      return Optional.empty();
    }
    Path folder = fetcher.store().beside(fetcher.catalog().key(), fetcher.listing().commit());
    for (var companion : files.entrySet()) {
      Kept.link(folder.resolve(companion.getKey()), companion.getValue());
    }
    return name.map(folder::resolve);
  }

  /** Reads once. */
  private static final class Once implements Supplier<Vocabulary> {
    private final Supplier<Vocabulary> reader;
    private @Nullable Vocabulary read;

    Once(Supplier<Vocabulary> reader) {
      this.reader = reader;
    }

    @Override
    public synchronized Vocabulary get() {
      Vocabulary known = read;
      if (known == null) {
        known = reader.get();
        read = known;
      }
      return known;
    }
  }
}

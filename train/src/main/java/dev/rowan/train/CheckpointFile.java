package dev.rowan.train;

import dev.rowan.core.Vocabulary;
import dev.rowan.formats.file.FormatException;
import dev.rowan.formats.safetensors.Safetensors;
import dev.rowan.formats.safetensors.SafetensorsHeader;
import dev.rowan.formats.safetensors.StoredTokens;
import dev.rowan.formats.tensor.TensorInfo;
import dev.rowan.train.corpus.CountedVocabulary;
import dev.rowan.train.corpus.EncodedCorpus;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * The file of a training that was interrupted, whatever it learns: words, arrays of numbers as they
 * lie in memory, and texts by name, in a safetensors file.
 *
 * <p>Open until {@link #close}; not for several threads at once.
 */
public final class CheckpointFile implements AutoCloseable {
  /** 2: the text is told from others, and all texts are checked, which 1 did not do. */
  static final String VERSION = "2";

  static final String DIGEST = "rowan.text"; // of the text
  private static final ValueLayout.OfLong COUNT =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  static final String KEPT = "rowan.kept."; // what tensors of keepsakes are called
  private static final long MOST_KEPT = 1L << 28; // bytes of one; a report has some thousands

  private final Path path;
  private final Safetensors file;
  private final Kind kind;

  /** What a training learns from. */
  public enum Kind {
    /** Windows of words: skip-gram and CBOW. */
    WINDOWS("rowan.checkpoint.", "rowan.train.", "--objective skipgram or cbow"),
    /** How often words come near each other. */
    PAIRS("rowan.glove-checkpoint.", "rowan.glove-checkpoint.", "--objective glove"),
    /** The words before. */
    LANGUAGE("rowan.language.", "rowan.language.", "--objective next");

    private final String prefix;
    private final String settings;
    private final String words;

    Kind(String prefix, String settings, String words) {
      this.prefix = prefix;
      this.settings = settings;
      this.words = words;
    }

    /** Returns what the names of texts and arrays begin with. */
    public String prefix() {
      return prefix;
    }
  }

  private CheckpointFile(Path path, Safetensors file, Kind kind) {
    this.path = path;
    this.file = file;
    this.kind = kind;
  }

  /**
   * Opens a file, reads what stands in its header and checks all else once.
   *
   * @param kind what it has to be
   * @param reader makes a checkpoint of the file, which is closed if that fails
   * @throws FormatException if it is no such file, its numbers are not those that were written, or
   *     the reader throws an {@link IllegalArgumentException}
   */
  public static <T> T open(Path path, Kind kind, Function<CheckpointFile, T> reader)
      throws IOException {
    CheckpointFile file = openAny(path);
    try {
      if (file.kind != kind) {
        throw new FormatException(
            path, "this is a checkpoint of %s, not of %s".formatted(file.kind.words, kind.words));
      }
      T read = reader.apply(file);
      file.file.tensors().forEach(tensor -> Checksum.check(path, file.file, tensor));
      return read;
    } catch (IllegalArgumentException e) {
      file.close();
      throw new FormatException(path, "the header is damaged: " + e.getMessage());
    } catch (RuntimeException | Error e) {
      file.close();
      throw e;
    }
  }

  /**
   * Opens a file of any kind and checks its texts.
   *
   * @throws FormatException if it is no checkpoint, or of another version, or its texts were
   *     changed
   */
  static CheckpointFile openAny(Path path) throws IOException {
    Safetensors file = Safetensors.open(path, SafetensorsHeader.DEFAULT_LIMIT);
    try {
      for (Kind kind : Kind.values()) {
        String version = file.metadata().get(kind.prefix + "version");
        if (version != null) {
          check(path, version);
          Checksum.checkTexts(path, file.metadata());
          return new CheckpointFile(path, file, kind);
        }
      }
      throw new FormatException(
          path, "this is no checkpoint; give the file that training left beside its output");
    } catch (RuntimeException | Error e) {
      file.close();
      throw e;
    }
  }

  private static void check(Path path, String version) {
    if (!version.equals(VERSION)) {
      throw new FormatException(
          path,
          "this is a checkpoint of version %s, and this program reads version %s; let the program that wrote it go on, or delete it to begin anew"
              .formatted(version, VERSION));
    }
  }

  /** Returns where the file is. */
  public Path path() {
    return path;
  }

  /** Returns the texts whose names begin with a prefix, by the rest of their names. */
  public Map<String, String> texts(String prefix) {
    Map<String, String> texts = new LinkedHashMap<>();
    file.metadata()
        .forEach((name, value) -> {
          if (name.startsWith(prefix)) {
            texts.put(name.substring(prefix.length()), value);
          }
        });
    return texts;
  }

  /** Returns the settings by name, among other texts. */
  Map<String, String> settings() {
    return texts(kind.settings);
  }

  /**
   * Returns the keepsakes.
   *
   * @throws FormatException if one is no text, or not the one that was written
   */
  Map<String, String> keepsakes() {
    Map<String, String> kept = new LinkedHashMap<>();
    for (TensorInfo tensor : file.tensors()) {
      if (tensor.name().startsWith(KEPT)) {
        if (tensor.bytes() > MOST_KEPT) {
          throw new FormatException(
              path,
              "tensor \"%s\" has %,d bytes; a text of at most %,d was expected"
                  .formatted(tensor.name(), tensor.bytes(), MOST_KEPT));
        }
        Checksum.check(path, file, tensor);
        kept.put(tensor.name().substring(KEPT.length()), decoded(tensor));
      }
    }
    return kept;
  }

  private String decoded(TensorInfo tensor) {
    try {
      return StandardCharsets.UTF_8
          .newDecoder()
          .decode(file.data(tensor).asByteBuffer())
          .toString();
    } catch (CharacterCodingException e) {
      throw new FormatException(path, "tensor \"" + tensor.name() + "\" is no UTF-8 text");
    }
  }

  /** Returns a text; empty if there is none of that name. */
  public Optional<String> find(String name) {
    return Optional.ofNullable(file.metadata().get(name));
  }

  /**
   * Returns a text.
   *
   * @throws FormatException if there is none of that name
   */
  public String text(String name) {
    return find(name)
        .orElseThrow(() -> new FormatException(path, "the header has no \"" + name + "\""));
  }

  /** Returns the words; empty where they are missing. */
  public Optional<Vocabulary> words() {
    return StoredTokens.of(file);
  }

  /** Returns whether the words are those of a vocabulary, in the same order. */
  public boolean hasWords(Vocabulary now) {
    Optional<Vocabulary> then = words();
    boolean same = then.isPresent() && then.get().size() == now.size();
    for (int id = 0; same && id < now.size(); id++) {
      same = now.stored(id).equals(then.orElseThrow().stored(id));
    }
    return same;
  }

  /**
   * Refuses a text that is not the one that was learned from.
   *
   * @param then how much there was to learn from
   * @param now how much there is
   * @throws IllegalArgumentException if its words, their number or their order differ
   */
  public void checkText(EncodedCorpus corpus, String then, String now) {
    Vocabulary words = corpus.vocabulary().vocabulary();
    boolean sameOrder = text(DIGEST).equals(corpus.digest());
    if (hasWords(words) && sameOrder && then.equals(now)) {
      return;
    }
    String difference =
        !then.equals(now)
            ? "%s then, %s now".formatted(then, now)
            : hasSameCounts(corpus.vocabulary())
                ? "both have %s, but not in the same order".formatted(now)
                : "both have %s, but the words or their counts differ".formatted(now);
    throw new IllegalArgumentException(
        "%s was made from another text than %s, or by other rules for words: %s. Give the text of the first command again, or delete the file to begin anew"
            .formatted(path, corpus.name(), difference));
  }

  private boolean hasSameCounts(CountedVocabulary now) {
    return hasWords(now.vocabulary()) && Arrays.equals(counts(now.size()), now.counts());
  }

  /**
   * Returns how often words came.
   *
   * @throws FormatException if they are not there
   */
  long[] counts(int words) {
    return data(TrainedTable.COUNTS, 8L * words).toArray(COUNT);
  }

  /**
   * Returns the bytes of an array, valid until {@link #close}.
   *
   * @throws FormatException if it is not there, or has another size
   */
  public MemorySegment data(String name, long bytes) {
    TensorInfo tensor =
        file.find(name)
            .orElseThrow(() -> new FormatException(path, "holds no tensor \"" + name + "\""));
    MemorySegment stored = file.data(tensor);
    if (stored.byteSize() != bytes) {
      throw new FormatException(
          path,
          "tensor \"%s\" has %,d bytes; these settings need %,d"
              .formatted(name, stored.byteSize(), bytes));
    }
    return stored;
  }

  @Override
  public void close() {
    file.close();
  }
}

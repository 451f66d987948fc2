package dev.rowan.text;

import ai.djl.engine.EngineException;
import ai.djl.huggingface.tokenizers.HuggingFaceTokenizer;
import dev.rowan.core.Vocabulary;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalInt;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The tokenizer of a {@code tokenizer.json}, run by the library that defines that format.
 *
 * <p>The library is native code, there for Linux (x86-64, ARM64), macOS (ARM64) and Windows
 * (x86-64). The first open unpacks it to the cache of the Deep Java Library ({@code DJL_CACHE_DIR},
 * else {@code ~/.djl.ai}) and takes a good part of a second, so it is opened only when text has to
 * be split. It is told to stay off the network and to use the CPU: left alone, the Java library
 * around it reports its use to its makers and fetches a GPU build where it sees a GPU.
 */
public final class NativeTokenizer implements Tokenizer {
  private final HuggingFaceTokenizer library;
  private final Path file;
  private boolean closed;

  private NativeTokenizer(HuggingFaceTokenizer library, Path file) {
    this.file = file;
    this.library = library;
  }

  /** What the library's "Whitespace" cuts text into, the one used with lists of words. */
  private static final Pattern PIECE =
      Pattern.compile("\\w+|[^\\w\\s]+", Pattern.UNICODE_CHARACTER_CLASS);

  /**
   * Opens the tokenizer of a file.
   *
   * @param file a {@code tokenizer.json}; no file beside it is read
   * @throws IOException if the file cannot be read or is not a tokenizer
   * @throws dev.rowan.formats.file.FormatException if it is no JSON, or names tokens and no more
   * @throws UnsupportedOperationException if there is no native library for this platform
   */
  public static NativeTokenizer open(Path file) throws IOException {
    NamesAlone.refuse(file);
    NativePatterns.refuse(file);
    setUnlessSet("ai.djl.offline", "true");
    setUnlessSet("OPT_OUT_TRACKING", "true");
    setUnlessSet("RUST_FLAVOR", "cpu");
    Map<String, String> options =
        Map.of("addSpecialTokens", "false", "truncation", "false", "padding", "false");
    try (InputStream json = Files.newInputStream(file)) {
      return new NativeTokenizer(HuggingFaceTokenizer.newInstance(json, options), file);
    } catch (LinkageError | EngineException e) {
      throw new UnsupportedOperationException(
          ("the native tokenizer library cannot be used on this %s %s (%s); text cannot be split"
                  + " here, but whole tokens and #ID work everywhere")
              .formatted(System.getProperty("os.name"), System.getProperty("os.arch"), reason(e)),
          e);
    } catch (RuntimeException e) {
      // the native side reports a bad file as a bare RuntimeException
      throw new IOException(
          "%s: not a tokenizer that can be run: %s".formatted(file, firstLine(e)), e);
    }
  }

  private static @Nullable String reason(Throwable failure) {
    Throwable root = failure;
    for (Throwable cause = failure.getCause(); cause != null; cause = cause.getCause()) {
      root = cause;
    }
    return root.getMessage();
  }

  private static void setUnlessSet(String property, String value) {
    if (System.getProperty(property) == null) {
      System.setProperty(property, value);
    }
  }

  private static String firstLine(RuntimeException e) {
    String message = e.getMessage();
    return message == null ? e.getClass().getSimpleName().toLowerCase(Locale.ROOT) : message;
  }

  @Override
  public long[] encode(String text, SpecialTokens special) {
    synchronized (library) {
      if (closed) {
        throw new IllegalStateException("the tokenizer is closed; open it again");
      }
    }
    boolean framed = special == SpecialTokens.ADD;
    try {
      return ids(text, framed);
    } catch (RuntimeException e) {
      if (!lacksUnknown(e)) {
        throw e;
      }
      // A list of words without a token for others; they are left out, as in every list of words.
      List<String> known = PIECE.matcher(text).results().map(MatchResult::group).toList();
      return ids(known.stream().filter(this::canWrite).collect(Collectors.joining(" ")), framed);
    }
  }

  @Override
  public OptionalInt unknown(Vocabulary vocabulary) throws IOException {
    return UnknownToken.of(file, vocabulary);
  }

  private long[] ids(String text, boolean framed) {
    return library.encode(text, framed, false).getIds();
  }

  private boolean canWrite(String piece) {
    try {
      ids(piece, false);
      return true;
    } catch (RuntimeException e) {
      if (!lacksUnknown(e)) {
        throw e;
      }
      return false;
    }
  }

  /** The native side says so of text with a word it lacks; there is no type to tell it by. */
  private static boolean lacksUnknown(RuntimeException e) {
    return firstLine(e).contains("Missing") && firstLine(e).contains("token from the vocabulary");
  }

  @Override
  public void close() {
    synchronized (library) {
      if (!closed) {
        closed = true;
        library.close();
      }
    }
  }
}

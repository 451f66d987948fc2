package dev.rowan.hub;

import dev.rowan.core.Tie;
import dev.rowan.core.Vocabulary;
import dev.rowan.formats.safetensors.Safetensors;
import dev.rowan.formats.safetensors.SafetensorsHeader;
import dev.rowan.formats.safetensors.StoredTokens;
import dev.rowan.formats.tensor.TensorFile;
import dev.rowan.formats.tensor.TensorInfo;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The tokens that a safetensors file itself holds, as those of Rowan do; fetched without a table.
 */
final class TokensInside {
  static final String SUFFIX = ".tokens";

  private TokensInside() {}

  /** Returns what fetches and reads them, if the headers name any. */
  static Optional<Supplier<Vocabulary>> of(Fetcher fetcher, Weights weights, TensorFile tensors) {
    List<TensorInfo> parts =
        tensors.tensors().stream().filter(part -> StoredTokens.isPart(part.name())).toList();
    if (weights.kind() != Weights.Kind.SAFETENSORS || parts.isEmpty()) {
      return Optional.empty();
    }
    Entry file = weights.holder(parts.getFirst()).orElseThrow();
    Excerpt tokens = Excerpt.ofSafetensors(Tie.UNKNOWN, parts);
    return Optional.of(() -> {
      try (Safetensors open =
          Safetensors.open(
              fetcher.quietly().excerpt(file, tokens, SUFFIX), SafetensorsHeader.DEFAULT_LIMIT)) {
        return StoredTokens.of(open).orElseThrow();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    });
  }
}

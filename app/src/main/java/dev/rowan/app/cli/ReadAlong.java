package dev.rowan.app.cli;

import dev.rowan.formats.model2vec.StaticModel;
import dev.rowan.formats.tensorflow.TensorflowFile;
import dev.rowan.formats.tokenizer.TokenizerFile;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Files beside a model's file that are read along with it, by their names. */
final class ReadAlong {
  private static final Set<String> NAMES =
      Stream.of(
              TokenizerFile.NAMES.stream(),
              TensorflowFile.CONFIGS.stream(),
              StaticModel.SAYING.stream(),
              Stream.of(
                  "config.json",
                  "merges.txt",
                  "vocab.bpe",
                  "added_tokens.json",
                  "tokenizer_config.json",
                  "special_tokens_map.json",
                  "metadata.tsv",
                  "tensors.tsv",
                  "projector_config.pbtxt"))
          .flatMap(names -> names)
          .collect(Collectors.toUnmodifiableSet());

  private static final Pattern OF_SEVERAL =
      Pattern.compile(
          ".*-\\d{5}-of-\\d{5}(\\..*)?|.*\\.index\\.json|.*\\.tiktoken", Pattern.DOTALL);

  private ReadAlong() {}

  /**
   * Returns whether a file may be read along with another one of its folder.
   *
   * @param model the name of a model's file
   * @param beside the name of the other
   */
  static boolean is(String model, String beside) {
    return NAMES.contains(beside)
        || OF_SEVERAL.matcher(beside).matches()
        || Stream.of("_data", ".data").anyMatch(data -> beside.startsWith(model + data)); // of ONNX
  }
}

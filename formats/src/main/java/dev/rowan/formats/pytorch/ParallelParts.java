package dev.rowan.formats.pytorch;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Files of models that were cut for several devices, each with some columns or rows of every large
 * matrix, the token table too:
 *
 * <pre>
 *   Llama       consolidated.00.pth, consolidated.01.pth
 *   GPT-NeoX    layer_00-model_00-model_states.pt, layer_00-model_01-model_states.pt
 *   Megatron    mp_rank_00_model_states.pt, mp_rank_01_model_states.pt
 * </pre>
 */
public final class ParallelParts {
  private static final Pattern PART =
      Pattern.compile("(consolidated\\.|(?:layer_\\d+-)?model_|mp_rank_)(\\d\\d)(.*\\.(?:pth|pt))");

  private ParallelParts() {}

  /** Returns what to know of a file that is such a part. */
  static Optional<String> note(Path file) {
    return isOne(file)
        ? Optional.of(
            "%s is one of several parts that each hold some columns or rows of the table: what is read here is this part alone; join them with the model's own conversion script"
                .formatted(file.getFileName()))
        : Optional.empty();
  }

  /** Returns whether all files are such parts. */
  public static boolean are(List<Path> files) {
    return files.size() > 1 && files.stream().allMatch(ParallelParts::isOne);
  }

  /** Returns whether another part lies beside a file. */
  private static boolean isOne(Path file) {
    Path name = file.getFileName();
    Matcher part = PART.matcher(name == null ? "" : name.toString());
    if (!part.matches()) {
      return false;
    }
    String other = part.group(2).equals("00") ? "01" : "00";
    return Files.isRegularFile(file.resolveSibling(part.group(1) + other + part.group(3)));
  }
}

package dev.rowan.analysis.edit;

import dev.rowan.formats.tensor.Dtype;
import java.nio.file.Path;
import java.util.List;

/**
 * What to change. Ids are those of the model as it is; several edits are done in the order given,
 * except that numbers are merged first, and centred, normalised and converted last.
 */
public sealed interface Edit {

  /**
   * Adds rows at the end.
   *
   * @param rows how many, 1 or more
   */
  record Grow(long rows) implements Edit {}

  /**
   * Adds rows at the end so that there are so many; fewer than there are is an error.
   *
   * @param rows how many in the end
   */
  record GrowTo(long rows) implements Edit {}

  /**
   * Adds rows at the end until their number is a multiple.
   *
   * @param multiple of what, 1 or more
   */
  record PadToMultiple(long multiple) implements Edit {}

  /**
   * Cuts rows off the end; tokens whose rows go leave the tokenizer.
   *
   * @param rows how many are left, 1 or more
   */
  record Shrink(long rows) implements Edit {}

  /**
   * Keeps the tokens that texts use and those that the tokenizer cannot do without; ids change, and
   * {@code token-ids.tsv} in the new folder says how.
   *
   * @param corpus files of UTF-8 text, as they are or packed with gzip
   * @param leastCount how often a token must occur to stay, 1 or more
   */
  record PruneTo(List<Path> corpus, long leastCount) implements Edit {
    /** Copies the list. */
    public PruneTo {
      corpus = List.copyOf(corpus);
    }
  }

  /**
   * Gives the model another tokenizer: rows of tokens that both have are copied, others are made.
   *
   * @param donor a folder with the tokenizer, and a model for {@link Initialisation.Neighbours}
   */
  record TransplantTo(Path donor) implements Edit {}

  /**
   * Adds tokens behind the last one. Rows beyond the vocabulary are used before new ones are made.
   *
   * @param tokens the tokens in the order of their ids
   */
  record AddTokens(List<NewToken> tokens) implements Edit {
    /** Copies the list. */
    public AddTokens {
      tokens = List.copyOf(tokens);
    }
  }

  /**
   * Gives a row other numbers.
   *
   * @param id the row
   * @param by what it becomes
   */
  record Replace(long id, Initialisation by) implements Edit {}

  /**
   * Lets two rows change places; their tokens stay.
   *
   * @param a one row
   * @param b the other
   */
  record Swap(long a, long b) implements Edit {}

  /** Takes the mean of all rows from each row. */
  record Centre() implements Edit {}

  /** Divides each row by its length; rows of zeros stay. */
  record Normalise() implements Edit {}

  /**
   * Mixes with the table of another model of the same shape and tokens: (1 − weight) · this +
   * weight · other. What is not a table is not merged.
   *
   * @param other the other model
   * @param weight the other's share
   */
  record Average(Path other, double weight) implements Edit {}

  /**
   * Adds a task vector (Ilharco et al. 2023): this + weight · (tuned − base).
   *
   * @param tuned a model that was trained further
   * @param base the model from which that training started
   * @param weight how much of the difference is added
   */
  record TaskVector(Path tuned, Path base, double weight) implements Edit {}

  /**
   * Stores the tables in another number format, each number rounded once.
   *
   * @param dtype F32, F16, BF16 or F64 of safetensors
   */
  record Convert(Dtype dtype) implements Edit {}
}

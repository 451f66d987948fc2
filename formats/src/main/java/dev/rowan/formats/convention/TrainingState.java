package dev.rowan.formats.convention;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What training keeps in a file beside the model: an optimizer's moments, which have the shapes of
 * parameters and are none, its counters, and metrics.
 *
 * <pre>
 *   Keras 2 .h5         optimizer_weights/…
 *   Keras               optimizer/vars/3, metrics/mean/vars/0
 *   TensorFlow 1        NAME/Adam, NAME/Adam_1, NAME/adam_m, NAME_slot_vr, beta1_power, global_step
 *   TensorFlow 2        NAME/.OPTIMIZER_SLOT/…, optimizer/_variables/3/.ATTRIBUTES/…
 * </pre>
 *
 * <p>A name of TensorFlow 1 is one of these only where NAME alone is a variable too. Averages of
 * the parameters ({@code NAME/ExponentialMovingAverage}) are models of their own and are not meant.
 */
public final class TrainingState {
  private static final Pattern KERAS =
      Pattern.compile("optimizer_weights/.+|(.*/)?optimizer/vars/\\d+|metrics/.+/vars/\\d+");

  /** What optimizers of TensorFlow 1, of BERT's release and of Mesh TensorFlow append to a name. */
  private static final Pattern SLOT =
      Pattern.compile(
          "(.+)(/(Adam|AdamW|AdaMax|LazyAdam|AMSGrad|Momentum|RMSProp|Adagrad|AdagradDA|Adadelta"
              + "|Ftrl|AddSign|PowerSign|LARSOptimizer)(_\\d+)?"
              + "|/(adam|lamb|adam_weight_decay)_[mv]|_slot_(m|v|vr|vc))");

  private static final Pattern COUNTER =
      Pattern.compile("(.*/)?(global_step|beta[12]_power(_\\d+)?)");

  private static final String OBJECT = "/.ATTRIBUTES/VARIABLE_VALUE";

  /** Keras 3 may store the model's own parameters as optimizer/_trainable_variables/0. */
  private static final Pattern OF_OBJECT =
      Pattern.compile(
          "(.*/)?optimizer/(_variables|_momentums|_velocities|_velocity_hats|_accumulators"
              + "|_accumulated_\\w+|_average_gradients)/\\d+"
              + "|(.*/)?optimizer/(_iterations|iter|_?learning_rate|_current_learning_rate|beta_[12]"
              + "|decay|momentum|rho)"
              + "|(.*/)?(keras_api/metrics/.+)");

  private TrainingState() {}

  /** Returns whether a data set of Keras is none of the model. */
  public static boolean isInKeras(String name) {
    return KERAS.matcher(name).matches();
  }

  /**
   * Returns whether a variable of a TensorFlow checkpoint is none of the model.
   *
   * @param all the names of its variables
   */
  public static boolean isInCheckpoint(String name, Set<String> all) {
    if (name.endsWith(OBJECT)) {
      String path = name.substring(0, name.length() - OBJECT.length());
      return path.contains("/.OPTIMIZER_SLOT/") || OF_OBJECT.matcher(path).matches();
    }
    Matcher slot = SLOT.matcher(name);
    return (slot.matches() && all.contains(slot.group(1))) || COUNTER.matcher(name).matches();
  }

  /**
   * Returns the sentence that says what was left out; empty if nothing was.
   *
   * @param file the name of the file
   */
  public static Optional<String> note(String file, List<String> leftOut) {
    return switch (leftOut.size()) {
      case 0 -> Optional.empty();
      case 1 ->
          Optional.of(
              "%s also holds \"%s\" of its training, which is no part of the model and left out"
                  .formatted(file, leftOut.getFirst()));
      default ->
          Optional.of(
              "%s also holds %,d tensors of its training, such as \"%s\", which are no part of the model and left out"
                  .formatted(file, leftOut.size(), leftOut.getFirst()));
    };
  }
}

/**
 * The trainable embedding layer: lookups, bags, row-sparse gradients, optimizers and the tied
 * output.
 *
 * <p>Start at {@link dev.rowan.layer.Embedding}.
 */
module dev.rowan.layer {
  requires transitive dev.rowan.core;
  requires static transitive org.jspecify;

  exports dev.rowan.layer;
}

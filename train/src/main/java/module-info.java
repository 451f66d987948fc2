/**
 * Training embedding tables from text.
 *
 * <p>Start at {@link dev.rowan.train.Trainer}.
 */
module dev.rowan.train {
  requires transitive dev.rowan.core;
  requires transitive dev.rowan.layer;
  requires transitive dev.rowan.formats;
  requires transitive dev.rowan.text;
  requires static transitive org.jspecify;
  requires static jdk.incubator.vector;
  requires aircompressor.v3;

  exports dev.rowan.train;
  exports dev.rowan.train.corpus;
  exports dev.rowan.train.glove;
  exports dev.rowan.train.kernel;
  exports dev.rowan.train.lm;
}

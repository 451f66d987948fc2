/**
 * Tables of token rows, their vocabularies, and exact answers from them.
 *
 * <p>Start at {@link dev.rowan.core.Table}. Needs nothing but java.base; with the incubating Vector
 * API module added to the JVM the same answers come faster.
 */
module dev.rowan.core {
  requires static jdk.incubator.vector;
  requires static transitive org.jspecify;

  exports dev.rowan.core;
  exports dev.rowan.core.kernel;
}

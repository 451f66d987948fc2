/** Training embedding tables from text. */
module dev.rowan.train {
  requires transitive dev.rowan.core;
  requires transitive dev.rowan.layer;
  requires dev.rowan.formats;
  requires dev.rowan.text;
  requires static org.jspecify;
  requires static jdk.incubator.vector;
}

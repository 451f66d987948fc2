/** Geometry, maps, evaluation, audit and edits of embedding tables. */
module dev.rowan.analysis {
  requires transitive dev.rowan.core;
  requires transitive dev.rowan.formats;
  requires java.desktop;
  requires static org.jspecify;

  exports dev.rowan.analysis.audit;
  exports dev.rowan.analysis.compare;
  exports dev.rowan.analysis.edit;
  exports dev.rowan.analysis.eval;
  exports dev.rowan.analysis.geometry;
  exports dev.rowan.analysis.map;
  exports dev.rowan.analysis.output;
  exports dev.rowan.analysis.picture;
}

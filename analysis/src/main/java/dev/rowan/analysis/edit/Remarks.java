package dev.rowan.analysis.edit;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/** What a user should know about numbers that are as asked for, yet not as expected. */
final class Remarks {
  private Remarks() {}

  /** Rows drawn so close to the mean may become equal where numbers have few digits. */
  static Optional<String> equalDraws(EditedRows rows) {
    RowEncoder encoder = RowEncoder.of(rows.numbers().dtype()).orElseThrow();
    Blend.Reader reader = rows.reader();
    float[] row = new float[rows.width()];
    MemorySegment stored = MemorySegment.ofArray(new byte[Math.toIntExact(rows.rowBytes())]);
    Set<String> distinct = new HashSet<>();
    long drawn = 0;
    for (long id = 0; id < rows.layout().rows(); id++) {
      if (rows.layout().recipe(id).filter(Recipe.Draw.class::isInstance).isPresent()) {
        reader.read(id, row);
        encoder.encode(row, stored, 0);
        distinct.add(new String(stored.toArray(JAVA_BYTE), StandardCharsets.ISO_8859_1));
        drawn++;
      }
    }
    return distinct.size() == drawn
        ? Optional.empty()
        : Optional.of(
            "%s: of %,d drawn rows only %,d differ once stored as %s, whose steps are wider than 1e-9 of the covariance"
                .formatted(
                    rows.tensor().title(), drawn, distinct.size(), rows.numbers().dtype().shown()));
  }
}

package dev.rowan.hub;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowan.hub.Excerpt.Piece;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class PieceListTest {
  private static Optional<PieceList> read(String kept) {
    byte[] bytes = kept.getBytes(StandardCharsets.US_ASCII);
    return PieceList.read(MemorySegment.ofArray(bytes), 100);
  }

  @Test
  void saysWhichPiecesFollow() {
    List<Piece> pieces = List.of(new Piece(3, 5), new Piece(90, 100));
    Excerpt excerpt = PieceList.of(pieces);
    assertThat(new String(excerpt.start(), StandardCharsets.US_ASCII)).isEqualTo("3-5\n90-100\n\n");
    assertThat(read("3-5\n90-100\n\nabcdefghijkl")).contains(new PieceList(pieces, 12));
  }

  @Test
  void isNoneWhereBytesAreMissingOrDoNotFitTheFile() {
    for (String kept :
        List.of(
            "",
            "\n",
            "3-5",
            "3-5\n",
            "3-5\n\na",
            "3-5\n\nabc",
            "3-5\n90-101\n\nabcdefghijklm",
            "5-5\n\n",
            "5-3\n\n",
            "-3-5\n\nab",
            "3-99999999999999999999\n\nab",
            "\0\0\0\0\0\0\0")) {
      assertThat(read(kept)).as(kept).isEmpty();
    }
  }
}

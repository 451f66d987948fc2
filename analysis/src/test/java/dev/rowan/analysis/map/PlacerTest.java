package dev.rowan.analysis.map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rowan.core.Table;
import dev.rowan.core.Workers;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class PlacerTest {
  private static final Workers WORKERS = Workers.of(2);
  private static final int ROWS = 600;
  private static final Table TABLE = Blobs.table(ROWS, 8, 12, 0.4); // row i is of island i % 12
  private static final long[] ON_MAP = LongStream.range(0, 480).toArray();
  private static final long[] NEW = LongStream.range(480, ROWS).toArray();
  private static TableMap map;

  @BeforeAll
  static void draw() {
    map = Mapper.over(TABLE, WORKERS).map(TsneSettings.defaults(), ON_MAP);
  }

  @AfterAll
  static void close() {
    WORKERS.close();
  }

  @Test
  void newRowsLandOnTheirIslands() {
    MapPlacement placed = Mapper.over(TABLE, WORKERS).place(map, TABLE, NEW);
    FlatNeighbours.Finder nearest = new FlatNeighbours(map.x(), map.y()).new Finder(1);
    int right = 0;
    for (int i = 0; i < placed.ids().length; i++) {
      int neighbour = nearest.nearest(placed.x()[i], placed.y()[i], -1)[0];
      right += neighbour % 12 == placed.ids()[i] % 12 ? 1 : 0;
    }
    assertThat(placed.ids()).isEqualTo(NEW);
    assertThat(right).isGreaterThan(115); // of 120
    float sum = 0;
    for (float share : placed.reliability()) {
      sum += share;
    }
    // the rows that shaped the map keep about half of their neighbours; chance would be 10 / 480
    assertThat(sum / 120).isGreaterThan(0.3f);
  }

  @Test
  void placeDoesNotDependOnCompanyOrThreads() {
    MapPlacement all = Mapper.over(TABLE, WORKERS).place(map, TABLE, NEW);
    try (Workers one = Workers.of(1)) {
      MapPlacement alone = Mapper.over(TABLE, one).place(map, TABLE, NEW[7]);
      assertThat(alone.x()[0]).isEqualTo(all.x()[7]);
      assertThat(alone.y()[0]).isEqualTo(all.y()[7]);
    }
  }

  @Test
  void refusesOtherMapsAndWidths() {
    Mapper mapper = Mapper.over(TABLE, WORKERS);
    TableMap shadow = mapper.map(PcaSettings.defaults(), ON_MAP);
    assertThatThrownBy(() -> mapper.place(shadow, TABLE, 500))
        .hasMessageContaining("rows can be placed on a tsne map, not on one by pca");
    assertThatThrownBy(() -> mapper.place(map, Table.of(2, 1, 2), 0))
        .hasMessage("the new rows have 2 numbers but the table's width is 8");
    assertThatThrownBy(() -> mapper.place(map, TABLE, ROWS))
        .isInstanceOf(IndexOutOfBoundsException.class);
  }
}

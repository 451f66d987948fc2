package dev.rowan.analysis.edit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class MergeListTest {
  @Test
  void partsOfPartsAreNeeded() {
    MergeList merges = MergeList.ofLines(List.of("a b", "ab c", "b c", "x y"));
    assertThat(merges.withParts(Set.of("abc")))
        .containsExactlyInAnyOrder("abc", "ab", "c", "a", "b");
  }

  @Test
  void everyWayToMakeATokenIsKept() {
    MergeList merges = MergeList.ofLines(List.of("a bc", "ab c"));
    Set<String> tokens = merges.withParts(Set.of("abc"));
    assertThat(tokens).contains("a", "bc", "ab", "c");
    assertThat(merges.stays(0, tokens)).isTrue();
    assertThat(merges.stays(1, tokens)).isTrue();
    assertThat(merges.stays(1, Set.of("abc", "c"))).isFalse();
  }
}

package dev.rowan.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowan.train.TrainingReport.Band;
import dev.rowan.train.TrainingReport.Snapshot;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What the page says is what its numbers say. */
class TrainSentencesTest {
  private static List<Snapshot> at(double share, double cosine, double rare, double frequent) {
    return List.of(
        new Snapshot(
            share,
            cosine,
            List.of(
                new Band(1, 10, rare, 1), new Band(5, 10, 1, 1), new Band(1000, 10, frequent, 1)),
            List.of()));
  }

  @Test
  void rareRowsAreHeldAgainstFrequentOnes() {
    assertThat(TrainSentences.bands(at(1, 0, 0.5, 2)))
        .isEqualTo(
            "Mean distance of rows from where they began. Rows of words that come 1–4 times moved by 0.500, those of words that come 1,000 times or more by 2.000: the frequent words moved 4.0 times as far.");
    assertThat(TrainSentences.bands(at(1, 0, 3, 2)))
        .endsWith(": the rare words moved 1.5 times as far.");
    assertThat(TrainSentences.bands(at(1, 0, 2, 2.05))).endsWith(" by 2.050: about as far.");
    assertThat(TrainSentences.bands(at(1, 0, 0, 2))).endsWith("1,000 times or more by 2.000.");
    assertThat(TrainSentences.bands(at(1, 0, 0, 0))).endsWith("1,000 times or more by 0.000.");
    assertThat(TrainSentences.bands(List.of())).endsWith("where they began.");
  }

  @Test
  void meanCosineIsSaidAsItWas() {
    List<Snapshot> taken =
        List.of(at(0, 0.31, 0, 0).getFirst(), at(1, 0.125, 0, 0).getFirst()); // --from a table
    assertThat(TrainSentences.cosines(taken))
        .endsWith(" It is 0.310 at 0 % and 0.125 at 100 % of the training.");
    assertThat(TrainSentences.cosines(List.of())).endsWith("to be held against.");
  }

  @Test
  void lossIsThatOfTheObjective() {
    assertThat(TrainSentences.loss(Map.of("objective", "glove")))
        .isEqualTo("The mean weighted squared error of a pair.");
    for (String windows : List.of("skipgram", "cbow-mean", "cbow-sum")) {
      assertThat(TrainSentences.loss(Map.of("objective", windows)))
          .isEqualTo("In nats a prediction, the mean of a sample of the windows.");
    }
    assertThat(TrainSentences.loss(Map.of("objective", "next-token", "sampled", "0")))
        .startsWith("In nats a token, the mean");
    assertThat(TrainSentences.loss(Map.of("objective", "next-token", "sampled", "5")))
        .startsWith("In nats a token, as far as the drawn tokens tell");
  }

  @Test
  void bothFilesHaveTheirEndingsWhicheverIsTyped() {
    for (String typed : List.of("story", "story.json", "story.html", "story.HTML")) {
      TrainReportFile.Names names = TrainReportFile.names(Path.of("none/" + typed));
      assertThat(names.json()).hasToString("none/story.json");
      assertThat(names.page()).hasToString("none/story.html");
    }
    assertThat(TrainReportFile.names(Path.of("a.b")).json()).hasToString("a.b.json");
  }
}

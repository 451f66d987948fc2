package dev.rowan.train;

import dev.rowan.train.Objective.Cbow;
import dev.rowan.train.Objective.Combine;
import dev.rowan.train.Output.HierarchicalSoftmax;
import dev.rowan.train.Output.NegativeSampling;
import dev.rowan.train.Output.Sharing;
import java.util.stream.Stream;

/** Settings for small tests, and each way to train. */
final class EveryWay {
  static final TrainingSettings SMALL =
      TrainingSettings.DEFAULT.withWidth(32).withSubsample(0).withRate(0.05);

  private EveryWay() {}

  static Stream<TrainingSettings> all() {
    return Stream.of(
        SMALL,
        SMALL.withOutput(new NegativeSampling(5, 0.75, Sharing.PAIR)),
        SMALL.withOutput(new NegativeSampling(10, 0.5, Sharing.WINDOW)),
        SMALL.withOutput(new HierarchicalSoftmax()),
        SMALL.withObjective(new Cbow(Combine.MEAN)),
        SMALL.withObjective(new Cbow(Combine.SUM)),
        SMALL.withThreading(new Threading.Blocks(2)),
        SMALL.withGrams(new CharacterGrams(3, 5, 5000)),
        SMALL.withObjective(new Cbow(Combine.MEAN)).withGrams(new CharacterGrams(3, 5, 5000)));
  }
}

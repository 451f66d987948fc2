package dev.rowan.formats.convention;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Names as tf.train.load_checkpoint and h5py list them, of files of TensorFlow 2.21 and Keras. */
class TrainingStateTest {
  private static final Set<String> WITH_TABLE =
      Set.of("bert/embeddings/word_embeddings", "shared/embedding");

  @ParameterizedTest
  @ValueSource(
      strings = {
        "bert/embeddings/word_embeddings/adam_m",
        "bert/embeddings/word_embeddings/adam_v",
        "bert/embeddings/word_embeddings/Adam",
        "bert/embeddings/word_embeddings/Adam_1",
        "bert/embeddings/word_embeddings/Momentum",
        "shared/embedding_slot_vr",
        "beta1_power",
        "global_step",
        "model/w/.OPTIMIZER_SLOT/optimizer/m/.ATTRIBUTES/VARIABLE_VALUE",
        "optimizer/_variables/2/.ATTRIBUTES/VARIABLE_VALUE",
        "optimizer/_learning_rate/.ATTRIBUTES/VARIABLE_VALUE"
      })
  void knowsTheStateOfOptimizers(String name) {
    assertThat(TrainingState.isInCheckpoint(name, WITH_TABLE)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "bert/embeddings/word_embeddings",
        "people/Adam", // a variable of its own
        "bert/embeddings/word_embeddings/ExponentialMovingAverage",
        "optimizer/_trainable_variables/0/.ATTRIBUTES/VARIABLE_VALUE", // the model's parameters
        "model/embedding/.ATTRIBUTES/VARIABLE_VALUE"
      })
  void keepsTheModel(String name) {
    assertThat(TrainingState.isInCheckpoint(name, WITH_TABLE)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "optimizer_weights/Adam/m/embedding/embeddings:0",
        "optimizer_weights/adam/sequential_tok_embeddings_momentum",
        "optimizer/vars/3",
        "metrics/mean/vars/0"
      })
  void knowsTheStateOfKeras(String name) {
    assertThat(TrainingState.isInKeras(name)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"layers/embedding/vars/0", "model_weights/optimizer/embeddings:0", "metrics/x"})
  void keepsTheLayersOfKeras(String name) {
    assertThat(TrainingState.isInKeras(name)).isFalse();
  }
}

package dev.rowan.train.lm;

import dev.rowan.core.Workers;
import dev.rowan.core.kernel.FloatFormat;
import dev.rowan.layer.Adagrad;
import dev.rowan.layer.CrossEntropy;
import dev.rowan.layer.Embedding;
import dev.rowan.layer.EmbeddingOptions;
import dev.rowan.layer.Initializer;
import dev.rowan.layer.NegativeSampler;
import dev.rowan.layer.Optimizer;
import dev.rowan.layer.OptimizerState;
import dev.rowan.layer.RowGradient;
import dev.rowan.layer.SampledSoftmax;
import dev.rowan.layer.TiedOutput;
import dev.rowan.layer.WeightTable;
import dev.rowan.train.lm.LanguageSettings.Tying;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;

/**
 * The parameters of a language model and one step of their training; see {@link LanguageSettings}
 * for the formulas. The output bias starts as the log of the unigram probabilities, so that nothing
 * is spent on learning those. For one thread; the products over the vocabulary use workers.
 */
final class LanguageModel {
  private static final float EPSILON = 1e-10f;

  private final LanguageSettings settings;
  private final int width;
  private final int context;
  private final Initializer first;
  private final Embedding input;
  private final WeightTable output;
  private final float[] bias;
  private final float[] biasSquares;
  private final Optional<AffineLayer> hidden;
  private final AffineLayer last;
  private final Optimizer inputOptimizer;
  private final Optimizer outputOptimizer; // the same where tied
  private final CrossEntropy full;
  private final CrossEntropy measure;
  private final NegativeSampler sampler;
  private final TiedOutput scores;
  private final RowGradient inputGradient;
  private float rate;

  // of the last batch
  private long[] ids = new long[0];
  private long[] targets = new long[0];
  private float[] x = new float[0];
  private float[] activation = new float[0];
  private float[] h = new float[0];
  private float[] dh = new float[0];
  private float[] dActivation = new float[0];
  private float[] dx = new float[0];

  LanguageModel(LanguageSettings settings, double[] unigrams, Workers workers) {
    this.settings = settings;
    this.width = settings.width();
    this.context = settings.context();
    int rows = unigrams.length;
    SplittableRandom random = new SplittableRandom(settings.seed());
    double deviation = 1 / Math.sqrt(width);
    this.first = Initializer.normal(0, deviation, random.nextLong());
    this.input =
        Embedding.fresh(
            WeightTable.fresh(rows, width, FloatFormat.F32, first, workers),
            EmbeddingOptions.plain());
    this.output =
        settings.tying() == Tying.TIED
            ? input.weights()
            : WeightTable.fresh(
                rows,
                width,
                FloatFormat.F32,
                Initializer.normal(0, deviation, random.nextLong()),
                workers);
    this.bias = new float[rows];
    for (int v = 0; v < rows; v++) {
      bias[v] = (float) Math.log(unigrams[v]);
    }
    this.biasSquares = new float[rows];
    int seen = Math.multiplyExact(context, width);
    this.hidden =
        settings.hidden() == 0
            ? Optional.empty()
            : Optional.of(new AffineLayer(seen, settings.hidden(), random));
    this.last = new AffineLayer(settings.hidden() == 0 ? seen : settings.hidden(), width, random);
    Adagrad rule = Adagrad.of(_ -> rate);
    this.inputOptimizer = Optimizer.of(input.weights(), rule);
    this.outputOptimizer =
        settings.tying() == Tying.TIED ? inputOptimizer : Optimizer.of(output, rule);
    this.scores = TiedOutput.over(output).withBias(bias);
    this.full = new CrossEntropy(scores, CrossEntropy.Reduction.MEAN);
    this.measure = new CrossEntropy(scores, CrossEntropy.Reduction.SUM);
    this.sampler = NegativeSampler.counts(1, unigrams);
    this.inputGradient = RowGradient.empty(rows, width);
  }

  /** Returns the input table. */
  WeightTable input() {
    return input.weights();
  }

  /** Returns what a row of the input table began with. */
  float[] initialRow(int row) {
    float[] values = new float[width];
    first.fill(row, input().rows(), values);
    return values;
  }

  /** Returns the output table: the input table itself where they are tied. */
  WeightTable output() {
    return output;
  }

  /** Returns how many numbers are learned. */
  long parameters() {
    long tables = settings.tying() == Tying.TIED ? 1 : 2;
    return tables * input.weights().rows() * width
        + bias.length
        + hidden.map(layer -> (long) layer.values().length).orElse(0L)
        + last.values().length;
  }

  /** Computes h of a batch of places. */
  private void forward(LanguageText text, int[] places, int from, int batch) {
    if (ids.length != batch * context) {
      ids = new long[batch * context];
      targets = new long[batch];
      x = new float[batch * context * width];
      dx = new float[x.length];
      activation = new float[batch * settings.hidden()];
      dActivation = new float[activation.length];
      h = new float[batch * width];
      dh = new float[h.length];
    }
    for (int b = 0; b < batch; b++) {
      text.context(places[from + b], context, ids, b * context);
      targets[b] = text.target(places[from + b]);
    }
    input.lookup(ids, x);
    if (hidden.isPresent()) {
      hidden.get().forward(x, batch, activation);
      for (int i = 0; i < activation.length; i++) {
        activation[i] = (float) Math.tanh(activation[i]);
      }
      last.forward(activation, batch, h);
    } else {
      last.forward(x, batch, h);
    }
  }

  /** Spreads ∂loss/∂h over all that h was made of. */
  private void backward(int batch) {
    if (hidden.isPresent()) {
      last.backward(activation, dh, batch, dActivation);
      for (int i = 0; i < activation.length; i++) {
        dActivation[i] *= 1 - activation[i] * activation[i];
      }
      hidden.get().backward(x, dActivation, batch, dx);
    } else {
      last.backward(x, dh, batch, dx);
    }
    inputGradient.clear();
    input.backward(ids, dx, inputGradient);
  }

  /**
   * How to learn from one batch.
   *
   * @param rate the learning rate
   * @param seed of the tokens of a sampled softmax
   */
  record Step(double rate, long seed) {}

  /**
   * Learns from a batch.
   *
   * @param places where in the text; the batch is [from, from + batch)
   * @param step how
   * @return the mean loss before the step, in nats; of a sampled softmax an estimate
   */
  double learn(LanguageText text, int[] places, int from, int batch, Step step) {
    rate = (float) step.rate();
    forward(text, places, from, batch);
    double loss = settings.sampled() == 0 ? learnFull(batch) : learnSampled(batch, step.seed());
    hidden.ifPresent(layer -> layer.step(rate));
    last.step(rate);
    return loss;
  }

  private double learnFull(int batch) {
    double loss = full.forward(h, targets);
    full.backward(dh);
    backward(batch);
    if (outputOptimizer == inputOptimizer) {
      full.step(outputOptimizer, inputGradient);
    } else {
      full.step(outputOptimizer, RowGradient.empty(output.rows(), width));
      inputOptimizer.step(inputGradient);
    }
    adagradBias(full.biasGradient());
    return loss;
  }

  private double learnSampled(int batch, long seed) {
    SampledSoftmax objective = new SampledSoftmax(scores, sampler, settings.sampled(), seed);
    double loss = objective.forward(h, targets);
    RowGradient outputGradient = RowGradient.empty(output.rows(), width);
    objective.backward(dh, outputGradient);
    float[] biasGradient = new float[bias.length];
    objective.addBiasGradient(biasGradient);
    backward(batch);
    if (outputOptimizer == inputOptimizer) {
      outputGradient.add(inputGradient);
    } else {
      inputOptimizer.step(inputGradient);
    }
    outputOptimizer.step(outputGradient);
    adagradBias(biasGradient);
    return loss;
  }

  private void adagradBias(float[] gradient) {
    for (int v = 0; v < bias.length; v++) {
      if (gradient[v] != 0) {
        biasSquares[v] = Math.fma(gradient[v], gradient[v], biasSquares[v]);
        bias[v] -= rate * gradient[v] / ((float) Math.sqrt(biasSquares[v]) + EPSILON);
      }
    }
  }

  /** Returns the loss of one batch without learning: the sum over its places, in nats. */
  double loss(LanguageText text, int[] places, int from, int batch) {
    forward(text, places, from, batch);
    return measure.forward(h, targets);
  }

  /** Returns the gradient of {@link #loss}: input rows, output rows, bias, layers; for tests. */
  List<float[]> gradients(LanguageText text, int[] places, int from, int batch) {
    forward(text, places, from, batch);
    measure.forward(h, targets);
    RowGradient table = RowGradient.empty(output.rows(), width);
    measure.backward(dh, table);
    backward(batch);
    if (outputOptimizer == inputOptimizer) {
      table.add(inputGradient);
    }
    List<float[]> all = new ArrayList<>();
    all.add(outputOptimizer == inputOptimizer ? table.densify() : inputGradient.densify());
    all.add(table.densify());
    all.add(measure.biasGradient().clone());
    hidden.ifPresent(layer -> all.add(layer.gradient().clone()));
    all.add(last.gradient().clone());
    return all;
  }

  /** Measures a whole text with the full softmax. */
  Perplexity measure(LanguageText text, Runnable between) {
    int[] places = new int[text.places()];
    Arrays.setAll(places, i -> i);
    int batch = Math.min(256, places.length);
    double sum = 0;
    for (int from = 0; from < places.length; from += batch) {
      between.run();
      sum += loss(text, places, from, Math.min(batch, places.length - from));
    }
    return new Perplexity(sum, places.length);
  }

  /** Returns all arrays on the heap, learned or kept by an optimizer, by name. */
  Map<String, float[]> parts() {
    Map<String, float[]> parts = new LinkedHashMap<>();
    parts.put("bias", bias);
    parts.put("bias.squares", biasSquares);
    hidden.ifPresent(layer -> {
      parts.put("hidden", layer.values());
      parts.put("hidden.squares", layer.squares());
    });
    parts.put("last", last.values());
    parts.put("last.squares", last.squares());
    return parts;
  }

  OptimizerState inputState() {
    return inputOptimizer.state();
  }

  OptimizerState outputState() {
    return outputOptimizer.state();
  }
}

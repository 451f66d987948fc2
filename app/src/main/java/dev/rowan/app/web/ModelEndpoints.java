package dev.rowan.app.web;

import dev.rowan.app.answers.TableFigures;
import dev.rowan.app.web.ServedModel.Token;
import dev.rowan.core.Lexicon;
import dev.rowan.core.NamedTable;
import dev.rowan.core.RowStatistics;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** What models there are and what is in them. */
final class ModelEndpoints {
  private final ServedModels models;

  ModelEndpoints(ServedModels models) {
    this.models = models;
  }

  /** The models that may be named. */
  record Models(List<ModelName> models) {}

  /** A model that may be named. */
  record ModelName(String name, boolean open) {}

  /** A table. */
  record TableInfo(
      String tensor, long rows, long width, String dtype, long parameters, long bytes) {}

  /** The tokens of a model. */
  record VocabularyInfo(String kind, long size) {}

  /**
   * What a model file holds.
   *
   * @param tied true, false, or null where the file does not say
   * @param saved the parameters that a second table would take, where the two are tied
   */
  record ModelInfo(
      String name,
      String format,
      Optional<String> architecture,
      TableInfo input,
      Optional<TableInfo> output,
      Optional<Boolean> tied,
      String tiedEvidence,
      OptionalLong saved,
      Optional<VocabularyInfo> vocabulary,
      long rowsWithoutToken,
      OptionalLong modelParameters,
      Optional<Double> shareOfModel,
      boolean tokenizer,
      List<String> notes) {}

  /** Norms of rows. */
  record Norm(
      double min, double max, double mean, Optional<Token> argmin, Optional<Token> argmax) {}

  /** The geometry of the table. */
  record Stats(
      long rows, long width, double meanCosine, Norm norm, long zeroRows, long nonFiniteRows) {}

  List<Endpoint> all() {
    return List.of(
        Endpoint.json(
            Api.ROOT + "models", "The models that may be named.", Models.class, this::models),
        Endpoint.json(
            Api.ROOT + "info",
            "What a model file holds.",
            ModelInfo.class,
            this::info,
            Api.model()),
        Endpoint.json(
            Api.ROOT + "stats",
            "Norms and the baseline: the mean cosine of all pairs of rows.",
            Stats.class,
            this::stats,
            Api.model()));
  }

  private Models models(Question question) {
    List<ModelName> names = new ArrayList<>();
    models.names().forEach(name -> names.add(new ModelName(name, models.isOpen(name))));
    return new Models(names);
  }

  private ModelInfo info(Question question) throws IOException {
    ServedModel served = models.model(question.optionalText("model"));
    Lexicon model = served.lexicon();
    TableFigures tables = TableFigures.of(model);
    return new ModelInfo(
        served.name(),
        model.origin().format(),
        model.origin().architecture(),
        table(tables.input()),
        tables.output().map(ModelEndpoints::table),
        tables.tied(),
        tables.evidence(),
        tables.tie().isTied() ? OptionalLong.of(tables.input().parameters()) : OptionalLong.empty(),
        model.vocabulary().map(v -> new VocabularyInfo(v.spelling().label(), v.tokens())),
        model.rowsWithoutToken(),
        tables.model(),
        tables.share(),
        served.tokenizer().isPresent(),
        model.notes());
  }

  private static TableInfo table(TableFigures.Size size) {
    return new TableInfo(
        size.tensor(), size.rows(), size.width(), size.dtype(), size.parameters(), size.bytes());
  }

  private Stats stats(Question question) throws IOException {
    ServedModel served = models.model(question.optionalText("model"));
    NamedTable table = served.table();
    RowStatistics s = table.table().statistics(served.workers());
    return new Stats(
        table.table().rows(),
        table.table().width(),
        s.meanCosine(),
        new Norm(
            s.minNorm(),
            s.maxNorm(),
            s.meanNorm(),
            extreme(served, s.argminNorm()),
            extreme(served, s.argmaxNorm())),
        s.zeroRows(),
        s.nonFiniteRows());
  }

  private static Optional<Token> extreme(ServedModel served, long id) throws IOException {
    return id < 0 ? Optional.empty() : Optional.of(served.token(id));
  }
}

package dev.rowan.analysis.edit;

import dev.rowan.core.Hit;
import dev.rowan.core.Lexicon;
import dev.rowan.core.Metric;
import dev.rowan.core.Query;
import dev.rowan.core.Scope;
import dev.rowan.core.Search;
import dev.rowan.core.Table;
import dev.rowan.core.Vocabulary;
import dev.rowan.formats.Models;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Rows of a new tokenizer's tokens that the old one lacks.
 *
 * <p>Of pieces: the mean of the rows of the old tokenizer's pieces of the token's text. Of
 * neighbours: where the new tokenizer comes with a model, the tokens that are shared and nearest to
 * the new one in that model's table tell what it means (as in FOCUS, Dobler and de Melo 2023, whose
 * weights are sparsemax of the cosines; here they are the cosines, negative ones left out, divided
 * by their sum).
 */
final class OtherRows {
  private static final int BATCH = 256; // queries that share one pass over the other table

  private final Initialisation method;
  private final PieceRows pieces;
  private final Map<Integer, Recipe> ready;
  private long without;

  private OtherRows(Initialisation method, PieceRows pieces, Map<Integer, Recipe> ready) {
    this.method = method;
    this.pieces = pieces;
    this.ready = ready;
  }

  /**
   * Prepares.
   *
   * @param source the old id of each new one; −1 where there is none
   */
  static OtherRows of(
      Initialisation method, Editor editor, ModelFolder model, Path donor, int[] source)
      throws IOException {
    PieceRows pieces = new PieceRows(model, editor.splitters());
    Map<Integer, Recipe> ready =
        method instanceof Initialisation.Neighbours(int count)
            ? neighbours(count, editor, model, donor, source)
            : Map.of();
    return new OtherRows(method, pieces, ready);
  }

  private static Map<Integer, Recipe> neighbours(
      int count, Editor editor, ModelFolder model, Path donor, int[] source) throws IOException {
    long rows = model.lexicon().input().table().rows();
    Map<Integer, Recipe> recipes = new HashMap<>();
    try (Lexicon theirs = Models.open(donor)) {
      Table table = theirs.input().table();
      int size = (int) Math.min(table.rows(), source.length);
      long[] shared =
          IntStream.range(0, size)
              .filter(id -> source[id] >= 0 && source[id] < rows)
              .asLongStream()
              .toArray();
      int[] wanted = IntStream.range(0, size).filter(id -> source[id] < 0).toArray();
      Search search = Search.over(table, editor.workers());
      for (int from = 0; from < wanted.length; from += BATCH) {
        int end = Math.min(from + BATCH, wanted.length);
        List<Query> queries = new ArrayList<>();
        for (int i = from; i < end; i++) {
          queries.add(Query.row(table, wanted[i]));
        }
        List<List<Hit>> hits = search.nearest(queries, Metric.COSINE, count, Scope.of(shared));
        for (int i = from; i < end; i++) {
          weighted(hits.get(i - from), source, theirs).ifPresent(put(recipes, wanted[i]));
        }
      }
    }
    return recipes;
  }

  private static java.util.function.Consumer<Recipe> put(Map<Integer, Recipe> recipes, int id) {
    return recipe -> recipes.put(id, recipe);
  }

  private static Optional<Recipe> weighted(List<Hit> hits, int[] source, Lexicon theirs) {
    double sum = hits.stream().mapToDouble(hit -> Math.max(0, hit.score())).sum();
    if (!(sum > 0)) {
      return Optional.empty();
    }
    List<Recipe.Weighted.Term> terms = new ArrayList<>();
    List<String> names = new ArrayList<>();
    for (Hit hit : hits) {
      if (hit.score() > 0) {
        double weight = hit.score() / sum;
        terms.add(new Recipe.Weighted.Term(source[(int) hit.id()], weight));
        names.add("%.3f \"%s\"".formatted(weight, theirs.text(hit.id())));
      }
    }
    return Optional.of(
        new Recipe.Weighted(
            terms, "the weighted mean of its neighbours " + String.join(", ", names)));
  }

  /** Returns how a new token's row is made. */
  Recipe recipe(Vocabulary theirs, int id) throws IOException {
    Optional<Recipe> recipe =
        switch (method) {
          case Initialisation.Neighbours _ -> Optional.ofNullable(ready.get(id));
          case Initialisation.Pieces _ -> ofPieces(theirs, id);
          case Initialisation.Mean _ -> Optional.of(new Recipe.Mean());
          case Initialisation.MeanAndCovariance(long seed) -> Optional.of(new Recipe.Draw(seed));
          case Initialisation.Zeros _ -> Optional.of(new Recipe.Zeros());
          case Initialisation.CopyOf(long copied) ->
              Optional.of(
                  new Recipe.Weighted(
                      List.of(new Recipe.Weighted.Term(copied, 1)), "a copy of row " + copied));
        };
    if (recipe.isEmpty()) {
      without++;
    }
    return recipe.orElseGet(Recipe.Mean::new);
  }

  private Optional<Recipe> ofPieces(Vocabulary theirs, int id) throws IOException {
    String text = theirs.isAdded(id) ? theirs.stored(id) : Matching.text(theirs, id);
    boolean whole = text.indexOf('\uFFFD') < 0; // a part of a character is no text
    return whole ? pieces.recipe(text) : Optional.empty();
  }

  /** Returns how many rows are the mean for want of anything better. */
  long withoutPieces() {
    return without;
  }

  /** Returns the method in words. */
  String method() {
    return switch (method) {
      case Initialisation.Neighbours(int count) ->
          "the mean of the %d nearest shared tokens in the other model's table, weighted by cosine"
              .formatted(count);
      case Initialisation.Pieces _ -> "the mean of the rows of the old tokenizer's pieces";
      case Initialisation.Mean _ -> "the mean of all rows";
      case Initialisation.MeanAndCovariance _ -> "drawn around the mean, 1e-9 of the covariance";
      case Initialisation.Zeros _ -> "zeros";
      case Initialisation.CopyOf(long id) -> "copies of row " + id;
    };
  }
}

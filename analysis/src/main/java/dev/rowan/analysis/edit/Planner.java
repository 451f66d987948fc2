package dev.rowan.analysis.edit;

import dev.rowan.analysis.edit.NumberEdits.Shape;
import dev.rowan.core.Counted;
import dev.rowan.core.OutOfRange;
import dev.rowan.core.Table;
import dev.rowan.core.Vocabulary;
import dev.rowan.formats.tensor.Dtype;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Turns edits into a plan, or refuses them. Not for several threads. */
final class Planner {
  private final Editor editor;
  private final ModelFolder model;
  private final EditRequest request;
  private final TextDrafts drafts;
  private final RowLayout layout;
  private final List<AddedToken> added = new ArrayList<>();
  private final List<Shape> shapes = new ArrayList<>();
  private final List<String> notes = new ArrayList<>();
  private final Blends blends;
  private Optional<Dtype> dtype = Optional.empty();
  private Optional<Reference> reference = Optional.empty(); // where tokens went or changed

  Planner(Editor editor, ModelFolder model, EditRequest request) {
    this.editor = editor;
    this.model = model;
    this.request = request;
    this.drafts = new TextDrafts(model);
    this.layout = new RowLayout(model.lexicon().input().table().rows());
    this.blends = new Blends(model);
  }

  EditPlan plan() throws IOException {
    try {
      checkScope();
      for (Edit edit : request.edits()) {
        apply(edit);
      }
      return finish();
    } catch (IOException | RuntimeException | Error e) {
      blends.close();
      throw e;
    }
  }

  private void checkScope() {
    if (request.options().scope() == EditOptions.Scope.EVERY_TABLE) {
      return;
    }
    if (!request.edits().stream().allMatch(Planner::isOfNumbers)) {
      throw new IllegalArgumentException(
          "rows and tokens are edited in every table of a model; leave --table away");
    }
    if (model.lexicon().tie().isTied()) {
      throw new IllegalArgumentException(
          "the tables are tied (%s), so one cannot be edited without the other; leave --table away"
              .formatted(model.lexicon().tieEvidence()));
    }
  }

  private static boolean isOfNumbers(Edit edit) {
    return switch (edit) {
      case Edit.Centre _, Edit.Normalise _, Edit.Average _, Edit.TaskVector _, Edit.Convert _ ->
          true;
      case Edit.Grow _,
          Edit.GrowTo _,
          Edit.PadToMultiple _,
          Edit.Shrink _,
          Edit.PruneTo _,
          Edit.TransplantTo _,
          Edit.AddTokens _,
          Edit.Replace _,
          Edit.Swap _ ->
          false;
    };
  }

  private void apply(Edit edit) throws IOException {
    switch (edit) {
      case Edit.Grow(long rows) -> {
        long most = Long.MAX_VALUE - layout.rows();
        grow(layout.rows() + Math.min(most, atLeast(1, rows, "grow")));
      }
      case Edit.GrowTo(long rows) -> grow(atLeast(1, rows, "rows"));
      case Edit.PadToMultiple(long multiple) -> {
        long step = atLeast(1, multiple, "pad to multiple of");
        grow(Math.multiplyExact((layout.rows() - 1) / step + 1, step));
      }
      case Edit.Shrink(long rows) -> {
        checkFirst();
        reference = Optional.of(choice().shrink(rows));
      }
      case Edit.PruneTo(List<Path> corpus, long leastCount) -> {
        checkFirst();
        reference = Optional.of(choice().prune(corpus, leastCount));
      }
      case Edit.TransplantTo(Path donor) -> {
        checkFirst();
        reference =
            Optional.of(
                new Transplant(editor, model, drafts, layout, notes)
                    .of(donor, request.options().initialisation()));
      }
      case Edit.AddTokens(List<NewToken> tokens) -> add(tokens);
      case Edit.Replace(long id, Initialisation by) -> {
        checkId(id);
        set(id, by, Optional.empty());
      }
      case Edit.Swap(long a, long b) -> {
        checkId(a);
        checkId(b);
        layout.swap(a, b);
      }
      case Edit.Centre _ -> shapes.add(Shape.CENTRED);
      case Edit.Normalise _ -> shapes.add(Shape.UNIT);
      case Edit.Average average -> blends.average(average);
      case Edit.TaskVector vector -> blends.taskVector(vector);
      case Edit.Convert(Dtype to) -> {
        if (RowEncoder.of(to).isEmpty()) {
          throw new IllegalArgumentException(
              "tables cannot be stored as %s; it takes F32, F16, BF16 or F64"
                  .formatted(to.label()));
        }
        dtype = Optional.of(to);
      }
    }
  }

  private TokenChoice choice() {
    return new TokenChoice(editor, model, drafts, layout, notes);
  }

  private void checkFirst() {
    if (reference.isPresent() || !added.isEmpty()) {
      throw new IllegalArgumentException(
          "tokens can be taken away or exchanged once, before any are added; do it in several edits");
    }
  }

  private static long atLeast(long least, long value, String what) {
    OutOfRange.atLeast(what, value, least);
    return value;
  }

  private void checkId(long id) {
    if (id < 0 || id >= layout.rows()) {
      throw new IllegalArgumentException(
          "there is no row #%d; ids lie in [0, %d)".formatted(id, layout.rows()));
    }
  }

  private void grow(long rows) throws IOException {
    if (rows < layout.rows()) {
      throw new IllegalArgumentException(
          "%,d rows are fewer than the %,d there are; say --shrink if rows are to be lost"
              .formatted(rows, layout.rows()));
    }
    if (rows == layout.rows()) {
      return;
    }
    Initialisation init = request.options().initialisation();
    Table table = model.lexicon().input().table();
    Memory.check(
        RowLayout.length(rows),
        init instanceof Initialisation.MeanAndCovariance ? rows - layout.rows() : 0,
        table.width(),
        model.lexicon().output().isPresent() ? 2 : 1);
    switch (init) {
      case Initialisation.CopyOf _ -> {
        long first = layout.rows();
        layout.append(rows - first, new Recipe.Zeros());
        for (long row = first; row < rows; row++) {
          set(row, init, Optional.empty());
        }
      }
      case Initialisation other -> layout.append(rows - layout.rows(), recipe(other));
    }
  }

  private static Recipe recipe(Initialisation initialisation) {
    return switch (initialisation) {
      case Initialisation.MeanAndCovariance(long seed) -> new Recipe.Draw(seed);
      case Initialisation.Zeros _ -> new Recipe.Zeros();
      // what has no text has no pieces
      case Initialisation.Mean _,
          Initialisation.Pieces _,
          Initialisation.Neighbours _,
          Initialisation.CopyOf _ ->
          new Recipe.Mean();
    };
  }

  private void set(long row, Initialisation by, Optional<NewToken> token) throws IOException {
    switch (by) {
      case Initialisation.CopyOf(long id) -> {
        if (id < 0 || id >= layout.oldRows()) {
          throw new IllegalArgumentException(
              "there is no row #%d to copy; ids lie in [0, %d)".formatted(id, layout.oldRows()));
        }
        layout.set(row, id);
      }
      case Initialisation.Pieces _ when token.isPresent() -> layout.set(row, pieces(token.get()));
      case Initialisation.Pieces _,
          Initialisation.Mean _,
          Initialisation.MeanAndCovariance _,
          Initialisation.Neighbours _,
          Initialisation.Zeros _ ->
          layout.set(row, recipe(by));
    }
  }

  private Recipe pieces(NewToken token) throws IOException {
    PieceRows pieces = new PieceRows(model, editor.splitters());
    Optional<Recipe> recipe = pieces.recipe(token.meaning().orElse(token.text()));
    if (recipe.isEmpty()) {
      notes.add(
          "\"%s\" has no pieces that are known; its row is the mean of all rows"
              .formatted(token.text()));
    }
    return recipe.orElseGet(Recipe.Mean::new);
  }

  private void add(List<NewToken> tokens) throws IOException {
    if (tokens.isEmpty()) {
      throw new IllegalArgumentException("the list of tokens to add is empty");
    }
    if (request.options().initialisation() instanceof Initialisation.Neighbours) {
      throw new IllegalArgumentException(
          "--init neighbours needs another model's table, as --transplant has; choose another way"
              + " to start new rows");
    }
    Vocabulary vocabulary =
        reference
            .map(Reference::remaining)
            .or(model::vocabulary)
            .orElseThrow(() ->
                new IllegalArgumentException(
                    "the model has no tokenizer to add tokens to; grow the table instead"));
    if (!added.isEmpty()) {
      throw new IllegalArgumentException("tokens are added twice; name them in one list");
    }
    added.addAll(TokenAddition.numbered(tokens, vocabulary));
    int last = added.getLast().id();
    if (vocabulary.size() > layout.rows()) {
      notes.add(
          Counted.of(vocabulary.size() - layout.rows(), "token")
              + " had no row before and will have one");
    }
    if (last >= layout.rows()) {
      grow(last + 1L);
    }
    for (AddedToken token : added) {
      set(token.id(), request.options().initialisation(), Optional.of(token.token()));
    }
    new TokenAddition(drafts, reference.map(Reference::folder).orElseGet(model::folder))
        .write(added);
  }

  private EditPlan finish() throws IOException {
    boolean moved = !layout.isUnchanged();
    List<TokenTensor> tensors =
        TokenTensors.of(
            model,
            request.options(),
            layout.rows() != layout.oldRows() || moved
                ? TokenTensors.RowCount.CHANGES
                : TokenTensors.RowCount.STAYS);
    Map<String, EditedRows> edited = new LinkedHashMap<>();
    for (TokenTensor tensor : tensors) {
      NumberEdits numbers = numbers(tensor);
      if (moved || !numbers.areVerbatim(tensor.info().dtype())) {
        edited.put(tensor.info().name(), EditedRows.of(tensor, layout, numbers, editor.workers()));
      }
    }
    if (edited.isEmpty() && added.isEmpty()) {
      throw new IllegalArgumentException(
          "nothing would change: the tables are as the edit asks for already");
    }
    for (EditedRows rows : edited.values()) {
      RangeCheck.check(rows, editor.workers());
      if (rows.width() > 1) {
        Remarks.equalDraws(rows).ifPresent(notes::add);
      }
    }
    new ConfigEdit(model, drafts).rows(layout.oldRows(), layout.rows());
    return EditPlan.of(
        new EditPlan.Parts(
            editor, model, request, layout, edited, drafts, added, notes, blends, reference));
  }

  private NumberEdits numbers(TokenTensor tensor) throws IOException {
    boolean wanted = tensor.isIn(request.options().scope());
    return new NumberEdits(
        wanted ? blends.of(tensor) : Optional.empty(),
        wanted ? shapes : List.of(),
        wanted ? dtype.orElse(tensor.info().dtype()) : tensor.info().dtype());
  }
}

package dev.rowan.analysis.edit;

import dev.rowan.core.Workers;
import java.io.IOException;

/**
 * Edits models. First a plan, in which everything is checked and every change listed, then, if
 * wanted, the new folder:
 *
 * {@snippet :
 * Editor editor = new Editor(workers, folder -> Optional.empty());
 * try (EditPlan plan = editor.plan(EditRequest.of(gpt2, padded, new Edit.PadToMultiple(64)))) {
 *   plan.changes().forEach(change -> log(change));
 *   plan.write();
 * }
 * }
 *
 * <p>A model is a folder of safetensors, in one file or in shards, with its config and tokenizer.
 * Tables that are tied stay tied, copies of a table are edited like it, an output table of its own
 * and biases are edited in step. All other tensors keep their bytes.
 *
 * @param workers who computes; not closed here
 * @param splitters opens tokenizers, to make rows of pieces and to check that tokens come back
 */
public record Editor(Workers workers, TextSplitter.Source splitters) {

  /**
   * Checks an edit and lists what it changes. Writes nothing.
   *
   * @return the plan, which holds the model open until it is closed
   * @throws IllegalArgumentException if the edit cannot be done on this model; the message says why
   * @throws dev.rowan.formats.file.FormatException if a file of the model is wrong
   * @throws IOException if a file cannot be read or the target cannot be written
   */
  public EditPlan plan(EditRequest request) throws IOException {
    if (request.edits().isEmpty()) {
      throw new IllegalArgumentException("there is nothing to edit; name at least one change");
    }
    Places.check(request.model(), request.target());
    ModelFolder model = ModelFolder.open(request.model(), request.open());
    try {
      return new Planner(this, model, request).plan();
    } catch (IOException | RuntimeException | Error e) {
      model.close();
      throw e;
    }
  }
}

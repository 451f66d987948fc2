package dev.rowan.analysis.edit;

import dev.rowan.formats.OpenOptions;
import java.nio.file.Path;
import java.util.List;

/**
 * An edit that somebody asks for.
 *
 * @param model the model's folder
 * @param open how to open it where its files do not say
 * @param target the new folder, which must not hold anything
 * @param edits what to change
 * @param options how
 */
public record EditRequest(
    Path model, OpenOptions open, Path target, List<Edit> edits, EditOptions options) {
  /** Copies the list. */
  public EditRequest {
    edits = List.copyOf(edits);
  }

  /** Returns a request with options that are usual. */
  public static EditRequest of(Path model, Path target, Edit... edits) {
    return new EditRequest(model, OpenOptions.DEFAULT, target, List.of(edits), EditOptions.DEFAULT);
  }

  /** Returns this request with other options. */
  public EditRequest with(EditOptions options) {
    return new EditRequest(model, open, target, edits, options);
  }
}

package dev.rowan.analysis.edit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A model to edit, and where the edited one goes. */
abstract class EditFixture {
  @TempDir Path folder;
  Path model;
  Path target;

  @BeforeEach
  void places() {
    model = folder.resolve("model");
    target = folder.resolve("edited");
  }

  EditRequest request(Initialisation init, Edit... edits) {
    return EditRequest.of(model, target, edits).with(EditOptions.DEFAULT.withInitialisation(init));
  }

  void refused(String message, Edit... edits) {
    refused(EditRequest.of(model, target, edits), message);
  }

  void refused(EditRequest request, String message) {
    assertThatThrownBy(() -> Planted.edit(request)).hasMessageContaining(message);
    assertThat(target).doesNotExist();
  }

  static NewToken word(String text) {
    return new NewToken(text, NewToken.Kind.WORD, Optional.empty());
  }
}

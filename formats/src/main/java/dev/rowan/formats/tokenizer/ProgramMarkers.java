package dev.rowan.formats.tokenizer;

import static dev.rowan.formats.tokenizer.TokenizerProgram.truth;

import dev.rowan.core.Vocabulary;
import dev.rowan.formats.file.MappedFile;
import dev.rowan.formats.json.JsonTree;
import dev.rowan.formats.json.JsonTree.Elements;
import dev.rowan.formats.json.JsonTree.Members;
import dev.rowan.formats.json.JsonTree.Text;
import dev.rowan.formats.tokenizer.TokenizerModel.Markers;
import dev.rowan.formats.tokenizer.TokenizerModel.Role;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/**
 * The tokens of a {@code tokenizer.json} that stand outside its model. Post-processors may carry
 * ids of another vocabulary, so their tokens are taken by name; what single tokens are for is told
 * by {@code tokenizer_config.json} and {@code special_tokens_map.json} beside it.
 */
final class ProgramMarkers {
  private static final Map<String, Role> ROLES =
      Map.of(
          "bos_token", Role.START,
          "eos_token", Role.END,
          "unk_token", Role.UNKNOWN,
          "sep_token", Role.SEPARATOR,
          "pad_token", Role.PADDING,
          "cls_token", Role.CLASS,
          "mask_token", Role.MASK);

  private ProgramMarkers() {}

  static Markers read(
      Path path, Members root, Vocabulary vocabulary, OptionalInt unknown, List<String> notes)
      throws IOException {
    List<Integer> inText = new ArrayList<>();
    Set<Integer> userDefined = new HashSet<>();
    boolean normalizes = root.object("normalizer").isPresent();
    int loose = 0;
    for (JsonTree entry : root.array("added_tokens").map(Elements::elements).orElse(List.of())) {
      OptionalInt id =
          entry instanceof Members added
              ? added.text("content").map(vocabulary::id).orElse(OptionalInt.empty())
              : OptionalInt.empty();
      if (id.isEmpty() || !(entry instanceof Members added)) {
        continue;
      }
      inText.add(id.getAsInt());
      if (!truth(added, "special", false)) {
        userDefined.add(id.getAsInt());
      }
      boolean isLoose =
          truth(added, "lstrip", false)
              || truth(added, "rstrip", false)
              || truth(added, "single_word", false)
              || (normalizes && truth(added, "normalized", false));
      loose += isLoose ? 1 : 0;
    }
    if (loose > 0) {
      notes.add(
          "%,d added tokens are found in text by looser rules (spaces around them, capitals); what was written finds them as they are spelled"
              .formatted(loose));
    }
    List<Integer> before = new ArrayList<>();
    List<Integer> after = new ArrayList<>();
    List<Members> processors = new ArrayList<>();
    root.object("post_processor").ifPresent(step -> TokenizerProgram.addSteps(step, processors));
    for (Members step : processors) {
      frame(step, vocabulary, before, after);
    }
    Map<Role, Integer> roles = roles(path, vocabulary);
    unknown.ifPresent(id -> roles.putIfAbsent(Role.UNKNOWN, id));
    return new Markers(inText, before, after, roles, userDefined);
  }

  private static void frame(
      Members step, Vocabulary vocabulary, List<Integer> before, List<Integer> after) {
    switch (TokenizerProgram.type(step)) {
      case "BertProcessing", "RobertaProcessing" -> {
        first(step, "cls").map(vocabulary::id).ifPresent(id -> id.ifPresent(before::add));
        first(step, "sep").map(vocabulary::id).ifPresent(id -> id.ifPresent(after::add));
      }
      case "TemplateProcessing" -> {
        List<Integer> side = before;
        for (JsonTree piece : step.array("single").map(Elements::elements).orElse(List.of())) {
          if (!(piece instanceof Members members)) {
            continue;
          }
          if (members.object("Sequence").isPresent()) {
            side = after;
          }
          List<Integer> here = side;
          members
              .object("SpecialToken")
              .flatMap(token -> token.text("id"))
              .ifPresent(token -> vocabulary.id(token).ifPresent(here::add));
        }
      }
      default -> {} // steps that move offsets, no tokens
    }
  }

  /** Returns the token of a pair [token, id]. */
  private static Optional<String> first(Members step, String name) {
    return step.array(name)
        .map(Elements::elements)
        .filter(pair -> !pair.isEmpty())
        .flatMap(pair ->
            pair.getFirst() instanceof Text(String token) ? Optional.of(token) : Optional.empty());
  }

  private static Map<Role, Integer> roles(Path path, Vocabulary vocabulary) throws IOException {
    Map<Role, Integer> roles = new EnumMap<>(Role.class);
    for (String name : List.of("tokenizer_config.json", "special_tokens_map.json")) {
      Path file = path.resolveSibling(name);
      if (!Files.isRegularFile(file)) {
        continue;
      }
      Members config;
      try (MappedFile mapped = MappedFile.open(file)) {
        config = JsonTree.read(file, mapped.bytes());
      }
      ROLES.forEach((key, role) -> {
        Optional<String> plain = config.text(key);
        Optional<String> token =
            plain.isPresent() ? plain : config.object(key).flatMap(t -> t.text("content"));
        token.ifPresent(text -> vocabulary.id(text).ifPresent(id -> roles.putIfAbsent(role, id)));
      });
    }
    return roles;
  }
}

package dev.rowan.formats.tokenizer;

import static dev.rowan.formats.tokenizer.TokenizerProgram.isType;
import static dev.rowan.formats.tokenizer.TokenizerProgram.truth;

import dev.rowan.core.Vocabulary;
import dev.rowan.formats.json.JsonTree;
import dev.rowan.formats.json.JsonTree.Elements;
import dev.rowan.formats.json.JsonTree.Literal;
import dev.rowan.formats.json.JsonTree.Members;
import dev.rowan.formats.tokenizer.TokenizerModel.Lead;
import dev.rowan.formats.tokenizer.TokenizerModel.Markers;
import dev.rowan.formats.tokenizer.TokenizerModel.PieceChoice;
import dev.rowan.formats.tokenizer.TokenizerModel.Role;
import dev.rowan.formats.tokenizer.TokenizerModel.SentencePiece;
import dev.rowan.formats.tokenizer.TokenizerModel.Spaces;
import dev.rowan.formats.tokenizer.TokenizerModel.TextRules;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Base64;
import java.util.BitSet;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** A {@code tokenizer.json} that does what a SentencePiece model does. */
final class ProgramPieces {
  /** Below the score of anything that merges make. */
  private static final float NEVER = -1e9f;

  private final TokenizerProgram program;
  private final Members model;
  private final Vocabulary vocabulary;
  private final Markers markers;

  ProgramPieces(TokenizerProgram program, Members model, Markers markers) {
    this.program = program;
    this.model = model;
    this.vocabulary = program.vocabulary();
    this.markers = markers;
  }

  SentencePiece unigram() {
    List<JsonTree> entries = model.array("vocab").map(Elements::elements).orElse(List.of());
    float[] scores = new float[vocabulary.size()];
    for (int id = 0; id < Math.min(scores.length, entries.size()); id++) {
      if (!(entries.get(id) instanceof Elements(List<JsonTree> pair))
          || pair.size() < 2
          || !(pair.get(1) instanceof Literal(String number))) {
        throw program.refused("an entry of model.vocab that is no [token, score]");
      }
      scores[id] = (float) Double.parseDouble(number);
    }
    Pieces.Kind[] kinds = kinds();
    Map<Role, Integer> roles = new EnumMap<>(Role.class);
    roles.putAll(markers.roles());
    model
        .whole("unk_id")
        .ifPresent(id -> {
          if (vocabulary.has(id)) {
            kinds[(int) id] = Pieces.Kind.UNKNOWN;
            roles.put(Role.UNKNOWN, (int) id);
          }
        });
    return new SentencePiece(
        vocabulary,
        PieceChoice.UNIGRAM,
        Pieces.of(scores, kinds),
        unigramRules(),
        markers.with(roles, markers.userDefined()));
  }

  private TextRules unigramRules() {
    byte[] charsmap = new byte[0];
    boolean collapsed = false;
    for (Members step : program.steps("normalizer")) {
      switch (TokenizerProgram.type(step)) {
        case "Precompiled" ->
            charsmap =
                step.text("precompiled_charsmap")
                    .map(text -> Base64.getMimeDecoder().decode(text))
                    .orElse(charsmap);
        case "Replace" -> collapsed = true; // of runs of spaces; others are refused below
        case "Strip" -> {}
        default -> throw refusedNormalizer(step);
      }
      if (isType(step, "Replace")
          && step.object("pattern")
              .flatMap(p -> p.text("Regex"))
              .filter(" {2,}"::equals)
              .isEmpty()) {
        throw refusedNormalizer(step);
      }
    }
    if (charsmap.length > 0) {
      program.note(
          "replacements are made as SentencePiece does; the tokenizers library differs where marks join the character before them");
    }
    List<Members> cuts = program.steps("pre_tokenizer");
    if (!cuts.isEmpty() && isType(cuts.getFirst(), "WhitespaceSplit")) {
      collapsed = true;
      program.note(
          "the tokenizer.json cuts at any white space; what was written at spaces and what its table of replacements makes spaces");
      cuts = cuts.subList(1, cuts.size());
    } else if (collapsed) {
      program.note(
          "spaces at the start of a text may be split in another way than by the tokenizer.json");
    }
    if (cuts.size() != 1 || !isType(cuts.getFirst(), "Metaspace")) {
      throw program.refused("Unigram without Metaspace");
    }
    Spaces spaces = collapsed ? Spaces.COLLAPSED : Spaces.KEPT;
    return rules(charsmap, lead(cuts.getFirst(), spaces), spaces);
  }

  private TextRules rules(byte[] charsmap, Lead lead, Spaces spaces) {
    try {
      return new TextRules(MemorySegment.ofArray(charsmap).asReadOnly(), lead, spaces);
    } catch (IllegalArgumentException e) {
      throw program.refused("a normalizer that is damaged: " + e.getMessage());
    }
  }

  private RuntimeException refusedNormalizer(Members step) {
    return program.refused("the normalizer \"%s\"".formatted(TokenizerProgram.type(step)));
  }

  private Lead lead(Members metaspace, Spaces spaces) {
    String scheme =
        metaspace
            .text("prepend_scheme")
            .orElse(truth(metaspace, "add_prefix_space", true) ? "always" : "never");
    if (scheme.equals("first") && !markers.inText().isEmpty()) {
      program.note(
          "the tokenizer puts a space in front of a text alone; what was written does so behind special tokens too");
    }
    if (scheme.equals("never")) {
      return Lead.NONE;
    }
    if (spaces == Spaces.KEPT) {
      program.note(
          "the tokenizer puts no space in front of a text that begins with one; what was written does, so such a text gets one ▁ more");
    }
    return Lead.SPACE_BEFORE;
  }

  /** BPE over pieces: merges in the order of their scores, as SentencePiece's converter wrote. */
  SentencePiece bpe() {
    Merges merges = program.merges();
    float[] scores = new float[vocabulary.size()];
    Arrays.fill(scores, NEVER);
    BitSet done = new BitSet();
    int last = -1;
    for (int rank = 0; rank < merges.count(); rank++) {
      int joined = merges.joined(rank);
      if (joined != last && done.get(joined)) {
        throw program.refused("merges in an order that scores of pieces cannot give");
      }
      if (joined != last) {
        scores[joined] = -done.cardinality();
        done.set(joined);
        last = joined;
      }
    }
    return new SentencePiece(
        vocabulary,
        PieceChoice.BPE,
        Pieces.of(scores, kinds()),
        TextRules.plain(bpeLead(), Spaces.KEPT),
        markers);
  }

  private Lead bpeLead() {
    Lead lead = Lead.NONE;
    boolean spaces = false;
    for (Members step : program.steps("normalizer")) {
      if (isType(step, "Prepend") && step.text("prepend").orElse("").equals("▁")) {
        lead = Lead.SPACE_BEFORE;
      } else if (isType(step, "Replace") && step.text("content").orElse("").equals("▁")) {
        spaces = true;
      } else {
        throw refusedNormalizer(step);
      }
    }
    for (Members step : program.steps("pre_tokenizer")) {
      if (isType(step, "Metaspace")) {
        lead = lead(step, Spaces.KEPT);
        spaces = true;
      } else if (!isType(step, "Split")) {
        throw program.refused(
            "BPE with the pre-tokenizer \"%s\"".formatted(TokenizerProgram.type(step)));
      }
    }
    if (!spaces) {
      throw program.refused("BPE that does not write spaces as ▁");
    }
    return lead;
  }

  private Pieces.Kind[] kinds() {
    Pieces.Kind[] kinds = new Pieces.Kind[vocabulary.size()];
    boolean bytes = truth(model, "byte_fallback", false);
    for (int id = 0; id < kinds.length; id++) {
      boolean octet =
          bytes && vocabulary.has(id) && vocabulary.stored(id).matches("<0x[0-9A-F]{2}>");
      kinds[id] = octet ? Pieces.Kind.BYTE : Pieces.Kind.NORMAL;
    }
    for (int id : markers.inText()) {
      kinds[id] =
          markers.userDefined().contains(id) ? Pieces.Kind.USER_DEFINED : Pieces.Kind.CONTROL;
    }
    Integer unknown = markers.roles().get(Role.UNKNOWN);
    if (unknown != null) {
      kinds[unknown] = Pieces.Kind.UNKNOWN;
    }
    return kinds;
  }
}

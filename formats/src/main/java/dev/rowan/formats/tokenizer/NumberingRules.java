package dev.rowan.formats.tokenizer;

import dev.rowan.formats.tokenizer.TokenizerModel.Cleaning;
import dev.rowan.formats.tokenizer.TokenizerModel.Trim;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Which numbering belongs to which Python class (transformers 4, {@code tokenization_*.py} of each
 * model): facts, by the name of a class without {@code Tokenizer} or by a type of model, in small
 * letters and without other signs.
 */
final class NumberingRules {
  private static final Set<String> T5 =
      Set.of("t5", "mt5", "umt5", "longt5", "switchtransformers", "pix2struct", "udop");

  private static final String[] BERT = {"[CLS]", "[SEP]", "[UNK]", "[PAD]", "[MASK]"};
  private static final Map<String, Trim> MASK = Map.of("<mask>", Trim.BEFORE);
  private static final Map<String, Trim> BERT_MASK = Map.of("[MASK]", Trim.BEFORE);

  /** Classes that number pieces anew by a rule that is not known here. */
  private static final Set<String> OTHER_IDS =
      Set.of("bartpho", "erniem", "mluke", "m2m100", "speech2text", "speechtotext", "marian");

  /** Classes that change text, or its pieces, in a way of their own. */
  private static final Set<String> OTHER_TEXT = Set.of("cpm", "siglip", "siglip2", "gptsw3");

  /** Classes that clean text as ALBERT's does. */
  private static final Set<String> CLEANING = Set.of("albert", "xlnet", "fnet");

  private NumberingRules() {}

  /** Returns whether a class has any rule of its own. */
  static boolean isClass(String key) {
    return of(key, TokenizerConfig.SILENT).isPresent()
        || OTHER_IDS.contains(key)
        || OTHER_TEXT.contains(key);
  }

  static boolean isT5(String key) {
    return T5.contains(key);
  }

  static boolean hasOtherIds(String key, TokenizerConfig config) {
    boolean shifted =
        key.startsWith("pegasus") && config.numbers().getOrDefault("offset", 103L) != 103;
    return OTHER_IDS.contains(key) || shifted;
  }

  static boolean hasOtherText(String key, TokenizerConfig config) {
    return OTHER_TEXT.contains(key)
        || (key.equals("debertav2") && config.flag("split_by_punct").orElse(false))
        || (Set.of("debertav2", "rembert").contains(key)
            && config.flag("do_lower_case").orElse(false));
  }

  /** Returns how a class cleans text, if it does so as ALBERT's does. */
  static Optional<Set<Cleaning>> cleaning(String key, TokenizerConfig config) {
    if (!CLEANING.contains(key)) {
      return Optional.empty();
    }
    Set<Cleaning> cleaning = EnumSet.noneOf(Cleaning.class);
    if (config.flag("remove_space").orElse(true)) {
      cleaning.add(Cleaning.SPACES);
    }
    if (!config.flag("keep_accents").orElse(key.equals("fnet"))) {
      cleaning.add(Cleaning.ACCENTS);
    }
    if (config.flag("do_lower_case").orElse(key.equals("albert"))) {
      cleaning.add(Cleaning.CAPITALS);
    }
    return Optional.of(cleaning);
  }

  /** Returns the numbering of a class; empty if pieces have the ids of their file, and no more. */
  static Optional<PieceNumbering> of(String key, TokenizerConfig config) {
    return Optional.ofNullable(rule(key, config));
  }

  private static @Nullable PieceNumbering rule(String key, TokenizerConfig config) {
    return switch (key) {
      case "xlmroberta", "xlmrobertaxl", "xmod", "layoutxlm", "altclip" ->
          PieceNumbering.fairseq(List.of("<mask>"));
      case "mbart" -> PieceNumbering.fairseq(and(LanguageCodes.MBART, "<mask>"));
      case "mbart50" ->
          PieceNumbering.fairseq(
              and(and(LanguageCodes.MBART, LanguageCodes.MBART_50_MORE), "<mask>"));
      case "nllb", "nllbmoe" -> PieceNumbering.fairseq(and(LanguageCodes.NLLB, "<mask>"));
      case "xglm" -> PieceNumbering.fairseq(numbered(0, 7, "<madeupword%d>"));
      case "plbart" -> plbart(config);
      case "seamlessm4t", "seamlessm4tv2" ->
          PieceNumbering.fairseqFrom(List.of("<pad>", "<unk>", "<s>", "</s>"), 1);
      case "camembert" ->
          new PieceNumbering(
              List.of("<s>NOTUSED", "<pad>", "</s>NOTUSED", "<unk>", "<unk>NOTUSED"),
              4,
              3,
              List.of(),
              List.of("<s>", "</s>", "<mask>"),
              MASK);
      case "xlmprophetnet" -> xlmProphetNet();
      case "pegasus", "pegasusx", "bigbirdpegasus" -> pegasus();
      case "barthez" -> named(MASK, "<s>", "</s>", "<unk>", "<pad>", "<mask>");
      case "udop" -> named(Map.of(), "</s>", "<unk>", "<pad>");
      case "t5", "mt5", "umt5", "longt5", "switchtransformers", "pix2struct" -> t5(config);
      case "llama", "codellama" -> named(Map.of(), "<s>", "</s>", "<unk>");
      case "gemma", "gemma2", "gemma3", "gemma3text" ->
          named(Map.of(), "<bos>", "<eos>", "<unk>", "<pad>");
      case "reformer" -> named(Map.of(), "</s>", "<unk>");
      case "debertav2" -> named(Map.of(), BERT);
      case "rembert" -> named(BERT_MASK, BERT);
      case "bigbird" ->
          named(BERT_MASK, "<s>", "</s>", "<unk>", "[SEP]", "<pad>", "[CLS]", "[MASK]");
      case "bertgeneration" -> named(Map.of(), "<s>", "</s>", "<unk>", "<::::>", "<pad>");
      case "albert" -> named(BERT_MASK, "[CLS]", "[SEP]", "<unk>", "<pad>", "[MASK]");
      case "fnet" -> named(BERT_MASK, "<unk>", "[SEP]", "<pad>", "[CLS]", "[MASK]");
      case "xlnet" ->
          named(
              MASK, "<s>", "</s>", "<unk>", "<sep>", "<pad>", "<cls>", "<mask>", "<eop>", "<eod>");
      default -> null;
    };
  }

  /** The ids of the file, and tokens that are found in text: each where it stands, else behind. */
  private static PieceNumbering named(Map<String, Trim> trims, String... tokens) {
    return PieceNumbering.asInFile(List.of(), List.of(tokens), trims);
  }

  private static PieceNumbering plbart(TokenizerConfig config) {
    // with several languages the mask has no id of its own: it comes behind all others
    return config.texts().getOrDefault("language_codes", "base").equals("multi")
        ? PieceNumbering.fairseq(
            and(and(LanguageCodes.PLBART, LanguageCodes.PLBART_MORE), "<mask>"))
        : PieceNumbering.fairseq(and(LanguageCodes.PLBART, "<mask>"));
  }

  private static PieceNumbering xlmProphetNet() {
    return new PieceNumbering(
        and(List.of("[PAD]", "[CLS]", "[SEP]", "[UNK]", "[MASK]"), numbered(0, 10, "[unused%d]")),
        12,
        3,
        List.of(),
        List.of(),
        Map.of());
  }

  private static PieceNumbering pegasus() {
    return new PieceNumbering(
        and(List.of("<pad>", "</s>", "<mask_1>", "<mask_2>"), numbered(2, 103, "<unk_%d>")),
        103,
        -1,
        List.of(),
        List.of("<unk>"),
        Map.of());
  }

  /** The numbers of the tokens that stand for gaps go down while their ids go up. */
  private static PieceNumbering t5(TokenizerConfig config) {
    int gaps = Math.clamp(config.numbers().getOrDefault("extra_ids", 100L), 0, 10_000);
    List<String> tail = numbered(0, gaps, "<extra_id_%d>").reversed();
    Map<String, Trim> trims =
        tail.stream().collect(Collectors.toMap(token -> token, _ -> Trim.AROUND));
    return PieceNumbering.asInFile(tail, List.of("</s>", "<unk>", "<pad>"), trims);
  }

  private static List<String> numbered(int from, int to, String format) {
    IntFunction<String> name = format::formatted;
    return IntStream.range(from, to).mapToObj(name).toList();
  }

  private static List<String> and(List<String> first, List<String> more) {
    return Stream.concat(first.stream(), more.stream()).toList();
  }

  private static List<String> and(List<String> first, String last) {
    return and(first, List.of(last));
  }
}

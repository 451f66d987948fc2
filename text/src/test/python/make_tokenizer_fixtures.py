"""Makes the fixtures of ReferenceIdsTest: tiny tokenizers, and the ids that the reference
implementations give for awkward strings.

Run where the packages tokenizers, sentencepiece, protobuf, tiktoken, regex, gguf and numpy are installed; it needs no
network. The tokenizers are trained on the made-up text below. Writes to
src/test/resources/dev/rowan/text; strings.txt holds one string a line, in ASCII with \\uXXXX
escapes for UTF-16 units, and each *.ids one line of ids for each of them.
"""

import base64
import collections
import contextlib
import io
import json
import pathlib
import random
import re
import tempfile

import gguf
import numpy as np
import regex
import sentencepiece
import tiktoken
import tokenizers
from sentencepiece import sentencepiece_model_pb2
from tiktoken_ext import openai_public
from tokenizers import Regex, pre_tokenizers

TARGET = pathlib.Path(__file__).resolve().parent.parent / "resources/dev/rowan/text"

CORPUS = """
The quick brown fox doesn't jump over the lazy dog, but it's been known to hop over 3 logs.
She said: "I'll be there at 10:45, won't you?" They've never seen 1234567 stars (or 89 moons)!
A cat sat on the mat; the cats sat on mats. Running, runner, ran: walked, walking, walker.
naïve café résumé Straße Zürich coöperate Ångström İstanbul ıspanak façade jalapeño
Быстрая лиса прыгает через ленивую собаку. Кошка сидит на ковре, а собака лает.
Η γρήγορη αλεπού πηδάει πάνω από το τεμπέλικο σκυλί. Ο σκύλος κοιμάται.
敏捷的棕色狐狸跳过懒狗。猫坐在垫子上。今天天气很好，我们去公园。
素早い茶色の狐がのろまな犬を飛び越える。猫はマットの上に座った。
الثعلب البني السريع يقفز فوق الكلب الكسول. القطة تجلس على السجادة.
빠른 갈색 여우가 게으른 개를 뛰어넘습니다. 고양이가 매트에 앉았습니다.
हर सुबह बिल्ली चटाई पर बैठती है। कुत्ता सो रहा है।
def run(x):\n    if x > 0:\n        return x ** 2  # square\n    else:\n        return None
for (int i = 0; i < n; i++) { sum += a[i] * b[i]; }  // dot
😀 😃 👍🏽 👨‍👩‍👧‍👦 ❤️ 🇩🇪 ☕ → ← ≤ ≥ € £ ½ ² №
"""

BASE = [
    "", " ", "  ", "   ", "a", " a", "a ", " a ", "  a  ", "A", "the cat sat", "The cat sat on the mat.",
    "\n", "\n\n", "\r\n", "\r\n\r\n", "\t", "\t\t", " \n", "\n ", " \n ", "a\nb", "a\n\nb", "a \n b", "a  \n  b",
    "a\r\nb", "a \r\n", "  \n\n  x", "x\n   ", "x   \n   ", "\n\n\n   \n\n", "\u000b\u000c", "a\tb", "\ta", "a\t",
    "a    b", "a     b", "     ", " " * 17, "a" + " " * 33 + "b", "\n" * 20, " \t \t ", "\u00a0", "a\u00a0b", " \u00a0 ", "\u2003x\u2003",
    "\u3000", "日\u3000本", "\u200b", "a\u200bb", "\u200d", "\ufeff", "\ufeffThe", "\u0085", "a\u2028b\u2029c", "\u202f1\u202f000", "\u205f", "\u1680x",
    "don't", "Don't", "DON'T", "I'll", "I'LL", "we've", "WE'VE", "they're", "THEY'RE", "I'm", "I'M", "he'd", "HE'D", "it's", "IT'S",
    "'s", "'S", "' s", "''s", "'sa", "'re're", "don\u2019t", "it\u2019s", "'\u017f", "rock'n'roll", "'tis", "o'clock", "'lla", "'l", "'", "''", "x'", "x's's",
    "0", "12", "123", "1234", "12345", "1234567890", "3.14159", "1,000,000", "-1", "1e10", "0x1F", "²³", "½", "Ⅷ", "١٢٣٤", "१२३", "٣٫١٤", "a1b2c3", "1a", " 123", " 1234567", "10:45", "№5",
    "!", "!!!", "?!", "...", " ...", "a...b", "a,b", "(a)", "[a]", "{a}", "<a>", "a/b/c", "//\n", "a//\n\nb", "http://x.y/z?q=1&r=2#s", "foo_bar", "__init__", "snake_case_name",
    "camelCase", "HTTPServer", "iPhone", "XMLHttpRequest", "ABCdefGHI", "aB", "Ab", "AB", "ABc", "ǅungla", "ʰello", "A\u0301b", "e\u0301", "\u0301", " \u0301", "\u0301a", "a\u0301\u0302\u0303b", "Z\u0351\u036b\u0343a\u0316",
    "café", "cafe\u0301", "naïve", "ÅNGSTRÖM", "Straße", "STRASSE", "İstanbul", "I\u0307", "ıspanak", "ﬁle", "ﬀ", "ｆｕｌｌ", "Å", "Ω", "ς", "ΣΑΣ", "ΌΔΟΣ",
    "猫坐在垫子上", "猫cat猫", "今天天气很好。", "猫はマットの上", "カタカナ", "ｶﾀｶﾅ", "が", "か\u3099", "고양이", "\u1100\u1161", "القطة", "السَّلام", "هـ", "שָׁלוֹם", "บ้าน", "बिल्ली", "क्षि", "தமிழ்", "\U00020000\U0002a6d6", "𝒳𝓎", "𐐷",
    "😀", "😀😀", "a😀b", "👍🏽", "👨‍👩‍👧‍👦", "❤️", "❤", "🇩🇪", "🏴\U000e0067\U000e0062\U000e007f", "1️⃣", "☕", "🤷‍♀️", "🫠", "\U0001fae8",
    "\x00", "a\x00b", "\x01\x02", "\x1b[0m", "\x7f", "\x80", "\xad", "soft\xadhyphen", "\ufffd", "a\ufffdb", "\ufffe", "\uffff", "\ue000", "\U000f0000", "\U0010ffff", "\u0378",
    "\ud83d", "\ude00", "a\ud83d", "\ud83db", "\ude00\ud83d", "\ud83d\ud83d\ude00", "x\udfffy",
    "<|endoftext|>", "a<|endoftext|>b", " <|endoftext|> ", "<|endoftext|><|endoftext|>", "<|endoftext", "<|end<|endoftext|>", "[CLS]", "[SEP] a [MASK] b", "[cls]", "[UNK]x", "a[PAD]", "<s>", "</s>a", "<unk>", "a<unk>b", "<pad>", "<0x41>", "<user>", "a<user>b", "<user><user2>", "  <user>  ", "<us",
    "▁", "▁a", "a▁b", "▁▁", "Ġ", "Ġa", "##s", "a##s", "Ċ", "â", "Ã©",
    "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "ab" * 60, "the" * 40, "x" * 99, "x" * 100, "x" * 101, "catcatcat", "猫" * 50, "é" * 60, "0" * 50, "!?" * 40, "  \n" * 12,
    "def run(x):\n    return x ** 2\n", "if (a<b) { c++; }\n\n\n", "a\u0000\n\tb", "x\u3000\u3000y", "The\u00a0cat", "WALKING walker", "Быстрая ЛИСА", "ΓΡΉΓΟΡΗ", "mixed 123abc 猫 العربية", "\u202eabc\u202c", "\u2066x\u2069", "a\u2060b", "\u061c", "\u180e",
]


def seeded(count):
    """Strings of random pieces: what no one thinks of."""
    rng = random.Random(20261129)
    pieces = [" ", "  ", "\n", "\r\n", "\t", "'s", "'LL", "'", "a", "the", "Cat", "CATS", "walk", "ing", "é", "e\u0301", "ß", "Б", "лиса", "猫", "犬", "が", "고", "ال", "ि", "1", "23", "4567", "½", ".", ",", "!?", "/", "_", "-", "😀", "👍🏽", "\u200d", "\u00a0", "\u3000", "\u0000", "\ufffd", "▁", "<user>", "<|endoftext|>", "[SEP]", "##", "İ", "ﬁ", "\u0301", "\u2019", "€", "＄"]
    return ["".join(rng.choice(pieces) for _ in range(rng.randint(2, 14))) for _ in range(count)]


def escaped(text):
    out = []
    for i in range(0, len(raw := text.encode("utf-16-be", "surrogatepass")), 2):
        unit = raw[i] << 8 | raw[i + 1]
        out.append(chr(unit) if 0x20 < unit < 0x7F and unit != 0x5C else "\\u%04x" % unit)
    return "".join(out)


def well_formed(text):
    """Lone surrogates become U+FFFD, as tiktoken's encode does."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


STRINGS = list(dict.fromkeys(BASE)) + seeded(60)
TEXTS = [well_formed(text) for text in STRINGS]


def save(name, encode):
    lines = [" ".join(map(str, encode(text))) for text in TEXTS]
    (TARGET / (name + ".ids")).write_text("\n".join(lines) + "\n")


def units(text):
    return len(text.encode("utf-16-be")) // 2


def save_cuts(name, cut):
    """Saves the lengths, in UTF-16 units, of the words that each string is cut into."""
    rows = [" ".join(str(units(word)) for word in cut(text)) for text in TEXTS]
    (TARGET / (name + ".cuts")).write_text("\n".join(rows) + "\n")


def cutter(pre_tokenizer):
    """How the tokenizers library cuts, told by offsets since it may rewrite the words."""
    return lambda text: [text[a:b] for _, (a, b) in pre_tokenizer.pre_tokenize_str(text)]


def lines():
    return [line for line in CORPUS.split("\n") if line]


GPT2 = openai_public.r50k_pat_str
LLAMA3 = (r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*"
          r"|\s*[\r\n]+|\s+(?!\S)|\s+")
QWEN2 = LLAMA3.replace("{1,3}", "")
TEKKEN = (r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+"
          r"|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*"
          r"|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+")
CL100K_PATTERN = (r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}++|\p{N}{1,3}+| ?[^\s\p{L}\p{N}]++[\r\n]*+"
                  r"|\s++$|\s*[\r\n]|\s+(?!\S)|\s")
O200K_PATTERN = "|".join([
    r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?",
    r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?",
    r"\p{N}{1,3}", r" ?[^\s\p{L}\p{N}]+[\r\n/]*", r"\s*[\r\n]+", r"\s+(?!\S)", r"\s+"])
KIMI_PATTERN = "|".join([
    r"[\p{Han}]+",
    r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}&&[^\p{Han}]]*[\p{Ll}\p{Lm}\p{Lo}\p{M}&&[^\p{Han}]]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?",
    r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}&&[^\p{Han}]]+[\p{Ll}\p{Lm}\p{Lo}\p{M}&&[^\p{Han}]]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?",
    r"\p{N}{1,3}",
    r" ?[^\s\p{L}\p{N}]+[\r\n]*",
    r"\s*[\r\n]+",
    r"\s+(?!\S)",
    r"\s+",
])
DEEPSEEK_V3 = [
    r"\p{N}{1,3}", "[一-龥぀-ゟ゠-ヿ]+",
    r"""[!"#$%&'()*+,\-./:;<=>?@\[\\\]^_`{|}~][A-Za-z]+|[^\r\n\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+"""
    r"""| ?[\p{P}\p{S}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"""]


# BLOOM's expression leaves gaps, which are words too
BLOOM = r" ?[^(\s|.,!?…。，、।۔،)]+"


def pieces(pattern, text):
    at = 0
    for match in regex.finditer(pattern, text):
        yield text[at:match.start()]
        yield match.group()
        at = match.end()
    yield text[at:]


def byte_level():
    trainer_text = lines() * 3
    tokenizer = tokenizers.ByteLevelBPETokenizer()
    tokenizer.train_from_iterator(trainer_text, vocab_size=620, min_frequency=2,
                                  special_tokens=["<|endoftext|>"], show_progress=False)
    folder = TARGET / "bytes"
    folder.mkdir(parents=True, exist_ok=True)
    tokenizer.save_model(str(folder))
    vocab, merges = folder / "vocab.json", folder / "merges.txt"

    def load(prefix_space=False):
        loaded = tokenizers.ByteLevelBPETokenizer.from_file(str(vocab), str(merges), add_prefix_space=prefix_space)
        loaded.add_special_tokens(["<|endoftext|>"])
        return loaded

    save("gpt2", lambda t: load().encode(t).ids)
    save("gpt2-space", lambda t: load(True).encode(t).ids)
    for name, pattern in [("llama3", [LLAMA3]), ("qwen2", [QWEN2]), ("tekken", [TEKKEN]),
                          ("deepseek-v3", DEEPSEEK_V3)]:
        model = tokenizers.models.BPE.from_file(str(vocab), str(merges), ignore_merges=name == "llama3")
        whole = tokenizers.Tokenizer(model)
        whole.pre_tokenizer = pre_tokenizers.Sequence(
            [pre_tokenizers.Split(Regex(p), "isolated") for p in pattern]
            + [pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)])
        whole.add_special_tokens(["<|endoftext|>"])
        save(name, lambda t: whole.encode(t).ids)
        save_cuts(name, cutter(pre_tokenizers.Sequence(
            [pre_tokenizers.Split(Regex(p), "isolated") for p in pattern])))
    save_cuts("gpt2", cutter(pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=True)))
    for name, pattern in [("cl100k", CL100K_PATTERN), ("o200k", O200K_PATTERN), ("r50k", GPT2),
                          ("bloom", BLOOM),
                          # the package regex takes differences of sets in its version 1 alone
                          ("kimi", "(?V1)" + KIMI_PATTERN)]:
        save_cuts(name, lambda t: [piece for piece in pieces(pattern, t) if piece])
    whole = tokenizers.Tokenizer(tokenizers.models.BPE.from_file(str(vocab), str(merges)))
    whole.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.Digits(individual_digits=True),
         pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=True)])
    whole.add_special_tokens(["<|endoftext|>"])
    save("starcoder", lambda t: whole.encode(t).ids)
    return vocab


def tiktoken_file(vocab):
    """The byte-level tokens again, as tiktoken ranks: ids are places in order of their making."""
    byte_of = {c: b for b, c in pre_byte_map().items()}
    ordered = sorted(json.loads(vocab.read_text()).items(), key=lambda item: item[1])
    ranks = {}
    for token, _ in ordered:
        if token != "<|endoftext|>":
            ranks[bytes(byte_of[c] for c in token)] = len(ranks)
    text = "".join("%s %d\n" % (base64.b64encode(token).decode(), rank) for token, rank in ranks.items())
    (TARGET / "tiny.tiktoken").write_text(text)
    for name, pattern in [("tiktoken-cl100k", CL100K_PATTERN), ("tiktoken-o200k", O200K_PATTERN),
                          ("tiktoken-r50k", GPT2), ("tiktoken-kimi", KIMI_PATTERN)]:
        encoding = tiktoken.Encoding(name, pat_str=pattern, mergeable_ranks=ranks, special_tokens={})
        save(name, lambda t: encoding.encode(t, disallowed_special=()))


def pre_byte_map():
    """Byte to character as GPT-2 writes bytes."""
    keep = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    table = {b: chr(b) for b in keep}
    for b in range(256):
        if b not in table:
            table[b] = chr(0x100 + len(table) - len(keep))
    return table


def sentence_piece(name, **options):
    out = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(lines() * 3), model_writer=out, minloglevel=2, num_threads=1,
        hard_vocab_limit=False, **options)
    (TARGET / (name + ".model")).write_bytes(out.getvalue())
    processor = sentencepiece.SentencePieceProcessor(model_proto=out.getvalue())
    save(name, lambda t: processor.encode(t))


RULES = """41\t61
FB01\t66 69
65 301\tE9
A0\t20
3000\t20
9\t20
A\t20
D\t20
200B\t
BD\t31 2F 32
2460\t28 31 29
"""


def sentence_pieces():
    # the model keeps the name of the file, so that it should not be one of this machine
    rules = "rules.tsv"
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        pathlib.Path(rules).write_text(RULES)
        users = ["<user>", "<user2>", "  ", "walk"]
        sentence_piece("spm-bpe", model_type="bpe", vocab_size=700, byte_fallback=True,
                       normalization_rule_name="identity", user_defined_symbols=users)
        sentence_piece("spm-bpe-llama", model_type="bpe", vocab_size=700, byte_fallback=True, split_digits=True,
                       normalization_rule_name="identity", remove_extra_whitespaces=False,
                       allow_whitespace_only_pieces=True, character_coverage=0.98)
        sentence_piece("spm-bpe-rules", model_type="bpe", vocab_size=520, normalization_rule_tsv=rules,
                       character_coverage=0.98)
        sentence_piece("spm-unigram", model_type="unigram", vocab_size=520, normalization_rule_tsv=rules,
                       character_coverage=0.98, user_defined_symbols=users)
        sentence_piece("spm-unigram-bytes", model_type="unigram", vocab_size=600, byte_fallback=True,
                       normalization_rule_name="identity", remove_extra_whitespaces=False)
        sentence_piece("spm-unigram-plain", model_type="unigram", vocab_size=520, normalization_rule_tsv=rules,
                       character_coverage=0.98)
        sentence_piece("spm-unigram-suffix", model_type="unigram", vocab_size=520,
                       normalization_rule_name="identity", treat_whitespace_as_suffix=True,
                       character_coverage=0.98, user_defined_symbols=users)


def word_piece_tokens(lower):
    """Characters and frequent parts of words. The library's trainer breaks ties at random."""
    rules = tokenizers.normalizers.BertNormalizer(lowercase=lower)
    cut = pre_tokenizers.BertPreTokenizer()
    words = [w for line in lines() for w, _ in cut.pre_tokenize_str(rules.normalize_str(line))]
    parts = collections.Counter()
    for word in words:
        for a in range(len(word)):
            for b in range(a + 2, min(len(word), a + 8) + 1):
                parts[("##" if a else "") + word[a:b]] += b - a
    characters = sorted({c for word in words for c in word})
    frequent = sorted(parts, key=lambda part: (-parts[part], part))[:180]
    return ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *characters, *["##" + c for c in characters], *frequent]


def word_pieces():
    for name, lower in [("wordpiece-uncased", True), ("wordpiece-cased", False)]:
        folder = TARGET / name
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "vocab.txt").write_text("\n".join(word_piece_tokens(lower)) + "\n")
        loaded = tokenizers.BertWordPieceTokenizer(str(folder / "vocab.txt"), lowercase=lower)
        save(name, lambda t: loaded.encode(t, add_special_tokens=False).ids)


def word_list():
    words = ["the", "cat", "The", "sat", "猫", "don't", "<unk>", "a", "mat."]
    model = tokenizers.models.WordLevel({w: i for i, w in enumerate(words)}, unk_token="<unk>")
    tokenizer = tokenizers.Tokenizer(model)
    tokenizer.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    (TARGET / "words.txt").write_text("\n".join(words) + "\n")
    save("words", lambda t: tokenizer.encode(t).ids)


def save_gguf(name, arch, add, tokens):
    writer = gguf.GGUFWriter(str(TARGET / (name + ".gguf")), arch)
    writer.add_token_list(tokens)
    add(writer)
    writer.add_tensor("token_embd.weight", np.ones((len(tokens), 1), dtype=np.float16))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def between(specials, encode):
    """Encodes what lies between special tokens, the longest of which wins."""
    pattern = re.compile("|".join(map(re.escape, sorted(specials, key=len, reverse=True))))

    def whole(text):
        ids, at = [], 0
        for match in pattern.finditer(text):
            ids += encode(text[at:match.start()]) + [specials[match.group()]]
            at = match.end()
        return ids + encode(text[at:])

    return whole


def gguf_bytes():
    """Expects what llama3.ids has: the same tokens and merges, cut and taken alike."""
    vocab = json.loads((TARGET / "bytes/vocab.json").read_text())
    tokens = sorted(vocab, key=vocab.get)

    def add(writer):
        writer.add_tokenizer_model("gpt2")
        writer.add_tokenizer_pre("llama-bpe")
        writer.add_token_types([3 if t == "<|endoftext|>" else 1 for t in tokens])
        writer.add_token_merges((TARGET / "bytes/merges.txt").read_text().split("\n")[1:-1])
        writer.add_bos_token_id(0)

    save_gguf("gguf-bytes", "llama", add, tokens)


def gguf_pieces(name, source, model, arch, **settings):
    """Special tokens are found first, as llama.cpp does; sentencepiece encodes the rest."""
    processor = sentencepiece.SentencePieceProcessor(model_file=str(TARGET / (source + ".model")))
    count = processor.get_piece_size()
    tokens = [processor.id_to_piece(i) for i in range(count)]
    kinds = [2 if processor.is_unknown(i) else 3 if processor.is_control(i) else 6 if processor.is_byte(i)
             else 5 if processor.is_unused(i) else 1 for i in range(count)]

    def add(writer):
        writer.add_tokenizer_model(model)
        writer.add_tokenizer_pre("default")
        writer.add_token_scores([processor.get_score(i) for i in range(count)])
        writer.add_token_types(kinds)
        writer.add_bos_token_id(1)
        writer.add_eos_token_id(2)
        for setting, value in settings.items():
            getattr(writer, setting)(value)

    save_gguf(name, arch, add, tokens)
    specials = {t: i for i, t in enumerate(tokens) if kinds[i] in (2, 3)}
    save(name, between(specials, lambda t: processor.encode(t) if t else []))


def charsmap(model):
    """The table of replacements, as converters take it out of the model."""
    proto = sentencepiece_model_pb2.ModelProto()
    proto.ParseFromString(model.read_bytes())
    return proto.normalizer_spec.precompiled_charsmap


def gguf_words():
    """Expects what wordpiece-uncased.ids has: the tokens as convert_hf_to_gguf.py rewrites them."""
    tokens = []
    for token in (TARGET / "wordpiece-uncased/vocab.txt").read_text().split("\n")[:-1]:
        if token.startswith("[") and token.endswith("]"):
            tokens.append(token)
        elif token.startswith("##"):
            tokens.append(token[2:])
        else:
            tokens.append("\u2581" + token)

    def add(writer):
        writer.add_tokenizer_model("bert")
        writer.add_tokenizer_pre("default")
        writer.add_token_types([3 if t in ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]") else 1 for t in tokens])
        writer.add_uint32("tokenizer.ggml.cls_token_id", tokens.index("[CLS]"))
        writer.add_sep_token_id(tokens.index("[SEP]"))
        writer.add_unk_token_id(tokens.index("[UNK]"))

    save_gguf("gguf-words", "bert", add, tokens)


if __name__ == "__main__":
    TARGET.mkdir(parents=True, exist_ok=True)
    (TARGET / "strings.txt").write_text("\n".join(map(escaped, STRINGS)) + "\n")
    tiktoken_file(byte_level())
    sentence_pieces()
    word_pieces()
    word_list()
    gguf_bytes()
    gguf_pieces("gguf-bpe", "spm-bpe-llama", "llama", "llama", add_add_space_prefix=True)
    gguf_pieces("gguf-unigram", "spm-unigram-bytes", "t5", "t5", add_add_space_prefix=True,
                add_remove_extra_whitespaces=False)
    gguf_pieces("gguf-unigram-rules", "spm-unigram-plain", "t5", "t5", add_add_space_prefix=True,
                add_remove_extra_whitespaces=True,
                add_precompiled_charsmap=charsmap(TARGET / "spm-unigram-plain.model"))
    gguf_words()
    print(len(STRINGS), "strings")

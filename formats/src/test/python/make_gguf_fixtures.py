"""Makes the GGUF fixtures of GgufFileTest with gguf-py, llama.cpp's own writer.

Run where the packages gguf and numpy are installed; prints the numbers that the test expects.
"""

import base64
import pathlib
import sys
import textwrap

import gguf
import numpy as np

TARGET = pathlib.Path(__file__).parent.parent / "resources/dev/rowan/formats/gguf"


def save(name, add, arch, endianess=gguf.GGUFEndian.LITTLE):
    path = TARGET / (name + ".gguf")
    writer = gguf.GGUFWriter(str(path), arch, endianess=endianess)
    add(writer)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    text = base64.b64encode(path.read_bytes()).decode()
    path.with_suffix(".gguf.b64").write_text("\n".join(textwrap.wrap(text, 100)) + "\n")
    path.unlink()


def gpt2(writer):
    """Byte-level tokens, a Q8_0 table of 5 x 32, no output table, two padding rows."""
    writer.add_name("tiny")
    writer.add_vocab_size(6)
    writer.add_embedding_length(32)
    writer.add_tokenizer_model("gpt2")
    writer.add_token_list(["cat", "Ġcat", "Ġg", "<|endoftext|>", "[PAD4]", "[PAD5]"])
    writer.add_token_types([1, 1, 1, 3, 5, 5])
    writer.add_token_merges(["c at", "Ġ cat"])
    rows = np.arange(6 * 32, dtype=np.float32).reshape(6, 32) / 8 - 10
    packed = gguf.quants.quantize(rows, gguf.GGMLQuantizationType.Q8_0)
    writer.add_tensor("token_embd.weight", packed, raw_dtype=gguf.GGMLQuantizationType.Q8_0)
    writer.add_tensor("output_norm.weight", np.ones(32, dtype=np.float32))
    read = gguf.quants.dequantize(packed, gguf.GGMLQuantizationType.Q8_0)
    print("gpt2 row 1", read[1, :4].tolist(), "row 5 last", float(read[5, 31]), file=sys.stderr)


def llama_big(writer):
    """A big-endian file: f16 input and f32 output of 4 x 3, SentencePiece tokens with scores."""
    writer.add_embedding_length(3)
    writer.add_tokenizer_model("llama")
    writer.add_token_list(["<unk>", "▁cat", "cat", "<0x41>"])
    writer.add_token_scores([0.0, -1.0, -2.0, 0.0])
    writer.add_token_types([2, 1, 1, 6])
    writer.add_logit_scale(0.0625)
    rows = np.array([[1, 2, 3], [4, -5, 6], [0.5, 65504, 2**-24], [7, 8, 9]])
    writer.add_tensor("token_embd.weight", rows.astype(np.float16))
    writer.add_tensor("output.weight", (rows * 2).astype(np.float32))


def gemma(writer):
    """BF16 through raw bytes, scaled rows, tokens of every type."""
    writer.add_embedding_length(2)
    writer.add_tokenizer_model("llama")
    writer.add_token_list(["<pad>", "▁a", "<unused0>"])
    writer.add_token_scores([0.0, -1.0, 0.0])
    writer.add_token_types([3, 1, 5])
    bits = (np.array([[1, 2], [3, -4], [0.5, 96]], dtype=np.float32).view(np.uint32) >> 16)
    writer.add_tensor(
        "token_embd.weight",
        bits.astype(np.uint16).view(np.uint8),
        raw_dtype=gguf.GGMLQuantizationType.BF16,
    )


save("gpt2", gpt2, "gpt2")
save("llama-big-endian", llama_big, "llama", gguf.GGUFEndian.BIG)
save("gemma", gemma, "gemma2")

# What each block type makes of the bytes (37j + 11) & 255 with d = 1 and m or dmin = 0.5: the first
# four numbers and the sum. d sits where the format puts it.
HALF = {1.0: b"\x00\x3c", 0.5: b"\x00\x38"}
for name, places in {
    "IQ3_S": {0: 1.0},
    "MXFP4": {},
}.items():
    kind = gguf.GGMLQuantizationType[name]
    size, count = gguf.GGML_QUANT_SIZES[kind]
    block = bytearray((37 * j + 11) & 255 for j in range(count))
    if name == "MXFP4":
        block[0] = 128  # the shared power of two: 2^(128 - 127) / 2
    for at, value in places.items():
        block[at : at + 2] = HALF[value]
    row = gguf.quants.dequantize(np.frombuffer(bytes(block), dtype=np.uint8), kind)
    print(name, row[:4].tolist(), float(row.astype(np.float64).sum()), file=sys.stderr)

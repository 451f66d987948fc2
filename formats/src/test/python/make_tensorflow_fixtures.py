"""Makes the TensorFlow fixtures of TensorflowFileTest with TensorFlow itself."""

import base64
import pathlib
import tempfile
import textwrap

import numpy as np
import tensorflow as tf

TARGET = pathlib.Path(__file__).parent.parent / "resources/dev/rowan/formats/tensorflow"
FOLDER = pathlib.Path(tempfile.mkdtemp())


def keep(prefix):
    for file in sorted(FOLDER.glob(prefix + ".*")):
        text = base64.b64encode(file.read_bytes()).decode()
        (TARGET / (file.name + ".b64")).write_text("\n".join(textwrap.wrap(text, 76)) + "\n")
        print(file.name, file.stat().st_size)


def save(prefix, tensors, slices=None):
    names, values = zip(*tensors)
    tf.raw_ops.SaveV2(
        prefix=str(FOLDER / prefix),
        tensor_names=names,
        shape_and_slices=slices or [""] * len(names),
        tensors=[tf.constant(v) if isinstance(v, np.ndarray) else v for v in values],
    )


wte = np.arange(20, dtype=np.float32).reshape(5, 4) + 0.5
save(
    "model.ckpt",
    [
        ("model/wte", wte),
        ("model/wpe", -wte[:3]),
        ("model/h0/attn/c_attn/w", tf.zeros([1, 4, 12])),
        ("model/ln_f/b", tf.zeros([4])),
        ("global_step", tf.constant(7, tf.int64)),
    ],
)
keep("model.ckpt")

small = np.arange(12, dtype=np.float64).reshape(4, 3) + 0.5
save(
    "dtypes",
    [
        ("half", tf.constant(small, tf.float16)),
        ("bfloat", tf.cast(tf.constant(small), tf.bfloat16)),
        ("double", small),
        ("text", tf.constant(["a", "bc"])),
    ],
)
keep("dtypes")

# two files of numbers; the table in three parts: rows 0 to 99, and 100 to 159 in halves of columns
name = "bert/embeddings/word_embeddings"
large = np.arange(320, dtype=np.float32).reshape(160, 2) + 0.5
save("s0", [(name, large[:100])], ["160 2 0,100:-"])
save(
    "s1",
    [(name, large[100:, :1]), (name, large[100:, 1:]), ("bias", np.float32([1, 2]))],
    ["160 2 100,60:0,1", "160 2 100,60:1,1", ""],
)
tf.raw_ops.MergeV2Checkpoints(
    checkpoint_prefixes=[str(FOLDER / "s0"), str(FOLDER / "s1")],
    destination_prefix=str(FOLDER / "parts"),
    delete_old_dirs=False,
)
keep("parts")

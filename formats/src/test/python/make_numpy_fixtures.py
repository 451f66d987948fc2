"""Makes the NumPy fixtures of NumpyFileTest with numpy itself."""

import base64
import io
import pathlib
import textwrap

import numpy as np

TARGET = pathlib.Path(__file__).parent.parent / "resources/dev/rowan/formats/numpy"


def keep(name, raw):
    text = base64.b64encode(raw).decode()
    (TARGET / (name + ".b64")).write_text("\n".join(textwrap.wrap(text, 100)) + "\n")
    print(name, len(raw))


def saved(array, **options):
    out = io.BytesIO()
    np.save(out, array, **options)
    return out.getvalue()


def versioned(array, version):
    out = io.BytesIO()
    np.lib.format.write_array(out, array, version=version)
    return out.getvalue()


rows = (np.arange(12) + 0.5).reshape(4, 3)
for descr in ["<f2", "<f4", "<f8", ">f2", ">f4", ">f8"]:
    name = {"<": "little", ">": "big"}[descr[0]] + "-" + descr[1:]
    keep(name + ".npy", saved(rows.astype(descr)))
keep("fortran.npy", saved(np.asfortranarray(rows.astype("<f4"))))
keep("fortran-big.npy", saved(np.asfortranarray(rows.astype(">f8"))))
keep("version2.npy", versioned(rows.astype("<f4"), (2, 0)))
keep("version3.npy", versioned(rows.astype("<f4"), (3, 0)))
keep("single.npy", saved(np.float32(1.5)))
keep("vector.npy", saved(rows[0].astype("<f4")))
keep("integers.npy", saved(rows.astype("i1")))
keep("objects.npy", saved(np.array([["a", {}]], dtype=object), allow_pickle=True))
keep("fields.npy", saved(np.zeros((2, 2), dtype=[("x", "<f4"), ("y", "<i4")])))

arrays = {"vectors": rows.astype("<f4"), "words": np.array(["a", "bc"]), "idf": np.ones(4)}
out = io.BytesIO()
np.savez(out, **arrays)
keep("stored.npz", out.getvalue())
out = io.BytesIO()
np.savez_compressed(out, **arrays)
keep("deflated.npz", out.getvalue())
out = io.BytesIO()
np.savez(out, a=rows.astype("<f4"), b=(rows * 2).astype("<f8"))
keep("two.npz", out.getvalue())

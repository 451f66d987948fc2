"""Makes the PyTorch fixtures of PytorchFileTest with torch itself.

Run where torch and numpy are installed. The tar archive and the swapped bytes are put together by
hand; torch.load reads both here before they are kept.
"""

import base64
import collections
import io
import os
import pathlib
import pickle
import struct
import tarfile
import textwrap
import zipfile

import torch

TARGET = pathlib.Path(__file__).parent.parent / "resources/dev/rowan/formats/pytorch"


def keep(name, raw):
    text = base64.b64encode(raw).decode()
    (TARGET / (name + ".b64")).write_text("\n".join(textwrap.wrap(text, 100)) + "\n")
    print(name, len(raw))


def saved(thing, **options):
    out = io.BytesIO()
    torch.save(thing, out, **options)
    return out.getvalue()


def rows(dtype=torch.float32):
    """4 x 3: 0.5, 1.5, …, 11.5."""
    return (torch.arange(12, dtype=torch.float32) + 0.5).reshape(4, 3).to(dtype)


tied = rows()
tied_state = collections.OrderedDict(
    [("transformer.wte.weight", tied), ("lm_head.weight", tied), ("ln.weight", torch.ones(3))]
)
keep("tied.pt", saved(tied_state))
keep("tied-legacy.pt", saved(tied_state, _use_new_zipfile_serialization=False))
keep("protocol4.pt", saved(tied_state, pickle_protocol=4))
keep("protocol5.pt", saved(tied_state, pickle_protocol=5))

other = rows() + 100
keep("untied.pt", saved({"model.embed_tokens.weight": rows(), "lm_head.weight": other}))

# views of one larger storage: transposed, and a slice of rows
wide = torch.arange(12, dtype=torch.float32).reshape(3, 4) + 0.5
keep("transposed.pt", saved({"embed_tokens.weight": wide.t()}))
keep("transposed-legacy.pt", saved({"embed_tokens.weight": wide.t()}, _use_new_zipfile_serialization=False))
# torch notes the other sign rather than to write the numbers so
keep("negated.pt", saved({"embed_tokens.weight": torch._neg_view(rows())}))
keep("negated-legacy.pt", saved({"embed_tokens.weight": torch._neg_view(rows())}, _use_new_zipfile_serialization=False))
keep("conjugate.pt", saved({"embed_tokens.weight": torch.complex(torch.zeros(4, 3), rows()).conj().imag}))
keep("sliced.pt", saved({"embed_tokens.weight": wide[1:, 1:3]}))
keep("expanded.pt", saved({"embed_tokens.weight": torch.tensor([1.5, 2.5]).expand(50, 2)}))

keep(
    "dtypes.pt",
    saved(
        {
            "f64": rows(torch.float64),
            "f16": rows(torch.float16),
            "bf16": rows(torch.bfloat16),
            "u16": torch.ones(2, 2, dtype=torch.uint16),
            "f8": torch.ones(2, 2).to(torch.float8_e4m3fn),
            "bool": torch.ones(2, 2, dtype=torch.bool),
            "i64": torch.ones(2, 2, dtype=torch.int64),
        }
    ),
)


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.embedding = torch.nn.Embedding(4, 3)
        self.out = torch.nn.Linear(3, 2)
        self.embedding.weight.data = rows()


net = Net()
optimizer = torch.optim.Adam(net.parameters())
net.out(net.embedding(torch.tensor([1]))).sum().backward()
optimizer.step()
net.embedding.weight.data = rows()
wrapped = collections.OrderedDict(("module." + k, v) for k, v in net.state_dict().items())
training = {
    "epoch": 3,
    "loss": 0.25,
    "name": "run",
    "big": 2**80,
    "flags": (True, False, None),
    "state_dict": wrapped,
    "optimizer": optimizer.state_dict(),
}
keep("training.pt", saved(training))
keep("parameter.pt", saved({"embedding.weight": torch.nn.Parameter(rows())}))
keep("state-dict.pt", saved(net.state_dict()))
keep("bare-tensor.pt", saved(rows()))
keep("module.pt", saved(torch.nn.Embedding(4, 3)))


class Evil:
    def __reduce__(self):
        return (os.system, ("touch /tmp/owned",))


keep("evil.pt", saved({"embed_tokens.weight": rows(), "x": Evil()}))
keep("evil-legacy.pt", saved({"x": Evil()}, _use_new_zipfile_serialization=False))


def repacked(raw, method, change=lambda name, data: data):
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(raw)) as source, zipfile.ZipFile(out, "w", method) as target:
        for entry in source.infolist():
            target.writestr(entry.filename, change(entry.filename, source.read(entry)))
    return out.getvalue()


def swapped(name, data):
    if name.endswith("/byteorder"):
        return b"big"
    if "/data/" in name:
        return b"".join(data[i : i + 4][::-1] for i in range(0, len(data), 4))
    return data


big = repacked(saved({"embed_tokens.weight": rows()}), zipfile.ZIP_STORED, swapped)
assert torch.equal(torch.load(io.BytesIO(big))["embed_tokens.weight"], rows())
keep("big-endian.pt", big)
keep("deflated.pt", repacked(saved({"embed_tokens.weight": rows()}), zipfile.ZIP_DEFLATED))

out = io.BytesIO()
torch.jit.save(torch.jit.script(torch.nn.Embedding(2, 2)), out)
keep("torchscript.pt", out.getvalue())


# A stream with a view of a storage, as torch 0.1 to 0.3 wrote them
class Id:
    def __init__(self, value):
        self.value = value


class Rebuild:
    """Pickles as a call of torch._utils._rebuild_tensor."""

    def __init__(self, *arguments):
        self.arguments = arguments

    def __reduce__(self):
        return (torch._utils._rebuild_tensor, self.arguments)


class Pickler(pickle.Pickler):
    def persistent_id(self, thing):
        return thing.value if isinstance(thing, Id) else None


def pickled(thing):
    out = io.BytesIO()
    Pickler(out, protocol=2).dump(thing)
    return out.getvalue()


numbers = struct.pack("<12f", *(i + 0.5 for i in range(12)))
view = Id(("storage", torch.FloatStorage, "7", "cpu", 12, ("8", 3, 9)))
stream = b"".join(
    [
        pickled(0x1950A86A20F9469CFC6C),
        pickled(1001),
        pickled({"protocol_version": 1001, "little_endian": True, "type_sizes": {"int": 4}}),
        pickled({"embed_tokens.weight": Rebuild(view, 0, (3, 3), (3, 1))}),
        pickled(["7"]),
        struct.pack("<q", 12),
        numbers,
    ]
)
loaded = torch.load(io.BytesIO(stream), weights_only=False)["embed_tokens.weight"]
assert torch.equal(loaded, rows()[1:]), loaded
keep("view-legacy.pt", stream)

# The tar archive of 2016: two tensors on one storage, one of them through a view
storages = b"".join(
    [
        pickled(1),
        pickled((11, "cpu", torch.FloatStorage)),
        struct.pack("<q", 12),
        numbers,
        pickled([(12, 11, 3, 9)]),
    ]
)
tensors = b"".join(
    [
        pickled(2),
        pickled((21, 11, torch.FloatTensor)),
        struct.pack("<iiqqqqq", 2, 0, 4, 3, 3, 1, 0),
        pickled((22, 12, torch.FloatTensor)),
        struct.pack("<iiqqqqq", 2, 0, 3, 3, 3, 1, 0),
    ]
)
state = pickled(
    collections.OrderedDict([("embed_tokens.weight", Id("21")), ("lm_head.weight", Id("22"))])
)
out = io.BytesIO()
with tarfile.open(fileobj=out, mode="w:", format=tarfile.PAX_FORMAT) as tar:
    for name, raw in [("sys_info", pickled({})), ("pickle", state), ("tensors", tensors), ("storages", storages)]:
        info = tarfile.TarInfo(name)
        info.size = len(raw)
        tar.addfile(info, io.BytesIO(raw))
tar_raw = out.getvalue()
path = TARGET / "tar.tmp"
path.write_bytes(tar_raw)
loaded = torch.load(path, weights_only=False)
path.unlink()
assert torch.equal(loaded["embed_tokens.weight"], rows()), loaded
assert torch.equal(loaded["lm_head.weight"], rows()[1:]), loaded
keep("tar.pt", tar_raw)

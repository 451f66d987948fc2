"""Models on a web server, for the figures of remote models.

  remote_models.py make FOLDER         writes the models (torch; onnx too, where it is installed)
  remote_models.py serve FOLDER PORT [MILLISECONDS]
                                       serves them with byte ranges, each answer so much later, as
                                       over a network; GET /stats tells and forgets how many
                                       requests and bytes went out for each file
"""
import collections
import http.server
import json
import os
import re
import sys
import threading
import time

ROWS, WIDTH, LAYERS = 50_257, 768, 40


def make(folder):
    import torch

    torch.manual_seed(1)
    tables = [torch.randn(ROWS, WIDTH) for _ in range(2)]
    shards = [{"model.embed_tokens.weight": tables[0]}, {}, {}]
    for i in range(LAYERS):
        shards[i * 3 // LAYERS][f"model.layers.{i}.mlp.weight"] = torch.randn(1024, 4096)
    shards[2]["lm_head.weight"] = tables[1]
    sharded = os.path.join(folder, "sharded")
    os.makedirs(sharded, exist_ok=True)
    places = {}
    for i, shard in enumerate(shards):
        name = f"pytorch_model-{i + 1:05d}-of-00003.bin"
        torch.save(shard, os.path.join(sharded, name))
        places.update(dict.fromkeys(shard, name))
    config = {"model_type": "llama", "architectures": ["LlamaForCausalLM"],
              "vocab_size": ROWS, "hidden_size": WIDTH, "tie_word_embeddings": False}
    write(sharded, "pytorch_model.bin.index.json", {"weight_map": places})
    write(sharded, "config.json", config)
    one = os.path.join(folder, "one")
    os.makedirs(one, exist_ok=True)
    tied = {"transformer.wte.weight": tables[0][:8000].clone()}
    tied.update({f"h.{i}.w": torch.randn(512, 512) for i in range(20)})
    tied["lm_head.weight"] = tied["transformer.wte.weight"]
    torch.save(tied, os.path.join(one, "pytorch_model.bin"))
    torch.save(tied, os.path.join(one, "legacy.pt"), _use_new_zipfile_serialization=False)
    print("sharded row 3797:", tables[0][3797][:4].tolist())
    print("one row 5:", tied["transformer.wte.weight"][5][:4].tolist())
    try:
        import onnx  # noqa: F401
    except ImportError:
        return
    make_onnx(folder, tables)
    make_bert(folder)


def make_onnx(folder, tables):
    import onnx
    from onnx import TensorProto, helper, numpy_helper

    onnx_folder = os.path.join(folder, "onnx")
    os.makedirs(onnx_folder, exist_ok=True)
    nodes = [helper.make_node("Gather", ["onnx::Gather_9", "input_ids"], ["rows"]),
             helper.make_node("MatMul", ["rows", "onnx::MatMul_10"], ["logits"])]
    held = [numpy_helper.from_array(tables[0].numpy(), "onnx::Gather_9"),
            numpy_helper.from_array(tables[1].numpy().T.copy(), "onnx::MatMul_10")]
    graph = helper.make_graph(
        nodes, "g",
        [helper.make_tensor_value_info("input_ids", TensorProto.INT64, ["n"])],
        [helper.make_tensor_value_info("logits", TensorProto.FLOAT, ["n", ROWS])], held)
    onnx.save_model(helper.make_model(graph), os.path.join(onnx_folder, "model.onnx"),
                    save_as_external_data=True, location="model.onnx_data")


def make_bert(folder):
    """The tensors of BERT base in one file, and nodes in their number."""
    import numpy as np
    import onnx
    from onnx import TensorProto, helper, numpy_helper

    random = np.random.default_rng(5)

    def tensor(name, *shape):
        return numpy_helper.from_array(random.standard_normal(shape, dtype=np.float32), name)

    held = [tensor("embeddings.word_embeddings.weight", 30_522, WIDTH)]
    nodes = [helper.make_node("Gather", [held[0].name, "input_ids"], ["x"])]
    last = "x"
    for i in range(72):
        shape = [(WIDTH, WIDTH)] * 4 + [(WIDTH, 4 * WIDTH), (4 * WIDTH, WIDTH)]
        held.append(tensor(f"onnx::MatMul_{i}", *shape[i % 6]))
        held.append(tensor(f"encoder.{i}.bias", shape[i % 6][1]))
        for k in range(12):
            nodes.append(helper.make_node("Identity", [last], [f"x{i}_{k}"],
                                          name=f"/encoder/layer.{i}/Identity_{k}"))
            last = f"x{i}_{k}"
    graph = helper.make_graph(
        nodes, "g",
        [helper.make_tensor_value_info("input_ids", TensorProto.INT64, ["n"])],
        [helper.make_tensor_value_info(last, TensorProto.FLOAT, ["n", WIDTH])], held)
    onnx.save_model(helper.make_model(graph), os.path.join(folder, "bert.onnx"))


def write(folder, name, value):
    with open(os.path.join(folder, name), "w") as out:
        json.dump(value, out)


class Files(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True  # as web servers do; else a body waits for its header's receipt
    folder = ""
    wait = 0.0
    lock = threading.Lock()
    sent = collections.defaultdict(lambda: [0, 0])

    def log_message(self, *_):
        pass

    def answer(self, status, body, headers=()):
        self.send_response(status)
        for name, value in headers:
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        if self.path == "/stats":
            with self.lock:
                lines = [f"{n:4d} requests {b:13,d} bytes {p}" for p, (n, b) in self.sent.items()]
                total = sum(b for _, b in self.sent.values())
                self.sent.clear()
            self.answer(200, "\n".join([*lines, f"{total:,d} bytes", ""]).encode())
            return
        time.sleep(self.wait)
        path = self.folder + self.path.split("?")[0]
        if not os.path.isfile(path):
            self.answer(404, b"")
            return
        size = os.path.getsize(path)
        first, end, status, headers = 0, size, 200, [("ETag", f'"{size}"')]
        wanted = re.fullmatch(r"bytes=(\d+)-(\d*)", self.headers.get("Range") or "")
        if wanted:
            first = int(wanted[1])
            end = min(size, int(wanted[2]) + 1) if wanted[2] else size
            status = 206
            headers.append(("Content-Range", f"bytes {first}-{end - 1}/{size}"))
        self.send_response(status)
        for name, value in [*headers, ("Content-Length", str(end - first))]:
            self.send_header(name, value)
        self.end_headers()
        went = 0
        try:
            with open(path, "rb") as file:
                went = self.connection.sendfile(file, first, end - first) or 0
        except OSError:
            pass  # the client has read enough
        with self.lock:
            self.sent[self.path][0] += 1
            self.sent[self.path][1] += went


if __name__ == "__main__":
    if sys.argv[1] == "make":
        make(sys.argv[2])
    else:
        Files.folder = sys.argv[2]
        Files.wait = float(sys.argv[4]) / 1000 if len(sys.argv) > 4 else 0.0
        http.server.ThreadingHTTPServer(("127.0.0.1", int(sys.argv[3])), Files).serve_forever()

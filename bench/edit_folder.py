#!/usr/bin/env python3
"""An edit of a model folder of some gigabytes beside `cp -r` of the same folder, in turns.

    bench/edit_folder.py [--gigabytes 4] [--turns 3] [--folder DIR]

The folder holds shards of random bytes; the last has a table of 128,256 × 2,048 bf16, which grows by
64 rows. Both sides end with everything forced to disk: `cp -r` is followed by `sync -f`. An edit
includes its verification; with --link only the shard of the table is written. Needs ./build first.
"""
import argparse
import json
import os
import pathlib
import shutil
import statistics
import struct
import subprocess
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
ROWS, WIDTH = 128_256, 2_048


def shard(path, tensors):
    header, offset = {"__metadata__": {"format": "pt"}}, 0
    for name, dtype, shape, size in tensors:
        header[name] = {"dtype": dtype, "shape": shape, "data_offsets": [offset, offset + size]}
        offset += size
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    with open(path, "wb") as out:
        out.write(struct.pack("<Q", len(text)) + text)
        block = os.urandom(1 << 24)
        left = offset
        while left > 0:
            out.write(block[: min(left, len(block))])
            left -= len(block)
    return offset


def build(folder, gigabytes):
    folder.mkdir()
    table = ROWS * WIDTH * 2
    rest = gigabytes * (1 << 30) - table
    count = max(1, gigabytes - 1)
    size = rest // count // 2 * 2
    names = [f"model-{i + 1:05d}-of-{count + 1:05d}.safetensors" for i in range(count + 1)]
    where, total = {}, 0
    for i in range(count):
        total += shard(folder / names[i], [(f"layer.{i}.weight", "BF16", [size // 2], size)])
        where[f"layer.{i}.weight"] = names[i]
    total += shard(
        folder / names[count], [("model.embed_tokens.weight", "BF16", [ROWS, WIDTH], table)]
    )
    where["model.embed_tokens.weight"] = names[count]
    index = {"metadata": {"total_size": total}, "weight_map": where}
    (folder / "model.safetensors.index.json").write_text(json.dumps(index, indent=2))
    (folder / "config.json").write_text(json.dumps({"vocab_size": ROWS}, indent=2))
    return total


def timed(*command):
    start = time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - start


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--gigabytes", type=int, default=4)
    parser.add_argument("--turns", type=int, default=3)
    parser.add_argument("--folder", default=None)
    asked = parser.parse_args()
    work = pathlib.Path(tempfile.mkdtemp(dir=asked.folder))
    os.environ["ROWAN_BUILD"] = "never"
    try:
        model, out = work / "model", work / "out"
        total = build(model, asked.gigabytes)
        os.sync()
        rowan = [str(ROOT / "rowan"), "edit", str(model), "-o", str(out), "--grow", "64"]
        sides = {
            "cp -r": lambda: timed("sh", "-c", f"cp -r {model} {out} && sync -f {out}"),
            "edit": lambda: timed(*rowan, "--init", "mean"),
            "edit --link": lambda: timed(*rowan, "--init", "mean", "--link"),
        }
        seconds = {name: [] for name in sides}
        for _ in range(asked.turns):
            for name, run in sides.items():
                seconds[name].append(run())
                shutil.rmtree(out)
                os.sync()
        copy = statistics.median(seconds["cp -r"])
        for name, times in seconds.items():
            middle = statistics.median(times)
            print(
                f"{name:12} {middle:6.2f} s  {total / middle / 1e9:5.2f} GB/s"
                f"  {middle / copy:4.2f} x cp   of {[round(t, 2) for t in times]}"
            )
    finally:
        shutil.rmtree(work)


main()

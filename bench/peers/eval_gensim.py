#!/usr/bin/env python3
"""Whether `rowan eval` gives gensim's numbers, and how long each takes.

    bench/peers/eval_gensim.py VECTORS TEST_SET... [--quick]

VECTORS is a word2vec text or binary file (.bin), read by both. Every test set is scored by both
under several settings of restrict_vocab, case_insensitive and dummy4unknown; counts must be equal
and correlations equal to 1e-6. A test set whose first line starts with ":" holds analogies, any
other one tab-separated word pairs. --quick takes gensim's defaults alone. Prints seconds too: ours
is the whole program, gensim's the call alone, after loading. Ends with 1 if a number differs.
"""
import argparse
import json
import pathlib
import subprocess
import sys
import tempfile
import time

import gensim
import numpy as np
from gensim.models import KeyedVectors

ROOT = pathlib.Path(__file__).resolve().parents[2]


def ours(vectors, path, restrict, fold, dummy, method="3cosadd"):
    command = [str(ROOT / "rowan"), "--json", "-m", vectors, "eval", "--policy", "gensim"]
    command += ["--restrict", str(restrict), "--method", method, "--resamples", "1"]
    command += [] if fold else ["--match-case"]
    command += ["--unknown", "zero" if dummy else "skip", path]
    start = time.perf_counter()
    run = subprocess.run(command, capture_output=True, text=True)
    seconds = time.perf_counter() - start
    if run.returncode:
        return None, seconds, run.stderr.strip()
    return json.loads(run.stdout)["results"][0], seconds, ""


def analogies(keyed, path, restrict, fold, dummy):
    start = time.perf_counter()
    score, sections = keyed.evaluate_word_analogies(
        path, restrict_vocab=restrict, case_insensitive=fold, dummy4unknown=dummy
    )
    seconds = time.perf_counter() - start
    counts = {
        s["section"]: (len(s["correct"]), len(s["correct"]) + len(s["incorrect"])) for s in sections
    }
    return score, counts, seconds


def compare(keyed, vectors, path, restrict, fold, dummy):
    name = pathlib.Path(path).name
    setting = f"restrict {restrict}, fold {fold}, dummy {dummy}"
    result, our_seconds, error = ours(vectors, path, restrict, fold, dummy)
    with open(path, encoding="utf8") as lines:
        is_analogies = lines.readline().startswith(":")
    if is_analogies:
        score, counts, seconds = analogies(keyed, path, restrict, fold, dummy)
        mine = {s["section"]: (s["excludingInputs"], s["used"]) for s in result["sections"]}
        mine["Total accuracy"] = (result["excludingInputs"], result["used"])
        differ = {s: (counts[s], mine.get(s)) for s in counts if counts[s] != mine.get(s)}
        right = f"{counts['Total accuracy'][0]}/{counts['Total accuracy'][1]}"
        same = not differ and abs(score - result["excludingInputsAccuracy"]) < 1e-12
        detail = right if same else f"DIFFER {differ}"
    else:
        start = time.perf_counter()
        try:
            pearson, spearman, oov = keyed.evaluate_word_pairs(
                path, restrict_vocab=restrict, case_insensitive=fold, dummy4unknown=dummy
            )
        except ValueError as none_usable:
            same = result is None
            print(f"{'same ' if same else 'DIFFER'} {name} {setting}: both refuse: {none_usable}")
            return same
        seconds = time.perf_counter() - start
        if result is None:
            print(f"DIFFER {name} {setting}: we refuse: {error}")
            return False
        gaps = [
            abs(pearson[0] - result["pearson"]),
            abs(spearman[0] - result["spearman"]),
            abs(oov - result["unknownPercent"]) / 100,
        ]
        same = max(gaps) < 1e-6
        detail = f"Spearman {spearman[0]:.6f}, Pearson {pearson[0]:.6f}, largest gap {max(gaps):.1e}"
    print(
        f"{'same ' if same else 'DIFFER'} {name} {setting}: {detail};"
        f" gensim {seconds:.2f} s, ours {our_seconds:.2f} s"
    )
    sys.stdout.flush()
    return same


def cosmul(keyed, vectors, path):
    """gensim's evaluation always takes 3CosAdd, so 3CosMul is held against most_similar_cosmul."""
    right = total = 0
    with open(path, encoding="utf8") as lines:
        questions = [line.split() for line in lines if not line.startswith(":")]
    known = {}
    for key in reversed(keyed.index_to_key):
        known[key.upper()] = key
    asked = [[known.get(w.upper()) for w in q] for q in questions if len(q) == 4]
    asked = [q for q in asked if None not in q][::37]
    with tempfile.NamedTemporaryFile("w", suffix=".txt", encoding="utf8") as sample:
        sample.write(": sample\n" + "".join(" ".join(q) + "\n" for q in asked))
        sample.flush()
        result, _, error = ours(vectors, sample.name, 0, True, False, "3cosmul")
    for a, b, c, d in asked:
        inputs = {a.upper(), b.upper(), c.upper()}
        best = keyed.most_similar_cosmul(positive=[b, c], negative=[a], topn=5)
        forms = [word.upper() for word, _ in best]
        right += next((f for f in forms if f not in inputs), forms[-1]) == d.upper()
        total += 1
    mine = (result["excludingInputs"], result["used"]) if result else error
    same = mine == (right, total)
    print(f"{'same ' if same else 'DIFFER'} 3CosMul on every 37th question: {right}/{total}, ours {mine}")
    return same


def main():
    options = argparse.ArgumentParser()
    options.add_argument("vectors")
    options.add_argument("sets", nargs="+")
    options.add_argument("--quick", action="store_true")
    arguments = options.parse_args()
    keyed = KeyedVectors.load_word2vec_format(
        arguments.vectors, binary=arguments.vectors.endswith(".bin")
    )
    rows = len(keyed)
    print("gensim", gensim.__version__, "numpy", np.__version__, "table", *keyed.vectors.shape)
    settings = [(300_000, True, False)]
    if not arguments.quick:
        settings += [(300_000, True, True), (300_000, False, False), (rows // 3, True, False)]
        settings += [(rows // 3, False, True)]
    fine = True
    for path in arguments.sets:
        for setting in settings:
            fine &= compare(keyed, arguments.vectors, path, *setting)
        with open(path, encoding="utf8") as lines:
            if lines.readline().startswith(":"):
                fine &= cosmul(keyed, arguments.vectors, path)
    sys.exit(0 if fine else 1)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Trains the same text with ours, word2vec.c, gensim and fastText and scores what comes out.

    bench/peers/train_peers.py TEXT WORK SETS [--words N] [--epochs N] [--orders 1,2,3] [--threads N]
        [--trainers ours,pair,word2vec,gensim] [--cbow] [--width 100] [--window 5] [--no-score]

WORK holds word2vec and word2vec-O3 (the C program, compiled with -Ofast and -O3 -march=native) and fasttext, and
receives the vectors. Trainers fasttext and fasttext-subwords, ours-subwords too; a trainer may be named several times.
Seconds and processor seconds are those of the whole command. SETS is a folder with word pairs
(EN-WS-353-ALL.txt and kin: two words and a number a line) and questions-words.txt. An order is a seed by which
the lines of the text are shuffled, and ours and gensim's seed. One JSON line a run: seconds of the whole command,
Spearman correlations, analogies over the 30,000 most frequent words.
"""
import argparse
import json
import os
import pathlib
import random
import resource
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]


def shuffled(text, work, words, order):
    target = work / f"text-{words}-{order}.txt"
    if not target.exists():
        lines, count = [], 0
        with open(text, encoding="utf-8") as source:
            for line in source:
                lines.append(line)
                count += line.count(" ") + 1
                if words and count >= words:
                    break
        random.Random(order).shuffle(lines)
        target.write_text("".join(lines), encoding="utf-8")
    return target


def repeated(text, work, times):
    target = work / f"{text.stem}-x{times}.txt"
    if not target.exists():
        target.write_text(text.read_text(encoding="utf-8") * times, encoding="utf-8")
    return target


def command(trainer, text, out, a, order):
    common = dict(d=a.width, e=a.epochs, t=a.threads)
    if trainer in ("ours", "pair", "ours-subwords"):
        c = [os.environ.get("ROWAN", str(ROOT / "rowan")), "--threads", str(a.threads), "train", str(text), "-o", out, "-d", str(a.width), "--window", str(a.window)]
        c += ["--epochs", str(a.epochs), "--seed", str(order), "--checkpoint-minutes", "0", "--to", "word2vec-binary"]
        c += ["--rate", str(a.rate or (0.05 if a.cbow else 0.025)), "--negatives", str(a.negatives)]
        c += a.extra.split()
        c += ["--subwords", "3-6", "--buckets", "200000"] if trainer == "ours-subwords" else []
        return c + (["--per-pair"] if trainer == "pair" else []) + (["--objective", "cbow"] if a.cbow else [])
    if trainer.startswith("fasttext"):
        grams = ["-minn", "3", "-maxn", "6", "-bucket", "200000"] if trainer == "fasttext-subwords" else ["-maxn", "0"]
        return [str(a.work / "fasttext"), "cbow" if a.cbow else "skipgram", "-input", str(text), "-output", out, "-dim", str(a.width),
                "-ws", str(a.window), "-neg", "5", "-t", "1e-3", "-thread", str(a.threads), "-epoch", str(a.epochs),
                "-minCount", "5", "-lr", "0.05" if a.cbow else "0.025"] + grams
    if trainer.startswith("word2vec"):
        rate = "0.05" if a.cbow else "0.025"
        if a.epochs > 1:  # with one thread it stops after one pass: give it the passes as one text
            text = repeated(text, a.work, a.epochs)
        return [str(a.work / trainer), "-train", str(text), "-output", out, "-size", str(a.width), "-window", str(a.window),
                "-negative", "5", "-hs", "0", "-sample", "1e-3", "-threads", str(a.threads), "-iter", "1",
                "-min-count", str(5 * a.epochs), "-alpha", rate, "-binary", "1", "-cbow", str(int(a.cbow))]
    if trainer == "gensim":
        code = (
            "import sys; from gensim.models import Word2Vec; from gensim.models.word2vec import LineSentence;"
            f"m = Word2Vec(LineSentence(sys.argv[1], max_sentence_length=1000), vector_size={common['d']}, window={a.window},"
            f"negative=5, sample=1e-3, workers={common['t']}, epochs={common['e']}, min_count=5, sg={int(not a.cbow)},"
            f"alpha={0.05 if a.cbow else 0.025}, seed={order}); m.wv.save_word2vec_format(sys.argv[2], binary=True)"
        )
        return [sys.executable, "-c", code, str(text), out]
    raise SystemExit(f"no trainer {trainer}")


def score(out, sets):
    from gensim.models import KeyedVectors
    wv = KeyedVectors.load_word2vec_format(out, binary=True)
    result = {"V": len(wv)}
    from scipy.stats import spearmanr
    for name in ("EN-WS-353-ALL", "EN-MEN-TR-3k", "EN-SIMLEX-999", "EN-RW-STANFORD", "EN-MTurk-771"):
        gold, ours = [], []
        for line in (sets / (name + ".txt")).read_text(encoding="utf-8").splitlines():
            a, b, number = line.split()[:3]
            a, b = a.lower(), b.lower()
            if a in wv and b in wv:
                gold.append(float(number))
                ours.append(wv.similarity(a, b))
        result[name] = [round(float(spearmanr(gold, ours)[0]), 4), len(gold)]
    accuracy, sections = wv.evaluate_word_analogies(str(sets / "questions-words.txt"), restrict_vocab=30000)
    total = sections[-1]
    result["analogies"] = [round(accuracy, 4), len(total["correct"]) + len(total["incorrect"])]
    return result


def main():
    p = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    p.add_argument("text", type=pathlib.Path)
    p.add_argument("work", type=pathlib.Path)
    p.add_argument("sets", type=pathlib.Path)
    p.add_argument("--words", type=int, default=0)
    p.add_argument("--epochs", type=int, default=1)
    p.add_argument("--orders", default="1")
    p.add_argument("--threads", type=int, default=1)
    p.add_argument("--width", type=int, default=100)
    p.add_argument("--window", type=int, default=5)
    p.add_argument("--negatives", type=int, default=5)
    p.add_argument("--rate", type=float)
    p.add_argument("--trainers", default="ours,pair,word2vec,gensim")
    p.add_argument("--cbow", action="store_true")
    p.add_argument("--extra", default="", help="further options for ours")
    p.add_argument("--no-score", action="store_true")
    a = p.parse_args()
    for order in map(int, a.orders.split(",")):
        text = shuffled(a.text, a.work, a.words, order)
        for trainer in a.trainers.split(","):
            out = str(a.work / f"{trainer}-{os.getpid()}.bin")
            began, cpu = time.time(), resource.getrusage(resource.RUSAGE_CHILDREN)
            done = subprocess.run(command(trainer, text, out, a, order), capture_output=True, text=True, check=False)
            seconds, after = time.time() - began, resource.getrusage(resource.RUSAGE_CHILDREN)
            cpu = after.ru_utime + after.ru_stime - cpu.ru_utime - cpu.ru_stime
            if done.returncode:
                sys.exit(done.stderr[-2000:])
            words = sum(1 for _ in open(text, encoding="utf-8").read().split()) if order == int(a.orders.split(",")[0]) else None
            line = {"trainer": trainer, "order": order, "seconds": round(seconds, 2), "cpu": round(cpu, 2), "words": words}
            line |= {k: getattr(a, k) for k in ("epochs", "threads", "width", "cbow", "window", "negatives", "rate", "extra")}
            line |= {} if a.no_score else score(out, a.sets)
            print(json.dumps(line), flush=True)
            for made in a.work.glob(f"{trainer}-{os.getpid()}.*"):
                made.unlink()


os.environ.setdefault("ROWAN_BUILD", "never")
main()

#!/usr/bin/env python3
"""Writes a text of natural English from Debian's packages, for comparisons of trainers.

    bench/peers/debian_text.py FOLDER OUT

FOLDER receives the packages (apt-get download) unless they are there. What is kept of each: dictionaries,
plain text, HTML without its tags, POD and reStructuredText; lower-cased runs of letters, a paragraph a line,
every line once. Debian 12's packages give about 23 million words.
"""
import gzip
import html
import pathlib
import re
import subprocess
import sys

PACKAGES = """dict-gcide dict-wn dict-foldoc dict-jargon fortunes miscfiles linux-doc-6.1
python3.11-doc debian-handbook developers-reference perl-doc""".split()
TAG = re.compile(r"(?s)<(script|style)\b.*?</\1>|<[^>]*>")
WORD = re.compile(r"[a-z]+")
SKIP = re.compile(r"/(genindex|search|objects\.inv|_static)|/html/(?!en-US).*debian-handbook")


def texts(folder):
    for package in PACKAGES:
        if not list(folder.glob(package + "_*.deb")):
            subprocess.run(["apt-get", "download", package], cwd=folder, check=True)
        (deb,) = folder.glob(package + "_*.deb")
        root = folder / package
        if not root.exists():
            subprocess.run(["dpkg-deb", "-x", deb, root], check=True)
        for path in sorted(p for p in root.rglob("*") if p.is_file() and not p.is_symlink()):
            name = str(path)
            if SKIP.search(name) or "/changelog" in name or name.endswith(".copyright"):
                continue
            kind = name.removesuffix(".gz").removesuffix(".dz")
            data = path.read_bytes()
            if data[:2] == b"\x1f\x8b":
                data = gzip.decompress(data)
            if kind.endswith((".html", ".htm")):
                if package == "debian-handbook" and "/en-US/" not in name:
                    continue
                yield html.unescape(TAG.sub(" ", data.decode("utf-8", "replace")))
            elif kind.endswith((".txt", ".dict", ".pod", ".rst")) or (
                "/games/fortunes/" in name and not kind.endswith((".dat", ".u8"))
            ):
                yield data.decode("utf-8", "replace")


def main():
    folder, out = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    seen, words = set(), 0
    with out.open("w", encoding="ascii") as target:
        for text in texts(folder):
            for paragraph in re.split(r"\n\s*\n", text.lower()):
                line = WORD.findall(paragraph)
                key = hash(tuple(line))
                if len(line) > 4 and key not in seen:
                    seen.add(key)
                    words += len(line)
                    target.write(" ".join(line) + "\n")
    print(f"{words:,} words")


main()

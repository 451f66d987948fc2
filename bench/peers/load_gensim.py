#!/usr/bin/env python3
"""How long gensim takes to load a text of word vectors.

    bench/peers/load_gensim.py FILE [ROUNDS]

The file has no header (GloVe's form). Prints one line: version, rows, width, seconds of each round.
"""
import sys
import time

import gensim
from gensim.models import KeyedVectors

rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 1
seconds = []
for _ in range(rounds):
    start = time.perf_counter()
    vectors = KeyedVectors.load_word2vec_format(sys.argv[1], no_header=True)
    seconds.append(round(time.perf_counter() - start, 3))
print("gensim", gensim.__version__, *vectors.vectors.shape, *seconds)

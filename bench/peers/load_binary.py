#!/usr/bin/env python3
"""How long gensim takes to load word2vec's binary form, and numpy to read the bytes of the file.

    bench/peers/load_binary.py FILE [ROUNDS]

Prints versions, the sum that BinaryLoading prints too, and seconds of each round.
"""
import sys
import time

import gensim
import numpy
from gensim.models import KeyedVectors

rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 1
loads, reads = [], []
for _ in range(rounds):
    start = time.perf_counter()
    vectors = KeyedVectors.load_word2vec_format(sys.argv[1], binary=True)
    loads.append(round(time.perf_counter() - start, 3))
    start = time.perf_counter()
    numpy.fromfile(sys.argv[1], dtype=numpy.uint8)
    reads.append(round(time.perf_counter() - start, 3))
total = vectors.vectors[::1000].sum(dtype=numpy.float64)
print("gensim", gensim.__version__, *vectors.vectors.shape, f"sum {total:.6f}", *loads)
print("numpy", numpy.__version__, "bytes alone", *reads)

"""The peers of bench/map: the same jobs by openTSNE, umap-learn and faiss, in a fresh process.

    map_peers.py JOB FILE ROWS WIDTH THREADS

Jobs: graph (faiss IndexFlatIP), tsne (openTSNE, FFT), umap (umap-learn; with a seed it uses one
thread). The file holds f32 rows. Prints lines "name value", times in seconds. Quality is measured
afterwards, on 2,000 rows, and is not in the times.
"""
import os
import sys
import time

job, path, rows, width, threads = sys.argv[1], sys.argv[2], *map(int, sys.argv[3:6])
for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "NUMBA_NUM_THREADS"):
    os.environ[name] = str(threads)
os.environ.pop("OPENBLAS_CORETYPE", None)

import numpy as np  # noqa: E402  (after the environment is set)

table = np.fromfile(path, dtype=np.float32).reshape(rows, width)
units = table / np.linalg.norm(table, axis=1, keepdims=True)


def graph():
    import faiss

    faiss.omp_set_num_threads(threads)
    times = []
    for _ in range(2):
        start = time.perf_counter()
        busy = time.process_time()
        index = faiss.IndexFlatIP(width)
        index.add(units)
        index.search(units, 91)
        times.append(time.perf_counter() - start)
        cpu = time.process_time() - busy
    print("version faiss", faiss.__version__)
    print("graph_s", min(times))
    print("graph_cpu_s", cpu)
    print("graph_gflops", 2.0 * rows * rows * width / min(times) / 1e9)


def tsne():
    import openTSNE

    start = time.perf_counter()
    busy = time.process_time()
    affinities = openTSNE.affinity.PerplexityBasedNN(
        table, perplexity=30, metric="cosine", n_jobs=threads, random_state=1
    )
    print("neighbours_s", time.perf_counter() - start)
    first = openTSNE.initialization.pca(table, random_state=1)
    embedding = openTSNE.TSNEEmbedding(
        first, affinities, negative_gradient_method="fft", n_jobs=threads, random_state=1
    )
    embedding = embedding.optimize(250, exaggeration=12, momentum=0.8, learning_rate="auto")
    embedding = embedding.optimize(500, exaggeration=1, momentum=0.8, learning_rate="auto")
    print("map_s", time.perf_counter() - start)
    print("map_cpu_s", time.process_time() - busy)
    print("version openTSNE", openTSNE.__version__)
    print("kl", embedding.kl_divergence)
    quality(np.asarray(embedding))


def umap():
    import umap as learn

    start = time.perf_counter()
    busy = time.process_time()
    embedding = learn.UMAP(metric="cosine", init="pca", random_state=1).fit_transform(table)
    print("map_s", time.perf_counter() - start)
    print("map_cpu_s", time.process_time() - busy)
    print("version umap-learn", learn.__version__)
    quality(embedding)


def quality(points):
    chosen = np.random.default_rng(1).choice(rows, 2000, replace=False)
    shared = 0
    for i in chosen:
        near = units @ units[i]
        near[i] = -2
        drawn = ((points - points[i]) ** 2).sum(1)
        drawn[i] = np.inf
        a = np.argpartition(-near, 10)[:10]
        b = np.argpartition(drawn, 10)[:10]
        shared += len(set(a) & set(b))
    print("recall", shared / 20000)


{"graph": graph, "tsne": tsne, "umap": umap}[job]()

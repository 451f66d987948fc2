"""The peer of bench/run: the same searches with numpy.

Takes lines "CASE REPEATS CLOCK" on standard input and answers with the milliseconds of each repeat.
Arguments: table file (f32), rows, width. Threads come from OPENBLAS_NUM_THREADS.
"""
import os
import sys
import time

os.environ.pop("OPENBLAS_CORETYPE", None)  # let OpenBLAS pick its kernels for this CPU

import numpy as np  # noqa: E402  (after the environment is clean)


def core_name():
    """The kernels that OpenBLAS picked, and its threads, through threadpoolctl if it is there."""
    try:
        from threadpoolctl import threadpool_info
    except ImportError:
        return "unknown (no threadpoolctl)"
    return ", ".join(
        f"{i.get('internal_api')} {i.get('version')} {i.get('architecture')} x{i.get('num_threads')}"
        for i in threadpool_info()
    )


def main():
    path, rows, width = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    table = np.fromfile(path, dtype=np.float32).reshape(rows, width)
    random = np.random.default_rng(1)
    vector = random.uniform(-1, 1, width).astype(np.float32)
    queries = {q: random.uniform(-1, 1, (width, q)).astype(np.float32) for q in (64, 256)}
    scores = {q: np.empty((rows, q), dtype=np.float32) for q in queries}
    buffers = {}

    def one():
        found = table @ vector
        best = np.argpartition(found, rows - 10)[rows - 10 :]
        return best[np.argsort(-found[best])]

    def gather():
        if not buffers:
            buffers["ids"] = random.integers(0, rows, 1_000_000)
            buffers["out"] = np.ones((1_000_000, width), dtype=np.float32)
        # without mode="clip" numpy gathers into a second buffer first
        return np.take(table, buffers["ids"], axis=0, out=buffers["out"], mode="clip")

    cases = {
        "f32-1": one,
        "f32-64": lambda: np.matmul(table, queries[64], out=scores[64]),
        "f32-256": lambda: np.matmul(table, queries[256], out=scores[256]),
        "gather": gather,
    }
    print(f"ready numpy {np.__version__}, {core_name()}", flush=True)
    for line in sys.stdin:
        name, repeats, clock = line.split()
        now = time.process_time if clock == "cpu" else time.perf_counter
        times = []
        for _ in range(int(repeats)):
            start = now()
            cases[name]()
            times.append(f"{(now() - start) * 1e3:.4f}")
        print(" ".join(times), flush=True)


main()

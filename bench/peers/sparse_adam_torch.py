"""torch.optim.SparseAdam, the peer of `LayerRace train`: lookup of 4,096 Zipf ids, backward, step.

Arguments: threads [rows] [width]. Prints the median and the best of 100 steps in ms.
"""
import sys
import time

import torch

threads = int(sys.argv[1])
rows = int(sys.argv[2]) if len(sys.argv) > 2 else 262_144
width = int(sys.argv[3]) if len(sys.argv) > 3 else 1152
torch.set_num_threads(threads)
torch.manual_seed(1)
embedding = torch.nn.Embedding(rows, width, sparse=True)
optimizer = torch.optim.SparseAdam(embedding.parameters(), lr=0.01)
upstream = torch.rand(4096, width) - 0.5
# log-uniform ranks, spread over the table, as bench.layer.Work draws them
ranks = (torch.rand(32, 4096, dtype=torch.float64) * torch.log(torch.tensor(float(rows)))).exp().long() - 1
batches = (ranks * 40503) % rows
print(f"torch {torch.__version__}, {torch.get_num_threads()} threads, "
      f"{len(torch.unique(batches[0]))} distinct ids a batch")
took = []
for i in range(130):
    start = time.perf_counter()
    optimizer.zero_grad()
    embedding(batches[i % 32]).backward(upstream)
    optimizer.step()
    took.append((time.perf_counter() - start) * 1e3)
took = sorted(took[30:])
print(f"SparseAdam step: median {took[50]:.2f} ms, best {took[0]:.2f} ms")

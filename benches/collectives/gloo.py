"""A rank of gloo, for the measurement of `main.rs` beside this file.

Each line of stdin has a number of elements and how often to add them up. The answer is a line with the seconds.
"""

import os
import sys
import time

import torch
import torch.distributed as ranks

torch.set_num_threads(1)
ranks.init_process_group("gloo")
print(torch.__version__, flush=True)
for line in sys.stdin:
    elements, iterations = (int(word) for word in line.split())
    numbers = torch.zeros(elements, dtype=torch.float32)
    ranks.all_reduce(numbers)
    ranks.barrier()
    start = time.perf_counter()
    for _ in range(iterations):
        ranks.all_reduce(numbers)
    print(time.perf_counter() - start, flush=True)
# Its threads have nothing to say any more.
os._exit(0)

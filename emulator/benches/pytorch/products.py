"""Measures products of matrices in single precision beside OpenBLAS in NumPy, and prints them with the slowest one first.

    cargo build --release --package ascendcl-emulator-capi
    python emulator/benches/pytorch/products.py target/release/libascendcl_emulator_capi.so THREADS

Times are those of the clock, so nothing else should run. The threads of OpenBLAS go on for a while behind a product, so many products
of one side come before those of the other.
"""

import os
import sys
import time

THREADS = int(sys.argv[2])
os.sched_setaffinity(0, set(sorted(os.sched_getaffinity(0))[-THREADS:]))
os.environ["OPENBLAS_NUM_THREADS"] = str(THREADS)

import numpy
import torch

import device

SIZES, TURNS, PAUSE = (256, 512, 1024, 2048), 3, 0.3


def least(function, times):
    best = float("inf")
    for _ in range(times):
        begin = time.perf_counter()
        function()
        best = min(best, time.perf_counter() - begin)
    time.sleep(PAUSE)
    return best * 1e3


def measure(emulator, size):
    left, right = torch.randn(size, size), torch.randn(size, size)
    run = device.Run(emulator, "aclnnMatmul", [left, right, torch.zeros(size, size), 0])
    twins, result = (left.numpy(), right.numpy()), numpy.empty((size, size), numpy.float32)
    times = max(12, (1 << 35) // size**3 // 4)
    turns = [(least(run, times), least(lambda: numpy.matmul(*twins, out=result), times)) for _ in range(TURNS)]
    ours, theirs = (min(side) for side in zip(*turns))
    run.free()
    return ours / theirs, size, ours, theirs


emulator = device.Device(sys.argv[1])
print("| product | threads | emulator, ms | OpenBLAS, ms | ratio |\n|---|--:|--:|--:|--:|")
for ratio, size, ours, theirs in sorted((measure(emulator, size) for size in SIZES), reverse=True):
    print(f"| {size} x {size} x {size} | {THREADS} | {ours:.2f} | {theirs:.2f} | {ratio:.2f} |")

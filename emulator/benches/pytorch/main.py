"""Measures operators of the emulator beside PyTorch on one thread, and prints them with the slowest one first.

    cargo build --release --package ascendcl-emulator-capi
    python emulator/benches/pytorch/main.py target/release/libascendcl_emulator_capi.so [WORD ...]

Words select operators by parts of their names. A row has the processor's time of both, the least of several runs, because
another program on the machine does not count in it. Both computations are in one process on one core, in turns. The script
fails if a result is not that of PyTorch, or if an operator takes more than LIMIT times as long.
"""

import ctypes
import os
import sys
import time

os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
# Memory of large tensors is kept for the next call instead of given back to the system, for both sides.
libc = ctypes.CDLL(None)
libc.mallopt(-3, 32 << 20)
libc.mallopt(-1, 1 << 30)

import torch

import cases
import device
import training

LIMIT, USUAL = 3.0, 1.5
# Each side runs so often, or as often as fits into so many seconds.
TIMES, SECONDS = 100, 0.6


def spent(function):
    begin = time.process_time_ns()
    function()
    return time.process_time_ns() - begin


def agree(run, expected):
    """Returns whether the results are those of PyTorch, with the difference that roundings of half precision make."""
    expected = list(expected) if isinstance(expected, (list, tuple)) else [expected]
    for got, wanted in zip(run.results(), expected):
        if not isinstance(wanted, torch.Tensor) or got.shape != wanted.shape or not wanted.is_floating_point():
            continue
        wanted = wanted.detach().double()
        if not torch.allclose(got.double(), wanted, rtol=1e-2, atol=1e-2 * wanted.abs().max().item() + 1e-6):
            return False
    return True


def measure(emulator, operator, what, arguments, twin):
    run = device.Run(emulator, operator, arguments)
    run()
    is_same = operator.startswith(("aclnnInplace", "aclnnApply")) or operator in device.DECIDED or agree(run, twin())
    ours, theirs, until = [], [], time.monotonic() + SECONDS
    while len(ours) < 2 or len(ours) < TIMES and time.monotonic() < until:
        theirs.append(spent(twin))
        ours.append(spent(run))
    run.free()
    return min(ours) / min(theirs), min(ours), min(theirs), operator, what, is_same


def main():
    path, words = sys.argv[1], sys.argv[2:]
    torch.set_num_threads(1)
    torch.manual_seed(1)
    emulator = device.Device(path)
    rows = []
    for family in cases.FAMILIES + training.FAMILIES:
        cases.CASES.clear()
        family()
        for one in cases.CASES:
            if not words or any(word.lower() in one[0].lower() for word in words):
                rows.append(measure(emulator, *one))
    rows.sort(reverse=True)
    print("| operator | | emulator, ms | PyTorch, ms | ratio |\n|---|---|--:|--:|--:|")
    for ratio, ours, theirs, operator, what, is_same in rows:
        mark = "" if is_same else " differs"
        print(f"| `{operator}` | {what} | {ours / 1e6:.3f} | {theirs / 1e6:.3f} | {ratio:.2f}{mark} |")
    above, usual = [sum(row[0] > limit for row in rows) for limit in (LIMIT, USUAL)]
    wrong = sum(not row[-1] for row in rows)
    print(f"\n{len(rows)} rows: {above} above {LIMIT}, {usual} above {USUAL}, {wrong} with other results")
    sys.exit(above > 0 or wrong > 0 or usual * 10 > len(rows))


main()

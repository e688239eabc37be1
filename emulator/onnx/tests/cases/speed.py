"""Times models beside onnxruntime, with the same number of threads, two if none is given.

    pip install onnx onnxruntime
    cargo test --release --package ascendcl-emulator-onnx --test cases --no-run
    python speed.py BINARY FOLDER [THREADS]     the binary that cargo names, and a folder that `export.py --models` has written

The two take turns, so that a disturbance of the machine meets both. A time is the shortest of all runs: first the ratio of the
times, then the times, and the same for the time of the processor, which tells more of one thread on cores that others use.
"""

import os
import pathlib
import subprocess
import sys
import time

import onnx
import onnxruntime
from onnx import numpy_helper

TURNS = 5
THREADS = sys.argv[3] if len(sys.argv) > 3 else "2"


def ours(binary, case):
    environment = {**os.environ, "ASCENDCL_ONNX_TIMES": str(case), "RTEN_NUM_THREADS": THREADS}
    command = [binary, "a_case_is_timed", "--nocapture"]
    text = subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout
    lines = [line.split() for line in text.splitlines() if line.startswith("seconds ")]
    return [(float(seconds), float(processor)) for _, seconds, processor in lines]


def theirs(session, inputs):
    times = []
    begin = time.perf_counter()
    while len(times) < 10 or time.perf_counter() - begin < 0.2:
        start, before = time.perf_counter(), time.process_time()
        session.run(None, inputs)
        times.append((time.perf_counter() - start, time.process_time() - before))
    return times[2:]


for case in sorted(pathlib.Path(sys.argv[2]).iterdir()):
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = int(THREADS)
    session = onnxruntime.InferenceSession(str(case / "model.onnx"), options, providers=["CPUExecutionProvider"])
    names = [port.name for port in session.get_inputs()]
    arrays = [numpy_helper.to_array(onnx.load_tensor(case / f"input_{at}.pb")) for at in range(len(names))]
    left, right = [], []
    for _ in range(TURNS):
        left += ours(sys.argv[1], case)
        right += theirs(session, dict(zip(names, arrays)))
    columns = []
    for kind in range(2):
        one, other = (min(times[kind] for times in side) for side in (left, right))
        columns.append(f"{one / other:6.2f}  {one * 1e3:8.2f} ms  {other * 1e3:8.2f} ms")
    print("    ".join([*columns, case.name]))

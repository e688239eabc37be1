"""Times models beside onnxruntime, with two threads each.

    pip install onnx onnxruntime
    cargo test --release --package ascendcl-emulator-onnx --test cases --no-run
    python speed.py BINARY FOLDER     the binary that cargo names, and a folder that `export.py --models` has written

The two take turns, so that a disturbance of the machine meets both. A time is the shortest of all runs.
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


def ours(binary, case):
    environment = {**os.environ, "ASCENDCL_ONNX_TIMES": str(case), "RTEN_NUM_THREADS": "2"}
    command = [binary, "a_case_is_timed", "--nocapture"]
    text = subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout
    return [float(line.split()[1]) for line in text.splitlines() if line.startswith("seconds ")]


def theirs(session, inputs):
    times = []
    for _ in range(10):
        start = time.perf_counter()
        session.run(None, inputs)
        times.append(time.perf_counter() - start)
    return times[2:]


for case in sorted(pathlib.Path(sys.argv[2]).iterdir()):
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 2
    session = onnxruntime.InferenceSession(str(case / "model.onnx"), options, providers=["CPUExecutionProvider"])
    names = [port.name for port in session.get_inputs()]
    arrays = [numpy_helper.to_array(onnx.load_tensor(case / f"input_{at}.pb")) for at in range(len(names))]
    left, right = [], []
    for _ in range(TURNS):
        left += ours(sys.argv[1], case)
        right += theirs(session, dict(zip(names, arrays)))
    left, right = min(left), min(right)
    print(f"{left / right:6.2f}  {left * 1e3:8.2f} ms  {right * 1e3:8.2f} ms  {case.name}")

"""Writes the node cases of the Python package `onnx` whose inputs and outputs are tensors.

    pip install onnx==1.23.2
    python export.py FOLDER          each case as a folder: `model.onnx`, `input_N.pb` and `output_N.pb`
    python export.py --models FOLDER MODEL.onnx[:DIM=SIZE,..] ..
                                     a case of each model: random inputs, and the outputs of onnxruntime; a dimension
                                     without a size is 1
    python export.py --pack FILE     the smallest two cases of each operator, as one message of Protocol Buffers:
                                     a case is field 1, with its name (1), model (2), inputs (3) and outputs (4)

The package has no seed for some random operands, so a case can differ from that of another run.
"""

import pathlib
import sys

import numpy
import onnx
import onnx.backend.test.loader as loader
from onnx import TensorProto, numpy_helper

numpy.random.seed(0)


def tensor(value):
    if isinstance(value, TensorProto):
        return value.SerializeToString()
    return numpy_helper.from_array(numpy.asarray(value)).SerializeToString()


def cases():
    for case in loader.load_model_tests(kind="node"):
        ports = [*case.model.graph.input, *case.model.graph.output]
        if all(port.type.HasField("tensor_type") for port in ports):
            inputs, outputs = case.data_sets[0]
            yield case, [tensor(one) for one in inputs], [tensor(one) for one in outputs]


def write(folder):
    for case, inputs, outputs in cases():
        path = folder / case.name
        path.mkdir(parents=True, exist_ok=True)
        (path / "model.onnx").write_bytes(case.model.SerializeToString())
        for side, values in (("input", inputs), ("output", outputs)):
            for number, value in enumerate(values):
                (path / f"{side}_{number}.pb").write_bytes(value)


def field(number, content):
    size, length = len(content), b""
    while size >= 128:
        length += bytes([size & 127 | 128])
        size >>= 7
    return bytes([number << 3 | 2]) + length + bytes([size]) + content


def pack(file):
    refused = {line.split(":")[0] for line in (pathlib.Path(__file__).parent / "refused.txt").read_text().splitlines()}
    smallest = {}
    for case, inputs, outputs in cases():
        if case.name in refused or "_expanded" in case.name or "bernoulli" in case.name:
            continue
        parts = [(1, case.name.encode()), (2, case.model.SerializeToString())]
        parts += [(3, one) for one in inputs] + [(4, one) for one in outputs]
        content = b"".join(field(*part) for part in parts)
        # An operator with several nodes in its case is named by the case.
        nodes = case.model.graph.node
        operator = nodes[0].op_type if len(nodes) == 1 else case.name
        smallest.setdefault(operator, []).append((len(content), content))
    kept = [one for operator in sorted(smallest) for one in sorted(smallest[operator])[:2] if one[0] < 6000]
    file.write_bytes(b"".join(field(1, content) for _, content in kept))
    print(f"{len(kept)} cases")


def random(port, sizes):
    kind = numpy.dtype(onnx.helper.tensor_dtype_to_np_dtype(port.type.tensor_type.elem_type))
    dims = port.type.tensor_type.shape.dim
    shape = [dim.dim_value if dim.dim_value > 0 else sizes.get(dim.dim_param, 1) for dim in dims]
    if kind.kind == "f":
        return numpy.random.rand(*shape).astype(kind)
    return numpy.ones(shape, kind) if kind.kind == "b" else numpy.full(shape, sizes.get(port.name, 1), kind)


def models(folder, files):
    import onnxruntime

    for number, text in enumerate(files):
        file, _, given = text.partition(":")
        sizes = {name: int(size) for name, size in (one.split("=") for one in given.split(",") if one)}
        model = onnx.load(file)
        known = {one.name for one in model.graph.initializer}
        ports = [port for port in model.graph.input if port.name not in known]
        inputs = {port.name: random(port, sizes) for port in ports}
        session = onnxruntime.InferenceSession(file, providers=["CPUExecutionProvider"])
        outputs = session.run(None, inputs)
        path = folder / f"model_{number:02}_{pathlib.Path(file).stem}"
        path.mkdir(parents=True, exist_ok=True)
        (path / "model.onnx").write_bytes(pathlib.Path(file).read_bytes())
        for side, values in (("input", inputs.values()), ("output", outputs)):
            for at, value in enumerate(values):
                (path / f"{side}_{at}.pb").write_bytes(tensor(value))


if sys.argv[1] == "--models":
    models(pathlib.Path(sys.argv[2]), sys.argv[3:])
elif sys.argv[1] == "--pack":
    pack(pathlib.Path(sys.argv[2]))
else:
    write(pathlib.Path(sys.argv[1]))

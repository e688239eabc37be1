"""Writes the models of the tests, and the results that onnxruntime computes for them.

    pip install onnx onnxruntime numpy
    python generate.py

Each `<name>.onnx` has a `<name>.txt` with a line for each input and output: `in` or `out`, the type, and the numbers.
"""

import pathlib

import numpy as np
import onnx
import onnxruntime
from onnx import TensorProto as T
from onnx import helper, numpy_helper

HERE = pathlib.Path(__file__).parent
RANDOM = np.random.default_rng(7)


def weights(name, *shape, scale=0.3):
    return numpy_helper.from_array((RANDOM.standard_normal(shape) * scale).astype(np.float32), name)


def save(name, nodes, inputs, outputs, initializers=(), arrays=None, metadata=None):
    graph = helper.make_graph(
        nodes,
        name,
        [helper.make_tensor_value_info(*one) for one in inputs],
        [helper.make_tensor_value_info(*one) for one in outputs],
        initializers,
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    if metadata:
        helper.set_model_props(model, metadata)
    onnx.checker.check_model(model)
    onnx.save(model, HERE / f"{name}.onnx")
    session = onnxruntime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
    results = session.run(None, {one[0]: array for one, array in zip(inputs, arrays)})
    with open(HERE / f"{name}.txt", "w") as text:
        for side, all in (("in", arrays), ("out", results)):
            for array in all:
                array = np.asarray(array)
                numbers = " ".join(repr(number.item()) for number in array.ravel())
                print(side, array.dtype, numbers.replace("True", "1").replace("False", "0"), file=text)


def node(kind, inputs, outputs, **attributes):
    return helper.make_node(kind, inputs.split(), outputs.split(), **attributes)


def floats(*shape):
    return RANDOM.standard_normal(shape).astype(np.float32).round(3)


save(
    "sum",
    [node("Add", "x y", "sum")],
    [("x", T.FLOAT, [2, 3]), ("y", T.FLOAT, [2, 3])],
    [("sum", T.FLOAT, [2, 3])],
    arrays=[floats(2, 3), floats(2, 3)],
)
save(
    "convolution",
    [
        node("Conv", "image w1 b1", "a", pads=[1, 1, 1, 1], kernel_shape=[3, 3]),
        node("Relu", "a", "b"),
        node("MaxPool", "b", "c", kernel_shape=[2, 2], strides=[2, 2]),
        node("Flatten", "c", "d"),
        node("Gemm", "d w2 b2", "e"),
        node("Softmax", "e", "scores", axis=1),
    ],
    [("image", T.FLOAT, [1, 1, 8, 8])],
    [("scores", T.FLOAT, [1, 10])],
    [weights("w1", 4, 1, 3, 3), weights("b1", 4), weights("w2", 64, 10), weights("b2", 10)],
    [floats(1, 1, 8, 8)],
)
save(
    "types",
    [
        node("ArgMax", "x", "best", axis=1, keepdims=0),
        node("Greater", "x y", "is_greater"),
        node("Add", "n m", "next"),
    ],
    [("x", T.FLOAT, [2, 4]), ("y", T.FLOAT, [2, 4]), ("n", T.INT64, [3]), ("m", T.INT64, [3])],
    [("best", T.INT64, [2]), ("is_greater", T.BOOL, [2, 4]), ("next", T.INT64, [3])],
    arrays=[floats(2, 4), floats(2, 4), np.array([1, -2, 3]), np.array([10, 20, -30])],
)
save(
    "gears",
    [node("MatMul", "x w", "y")],
    [("x", T.FLOAT, ["n", 4])],
    [("y", T.FLOAT, ["n", 2])],
    [weights("w", 4, 2)],
    [floats(2, 4)],
    {"dynamic_batch_size": "1,2,4"},
)
save(
    "double",
    [node("Cast", "x", "y", to=T.DOUBLE)],
    [("x", T.FLOAT, [2])],
    [("y", T.DOUBLE, [2])],
    arrays=[floats(2)],
)
# Equal elements, and nodes with the names of values.
save(
    "first",
    [
        helper.make_node("ArgMax", ["x"], ["largest"], name="largest", axis=1, keepdims=0),
        helper.make_node("ArgMin", ["x"], ["smallest"], name="x", axis=0),
        helper.make_node("Relu", ["x"], ["positive"], name="positive"),
        helper.make_node("Neg", ["positive"], ["negative"], name="negative"),
    ],
    [("x", T.FLOAT, [3, 4])],
    [
        ("largest", T.INT64, [3]),
        ("smallest", T.INT64, [1, 4]),
        ("positive", T.FLOAT, [3, 4]),
        ("negative", T.FLOAT, [3, 4]),
    ],
    arrays=[np.array([[1, 2, 2, -1], [1, 0, 1, -1], [5, 5, 2, -1]], np.float32)],
)
# A picture in NV12, of which a part is cut out and converted. Beside it are the options of `atc`.
CONFIGURATION = """# As the manual of atc has it, for pictures of JPEG.
aipp_op {
    aipp_mode: static
    related_input_rank: 0
    input_format: YUV420SP_U8
    src_image_size_w: 8
    src_image_size_h: 6
    crop: true
    load_start_pos_w: 2
    load_start_pos_h: 2
    crop_size_w: 4
    crop_size_h: 4
    csc_switch: true
    rbuv_swap_switch: false
    matrix_r0c0: 256
    matrix_r0c1: 0
    matrix_r0c2: 359
    matrix_r1c0: 256
    matrix_r1c1: -88
    matrix_r1c2: -183
    matrix_r2c0: 256
    matrix_r2c1: 454
    matrix_r2c2: 0
    input_bias_0: 0
    input_bias_1: 128
    input_bias_2: 128
    mean_chn_0: 104
    mean_chn_1: 117
    mean_chn_2: 123
    var_reci_chn_0: 0.5
    var_reci_chn_1: 0.25
    var_reci_chn_2: 0.125
}
"""


def prepared(picture):
    """What the configuration makes of a picture, by NumPy."""
    luma = picture[:48].reshape(6, 8).astype(int)
    chroma = picture[48:].reshape(3, 4, 2).repeat(2, 0).repeat(2, 1).astype(int)
    pixels = np.dstack([luma, chroma])[2:6, 2:6] - np.array([0, 128, 128])
    matrix = np.array([[256, 0, 359], [256, -88, -183], [256, 454, 0]])
    colours = np.clip((pixels @ matrix.T) >> 8, 0, 255)
    scaled = (colours - np.array([104, 117, 123])) * np.array([0.5, 0.25, 0.125])
    return scaled.transpose(2, 0, 1)[None].astype(np.float32)


picture = RANDOM.integers(0, 256, 72).astype(np.uint8)
save(
    "picture",
    [node("Neg", "image", "negative")],
    [("image", T.FLOAT, ["n", 3, "h", "w"])],
    [("negative", T.FLOAT, ["n", 3, "h", "w"])],
    arrays=[prepared(picture)],
)
text = HERE / "picture.txt"
lines = text.read_text().splitlines()
text.write_text("\n".join(["in uint8 " + " ".join(map(str, picture)), *lines[1:], ""]))
(HERE / "picture.cfg").write_text(CONFIGURATION)
(HERE / "picture.onnx.atc").write_text(
    "# For a card: atc --model=picture.onnx --framework=5 --output=picture --soc_version=Ascend310P3, and\n"
    '--input_shape="image:1,3,4,4" \\\n--insert_op_conf=picture.cfg\n'
)

"""Makes the network of the example `classify`, its pictures, and the answers of onnxruntime to them.

    python3 examples/classify/train.py           trains for a minute, and writes all files
    python3 examples/classify/train.py --check   compares the answers of `classify` with those of onnxruntime

The digits are those of scikit-learn: 1797 pictures of 8 by 8 pixels. Fifty of them, five of each digit, take no part in
the training. They are stored as JPEG files, and the network has to name them.

Needs the packages numpy, scikit-learn, onnx, onnxruntime and Pillow. All random numbers have a seed, so a second run
with the same packages writes the same files.
"""

import argparse
import io
import json
import pathlib
import subprocess
import sys

import numpy as np

HERE = pathlib.Path(__file__).parent
ROOT = HERE.parent.parent
LABELS = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"]
# The side of a picture, and the side that the network reads.
PICTURE, SIDE = 64, 32
# The pictures of one run of the network.
BATCH = 8
HELD_OUT = 5
# The mean and the deviation of the colours of ImageNet. Networks for photographs are trained with them.
MEAN = np.array([0.485, 0.456, 0.406], np.float32)
DEVIATION = np.array([0.229, 0.224, 0.225], np.float32)
# The most by which a probability of `classify` may differ from that of onnxruntime. The decoders of Pillow and of the media
# unit round in their own ways.
TOLERANCE = 0.01


def jpeg(digit):
    """The JPEG file of a digit: the pixels are blown up, so that the smallest picture of the media unit fits."""
    from PIL import Image

    grey = Image.fromarray((digit * (255 / 16)).round().astype(np.uint8))
    picture = grey.resize((PICTURE, PICTURE), Image.Resampling.BICUBIC).convert("RGB")
    file = io.BytesIO()
    picture.save(file, "JPEG", quality=85, subsampling="4:2:0", optimize=True)
    return file.getvalue()


def tensor(file, is_rounded_twice=True):
    """The numbers that the network reads: a decoded and scaled picture, by channels, around 0."""
    from PIL import Image

    # The media unit interpolates between the two nearest pixels along each axis. At half the size that is their mean. It is
    # rounded once; Pillow rounds between the axes, too, and made the pictures of the training.
    picture = Image.open(io.BytesIO(file)).convert("RGB")
    if is_rounded_twice:
        numbers = np.asarray(picture.resize((SIDE, SIDE), Image.Resampling.BOX), np.float32)
    else:
        fours = np.asarray(picture, np.float32).reshape(SIDE, 2, SIDE, 2, 3)
        numbers = np.floor(fours.mean((1, 3)) + 0.5)
    return ((numbers / 255 - MEAN) / DEVIATION).transpose(2, 0, 1)


def columns(pictures, stride=2):
    """The 3 by 3 surroundings of every second pixel, as rows."""
    count, channels, side, _ = pictures.shape
    padded = np.pad(pictures, ((0, 0), (0, 0), (1, 1), (1, 1)))
    half = side // stride
    parts = [padded[:, :, y:y + side:stride, x:x + side:stride] for y in range(3) for x in range(3)]
    # count, channels, 9, half, half -> count, half, half, channels * 9
    stacked = np.stack(parts, 2).transpose(0, 3, 4, 1, 2)
    return stacked.reshape(count, half, half, channels * 9)


def uncolumns(grad, channels, side, stride=2):
    """The gradient of `columns`."""
    count, half = grad.shape[:2]
    parts = grad.reshape(count, half, half, channels, 9).transpose(0, 3, 4, 1, 2)
    padded = np.zeros((count, channels, side + 2, side + 2), np.float32)
    for place in range(9):
        y, x = divmod(place, 3)
        padded[:, :, y:y + side:stride, x:x + side:stride] += parts[:, :, place]
    return padded[:, :, 1:-1, 1:-1]


def forward(weights, pictures):
    first = columns(pictures)
    a = np.maximum(first @ weights["conv1"] + weights["bias1"], 0)
    second = columns(a.transpose(0, 3, 1, 2))
    b = np.maximum(second @ weights["conv2"] + weights["bias2"], 0)
    flat = b.transpose(0, 3, 1, 2).reshape(len(pictures), -1)
    return first, a, second, b, flat, flat @ weights["dense"] + weights["bias3"]


def softmax(logits):
    powers = np.exp(logits - logits.max(-1, keepdims=True))
    return powers / powers.sum(-1, keepdims=True)


def gradients(weights, pictures, digits):
    first, a, second, b, flat, logits = forward(weights, pictures)
    grad = softmax(logits)
    grad[np.arange(len(digits)), digits] -= 1
    grad /= len(digits)
    grads = {"dense": flat.T @ grad, "bias3": grad.sum(0)}
    grad = (grad @ weights["dense"].T).reshape(len(pictures), 16, 8, 8).transpose(0, 2, 3, 1) * (b > 0)
    grads["conv2"] = second.reshape(-1, second.shape[-1]).T @ grad.reshape(-1, 16)
    grads["bias2"] = grad.sum((0, 1, 2))
    grad = uncolumns(grad @ weights["conv2"].T, 8, 16).transpose(0, 2, 3, 1) * (a > 0)
    grads["conv1"] = first.reshape(-1, first.shape[-1]).T @ grad.reshape(-1, 8)
    grads["bias1"] = grad.sum((0, 1, 2))
    return grads


def train(pictures, digits, random, epochs=12):
    def start(rows, columns):
        return (random.standard_normal((rows, columns)) * np.sqrt(2 / rows)).astype(np.float32)

    weights = {
        "conv1": start(27, 8), "bias1": np.zeros(8, np.float32),
        "conv2": start(72, 16), "bias2": np.zeros(16, np.float32),
        "dense": start(1024, 10), "bias3": np.zeros(10, np.float32),
    }
    mean = {name: np.zeros_like(value) for name, value in weights.items()}
    square = {name: np.zeros_like(value) for name, value in weights.items()}
    step = 0
    for epoch in range(epochs):
        order = random.permutation(len(digits))
        for start_at in range(0, len(order), 32):
            rows = order[start_at:start_at + 32]
            step += 1
            for name, grad in gradients(weights, pictures[rows], digits[rows]).items():
                mean[name] += 0.1 * (grad - mean[name])
                square[name] += 0.001 * (grad * grad - square[name])
                scale = np.sqrt(square[name] / (1 - 0.999**step)) + 1e-8
                weights[name] -= np.float32(2e-3 * (1 - epoch / epochs)) * (mean[name] / (1 - 0.9**step)) / scale
                weights[name] = weights[name].astype(np.float32)
    return weights


def export(weights, path):
    """Writes the ONNX file."""
    import onnx
    from onnx import TensorProto, helper, numpy_helper

    def conv(name, channels):
        # channels * 9, out -> out, channels, 3, 3
        matrix = weights[name].T.reshape(-1, channels, 3, 3)
        return numpy_helper.from_array(np.ascontiguousarray(matrix), name)

    values = [conv("conv1", 3), conv("conv2", 8)]
    values += [numpy_helper.from_array(weights[name], name) for name in ("bias1", "bias2", "dense", "bias3")]
    shape = dict(kernel_shape=[3, 3], pads=[1, 1, 1, 1], strides=[2, 2])
    nodes = [
        helper.make_node("Conv", ["image", "conv1", "bias1"], ["c1"], **shape),
        helper.make_node("Relu", ["c1"], ["r1"]),
        helper.make_node("Conv", ["r1", "conv2", "bias2"], ["c2"], **shape),
        helper.make_node("Relu", ["c2"], ["r2"]),
        helper.make_node("Flatten", ["r2"], ["flat"]),
        helper.make_node("Gemm", ["flat", "dense", "bias3"], ["scores"]),
    ]
    image = helper.make_tensor_value_info("image", TensorProto.FLOAT, [BATCH, 3, SIDE, SIDE])
    scores = helper.make_tensor_value_info("scores", TensorProto.FLOAT, [BATCH, len(LABELS)])
    graph = helper.make_graph(nodes, "digits", [image], [scores], values)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8)
    onnx.checker.check_model(model)
    path.write_bytes(model.SerializeToString())


def answers(paths):
    """The probabilities that onnxruntime computes for pictures."""
    import onnxruntime

    session = onnxruntime.InferenceSession(str(HERE / "digits.onnx"), providers=["CPUExecutionProvider"])
    pictures = np.stack([tensor(path.read_bytes(), is_rounded_twice=False) for path in paths])
    rows = []
    for start in range(0, len(paths), BATCH):
        batch = pictures[start:start + BATCH]
        filled = np.zeros((BATCH, *batch.shape[1:]), np.float32)
        filled[:len(batch)] = batch
        (scores,) = session.run(None, {"image": filled})
        rows.append(scores[:len(batch)])
    return softmax(np.concatenate(rows))


def make():
    from sklearn.datasets import load_digits

    random = np.random.default_rng(1)
    digits = load_digits()
    held = np.concatenate([np.flatnonzero(digits.target == digit)[-HELD_OUT:] for digit in range(10)])
    kept = np.setdiff1d(np.arange(len(digits.target)), held)
    pictures = np.stack([tensor(jpeg(digits.images[place])) for place in kept])
    weights = train(pictures, digits.target[kept], random)
    export(weights, HERE / "digits.onnx")
    (HERE / "labels.txt").write_text("".join(label + "\n" for label in LABELS))
    folder = HERE / "pictures"
    folder.mkdir(exist_ok=True)
    for place in held:
        digit = digits.target[place]
        (folder / f"{LABELS[digit]}_{place:04}.jpg").write_bytes(jpeg(digits.images[place]))
    paths = sorted(folder.glob("*.jpg"))
    found = answers(paths)
    right, lines = 0, []
    for path, row in zip(paths, found):
        label = LABELS[row.argmax()]
        right += path.name.startswith(label + "_")
        lines.append(f"{path.name} {label} {row.max():.4f}\n")
    (HERE / "expected.txt").write_text("".join(lines))
    print(f"{right} of {len(paths)} pictures are right")


def check():
    """Compares the answers of the example with those of onnxruntime."""
    line = ["cargo", "run", "--quiet", "--release", "--features", "emulator-onnx,emulator-media", "--example", "classify", "--", "--json"]
    report = json.loads(subprocess.run(line, cwd=ROOT, check=True, stdout=subprocess.PIPE).stdout)
    paths = sorted((HERE / "pictures").glob("*.jpg"))
    found = {pathlib.Path(picture["picture"]).name: picture["labels"] for picture in report["pictures"]}
    worst, right = 0.0, 0
    for path, row in zip(paths, answers(paths)):
        best = found[path.name][0]
        if best["label"] != LABELS[row.argmax()]:
            sys.exit(f"{path.name}: {best['label']}, and {LABELS[row.argmax()]} of onnxruntime")
        right += path.name.startswith(best["label"] + "_")
        for label in found[path.name]:
            worst = max(worst, abs(label["probability"] - float(row[LABELS.index(label["label"])])))
    print(f"{len(paths)} answers agree, {right} are right, probabilities differ by at most {worst:.4f}")
    sys.exit(worst > TOLERANCE)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="compare the answers of the example with onnxruntime")
    if parser.parse_args().check:
        check()
    else:
        make()

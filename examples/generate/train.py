"""Trains the language model of the example `generate`, with NumPy and nothing else.

    python3 examples/generate/train.py --check        compares gradients with differences of the loss
    python3 examples/generate/train.py                trains, for some minutes on one idle core
    python3 examples/generate/train.py --sample TEXT  what the stored weights write behind TEXT

The text is that of `corpus.py`. The results are `weights.safetensors`, with the matrices in half precision and the
tokens, and `expected.safetensors`, with the logits for a fixed prompt.
"""

import argparse
import json
import pathlib
import struct
import sys
import time

import numpy as np

# The folder is one of sources.
sys.dont_write_bytecode = True

import corpus
import network
import tokens as tokenizer

HERE = pathlib.Path(__file__).parent
PROMPT = "The stream waits for the event"


def write_safetensors(path, arrays, metadata):
    """The format: the length of a header in JSON, the header, the arrays one behind the other."""
    names = {"float16": "F16", "float32": "F32", "int64": "I64", "uint32": "U32", "uint8": "U8"}
    header, at = {"__metadata__": metadata}, 0
    for name, array in arrays.items():
        end = at + array.nbytes
        header[name] = {"dtype": names[array.dtype.name], "shape": list(array.shape), "data_offsets": [at, end]}
        at = end
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    body = b"".join(np.ascontiguousarray(array).tobytes() for array in arrays.values())
    path.write_bytes(struct.pack("<Q", len(text)) + text + body)


def read_safetensors(path):
    data = path.read_bytes()
    (length,) = struct.unpack_from("<Q", data)
    header = json.loads(data[8:8 + length])
    kinds = {"F16": "<f2", "F32": "<f4", "I64": "<i8", "U32": "<u4", "U8": "u1"}
    metadata = header.pop("__metadata__")
    arrays = {}
    for name, entry in header.items():
        start, end = (8 + length + offset for offset in entry["data_offsets"])
        arrays[name] = np.frombuffer(data[start:end], kinds[entry["dtype"]]).reshape(entry["shape"])
    return arrays, metadata


class Adam:
    """AdamW: steps that are scaled by the history of each weight, and matrices that shrink a little."""

    def __init__(self, weights):
        self.mean = {name: np.zeros_like(value) for name, value in weights.items()}
        self.square = {name: np.zeros_like(value) for name, value in weights.items()}
        self.steps = 0

    def step(self, weights, grads, rate, decay=0.1):
        self.steps += 1
        length = np.sqrt(sum(float(np.sum(grad * grad)) for grad in grads.values()))
        shrink = min(1.0, 1.0 / length)
        for name, value in weights.items():
            grad = grads[name] * np.float32(shrink)
            self.mean[name] += (1 - 0.9) * (grad - self.mean[name])
            self.square[name] += (1 - 0.98) * (grad * grad - self.square[name])
            mean = self.mean[name] / (1 - 0.9**self.steps)
            square = self.square[name] / (1 - 0.98**self.steps)
            if value.ndim == 2:
                value *= 1 - rate * decay
            value -= np.float32(rate) * mean / (np.sqrt(square) + np.float32(1e-8))


def batch(stream, size, context, random):
    starts = random.integers(0, len(stream) - context - 1, size)
    rows = np.stack([stream[start:start + context + 1] for start in starts])
    return rows[:, :-1], rows[:, 1:]


def train(arguments):
    paragraphs = corpus.paragraphs(arguments.reports, arguments.seed)
    kept = [text for index, text in enumerate(paragraphs) if index % 20 != 7]
    held = [text for index, text in enumerate(paragraphs) if index % 20 == 7]
    text = "\n" + "\n".join(kept) + "\n"
    table = tokenizer.learn(text, arguments.vocabulary)
    stream = tokenizer.encode(text, table)
    held = tokenizer.encode("\n" + "\n".join(held) + "\n", table)
    shape = network.Shape(len(table))
    random = np.random.default_rng(arguments.seed)
    weights = network.initial(shape, random)
    count = sum(value.size for value in weights.values())
    print(f"{len(text)} characters, {len(stream)} tokens, {count} weights", flush=True)

    adam, begin, recent = Adam(weights), time.time(), None
    for step in range(arguments.steps):
        warm = min(1.0, (step + 1) / 100)
        rate = arguments.rate * warm * (0.55 + 0.45 * np.cos(np.pi * step / arguments.steps))
        loss, grads = network.loss_and_gradients(weights, *batch(stream, 8, shape.context, random), shape)
        adam.step(weights, grads, rate, arguments.decay)
        recent = loss if recent is None else 0.98 * recent + 0.02 * loss
        if (step + 1) % 100 == 0 or step + 1 == arguments.steps:
            rows = batch(held, 8, shape.context, np.random.default_rng(5))
            other, _ = network.loss_and_gradients(weights, *rows, shape)
            print(f"step {step + 1}  loss {recent:.3f}  held out {other:.3f}  {time.time() - begin:.0f} s", flush=True)
        if (step + 1) % 500 == 0 or step + 1 == arguments.steps:
            store(arguments.out, weights, table, shape, PROMPT, arguments)
            print(repr(sample(weights, table, shape, "The", 60, random)), flush=True)


def store(folder, weights, table, shape, text, arguments):
    """Writes both files. The logits are those of the weights as they are stored."""
    arrays = {name: value.astype(np.float16) for name, value in weights.items()}
    weights = {name: value.astype(np.float32) for name, value in arrays.items()}
    arrays["tokens"] = np.frombuffer("".join(table).encode(), np.uint8)
    arrays["token_lengths"] = np.array([len(token) for token in table], np.uint8)
    metadata = {
        "heads": str(shape.heads), "context": str(shape.context), "epsilon": str(network.EPSILON),
        "reports": str(arguments.reports), "steps": str(arguments.steps), "seed": str(arguments.seed),
    }
    write_safetensors(folder / "weights.safetensors", arrays, metadata)
    prompt = tokenizer.encode("\n" + text, table)
    logits, _ = network.forward(weights, prompt[None], shape)
    expected = {"prompt": prompt, "logits": logits[0]}
    write_safetensors(folder / "expected.safetensors", expected, {"text": text})


def store_small(folder, arguments):
    """A model of a few random weights, which knows three tokens: for tests that run it many times."""
    shape = network.Shape(vocabulary=3, width=16, layers=1, heads=2, hidden=16, context=4)
    weights = network.initial(shape, np.random.default_rng(arguments.seed))
    arguments.steps = 0
    folder.mkdir(parents=True, exist_ok=True)
    store(folder, weights, ["\n", "A", "B"], shape, "A", arguments)


def sample(weights, table, shape, prompt, count, random, temperature=0.7, best=20):
    """Text behind the prompt, token by token."""
    numbers = list(tokenizer.encode("\n" + prompt, table))
    for _ in range(count):
        logits = network.forward(weights, np.array(numbers[-shape.context:])[None], shape)[0][0, -1]
        if temperature == 0:
            numbers.append(int(np.argmax(logits)))
            continue
        order = np.argsort(-logits, kind="stable")[:best]
        chances = network.softmax(logits[order].astype(np.float64) / temperature)
        numbers.append(int(random.choice(order, p=chances)))
    return "".join(table[number] for number in numbers)[1:]


def load(folder):
    arrays, metadata = read_safetensors(folder / "weights.safetensors")
    text, table, at = arrays.pop("tokens").tobytes().decode(), [], 0
    for length in arrays.pop("token_lengths"):
        table.append(text[at:at + length])
        at += length
    weights = {name: value.astype(np.float32) for name, value in arrays.items()}
    layers = sum(name.endswith(".query") for name in weights)
    width, hidden = weights["0.up"].shape
    heads, context = int(metadata["heads"]), int(metadata["context"])
    return weights, table, network.Shape(len(table), width, layers, heads, hidden, context)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="check the gradients and stop")
    parser.add_argument("--sample", metavar="TEXT", help="continue a text with the stored weights and stop")
    parser.add_argument("--small", metavar="FOLDER", type=pathlib.Path, help="write a model for tests and stop")
    parser.add_argument("--reports", type=int, default=6000, help="how many reports are learned")
    parser.add_argument("--steps", type=int, default=1000)
    parser.add_argument("--rate", type=float, default=4e-3)
    parser.add_argument("--decay", type=float, default=0.1)
    parser.add_argument("--vocabulary", type=int, default=512)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=pathlib.Path, default=HERE)
    arguments = parser.parse_args()
    if arguments.check:
        error = network.check()
        print(f"largest relative error of a gradient: {error:.1e}")
        raise SystemExit(int(error > 1e-5))
    if arguments.small is not None:
        return store_small(arguments.small, arguments)
    if arguments.sample is not None:
        weights, table, shape = load(arguments.out)
        for temperature in (0, 0.5, 0.8):
            random = np.random.default_rng(arguments.seed)
            print(temperature, sample(weights, table, shape, arguments.sample, 120, random, temperature), "\n")
        return
    train(arguments)


if __name__ == "__main__":
    main()

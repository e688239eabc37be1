"""The losses of `train_dp` by NumPy, in double precision.

    python3 reference.py [STEPS [RATE]]

The examples and the first weights are those of `data.rs` and `train.rs`.
"""

import sys

import numpy as np

DIGITS = [119, 18, 93, 91, 58, 107, 111, 82, 127, 123]
SEGMENTS, HIDDEN, CLASSES, ROWS = 7, 16, 10, 80
DEVIATION, WEIGHT = np.float32(0.3), np.float32(0.5)


def random(seed):
    """Single-precision numbers from -1 to 1."""
    while True:
        seed = (seed * 1_664_525 + 1_013_904_223) % 2**32
        yield np.float32(seed >> 8) / np.float32(8_388_608) - np.float32(1)


def main(steps=200, rate=0.5):
    numbers = random(20)
    x = [[np.float32(DIGITS[row % 10] >> bit & 1) + DEVIATION * next(numbers) for bit in range(SEGMENTS)] for row in range(ROWS)]
    x = np.array(x, dtype=np.float64)
    labels = np.eye(CLASSES)[np.arange(ROWS) % 10]
    numbers = random(1)
    shapes = [(SEGMENTS, HIDDEN), (HIDDEN,), (HIDDEN, CLASSES), (CLASSES,)]
    w, b, v, c = (np.array([WEIGHT * next(numbers) for _ in range(np.prod(shape))], dtype=np.float64).reshape(shape) for shape in shapes)
    for step in range(steps):
        before = x @ w + b
        hidden = np.maximum(before, 0)
        answers = hidden @ v + c
        answers -= answers.max(axis=1, keepdims=True)
        powers = np.exp(answers)
        shares = powers / powers.sum(axis=1, keepdims=True)
        loss = -(labels * np.log(shares)).sum() / ROWS
        slope = (shares - labels) / ROWS
        back = slope @ v.T * (before > 0)
        v, c = v - rate * hidden.T @ slope, c - rate * slope.sum(axis=0)
        w, b = w - rate * x.T @ back, b - rate * back.sum(axis=0)
        if step % -(-steps // 10) == 0 or step == steps - 1:
            print(f"{step:>6}{loss:>14.7f}")


if __name__ == "__main__":
    main(*(kind(text) for kind, text in zip((int, float), sys.argv[1:])))

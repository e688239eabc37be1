"""The losses of `train_dp` by PyTorch, in double precision.

    python3 reference.py [STEPS [RATE]]

The examples and the first weights are those of `data.rs` and `train.rs`.
"""

import sys

import numpy as np
import torch

DIGITS = [119, 18, 93, 91, 58, 107, 111, 82, 127, 123]
SEGMENTS, HIDDEN, CLASSES, ROWS = 7, 16, 10, 80
DEVIATION, WEIGHT = np.float32(0.3), np.float32(0.5)


def random(seed):
    """Single-precision numbers from -1 to 1."""
    while True:
        seed = (seed * 1_664_525 + 1_013_904_223) % 2**32
        yield np.float32(seed >> 8) / np.float32(8_388_608) - np.float32(1)


def main(steps=200, rate=0.05):
    torch.set_default_dtype(torch.float64)
    numbers = random(20)
    x = [[float(np.float32(DIGITS[row % 10] >> bit & 1) + DEVIATION * next(numbers)) for bit in range(SEGMENTS)] for row in range(ROWS)]
    x, labels = torch.tensor(x), torch.arange(ROWS) % CLASSES
    numbers = random(1)
    shapes = [(SEGMENTS, HIDDEN), (HIDDEN,), (HIDDEN, CLASSES), (CLASSES,)]
    weights = [torch.tensor([float(WEIGHT * next(numbers)) for _ in range(np.prod(shape))]).reshape(shape) for shape in shapes]
    w, b, v, c = (weight.requires_grad_() for weight in weights)
    optimizer = torch.optim.AdamW([w, b, v, c], lr=rate)
    for step in range(steps):
        answers = torch.relu(x @ w + b) @ v + c
        loss = torch.nn.functional.cross_entropy(answers, labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if step % -(-steps // 10) == 0 or step == steps - 1:
            print(f"{step:>6}{loss.item():>14.7f}")


if __name__ == "__main__":
    main(*(kind(text) for kind, text in zip((int, float), sys.argv[1:])))

"""A small decoder-only transformer in NumPy: forward pass, backward pass, and a numerical check of the second.

Embedding, then layers of attention with rotary positions and of SwiGLU, each behind an RMSNorm and beside a residual
path, then a last RMSNorm and the transposed embedding. Matrices are [inputs, outputs], so a row of activations is
multiplied from the left.
"""

import numpy as np

EPSILON = 1e-5
# The layer's matrices, with inputs and outputs in terms of the width and of the hidden width.
MATRICES = {
    "query": "ww", "key": "ww", "value": "ww", "output": "ww",
    "gate": "wh", "up": "wh", "down": "hw",
}


class Shape:
    """The sizes of a network."""

    def __init__(self, vocabulary, width=128, layers=4, heads=4, hidden=352, context=256):
        self.vocabulary, self.width, self.layers, self.heads = vocabulary, width, layers, heads
        self.hidden, self.context = hidden, context
        self.head = width // heads


def initial(shape, random, dtype=np.float32):
    """Random weights."""
    weights = {"embedding": random.normal(0, 0.02, (shape.vocabulary, shape.width))}
    for layer in range(shape.layers):
        for name in ("attention_norm", "feed_norm"):
            weights[f"{layer}.{name}"] = np.ones(shape.width)
        for name, sides in MATRICES.items():
            rows, columns = (shape.width if side == "w" else shape.hidden for side in sides)
            # What adds to the residual path begins small, so that its sum does not grow with the layers.
            scale = rows**-0.5 * ((2 * shape.layers) ** -0.5 if name in ("output", "down") else 1)
            weights[f"{layer}.{name}"] = random.normal(0, scale, (rows, columns))
    weights["norm"] = np.ones(shape.width)
    return {name: value.astype(dtype) for name, value in weights.items()}


def rotations(shape, dtype=np.float32):
    """Cosines and sines of all positions, [context, head]; element i turns with element i + head / 2."""
    frequencies = 10000.0 ** (-np.arange(0, shape.head, 2) / shape.head)
    angles = np.outer(np.arange(shape.context), frequencies)
    angles = np.concatenate([angles, angles], axis=1)
    return np.cos(angles).astype(dtype), np.sin(angles).astype(dtype)


def turned(x):
    """Both halves swapped, the new first one negated: a quarter turn."""
    first, second = np.split(x, 2, axis=-1)
    return np.concatenate([-second, first], axis=-1)


def norm(x, gain):
    """RMSNorm, and what its backward pass needs."""
    scale = 1 / np.sqrt(np.mean(x * x, axis=-1, keepdims=True) + x.dtype.type(EPSILON))
    unit = x * scale
    return unit * gain, (unit, scale, gain)


def norm_back(grad, saved):
    unit, scale, gain = saved
    inner = grad * gain
    back = scale * (inner - unit * np.mean(inner * unit, axis=-1, keepdims=True))
    return back, np.sum((grad * unit).reshape(-1, unit.shape[-1]), axis=0)


def softmax(x):
    x = np.exp(x - np.max(x, axis=-1, keepdims=True))
    x /= np.sum(x, axis=-1, keepdims=True)
    return x


def heads(x, shape):
    """[batch, time, width] as [batch, heads, time, head]."""
    batch, time, _ = x.shape
    return x.reshape(batch, time, shape.heads, shape.head).transpose(0, 2, 1, 3)


def joined(x):
    """The reverse of `heads`."""
    batch, count, time, head = x.shape
    return x.transpose(0, 2, 1, 3).reshape(batch, time, count * head)


def outer(x, grad):
    """The gradient of a matrix with the inputs `x`."""
    return x.reshape(-1, x.shape[-1]).T @ grad.reshape(-1, grad.shape[-1])


def forward(weights, tokens, shape):
    """The logits [batch, time, vocabulary] of tokens [batch, time], and what the backward pass needs."""
    embedding = weights["embedding"]
    x = embedding[tokens]
    time = tokens.shape[1]
    cosine, sine = (table[:time] for table in rotations(shape, x.dtype))
    hidden_future = np.triu(np.full((time, time), -np.inf, x.dtype), 1)
    saved = []
    for layer in range(shape.layers):
        own = {name: weights[f"{layer}.{name}"] for name in [*MATRICES, "attention_norm", "feed_norm"]}
        a, saved_a = norm(x, own["attention_norm"])
        query, key, value = (heads(a @ own[name], shape) for name in ("query", "key", "value"))
        query = query * cosine + turned(query) * sine
        key = key * cosine + turned(key) * sine
        scale = x.dtype.type(shape.head**-0.5)
        chosen = softmax(query @ key.swapaxes(-1, -2) * scale + hidden_future)
        mixed = joined(chosen @ value)
        x = x + mixed @ own["output"]
        b, saved_b = norm(x, own["feed_norm"])
        gate, up = b @ own["gate"], b @ own["up"]
        half = 1 / (1 + np.exp(-gate))
        inner = gate * half * up
        x = x + inner @ own["down"]
        saved.append((own, a, saved_a, query, key, value, chosen, mixed, b, saved_b, gate, up, half, inner))
    last, saved_last = norm(x, weights["norm"])
    return last @ embedding.T, (tokens, saved, last, saved_last, cosine, sine, scale)


def loss_and_gradients(weights, tokens, targets, shape):
    """The mean cross-entropy in nats, and its gradients by all weights."""
    logits, (tokens, saved, last, saved_last, cosine, sine, scale) = forward(weights, tokens, shape)
    chances = softmax(logits)
    flat = chances.reshape(-1, chances.shape[-1])
    picked = np.arange(flat.shape[0]), targets.reshape(-1)
    loss = -np.mean(np.log(flat[picked] + 1e-30))
    flat[picked] -= 1
    flat /= flat.shape[0]

    grads = {"embedding": outer(chances, last)}
    grad, grads["norm"] = norm_back(chances @ weights["embedding"], saved_last)
    for layer in reversed(range(shape.layers)):
        own, a, saved_a, query, key, value, chosen, mixed, b, saved_b, gate, up, half, inner = saved[layer]
        found = {"down": outer(inner, grad)}
        by_inner = grad @ own["down"].T
        by_up = by_inner * gate * half
        by_gate = by_inner * up * half * (1 + gate * (1 - half))
        found["gate"], found["up"] = outer(b, by_gate), outer(b, by_up)
        by_b = by_gate @ own["gate"].T + by_up @ own["up"].T
        back, found["feed_norm"] = norm_back(by_b, saved_b)
        grad = grad + back

        found["output"] = outer(mixed, grad)
        by_mixed = heads(grad @ own["output"].T, shape)
        by_value = chosen.swapaxes(-1, -2) @ by_mixed
        by_chosen = by_mixed @ value.swapaxes(-1, -2)
        by_scores = chosen * (by_chosen - np.sum(by_chosen * chosen, axis=-1, keepdims=True)) * scale
        by_query, by_key = by_scores @ key, by_scores.swapaxes(-1, -2) @ query
        by_a = 0
        for name, by in (("query", by_query), ("key", by_key), ("value", by_value)):
            if name != "value":
                # The reverse of a quarter turn is three of them.
                by = by * cosine - turned(by * sine)
            by = joined(by)
            found[name] = outer(a, by)
            by_a = by_a + by @ own[name].T
        back, found["attention_norm"] = norm_back(by_a, saved_a)
        grad = grad + back
        grads.update({f"{layer}.{name}": value for name, value in found.items()})
    np.add.at(grads["embedding"], tokens.reshape(-1), grad.reshape(-1, grad.shape[-1]))
    return loss, grads


def check():
    """Compares gradients with differences of the loss, in double precision. Returns the largest relative error."""
    shape = Shape(vocabulary=11, width=8, layers=2, heads=2, hidden=12, context=7)
    random = np.random.default_rng(1)
    weights = initial(shape, random, np.float64)
    # Away from the beginning, where gains are 1 and logits nearly equal.
    weights = {name: value + random.normal(0, 0.3, value.shape) for name, value in weights.items()}
    tokens, targets = random.integers(0, 11, (2, 3, 6))
    _, grads = loss_and_gradients(weights, tokens, targets, shape)
    worst = 0.0
    for name, value in weights.items():
        for _ in range(12):
            index = tuple(random.integers(0, size) for size in value.shape)
            kept, step = value[index], 1e-5
            value[index] = kept + step
            above, _ = loss_and_gradients(weights, tokens, targets, shape)
            value[index] = kept - step
            below, _ = loss_and_gradients(weights, tokens, targets, shape)
            value[index] = kept
            expected = (above - below) / (2 * step)
            worst = max(worst, abs(expected - grads[name][index]) / (abs(expected) + 1e-4))
    return worst

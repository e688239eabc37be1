"""Writes cases in the form that `text.rs` explains."""

import numpy
import torch

TORCH = {
    "f32": torch.float32, "f16": torch.float16, "bf16": torch.bfloat16, "f64": torch.float64,
    "s8": torch.int8, "s16": torch.int16, "s32": torch.int32, "s64": torch.int64,
    "u8": torch.uint8, "u16": torch.uint16, "u32": torch.uint32, "u64": torch.uint64,
    "bool": torch.bool,
}
WORD = {dtype: word for word, dtype in TORCH.items()}
FLOATS = ["f32", "f16", "bf16", "f64"]
SINGLE = ["f32", "f16", "bf16"]
INTEGERS = ["s8", "s16", "s32", "s64", "u8"]

random = numpy.random.RandomState(20260)


def is_float(word):
    return word in FLOATS


def promote(*words):
    """The common data type of tensors."""
    dtype = TORCH[words[0]]
    for word in words[1:]:
        dtype = torch.promote_types(dtype, TORCH[word])
    return WORD[dtype]


def wide(tensor):
    """The numbers of a tensor in the widest type of their kind."""
    return tensor.to(torch.float64) if tensor.dtype.is_floating_point else tensor.to(torch.int64)


def numbers(word, shape, domain="any"):
    """Random numbers of a data type."""
    shape = tuple(shape)
    if domain == "quarters":
        # Quotients of these numbers are far from integers, or exact.
        values = random.choice([0.75, 1.25, 1.75, 2.75] if is_float(word) else [2, 3, 5], shape) * (1 if word.startswith("u") or word == "bool" else random.choice([-1, 1], shape))
    elif is_float(word):
        low, high = {"any": (-3, 3), "positive": (0.1, 4), "unit": (-0.9, 0.9), "nonzero": (0.3, 3), "small": (-1, 1)}[domain]
        values = random.uniform(low, high, shape).round(2)
        if domain == "nonzero":
            values = values * random.choice([-1, 1], shape)
    elif word == "bool":
        values = random.randint(0, 2, shape)
        if domain in ("positive", "nonzero"):
            values = numpy.ones(shape)
    else:
        low, high = {"any": (-9, 10), "positive": (1, 10), "unit": (0, 1), "nonzero": (1, 10), "small": (-3, 4)}[domain]
        if word.startswith("u"):
            low, high = max(low, 0), high
        values = random.randint(low, high, shape)
        if domain == "nonzero" and not word.startswith("u"):
            values = values * random.choice([-1, 1], shape)
    return torch.tensor(numpy.asarray(values)).to(TORCH[word])


def of(word, values):
    """A tensor of these values."""
    return torch.tensor(values).to(TORCH[word])


def number(value, word, exact):
    """A number as text; results need fewer digits than operands."""
    if not is_float(word):
        return str(int(value))
    value = float(value)
    if value != value:
        return "nan"
    if value in (float("inf"), float("-inf")):
        return "inf" if value > 0 else "-inf"
    if exact:
        text = "%.17g" % value
        for digits in range(1, 17):
            short = "%.*g" % (digits, value)
            if torch.tensor(float(short), dtype=torch.float64).to(TORCH[word]).to(torch.float64).item() == value:
                text = short
                break
        return text
    return "%.*g" % ({"f64": 14, "f32": 7}.get(word, 4), value)


def flat(tensor, word, exact):
    """The elements of a tensor, between commas."""
    return ",".join(number(value, word, exact) for value in wide(tensor).flatten().tolist())


def as_type(tensor, word):
    """Results as a data type holds them, before the last rounding where that is possible."""
    if is_float(word):
        values = tensor.to(torch.float64)
        rounded = values.to(TORCH[word]).to(torch.float64)
        return torch.where(rounded.isinf(), rounded, values)
    if word == "bool":
        return tensor != 0
    if tensor.dtype.is_floating_point:
        tensor = torch.nan_to_num(tensor.trunc(), nan=0.0).to(torch.int64)
    return tensor.to(torch.int64).to(TORCH[word])


def dims(values):
    return ",".join(str(int(value)) for value in values)


class Tensor:
    """A tensor that an operator reads: `view` says how its elements lie in memory."""

    def __init__(self, word, data, view=""):
        self.word, self.data, self.view = word, data, view

    def text(self):
        head, storage = laid_out(self.word, self.data, self.view)
        return f"={head}:{flat(storage, self.word, True)}"


class Out:
    """A tensor that an operator writes."""

    def __init__(self, word, data, view="", shape=None):
        self.word, self.data, self.view, self.shape = word, as_type(data, word), view, shape

    def text(self):
        head, storage = laid_out(self.word, self.data, self.view)
        end = "" if self.shape is None else f"%{dims(self.shape)}"
        return f">{head}:{flat(storage, self.word, False)}{end}"


class InOut:
    """A tensor that an operator reads and writes."""

    def __init__(self, word, before, after, view=""):
        self.word, self.before, self.after, self.view = word, before, as_type(after, word), view

    def text(self):
        head, storage = laid_out(self.word, self.before, self.view)
        _, after = laid_out(self.word, self.after, self.view, filler=None if self.view == "" else storage)
        return f"={head}:{flat(storage, self.word, True)}>{flat(after, self.word, False)}"


class Scalar:
    def __init__(self, word, value):
        self.word, self.value = word, value

    def text(self):
        return f"={self.word}({number(of(self.word, self.value).to(torch.float64) if is_float(self.word) else int(self.value), self.word, True)})"


class Raw:
    """An argument that is written already."""

    def __init__(self, raw):
        self.raw = raw

    def text(self):
        return self.raw


class List:
    def __init__(self, tensors):
        self.tensors = tensors

    def text(self):
        texts = ["=null" if tensor is None else tensor.text() for tensor in self.tensors]
        sign = ">" if texts and texts[0].startswith(">") else "="
        return f"{sign}{{{';'.join(text[1:] for text in texts)}}}"


def laid_out(word, data, view, filler=None):
    """The description of a view, and its storage. The gaps have sevens."""
    shape = list(data.shape)
    head = f"{word}[{dims(shape)}]"
    seven = 1 if word == "bool" else 7
    if view == "" or data.numel() == 0 or data.dim() == 0:
        return head, data
    if view == "transposed":
        order = list(range(data.dim()))[::-1]
        storage = data.permute(order).contiguous()
        strides = [0] * data.dim()
        step = 1
        for axis in range(data.dim()):
            strides[axis] = step
            step *= max(shape[axis], 1)
    elif view == "gaps":
        last = shape[-1]
        storage = torch.full(shape[:-1] + [2 * last + 1], seven).to(data.dtype)
        if filler is not None:
            storage = filler.reshape(storage.shape).to(data.dtype).clone()
        storage[..., 1::2] = data
        strides, step = [2], 2 * last + 1
        for size in reversed(shape[:-1]):
            strides.insert(0, step)
            step *= max(size, 1)
        return f"{head}/{dims(strides)}+1", storage
    elif view == "repeated":
        storage = data[:1] if data.shape[0] else data
        strides, step = [], 1
        for size in reversed(shape[1:]):
            strides.insert(0, step)
            step *= max(size, 1)
        strides.insert(0, 0)
    return f"{head}/{dims(strides)}+0", storage


FILES = {}


def case(family, operator, tolerance=None, code=0, **arguments):
    """Adds a case; the names of the arguments are those of the C function, and an underscore at the end is cut."""
    words, rest = [operator], ""
    for name, value in arguments.items():
        name = name.rstrip("_")
        if value is None:
            rest = " .."
            continue
        elif hasattr(value, "text"):
            text = value.text()
        elif isinstance(value, bool):
            text = "=true" if value else "=false"
        elif isinstance(value, (list, tuple)):
            text = f"=[{dims(value)}]"
        else:
            text = f"={value}"
        words.append(name + text)
    if tolerance is not None:
        words.append(f"~{tolerance}")
    if code:
        words.append(f"!{code}")
    FILES.setdefault(family, []).append(" ".join(words) + rest)

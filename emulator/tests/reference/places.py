"""Cases of operators that move, fill, index and select elements."""

import itertools

import torch

from form import (FLOATS, INTEGERS, SINGLE, InOut, List, Out, Raw, Scalar, Tensor, TORCH, case, is_float, numbers, of, promote, wide)

REAL = FLOATS + INTEGERS + ["bool"]
VIEWS = ["", "transposed", "gaps"]


def some(index, types=REAL):
    """A data type and a view that change with the case."""
    return types[index % len(types)], VIEWS[index % 3]


def shape(family):
    """Operators that move elements to other places."""
    turn = itertools.count()

    def one(operator, extent, function, types=REAL, name="self", out="out", **arguments):
        for _ in range(2):
            index = next(turn)
            word, view = some(index, types)
            data = numbers(word, extent)
            case(family, operator, **{name: Tensor(word, data, view)}, **arguments, **{out: Out(word, function(data), VIEWS[(index + 1) % 3])})

    one("aclnnPermute", (2, 3, 4), lambda a: a.permute(2, 0, 1), dims=[2, 0, -2])
    one("aclnnPermute", (2, 3), lambda a: a.T, dims=[1, 0])
    one("aclnnPermute", (), lambda a: a, dims=[])
    one("aclnnPermute", (0, 3), lambda a: a.T, dims=[1, 0])
    one("aclnnSlice", (4, 5), lambda a: a[:, 1:4:2], ["f32", "f16", "s32", "s64", "bool", "bf16"], dim=1, start=1, end=4, step=2)
    one("aclnnSlice", (4, 5), lambda a: a[-3:], ["f32", "u8", "s8"], dim=0, start=-3, end=99, step=1)
    one("aclnnSlice", (4, 5), lambda a: a[3:1], ["f32"], dim=0, start=3, end=1, step=1)
    one("aclnnExpand", (3, 1), lambda a: a.expand(2, 3, 4), ["f32", "f16", "s32", "bool"], size=[2, -1, 4])
    one("aclnnRepeat", (2, 3), lambda a: a.repeat(2, 1, 2), repeats=[2, 1, 2])
    one("aclnnRepeat", (2, 3), lambda a: a.repeat(0, 2), repeats=[0, 2])
    one("aclnnRepeatInterleaveIntWithDim", (2, 3), lambda a: a.repeat_interleave(2, 1), ["f32", "bf16", "s32", "bool"], repeats=2, dim=1, outputSize=6)
    one("aclnnFlip", (2, 3, 2), lambda a: a.flip(0, 2), dims=[0, -1])
    one("aclnnRoll", (2, 3), lambda a: a.roll((1, -2), (0, 1)), ["f32", "f16", "s32", "u8", "bool"], name="x", shifts=[1, -2], dims=[0, 1])
    one("aclnnRoll", (2, 3), lambda a: a.roll(2), ["f32", "f16", "s32"], name="x", shifts=[2], dims=[])
    F = torch.nn.functional
    for pads in ([1, 2], [0, 1, 2, 0], [-1, 1, 0, -1], [0, 0, 0, 0, 1, 1]):
        one("aclnnConstantPadNd", (2, 3, 2), lambda a: F.pad(a, pads, value=1), pad=pads, value=Scalar("s32", 1))
    one("aclnnConstantPadNd", (2,), lambda a: F.pad(a, [1, 1], value=0.5), FLOATS, pad=[1, 1], value=Scalar("f32", 0.5))
    one("aclnnReflectionPad1d", (2, 4), lambda a: F.pad(wide(a)[None].double(), [3, 2], mode="reflect")[0].to(a.dtype), ["f32", "f16", "s32", "u8"], padding=[3, 2])
    one("aclnnReflectionPad1d", (1, 2, 3), lambda a: F.pad(wide(a).double(), [1, 1], mode="reflect").to(a.dtype), ["f32", "s64"], padding=[1, 1])
    for diagonal in (0, 1, -1, 9):
        for name, function in (("Tril", torch.tril), ("Triu", torch.triu)):
            one(f"aclnn{name}", (2, 3, 4), lambda a: function(a, diagonal), FLOATS + INTEGERS, diagonal=diagonal)
            word, view = some(next(turn), FLOATS + INTEGERS)
            data = numbers(word, (3, 3))
            case(family, f"aclnnInplace{name}", selfRef=InOut(word, data, function(data, diagonal), view), diagonal=diagonal)
    for words in (("f32", "f32", "f32"), ("s32", "f16", "bool"), ("s8", "u8", "s8")):
        parts = [numbers(word, size, "positive") for word, size in zip(words, ((2, 1), (2, 3), (2, 2)))]
        word = promote(*words)
        case(family, "aclnnCat", tensors=List([Tensor(w, part, view) for w, part, view in zip(words, parts, VIEWS)]), dim=-1, out=Out(word, torch.cat([part.to(TORCH[word]) for part in parts], 1), "gaps"))
        parts = [numbers(word, (2, 3), "positive") for word in words]
        for dim in (0, 2, -2):
            case(family, "aclnnStack", tensors=List([Tensor(w, part, view) for w, part, view in zip(words, parts, VIEWS)]), dim=dim, out=Out(word, torch.stack([part.to(TORCH[word]) for part in parts], dim), "transposed"))
    for index, (dim, size) in enumerate(((0, 2), (1, 3), (-1, 4))):
        word, view = some(next(turn))
        data = numbers(word, (5, 4))
        case(family, "aclnnSplitTensor", self=Tensor(word, data, view), splitSections=size, dim=dim, out=List([Out(word, part, VIEWS[index]) for part in torch.split(data, size, dim)]))
        sizes = [[1, 0, 4], [2, 2], [4]][index]
        case(family, "aclnnSplitWithSize", self=Tensor(word, data, view), splitSize=sizes, dim=dim, out=List([Out(word, part) for part in torch.split(data, sizes, dim)]))
    good, result = Tensor("f32", numbers("f32", (2, 3))), Out("f32", numbers("f32", (2, 3)))
    for operator, arguments in (("aclnnPermute", dict(dims=[0, 0])), ("aclnnPermute", dict(dims=[0])), ("aclnnPermute", dict(dims=[0, 2])), ("aclnnPermute", dict(dims=[1, 0])),
                                ("aclnnSlice", dict(dim=0, start=0, end=2, step=0)), ("aclnnSlice", dict(dim=2, start=0, end=2, step=1)), ("aclnnSlice", dict(dim=0, start=0, end=1, step=1)),
                                ("aclnnExpand", dict(size=[3])), ("aclnnExpand", dict(size=[4, 3])), ("aclnnRepeat", dict(repeats=[1])), ("aclnnRepeat", dict(repeats=[1, -1])),
                                ("aclnnFlip", dict(dims=[0, 0])), ("aclnnFlip", dict(dims=[2])), ("aclnnTril", dict(diagonal=0, out=Out("f16", numbers("f16", (2, 3))))),
                                ("aclnnConstantPadNd", dict(pad=[1], value=Scalar("f32", 0.0))), ("aclnnConstantPadNd", dict(pad=[0, -4], value=Scalar("f32", 0.0))),
                                ("aclnnReflectionPad1d", dict(padding=[3, 0]))):
        case(family, operator, code=161002, self=good, **({"out": result} | arguments))
    case(family, "aclnnPermute", code=161001, self=good, dims=None, out=result)
    case(family, "aclnnStack", code=161002, tensors=List([]), dim=0, out=result)
    case(family, "aclnnStack", code=161002, tensors=List([good, Tensor("f32", numbers("f32", (3, 2)))]), dim=0, out=Out("f32", numbers("f32", (2, 2, 3))))
    case(family, "aclnnSplitWithSize", code=161002, self=good, splitSize=[1, 2], dim=0, out=List([result, result]))


def create(family):
    """Operators that fill tensors."""
    for index, word in enumerate(REAL):
        data = numbers(word, (2, 3))
        view = VIEWS[index % 3]
        value = 1 if word == "bool" else 3
        case(family, "aclnnInplaceZero", selfRef=InOut(word, data, torch.zeros(2, 3), view))
        case(family, "aclnnInplaceOne", selfRef=InOut(word, data, torch.ones(2, 3), view))
        case(family, "aclnnInplaceFillScalar", selfRef=InOut(word, data, torch.full((2, 3), value), view), value=Scalar("bool" if word == "bool" else "s32", value))
        if word != "f64":
            case(family, "aclnnInplaceFillTensor", selfRef=InOut(word, data, torch.full((2, 3), value), view), value=Tensor(word, of(word, value)))
    for word, start, end, step in (("f32", 0.5, 3.0, 0.5), ("s64", 3, -4, -2), ("f16", 1.0, 2.0, 0.25), ("s32", 2, 9, 3), ("f64", 0.0, 1.0, 0.1), ("bf16", 0, 8, 2)):
        one = "f32" if is_float(word) else "s64"
        scalars = dict(start=Scalar(one, start), end=Scalar(one, end), step=Scalar(one, step))
        wider = lambda v: of(one, v).double().item()
        for name in ("Arange", "Range"):
            values = torch.arange(wider(start), wider(end), wider(step), dtype=torch.float64)
            if name == "Range" and abs(values[-1] + step - end) < 1e-9:
                values = torch.cat([values, values[-1:] + step])
            case(family, f"aclnn{name}", **scalars, out=Out(word, values))
    case(family, "aclnnArange", code=161002, start=Scalar("s32", 0), end=Scalar("s32", 4), step=Scalar("s32", 0), out=Out("s64", of("s64", [0] * 4)))
    case(family, "aclnnArange", code=161002, start=Scalar("s32", 0), end=Scalar("s32", 4), step=Scalar("s32", -1), out=Out("s64", of("s64", [0] * 4)))
    case(family, "aclnnArange", code=161002, start=Scalar("s32", 0), end=Scalar("s32", 4), step=Scalar("s32", 1), out=Out("s8", of("s8", [0] * 4)))
    case(family, "aclnnInplaceFillScalar", code=161002, selfRef=InOut("s32", of("s32", [1]), of("s32", [1])), value=Scalar("f32", 1.5))
    for word, rows, columns in (("f32", 2, 3), ("s8", 3, 3), ("bool", 3, 2), ("bf16", 0, 2)):
        case(family, "aclnnEye", n=rows, m=columns, out=Out(word, torch.eye(rows, columns)))
    case(family, "aclnnEye", code=161002, n=2, m=3, out=Out("f32", torch.eye(3, 2)))
    for word, axis in (("f32", -1), ("s32", 0), ("s64", 1), ("u8", 2)):
        labels = of("s32", [[0, 2, 3], [1, 5, -1]])
        hot = (labels[..., None] == torch.arange(4)) * 3 + 1
        case(family, "aclnnOneHot", self=Tensor("s32", labels), numClasses=4, onValue=Tensor(word, of(word, [4])), offValue=Tensor(word, of(word, [1])), axis=axis, out=Out(word, hot.movedim(-1, axis)))


def index(family):
    """Operators whose positions are in tensors."""
    turn = itertools.count()
    for dim, count in ((0, 3), (1, 2), (-1, 0), (0, 1)):
        word, view = some(next(turn))
        data = numbers(word, (3, 4))
        which = of(["s32", "s64"][count % 2], torch.tensor(numbers("s32", (count,), "positive").tolist() if count else [], dtype=torch.int64) % 3)
        word_of = ["s32", "s64"][count % 2]
        case(family, "aclnnIndexSelect", self=Tensor(word, data, view), dim=dim, index=Tensor(word_of, which), out=Out(word, data.index_select(dim, which.long())))
    for _ in range(4):
        word, view = some(next(turn))
        data, which = numbers(word, (3, 4)), of("s64", [[0, 1], [2, -1]])
        case(family, "aclnnGatherV2", self=Tensor(word, data, view), dim=1, index=Tensor("s64", which), out=Out(word, data[:, which]))
        case(family, "aclnnEmbedding", weight=Tensor(word, data, view), indices=Tensor("s32", of("s32", [[2, 0], [1, 1]])), out=Out(word, data[of("s64", [[2, 0], [1, 1]])]))
        wrapped = of("s64", [[0, 2, -1], [1, 1, 0]])
        case(family, "aclnnGather", self=Tensor(word, data, view), dim=0, index=Tensor("s64", wrapped), out=Out(word, torch.gather(data, 0, wrapped % 3), "gaps"))
        case(family, "aclnnGather", self=Tensor(word, data, view), dim=1, index=Tensor("s32", of("s32", [[3], [0], [1]])), out=Out(word, torch.gather(data, 1, of("s64", [[3], [0], [1]]))))
        source = numbers(word, (2, 4))
        case(family, "aclnnInplaceIndexCopy", selfRef=InOut(word, data, data.clone().index_copy(0, of("s64", [2, 0]), source), view), dim=0, index=Tensor("s64", of("s64", [2, 0])), source=Tensor(word, source, "gaps"))
    for word in ["f32", "bf16", "s32", "bool"]:
        data = numbers(word, (3, 4))
        case(family, "aclnnInplaceIndexFillTensor", selfRef=InOut(word, data, wide(data).index_fill(1, of("s64", [1, 3]), 1), "gaps"), dim=1, index=[1, -1], value=Scalar("s32", 1))
    for position, word in enumerate(["f32", "f16", "bf16", "s32", "s8"]):
        view = VIEWS[position % 3]
        data, source = numbers(word, (3, 4), "small"), numbers(word, (3, 2), "small")
        which = of("s64", [1, 1])
        case(family, "aclnnIndexAdd", self=Tensor(word, data, view), dim=-1, index=Tensor("s64", which), source=Tensor(word, source), alpha=Scalar("s32", 2), out=Out(word, wide(data).index_add(1, which, wide(source), alpha=2)))
        indices, updates = of("s64", [[0, 1, 2], [2, 0, 0]]), numbers(word, (2, 4), "small")
        part = wide(updates)[:, :3]
        for reduce, result in enumerate((None, wide(data).scatter_add(0, indices, part), wide(data).scatter_reduce(0, indices, part, "prod"))):
            if reduce == 0:
                indices0 = of("s64", [[0, 1, 2], [2, 0, 1]])
                result = wide(data).scatter(0, indices0, part)
                case(family, "aclnnScatter", self=Tensor(word, data, view), dim=0, index=Tensor("s64", indices0), src=Tensor(word, updates, view), reduce=0, out=Out(word, result))
            else:
                case(family, "aclnnScatter", self=Tensor(word, data, view), dim=0, index=Tensor("s64", indices), src=Tensor(word, updates, view), reduce=reduce, out=Out(word, result))
                case(family, "aclnnInplaceScatter", selfRef=InOut(word, data, result, view), dim=0, index=Tensor("s64", indices), src=Tensor(word, updates), reduce=reduce)
        case(family, "aclnnScatterAdd", self=Tensor(word, data, view), dim=0, index=Tensor("s32", indices.int()), src=Tensor(word, updates), out=Out(word, wide(data).scatter_add(0, indices, part)))
    for word in ["f32", "bf16", "s8"]:
        data, updates = numbers(word, (2, 5, 2)), numbers(word, (2, 2, 2))
        after = data.clone()
        after[0, 1:3], after[1, 3:5] = updates[0], updates[1]
        case(family, "aclnnInplaceScatterUpdate", data=InOut(word, data, after), indices=Tensor("s32", of("s32", [1, 3])), updates=Tensor(word, updates), axis=1)
        data, updates = numbers(word, (3, 2, 2)), numbers(word, (2, 2))
        after = data.clone()
        after[2, 1], after[0, 0] = updates[0], updates[1]
        case(family, "aclnnScatterNdUpdate", varRef=InOut(word, data, after, "gaps"), indices=Tensor("s64", of("s64", [[2, 1], [0, 0]])), updates=Tensor(word, updates))
    good, result, which = Tensor("f32", numbers("f32", (2, 3))), Out("f32", numbers("f32", (2, 3))), Tensor("s64", of("s64", [0, 1]))
    case(family, "aclnnIndexSelect", code=161001, self=good, dim=0, index=None, out=result)
    case(family, "aclnnIndexSelect", code=161002, self=good, dim=0, index=Tensor("f32", of("f32", [0.0, 1.0])), out=result)
    case(family, "aclnnIndexSelect", code=161002, self=good, dim=2, index=which, out=result)
    case(family, "aclnnIndexSelect", code=161002, self=good, dim=1, index=which, out=result)
    case(family, "aclnnGather", code=161002, self=good, dim=0, index=which, out=Out("f32", numbers("f32", (2,))))
    case(family, "aclnnScatter", code=161002, self=good, dim=0, index=Tensor("s64", of("s64", [[0, 1]])), src=good, reduce=3, out=result)
    case(family, "aclnnEmbedding", code=161002, weight=Tensor("f32", numbers("f32", (3,))), indices=which, out=Out("f32", numbers("f32", (2,))))


def select(family):
    """Operators that sort and select."""
    def shuffled(word, seed, size=12):
        order = torch.randperm(size, generator=torch.Generator().manual_seed(seed))
        return (order - 3 if not word.startswith("u") else order).to(TORCH[word])
    for position, word in enumerate(["f32", "f16", "bf16", "s8", "s16", "s32", "s64", "u8"]):
        data = shuffled(word, position).reshape(3, 4)
        view, dim, descending = VIEWS[position % 3], position % 2, bool(position // 2 % 2)
        values, places = torch.sort(wide(data), dim=dim, descending=descending, stable=True)
        case(family, "aclnnSort", self=Tensor(word, data, view), stable=True, dim=dim, descending=descending, valuesOut=Out(word, values, VIEWS[(position + 1) % 3]), indicesOut=Out("s64", places))
        case(family, "aclnnArgsort", self=Tensor(word, data, view), dim=dim - 2, descending=descending, out=Out("s64", places))
        values, places = torch.topk(wide(data), 2, dim, largest=descending)
        case(family, "aclnnTopk", self=Tensor(word, data, view), k=2, dim=dim, largest=descending, sorted=True, valuesOut=Out(word, values), indicesOut=Out("s64", places))
    ties = of("f32", [2.0, float("nan"), 1.0, 2.0, float("-inf"), 1.0, float("nan")])
    for descending in (True, False):
        values, places = torch.sort(ties, dim=0, descending=descending, stable=True)
        case(family, "aclnnSort", self=Tensor("f32", ties), stable=True, dim=0, descending=descending, valuesOut=Out("f32", values), indicesOut=Out("s64", places))
    for position, word in enumerate(REAL):
        data, mask = numbers(word, (2, 3)), numbers("bool", (2, 3) if position % 2 else (3,))
        view = VIEWS[position % 3]
        chosen = torch.masked_select(data, mask)
        rest = torch.full((6 - len(chosen),), 1 if word == "bool" else 7).to(data.dtype)
        case(family, "aclnnMaskedSelect", self=Tensor(word, data, view), mask=Tensor("bool", mask), out=Out(word, torch.cat([chosen, rest]), shape=[len(chosen)]))
        data = data * numbers("bool", (2, 3)).to(data.dtype)
        places = torch.nonzero(wide(data))
        rest = torch.full((6 - len(places), 2), 7)
        case(family, "aclnnNonzero", self=Tensor(word, data, view), out=Out("s64", torch.cat([places, rest]), shape=list(places.shape)))
        data = numbers(word, (2, 4), "small" if not is_float(word) else "any")
        data[1, 1:3] = data[0, :2]
        values, inverse, counts = torch.unique(wide(data), return_inverse=True, return_counts=True)
        fill = lambda part, seven=7: torch.cat([part, torch.full((8 - len(part),), seven).to(part.dtype)])
        case(family, "aclnnUnique2", self=Tensor(word, data, view), sorted=True, returnInverse=True, returnCounts=True, valueOut=Out(word, fill(values, 1 if word == "bool" else 7), shape=[len(values)]),
             inverseOut=Out("s64", inverse), countsOut=Out("s64", fill(counts), shape=[len(values)]))
    good = Tensor("f32", numbers("f32", (2, 3)))
    outs = lambda *size: dict(valuesOut=Out("f32", numbers("f32", size)), indicesOut=Out("s64", numbers("s64", size)))
    case(family, "aclnnTopk", code=161002, self=good, k=4, dim=1, largest=True, sorted=True, **outs(2, 4))
    case(family, "aclnnTopk", code=161002, self=good, k=2, dim=1, largest=True, sorted=False, **outs(2, 2))
    case(family, "aclnnSort", code=161002, self=good, stable=True, dim=2, descending=False, **outs(2, 3))
    case(family, "aclnnSort", code=161001, self=None, stable=True, dim=2, descending=False, **outs(2, 3))
    case(family, "aclnnNonzero", code=161002, self=good, out=Out("s64", numbers("s64", (5, 2))))
    case(family, "aclnnMaskedSelect", code=161002, self=good, mask=Tensor("bool", numbers("bool", (2,))), out=Out("f32", numbers("f32", (6,))))

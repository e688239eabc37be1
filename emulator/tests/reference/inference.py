"""Cases of operators of trained networks."""

import itertools

import torch

from elementwise import NUMBERS, REAL, Elementwise
from form import (FLOATS, INTEGERS, SINGLE, InOut, List, Out, Scalar, Tensor, TORCH, case, is_float, numbers, of, wide)

F = torch.nn.functional
VIEWS = ["", "transposed", "gaps"]
WHOLE = ["s8", "s16", "s32", "s64", "u8"]


def elements(family):
    """Functions of elements, gates and sums of products."""
    Elementwise("aclnnAddRelu", lambda a, b, c: torch.clamp(a + c * b, min=0), ["self", "other"], SINGLE + ["s8", "s32", "s64", "u8"],
                [("alpha", [("s32", 2)])], special=False, mixed=False).write_all(family)
    Elementwise("aclnnSquaredRelu", lambda a: torch.relu(a) ** 2, ["input"], SINGLE, kind="real", inplace=False, special=False).write_all(family)
    Elementwise("aclnnLogit", lambda a, b: torch.logit(a, b), ["input"], SINGLE, [("eps", [("plain", 0.25)])],
                kind="real", domain="unit", inplace=False, special=False).write_all(family)
    data = of("f32", [0.25, 0.75, 1.5, -0.5])
    case(family, "aclnnLogit", input=Tensor("f32", data), eps=-1.0, out=Out("f32", torch.logit(data.double())))
    for index, word in enumerate(WHOLE):
        data, bits = numbers(word, (2, 3)), torch.tensor([0, 1, 3]).to(TORCH[word])
        view = VIEWS[index % 3]
        case(family, "aclnnLeftShift", self=Tensor(word, data, view), shiftBits=Tensor(word, bits), out=Out(word, data << bits))
        case(family, "aclnnLeftShifts", self=Tensor(word, data, view), shiftBits=Scalar(word, 2), out=Out(word, data << 2))
        case(family, "aclnnRightShift", input=Tensor(word, data, view), shiftBits=Tensor(word, bits), out=Out(word, data >> bits))
    case(family, "aclnnLeftShift", code=161002, self=Tensor("f32", numbers("f32", (2,))), shiftBits=Tensor("f32", numbers("f32", (2,))), out=Out("f32", numbers("f32", (2,))))
    for index, word in enumerate(FLOATS + INTEGERS):
        parts = [numbers(word, (2, 3)), numbers(word, (3,)), numbers(word, (2, 1))]
        joined = torch.broadcast_tensors(*(wide(part) for part in parts))
        views = [Tensor(word, part, VIEWS[(index + turn) % 3]) for turn, part in enumerate(parts)]
        case(family, "aclnnMaxN", tensors=List(views), out=Out(word, torch.stack(joined).amax(0)))
        case(family, "aclnnMinN", tensors=List(views), out=Out(word, torch.stack(joined).amin(0)))
    case(family, "aclnnMaxN", code=161002, tensors=List([]), out=Out("f32", numbers("f32", (2,))))
    for index, word in enumerate(SINGLE):
        view = VIEWS[index]
        data = numbers(word, (2, 3, 2))
        case(family, "aclnnLogSigmoidForward", self=Tensor(word, data, view), out=Out(word, F.logsigmoid(wide(data))), buffer=Out(word, torch.zeros(0)))
        scale, shift = numbers(word, (2, 2)), numbers(word, (2, 1, 2))
        result = wide(data) * (1 + wide(scale)[:, None]) + wide(shift)
        case(family, "aclnnModulate", self=Tensor(word, data, view), scaleOptional=Tensor(word, scale, view), shiftOptional=Tensor(word, shift), out=Out(word, result))
        case(family, "aclnnModulate", self=Tensor(word, data), scaleOptional=None, shiftOptional=Tensor(word, shift), out=Out(word, wide(data) + wide(shift)))
        data = numbers(word, (2, 4, 3))
        one, other = wide(data).chunk(2, 1)
        case(family, "aclnnGlu", self=Tensor(word, data, view), dim=1, out=Out(word, F.glu(wide(data), 1)))
        for kind, name in ((0, "none"), (1, "tanh")):
            gelu = F.gelu(other, approximate=name)
            stored = gelu.to(TORCH[word]).double()
            case(family, "aclnnGeGlu", self=Tensor(word, data, view), dim=-2, approximate=kind, out=Out(word, one * stored), outGelu=Out(word, gelu))
            rows = numbers(word, (3, 4))
            left, right = wide(rows).chunk(2, -1)
            case(family, "aclnnGeluMul", input=Tensor(word, rows, view), approximateOptional=f'"{name}"', out=Out(word, F.gelu(left, approximate=name) * right))
    bad = Tensor("f32", numbers("f32", (2, 3)))
    case(family, "aclnnGlu", code=161002, self=bad, dim=1, out=Out("f32", numbers("f32", (2, 1))))
    case(family, "aclnnGeluMul", code=161002, input=Tensor("f32", numbers("f32", (2, 4))), approximateOptional='"erf"', out=Out("f32", numbers("f32", (2, 2))))
    case(family, "aclnnModulate", code=161002, self=bad, scaleOptional=None, shiftOptional=None, out=Out("f32", numbers("f32", (2, 3))))
    for index, word in enumerate(["f32", "f16", "bf16", "s32"]):
        view = VIEWS[index % 3]
        data, one, other = numbers(word, (2, 3), "small"), numbers(word, (2,), "small"), numbers(word, (3,), "small")
        result = 2 * wide(data) + 3 * wide(one)[:, None] * wide(other)
        case(family, "aclnnAddr", self=Tensor(word, data, view), vec1=Tensor(word, one, view), vec2=Tensor(word, other), betaOptional=Scalar("s32", 2), alphaOptional=Scalar("s32", 3), out=Out(word, result))
        case(family, "aclnnInplaceAddr", selfRef=InOut(word, data, result, view), vec1=Tensor(word, one), vec2=Tensor(word, other), betaOptional=Scalar("s32", 2), alphaOptional=Scalar("s32", 3))
        case(family, "aclnnAddr", self=Tensor(word, other), vec1=Tensor(word, one), vec2=Tensor(word, other), betaOptional=None, alphaOptional=None, out=Out(word, wide(other) + wide(one)[:, None] * wide(other)))
        if word == "s32":
            continue
        matrix, vector = numbers(word, (2, 3), "small"), numbers(word, (3,), "small")
        scalars = dict(alpha=Scalar("f32", 0.5), beta=Scalar("f32", 2.0))
        case(family, "aclnnAddmv", self=Tensor(word, one), mat=Tensor(word, matrix, view), vec=Tensor(word, vector), **scalars, out=Out(word, 2 * wide(one) + 0.5 * wide(matrix) @ wide(vector)), cubeMathType=0)
        left, right, added = numbers(word, (2, 2, 3), "small"), numbers(word, (2, 3, 2), "small"), numbers(word, (2, 2), "small")
        result = 2 * wide(added) + 0.5 * (wide(left) @ wide(right)).sum(0)
        case(family, "aclnnAddbmm", self=Tensor(word, added, view), batch1=Tensor(word, left, view), batch2=Tensor(word, right), beta=scalars["beta"], alpha=scalars["alpha"], out=Out(word, result), cubeMathType=0)
        case(family, "aclnnInplaceAddbmm", selfRef=InOut(word, added, result), batch1=Tensor(word, left), batch2=Tensor(word, right, view), beta=scalars["beta"], alpha=scalars["alpha"], cubeMathType=0)
        for turns in itertools.product((0, 1), repeat=2):
            left, right, added = numbers(word, (2, 3), "small"), numbers(word, (3, 4), "small"), numbers(word, (2, 4), "small")
            result = 0.5 * wide(left) @ wide(right) + 2 * wide(added)
            turned = lambda data, turn: Tensor(word, data.T.contiguous() if turn else data)
            case(family, "aclnnGemm", A=turned(left, turns[0]), B=turned(right, turns[1]), C=Tensor(word, added), alpha=0.5, beta=2.0, transA=turns[0], transB=turns[1], out=Out(word, result), cubeMathType=0)
    matrix = Tensor("f32", numbers("f32", (2, 3)))
    case(family, "aclnnGemm", code=161002, A=matrix, B=matrix, C=matrix, alpha=1.0, beta=0.0, transA=0, transB=0, out=Out("f32", numbers("f32", (2, 3))), cubeMathType=0)
    case(family, "aclnnAddr", code=161002, self=matrix, vec1=matrix, vec2=matrix, betaOptional=None, alphaOptional=None, out=Out("f32", numbers("f32", (2, 3))))
    batch = Tensor("f32", numbers("f32", (2, 2, 3)))
    case(family, "aclnnAddbmm", code=161002, self=matrix, batch1=batch, batch2=batch, beta=Scalar("f32", 1.0), alpha=Scalar("f32", 1.0), out=Out("f32", numbers("f32", (2, 3))), cubeMathType=0)


def reductions(family):
    """Reductions, and results of all elements up to each one."""
    some = [([0], False), ([1], True), ([0, 2], False), ([], True)]
    for index, word in enumerate(SINGLE + ["f32"]):
        dims, keeps = some[index]
        view = VIEWS[index % 3]
        data = numbers(word, (2, 3, 2))
        over = dims or [0, 1, 2]
        case(family, "aclnnMeanV2", self=Tensor(word, data, view), dim=dims, keepDim=keeps, noopWithEmptyAxes=False, out=Out(word, wide(data).mean(over, keepdim=keeps)))
        case(family, "aclnnMeanV2", self=Tensor(word, data, view), dim=[], keepDim=keeps, noopWithEmptyAxes=True, out=Out(word, wide(data)))
        case(family, "aclnnLinalgVectorNorm", self=Tensor(word, data, view), ord=Scalar("f32", [2.0, 1.0, 3.0, 0.0][index]), dims=dims, keepDims=keeps, dtype=word, out=Out(word, torch.linalg.vector_norm(wide(data), [2, 1, 3, 0][index], over, keepdim=keeps)))
        variance, mean = torch.var_mean(wide(data), over, correction=1, keepdim=keeps)
        case(family, "aclnnVarMean", self=Tensor(word, data, view), dim=dims, correction=1, keepdim=keeps, varOut=Out(word, variance), meanOut=Out(word, mean))
        case(family, "aclnnStdMeanCorrection", self=Tensor(word, data, view), dim=dims, correction=1, keepdim=keeps, stdOut=Out(word, variance.sqrt()), meanOut=Out(word, mean))
        if word != "bf16":
            data = numbers(word, (2, 3, 2), "positive")
            case(family, "aclnnReduceLogSum", data=Tensor(word, data, view), axes=dims, keepDims=keeps, noopWithEmptyAxes=False, reduce=Out(word, wide(data).sum(over, keepdim=keeps).log()))
    case(family, "aclnnReduceLogSum", data=Tensor("f32", data), axes=[], keepDims=False, noopWithEmptyAxes=True, reduce=Out("f32", wide(data)))
    for index, word in enumerate(REAL):
        dims, keeps = some[index % 4]
        view = VIEWS[index % 3]
        data = numbers(word, (2, 3, 2))
        over = dims or [0, 1, 2]
        case(family, "aclnnMaxV2", self=Tensor(word, data, view), dims=dims, keepDims=keeps, noopWithEmptyDims=False, out=Out(word, wide(data).amax(over, keepdim=keeps)))
        case(family, "aclnnAminmax", self=Tensor(word, data, view), dim=dims, keepDim=keeps, minOut=Out(word, wide(data).amin(over, keepdim=keeps)), maxOut=Out(word, wide(data).amax(over, keepdim=keeps)))
        case(family, "aclnnAminmaxAll", self=Tensor(word, data, view), minOut=Out(word, wide(data).amin()), maxOut=Out(word, wide(data).amax()))
        case(family, "aclnnAminmaxDim", self=Tensor(word, data, view), dim=1, keepDim=keeps, minOut=Out(word, wide(data).amin(1, keepdim=keeps)), maxOut=Out(word, wide(data).amax(1, keepdim=keeps)))
        total = torch.nansum(wide(data), over, keepdim=keeps)
        case(family, "aclnnReduceNansum", self=Tensor(word, data, view), dim=dims, keepDim=keeps, dtype=word, out=Out(word, (total != 0) if word == "bool" else total))
        values, places = torch.cummax(wide(data), 1)
        case(family, "aclnnCummax", self=Tensor(word, data, view), dim=1, valuesOut=Out(word, values, "gaps"), indicesOut=Out("s32", places))
        values, places = torch.cummin(wide(data), -1)
        case(family, "aclnnCummin", self=Tensor(word, data, view), dim=-1, valuesOut=Out(word, values), indicesOut=Out("s64", places))
        if word == "bool":
            continue
        product = wide(data).cumprod(1)
        product = product if is_float(word) else product.to(TORCH[word])
        case(family, "aclnnCumprod", input=Tensor(word, data, view), dim=Scalar("s32", 1), dtype=word, out=Out(word, product))
        case(family, "aclnnInplaceCumprod", input=InOut(word, data, product, view), dim=Scalar("s32", -2))
        for exclusive, reverse in itertools.product((False, True), repeat=2):
            turned = wide(data).flip(1) if reverse else wide(data)
            sums = turned.cumsum(1) - (turned if exclusive else 0)
            sums = sums.flip(1) if reverse else sums
            case(family, "aclnnCumsumV2", self=Tensor(word, data, view), dim=1, exclusive=exclusive, reverse=reverse, out=Out(word, sums if is_float(word) else sums.to(TORCH[word])))
    nan = of("f32", [1.0, float("nan"), 3.0, float("inf"), 2.0])
    for name, function in (("Cummax", torch.cummax), ("Cummin", torch.cummin)):
        values, places = function(nan, 0)
        case(family, f"aclnn{name}", self=Tensor("f32", nan), dim=0, valuesOut=Out("f32", values), indicesOut=Out("s64", places))
    case(family, "aclnnReduceNansum", self=Tensor("f32", nan[:3]), dim=[0], keepDim=False, dtype="f32", out=Out("f32", of("f32", 4.0)))
    for index, word in enumerate(["f32", "f16", "f64"]):
        data = numbers(word, (2, 3, 2, 2))
        case(family, "aclnnGlobalAveragePool", self=Tensor(word, data, VIEWS[index]), out=Out(word, wide(data).mean((2, 3), keepdim=True)))
        case(family, "aclnnGlobalMaxPool", self=Tensor(word, data[..., 0], VIEWS[index]), out=Out(word, wide(data[..., 0]).amax(2, keepdim=True)))
    good, out = Tensor("f32", numbers("f32", (2, 3))), Out("f32", numbers("f32", (2,)))
    case(family, "aclnnGlobalAveragePool", code=161002, self=good, out=Out("f32", numbers("f32", (2, 3))))
    case(family, "aclnnMeanV2", code=161002, self=good, dim=[2], keepDim=False, noopWithEmptyAxes=False, out=out)
    case(family, "aclnnCumprod", code=161002, input=good, dim=Scalar("s32", 2), dtype="f32", out=Out("f32", numbers("f32", (2, 3))))
    case(family, "aclnnAminmaxDim", code=161002, self=good, dim=1, keepDim=False, minOut=out, maxOut=Out("f16", numbers("f16", (2,))))
    for word, start, end, steps in (("f32", 0.0, 1.0, 5), ("f16", -1.0, 2.0, 4), ("f64", 3.0, 3.0, 1), ("s32", 0.0, 10.0, 4), ("bf16", 2.0, -2.0, 3), ("f32", 0.0, 1.0, 0)):
        values = torch.linspace(start, end, steps, dtype=torch.float64)
        case(family, "aclnnLinspace", start=Scalar("f32", start), end=Scalar("f32", end), steps=steps, out=Out(word, values))
    case(family, "aclnnLinspace", code=161002, start=Scalar("f32", 0.0), end=Scalar("f32", 1.0), steps=3, out=Out("f32", numbers("f32", (4,))))


def layouts(family):
    """Operators that move elements to other places, or continue a tensor at its ends."""
    turn = itertools.count()

    def one(operator, extent, function, types=REAL, **arguments):
        for _ in range(2):
            index = next(turn)
            word, view = types[index % len(types)], VIEWS[index % 3]
            data = numbers(word, extent)
            result = function(wide(data).double() if "Pad" in operator else data)
            case(family, operator, self=Tensor(word, data, view), **arguments, out=Out(word, result, VIEWS[(index + 1) % 3]))

    for mode, name in (("reflect", "Reflection"), ("replicate", "Replication"), ("circular", "Circular")):
        if mode == "replicate":
            one("aclnnReplicationPad1d", (2, 3, 4), lambda a: F.pad(a, [1, 5], mode=mode), padding=[1, 5])
        one(f"aclnn{name}Pad2d", (1, 2, 3, 4), lambda a: F.pad(a, [3, 1, 0, 2], mode=mode), padding=[3, 1, 0, 2])
        one(f"aclnn{name}Pad2d", (2, 3, 4), lambda a: F.pad(a[None], [1, 2, 2, 1], mode=mode)[0], padding=[1, 2, 2, 1])
        one(f"aclnn{name}Pad3d", (1, 1, 2, 3, 2), lambda a: F.pad(a, [1, 0, 2, 1, 1, 1], mode=mode), padding=[1, 0, 2, 1, 1, 1])
        data = Tensor("f32", numbers("f32", (1, 2, 2)))
        wrong = [3, 3] if mode == "replicate" else [3, 3, 0, 0]
        case(family, f"aclnn{name}Pad2d", code=161002, self=data, padding=wrong, out=Out("f32", numbers("f32", (1, 2, 8))))
    one("aclnnSliceV2", (4, 5, 2), lambda a: a[1:4:2, :, -1:], ["f32", "f16", "s32", "s64", "bool", "bf16"], starts=[1, -1], ends=[4, 9], axes=[0, 2], steps=[2, 1])
    one("aclnnSliceV2", (4, 5), lambda a: a[:, 3:1], ["f32", "u8"], starts=[3], ends=[1], axes=[-1], steps=[1])
    one("aclnnFlatten", (2, 3, 2), lambda a: a.reshape(2, 6), ["f32", "f16", "bf16", "s32", "bool", "u8"], axis=1)
    one("aclnnFlatten", (2, 3, 2), lambda a: a.reshape(1, 12), ["f32", "s8"], axis=0)
    one("aclnnFlatten", (2, 3, 2), lambda a: a.reshape(6, 2), ["s16", "s64"], axis=-1)
    one("aclnnChannelShuffle", (2, 6, 1, 2), lambda a: F.channel_shuffle(a.float(), 3).to(a.dtype), FLOATS[:3] + INTEGERS, groups=3)
    one("aclnnChannelShuffle", (4, 2, 2), lambda a: F.channel_shuffle(a.float()[None], 2)[0].to(a.dtype), FLOATS[:3] + INTEGERS, groups=2)
    one("aclnnDiagFlat", (2, 2), lambda a: torch.diagflat(a), diagonal=0)
    one("aclnnDiagFlat", (3,), lambda a: torch.diagflat(a, 2), diagonal=2)
    one("aclnnDiagFlat", (3,), lambda a: torch.diagflat(a, -1), diagonal=-1)
    for index, (shape, wrap) in enumerate((((3, 3), False), ((5, 2), True), ((5, 2), False), ((2, 4), True), ((2, 2, 2), False))):
        word = ["f32", "f16", "s32", "s64", "bf16"][index]
        data = numbers(word, shape)
        case(family, "aclnnInplaceFillDiagonal", selfRef=InOut(word, data, data.clone().fill_diagonal_(5, wrap), VIEWS[index % 3]), fillValue=Scalar("s32", 5), wrap=wrap)
    good, out = Tensor("f32", numbers("f32", (2, 3))), Out("f32", numbers("f32", (2, 3)))
    case(family, "aclnnInplaceFillDiagonal", code=161002, selfRef=InOut("f32", numbers("f32", (2,)), numbers("f32", (2,))), fillValue=Scalar("s32", 5), wrap=False)
    case(family, "aclnnSliceV2", code=161002, self=good, starts=[0], ends=[1], axes=[0, 1], steps=[1], out=out)
    case(family, "aclnnSliceV2", code=161002, self=good, starts=[0], ends=[2], axes=[0], steps=[0], out=out)
    case(family, "aclnnFlatten", code=161002, self=good, axis=2, out=out)
    case(family, "aclnnChannelShuffle", code=161002, self=Tensor("f32", numbers("f32", (3, 1, 1))), groups=2, out=Out("f32", numbers("f32", (3, 1, 1))))
    case(family, "aclnnDiagFlat", code=161002, self=good, diagonal=0, out=out)

"""Cases of lists in place, of random numbers, of rows at places, and of further functions of elements."""

import itertools

import numpy
import torch
import torch.nn.functional as F

from form import SINGLE, InOut, List, Out, Raw, Scalar, Tensor, TORCH, case, is_float, numbers, of, wide

VIEWS = ["", "transposed", "gaps"]


def text(words):
    """A text among the arguments."""
    return Raw(f'="{words}"')


def in_place(family):
    """Functions of each tensor of a list, in place."""
    def write(operator, function, words, number=None, domain="any", lists=("x",)):
        for word in words:
            shapes = [[2, 3], [4], [1]]
            given = [[numbers(word, shape, domain) for shape in shapes] for _ in lists]
            factor = numbers(word, [1], "nonzero")
            results = [function(*[wide(one[index]) for one in given], *([wide(factor)] if number else [])) for index in range(3)]
            arguments = {name: List([Tensor(word, one, ["transposed", "gaps", ""][index]) for index, one in enumerate(of_list)])
                         for name, of_list in zip(lists[1:], given[1:])}
            if number:
                arguments[number] = Tensor(word, factor)
            changed = List([InOut(word, one, result, ["gaps", "", ""][index]) for index, (one, result) in enumerate(zip(given[0], results))])
            case(family, operator, **{lists[0]: changed}, **arguments)
        one = InOut("f64", of("f64", [1.0]), of("f64", [1.0]))
        rest = {name: List([Tensor("f64", of("f64", [1.0]))]) for name in lists[1:]} | ({number: Tensor("f64", of("f64", [1.0]))} if number else {})
        case(family, operator, code=161002, **{lists[0]: List([one])}, **rest)

    whole = SINGLE + ["s32"]
    write("aclnnForeachACosInplace", torch.acos, SINGLE, domain="unit")
    write("aclnnForeachLogInplace", torch.log, SINGLE, domain="positive")
    write("aclnnForeachZeroInplace", torch.zeros_like, whole)
    write("aclnnForeachAddListInplace", lambda a, b, s: a + s * b, whole, "alpha", lists=("x1", "x2"))
    write("aclnnForeachSubListInplace", lambda a, b, s: a - s * b, whole, "alpha", lists=("x1", "x2"))
    write("aclnnForeachMulListInplace", lambda a, b: a * b, whole, lists=("x1", "x2"))
    write("aclnnForeachDivListInplace", lambda a, b: a / b, SINGLE, domain="positive", lists=("x1", "x2"))
    write("aclnnForeachMulScalarInplace", lambda a, s: a * s, whole, "scalar")
    write("aclnnForeachSubScalarInplace", lambda a, s: a - s, whole, "scalar")
    for word, bad in itertools.product(SINGLE, [None, float("inf"), float("nan")]):
        given = [numbers(word, [2, 3]), numbers(word, [4])]
        if bad is not None:
            given[1][2] = bad
        found = of("f32", [0.25])
        changed = List([InOut(word, one, wide(one) * 0.5) for one in given])
        case(family, "aclnnForeachNonFiniteCheckAndUnscale", scaledGrads=changed, foundInf=InOut("f32", found, found if bad is None else of("f32", [1.0])), invScale=Tensor("f32", of("f32", [0.5])))
    case(family, "aclnnForeachNonFiniteCheckAndUnscale", code=161002, scaledGrads=List([InOut("f32", found, found)]), foundInf=InOut("f32", found, found), invScale=Tensor("f32", of("f32", [0.5, 1.0])))


def drawn(family):
    """Random numbers, of which the parameters leave no choice."""
    seeds = {"seedTensor": Tensor("s64", of("s64", [5])), "offsetTensor": Tensor("s64", of("s64", [2])), "offset": 1}
    for index, word in enumerate(SINGLE + ["s32", "s64", "u8", "bool"]):
        data, view = numbers(word, (2, 3)), VIEWS[index % 3]
        value = 1 if word == "bool" else 4
        full = torch.full((2, 3), value)
        case(family, "aclnnInplaceRandom", selfRef=InOut(word, data, full, view), **{"from": value, "to": value + 1}, seed=3, offset=0)
        case(family, "aclnnInplaceRandomTensor", selfRef=InOut(word, data, full, view), **{"from": value, "to": value + 1}, **seeds)
        choice = of("f32", [[0.0, 1.0, 1.0], [1.0, 0.0, 0.0]])
        for certain in (0.0, 1.0):
            result = torch.full((2, 3), certain)
            case(family, "aclnnBernoulli", self=Tensor(word, data, view), prob=Scalar("f32", certain), seed=3, offset=0, out=Out(word, result))
            case(family, "aclnnInplaceBernoulli", selfRef=InOut(word, data, result, view), prob=Scalar("f32", certain), seed=3, offset=0)
        case(family, "aclnnBernoulliTensor", self=Tensor(word, data, view), prob=Tensor("f32", choice), seed=3, offset=0, out=Out(word, choice))
        case(family, "aclnnInplaceBernoulliTensor", selfRef=InOut(word, data, choice, view), prob=Tensor("f32", choice), seed=3, offset=0)
        if word != "bool":
            case(family, "aclnnRandperm", n=1, seed=3, offset=0, out=Out(word, torch.zeros(1)))
        if is_float(word):
            mean, zero = numbers(word, (2, 3)), of(word, [[0.0] * 3] * 2)
            case(family, "aclnnInplaceUniformTensor", selfRef=InOut(word, data, torch.full((2, 3), 2.5), view), **{"from": 2.5, "to": 2.5}, **seeds)
            case(family, "aclnnInplaceNormalTensor", selfRef=InOut(word, data, torch.full((2, 3), 1.5), view), mean=1.5, std=0.0, **seeds)
            case(family, "aclnnNormalFloatFloat", mean=1.5, std=0.0, seed=3, offset=0, out=Out(word, torch.full((2, 3), 1.5), view))
            case(family, "aclnnNormalFloatTensor", mean=1.5, std=Tensor(word, zero), seed=3, offset=0, out=Out(word, torch.full((2, 3), 1.5), view))
            case(family, "aclnnNormalTensorFloat", mean=Tensor(word, mean, view), std=0.0, seed=3, offset=0, out=Out(word, mean))
            case(family, "aclnnNormalTensorTensor", mean=Tensor(word, mean, view), std=Tensor(word, zero[0, :1]), seed=3, offset=0, out=Out(word, mean))
    one = InOut("f32", of("f32", [1.0]), of("f32", [1.0]))
    case(family, "aclnnInplaceRandom", code=161002, selfRef=one, **{"from": 3, "to": 3}, seed=3, offset=0)
    case(family, "aclnnInplaceUniformTensor", code=161002, selfRef=one, **{"from": 3.0, "to": 2.0}, **seeds)
    case(family, "aclnnInplaceBernoulli", code=161002, selfRef=one, prob=Scalar("f32", 1.5), seed=3, offset=0)
    case(family, "aclnnRandperm", code=161002, n=2, seed=3, offset=0, out=Out("s64", torch.zeros(3)))
    case(family, "aclnnNormalTensorFloat", code=161002, mean=Tensor("f32", of("f32", [1.0, 2.0])), std=0.0, seed=3, offset=0, out=Out("f32", torch.zeros(3)))


def scattered(family):
    """Rows at places, and values that are put there."""
    ways = {"Mul": lambda a, b: a * b, "Div": lambda a, b: torch.div(a, b, rounding_mode=None if a.dtype.is_floating_point else "trunc"), "Max": torch.maximum, "Min": torch.minimum}
    for index, word in enumerate(SINGLE + ["s32", "s8", "u8"]):
        view, kind = VIEWS[index % 3], ["s64", "s32"][index % 2]
        data, updates = numbers(word, (4, 3), "nonzero"), numbers(word, (2, 2, 3), "nonzero")
        places = of(kind, [[3, 0], [2, 1]])
        for name, way in ways.items():
            result = wide(data).clone()
            for place, row in zip(places.flatten().tolist(), wide(updates).reshape(4, 3)):
                result[place] = way(result[place], row)
            case(family, f"aclnnScatter{name}", varRef=InOut(word, data, result, view), indices=Tensor(kind, places), updates=Tensor(word, updates, VIEWS[(index + 1) % 3]), useLocking=False)
        twice = of(kind, [1, 1, 3])
        rows = numbers(word, (3, 3), "small")
        case(family, "aclnnTfScatterAdd", varRef=InOut(word, data, wide(data).index_add(0, twice.long(), wide(rows)), view), indices=Tensor(kind, twice), updates=Tensor(word, rows))
        pairs, single = of(kind, [[0, 1], [3, 2], [0, 1]]), numbers(word, (3,), "small")
        result = wide(data).index_put((pairs[:, 0].long(), pairs[:, 1].long()), wide(single), accumulate=True)
        case(family, "aclnnTfScatterAdd", varRef=InOut(word, data, result, view), indices=Tensor(kind, pairs), updates=Tensor(word, single))
    for index, word in enumerate(["f32", "f16", "bf16", "s64", "s8", "bool"]):
        view, kind = VIEWS[index % 3], ["s64", "s32"][index % 2]
        data, pairs = numbers(word, (3, 4)), of(kind, [[0, 1], [2, 3]])
        single, rows = numbers(word, (2,)), numbers(word, (2, 4))
        result = data.clone()
        result[pairs[:, 0].long(), pairs[:, 1].long()] = single
        case(family, "aclnnScatterNd", data=Tensor(word, data, view), indices=Tensor(kind, pairs), updates=Tensor(word, single), out=Out(word, result, view))
        result = data.clone()
        result[[2, 0]] = rows
        case(family, "aclnnScatterNd", data=Tensor(word, data, view), indices=Tensor(kind, of(kind, [[2], [0]])), updates=Tensor(word, rows), out=Out(word, result))
        which = of(kind, [1, -1, 1])
        source = numbers(word, (3, 3))
        source[:, 2] = source[:, 0]
        case(family, "aclnnIndexCopy", selfRef=Tensor(word, data, view), dim=1, index=Tensor(kind, which), source=Tensor(word, source), outRef=Out(word, data.index_copy(1, which.long() % 4, source), view))
        filled = data.index_fill(1, which.long(), 1)
        case(family, "aclnnIndexFill", self=Tensor(word, data, view), dim=-1, index=Tensor(kind, which), value=Scalar("s32", 1), out=Out(word, filled, view))
        case(family, "aclnnInplaceIndexFill", selfRef=InOut(word, data, filled, view), dim=1, index=Tensor(kind, which), value=Scalar("s32", 1))
        if word != "s8":
            case(family, "aclnnIndexFillTensor", self=Tensor(word, data, view), dim=1, index=which.tolist(), value=Scalar("s32", 1), out=Out(word, filled))
    for word, kind, order in itertools.product(SINGLE, ["s32", "s64"], [1.0, 2.0, 2.5, float("inf")]):
        data, which = numbers(word, (4, 3)), of(kind, [[3, 0], [3, 1]])
        result = wide(data).clone()
        torch.embedding_renorm_(result, which.long(), 1.5, order)
        case(family, "aclnnEmbeddingRenorm", selfRef=InOut(word, data, result, VIEWS[int(order) % 3 if order < 9 else 0]), indices=Tensor(kind, which), maxNorm=1.5, normType=order)
    good = InOut("f32", numbers("f32", (2, 2)), numbers("f32", (2, 2)))
    case(family, "aclnnScatterMul", code=161002, varRef=good, indices=Tensor("s32", of("s32", [[0, 1]])), updates=Tensor("f32", numbers("f32", (2,))), useLocking=False)
    case(family, "aclnnTfScatterAdd", code=161002, varRef=good, indices=Tensor("s32", of("s32", [[0, 1]])), updates=Tensor("f32", numbers("f32", (2,))))
    case(family, "aclnnIndexFill", code=161002, self=Tensor("f32", good.before), dim=2, index=Tensor("s32", of("s32", [0])), value=Scalar("s32", 1), out=Out("f32", good.before))
    case(family, "aclnnEmbeddingRenorm", code=161002, selfRef=InOut("f32", of("f32", [1.0]), of("f32", [1.0])), indices=Tensor("s32", of("s32", [0])), maxNorm=1.0, normType=2.0)


def sinkhorn(cost, limit):
    """The algorithm of Megatron-LM, with the constants of its source."""
    cost = torch.exp(cost)
    left, right = torch.ones(cost.shape[0]).double(), torch.ones(cost.shape[1]).double()
    change = 1e9
    while change > limit:
        left = 1 / cost.shape[0] / ((right * cost).sum(1) + 1e-8)
        next = 1 / cost.shape[1] / ((left[:, None] * cost).sum(0) + 1e-8)
        change, right = (right - next).abs().mean(), next
    return right * cost * left[:, None]


def paired(family):
    """Further functions of elements, rows and matrices."""
    for index, word in enumerate(SINGLE):
        view = VIEWS[index]
        data, other = numbers(word, (2, 3)), numbers(word, (3,))
        case(family, "aclnnInplaceAtan2", selfRef=InOut(word, data, torch.atan2(wide(data), wide(other)), view), other=Tensor(word, other))
        for shape in ((2, 3), (2, 3, 4), (4,)):
            data = numbers(word, shape)
            for weight in (numbers(word, (1,)), numbers(word, (shape[1] if len(shape) > 1 else 1,))):
                case(family, "aclnnPrelu", self=Tensor(word, data, view), weight=Tensor(word, weight), out=Out(word, F.prelu(wide(data), wide(weight)), view))
        data = numbers(word, (2, 3, 4))
        result = torch.where(wide(data)[..., :2] > 0.5, wide(data)[..., :2], 0.0) * wide(data)[..., 2:]
        case(family, "aclnnFatreluMul", input=Tensor(word, data, view), threshold=Tensor(word, of(word, [0.5])), out=Out(word, result))
        scores, mask = numbers(word, (2, 2, 3, 4)), numbers("bool", (2, 1, 3, 4))
        mask[1, 0, 2] = True
        result = torch.softmax((wide(scores) * 0.5).masked_fill(mask, -10000.0), -1)
        case(family, "aclnnScaledMaskedSoftmax", x=Tensor(word, scores, view), mask=Tensor("bool", mask), scale=0.5, fixTriuMask=False, y=Out(word, result, view))
        for tolerance in (None, 0.01):
            data = numbers(word, (3, 4), "small")
            scalar = None if tolerance is None else Scalar("f32", tolerance)
            case(family, "aclnnSinkhorn", cost=Tensor(word, data, view), tol=scalar, p=Out(word, sinkhorn(wide(data), of("f32", [tolerance or 0.0001]).double().item()), view))
        for equation, shapes in (("ij,jk->ik", [(2, 3), (3, 4)]), ("bij,bjk->bik", [(2, 2, 3), (2, 3, 2)]), ("abc->cab", [(2, 3, 4)]), ("ii->i", [(3, 3)]), ("ij->", [(2, 3)]), ("abcd,bdca->ba", [(2, 1, 3, 2), (1, 2, 3, 2)])):
            given = [numbers(word, shape) for shape in shapes]
            result = torch.einsum(equation, *map(wide, given))
            case(family, "aclnnEinsum", tensors=List([Tensor(word, one, view) for one in given]), equation=text(equation), output=Out(word, result))
        if word != "bf16":
            for p in (0.0, 1.0, 2.0, 3.0, float("inf")):
                data = numbers(word, (4, 3))
                case(family, "aclnnPdist", self=Tensor(word, data, view), p=p, out=Out(word, torch.pdist(wide(data), p)))
                case(family, "aclnnPdistForward", self=Tensor(word, data, view), pScalar=Scalar("f32", p), out=Out(word, torch.pdist(wide(data), p)))
            data = numbers(word, (2, 3, 3)) + 4 * torch.eye(3).to(TORCH[word]).flip(0)
            case(family, "aclnnInverse", self=Tensor(word, data, view), out=Out(word, torch.linalg.inv(wide(data)), view))
            data = numbers(word, (21,))
            bits = numpy.packbits((wide(data) >= 0).numpy(), bitorder="little")
            case(family, "aclnnSignBitsPack", self=Tensor(word, data), size=3, out=Out("u8", torch.tensor(bits).reshape(3, 1)))
            signs = torch.tensor(numpy.unpackbits(bits, bitorder="little").astype("float32") * 2 - 1).reshape(2, 12)
            case(family, "aclnnSignBitsUnpack", self=Tensor("u8", torch.tensor(bits)), size=2, dtype=Raw(f"={word}"), out=Out(word, signs))
        for steps in (1, 5):
            case(family, "aclnnLogSpace", start=Scalar("f32", -1.0), end=Scalar("f32", 2.0), steps=steps, base=2.0, result=Out(word, torch.logspace(-1.0, 2.0, steps, 2.0, dtype=torch.float64)))
    for word in SINGLE + ["s32", "s64", "u8", "s8"]:
        data = of(word, [[1, 2, 3], [3, 2, 1]])
        for invert in (False, True):
            case(family, "aclnnIsInTensorScalar", element=Tensor(word, data, "gaps"), testElement=Scalar("s32", 2), assumeUnique=False, invert=invert, out=Out("bool", (data == 2) != invert))
            for value in (2, 7):
                case(family, "aclnnIsInScalarTensor", element=Scalar("s32", value), testElements=Tensor(word, data, "gaps"), assumeUnique=True, invert=invert, out=Out("bool", torch.tensor((value == 2) != invert)))
    good, out = Tensor("f32", numbers("f32", (2, 3))), lambda *size: Out("f32", torch.zeros(size))
    case(family, "aclnnPrelu", code=161002, self=good, weight=Tensor("f32", numbers("f32", (2,))), out=out(2, 3))
    case(family, "aclnnFatreluMul", code=161002, input=good, threshold=Tensor("f32", of("f32", [0.5])), out=out(2, 1))
    case(family, "aclnnEinsum", code=161002, tensors=List([good]), equation=text("ijk->i"), output=out(2))
    case(family, "aclnnEinsum", code=161002, tensors=List([good]), equation=text("ij"), output=out(2, 3))
    case(family, "aclnnInverse", code=161002, self=good, out=out(2, 3))
    case(family, "aclnnPdistForward", code=161002, self=good, pScalar=Scalar("f32", -1.0), out=out(1))
    case(family, "aclnnSignBitsPack", code=161002, self=Tensor("f32", numbers("f32", (21,))), size=2, out=Out("u8", torch.zeros(2, 1)))
    case(family, "aclnnLogSpace", code=161002, start=Scalar("f32", 0.0), end=Scalar("f32", 1.0), steps=3, base=2.0, result=out(2))

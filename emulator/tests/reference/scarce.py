"""Cases of operators that few programs call: functions of elements, their gradients, losses, and steps of optimizers."""

import itertools

import torch
import torch.nn.functional as F

from form import SINGLE, InOut, List, Out, Raw, Scalar, Tensor, TORCH, case, numbers, of, wide

VIEWS = ["", "transposed", "gaps"]


class Alike:
    """An operator of elements whose tensors have one shape. The names of tensors end with that of the result."""

    def __init__(self, family, name, names, function, types=SINGLE, domain="any", more=(), to=None):
        tensors, out = names.split()[:-1], names.split()[-1]
        more = dict(more)
        for index, (word, shape) in enumerate(itertools.product(types, ((2, 3), (3,), (0, 2)))):
            given = {one: numbers(word, shape, domain) for one in tensors}
            result = function(*map(wide, given.values()))
            arguments = {one: Tensor(word, data, VIEWS[(index + place) % 3]) for place, (one, data) in enumerate(given.items())}
            case(family, name, **arguments, **more, **{out: Out(to or word, result, VIEWS[index % 3])})
        good = {one: Tensor(types[0], numbers(types[0], (2, 3), domain)) for one in tensors}
        result = {out: Out(to or types[0], torch.zeros(2, 3))}
        wrong = {out: Out(to or types[0], torch.zeros(3))}
        case(family, name, code=161001, **(good | {tensors[0]: None}), **more, **result)
        case(family, name, code=161002, **(good | {tensors[0]: Raw("=c64[2]:0,0")}), **more, **result)
        case(family, name, code=161002, **good, **more, **wrong)


def slope(function):
    """The gradient of a function of one number by its operand."""
    def of_pair(operand, gradient):
        operand = operand.double().clone().requires_grad_()
        return torch.autograd.grad(function(operand), operand, gradient.double())[0]
    return of_pair


def inverses(family):
    """Gradients of functions of one element, from the operand or from the result of the function."""
    swapped = lambda function: lambda gradient, operand: function(operand, gradient)
    Alike(family, "aclnnAcosGrad", "y_grad x x_grad", swapped(slope(torch.acos)), domain="unit")
    Alike(family, "aclnnAcosGradV2", "y dy z", slope(torch.acos), domain="unit")
    Alike(family, "aclnnAsinGrad", "y dy z", slope(torch.asin), domain="unit")
    Alike(family, "aclnnAtanGrad", "x dy dx", slope(torch.atan))
    # These have the result of the function: the operand is found from it.
    Alike(family, "aclnnAcoshGrad", "y dy dx", lambda y, dy: slope(torch.acosh)(torch.cosh(y), dy), domain="positive")
    Alike(family, "aclnnAsinhGrad", "y dy z", lambda y, dy: slope(torch.asinh)(torch.sinh(y), dy))
    Alike(family, "aclnnSqrtBackward", "y dy z", lambda y, dy: slope(torch.sqrt)(y * y, dy), domain="positive")
    Alike(family, "aclnnRsqrtGrad", "y dy z", lambda y, dy: slope(torch.rsqrt)(y ** -2, dy), domain="positive")
    Alike(family, "aclnnInvGrad", "y dy dx", lambda y, dy: slope(torch.reciprocal)(1 / y, dy), domain="nonzero")
    Alike(family, "aclnnTanhGrad", "y dy dx", lambda y, dy: slope(torch.tanh)(torch.atanh(y), dy), domain="unit")
    Alike(family, "aclnnReluGradV3", "x y z", slope(F.relu))
    Alike(family, "aclnnReluGradV4", "gradOutput self out", swapped(slope(lambda x: F.threshold(x, 0.5, 9.0))), more={"threshold": Scalar("f32", 0.5)})
    Alike(family, "aclnnSoftsignBackward", "gradients features out", swapped(slope(F.softsign)))
    Alike(family, "aclnnHingeLossGrad", "predict target gradOutput gradInput", lambda x, t, g: slope(lambda x: (1 - t * x).clamp(min=0))(x, g))
    for word, shape, view in zip(SINGLE, ((2, 3), (4,), (2, 2, 3)), VIEWS):
        before, gradient = numbers(word, shape), numbers(word, shape)
        result = torch.softmax(wide(before), -1).to(TORCH[word])
        dx = wide(result) * (wide(gradient) - (wide(result) * wide(gradient)).sum(-1, keepdim=True))
        case(family, "aclnnSoftmaxGrad", y=Tensor(word, result, view), dy=Tensor(word, gradient), dx=Out(word, dx, view))
    zero = of("f32", [0.0, 1.0])
    case(family, "aclnnSqrtBackward", y=Tensor("f32", zero), dy=Tensor("f32", of("f32", [0.0, 0.0])), z=Out("f32", torch.zeros(2)))
    good = Tensor("f32", numbers("f32", (2, 3)))
    case(family, "aclnnSoftmaxGrad", code=161002, y=good, dy=Tensor("f32", numbers("f32", (3,))), dx=Out("f32", torch.zeros(2, 3)))
    for word, view in zip(SINGLE + ["s32", "s8", "u8"], itertools.cycle(VIEWS)):
        x, gradient = numbers(word, (2, 1, 3)), numbers(word, (4, 1))
        case(family, "aclnnReluGradV3", x=Tensor(word, x, view), y=Tensor(word, gradient), z=Out(word, torch.where(x > 0, gradient, 0), view))


def plain(family):
    """Functions of elements, of halves and of matrices."""
    whole = ["s32", "s64"]
    Alike(family, "aclnnApproximateEqual", "x1 x2 y", lambda a, b: (a - b).abs() < 1.5, more={"tolerance_": 1.5}, to="bool")
    case(family, "aclnnApproximateEqual", x1=Tensor("f32", of("f32", [1.0, float("nan"), 3.0])), x2=Tensor("f32", of("f32", [2.5, 1.0, 3.0])), tolerance_=1.5, y=Out("bool", of("bool", [False, False, True])))
    Alike(family, "aclnnAssignSub", "var value varOut", lambda a, b: a - b, SINGLE + whole)
    Alike(family, "aclnnNdtri", "self out", lambda a: torch.special.ndtri(a), domain="unit")
    Alike(family, "aclnnSoftsign", "self out", F.softsign)
    Alike(family, "aclnnSiluMul", "x y out", lambda a, b: F.silu(a) * b)
    for word, view in zip(["f32", "f16"], VIEWS):
        a, b = numbers(word, (2, 3)), numbers(word, (2, 3))
        case(family, "aclnnAxpyV3", x=Tensor(word, a, view), y=Tensor(word, b), alpha=-1.5, z=Out(word, -1.5 * wide(a) + wide(b), view))
    for word, view in itertools.product(SINGLE + ["s32", "s8", "u8"], VIEWS[:2]):
        a, b = numbers(word, (2, 3)), numbers(word, (2, 3), "quarters")
        case(family, "aclnnTruncateMod", x1=Tensor(word, a, view), x2=Tensor(word, b[:1]), out=Out(word, torch.fmod(wide(a), wide(b[:1])), view))
        case(family, "aclnnFloorDiv", self_x=Tensor(word, a), self_y=Tensor(word, b, view), out=Out(word, torch.div(wide(a), wide(b), rounding_mode="floor"), view))
        case(family, "aclnnTruncateDiv", x1=Tensor(word, a, view), x2=Tensor(word, b[:1]), out=Out(word, torch.div(wide(a), wide(b[:1]), rounding_mode="trunc"), view))
    for word, view in zip(SINGLE + whole, itertools.cycle(VIEWS)):
        a, b = numbers(word, (2, 1, 3)), numbers(word, (4, 3))
        case(family, "aclnnSquaredDifference", x1=Tensor(word, a, view), x2=Tensor(word, b), out=Out(word, (wide(a) - wide(b)) ** 2, view))
    for word, view in zip(SINGLE + ["s32"], itertools.cycle(VIEWS)):
        row, column, both = numbers(word, (3,)), numbers(word, (2,)), numbers(word, (2, 3))
        beta, alpha = (Scalar("s32", 2), Scalar("s32", -3)) if word == "s32" else (Scalar("f32", 0.5), None)
        product = wide(both) * (2 if word == "s32" else 0.5) + torch.outer(wide(column), wide(row)) * (-3 if word == "s32" else 1)
        case(family, "aclnnAddrV2", self=Tensor(word, both, view), vec1=Tensor(word, column), vec2=Tensor(word, row), betaOptional=beta, alphaOptional=alpha, out=Out(word, product, view))
        case(family, "aclnnInplaceAddrV2", selfRef=InOut(word, both, product, view), vec1=Tensor(word, column), vec2=Tensor(word, row), betaOptional=beta, alphaOptional=alpha)
        factor, number = numbers(word, ()), numbers(word, (2, 3))
        case(family, "aclnnAxpyV2", self=Tensor(word, both, view), other=Tensor(word, number), alpha=Tensor(word, factor), out=Out(word, wide(both) + wide(factor) * wide(number), view))
        for to in ("f32", "s32", "f16"):
            case(family, "aclnnCastV3", x=Tensor(word, both, view), dstType={"f32": 0, "f16": 1, "s32": 3}[to], y=Out(to, wide(both).trunc() if to == "s32" else both))
        a, b, one = numbers(word, (2, 3)), numbers(word, (2, 3)), numbers(word, (1,))
        case(family, "aclnnFusedMulAddN", x1=Tensor(word, a, view), x2=Tensor(word, b), x3=Tensor(word, one), y=Out(word, wide(a) * wide(one) + wide(b), view))
        b[0, 1] = 0
        case(family, "aclnnMulNoNan", x=Tensor(word, a, view), y=Tensor(word, b), z=Out(word, wide(a) * wide(b), view))
        bias = numbers(word, (3,))
        images = numbers(word, (2, 3, 2, 2))
        for format, data, shape in (("NHWC", a, (1, 3)), (None, a, (1, 3)), ("NCHW", images, (1, 3, 1, 1)), ("NDHWC", a, (1, 3))):
            case(family, "aclnnBiasAdd", x=Tensor(word, data, view), bias=Tensor(word, bias, "gaps"), dataFormatOptional=None if format is None else Raw(f'="{format}"'), out=Out(word, wide(data) + wide(bias).reshape(shape), view))
    infinite = of("f32", [float("inf"), float("nan"), 3.0])
    case(family, "aclnnMulNoNan", x=Tensor("f32", infinite), y=Tensor("f32", of("f32", [0.0, 0.0, 2.0])), z=Out("f32", of("f32", [0.0, 0.0, 6.0])))
    for word, (rows, columns) in itertools.product(("f32", "f16", "s16", "s32"), ((3, 2), (2, 4), (0, 2))):
        given = Tensor(word, of(word, [0])) if rows == 3 else None
        case(family, "aclnnEyeV2", xOptional=given, rows=rows, cols=columns, y=Out(word, torch.eye(rows, columns), "transposed" if rows == 2 else ""))
    for word, (mode, rounding) in itertools.product(SINGLE, ((0, None), (1, "trunc"), (2, "floor"))):
        a, b = numbers(word, (2, 3)), numbers(word, (3,), "quarters")
        case(family, "aclnnDivV3", self=Tensor(word, a, "gaps"), other=Tensor(word, b), mode=mode, out=Out(word, torch.div(wide(a), wide(b), rounding_mode=rounding)))
    for word, view in zip(["f32", "f16", "s32"], VIEWS):
        data = numbers(word, (3, 3))
        case(family, "aclnnDiagPart", x=Tensor(word, data, view), y=Out(word, torch.diagonal(data), view))
    for word, mask, view in zip(SINGLE, ("u8", "bool", "u8"), VIEWS):
        data = numbers(word, (2, 3))
        case(family, "aclnnReluV3", x=Tensor(word, data, view), yOut=Out(word, F.relu(wide(data)), view), maskOut=Out(mask, data > 0))
        data = numbers(word, (2, 3, 8)) * 2
        gate, up = wide(data).chunk(2, -1)
        case(family, "aclnnSwigluClamp", x=Tensor(word, data, view), limit=1.25, y=Out(word, F.silu(gate).clamp(max=1.25) * up.clamp(-1.25, 1.25), view))
        for dim, mixed in itertools.product((-1, 0), (False, True)):
            data = numbers(word, (4, 6)) * 2
            gate, up = wide(data).chunk(2, dim)
            if mixed:
                gate, up = (wide(data).transpose(0, dim)[start::2].transpose(0, dim) for start in (0, 1))
            gate, up = gate.clamp(max=3.0), up.clamp(-3.0, 3.0)
            result = gate * torch.sigmoid(1.702 * gate) * (up + 1.0)
            # The parts in front of `dim` are rows; those behind the last group have no result.
            rows = result * (torch.arange(4)[:, None] < 3) if dim == -1 else result
            for groups, kept in ((None, result), ([1, 0, 2], rows)):
                given = None if groups is None else Tensor("s64", of("s64", groups))
                case(family, "aclnnClippedSwiglu", x=Tensor(word, data, view), groupIndexOptional=given, dim=dim, alpha=1.702, limit=3.0, bias=1.0, interleaved=mixed, out=Out(word, kept, view))
        tensors = [numbers(word, (2, 3)) for _ in range(3)]
        each = list(map(wide, tensors))
        inputs = List([Tensor(word, one, VIEWS[index]) for index, one in enumerate(tensors)])
        weighted = 0.5 * each[0] - 2 * each[1] + each[2]
        for mode, factors, result in ((0, None, each[0] * each[1] * each[2]), (1, None, sum(each)), (1, "[0.5,-2,1]", weighted), (2, None, torch.stack(each).amax(0))):
            case(family, "aclnnEltwise", inputs=inputs, mode=mode, coeffOptional=None if factors is None else Raw("=" + factors), out=Out(word, result, view))
        for name in ("aclnnSumV2", "aclnnAddN"):
            case(family, name, tensors=inputs, out=Out(word, sum(each), view))
    for word, view in zip(SINGLE + ["s32"], itertools.cycle(VIEWS)):
        data, updates = numbers(word, (2, 4)), numbers(word, (9,))
        for mask in (numbers("bool", (2, 4)), numbers("bool", (4,))):
            case(family, "aclnnMaskedScatterV2", self=Tensor(word, data, view), mask=Tensor("bool", mask), updates=Tensor(word, updates), out=Out(word, data.masked_scatter(mask, updates), view))
    for shape, view in zip(((3, 3), (2, 2, 2), (2, 3, 1, 1), (2, 2)), ("", "transposed", "gaps", "")):
        data = numbers("f32", shape)
        sign, logarithm = torch.linalg.slogdet(wide(data))
        case(family, "aclnnSlogdet", 0.001, self=Tensor("f32", data, view), signOut=Out("f32", sign), logOut=Out("f32", logarithm))
        case(family, "aclnnLogdet", 0.001, self=Tensor("f32", data, view), out=Out("f32", torch.logdet(wide(data))))
    singular = of("f32", [[1.0, 2.0], [2.0, 4.0]])
    case(family, "aclnnSlogdet", self=Tensor("f32", singular), signOut=Out("f32", torch.tensor(0.0)), logOut=Out("f32", torch.tensor(float("-inf"))))
    Alike(family, "aclnnAcosV2", "self out", torch.acos, domain="unit")
    Alike(family, "aclnnCoshV2", "self out", torch.cosh)
    Alike(family, "aclnnHardSwishV2", "self out", F.hardswish)
    Alike(family, "aclnnLogsigmoidV2", "x z", F.logsigmoid)
    Alike(family, "aclnnTanV2", "x y", torch.tan, SINGLE[:2], "unit")
    Alike(family, "aclnnAsinhV2", "x out", torch.asinh, SINGLE[:2])
    Alike(family, "aclnnTensorMove", "x y", lambda x: x, SINGLE + whole + ["s8", "u8", "s16", "f64"])
    Alike(family, "aclnnAddMatMatElements", "a b c cOut", lambda a, b, c: -1.5 * c + 0.5 * a * b, more={"alpha": Scalar("f32", 0.5), "beta": Scalar("f32", -1.5)})
    Alike(family, "aclnnDivV2", "x1 x2 y", torch.div, domain="nonzero")
    Alike(family, "aclnnHardsigmoidV2", "self out", F.hardsigmoid)
    for word, view in zip(SINGLE, VIEWS):
        data = numbers(word, (2, 3)) * 2
        case(family, "aclnnInplaceHardsigmoidV2", selfRef=InOut(word, data, F.hardsigmoid(wide(data)), view))
        case(family, "aclnnEluV2", self=Tensor(word, data, view), alpha=Scalar("f32", 0.5), scale=Scalar("f32", 1.5), inputScale=Scalar("f32", 0.25), out=Out(word, 1.5 * torch.where(wide(data) > 0, wide(data), 0.5 * torch.expm1(0.25 * wide(data))), view))
        case(family, "aclnnTraceV2", x=Tensor(word, data, view), y=Out(word, wide(data).trace()))
        case(family, "aclnnLogSoftmaxV2", self=Tensor(word, data, view), dim=-1, out=Out(word, torch.log_softmax(wide(data), -1), view))
    good, out = Tensor("f32", numbers("f32", (2, 3))), Out("f32", torch.zeros(2, 3))
    three = Tensor("f32", numbers("f32", (3,)))
    case(family, "aclnnTruncateMod", code=161002, x1=good, x2=Tensor("f32", torch.zeros(2)), out=out)
    case(family, "aclnnFloorDiv", code=161002, self_x=good, self_y=three, out=out)
    case(family, "aclnnAxpyV3", code=161002, x=good, y=three, alpha=1.0, z=out)
    case(family, "aclnnFusedMulAddN", code=161002, x1=good, x2=good, x3=three, y=out)
    case(family, "aclnnBiasAdd", code=161002, x=good, bias=Tensor("f32", numbers("f32", (2,))), dataFormatOptional=Raw('="NCHW"'), out=out)
    case(family, "aclnnBiasAdd", code=161002, x=good, bias=three, dataFormatOptional=Raw('="HW"'), out=out)
    case(family, "aclnnAddrV2", code=161002, self=good, vec1=three, vec2=three, betaOptional=None, alphaOptional=None, out=out)
    case(family, "aclnnAxpyV2", code=161002, self=good, other=good, alpha=three, out=out)
    case(family, "aclnnCastV3", code=161002, x=good, dstType=1, y=out)
    case(family, "aclnnEyeV2", code=161002, xOptional=None, rows=-1, cols=2, y=out)
    case(family, "aclnnEyeV2", code=161002, xOptional=None, rows=3, cols=2, y=out)
    case(family, "aclnnTraceV2", code=161002, x=good, y=out)
    case(family, "aclnnDivV3", code=161002, self=good, other=good, mode=3, out=out)
    case(family, "aclnnDiagPart", code=161002, x=good, y=Out("f32", torch.zeros(2)))
    for word in ("s32", "s8", "u8"):
        data = numbers(word, (2, 3))
        case(family, "aclnnReluV3", x=Tensor(word, data, "gaps"), yOut=Out(word, F.relu(wide(data))), maskOut=Out("u8", data > 0))
    case(family, "aclnnReluV3", code=161002, x=good, yOut=out, maskOut=Out("f32", torch.zeros(2, 3)))
    case(family, "aclnnSwigluClamp", code=161002, x=Tensor("f32", numbers("f32", (2, 4))), limit=0.0, y=Out("f32", torch.zeros(2, 2)))
    case(family, "aclnnSwigluClamp", code=161002, x=good, limit=1.0, y=Out("f32", torch.zeros(2, 1)))
    case(family, "aclnnClippedSwiglu", code=161002, x=good, groupIndexOptional=None, dim=-1, alpha=1.0, limit=1.0, bias=1.0, interleaved=True, out=out)
    even, half = Tensor("f32", torch.zeros(2, 4)), Out("f32", torch.zeros(2, 2))
    for groups in (Tensor("s32", of("s32", [1])), Tensor("s64", of("s64", [[1]]))):
        case(family, "aclnnClippedSwiglu", code=161002, x=even, groupIndexOptional=groups, dim=-1, alpha=1.0, limit=1.0, bias=1.0, interleaved=True, out=half)
    case(family, "aclnnEltwise", code=161002, inputs=List([good, three]), mode=0, coeffOptional=None, out=out)
    case(family, "aclnnEltwise", code=161002, inputs=List([good]), mode=1, coeffOptional=Raw("=[1,2]"), out=out)
    case(family, "aclnnMaskedScatterV2", code=161002, self=good, mask=Tensor("bool", numbers("bool", (2,))), updates=three, out=out)
    case(family, "aclnnLogdet", code=161002, self=good, out=Out("f32", torch.tensor(0.0)))
    case(family, "aclnnSlogdet", code=161002, self=Tensor("f32", numbers("f32", (2, 2))), signOut=Out("f32", torch.zeros(2)), logOut=Out("f32", torch.tensor(0.0)))


def hinges(family):
    """Losses that are named by words, or are no element each."""
    Alike(family, "aclnnHuberLossGrad", "predictions targets gradOutput", lambda x, t: slope(lambda x: F.huber_loss(x, t.double(), reduction="none", delta=1.25))(x, torch.ones_like(x)), more={"delta": 1.25})
    Alike(family, "aclnnHingeLoss", "predict target loss", lambda x, t: (1 - t * x).clamp(min=0))
    for index, (word, (number, reduction)) in enumerate(itertools.product(SINGLE, enumerate(("none", "mean", "sum")))):
        view, text = VIEWS[index % 3], Raw(f'="{reduction}"')
        to = view if reduction == "none" else ""
        data, target = numbers(word, (2, 3)), numbers(word, (2, 3))
        shared = {"input": Tensor(word, data, view)}
        case(family, "aclnnHuberLoss", **shared, target=Tensor(word, target), reduction=number, delta=1.25, out=Out(word, F.huber_loss(wide(data), wide(target), reduction=reduction, delta=1.25), to))
        case(family, "aclnnLpLoss", predict=Tensor(word, data, view), label=Tensor(word, target), p=1, reduction=text, out=Out(word, F.l1_loss(wide(data), wide(target), reduction=reduction), to))
        for names in (text, *([None] if reduction == "mean" else [])):
            result = (wide(data) - wide(target)).sign() * wide(data) / (6 if reduction == "mean" else 1)
            case(family, "aclnnL1LossGrad", grads=Tensor(word, data), predict=Tensor(word, data, view), label=Tensor(word, target), reductionOptional=names, y=Out(word, result, view))
        signs = torch.where(target > 0, 1.0, -1.0).to(TORCH[word])
        case(family, "aclnnHingeEmbeddingLoss", **shared, target=Tensor(word, signs), margin=1.5, reduction=text, loss=Out(word, F.hinge_embedding_loss(wide(data), wide(signs), margin=1.5, reduction=reduction), to))
        for full, shape in ((False, (2, 3)), (True, (2, 1)), (True, (2,)), (False, ())):
            spread = numbers(word, shape, "positive")
            of_rows = wide(spread).reshape(2, 1) if shape == (2,) else wide(spread)
            loss = F.gaussian_nll_loss(wide(data), wide(target), of_rows.expand(2, 3), full=full, eps=0.5, reduction=reduction)
            case(family, "aclnnGaussianNllLoss", **shared, target=Tensor(word, target), var=Tensor(word, spread), full=full, eps=0.5, reductionOptional=text, out=Out(word, loss, to))
        case(family, "aclnnL2Loss", x=Tensor(word, data, view), out=Out(word, (wide(data) ** 2).sum().reshape(1) / 2))
    good, one = Tensor("f32", numbers("f32", (2, 3))), Out("f32", torch.zeros(1))
    mean, wrong = Raw('="mean"'), Raw('="most"')
    case(family, "aclnnGaussianNllLoss", input=good, target=good, var=good, full=False, eps=10.0, reductionOptional=None, out=Out("f32", torch.tensor([torch.tensor(10.0).log() / 2])))
    case(family, "aclnnHuberLoss", code=161002, input=good, target=good, reduction=3, delta=1.0, out=one)
    case(family, "aclnnLpLoss", code=161002, predict=good, label=good, p=2, reduction=mean, out=one)
    case(family, "aclnnLpLoss", code=161002, predict=good, label=good, p=1, reduction=wrong, out=one)
    case(family, "aclnnHingeEmbeddingLoss", code=161002, input=good, target=good, margin=1.0, reduction=wrong, loss=one)
    case(family, "aclnnGaussianNllLoss", code=161002, input=good, target=good, var=good, full=False, eps=0.0, reductionOptional=mean, out=one)
    case(family, "aclnnL1LossGrad", code=161002, grads=good, predict=good, label=good, reductionOptional=wrong, y=Out("f32", torch.zeros(2, 3)))
    case(family, "aclnnL2Loss", code=161002, x=Tensor("f32", torch.zeros(0)), out=one)
    case(family, "aclnnL2Loss", code=161002, x=good, out=Out("f32", torch.zeros(2)))


def steps(family):
    """Steps of optimizers, as their papers and TensorFlow state them."""
    for index, word in enumerate(SINGLE):
        view = VIEWS[index]
        draw = lambda domain="any": numbers(word, (2, 3), domain)
        one = lambda value: Tensor(word, of(word, [value]))
        var, grad = draw(), draw()
        wide_var, wide_grad = wide(var), wide(grad)
        near = 0.02 if word != "f32" else None
        case(family, "aclnnApplyGradientDescent", var=InOut(word, var, wide_var - 0.5 * wide_grad, view), alpha=one(0.5), delta=Tensor(word, grad))
        accum = draw("positive")
        for updated in (False, True):
            after = wide(accum) + updated * wide_grad ** 2
            case(family, "aclnnApplyAdagradD", near, var=InOut(word, var, wide_var - 0.5 * wide_grad / after.sqrt(), view), accum=InOut(word, accum, after), lr=one(0.5), grad=Tensor(word, grad), updateSlots=updated, useLocking=False)
        linear = draw()
        after, power = wide(accum) + wide_grad ** 2, 0.5
        change = wide(linear) + wide_grad - (after ** power - wide(accum) ** power) / 0.25 * wide_var
        quadratic = after ** power / 0.25 + 2 * 0.5
        moved = torch.where(change.abs() > 0.75, (change.sign() * 0.75 - change) / quadratic, 0.0)
        case(family, "aclnnApplyFtrl", near, varRef=InOut(word, var, moved, view), accumRef=InOut(word, accum, after), linearRef=InOut(word, linear, change), grad=Tensor(word, grad), lr=one(0.25), l1=one(0.75), l2=one(0.5), lrPower=one(-0.5), useLocking=False)
        mean, square, moment = draw(), draw("positive"), draw()
        squares = 0.75 * wide(square) + 0.25 * wide_grad ** 2
        moments = 0.5 * wide(moment) + 0.25 * wide_grad / (squares + 0.125).sqrt()
        case(family, "aclnnApplyRmsProp", near, var=Tensor(word, var, view), ms=Tensor(word, square), mom=Tensor(word, moment), grad=Tensor(word, grad), lr=0.25, rho=0.75, momentum=0.5, epsilon=0.125,
             varOut=Out(word, wide_var - moments, view), msOut=Out(word, squares), momOut=Out(word, moments))
        # PyTorch's own Adam, whose first step has the means of nothing.
        parameter = wide_var.clone().requires_grad_()
        optimizer = torch.optim.Adam([parameter], lr=0.25, betas=(0.75, 0.5), eps=0.0)
        parameter.grad = wide_grad.clone()
        optimizer.step()
        state = optimizer.state[parameter]
        zeros = torch.zeros(2, 3)
        shared = {"var": Tensor(word, var, view), "m": Tensor(word, zeros), "v": Tensor(word, zeros)}
        numbers_of = {"beta1Power": one(0.75), "beta2Power": one(0.5), "lr": one(0.25), "beta1": one(0.75), "beta2": one(0.5), "epsilon": one(0.0)}
        results = {"mOut": Out(word, state["exp_avg"]), "vOut": Out(word, state["exp_avg_sq"])}
        case(family, "aclnnApplyAdamD", near, **shared, **numbers_of, grad=Tensor(word, grad), useLocking=False, useNesterov=False, varOut=Out(word, parameter.detach(), view), **results)
        ahead = 0.75 * state["exp_avg"] + 0.25 * wide_grad
        rate = 0.25 * 0.5 ** 0.5 / 0.25
        case(family, "aclnnApplyAdamD", near, **shared, **numbers_of, grad=Tensor(word, grad), useLocking=False, useNesterov=True, varOut=Out(word, wide_var - rate * ahead / state["exp_avg_sq"].sqrt(), view), **results)
        if word == "bf16":
            continue
        number = lambda value: Scalar("f32", value)
        means = 0.75 * wide(mean) + 0.25 * wide_grad
        wider = 0.75 * (wide(square) + 9) + 0.25 * wide_grad ** 2
        moments = 0.5 * wide(moment) + 0.25 * wide_grad / (wider - means ** 2 + 0.125).sqrt()
        square = (wide(square) + 9).to(TORCH[word])
        case(family, "aclnnApplyCenteredRMSProp", near or 0.001, var=Tensor(word, var, view), mg=Tensor(word, mean), ms=Tensor(word, square), mom=Tensor(word, moment), lr=one(0.25), rho=one(0.75), momentum=one(0.5), epsilon=one(0.125), grad=Tensor(word, grad),
             varOut=Out(word, wide_var - moments, view), mgOut=Out(word, means), msOut=Out(word, 0.75 * wide(square) + 0.25 * wide_grad ** 2), momOut=Out(word, moments))
        accum, updates = draw("positive"), draw("positive")
        after = 0.75 * wide(accum) + 0.25 * wide_grad ** 2
        update = ((wide(updates) + 0.125) / (after + 0.125)).sqrt() * wide_grad
        case(family, "aclnnApplyAdadelta", near, var=Tensor(word, var, view), accum=Tensor(word, accum), accumUpdate=Tensor(word, updates), lr=number(0.25), rho=number(0.75), epsilon=number(0.125), grad=Tensor(word, grad),
             varOut=Out(word, wide_var - 0.25 * update, view), accumOut=Out(word, after), accumUpdateOut=Out(word, 0.75 * wide(updates) + 0.25 * update ** 2))
        parameter = wide_var.clone().requires_grad_()
        optimizer = torch.optim.Adamax([parameter], lr=0.25, betas=(0.75, 0.5), eps=0.0)
        parameter.grad = wide_grad.clone()
        optimizer.step()
        state = optimizer.state[parameter]
        case(family, "aclnnApplyAdamax", near or 0.001, **shared, beta1Power=number(0.75), lr=number(0.25), beta1=number(0.75), beta2=number(0.5), epsilon=number(0.0), grad=Tensor(word, grad),
             varOut=Out(word, parameter.detach(), view), mOut=Out(word, state["exp_avg"]), vOut=Out(word, state["exp_inf"]))
    var, accum, grad = (numbers("f32", (2, 3), domain) for domain in ("any", "positive", "any"))
    after = wide(accum) + wide(grad) ** 2
    rate = 0.5 / after.sqrt()
    moved = wide(var) - rate * wide(grad)
    one = lambda value: Tensor("f32", of("f32", [value]))
    case(family, "aclnnApplyProximalAdagrad", var=Tensor("f32", var, "gaps"), accum=Tensor("f32", accum), lr=one(0.5), l1=one(0.75), l2=one(0.25), grad=Tensor("f32", grad),
         varOut=Out("f32", moved.sign() / (1 + rate * 0.25) * (moved.abs() - rate * 0.75).clamp(min=0)), accumOut=Out("f32", after))
    good, small = Tensor("f32", var), Tensor("f32", numbers("f32", (3,)))
    case(family, "aclnnApplyGradientDescent", code=161002, var=InOut("f32", var, var), alpha=small, delta=good)
    case(family, "aclnnApplyGradientDescent", code=161002, var=InOut("f32", var, var), alpha=one(0.5), delta=small)
    case(family, "aclnnApplyAdagradD", code=161002, var=InOut("f32", var, var), accum=InOut("f32", accum, accum), lr=one(0.5), grad=small, updateSlots=True, useLocking=False)
    case(family, "aclnnApplyProximalAdagrad", code=161002, var=good, accum=good, lr=one(0.5), l1=one(0.5), l2=one(0.5), grad=good, varOut=Out("f32", torch.zeros(3)), accumOut=Out("f32", torch.zeros(2, 3)))

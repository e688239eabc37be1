"""Cases of operators that are a formula of each element."""

import torch
import torch.nn.functional as F

from elementwise import NUMBERS, REAL, Elementwise
from form import FLOATS, SINGLE, List, Out, Scalar, Tensor, case, numbers, of, wide


def grad(function, gradient, operand):
    """The gradient of a function of each element."""
    gradient, operand = torch.broadcast_tensors(gradient, operand)
    operand = operand.clone().requires_grad_()
    return torch.autograd.grad(function(operand), operand, gradient)[0]


def formulas(family):
    """Functions, activations, arithmetic, comparisons and bits."""
    Elementwise("aclnnAcos", lambda a: torch.acos(a), ["input"], REAL,
                kind="real", domain="unit", inplace="inputRef").write_all(family)
    Elementwise("aclnnAcosh", lambda a: torch.acosh(a), ["self"], REAL,
                kind="real", domain="positive", inplace="selfRef").write_all(family)
    Elementwise("aclnnAsin", lambda a: torch.asin(a), ["self"], REAL,
                kind="real", domain="unit", inplace="selfRef").write_all(family)
    Elementwise("aclnnAsinh", lambda a: torch.asinh(a), ["input"], REAL,
                kind="real", inplace="inputRef").write_all(family)
    Elementwise("aclnnAtan", lambda a: torch.atan(a), ["input"], REAL,
                kind="real", inplace="inputRef").write_all(family)
    Elementwise("aclnnAtanh", lambda a: torch.atanh(a), ["input"], REAL,
                kind="real", domain="unit", inplace="inputRef").write_all(family)
    Elementwise("aclnnCosh", lambda a: torch.cosh(a), ["self"], REAL,
                kind="real", inplace="selfRef").write_all(family)
    Elementwise("aclnnSinh", lambda a: torch.sinh(a), ["self"], REAL,
                kind="real", inplace="selfRef").write_all(family)
    Elementwise("aclnnTan", lambda a: torch.tan(a), ["self"], REAL,
                kind="real", domain="unit", inplace="selfRef").write_all(family)
    Elementwise("aclnnErfc", lambda a: torch.erfc(a), ["self"], REAL,
                kind="real", inplace="selfRef").write_all(family)
    Elementwise("aclnnErfinv", lambda a: torch.erfinv(a), ["self"], REAL,
                kind="real", domain="unit", inplace="selfRef").write_all(family)
    Elementwise("aclnnLog10", lambda a: torch.log10(a), ["self"], REAL,
                kind="real", domain="positive", inplace="selfRef").write_all(family)
    Elementwise("aclnnDigamma", lambda a: torch.digamma(a), ["self"], REAL,
                kind="real", domain="positive", inplace=False).write_all(family)
    Elementwise("aclnnLgamma", lambda a: torch.lgamma(a), ["self"], REAL,
                kind="real", domain="positive", inplace=False).write_all(family)
    Elementwise("aclnnSinc", lambda a: torch.sinc(a), ["self"], REAL,
                kind="real", inplace="selfRef").write_all(family)
    Elementwise("aclnnFrac", lambda a: torch.frac(a) if a.dtype.is_floating_point else a - a, ["input"], NUMBERS,
                inplace="inputRef", mixed=False).write_all(family)
    Elementwise("aclnnSquare", lambda a: a * a, ["self"], SINGLE + ["s32", "s64"],
                inplace=False).write_all(family)
    Elementwise("aclnnRoundDecimals", lambda a, b: torch.round(a * 10 ** b) / 10 ** b, ["self"], FLOATS,
                [("decimals", [("plain", 2)])], kind="real", inplace="selfRef", special=False).write_all(family)
    Elementwise("aclnnSignbit", lambda a: torch.signbit(a), ["self"], REAL,
                kind="compared", inplace=False).write_all(family)
    Elementwise("aclnnIsNegInf", lambda a: torch.isneginf(a.double()), ["self"], REAL,
                kind="compared", inplace=False).write_all(family)
    Elementwise("aclnnIsPosInf", lambda a: torch.isposinf(a.double()), ["self"], REAL,
                kind="compared", inplace=False).write_all(family)
    Elementwise("aclnnLogSigmoid", lambda a: F.logsigmoid(a), ["self"], SINGLE,
                kind="real", inplace=False, special=False).write_all(family)
    Elementwise("aclnnFastGelu", lambda a: a * torch.sigmoid(1.702 * a), ["self"], SINGLE,
                kind="real", inplace=False, special=False).write_all(family)
    Elementwise("aclnnSelu", lambda a: F.selu(a), ["self"], SINGLE,
                kind="real", inplace="selfRef", special=False).write_all(family)
    Elementwise("aclnnCelu", lambda a, b: F.celu(a, b), ["self"], SINGLE,
                [("alpha", [("f32", 0.5)])], kind="real", inplace="selfRef", special=False).write_all(family)
    Elementwise("aclnnSwish", lambda a, b: a * torch.sigmoid(b * a), ["self"], SINGLE,
                [("betaOptional", [("f32", 1.5)])], kind="real", inplace=False, special=False).write_all(family)
    Elementwise("aclnnHardshrink", lambda a, b: F.hardshrink(a, b), ["self"], SINGLE,
                [("lambd", [("f32", 0.5)])], kind="real", inplace=False, special=False).write_all(family)
    Elementwise("aclnnSoftshrink", lambda a, b: F.softshrink(a, b), ["self"], SINGLE,
                [("lambd", [("f32", 0.5)])], kind="real", inplace=False, special=False).write_all(family)
    Elementwise("aclnnShrink", lambda a, b, c: torch.where(a < -b, a + c, torch.where(a > b, a - c, torch.zeros_like(a))), ["self"], SINGLE,
                [("lambd", [("f32", 0.5)]), ("bias", [("f32", 0.5)])], kind="real", inplace=False, special=False).write_all(family)
    Elementwise("aclnnHardtanh", lambda a, b, c: F.hardtanh(a, -abs(b), abs(c)), ["self"], SINGLE,
                [("clipValueMin", [("f32", -0.5)]), ("clipValueMax", [("f32", 1.25)])], kind="real", inplace="selfRef", special=False).write_all(family)
    Elementwise("aclnnAtan2", lambda a, b: torch.atan2(a, b), ["self", "other"], REAL,
                kind="real", inplace=False, special=False).write_all(family)
    Elementwise("aclnnLogAddExp", lambda a, b: torch.logaddexp(a, b), ["self", "other"], FLOATS,
                kind="real", inplace=False).write_all(family)
    Elementwise("aclnnLogAddExp2", lambda a, b: torch.logaddexp2(a, b), ["self", "other"], FLOATS,
                kind="real", inplace=False).write_all(family)
    Elementwise("aclnnXLogYTensor", lambda a, b: torch.xlogy(a, b), ["self", "other"], FLOATS,
                kind="real", domain="positive", inplace="selfRef").write_all(family)
    Elementwise("aclnnXLogYScalarOther", lambda a, b: torch.xlogy(a, torch.tensor(b)), ["self"], FLOATS,
                [("other", [("f32", 1.25)])], kind="real", domain="positive", joining=["other"], inplace="selfRef").write_all(family)
    Elementwise("aclnnXLogYScalarSelf", lambda a, b: torch.xlogy(torch.tensor(b), a), ["other"], FLOATS,
                [("self", [("f32", 0.5)])], kind="real", domain="positive", joining=["self"], inplace=False).write_all(family)
    Elementwise("aclnnLerp", lambda a, b, c: torch.lerp(a, b, c), ["self", "end", "weight"], FLOATS,
                kind="real", inplace="selfRef", special=False, mixed=False).write_all(family)
    Elementwise("aclnnLerps", lambda a, b, c: torch.lerp(a, b, c), ["self", "end"], FLOATS,
                [("weight", [("f32", 0.5)])], kind="real", inplace="selfRef", special=False, mixed=False).write_all(family)
    Elementwise("aclnnRsub", lambda a, b, c: b - c * a, ["self", "other"], FLOATS,
                [("alpha", [("f32", 0.5)])], inplace=False, special=False).write_all(family)
    Elementwise("aclnnRsubs", lambda a, b, c: b - c * a, ["self"], FLOATS,
                [("other", [("f32", 1.25)]), ("alpha", [("f32", 0.5)])], joining=["other"], inplace=False, special=False).write_all(family)
    Elementwise("aclnnRemainderTensorScalar", lambda a, b: torch.remainder(a, b), ["self"], FLOATS,
                [("other", [("f32", 1.25)])], joining=["other"], inplace="selfRef", special=False).write_all(family)
    Elementwise("aclnnRemainderScalarTensor", lambda a, b: torch.remainder(torch.tensor(b).to(a.dtype), a), ["other"], FLOATS,
                [("self", [("f32", 0.5)])], domain="quarters", joining=["self"], inplace=False, special=False).write_all(family)
    Elementwise("aclnnFmodScalar", lambda a, b: torch.fmod(a, b), ["self"], FLOATS,
                [("other", [("f32", 1.25)])], joining=["other"], inplace="selfRef", special=False).write_all(family)
    Elementwise("aclnnFloorDivides", lambda a, b: torch.floor(a / b), ["self"], FLOATS,
                [("other", [("f32", 1.25)])], joining=["other"], inplace="selfRef", special=False).write_all(family)
    Elementwise("aclnnAddV3", lambda a, b, c: b + c * a, ["other"], FLOATS,
                [("self", [("f32", 0.5)]), ("alpha", [("f32", 0.5)])], joining=["self"], inplace=False, special=False).write_all(family)
    Elementwise("aclnnMaskedScale", lambda a, b, c: a * b * c, ["self", "mask"], SINGLE,
                [("scale", [("plain", 0.5)])], kind="real", inplace=False, special=False, mixed=False).write_all(family)
    Elementwise("aclnnHeaviside", lambda a, b: torch.heaviside(a, b), ["input", "values"], SINGLE + ["s32", "s64", "s8", "u8"],
                inplace=False, special=False, mixed=False).write_all(family)
    Elementwise("aclnnClampTensor", lambda a, b, c: torch.minimum(torch.maximum(a, b), c), ["self", "clipValueMin", "clipValueMax"], NUMBERS,
                inplace=False, special=False, mixed=False).write_all(family)
    Elementwise("aclnnClampMinTensor", lambda a, b: torch.maximum(a, b), ["self", "clipValueMin"], NUMBERS,
                inplace="selfRef").write_all(family)
    Elementwise("aclnnClampMaxTensor", lambda a, b: torch.minimum(a, b), ["self", "max"], NUMBERS,
                inplace="selfRef").write_all(family)
    Elementwise("aclnnBitwiseXorTensor", lambda a, b: a ^ b, ["self", "other"], ["s32", "bool", "s8", "s16", "s64", "u8"],
                inplace="selfRef").write_all(family)
    Elementwise("aclnnBitwiseXorScalar", lambda a, b: a ^ b, ["self"], ["s32", "s8", "s16", "s64", "u8"],
                [("other", [("s32", 6)])], joining=["other"], inplace="selfRef").write_all(family)
    Elementwise("aclnnBitwiseAndScalar", lambda a, b: a & b, ["self"], ["s32", "s8", "s16", "s64", "u8"],
                [("other", [("s32", 6)])], joining=["other"], inplace="selfRef").write_all(family)
    Elementwise("aclnnBitwiseOrScalar", lambda a, b: a | b, ["self"], ["s32", "s8", "s16", "s64", "u8"],
                [("other", [("s32", 6)])], joining=["other"], inplace="selfRef").write_all(family)
    Elementwise("aclnnBitwiseAndTensorOut", lambda a, b: a & b, ["self", "other"], ["s32", "bool", "s8", "s16", "s64", "u8"],
                inplace="self").write_all(family)
    Elementwise("aclnnGcd", lambda a, b: torch.gcd(a, b), ["self", "other"], ["s32", "s16", "s64"],
                inplace=False).write_all(family)
    Elementwise("aclnnLogicalXor", lambda a, b: torch.logical_xor(a != 0, b != 0), ["self", "other"], REAL,
                kind="compared", inplace=False).write_all(family)
    Elementwise("aclnnIsClose", lambda a, b, c, d, e: torch.isclose(a.double(), b.double(), c, d), ["self", "other"], ["f32", "f16", "bf16", "f64"],
                [("rtol", [("plain", 0.25)]), ("atol", [("plain", 0.25)]), ("equal_nan", [("plain", False)])], kind="compared", inplace=False, mixed=False).write_all(family)
    x = of("f32", [-1.0, 2.0])
    case(family, "aclnnSwish", self=Tensor("f32", x), betaOptional=None, out=Out("f32", F.silu(x)))
    for word in ("s32", "s64"):
        x = of(word, [15, 25, -15, -25, 14, 16, -16, 149, 150, -250, 0])
        for decimals, rounded in ((2, wide(x)), (-1, torch.round(x / 10.0) * 10), (-2, torch.round(x / 100.0) * 100), (-19, x * 0)):
            case(family, "aclnnRoundDecimals", self=Tensor(word, x, "gaps"), decimals=decimals, out=Out(word, rounded))
    for word in FLOATS:
        x = of(word, [15.0, 25.0, -35.0, 14.5, -249.0])
        case(family, "aclnnRoundDecimals", self=Tensor(word, x), decimals=-1, out=Out(word, torch.round(wide(x), decimals=-1)))


def gradients(family):
    """Gradients of functions of one element."""
    Elementwise("aclnnSigmoidBackward", lambda a, b: a * b * (1 - b), ["gradOutput", "output"], SINGLE,
                kind="real", inplace=False, out="gradInput", special=False, mixed=False).write_all(family)
    Elementwise("aclnnTanhBackward", lambda a, b: a * (1 - b * b), ["gradOutput", "output"], SINGLE,
                kind="real", inplace=False, out="gradInput", special=False, mixed=False).write_all(family)
    Elementwise("aclnnSiluBackward", lambda a, b: grad(F.silu, a, b), ["gradOutput", "self"], SINGLE,
                kind="real", inplace=False, out="gradInput", special=False, mixed=False).write_all(family)
    Elementwise("aclnnGeluBackward", lambda a, b: grad(lambda x: F.gelu(x, approximate='tanh'), a, b), ["gradOutput", "self"], SINGLE,
                kind="real", inplace=False, out="gradInput", special=False, mixed=False).write_all(family)
    Elementwise("aclnnEluBackward", lambda a, b, c, d, e, f: a * torch.where(b > 0, torch.full_like(b, d), e * c * d * torch.exp(b * e)), ["gradOutput", "selfOrResult"], SINGLE,
                [("alpha", [("f32", 0.5)]), ("scale", [("f32", 0.5)]), ("inputScale", [("f32", 0.5)]), ("isResult", [("plain", False)])], kind="real", inplace=False, out="gradInput", special=False, mixed=False).write_all(family)
    Elementwise("aclnnLeakyReluBackward", lambda a, b, c, d: torch.where(b > 0, a, a * c), ["gradOutput", "self"], SINGLE,
                [("negativeSlope", [("f32", 0.5)]), ("selfIsResult", [("plain", False)])], kind="real", inplace=False, special=False, mixed=False).write_all(family)
    Elementwise("aclnnHardtanhBackward", lambda a, b, c, d: torch.where((b > c) & (b < d), a, torch.zeros_like(a)), ["gradOutput", "self"], SINGLE,
                [("min", [("f32", -0.5)]), ("max", [("f32", 1.25)])], kind="real", inplace=False, special=False, mixed=False).write_all(family)
    Elementwise("aclnnHardsigmoidBackward", lambda a, b: grad(F.hardsigmoid, a, b), ["gradOutput", "self"], SINGLE,
                kind="real", inplace=False, special=False, mixed=False).write_all(family)
    Elementwise("aclnnHardswishBackward", lambda a, b: grad(F.hardswish, a, b), ["gradOutput", "self"], SINGLE,
                kind="real", inplace=False, special=False, mixed=False).write_all(family)
    Elementwise("aclnnHardswishBackwardV2", lambda a, b: grad(F.hardswish, a, b), ["gradOutput", "self"], SINGLE,
                kind="real", inplace=False, special=False, mixed=False).write_all(family)
    Elementwise("aclnnHardshrinkBackward", lambda a, b, c: torch.where(b.abs() <= c, torch.zeros_like(a), a), ["gradOutput", "self"], SINGLE,
                [("lambd", [("f32", 0.5)])], kind="real", inplace=False, out="gradInput", special=False, mixed=False).write_all(family)
    Elementwise("aclnnSoftshrinkBackward", lambda a, b, c: torch.where(b.abs() <= c, torch.zeros_like(a), a), ["gradOutput", "self"], SINGLE,
                [("lambda", [("f32", 0.5)])], kind="real", inplace=False, out="gradInput", special=False, mixed=False).write_all(family)
    Elementwise("aclnnSoftplusBackward", lambda a, b, c, d: grad(lambda x: F.softplus(x, c, d), a, b), ["gradOutput", "self"], SINGLE,
                [("beta", [("f32", 0.5)]), ("threshold", [("f32", 0.5)])], kind="real", inplace=False, out="gradInput", special=False, mixed=False).write_all(family)
    Elementwise("aclnnSeluBackward", lambda a, b: a * torch.where(b > 0, torch.full_like(b, 1.0507009873554805), b + 1.7580993408473769), ["gradOutput", "result"], SINGLE,
                kind="real", inplace=False, out="gradInput", special=False, mixed=False).write_all(family)
    Elementwise("aclnnMishBackward", lambda a, b: grad(F.mish, a, b), ["gradOutput", "self"], SINGLE,
                kind="real", inplace=False, out="gradInput", special=False, mixed=False).write_all(family)
    Elementwise("aclnnSwishBackward", lambda a, b, c: grad(lambda x: x * torch.sigmoid(c * x), a, b), ["gradOutput", "self"], SINGLE,
                [("betaOptional", [("f32", 1.5)])], kind="real", inplace=False, out="gradInput", special=False, mixed=False).write_all(family)
    Elementwise("aclnnLogSigmoidBackward", lambda a, b, c: grad(F.logsigmoid, a, b) + 0 * c, ["gradOutput", "self", "buffer"], SINGLE,
                kind="real", inplace=False, out="gradInput", special=False, mixed=False).write_all(family)
    Elementwise("aclnnThresholdBackward", lambda a, b, c: torch.where(b > c, a, torch.zeros_like(a)), ["gradOutput", "self"], SINGLE + ["s32"],
                [("threshold", [("f32", 0.5)])], inplace=False, special=False, mixed=False).write_all(family)
    Elementwise("aclnnFastGeluBackward", lambda a, b: grad(lambda x: x * torch.sigmoid(1.702 * x), a, b), ["gradOutput", "self"], SINGLE,
                kind="real", inplace=False, out="gradInput", special=False, mixed=False).write_all(family)
    for word in SINGLE:
        ends, ones = of(word, [-4.0, -3.0, 0.0, 3.0, 4.0]), of(word, [2.0, 2.0, 2.0, 2.0, 2.0])
        for version, results in (("", [0.0, -1.0, 1.0, 3.0, 2.0]), ("V2", [0.0, 0.0, 1.0, 2.0, 2.0])):
            case(family, f"aclnnHardswishBackward{version}", gradOutput=Tensor(word, ones), self=Tensor(word, ends), out=Out(word, of(word, results)))


class Each:
    """An operator of each tensor of a list, and its number."""

    def __init__(self, name, function, lists, number, types, domain):
        self.name, self.function, self.lists, self.number, self.domain = name, function, lists, number, domain
        self.types = SINGLE + ["s32"] if types == "whole" else types

    def write(self, family):
        for word in self.types:
            given = {name: [numbers(word, shape, self.domain) for shape in ([2, 3], [2], [])] for name in self.lists}
            values, arguments = [3, 2, 1] if word == "s32" else [1.5, 0.5, 2.5], {}
            of_each = self.number is not None and self.number[0] == "scalars"
            if self.number is not None:
                name, kind = self.number[0].lstrip("^"), self.number[1]
                wide_word = "s32" if word == "s32" else "f32" if word == "bf16" else word
                if kind == "tensor":
                    arguments[name] = Tensor(wide_word, of(wide_word, values if of_each else values[:1]))
                elif kind == "scalar":
                    arguments[name] = Scalar("s32" if word == "s32" else "f32", values[0])
                else:
                    arguments[name] = List([Scalar("s32" if word == "s32" else "f32", value) for value in values])
            results = []
            for index in range(3):
                operands = [wide(given[name][index]) for name in self.lists]
                scalars = [values[index if of_each else 0]] if self.number is not None else []
                results.append(Out(word, self.function(*operands, *scalars), "gaps" if index == 0 else ""))
            lists = {name: List([Tensor(word, one, ["transposed", "gaps", ""][index]) for index, one in enumerate(given[name])]) for name in self.lists}
            case(family, self.name, **lists, **arguments, out=List(results))
        x = {name: List([Tensor("f32", of("f32", [1.0, 2.0]))]) for name in self.lists}
        two = List([Out("f32", of("f32", [1.0, 2.0])) for _ in range(2)])
        if self.number is not None:
            number = of("f32", [1.0])
            name, kind = self.number[0].lstrip("^"), self.number[1]
            x[name] = {"tensor": Tensor("f32", number), "scalar": Scalar("f32", 1.0), "scalar_list": List([Scalar("f32", 1.0)])}[kind]
        case(family, self.name, code=161002, **x, out=two)
        case(family, self.name, code=161001, **(x | {self.lists[0]: None}), out=two)


def lists(family):
    """Functions of each tensor of a list."""
    Each("aclnnForeachAcos", lambda a: torch.acos(a), ["x"], None, SINGLE, "unit").write(family)
    Each("aclnnForeachAsin", lambda a: torch.asin(a), ["x"], None, SINGLE, "unit").write(family)
    Each("aclnnForeachAtan", lambda a: torch.atan(a), ["x"], None, SINGLE, "any").write(family)
    Each("aclnnForeachCos", lambda a: torch.cos(a), ["x"], None, SINGLE, "any").write(family)
    Each("aclnnForeachCosh", lambda a: torch.cosh(a), ["x"], None, SINGLE, "any").write(family)
    Each("aclnnForeachErf", lambda a: torch.erf(a), ["x"], None, SINGLE, "any").write(family)
    Each("aclnnForeachErfc", lambda a: torch.erfc(a), ["x"], None, SINGLE, "any").write(family)
    Each("aclnnForeachExp", lambda a: torch.exp(a), ["x"], None, SINGLE, "any").write(family)
    Each("aclnnForeachExpm1", lambda a: torch.expm1(a), ["x"], None, SINGLE, "any").write(family)
    Each("aclnnForeachLog", lambda a: torch.log(a), ["x"], None, SINGLE, "positive").write(family)
    Each("aclnnForeachLog10", lambda a: torch.log10(a), ["x"], None, SINGLE, "positive").write(family)
    Each("aclnnForeachLog1p", lambda a: torch.log1p(a), ["x"], None, SINGLE, "positive").write(family)
    Each("aclnnForeachLog2", lambda a: torch.log2(a), ["x"], None, SINGLE, "positive").write(family)
    Each("aclnnForeachReciprocal", lambda a: 1 / a, ["x"], None, SINGLE, "nonzero").write(family)
    Each("aclnnForeachSigmoid", lambda a: torch.sigmoid(a), ["x"], None, SINGLE, "any").write(family)
    Each("aclnnForeachSin", lambda a: torch.sin(a), ["x"], None, SINGLE, "any").write(family)
    Each("aclnnForeachSinh", lambda a: torch.sinh(a), ["x"], None, SINGLE, "any").write(family)
    Each("aclnnForeachSqrt", lambda a: torch.sqrt(a), ["x"], None, SINGLE, "positive").write(family)
    Each("aclnnForeachTan", lambda a: torch.tan(a), ["x"], None, SINGLE, "unit").write(family)
    Each("aclnnForeachTanh", lambda a: torch.tanh(a), ["x"], None, SINGLE, "any").write(family)
    Each("aclnnForeachAbs", lambda a: a.abs(), ["x"], None, "whole", "any").write(family)
    Each("aclnnForeachNeg", lambda a: -a, ["x"], None, SINGLE + ["s32", "s8", "s16", "u8"], "any").write(family)
    Each("aclnnForeachSign", lambda a: a.sign(), ["x"], None, SINGLE + ["s32", "s8", "s64"], "any").write(family)
    Each("aclnnForeachCopy", lambda a: a, ["x"], None, SINGLE + ["s32", "f64", "s8", "u8", "s16", "u16", "u32", "s64", "bool"], "any").write(family)
    Each("aclnnForeachAddList", lambda a, b, s: a + s * b, ["x1", "x2"], ("alpha", "tensor"), "whole", "any").write(family)
    Each("aclnnForeachAddListV2", lambda a, b, s: a + s * b, ["x1", "x2"], ("alpha", "scalar"), "whole", "any").write(family)
    Each("aclnnForeachSubList", lambda a, b, s: a - s * b, ["x1", "x2"], ("alpha", "tensor"), "whole", "any").write(family)
    Each("aclnnForeachSubListV2", lambda a, b, s: a - s * b, ["x1", "x2"], ("alpha", "scalar"), "whole", "any").write(family)
    Each("aclnnForeachMulList", lambda a, b: a * b, ["x1", "x2"], None, "whole", "any").write(family)
    Each("aclnnForeachDivList", lambda a, b: a / b, ["x1", "x2"], None, SINGLE, "positive").write(family)
    Each("aclnnForeachMaximumList", lambda a, b: torch.maximum(a, b), ["x1", "x2"], None, "whole", "any").write(family)
    Each("aclnnForeachMinimumList", lambda a, b: torch.minimum(a, b), ["x1", "x2"], None, "whole", "any").write(family)
    Each("aclnnForeachPowList", lambda a, b: torch.pow(a, b), ["x1", "x2"], None, "whole", "positive").write(family)
    Each("aclnnForeachAddScalar", lambda a, s: a + s, ["x"], ("scalar", "tensor"), "whole", "any").write(family)
    Each("aclnnForeachAddScalarV2", lambda a, s: a + s, ["x"], ("scalar", "scalar"), "whole", "any").write(family)
    Each("aclnnForeachAddScalarList", lambda a, s: a + s, ["x"], ("scalars", "scalar_list"), "whole", "any").write(family)
    Each("aclnnForeachSubScalar", lambda a, s: a - s, ["x"], ("scalar", "tensor"), "whole", "any").write(family)
    Each("aclnnForeachSubScalarV2", lambda a, s: a - s, ["x"], ("scalar", "scalar"), "whole", "any").write(family)
    Each("aclnnForeachSubScalarList", lambda a, s: a - s, ["x"], ("scalars", "scalar_list"), "whole", "any").write(family)
    Each("aclnnForeachMulScalar", lambda a, s: a * s, ["x"], ("scalar", "tensor"), "whole", "any").write(family)
    Each("aclnnForeachMulScalarV2", lambda a, s: a * s, ["x"], ("scalar", "scalar"), "whole", "any").write(family)
    Each("aclnnForeachMulScalarList", lambda a, s: a * s, ["x"], ("scalars", "scalar_list"), "whole", "any").write(family)
    Each("aclnnForeachDivScalar", lambda a, s: a / s, ["x"], ("scalar", "tensor"), SINGLE, "positive").write(family)
    Each("aclnnForeachDivScalarV2", lambda a, s: a / s, ["x"], ("scalar", "scalar"), SINGLE, "positive").write(family)
    Each("aclnnForeachDivScalarList", lambda a, s: a / s, ["x"], ("scalars", "scalar_list"), SINGLE, "positive").write(family)
    Each("aclnnForeachMaximumScalar", lambda a, s: a.clamp(min=s), ["x"], ("scalar", "tensor"), "whole", "any").write(family)
    Each("aclnnForeachMaximumScalarV2", lambda a, s: a.clamp(min=s), ["x"], ("scalar", "scalar"), "whole", "any").write(family)
    Each("aclnnForeachMaximumScalarList", lambda a, s: a.clamp(min=s), ["x"], ("scalars", "scalar_list"), "whole", "any").write(family)
    Each("aclnnForeachMinimumScalar", lambda a, s: a.clamp(max=s), ["x"], ("scalar", "tensor"), "whole", "any").write(family)
    Each("aclnnForeachMinimumScalarV2", lambda a, s: a.clamp(max=s), ["x"], ("scalar", "scalar"), "whole", "any").write(family)
    Each("aclnnForeachMinimumScalarList", lambda a, s: a.clamp(max=s), ["x"], ("scalars", "scalar_list"), "whole", "any").write(family)
    Each("aclnnForeachPowScalar", lambda a, s: torch.pow(a, s), ["x"], ("scalar", "tensor"), "whole", "positive").write(family)
    Each("aclnnForeachPowScalarV2", lambda a, s: torch.pow(a, s), ["x"], ("scalar", "scalar"), "whole", "positive").write(family)
    Each("aclnnForeachPowScalarList", lambda a, s: torch.pow(a, s), ["x"], ("scalars", "scalar_list"), "whole", "positive").write(family)
    Each("aclnnForeachPowScalarAndTensor", lambda a, s: torch.pow(torch.tensor(s), a), ["x"], ("scalar", "scalar"), "whole", "positive").write(family)
    Each("aclnnForeachAddcdivList", lambda a, b, c, s: a + s * b / c, ["x1", "x2", "x3"], ("scalars", "tensor"), SINGLE, "positive").write(family)
    Each("aclnnForeachAddcdivScalar", lambda a, b, c, s: a + s * b / c, ["x1", "x2", "x3"], ("scalar", "tensor"), SINGLE, "positive").write(family)
    Each("aclnnForeachAddcdivScalarV2", lambda a, b, c, s: a + s * b / c, ["x1", "x2", "x3"], ("scalar", "scalar"), SINGLE, "positive").write(family)
    Each("aclnnForeachAddcdivScalarList", lambda a, b, c, s: a + s * b / c, ["x1", "x2", "x3"], ("scalars", "tensor"), SINGLE, "positive").write(family)
    Each("aclnnForeachAddcmulList", lambda a, b, c, s: a + s * b * c, ["x1", "x2", "x3"], ("scalars", "tensor"), "whole", "positive").write(family)
    Each("aclnnForeachAddcmulScalar", lambda a, b, c, s: a + s * b * c, ["x1", "x2", "x3"], ("scalar", "tensor"), "whole", "positive").write(family)
    Each("aclnnForeachAddcmulScalarV2", lambda a, b, c, s: a + s * b * c, ["x1", "x2", "x3"], ("scalar", "scalar"), "whole", "positive").write(family)
    Each("aclnnForeachAddcmulScalarList", lambda a, b, c, s: a + s * b * c, ["x1", "x2", "x3"], ("scalars", "tensor"), "whole", "positive").write(family)
    Each("aclnnForeachLerpList", lambda a, b, c: torch.lerp(a, b, c), ["x1", "x2", "weights"], None, SINGLE, "any").write(family)
    Each("aclnnForeachLerpScalar", lambda a, b, s: torch.lerp(a, b, s), ["x1", "x2"], ("weight", "scalar"), SINGLE, "any").write(family)


class Loss:
    """A loss or its gradient, for each `reduction`."""

    def __init__(self, name, function, out, extra, weights, gradient, by):
        self.name, self.function, self.out, self.extra = name, function, out, extra
        self.weights, self.gradient, self.by = weights, gradient, by

    def write(self, family):
        for index, (word, reduction) in enumerate((word, reduction) for word in SINGLE for reduction in (0, 1, 2)):
            domain = (0.05, 0.95)
            draw = lambda shape: of(word, (domain[0] + (domain[1] - domain[0]) * numbers("f64", shape, "unit").abs()).tolist())
            own, target = draw([2, 3]), draw([2, 3])
            given = {name: draw([3]) if index % 2 else None for name in self.weights}
            weights = [None if one is None else wide(one) for one in list(given.values()) + [None] * (2 - len(given))]
            operand, wanted = wide(own).requires_grad_(), wide(target).requires_grad_()
            each = self.function(operand, wanted, *weights)
            result = [each, each.mean(), each.sum()][reduction]
            arguments = {"self": Tensor(word, own, "transposed"), "target": Tensor(word, target), "reduction": reduction}
            arguments |= {name: None if one is None else Tensor(word, one) for name, one in given.items()} | self.extra
            if self.gradient is not None:
                gradient = draw(list(result.shape))
                by = operand if self.by == "self" else wanted
                result = torch.autograd.grad(result, by, wide(gradient))[0]
                arguments[self.gradient] = Tensor(word, gradient)
            arguments[self.out] = Out(word, result.detach(), "gaps" if reduction == 0 else "")
            case(family, self.name, **arguments)
        word = Tensor("f32", of("f32", [0.5, 0.25]))
        arguments = {"self": word, "target": word, **{name: word for name in self.weights}, **self.extra, "reduction": 5}
        if self.gradient is not None:
            arguments[self.gradient] = word
        arguments[self.out] = Out("f32", of("f32", [0.5, 0.25]))
        case(family, self.name, code=161002, **arguments)
        case(family, self.name, code=161001, **(arguments | {"self": None}))


def losses(family):
    """Losses and their gradients."""
    Loss("aclnnL1Loss", lambda a, t, w, p: (a - t).abs(), "out", {}, [], None, "self").write(family)
    Loss("aclnnMseLossOut", lambda a, t, w, p: (a - t) ** 2, "out", {}, [], None, "self").write(family)
    Loss("aclnnSmoothL1Loss", lambda a, t, w, p: F.smooth_l1_loss(a, t, reduction="none", beta=0.5), "result", {"beta": 0.5}, [], None, "self").write(family)
    Loss("aclnnSoftMarginLoss", lambda a, t, w, p: F.softplus(-t * a), "out", {}, [], None, "self").write(family)
    Loss("aclnnKlDiv", lambda a, t, w, p: F.kl_div(a, t, reduction="none"), "out", {"logTarget": False}, [], None, "self").write(family)
    Loss("aclnnBinaryCrossEntropy", lambda a, t, w, p: F.binary_cross_entropy(a, t, w, reduction="none"), "out", {}, ["weight"], None, "self").write(family)
    Loss("aclnnBinaryCrossEntropyWithLogits", lambda a, t, w, p: F.binary_cross_entropy_with_logits(a, t, w, pos_weight=p, reduction="none"), "out", {}, ["weightOptional", "posWeightOptional"], None, "self").write(family)
    Loss("aclnnL1LossBackward", lambda a, t, w, p: (a - t).abs(), "gradInput", {}, [], "gradOutput", "self").write(family)
    Loss("aclnnMseLossBackward", lambda a, t, w, p: (a - t) ** 2, "out", {}, [], "gradOutput", "self").write(family)
    Loss("aclnnSmoothL1LossBackward", lambda a, t, w, p: F.smooth_l1_loss(a, t, reduction="none", beta=0.5), "gradInput", {"beta": 0.5}, [], "gradOut", "self").write(family)
    Loss("aclnnSoftMarginLossBackward", lambda a, t, w, p: F.softplus(-t * a), "out", {}, [], "gradOutput", "self").write(family)
    Loss("aclnnKlDivBackward", lambda a, t, w, p: F.kl_div(a, t, reduction="none"), "out", {"logTarget": False}, [], "gradOutput", "self").write(family)
    Loss("aclnnKlDivTargetBackward", lambda a, t, w, p: F.kl_div(a, t, reduction="none"), "gradTarget", {"logTarget": False}, [], "gradOutput", "target").write(family)
    Loss("aclnnBinaryCrossEntropyBackward", lambda a, t, w, p: F.binary_cross_entropy(a, t, w, reduction="none"), "out", {}, ["weightOptional"], "gradOutput", "self").write(family)
    Loss("aclnnBinaryCrossEntropyWithLogitsBackward", lambda a, t, w, p: F.binary_cross_entropy_with_logits(a, t, w, pos_weight=p, reduction="none"), "out", {}, ["weightOptional", "posWeightOptional"], "gradOutput", "self").write(family)
    Loss("aclnnBinaryCrossEntropyWithLogitsTargetBackward", lambda a, t, w, p: F.binary_cross_entropy_with_logits(a, t, w, pos_weight=p, reduction="none"), "gradTarget", {}, ["weightOptional", "posWeightOptional"], "gradOutput", "target").write(family)

"""Cases of element-wise operators."""

import itertools
import math

import torch

from form import (FLOATS, INTEGERS, SINGLE, InOut, List, Out, Raw, Scalar, Tensor, TORCH, WORD, case, is_float, numbers, of,
                  promote, wide)

NUMBERS = FLOATS + INTEGERS
REAL = NUMBERS + ["bool"]
MIXED = [("s32", "f16"), ("s8", "u8"), ("f16", "bf16"), ("bool", "s64"), ("f32", "f64"), ("s64", "bf16"), ("bool", "bf16")]
SPECIAL = [float("nan"), float("inf"), float("-inf"), 0.0, -0.0, 1e30, -1e-30, 3.0]
LARGE = False


def quantised(tensor, word):
    """The numbers of an operand as the common data type holds them."""
    return wide(tensor.to(TORCH[word]))


def common(words, scalars):
    """The common data type of tensors and of scalars that take part in the promotion."""
    word = promote(*words) if words else None
    for scalar in scalars:
        if word is None:
            word = scalar
        elif is_float(scalar) and not is_float(word):
            word = "f32"
        elif word == "bool":
            word = scalar
    return word


class Plain:
    """A number that C takes by value."""

    def __init__(self, value):
        self.word, self.value = "plain", value

    def text(self):
        return f"={str(self.value).lower()}"


def scalar_of(word, value):
    """A scalar, or a number that C takes by value."""
    return Plain(value) if word == "plain" else Scalar(word, value)


class Elementwise:
    """An operator: its function, its tensors, its scalars, and its data types."""

    def __init__(self, name, function, tensors, types, scalars=(), gives=None, kind="promoted", domain="any",
                 inplace=True, out="out", domains=None, joining=(), special=True, mixed=True, before=None, views=True):
        self.name, self.function, self.tensors, self.types = name, function, tensors, types
        self.scalars, self.gives, self.kind, self.domain = scalars, gives, kind, domain
        self.inplace, self.out, self.domains, self.joining = inplace, out, domains or {}, joining
        self.special, self.mixed, self.before, self.views = special, mixed, before, views

    def result_type(self, word):
        if self.kind == "compared":
            return "bool"
        if self.kind in ("real", "divided") and not is_float(word):
            return "f32"
        return word

    def write(self, family, words, shapes, views=None, special=False, gives=None, inplace=False, scalar_words=None):
        given = []
        for index, (name, word, shape) in enumerate(zip(self.tensors, words, shapes)):
            if special and is_float(word):
                values = SPECIAL if word in ("f32", "f64", "bf16") else SPECIAL[:5] + [60000.0, -6e-8, 3.0]
                values = values[index:] + values[:index]
                given.append(of(word, values))
            else:
                given.append(numbers(word, shape, self.domains.get(name, self.domain)))
        for index, view in enumerate((views or [])[:len(given)]):
            if view == "repeated":
                given[index] = given[index][:1].expand(given[index].shape)
        scalars = []
        for index, (name, choices) in enumerate(self.scalars):
            word, value = choices[len(words[0]) % len(choices)] if scalar_words is None else scalar_words[index]
            scalars.append((name, scalar_of(word, value)))
        joined = [scalar.word for name, scalar in scalars if name in self.joining]
        word = common(words, joined)
        operands = [quantised(tensor, word) for tensor in given]
        if self.kind in ("real", "divided"):
            operands = [operand.to(torch.float64) for operand in operands]
        values = [of(scalar.word, scalar.value).to(torch.float64).item() if is_float(scalar.word) else scalar.value for _, scalar in scalars]
        result = self.function(*operands, *values)
        if self.kind != "compared" and not is_float(word) and not result.dtype.is_floating_point and word != "bool":
            result = result.to(TORCH[word])
        to = gives or self.result_type(word)
        views = views or [""] * (len(given) + 1)
        arguments = {}
        for index, (name, tensor, one) in enumerate(zip(self.tensors, given, words)):
            if inplace and index == 0:
                arguments[self.own_name()] = InOut(one, tensor, result, views[-1])
            else:
                arguments[name] = Tensor(one, tensor, views[index])
        ordered = dict(self.ordered(arguments, dict(scalars)))
        if not inplace:
            ordered[self.out] = Out(to, result, views[-1])
        name = "aclnnInplace" + self.name[5:] if inplace else self.name
        case(family, name, **ordered)

    def write_codes(self, family):
        """Cases that the first phase refuses."""
        word = self.types[0]
        tensors = {name: Tensor(word, numbers(word, [2], "positive")) for name in self.tensors}
        scalars = {name: scalar_of(*choices[0]) for name, choices in self.scalars if choices}
        first = self.tensors[0]
        result = self.result_type(word)
        good = Out(result, numbers(result, [2], "positive"))

        def refused(code, out, **changed):
            case(family, self.name, code=code, **dict(self.ordered(tensors | changed, scalars)), **{self.out: out})
        refused(161001, good, **{first: None})
        refused(161002, good, **{first: Raw("=c64[2]:0,0")})
        refused(161002, Out(result, numbers(result, [3], "positive")))

    def own_name(self):
        return self.inplace if isinstance(self.inplace, str) else "selfRef"

    def ordered(self, tensors, scalars):
        merged = dict(tensors)
        merged.update(scalars)
        if self.before is not None:
            return [(name, merged[name]) for name in self.before]
        return list(tensors.items()) + list(scalars.items())

    def write_all(self, family):
        many = len(self.tensors)
        shapes = [[2, 3]] * many
        types = self.types if LARGE else self.types[:1] + self.types[1:][len(self.name) % 3::3]
        for word in types:
            self.write(family, [word] * many, shapes if LARGE else [[4]] * many)
        if many > 1:
            self.write(family, [self.types[0]] * many, ([[3, 1], [2], [1, 1, 2]] * 2)[:many])
            if self.mixed:
                pairs = [pair for pair in MIXED if all(word in self.types for word in pair)]
                for pair in pairs if LARGE else pairs[len(self.name) % 4::4]:
                    self.write(family, (list(pair) * 2)[:many], shapes if LARGE else [[4]] * many)
        if self.views:
            word = self.types[len(self.name) % min(3, len(self.types))]
            self.write(family, [word] * many, shapes, (["transposed", "gaps", "repeated"] * 2)[:many] + ["gaps"])
            if LARGE or len(self.name) % 2:
                self.write(family, [word] * many, [[2, 0]] * many)
            if LARGE or not len(self.name) % 2:
                self.write(family, [word] * many, [[]] * many)
        if self.special and is_float(self.types[0]):
            for word in ["f32", "f16", "bf16", "f64"] if LARGE else ["f32"]:
                if word in self.types:
                    self.write(family, [word] * many, shapes, special=True)
        if not LARGE:
            self.write_codes(family)
        if self.inplace:
            for word in [w for w in self.types if self.result_type(w) == w or self.kind == "compared"][:3 if LARGE else 1]:
                self.write(family, [word] * many, shapes, ([""] + ["gaps"] * 3)[:many] + ["transposed"], inplace=True)


def power(base, exponent):
    if not torch.is_tensor(base):
        base = torch.tensor(base, dtype=exponent.dtype if isinstance(base, int) else torch.float64)
    return torch.pow(base, exponent)


def rounded(function):
    """A quotient that is rounded, of integers too."""
    def quotient(left, right, mode=None):
        right = torch.as_tensor(right)
        return torch.div(left, right.to(left.dtype) if left.dtype.is_floating_point else right, rounding_mode=function)
    return quotient


def remainder(left, right):
    return torch.remainder(left, right)


ALPHA = ("alpha", [("f32", 1.5), ("s32", 2), ("f32", -0.5)])
WHOLE_ALPHA = ("alpha", [("s64", 2)])


def arithmetic(family):
    """Sums, differences, products, quotients and powers."""
    two = ["self", "other"]
    ones = [["f32", "f16", "bf16", "f64"], ["s32", "s8", "s64", "u8", "s16"]]
    for types, alpha in ((ones[0], ("alpha", [("f32", 1.5)])), (ones[1], ("alpha", [("s64", 2)]))):
        Elementwise("aclnnAdd", lambda a, b, s: a + s * b, two, types, [alpha]).write_all(family)
        Elementwise("aclnnSub", lambda a, b, s: a - s * b, two, types, [alpha]).write_all(family)
        other = ("other", [("f32", 2.5)]) if is_float(types[0]) else ("other", [("s32", 5)])
        for name, sign in (("aclnnAdds", 1), ("aclnnSubs", -1)):
            Elementwise(name, lambda a, s, t, sign=sign: a + sign * t * s, ["self"], types, [other, alpha], joining=["other"]).write_all(family)
        Elementwise("aclnnMuls", lambda a, s: a * s, ["self"], types, [other], joining=["other"]).write_all(family)
        Elementwise("aclnnDivs", lambda a, s: a / s, ["self"], types, [other], joining=["other"], kind="divided").write_all(family)
    adds = Elementwise("aclnnAdds", lambda a, s, t: a + t * s, ["self"], REAL, [("other", []), ("alpha", [])], joining=["other"])
    for word, other, alpha in (("s32", ("f32", 0.5), ("f32", 2.0)), ("f16", ("f64", 0.25), ("f32", 1.0)), ("bool", ("s32", 3), ("s32", 2)),
                               ("bf16", ("s64", 3), ("bool", 1)), ("u8", ("s64", 3), ("s64", 1))):
        adds.write(family, [word], [[4]], scalar_words=[other, alpha])
    Elementwise("aclnnMul", lambda a, b: a * b, two, REAL).write_all(family)
    Elementwise("aclnnDiv", lambda a, b: a / b, two, REAL, kind="divided", domains={"other": "nonzero"}).write_all(family)
    for mode, way in ((1, "trunc"), (2, "floor")):
        Elementwise("aclnnDivMod", rounded(way), two, ["f32", "s32", "f64", "s8"], [("mode", [("s32", mode)])],
                    domains={"other": "quarters"}, special=False).write_mode(family)
        Elementwise("aclnnDivMods", rounded(way), ["self"], ["f32", "s32", "f16"],
                    [("other", [("s32", 3)]), ("mode", [("s32", mode)])], joining=["other"], special=False).write_mode(family)
    Elementwise("aclnnDivMod", lambda a, b, mode: a / b, two, ["f32", "s32"], [("mode", [("s32", 0)])], kind="divided",
                domains={"other": "nonzero"}, special=False).write_mode(family)
    nonzero = {"other": "quarters"}
    Elementwise("aclnnFloorDivide", rounded("floor"), two, NUMBERS, domains=nonzero, special=False).write_all(family)
    Elementwise("aclnnRemainderTensorTensor", remainder, two, ["s32", "s64", "f16", "f32", "f64", "bf16"], domains=nonzero,
                special=False).write_all(family)
    Elementwise("aclnnFmodTensor", torch.fmod, two, ["f32", "f16", "bf16", "f64", "s32", "s64", "s8", "u8"], domains=nonzero,
                special=False).write_all(family)
    raised = {"self": "positive", "exponent": "any"}
    Elementwise("aclnnPowTensorTensor", power, ["self", "exponent"], FLOATS, domains=raised, inplace="self").write_all(family)
    Elementwise("aclnnPowTensorTensor", power, ["self", "exponent"], INTEGERS, domains={"exponent": "positive"}, inplace="self",
                ).write_all(family)
    for exponent in (("f32", 0.5), ("f32", -1.5)):
        Elementwise("aclnnPowTensorScalar", power, ["self"], FLOATS, [("exponent", [exponent])], domain="positive", joining=["exponent"],
                    inplace="self").write_all(family)
    Elementwise("aclnnPowTensorScalar", power, ["self"], INTEGERS, [("exponent", [("s64", 3)])], joining=["exponent"], inplace="self").write_all(family)
    raised = Elementwise("aclnnPowScalarTensor", lambda e, s: power(s, e), ["exponent"], ["f32", "f16", "s32"], [("self", [("f32", 1.5)])],
                         joining=["self"], inplace=False, before=["self", "exponent"])
    raised.write_all(family)
    three = ["self", "tensor1", "tensor2"]
    Elementwise("aclnnAddcmul", lambda a, b, c, s: a + s * b * c, three, FLOATS, [("value", [("f32", 0.5)])], mixed=False).write_all(family)
    Elementwise("aclnnAddcmul", lambda a, b, c, s: a + s * b * c, three, ["s32", "s64", "s8", "u8"], [("value", [("s64", 3)])], mixed=False).write_all(family)
    Elementwise("aclnnAddcdiv", lambda a, b, c, s: a + s * b / c, three, FLOATS, [("value", [("f32", 0.5)])], kind="divided",
                domains={"tensor2": "nonzero"}, mixed=False).write_all(family)
    Elementwise("aclnnMaximum", torch.maximum, two, REAL, inplace=False).write_all(family)
    Elementwise("aclnnMinimum", torch.minimum, two, REAL, inplace=False).write_all(family)
    for types, low, high in ((FLOATS, ("f32", -0.5), ("f64", 1.25)), (INTEGERS, ("s32", 2), ("f32", 5.75))):
        bounds = lambda value: int(value) if types is INTEGERS else value
        limits = {"special": types is FLOATS}
        Elementwise("aclnnClamp", lambda a, s, t: torch.clamp(a, bounds(s), bounds(t)), ["self"], types,
                    [("clipValueMin", [low]), ("clipValueMax", [high])], inplace=False, **limits).write_all(family)
        Elementwise("aclnnClampMin", lambda a, s: torch.clamp(a, min=bounds(s)), ["self"], types, [("clipValueMin", [low])], inplace=False, **limits).write_all(family)
        Elementwise("aclnnClampMax", lambda a, s: torch.clamp(a, max=bounds(s)), ["self"], types, [("clipValueMax", [high])], **limits).write_all(family)
    case(family, "aclnnClamp", self=Tensor("f32", of("f32", [1.0, 5.0])), clipValueMin=None, clipValueMax=Scalar("f32", 2.0), out=Out("f32", of("f32", [1.0, 2.0])))
    case(family, "aclnnClamp", self=Tensor("f32", of("f32", [1.0, 5.0])), clipValueMin=Scalar("f32", 2.0), clipValueMax=None, out=Out("f32", of("f32", [2.0, 5.0])))
    summed = [("f32", "transposed", [([[1.5], [-2.0]], ""), ([0.25, 10.0, -3.0], "gaps"), (100.0, "")]), ("f16", "", [([1.5, 0.5], ""), ([0.25, 0.25], "")]),
              ("s32", "", [([3, -4], "")]), ("s8", "", [([100, -5, 1], ""), ([27, -6, 2], "")]), ("u8", "", [([200, 1], ""), ([100], "")])]
    for word, view, parts in summed:
        tensors = [Tensor(word, of(word, part), one) for part, one in parts]
        case(family, "aclnnSum", tensors=List(tensors), out=Out(word, sum(wide(tensor.data) for tensor in tensors), view))
    pair = lambda word, *values: Tensor(word, of(word, list(values)))
    for lists, word, values in (([], "f32", [1, 2]), ([pair("f32", 1, 2), pair("f32", 1, 2, 3)], "f32", [1, 2, 3]), ([pair("f32", 1, 2)], "f32", [1, 2, 3]),
                                ([pair("s64", 1, 2)], "s64", [1, 2]), ([pair("f32", 1, 2), pair("s32", 1, 2)], "f32", [1, 2])):
        case(family, "aclnnSum", code=161002, tensors=List(lists), out=Out(word, of(word, values)))
    case(family, "aclnnSum", code=161001, tensors=None, out=Out("f32", of("f32", [1, 2])))


def write_mode(self, family):
    """Cases of an operator whose last scalar is a plain number."""
    many = len(self.tensors)
    for word in self.types:
        for inplace in (False, True):
            if inplace and self.kind == "divided" and not is_float(word):
                continue
            given = [numbers(word, [2, 3], self.domains.get(name, self.domain)) for name in self.tensors]
            mode = self.scalars[-1][1][0][1]
            scalars = [choices[0] for _, choices in self.scalars[:-1]]
            operands = [wide(tensor) for tensor in given] + [value for _, value in scalars]
            result = self.function(*operands, mode)
            arguments = {}
            for index, (name, tensor) in enumerate(zip(self.tensors, given)):
                arguments["selfRef" if inplace and index == 0 else name] = InOut(word, tensor, result) if inplace and index == 0 else Tensor(word, tensor)
            for (name, _), (one, value) in zip(self.scalars, scalars):
                arguments[name] = Scalar(one, value)
            arguments["mode"] = mode
            if not inplace:
                arguments["out"] = Out(self.result_type(word), result)
            case(family, ("aclnnInplace" + self.name[5:]) if inplace else self.name, **arguments)


Elementwise.write_mode = write_mode


def compare(family):
    """Comparisons, logic, bits and choices."""
    two = ["self", "other"]
    functions = {"Eq": torch.eq, "Ne": torch.ne, "Gt": torch.gt, "Ge": torch.ge, "Lt": torch.lt, "Le": torch.le}
    for name, function in functions.items():
        Elementwise(f"aclnn{name}Tensor", function, two, REAL, kind="compared").write_all(family)
        Elementwise(f"aclnn{name}Scalar", function, ["self"], ["f32", "s32", "f16", "s64", "bf16", "u8"], [("other", [("s32", 2)])],
                    kind="compared", joining=["other"]).write_all(family)
        Elementwise(f"aclnn{name}Scalar", function, ["self"], ["s32", "bool"], [("other", [("f32", 0.5)])], kind="compared",
                    joining=["other"], inplace=False, views=False).write_all(family)
    truth = lambda function: lambda a, b: function(a != 0, b != 0)
    Elementwise("aclnnLogicalAnd", truth(torch.logical_and), two, REAL, kind="compared").write_all(family)
    Elementwise("aclnnLogicalOr", truth(torch.logical_or), two, REAL, kind="compared").write_all(family)
    Elementwise("aclnnLogicalNot", lambda a: a == 0, ["self"], REAL, kind="compared").write_all(family)
    whole = ["s32", "bool", "s8", "s16", "s64", "u8"]
    Elementwise("aclnnBitwiseAndTensor", lambda a, b: a & b, two, whole).write_all(family)
    Elementwise("aclnnBitwiseOrTensor", lambda a, b: a | b, two, whole).write_all(family)
    Elementwise("aclnnBitwiseNot", lambda a: ~a, ["self"], ["s32", "s8", "s16", "s64", "u8"], inplace=False).write_all(family)
    case(family, "aclnnBitwiseNot", self=Tensor("bool", of("bool", [1, 0])), out=Out("bool", of("bool", [0, 1])))
    Elementwise("aclnnIsFinite", torch.isfinite, ["self"], FLOATS, kind="compared", inplace=False).write_all(family)
    Elementwise("aclnnIsInf", torch.isinf, ["x"], FLOATS + ["s32", "bool"], kind="compared", inplace=False).write_all(family)
    nan = float("nan")
    for word, one, other, equal in (("f32", [1.5, 2.0], [1.5, 2.0], 1), ("f32", [1.5, nan], [1.5, nan], 0), ("s64", [1, 2], [1, 3], 0),
                                    ("bf16", [1.5], [1.5, 1.5], 0), ("f16", [], [], 1)):
        case(family, "aclnnEqual", self=Tensor(word, of(word, one)), other=Tensor(word, of(word, other)), out=Out("bool", of("bool", [equal])))
    case(family, "aclnnEqual", self=Tensor("s32", of("s32", [1, 2])), other=Tensor("f32", of("f32", [1.0, 2.0])), out=Out("bool", of("bool", [1])))
    for index, (words, shapes) in enumerate(itertools.product([("f32", "f32"), ("s32", "f16"), ("u64", "u64"), ("bool", "bool"), ("bf16", "bf16")],
                                                              [([2, 3], [2, 3], [2, 3]), ([2, 1], [3], [1, 3])])):
        word = promote(*words) if words[0] != "u64" else "u64"
        condition = numbers("bool", shapes[0])
        left, right = numbers(words[0], shapes[1], "positive"), numbers(words[1], shapes[2], "positive")
        result = torch.where(condition, quantised(left, word), quantised(right, word))
        flag = "u8" if index % 3 == 2 else "bool"
        case(family, "aclnnSWhere", condition=Tensor(flag, condition.to(TORCH[flag])), self=Tensor(words[0], left), other=Tensor(words[1], right), out=Out(word, result))
    for word, view in (("f32", ""), ("s64", "gaps"), ("bf16", "transposed"), ("bool", "")):
        mask, own = numbers("bool", [3]), numbers(word, [2, 3])
        value = 1 if word == "bool" else 5
        result = torch.where(mask, torch.tensor(value), wide(own))
        case(family, "aclnnInplaceMaskedFillScalar", selfRef=InOut(word, own, result, view), mask=Tensor("bool", mask), value=Scalar(word if word != "f32" else "s32", value))
        case(family, "aclnnInplaceMaskedFillTensor", selfRef=InOut(word, own, result, view), mask=Tensor("bool", mask), value=Tensor(word, of(word, value)))


def function(family):
    """Functions of one element."""
    one = ["self"]
    real = dict(kind="real")
    anything = FLOATS + ["s32", "s8", "bool", "s64", "u8", "s16"]
    Elementwise("aclnnAbs", torch.abs, one, REAL[:-1], inplace=False).write_all(family)
    Elementwise("aclnnNeg", torch.neg, one, FLOATS + ["s32", "s64", "s8"]).write_all(family)
    Elementwise("aclnnSign", lambda a: torch.where(a.isnan(), a, torch.sign(a)) if a.dtype.is_floating_point else torch.sign(a), one,
                FLOATS + ["s32", "s64"], inplace=False, out="result").write_all(family)
    Elementwise("aclnnReciprocal", torch.reciprocal, one, anything, domain="nonzero", **real).write_all(family)
    Elementwise("aclnnExp", torch.exp, one, FLOATS + ["s64", "bool"], **real).write_all(family)
    Elementwise("aclnnExp2", torch.exp2, one, anything, **real).write_all(family)
    Elementwise("aclnnExpm1", torch.expm1, one, SINGLE + ["s64", "bool"], **real).write_all(family)
    for name, f in (("Log", torch.log), ("Log2", torch.log2), ("Log1p", torch.log1p), ("Sqrt", torch.sqrt), ("Rsqrt", torch.rsqrt)):
        Elementwise(f"aclnn{name}", f, one, anything, domain="positive", inplace="self" if name == "Sqrt" else True, **real).write_all(family)
    Elementwise("aclnnSin", torch.sin, one, anything, **real).write_all(family)
    Elementwise("aclnnCos", torch.cos, ["input"], anything, inplace="inputRef", **real).write_all(family)
    Elementwise("aclnnErf", torch.erf, one, FLOATS + ["s64", "bool"], **real).write_all(family)
    Elementwise("aclnnFloor", torch.floor, one, FLOATS + INTEGERS).write_all(family)
    Elementwise("aclnnCeil", torch.ceil, one, FLOATS).write_all(family)
    Elementwise("aclnnTrunc", torch.trunc, one, SINGLE).write_all(family)
    Elementwise("aclnnRound", torch.round, one, FLOATS + ["s32", "s64"]).write_all(family)
    case(family, "aclnnRound", self=Tensor("f32", of("f32", [0.5, 1.5, 2.5, -0.5, -1.5])), out=Out("f32", of("f32", [0.0, 2.0, 2.0, 0.0, -2.0])))
    special = of("f32", [float("nan"), float("inf"), float("-inf"), 1.5])
    case(family, "aclnnNanToNum", self=Tensor("f32", special), nan=0.5, posinf=9, neginf=-9, out=Out("f32", of("f32", [0.5, 9, -9, 1.5])))
    case(family, "aclnnInplaceNanToNum", selfRef=InOut("f16", special.half(), of("f16", [0.5, 9, -9, 1.5])), nan=0.5, posinf=9, neginf=-9)
    case(family, "aclnnNanToNum", self=Tensor("s8", of("s8", [1, -5])), nan=0.5, posinf=9, neginf=-9, out=Out("s8", of("s8", [1, -5])))
    words = ["f32", "f16", "bf16", "f64", "s8", "s16", "s32", "s64", "u8", "bool"]
    for index, (source, to) in enumerate(itertools.product(words, words)):
        if not LARGE and (index * 7) % 4:
            continue
        data = numbers(source, [2, 3], "positive" if to in ("u8", "bool") else "any")
        result = data.to(torch.float64).to(TORCH[to]) if to in FLOATS else wide(data)
        case(family, "aclnnCast", self=Tensor(source, data, ["", "transposed", "gaps"][index % 3]), dtype=to, out=Out(to, result))
        case(family, "aclnnInplaceCopy", selfRef=InOut(to, numbers(to, [2, 2, 3]), result.expand(2, 2, 3), ["", "gaps", "transposed"][index % 3]), src=Tensor(source, data))


def activation(family):
    """Activations of neural networks."""
    F = torch.nn.functional
    one = ["self"]
    real = dict(kind="real", special=False)
    Elementwise("aclnnRelu", torch.relu, one, SINGLE + ["s8", "s32", "s64"]).write_all(family)
    Elementwise("aclnnLeakyRelu", F.leaky_relu, one, SINGLE, [("negativeSlope", [("f32", 0.25)])], **real).write_all(family)
    Elementwise("aclnnElu", lambda a, s, t, u: torch.where(a > 0, t * a, t * s * torch.expm1(u * a)), one, SINGLE,
                [("alpha", [("f32", 1.5)]), ("scale", [("f32", 0.75)]), ("inputScale", [("f32", 0.5)])], **real).write_all(family)
    Elementwise("aclnnThreshold", lambda a, s, t: torch.where(a > s, a, torch.tensor(t).to(a.dtype)), one, SINGLE + INTEGERS,
                [("threshold", [("s32", 1)]), ("value", [("s32", 2)])], special=False).write_all(family)
    Elementwise("aclnnSigmoid", torch.sigmoid, one, SINGLE, kind="real").write_all(family)
    Elementwise("aclnnTanh", torch.tanh, one, SINGLE + INTEGERS + ["bool"], kind="real").write_all(family)
    Elementwise("aclnnSilu", F.silu, one, SINGLE, inplace=False, **real).write_all(family)
    Elementwise("aclnnMish", F.mish, one, SINGLE, **real).write_all(family)
    Elementwise("aclnnGelu", lambda a: F.gelu(a, approximate="tanh"), one, SINGLE, inplace=False, **real).write_all(family)
    for word, way in itertools.product(SINGLE, (0, 1)):
        data = numbers(word, [2, 3])
        case(family, "aclnnGeluV2", x=Tensor(word, data), approximate=way, y=Out(word, F.gelu(wide(data), approximate=["none", "tanh"][way])))
    Elementwise("aclnnSoftplus", lambda a, s, t: F.softplus(a, s, t), one, SINGLE, [("beta", [("f32", 1.5)]), ("threshold", [("f32", 3.0)])],
                inplace=False, **real).write_all(family)
    Elementwise("aclnnHardswish", F.hardswish, one, SINGLE, inplace="self", **real).write_all(family)
    Elementwise("aclnnHardsigmoid", F.hardsigmoid, one, SINGLE, inplace="self", **real).write_all(family)
    case(family, "aclnnHardsigmoid", self=Tensor("s32", of("s32", [-9, 0, 2, 5])), out=Out("s32", of("s32", [0, 0, 0, 1])))

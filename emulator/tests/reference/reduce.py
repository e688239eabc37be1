"""Cases of operators that reduce, normalize and multiply."""

import itertools

import torch

from form import (FLOATS, INTEGERS, SINGLE, InOut, Out, Raw, Scalar, Tensor, TORCH, case, is_float, numbers, of, promote, wide)

VIEWS = ["", "transposed", "gaps"]
OVER = [([0], False), ([1], True), ([], False), ([0, -1], True), ([-1], False)]


def over(data, dims):
    """The dimensions that are reduced."""
    return dims if dims else list(range(data.dim()))


def cases(types, shapes=((2, 3, 2),), extra=()):
    """Combinations of a data type, a view and dimensions; each type appears."""
    for index, word in enumerate(types):
        for turn in range(1 + index % 2):
            dims, keeps = OVER[(2 * index + turn) % len(OVER)]
            yield word, VIEWS[(index + turn) % 3], dims, keeps, shapes[0]
    for word, dims, keeps, shape in extra:
        yield word, "", dims, keeps, shape


def reduce(family):
    """Sums, means, extremes, norms."""
    real = FLOATS + INTEGERS + ["bool"]
    whole = lambda word: word if is_float(word) else "s64"
    empty = [("f32", [0], False, (0, 3)), ("s32", [1], True, (2, 0))]
    for word, view, dims, keeps, shape in cases(real, extra=empty + [("f32", [], False, ())]):
        data = numbers(word, shape)
        to = whole(word) if view else word
        result = wide(data).sum(over(data, dims), keepdim=keeps) if data.dim() else wide(data)
        if word == "bool" and to == "bool":
            result = (result != 0)
        case(family, "aclnnReduceSum", self=Tensor(word, data, view), dims=dims, keepDims=keeps, dtype=to, out=Out(to, result))
    for word, view, dims, keeps, shape in cases(FLOATS, extra=[("f32", [0], False, (0, 3))]):
        data = numbers(word, shape)
        case(family, "aclnnMean", self=Tensor(word, data, view), dim=dims, keepDim=keeps, dtype=word, out=Out(word, wide(data).mean(over(data, dims), keepdim=keeps)))
    data = numbers("s32", (2, 3))
    case(family, "aclnnMean", self=Tensor("s32", data), dim=[1], keepDim=False, dtype="f32", out=Out("f32", wide(data).double().mean(1)))
    for name, function in (("Amax", torch.amax), ("Amin", torch.amin)):
        for word, view, dims, keeps, shape in cases(real):
            data = numbers(word, shape)
            case(family, f"aclnn{name}", self=Tensor(word, data, view), dim=dims, keepDim=keeps, out=Out(word, function(wide(data), over(data, dims), keepdim=keeps)))
        nan = of("f32", [[1.0, float("nan")], [3.0, 2.0]])
        case(family, f"aclnn{name}", self=Tensor("f32", nan), dim=[1], keepDim=False, out=Out("f32", function(nan.double(), [1])))
        case(family, f"aclnn{name}", code=161002, self=Tensor("f32", numbers("f32", (2, 0))), dim=[1], keepDim=False, out=Out("f32", of("f32", [0.0, 0.0])))
    for name, function in (("Max", torch.max), ("Min", torch.min)):
        for index, word in enumerate(real):
            data = numbers(word, (2, 3))
            result = function(wide(data))
            case(family, f"aclnn{name}", self=Tensor(word, data, VIEWS[index % 3]), out=Out(word, result if index % 2 else result.reshape(1)))
    for name, function, types in (("All", torch.all, ["bool", "u8"]), ("Any", torch.any, ["bool"])):
        for index, (word, view, dims, keeps, shape) in enumerate(cases(real, extra=[("f32", [0], False, (0, 3))])):
            data = numbers(word, shape) if index % 3 else torch.zeros(shape).to(TORCH[word])
            result = wide(data) != 0
            for dim in sorted((dim % data.dim() for dim in over(data, dims)), reverse=True):
                result = function(result, dim, keepdim=keeps)
            to = types[index % len(types)]
            case(family, f"aclnn{name}", self=Tensor(word, data, view), dim=dims, keepdim=keeps, out=Out(to, result))
    for word, view, dims, keeps, shape in cases(SINGLE, extra=[("f32", [1], False, (2, 1)), ("f32", [0], False, (0, 2))]):
        data = numbers(word, shape)
        for unbiased in (True, False):
            case(family, "aclnnVar", self=Tensor(word, data, view), dim=dims, unbiased=unbiased, keepdim=keeps,
                 out=Out(word, torch.var(wide(data), over(data, dims), correction=int(unbiased), keepdim=keeps)))
        case(family, "aclnnStd", self=Tensor(word, data, view), dim=dims if dims else None, correction=1, keepdim=keeps,
             out=Out(word, torch.std(wide(data), over(data, dims), correction=1, keepdim=keeps)))
        if data.numel() > 2:
            for order in ((2.0, 0.0) if keeps else (1.0, 3.5, float("inf"), float("-inf"))):
                case(family, "aclnnNorm", self=Tensor(word, data, view), pScalar=Raw(f"=f32({order})"), dim=dims, keepdim=keeps,
                     out=Out(word, torch.linalg.vector_norm(wide(data), order, over(data, dims), keepdim=keeps)))
    for word, view, dims, keeps, shape in cases(SINGLE + ["s32", "bool"]):
        data = numbers(word, shape)
        to = word if is_float(word) else "f32"
        case(family, "aclnnLogSumExp", self=Tensor(word, data, view), dim=dims, keepDim=keeps, out=Out(to, torch.logsumexp(wide(data).double(), over(data, dims), keepdim=keeps)))
    case(family, "aclnnLogSumExp", self=Tensor("f32", of("f32", [[float("-inf"), float("-inf")], [float("inf"), 1.0], [200.0, 200.0]])), dim=[1], keepDim=False,
         out=Out("f32", of("f64", [float("-inf"), float("inf"), 200.69314718055995])))
    for index, word in enumerate(FLOATS + INTEGERS):
        data = numbers(word, (2, 3), "small")
        view = VIEWS[index % 3]
        dim = [0, 1, -1][index % 3]
        case(family, "aclnnCumsum", self=Tensor(word, data, view), dim=dim, dtype=word, out=Out(word, torch.cumsum(wide(data), dim), VIEWS[(index + 1) % 3]))
        case(family, "aclnnProd", self=Tensor(word, data, view), dtype=word, out=Out(word, torch.prod(wide(data)).reshape(1)))
        case(family, "aclnnProdDim", self=Tensor(word, data, view), dim=dim, keepDim=bool(index % 2), dtype=word, out=Out(word, torch.prod(wide(data), dim, keepdim=bool(index % 2))))
        for name, function in (("ArgMax", torch.argmax), ("ArgMin", torch.argmin)):
            plain = torch.tensor(sorted(set(numbers(word, (40,), "positive").double().tolist()))[:6] + [0.0] * 6)[:6]
            plain = plain[torch.randperm(6, generator=torch.Generator().manual_seed(index))].reshape(2, 3).to(TORCH[word])
            case(family, f"aclnn{name}", self=Tensor(word, plain, view), dim=dim, keepdim=bool(index % 2), out=Out(["s64", "s32"][index % 2], function(wide(plain), dim, keepdim=bool(index % 2))))
    nan = of("f32", [1.0, float("nan"), 3.0, float("nan")])
    case(family, "aclnnArgMax", self=Tensor("f32", nan), dim=0, keepdim=False, out=Out("s64", of("s64", 1)))
    case(family, "aclnnArgMin", self=Tensor("f32", of("f32", [2.0, 2.0, 1.0, 1.0])), dim=-1, keepdim=False, out=Out("s64", of("s64", 2)))
    for index, word in enumerate(SINGLE + ["s64"]):
        data = torch.arange(12.0)[torch.randperm(12, generator=torch.Generator().manual_seed(index))].reshape(2, 3, 2).to(TORCH[word])
        for name, function in (("MaxDim", torch.max), ("MinDim", torch.min)):
            keeps = bool(index % 2)
            values, places = function(wide(data), index % 3, keepdim=keeps)
            case(family, f"aclnn{name}", self=Tensor(word, data, VIEWS[index % 3]), dim=index % 3, keepdim=keeps, out=Out(word, values), indices=Out("s32", places))
    for word in SINGLE:
        left, right = numbers(word, (2, 3)), numbers(word, (3,))
        squares = (wide(left) - wide(right)) ** 2
        for reduction, result in enumerate((squares, squares.mean(), squares.sum())):
            case(family, "aclnnMseLoss", self=Tensor(word, left), target=Tensor(word, right), reduction=reduction, out=Out(word, result))
    for word in SINGLE + ["s8", "s32", "u8"]:
        left, right = numbers(word, (5,), "small"), numbers(word, (5,), "small")
        case(family, "aclnnDot", self=Tensor(word, left, "gaps"), tensor=Tensor(word, right), out=Out(word, (wide(left) * wide(right)).sum()))
    for word, dim in zip(SINGLE, (0, 1, -1)):
        data = numbers(word, (2, 4, 2))
        one, other = wide(data).chunk(2, dim)
        case(family, "aclnnSwiGlu", x=Tensor(word, data), dim=dim, out=Out(word, torch.nn.functional.silu(one) * other))
        for way, left in itertools.product((0, 1), (True, False)):
            active, rest = (one, other) if left else (other, one)
            gelu = torch.nn.functional.gelu(active, approximate=["none", "tanh"][way])
            case(family, "aclnnGeGluV3", self=Tensor(word, data, "gaps"), dim=dim, approximate=way, activateLeft=left, out=Out(word, gelu.to(TORCH[word]).double() * rest), outGelu=Out(word, gelu))
    bad = Tensor("f32", numbers("f32", (2, 3)))
    good = Out("f32", numbers("f32", (2,)))
    case(family, "aclnnReduceSum", code=161001, self=None, dims=[1], keepDims=False, dtype="f32", out=good)
    case(family, "aclnnReduceSum", code=161001, self=bad, dims=None, keepDims=False, dtype="f32", out=good)
    case(family, "aclnnReduceSum", code=161002, self=bad, dims=[1], keepDims=False, dtype="f16", out=good)
    case(family, "aclnnReduceSum", code=161002, self=bad, dims=[1, 1], keepDims=False, dtype="f32", out=good)
    case(family, "aclnnReduceSum", code=161002, self=bad, dims=[2], keepDims=False, dtype="f32", out=good)
    case(family, "aclnnReduceSum", code=161002, self=bad, dims=[1], keepDims=True, dtype="f32", out=good)
    case(family, "aclnnMean", code=161002, self=bad, dim=[1], keepDim=False, dtype="s32", out=Out("s32", of("s32", [1, 1])))
    case(family, "aclnnVar", code=161002, self=Raw("=f64[2,3]:1,2,3,4,5,6"), dim=[1], unbiased=True, keepdim=False, out=good)
    case(family, "aclnnArgMax", code=161002, self=bad, dim=2, keepdim=False, out=Out("s64", of("s64", [1, 1])))
    case(family, "aclnnArgMax", code=161002, self=bad, dim=1, keepdim=False, out=good)
    case(family, "aclnnCumsum", code=161002, self=bad, dim=1, dtype="f16", out=Out("f32", numbers("f32", (2, 3))))
    case(family, "aclnnSwiGlu", code=161002, x=bad, dim=1, out=good)


def normalize(family):
    """Softmax and norms."""
    F = torch.nn.functional
    special = of("f32", [[float("-inf"), 1.0, 2.0], [1e30, 1.0, float("-inf")], [float("nan"), 1.0, 2.0]])
    for index, word in enumerate(FLOATS):
        data = numbers(word, (2, 3, 2))
        dim = [0, 1, -1, 2][index]
        for name, function in (("Softmax", F.softmax), ("LogSoftmax", F.log_softmax)):
            case(family, f"aclnn{name}", self=Tensor(word, data, VIEWS[index % 3]), dim=dim, out=Out(word, function(wide(data), dim), VIEWS[(index + 1) % 3]))
    for name, function in (("Softmax", F.softmax), ("LogSoftmax", F.log_softmax)):
        case(family, f"aclnn{name}", self=Tensor("f32", special), dim=1, out=Out("f32", function(special.double(), 1)))
        case(family, f"aclnn{name}", self=Tensor("f32", numbers("f32", (0, 3))), dim=7, out=Out("f32", numbers("f32", (0, 3))))
        case(family, f"aclnn{name}", code=161002, self=Tensor("f32", special), dim=2, out=Out("f32", special))
        case(family, f"aclnn{name}", code=161002, self=Tensor("s32", of("s32", [1])), dim=0, out=Out("f32", of("f32", [1.0])))
        case(family, f"aclnn{name}", code=161001, self=None, dim=0, out=Out("f32", of("f32", [1.0])))
    for word in SINGLE:
        features, labels = numbers(word, (2, 4)), numbers(word, (2, 4), "positive")
        logarithms = F.log_softmax(wide(features), 1)
        case(family, "aclnnSoftmaxCrossEntropyWithLogits", features=Tensor(word, features), labels=Tensor(word, labels), loss=Out(word, -(wide(labels) * logarithms).sum(1)),
             backprop=Out(word, logarithms.exp() - wide(labels)))
        data, other = numbers(word, (2, 3, 4)), numbers(word, (2, 3, 4))
        gamma, beta = numbers(word, (4,)), numbers(word, (4,))
        mean = wide(data).mean(2, keepdim=True)
        rstd = (wide(data).var(2, correction=0, keepdim=True) + 1e-5).rsqrt()
        plain = (wide(data) - mean) * rstd
        case(family, "aclnnLayerNorm", input=Tensor(word, data, "gaps"), normalizedShape=[4], weightOptional=Tensor(word, gamma), biasOptional=Tensor(word, beta), eps=1e-5,
             out=Out(word, plain * wide(gamma) + wide(beta)), meanOutOptional=Out(word, mean), rstdOutOptional=Out(word, rstd))
        case(family, "aclnnLayerNorm", input=Tensor(word, data), normalizedShape=[3, 4], weightOptional=None, biasOptional=None, eps=1e-5,
             out=Out(word, F.layer_norm(wide(data), (3, 4))), meanOutOptional=None, rstdOutOptional=None)
        root = (wide(data).pow(2).mean(2, keepdim=True) + 1e-6).rsqrt()
        case(family, "aclnnRmsNorm", x=Tensor(word, data, "transposed"), gamma=Tensor(word, gamma), epsilon=1e-6, yOut=Out(word, wide(data) * root * wide(gamma)), rstdOut=Out("f32", root))
        added = wide(data) + wide(other)
        root = (added.pow(2).mean(2, keepdim=True) + 1e-6).rsqrt()
        case(family, "aclnnAddRmsNorm", x1=Tensor(word, data), x2=Tensor(word, other), gamma=Tensor(word, gamma), epsilon=1e-6, yOut=Out(word, added * root * wide(gamma)), rstdOut=Out("f32", root), xOut=Out(word, added))
        mean, rstd = added.mean(2, keepdim=True), (added.var(2, correction=0, keepdim=True) + 1e-5).rsqrt()
        case(family, "aclnnAddLayerNorm", x1=Tensor(word, data), x2=Tensor(word, other), gamma=Tensor(word, gamma), beta=Tensor(word, beta), biasOptional=None, epsilon=1e-5, additionalOutput=True,
             yOut=Out(word, (added - mean) * rstd * wide(gamma) + wide(beta)), meanOut=Out("f32", mean), rstdOut=Out("f32", rstd), xOut=Out(word, added))
        biased = added + wide(beta)
        mean, rstd = biased.mean(2, keepdim=True), (biased.var(2, correction=0, keepdim=True) + 1e-5).rsqrt()
        case(family, "aclnnAddLayerNorm", x1=Tensor(word, data), x2=Tensor(word, other), gamma=Tensor(word, gamma), beta=Tensor(word, beta), biasOptional=Tensor(word, beta), epsilon=1e-5, additionalOutput=True,
             yOut=Out(word, (biased - mean) * rstd * wide(gamma) + wide(beta)), meanOut=Out("f32", mean), rstdOut=Out("f32", rstd), xOut=Out(word, biased))
        image = numbers(word, (2, 4, 2, 2))
        groups = wide(image).reshape(2, 2, -1)
        case(family, "aclnnGroupNorm", self=Tensor(word, image, "gaps"), gamma=Tensor(word, gamma), beta=Tensor(word, beta), N=2, C=4, HxW=4, group=2, eps=1e-5,
             out=Out(word, F.group_norm(wide(image), 2, wide(gamma), wide(beta))), meanOut=Out(word, groups.mean(2)), rstdOut=Out(word, (groups.var(2, correction=0) + 1e-5).rsqrt()))
        mean, variance = numbers(word, (4,)), numbers(word, (4,), "positive")
        for training in (True, False):
            after = [wide(mean), wide(variance)]
            result = F.batch_norm(wide(image), after[0], after[1], wide(gamma), wide(beta), training, 0.25, 1e-5)
            batch = wide(image).transpose(0, 1).reshape(4, -1)
            saved = [batch.mean(1), batch.var(1, correction=0)] if training else [of(word, [7.0] * 4)] * 2
            case(family, "aclnnBatchNorm", input=Tensor(word, image), weight=Tensor(word, gamma), bias=Tensor(word, beta), runningMean=InOut(word, mean, after[0]), runningVar=InOut(word, variance, after[1]),
                 training=training, momentum=0.25, eps=1e-5, output=Out(word, result), saveMean=Out(word, saved[0]), saveInvstd=Out(word, saved[1]))
    case(family, "aclnnGroupNorm", code=161002, self=Tensor("f32", numbers("f32", (2, 4, 3))), gamma=None, beta=None, N=2, C=4, HxW=3, group=3, eps=1e-5,
         out=Out("f32", numbers("f32", (2, 4, 3))), meanOut=Out("f32", numbers("f32", (2, 3))), rstdOut=Out("f32", numbers("f32", (2, 3))))
    case(family, "aclnnRmsNorm", code=161002, x=Tensor("f32", numbers("f32", (2, 4))), gamma=Tensor("f32", numbers("f32", (3,))), epsilon=1e-6, yOut=Out("f32", numbers("f32", (2, 4))), rstdOut=Out("f32", numbers("f32", (2, 1))))
    case(family, "aclnnLayerNorm", code=161002, input=Tensor("f32", numbers("f32", (2, 4))), normalizedShape=[3], weightOptional=None, biasOptional=None, eps=1e-5, out=Out("f32", numbers("f32", (2, 4))), meanOutOptional=None, rstdOutOptional=None)


def matmul(family):
    """Products of matrices."""
    def product(name, left, right, result, word, views=("", ""), names=("self", "mat2")):
        case(family, name, **{names[0]: Tensor(word, left, views[0]), names[1]: Tensor(word, right, views[1])}, out=Out(word, result, views[0] if result.dim() > 1 else ""), cubeMathType=0)

    for index, word in enumerate(SINGLE):
        views = ("transposed", "gaps") if index else ("", "transposed")
        for left, right in (((2, 3), (3, 4)), ((3,), (3,)), ((3,), (2, 3, 2)), ((2, 1, 2, 3), (2, 3, 2)), ((2, 3), (3,)), ((2, 0), (0, 3)), ((0, 2), (2, 3))):
            one, other = numbers(word, left), numbers(word, right)
            product("aclnnMatmul", one, other, torch.matmul(wide(one), wide(other)), word, views if len(left) == 2 else ("", ""))
        one, other = numbers(word, (3, 4)), numbers(word, (4, 2))
        product("aclnnMm", one, other, wide(one) @ wide(other), word, views)
        one, other = numbers(word, (2, 3, 4)), numbers(word, (1, 4, 2))
        product("aclnnBatchMatMul", one, other, wide(one) @ wide(other), word, views)
        one, other = numbers(word, (3, 4)), numbers(word, (4,))
        product("aclnnMv", one, other, wide(one) @ wide(other), word, views, ("self", "vec"))
        for own in ((2, 3), (3,), (1, 3)):
            base, one, other = numbers(word, own), numbers(word, (2, 4)), numbers(word, (4, 3))
            result = 0.5 * wide(base) + 2.0 * (wide(one) @ wide(other))
            case(family, "aclnnAddmm", self=Tensor(word, base), mat1=Tensor(word, one, views[0]), mat2=Tensor(word, other), beta=Scalar("f32", 0.5), alpha=Scalar("s32", 2), out=Out(word, result, views[1]), cubeMathType=0)
        case(family, "aclnnInplaceAddmm", selfRef=InOut(word, base.expand(2, 3).contiguous(), result), mat1=Tensor(word, one, views[0]), mat2=Tensor(word, other), beta=Scalar("f32", 0.5), alpha=Scalar("s32", 2), cubeMathType=0)
        nan = of(word, [[float("nan")] * 3] * 2)
        case(family, "aclnnAddmm", self=Tensor(word, nan), mat1=Tensor(word, one), mat2=Tensor(word, other), beta=Scalar("f32", 0.0), alpha=Scalar("f32", 1.0), out=Out(word, wide(one) @ wide(other)), cubeMathType=0)
        base, one, other = numbers(word, (2, 2, 3)), numbers(word, (2, 2, 4)), numbers(word, (2, 4, 3))
        result = 0.5 * wide(base) + 2.0 * (wide(one) @ wide(other))
        case(family, "aclnnBaddbmm", self=Tensor(word, base), batch1=Tensor(word, one), batch2=Tensor(word, other, views[1]), beta=Scalar("f32", 0.5), alpha=Scalar("s32", 2), out=Out(word, result), cubeMathType=0)
        case(family, "aclnnInplaceBaddbmm", selfRef=InOut(word, base, result), batch1=Tensor(word, one), batch2=Tensor(word, other), beta=Scalar("f32", 0.5), alpha=Scalar("s32", 2), cubeMathType=0)
    base = numbers("f32", (2, 3))
    case(family, "aclnnAddmm", self=Tensor("f32", base), mat1=Tensor("f32", numbers("f32", (2, 0))), mat2=Tensor("f32", numbers("f32", (0, 3))), beta=Scalar("f32", 0.5), alpha=Scalar("f32", 1.0), out=Out("f32", base * 0.5), cubeMathType=0)
    for word in ["f32", "f16", "f64", "s32", "u8", "bool"]:
        one, other = numbers(word, (3,)), numbers(word, (2,))
        case(family, "aclnnGer", self=Tensor(word, one, "gaps"), vec2=Tensor(word, other), out=Out(word, wide(one)[:, None] * wide(other)))
    for word, upper, transposed, unit in (("f32", True, False, False), ("f64", False, False, False), ("f32", True, True, True), ("f64", False, True, False)):
        matrix, right = numbers(word, (3, 3), "nonzero"), numbers(word, (2, 3, 2))
        triangle = torch.triu(wide(matrix)) if upper else torch.tril(wide(matrix))
        solved = torch.linalg.solve_triangular(triangle.T if transposed else triangle, wide(right), upper=upper != transposed, unitriangular=unit)
        case(family, "aclnnTriangularSolve", tolerance=1e-4 if word == "f32" else None, self=Tensor(word, right), A=Tensor(word, matrix), upper=upper, transpose=transposed, unitriangular=unit, xOut=Out(word, solved), mOut=Out(word, wide(matrix).expand(2, 3, 3)))
    good = lambda *shape: Tensor("f32", numbers("f32", shape))
    out = lambda *shape: Out("f32", numbers("f32", shape))
    for name, left, right, result, code in (("aclnnMatmul", good(2, 3), good(2, 3), out(2, 3), 161002), ("aclnnMm", good(1, 2, 3), good(3, 2), out(1, 2, 2), 161002), ("aclnnBatchMatMul", good(2, 3), good(3, 2), out(2, 2), 161002),
                                            ("aclnnMm", None, good(3, 2), out(2, 2), 161001),
                                            ("aclnnMatmul", Raw("=f64[1,1]:1"), Raw("=f64[1,1]:1"), Raw(">f64[1,1]:1"), 161002)):
        case(family, name, code=code, self=left, mat2=right, out=result, cubeMathType=0)
    one, other = numbers("f32", (2, 3)), numbers("bf16", (3, 2))
    case(family, "aclnnMatmul", self=Tensor("f32", one), mat2=Tensor("bf16", other), out=Out("f32", wide(one) @ wide(other)), cubeMathType=0)
    case(family, "aclnnMm", code=161002, self=good(2, 3), mat2=good(3, 2), out=out(2, 2), cubeMathType=5)
    case(family, "aclnnAddmm", code=161002, self=good(4), mat1=good(2, 3), mat2=good(3, 2), beta=Scalar("f32", 1.0), alpha=Scalar("f32", 1.0), out=out(2, 2), cubeMathType=0)

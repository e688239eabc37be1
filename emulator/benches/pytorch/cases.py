"""Operators with operands of usual sizes, and what computes the same in PyTorch.

A case is a name, the arguments of the operator in the order of C, and a function without arguments.
"""

import torch
import torch.nn.functional as F

HALF, SINGLE, LONG = torch.float16, torch.float32, torch.int64
CASES = []


def case(operator, what, arguments, twin):
    CASES.append((operator, what, arguments, twin))


def numbers(*shape, dtype=SINGLE):
    return torch.randn(shape).to(dtype)


def places(below, *shape):
    return torch.randint(0, below, shape)


def room(*shape, dtype=SINGLE):
    return torch.zeros(shape, dtype=dtype)


def each_element():
    n = 1 << 20
    x, y, z = numbers(n), numbers(n), numbers(n)
    p, q = x.abs() + 0.1, y.abs() + 0.1
    xh, yh = x.half(), y.half()
    i, j = places(1000, n), places(1000, n) + 1
    b, c = x > 0, y > 0
    o, oh, ob = room(n), room(n, dtype=HALF), room(n, dtype=torch.bool)
    case("aclnnAdd", "f32", [x, y, 1.0, o], lambda: x + y)
    one = x[:1].clone()
    case("aclnnAdd", "f32, one element: the calls alone", [one, one, 1.0, room(1)], lambda: one + one)
    case("aclnnAdd", "f16", [xh, yh, 1.0, oh], lambda: xh + yh)
    case("aclnnAdds", "f32", [x, 2.0, 1.0, o], lambda: x + 2)
    case("aclnnSub", "f32", [x, y, 1.0, o], lambda: x - y)
    case("aclnnMul", "f32", [x, y, o], lambda: x * y)
    case("aclnnMuls", "f16", [xh, 2.0, oh], lambda: xh * 2)
    case("aclnnMul", "f32, a row for each", [x.view(1024, 1024), y[:1024], o.view(1024, 1024)],
         lambda: x.view(1024, 1024) * y[:1024])
    case("aclnnDiv", "f32", [x, q, o], lambda: x / q)
    case("aclnnDivMod", "f32, trunc", [x, q, 1, o], lambda: torch.div(x, q, rounding_mode="trunc"))
    case("aclnnFloorDivide", "s64", [i, j, room(n, dtype=LONG)], lambda: i // j)
    case("aclnnRemainderTensorTensor", "f32", [x, q, o], lambda: torch.remainder(x, q))
    case("aclnnFmodTensor", "f32", [x, q, o], lambda: torch.fmod(x, q))
    case("aclnnPowTensorTensor", "f32", [p, y, o], lambda: p ** y)
    case("aclnnPowTensorScalar", "f32, 2", [x, 2.0, o], lambda: x ** 2)
    case("aclnnPowScalarTensor", "f32", [2.0, y, o], lambda: torch.pow(2.0, y))
    case("aclnnAddcmul", "f32", [x, y, z, 2.0, o], lambda: torch.addcmul(x, y, z, value=2))
    case("aclnnAddcdiv", "f32", [x, y, q, 2.0, o], lambda: torch.addcdiv(x, y, q, value=2))
    case("aclnnMaximum", "f32", [x, y, o], lambda: torch.maximum(x, y))
    case("aclnnClamp", "f32", [x, -1.0, 1.0, o], lambda: x.clamp(-1, 1))
    case("aclnnEqTensor", "f32", [x, y, ob], lambda: x == y)
    case("aclnnGtScalar", "f32", [x, 0.5, ob], lambda: x > 0.5)
    case("aclnnLeTensor", "s64", [i, j, ob], lambda: i <= j)
    case("aclnnLogicalAnd", "bool", [b, c, ob], lambda: b & c)
    case("aclnnLogicalNot", "bool", [b, ob], lambda: ~b)
    case("aclnnBitwiseAndTensor", "s64", [i, j, room(n, dtype=LONG)], lambda: i & j)
    case("aclnnBitwiseNot", "s64", [i, room(n, dtype=LONG)], lambda: ~i)
    case("aclnnIsFinite", "f32", [x, ob], lambda: torch.isfinite(x))
    case("aclnnEqual", "f32", [x, x.clone(), room(1, dtype=torch.bool)], lambda: x.equal(x.clone()))
    case("aclnnSWhere", "f32", [b, x, y, o], lambda: torch.where(b, x, y))
    for name, of, twin in [
            ("Abs", x, torch.abs), ("Neg", x, torch.neg), ("Sign", x, torch.sign), ("Reciprocal", p, torch.reciprocal),
            ("Exp", x, torch.exp), ("Exp2", x, torch.exp2), ("Expm1", x, torch.expm1), ("Log", p, torch.log),
            ("Log2", p, torch.log2), ("Log1p", p, torch.log1p), ("Sqrt", p, torch.sqrt), ("Rsqrt", p, torch.rsqrt),
            ("Sin", x, torch.sin), ("Cos", x, torch.cos), ("Erf", x, torch.erf), ("Floor", x, torch.floor),
            ("Ceil", x, torch.ceil), ("Trunc", x, torch.trunc), ("Round", x, torch.round), ("Relu", x, torch.relu),
            ("Sigmoid", x, torch.sigmoid), ("Tanh", x, torch.tanh), ("Silu", x, F.silu), ("Mish", x, F.mish),
            ("Gelu", x, F.gelu), ("Hardswish", x, F.hardswish), ("Hardsigmoid", x, F.hardsigmoid)]:
        case(f"aclnn{name}", "f32", [of, o], lambda of=of, twin=twin: twin(of))
    for name, twin in [("Exp", torch.exp), ("Tanh", torch.tanh), ("Gelu", F.gelu), ("Sigmoid", torch.sigmoid)]:
        case(f"aclnn{name}", "f16", [xh, oh], lambda twin=twin: twin(xh))
    case("aclnnNanToNum", "f32", [x, 0.0, 1.0, -1.0, o], lambda: torch.nan_to_num(x, 0, 1, -1))
    case("aclnnCast", "f32 to f16", [x, HALF, oh], lambda: x.half())
    case("aclnnCast", "f16 to f32", [xh, SINGLE, o], lambda: xh.float())
    case("aclnnCast", "s64 to f32", [i, SINGLE, o], lambda: i.float())
    case("aclnnCast", "f32 to s32", [x, torch.int32, room(n, dtype=torch.int32)], lambda: x.int())
    case("aclnnLeakyRelu", "f32", [x, 0.1, o], lambda: F.leaky_relu(x, 0.1))
    case("aclnnElu", "f32", [x, 1.0, 1.0, 1.0, o], lambda: F.elu(x))
    case("aclnnThreshold", "f32", [x, 0.5, 0.0, o], lambda: F.threshold(x, 0.5, 0.0))
    case("aclnnGeluV2", "f32, tanh", [x, 1, o], lambda: F.gelu(x, approximate="tanh"))
    case("aclnnSoftplus", "f32", [x, 1.0, 20.0, o], lambda: F.softplus(x))
    w = x.view(1024, 1024)
    case("aclnnSwiGlu", "f32", [w, 1, room(1024, 512)], lambda: F.silu(w[:, :512]) * w[:, 512:])
    case("aclnnGeGluV3", "f32", [w, 1, 0, True, room(1024, 512), room(1024, 512)],
         lambda: F.gelu(w[:, :512]) * w[:, 512:])


def reductions():
    x, h = numbers(1024, 1024), numbers(1024, 1024, dtype=HALF)
    t = numbers(64, 64, 256)
    i = places(1000, 1024, 1024)
    rows = room(1024)
    for name, dim in [("rows", 1), ("columns", 0)]:
        case("aclnnReduceSum", f"f32, {name}", [x, [dim], False, SINGLE, rows], lambda dim=dim: x.sum(dim))
        case("aclnnReduceSum", f"f16, {name}", [h, [dim], False, HALF, room(1024, dtype=HALF)],
             lambda dim=dim: h.sum(dim))
        case("aclnnMean", f"f32, {name}", [x, [dim], False, SINGLE, rows], lambda dim=dim: x.mean(dim))
        case("aclnnAmax", f"f32, {name}", [x, [dim], False, rows], lambda dim=dim: x.amax(dim))
        case("aclnnMaxDim", f"f32, {name}", [x, dim, False, rows, room(1024, dtype=LONG)], lambda dim=dim: x.max(dim))
        case("aclnnArgMax", f"f32, {name}", [x, dim, False, room(1024, dtype=LONG)], lambda dim=dim: x.argmax(dim))
        case("aclnnVar", f"f32, {name}", [x, [dim], True, False, rows], lambda dim=dim: x.var(dim))
        case("aclnnNorm", f"f32, {name}", [x, 2.0, [dim], False, rows], lambda dim=dim: x.norm(2, dim))
        case("aclnnLogSumExp", f"f32, {name}", [x, [dim], False, rows], lambda dim=dim: x.logsumexp(dim))
        case("aclnnCumsum", f"f32, {name}", [x, dim, SINGLE, room(1024, 1024)], lambda dim=dim: x.cumsum(dim))
        case("aclnnSoftmax", f"f32, {name}", [x, dim, room(1024, 1024)], lambda dim=dim: x.softmax(dim))
        case("aclnnLogSoftmax", f"f32, {name}", [x, dim, room(1024, 1024)], lambda dim=dim: x.log_softmax(dim))
        case("aclnnProdDim", f"f32, {name}", [x, dim, False, SINGLE, rows], lambda dim=dim: x.prod(dim))
        is_large = x > 3
        case("aclnnAny", f"bool, {name}", [is_large, [dim], False, room(1024, dtype=torch.bool)],
             lambda dim=dim, is_large=is_large: is_large.any(dim))
        case("aclnnReduceSum", f"s64, {name}", [i, [dim], False, LONG, room(1024, dtype=LONG)],
             lambda dim=dim: i.sum(dim))
    case("aclnnReduceSum", "f32, the middle", [t, [1], False, SINGLE, room(64, 256)], lambda: t.sum(1))
    case("aclnnReduceSum", "f32, all", [x, [], False, SINGLE, torch.tensor(0.0)], lambda: x.sum())
    case("aclnnMax", "f32", [x, torch.tensor(0.0)], lambda: x.max())
    case("aclnnStd", "f32", [x, [1], 1, False, rows], lambda: x.std(1))
    case("aclnnMseLoss", "f32", [x, x.flip(0).contiguous(), 1, torch.tensor(0.0)], lambda: F.mse_loss(x, x.flip(0)))
    v, w = numbers(1 << 20), numbers(1 << 20)
    case("aclnnDot", "f32", [v, w, torch.tensor(0.0)], lambda: v.dot(w))
    g, b = numbers(1024), numbers(1024)
    case("aclnnLayerNorm", "f32", [x, [1024], g, b, 1e-5, room(1024, 1024), None, None],
         lambda: F.layer_norm(x, [1024], g, b))
    case("aclnnRmsNorm", "f32", [x, g, 1e-5, room(1024, 1024), room(1024, 1)], lambda: F.rms_norm(x, [1024], g, 1e-5))
    case("aclnnAddRmsNorm", "f32", [x, x, g, 1e-5, room(1024, 1024), room(1024, 1), room(1024, 1024)],
         lambda: F.rms_norm(x + x, [1024], g, 1e-5))
    m, s = numbers(16, 64, 32, 32), numbers(64)
    case("aclnnGroupNorm", "f32", [m, s, s, 16, 64, 1024, 8, 1e-5, room(16, 64, 32, 32), room(16, 8), room(16, 8)],
         lambda: F.group_norm(m, 8, s, s))
    r = s.abs() + 0.1
    case("aclnnBatchNorm", "f32", [m, s, s, s.clone(), r, False, 0.1, 1e-5, room(16, 64, 32, 32), room(64), room(64)],
         lambda: F.batch_norm(m, s, r, s, s))
    f = numbers(256, 4096)
    l = f.flip(0).softmax(1)
    case("aclnnSoftmaxCrossEntropyWithLogits", "f32", [f, l, room(256), room(256, 4096)],
         lambda: (-(f.log_softmax(1) * l).sum(1), f.softmax(1) - l))


def moves():
    x, h, c = numbers(1024, 1024), numbers(1024, 1024, dtype=HALF), numbers(1024, 1024).to(torch.int8)
    t, o = numbers(32, 128, 8, 64), room(1024, 1024)
    case("aclnnPermute", "f32, 2 dimensions", [x, [1, 0], o], lambda: x.t().contiguous())
    case("aclnnPermute", "f16, 2 dimensions", [h, [1, 0], o.half()], lambda: h.t().contiguous())
    case("aclnnPermute", "s8, 2 dimensions", [c, [1, 0], o.to(torch.int8)], lambda: c.t().contiguous())
    case("aclnnPermute", "f32, heads", [t, [0, 2, 1, 3], room(32, 8, 128, 64)],
         lambda: t.permute(0, 2, 1, 3).contiguous())
    case("aclnnPermute", "f32, last first", [t, [3, 0, 1, 2], room(64, 32, 128, 8)],
         lambda: t.permute(3, 0, 1, 2).contiguous())
    case("aclnnCat", "f32, rows", [[x, x], 0, room(2048, 1024)], lambda: torch.cat([x, x], 0))
    case("aclnnCat", "f16, columns", [[h, h], 1, room(1024, 2048, dtype=HALF)], lambda: torch.cat([h, h], 1))
    case("aclnnStack", "f32", [[x, x], 0, room(2, 1024, 1024)], lambda: torch.stack([x, x]))
    case("aclnnSplitTensor", "f32, columns", [x, 256, 1, [room(1024, 256) for _ in range(4)]],
         lambda: [one.contiguous() for one in x.split(256, 1)])
    case("aclnnSlice", "f32, columns", [x, 1, 100, 900, 1, room(1024, 800)], lambda: x[:, 100:900].contiguous())
    case("aclnnSlice", "f32, each second", [x, 1, 0, 1024, 2, room(1024, 512)], lambda: x[:, ::2].contiguous())
    case("aclnnExpand", "f32, a row", [x[:1].contiguous(), [1024, 1024], o], lambda: x[:1].expand(1024, 1024).contiguous())
    case("aclnnExpand", "f32, a column", [x[:, :1].contiguous(), [1024, 1024], o],
         lambda: x[:, :1].expand(1024, 1024).contiguous())
    case("aclnnRepeat", "f32", [x[:256, :512].contiguous(), [4, 2], o], lambda: x[:256, :512].repeat(4, 2))
    case("aclnnRepeatInterleaveIntWithDim", "f32", [x[:256].contiguous(), 4, 0, 1024, o],
         lambda: x[:256].repeat_interleave(4, 0))
    case("aclnnFlip", "f32, rows", [x, [0], o], lambda: x.flip(0))
    case("aclnnFlip", "f32, columns", [x, [1], o], lambda: x.flip(1))
    case("aclnnRoll", "f32", [x, [100], [1], o], lambda: x.roll(100, 1))
    case("aclnnConstantPadNd", "f32", [x, [8, 8, 8, 8], 0.0, room(1040, 1040)], lambda: F.pad(x, (8, 8, 8, 8)))
    case("aclnnReflectionPad1d", "f32", [x, [8, 8], room(1024, 1040)], lambda: F.pad(x, (8, 8), mode="reflect"))
    case("aclnnTril", "f32", [x, 0, o], lambda: x.tril())
    case("aclnnTriu", "f16", [h, 0, o.half()], lambda: h.triu())
    case("aclnnArange", "f32", [0.0, 1048576.0, 1.0, room(1 << 20)], lambda: torch.arange(0.0, 1048576.0, 1.0))
    case("aclnnEye", "f32", [1024, 1024, o], lambda: torch.eye(1024))
    i = places(64, 4096)
    case("aclnnOneHot", "s64", [i, 64, torch.tensor([1]), torch.tensor([0]), -1, room(4096, 64, dtype=LONG)],
         lambda: F.one_hot(i, 64))
    case("aclnnSum", "f32", [[x, x, x], o], lambda: x + x + x)


def indices():
    table, wide = numbers(30000, 256), numbers(100000, 64)
    few, many = places(30000, 16), places(30000, 4096)
    case("aclnnEmbedding", "f32, 16 of 30000 rows", [table, few, room(16, 256)], lambda: F.embedding(few, table))
    case("aclnnEmbedding", "f32, 4096 of 30000 rows", [table, many, room(4096, 256)], lambda: F.embedding(many, table))
    case("aclnnGatherV2", "f32, 4096 rows of 64", [wide, 0, many, room(4096, 64)], lambda: wide[many])
    x, o = numbers(1024, 1024), room(1024, 1024)
    columns, at = places(1024, 512), places(1024, 1024, 1024)
    case("aclnnIndexSelect", "f32, rows", [x, 0, columns, room(512, 1024)], lambda: x.index_select(0, columns))
    case("aclnnIndexSelect", "f32, columns", [x, 1, columns, room(1024, 512)], lambda: x.index_select(1, columns))
    case("aclnnGather", "f32, rows", [x, 0, at, o], lambda: x.gather(0, at))
    case("aclnnGather", "f32, columns", [x, 1, at, o], lambda: x.gather(1, at))
    case("aclnnIndex", "f32, rows", [x, [columns], room(512, 1024)], lambda: x[columns])
    case("aclnnIndex", "f32, elements", [x, [at[0], at[1]], room(1024)], lambda: x[at[0], at[1]])
    v = numbers(512, 1024)
    once = torch.randperm(1024)[:512]
    case("aclnnIndexPutImpl", "f32, rows", [x.clone(), [once], v, False, False], lambda y=x.clone(): y.index_put_((once,), v))
    case("aclnnInplaceIndexCopy", "f32, rows", [x.clone(), 0, once, v], lambda y=x.clone(): y.index_copy_(0, once, v))
    case("aclnnInplaceIndexCopy", "f32, 16 of 30000 rows", [table.clone(), 0, few, v[:16, :256].contiguous()],
         lambda y=table.clone(), w=v[:16, :256].contiguous(): y.index_copy_(0, few, w))
    case("aclnnIndexAdd", "f32, rows", [x, 0, columns, v, 1.0, o], lambda: x.index_add(0, columns, v))
    case("aclnnScatter", "f32, columns", [x, 1, at, x.flip(0).contiguous(), 0, o], lambda: x.scatter(1, at, x.flip(0)))
    case("aclnnScatterAdd", "f32, columns", [x, 1, at, x, o], lambda: x.scatter_add(1, at, x))
    case("aclnnScatterNdUpdate", "f32, rows", [x.clone(), once.view(-1, 1), v],
         lambda y=x.clone(): y.index_copy_(0, once, v))
    case("aclnnInplaceIndexFillTensor", "f32, rows", [x.clone(), 0, once.tolist(), 1.0],
         lambda y=x.clone(): y.index_fill_(0, once, 1.0))
    l = numbers(256, 30000)
    case("aclnnTopk", "f32, 50 of 30000", [l, 50, 1, True, True, room(256, 50), room(256, 50, dtype=LONG)],
         lambda: l.topk(50))
    case("aclnnTopk", "f32, 8 of 1024", [x, 8, 1, True, True, room(1024, 8), room(1024, 8, dtype=LONG)],
         lambda: x.topk(8))
    s = numbers(256, 1024)
    i = room(256, 1024, dtype=LONG)
    case("aclnnSort", "f32, rows", [s, True, 1, False, room(256, 1024), i], lambda: s.sort(dim=1, stable=True))
    case("aclnnArgsort", "f32, rows", [s, 1, False, i], lambda: s.argsort(1))
    u = places(1000, 1 << 16)
    case("aclnnUnique2", "s64", [u, True, False, False, room(1 << 16, dtype=LONG), room(1 << 16, dtype=LONG),
                                 room(1 << 16, dtype=LONG)], lambda: u.unique())
    b = (s > 1).float()
    case("aclnnNonzero", "f32", [b, room(1 << 18, 2, dtype=LONG)], lambda: b.nonzero())
    m = s > 0
    case("aclnnMaskedSelect", "f32", [s, m, room(1 << 18)], lambda: s.masked_select(m))


def products():
    for size in [256, 512, 1024]:
        a, b = numbers(size, size), numbers(size, size)
        case("aclnnMatmul", f"f32, {size}", [a, b, room(size, size), 0], lambda a=a, b=b: a @ b)
        ah, bh = a.half(), b.half()
        case("aclnnMatmul", f"f16, {size}", [ah, bh, room(size, size, dtype=HALF), 0], lambda a=ah, b=bh: a @ b)
    a, b = numbers(512, 512), numbers(512, 512)
    case("aclnnMatmul", "f32, 512, right one transposed", [a, b.t(), room(512, 512), 0], lambda: a @ b.t())
    m = numbers(4096, 4096)
    r, h, mh = numbers(1, 4096), numbers(1, 4096, dtype=HALF), m.half()
    v = numbers(4096)
    case("aclnnMatmul", "f32, 1 x 4096 x 4096", [r, m, room(1, 4096), 0], lambda: r @ m)
    case("aclnnMatmul", "f32, 1 x 4096 x 4096, transposed", [r, m.t(), room(1, 4096), 0], lambda: r @ m.t())
    case("aclnnMatmul", "f16, 1 x 4096 x 4096", [h, mh, room(1, 4096, dtype=HALF), 0], lambda: h @ mh)
    case("aclnnMatmul", "f16, 1 x 4096 x 4096, transposed", [h, mh.t(), room(1, 4096, dtype=HALF), 0],
         lambda: h @ mh.t())
    case("aclnnMatmul", "f32, 4 x 4096 x 4096", [m[:4], m, room(4, 4096), 0], lambda: m[:4] @ m)
    case("aclnnMv", "f32, 4096 x 4096", [m, v, room(4096), 0], lambda: m.mv(v))
    t, u = numbers(64, 128, 64), numbers(64, 64, 128)
    case("aclnnBatchMatMul", "f32, 64 x 128 x 64 x 128", [t, u, room(64, 128, 128), 0], lambda: t.bmm(u))
    case("aclnnAddmm", "f32, 512", [b, a, b, 1.0, 1.0, room(512, 512), 0], lambda: torch.addmm(b, a, b))
    z = numbers(64, 128, 128)
    case("aclnnBaddbmm", "f32, 64 x 128 x 64 x 128", [z, t, u, 1.0, 1.0, room(64, 128, 128), 0],
         lambda: torch.baddbmm(z, t, u))
    p, q = numbers(1024), numbers(1024)
    case("aclnnGer", "f32", [p, q, room(1024, 1024)], lambda: p.ger(q))
    s = numbers(4, 64, 64) + 20 * torch.eye(64)
    d = numbers(4, 64, 64)
    case("aclnnTriangularSolve", "f32, 64", [d, s, True, False, False, room(4, 64, 64), room(4, 64, 64)],
         lambda: torch.linalg.solve_triangular(s, d, upper=True))


def images():
    def convolution(what, batch, given, size, results, kernel, stride=1, groups=1, bias=True, transposed=False):
        x = numbers(batch, given, size, size)
        w = numbers(given, results, kernel, kernel) if transposed else numbers(results, given // groups, kernel, kernel)
        b = numbers(results) if bias else None
        pad = kernel // 2
        if transposed:
            twin = lambda: F.conv_transpose2d(x, w, b, stride, pad)
        else:
            twin = lambda: F.conv2d(x, w, b, stride, pad, 1, groups)
        out = torch.zeros_like(twin())
        case("aclnnConvolution", what, [x, w, b, [stride] * 2, [pad] * 2, [1, 1], transposed, [0, 0], groups, out, 0], twin)

    convolution("f32, 1x1, 256 channels of 28^2", 1, 256, 28, 256, 1)
    convolution("f32, 3x3, 64 channels of 56^2", 1, 64, 56, 64, 3)
    convolution("f32, 3x3, 256 channels of 14^2", 1, 256, 14, 256, 3)
    convolution("f32, 7x7, step 2, 3 channels of 224^2", 1, 3, 224, 64, 7, 2)
    convolution("f32, 3x3, each of 128 channels of 56^2", 1, 128, 56, 128, 3, 1, 128)
    convolution("f32, 4x4 transposed, step 2, 64 channels of 28^2", 1, 64, 28, 64, 4, 2, transposed=True)
    x, w = numbers(1, 128, 56, 56), numbers(128, 1, 3, 3)
    case("aclnnConvDepthwise2d", "f32, 3x3", [x, w, [3, 3], None, [1, 1], [1, 1], [1, 1], room(1, 128, 56, 56), 0],
         lambda: F.conv2d(x, w, None, 1, 1, 1, 128))
    y = numbers(1, 64, 112, 112)
    case("aclnnIm2col", "f32, 3x3", [y, [3, 3], [1, 1], [1, 1], [1, 1], room(1, 576, 12544)],
         lambda: F.unfold(y, 3, 1, 1, 1))
    case("aclnnAvgPool2d", "f32, 2x2", [y, [2, 2], [2, 2], [0, 0], False, True, 0, 0, room(1, 64, 56, 56)],
         lambda: F.avg_pool2d(y, 2))
    case("aclnnAdaptiveAvgPool2d", "f32, to 1x1", [y, [1, 1], room(1, 64, 1, 1)], lambda: F.adaptive_avg_pool2d(y, 1))
    case("aclnnMaxPool", "f32, 3x3, step 2", [y, [3, 3], [2, 2], 0, [1, 1, 1, 1], [1, 1], 0, room(1, 64, 56, 56)],
         lambda: F.max_pool2d(y, 3, 2, 1))
    case("aclnnMaxPool2dWithIndices", "f32, 2x2", [y, [2, 2], [2, 2], [0, 0], [1, 1], False, room(1, 64, 56, 56),
                                                   room(1, 64, 56, 56, dtype=torch.int32)],
         lambda: F.max_pool2d(y, 2, return_indices=True)[0])
    case("aclnnUpsampleNearest2d", "f32", [x, [112, 112], room(1, 128, 112, 112)],
         lambda: F.interpolate(x, size=(112, 112), mode="nearest"))
    case("aclnnUpsampleBilinear2d", "f32", [x, [112, 112], False, 2.0, 2.0, room(1, 128, 112, 112)],
         lambda: F.interpolate(x, size=(112, 112), mode="bilinear"))


def attention():
    def score(what, heads, queries, keys, width, dtype=SINGLE):
        q = numbers(1, heads, queries, width, dtype=dtype)
        k, v = numbers(1, heads, keys, width, dtype=dtype), numbers(1, heads, keys, width, dtype=dtype)
        most = room(1, heads, queries, 8)
        case("aclnnFlashAttentionScore", what,
             [q, k, v, None, None, None, None, None, width ** -0.5, 1.0, 65536, 65536, heads, "BNSD", 0, 0, most,
              most.clone(), None, torch.zeros_like(q)],
             lambda: F.scaled_dot_product_attention(q, k, v))
        if dtype is HALF:
            case("aclnnPromptFlashAttentionV3" if queries > 1 else "aclnnIncreFlashAttentionV4", what,
                 [q, k, v] + [None] * 9 + [heads, width ** -0.5, 65536, 65536, "BNSD", heads, 0, 0, torch.zeros_like(q)]
                 if queries > 1 else
                 [q, [k], [v]] + [None] * 12 + [heads, width ** -0.5, "BNSD", heads, 0, 0, torch.zeros_like(q)],
                 lambda: F.scaled_dot_product_attention(q, k, v))

    score("f32, 8 heads, 512 x 512 x 64", 8, 512, 512, 64)
    score("f16, 8 heads, 128 x 128 x 128", 8, 128, 128, 128, HALF)
    score("f16, 32 heads, 1 x 2048 x 128", 32, 1, 2048, 128, HALF)
    x, cos, sin = numbers(1, 512, 16, 64), numbers(1, 512, 1, 64), numbers(1, 512, 1, 64)

    def turned():
        first, second = x.chunk(2, -1)
        return x * cos + torch.cat([-second, first], -1) * sin

    case("aclnnRotaryPositionEmbedding", "f32, halves", [x, cos, sin, 0, torch.zeros_like(x)], turned)


def training():
    n = 1 << 20
    x, m, v, g = numbers(n), room(n), room(n), numbers(n)
    y = x.clone().requires_grad_(True)
    y.grad = g
    adam = torch.optim.AdamW([y], lr=1e-3)
    case("aclnnApplyAdamWV2", "f32", [x, m, v, None, g, torch.tensor([1.0]), 1e-3, 0.9, 0.999, 0.01, 1e-8, False, False],
         adam.step)
    h, s = numbers(256, 2048, dtype=HALF), None
    case("aclnnDynamicQuant", "f16", [h, s, room(256, 2048, dtype=torch.int8), room(256)],
         lambda: (h / (h.abs().amax(1, keepdim=True) / 127)).round().to(torch.int8))
    e = numbers(1024, 64)
    case("aclnnMoeGatingTopKSoftmax", "f32", [e, None, 4, room(1024, 4), room(1024, 4, dtype=torch.int32),
                                              room(1024, 4, dtype=torch.int32)], lambda: e.softmax(1).topk(4))
    t, i = numbers(1024, 512), places(8, 1024, 2)
    case("aclnnMoeTokenPermute", "f32", [t.bfloat16(), i, 0, False, room(2048, 512, dtype=torch.bfloat16),
                                         room(2048, dtype=torch.int32)],
         lambda b=t.bfloat16(): b[i.flatten().argsort(stable=True) // 2])


def gradient(function, slope, *operands):
    """What computes the gradients of a function again and again, behind its result."""
    leaves = [one.detach().clone().requires_grad_(True) for one in operands]
    result = function(*leaves)
    return lambda: torch.autograd.grad(result, leaves, slope, retain_graph=True)


def samples():
    x, grid = numbers(4, 32, 64, 64), (torch.rand(4, 64, 64, 2) * 2 - 1)
    sampled = lambda a, b: F.grid_sample(a, b, "bilinear", "zeros", True)
    case("aclnnGridSampler2D", "f32, linear", [x, grid, 0, 0, True, room(4, 32, 64, 64)], lambda: sampled(x, grid))
    g = numbers(4, 32, 64, 64)
    case("aclnnGridSampler2DBackward", "f32, linear", [g, x, grid, 0, 0, True, [True, True], torch.zeros_like(x), torch.zeros_like(grid)], gradient(sampled, g, x, grid))
    volume, places_ = numbers(1, 8, 32, 32, 32), torch.rand(1, 32, 32, 32, 3) * 2 - 1
    case("aclnnGridSampler3D", "f32, linear", [volume, places_, 0, 0, True, room(1, 8, 32, 32, 32)], lambda: F.grid_sample(volume, places_, "bilinear", "zeros", True))
    c = numbers(1, 576, 12544)
    y = numbers(1, 64, 112, 112)
    case("aclnnIm2colBackward", "f32, 3x3", [c, [112, 112], [3, 3], [1, 1], [1, 1], [1, 1], room(1, 64, 112, 112)], lambda: F.fold(c, (112, 112), 3, 1, 1, 1))
    a, b = numbers(512, 64), numbers(512, 64)
    case("aclnnCdist", "f32", [a, b, 2.0, 0, room(512, 512)], lambda: torch.cdist(a, b, 2.0, "donot_use_mm_for_euclid_dist"))
    r = numbers(1024, 1024)
    case("aclnnRenorm", "f32", [r, 2.0, 0, 10.0, room(1024, 1024)], lambda: torch.renorm(r, 2.0, 0, 10.0))
    case("aclnnDiag", "f32", [r, 1, room(1023)], lambda: torch.diag(r, 1))
    case("aclnnVarCorrection", "f32", [r, [1], 1, False, room(1024)], lambda: r.var(1))
    p, q = numbers(1 << 18, 3), numbers(1 << 18, 3)
    case("aclnnLinalgCross", "f32", [p, q, -1, room(1 << 18, 3)], lambda: torch.linalg.cross(p, q))


def norms():
    x, g = numbers(8, 64, 32, 32), numbers(8, 64, 32, 32)
    w, b, mean, r = numbers(64), numbers(64), x.mean((0, 2, 3)), 1 / (x.var((0, 2, 3), correction=0) + 1e-5).sqrt()

    def figures():
        variance, middle = torch.var_mean(x, (0, 2, 3), correction=0)
        return middle, (variance + 1e-5).rsqrt()

    case("aclnnBatchNormStats", "f32", [x, 1e-5, room(64), room(64)], figures)
    case("aclnnBatchNormElemt", "f32", [x, w, b, mean, r, 1e-5, torch.zeros_like(x)], lambda: F.batch_norm(x, mean, 1 / r ** 2 - 1e-5, w, b))
    norm = lambda a: F.batch_norm(a, None, None, w, b, True)
    s, t = g.sum((0, 2, 3)), (g * (x - mean[:, None, None])).sum((0, 2, 3))
    case("aclnnBatchNormElemtBackward", "f32", [g, x, mean, r, w, s, t, torch.tensor([8192], dtype=torch.int32), torch.zeros_like(x)], gradient(norm, g, x))
    case("aclnnGroupNormSwish", "f32", [x, w, b, 8, "NCHW", 1e-5, True, 1.0, torch.zeros_like(x), room(8, 8), room(8, 8)], lambda: F.silu(F.group_norm(x, 8, w, b)))
    h, o, d, gamma = numbers(512, 1024), numbers(512, 1024), numbers(512, 1024), numbers(1024)
    total = h + o
    known = [1 / (total.var(1, correction=0, keepdim=True) + 1e-5).sqrt(), total.mean(1, keepdim=True)]
    layer = lambda a, c: F.layer_norm(a + o, (1024,), c, torch.zeros(1024), 1e-5)
    case("aclnnAddLayerNormGrad", "f32", [d, h, o, *known, gamma, None, torch.zeros_like(h), room(1024), room(1024)], gradient(layer, d, h, gamma))
    query, slope = numbers(1, 512, 16, 64), numbers(1, 512, 16, 64)
    cos, sin = numbers(1, 512, 1, 64), numbers(1, 512, 1, 64)
    turned = lambda a, p, q: a * p + torch.cat([-a[..., 32:], a[..., :32]], -1) * q
    case("aclnnRotaryPositionEmbeddingGrad", "f32, halves",
         [slope, cos, sin, query, 0, torch.zeros_like(query), torch.zeros_like(cos), torch.zeros_like(sin)],
         gradient(turned, slope, query, cos, sin))
    logs, targets = numbers(64, 8, 32).log_softmax(2), places(31, 8, 16) + 1
    steps, lengths = [64] * 8, [16] * 8
    case("aclnnCtcLoss", "f32", [logs, targets, steps, lengths, 0, False, room(8), room(8, 64, 33)], lambda: torch._ctc_loss(logs, targets, steps, lengths)[0])
    scores, wanted, weights = numbers(4, 21, 64, 64), places(21, 4, 64, 64), torch.ones(21)
    case("aclnnNLLLoss2d", "f32", [scores, wanted, weights, 1, -100, room(1), room(1)], lambda: F.nll_loss(scores, wanted, weights).reshape(1))


FAMILIES = [each_element, reductions, moves, indices, products, images, attention, training, samples, norms]

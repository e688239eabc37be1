"""Operators that training needs, and those that fewer programs call, as the cases of `cases.py` are."""

import torch
import torch.nn.functional as F

from cases import HALF, LONG, SINGLE, case, gradient, numbers, places, room

aten = torch.ops.aten


def losses():
    n = 1 << 20
    x, t, g = numbers(n), numbers(n), torch.tensor(1.0)
    p, q = x.sigmoid(), t.sigmoid()
    one, same = torch.tensor(0.0), torch.zeros_like(x)
    sign = torch.sign(t)
    case("aclnnL1Loss", "f32", [x, t, 1, one], lambda: F.l1_loss(x, t))
    case("aclnnSmoothL1Loss", "f32", [x, t, 1, 1.0, one], lambda: F.smooth_l1_loss(x, t))
    case("aclnnSoftMarginLoss", "f32", [x, sign, 1, one], lambda: F.soft_margin_loss(x, sign))
    case("aclnnKlDiv", "f32", [x, q, 1, False, one], lambda: aten.kl_div(x, q, 1))
    case("aclnnBinaryCrossEntropy", "f32", [p, q, None, 1, one], lambda: F.binary_cross_entropy(p, q))
    case("aclnnBinaryCrossEntropyWithLogits", "f32", [x, q, None, None, 1, one],
         lambda: F.binary_cross_entropy_with_logits(x, q))
    case("aclnnL1LossBackward", "f32", [g, x, t, 1, same], gradient(lambda a: F.l1_loss(a, t), g, x))
    case("aclnnMseLossBackward", "f32", [g, x, t, 1, same], lambda: aten.mse_loss_backward(g, x, t, 1))
    case("aclnnSmoothL1LossBackward", "f32", [g, x, t, 1, 1.0, same],
         lambda: aten.smooth_l1_loss_backward(g, x, t, 1, 1.0))
    case("aclnnSoftMarginLossBackward", "f32", [g, x, sign, 1, same],
         lambda: aten.soft_margin_loss_backward(g, x, sign, 1))
    case("aclnnKlDivBackward", "f32", [g, x, q, 1, False, same], gradient(lambda a: aten.kl_div(a, q, 1), g, x))
    case("aclnnBinaryCrossEntropyBackward", "f32", [g, p, q, None, 1, same],
         lambda: aten.binary_cross_entropy_backward(g, p, q, None, 1))
    case("aclnnBinaryCrossEntropyWithLogitsBackward", "f32", [g, x, q, None, None, 1, same],
         gradient(lambda a: F.binary_cross_entropy_with_logits(a, q), g, x))
    scores, wanted, weights = numbers(1024, 1000), places(1000, 1024), torch.ones(1000)
    case("aclnnNLLLoss", "f32", [scores, wanted, weights, 1, -100, one, torch.tensor(0.0)],
         lambda: F.nll_loss(scores, wanted, weights))
    case("aclnnNLLLossBackward", "f32", [g, scores, wanted, weights, 1, -100, torch.tensor(1024.0), torch.zeros_like(scores)],
         gradient(lambda a: F.nll_loss(a, wanted, weights), g, scores))
    image, classes, w = numbers(4, 21, 64, 64), places(21, 4, 64, 64), torch.ones(21)
    case("aclnnNLLLoss2dBackward", "f32", [g, image, classes, w, 1, -100, torch.tensor(16384.0), torch.zeros_like(image)],
         gradient(lambda a: F.nll_loss(a, classes, w), g, image))
    logs, targets = numbers(64, 8, 32).log_softmax(2), places(31, 8, 16) + 1
    steps, lengths = [64] * 8, [16] * 8
    loss, alpha = aten._ctc_loss(logs, targets, steps, lengths)
    h = numbers(8)
    case("aclnnCtcLossBackward", "f32", [h, logs, targets, steps, lengths, loss, alpha, 0, False, torch.zeros_like(logs)],
         lambda: aten._ctc_loss_backward(h, logs, targets, steps, lengths, loss, alpha, 0))


def slopes():
    n = 1 << 20
    x, g, o = numbers(n), numbers(n), room(n)
    s, t = x.sigmoid(), x.tanh()
    case("aclnnSigmoidBackward", "f32", [g, s, o], lambda: aten.sigmoid_backward(g, s))
    case("aclnnTanhBackward", "f32", [g, t, o], lambda: aten.tanh_backward(g, t))
    case("aclnnSiluBackward", "f32", [g, x, o], lambda: aten.silu_backward(g, x))
    case("aclnnGeluBackward", "f32", [g, x, o], lambda: aten.gelu_backward(g, x, approximate="tanh"))
    case("aclnnMishBackward", "f32", [g, x, o], lambda: aten.mish_backward(g, x))
    case("aclnnHardswishBackward", "f32", [g, x, o], lambda: aten.hardswish_backward(g, x))
    case("aclnnSoftplusBackward", "f32", [g, x, 1.0, 20.0, o], lambda: aten.softplus_backward(g, x, 1.0, 20.0))
    case("aclnnThresholdBackward", "f32", [g, x, 0.0, o], lambda: aten.threshold_backward(g, x, 0.0))
    w, d, e = x.view(1024, 1024), g.view(1024, 1024), room(1024, 1024)
    soft, logs = w.softmax(1), w.log_softmax(1)
    case("aclnnSoftmaxBackward", "f32, rows", [d, soft, 1, e], lambda: aten._softmax_backward_data(d, soft, 1, SINGLE))
    case("aclnnLogSoftmaxBackward", "f32, rows", [d, logs, 1, e],
         lambda: aten._log_softmax_backward_data(d, logs, 1, SINGLE))
    columns = w.softmax(0)
    case("aclnnSoftmaxBackward", "f32, columns", [d, columns, 0, e],
         lambda: aten._softmax_backward_data(d, columns, 0, SINGLE))
    half = numbers(1024, 512)
    case("aclnnGluBackward", "f32", [half, w, 1, e], lambda: aten.glu_backward(half, w, 1))
    case("aclnnSwiGluGrad", "f32", [half, w, 1, e],
         gradient(lambda a: F.silu(a[:, :512]) * a[:, 512:], half, w))
    gelu = F.gelu(w[:, 512:]).contiguous()
    case("aclnnGeGluBackward", "f32", [half, w, gelu, 1, 0, e],
         gradient(lambda a: a[:, :512] * F.gelu(a[:, 512:]), half, w))


def norm_slopes():
    x, g, w = numbers(1024, 1024), numbers(1024, 1024), numbers(1024)
    _, mean, r = torch.native_layer_norm(x, [1024], w, w, 1e-5)
    case("aclnnLayerNormBackward", "f32", [g, x, [1024], mean, r, w, w, [True] * 3, torch.zeros_like(x), room(1024), room(1024)],
         lambda: aten.native_layer_norm_backward(g, x, [1024], mean, r, w, w, [True] * 3))
    root = (x.square().mean(1) + 1e-5).rsqrt()
    case("aclnnRmsNormGrad", "f32", [g, x, root, w, torch.zeros_like(x), room(1024)],
         gradient(lambda a, b: F.rms_norm(a, [1024], b, 1e-5), g, x, w))
    m, d, s = numbers(16, 64, 32, 32), numbers(16, 64, 32, 32), numbers(64)
    _, means, rs = torch.native_group_norm(m, s, s, 16, 64, 1024, 8, 1e-5)
    case("aclnnGroupNormBackward", "f32", [d, m, means, rs, s, 16, 64, 1024, 8, [True] * 3, torch.zeros_like(m), room(64), room(64)],
         lambda: aten.native_group_norm_backward(d, m, means, rs, s, 16, 64, 1024, 8, [True] * 3))
    center, deviation = m.mean((0, 2, 3)), (m.var((0, 2, 3), correction=0) + 1e-5).rsqrt()
    case("aclnnBatchNormBackward", "f32", [d, m, s, center, s.abs(), center, deviation, True, 1e-5, [True] * 3, torch.zeros_like(m), room(64), room(64)],
         lambda: aten.native_batch_norm_backward(d, m, s, center, s.abs(), center, deviation, True, 1e-5, [True] * 3))
    case("aclnnBatchNorm", "f32, training", [m, s, s, s.clone(), s.abs(), True, 0.1, 1e-5, torch.zeros_like(m), room(64), room(64)],
         lambda a=s.clone(), b=s.abs(): F.batch_norm(m, a, b, s, s, True))
    case("aclnnInstanceNorm", "f32", [m, s, s, "NCHW", 1e-5, torch.zeros_like(m), room(16, 64, 1, 1), room(16, 64, 1, 1)],
         lambda: F.instance_norm(m, weight=s, bias=s))
    deep = torch.var_mean(0.5 * x + g, 1, correction=0, keepdim=True)
    figures = [deep[1], (deep[0] + 1e-5).rsqrt()]
    case("aclnnDeepNorm", "f32", [x, g, w, w, 0.5, 1e-5, room(1024, 1), room(1024, 1), torch.zeros_like(x)],
         lambda: [*figures, F.layer_norm(0.5 * x + g, [1024], w, w)])
    case("aclnnGemmaRmsNorm", "f32", [x, w, 1e-5, torch.zeros_like(x), room(1024, 1)],
         lambda: F.rms_norm(x, [1024], w + 1, 1e-5))
    case("aclnnAddLayerNorm", "f32", [x, g, w, w, None, 1e-5, True, torch.zeros_like(x), room(1024, 1), room(1024, 1), torch.zeros_like(x)],
         lambda: F.layer_norm(x + g, [1024], w, w))


def windows():
    x = numbers(1, 64, 112, 112)
    half = numbers(1, 64, 56, 56)
    same, small = torch.zeros_like(x), torch.zeros_like(half)
    two, none = [2, 2], [0, 0]
    case("aclnnAvgPool2dBackward", "f32, 2x2", [half, x, two, two, none, False, True, 0, 0, same],
         lambda: aten.avg_pool2d_backward(half, x, two, two, none, False, True, None))
    _, best = F.max_pool2d(x, 2, return_indices=True)
    case("aclnnMaxPool2dWithIndicesBackward", "f32, 2x2", [half, x, best.int(), two, two, none, [1, 1], False, same],
         lambda: aten.max_pool2d_with_indices_backward(half, x, two, two, none, [1, 1], False, best))
    case("aclnnMaxUnpool2d", "f32", [half, best, [112, 112], same], lambda: F.max_unpool2d(half, best, 2))
    case("aclnnAdaptiveAvgPool2d", "f32, to 56x56", [x, [56, 56], small], lambda: F.adaptive_avg_pool2d(x, 56))
    case("aclnnAdaptiveAvgPool2dBackward", "f32, to 56x56", [half, x, same], lambda: aten._adaptive_avg_pool2d_backward(half, x))
    case("aclnnAdaptiveMaxPool2d", "f32, to 56x56", [x, [56, 56], small, torch.zeros_like(best)],
         lambda: F.adaptive_max_pool2d(x, 56))
    case("aclnnAdaptiveMaxPool2dBackward", "f32, to 56x56", [half, x, best, same],
         lambda: aten.adaptive_max_pool2d_backward(half, x, best))
    v, u = numbers(1, 16, 32, 64, 64), numbers(1, 16, 16, 32, 32)
    all_, tiny, twos, nones = torch.zeros_like(v), torch.zeros_like(u), [2] * 3, [0] * 3
    case("aclnnAvgPool3d", "f32, 2x2x2", [v, twos, twos, nones, False, True, 0, tiny], lambda: F.avg_pool3d(v, 2))
    case("aclnnAvgPool3dBackward", "f32, 2x2x2", [u, v, twos, twos, nones, False, True, 0, all_],
         lambda: aten.avg_pool3d_backward(u, v, twos, twos, nones, False, True, None))
    _, most = F.max_pool3d(v, 2, return_indices=True)
    case("aclnnMaxPool3dWithArgmax", "f32, 2x2x2", [v, twos, twos, nones, [1] * 3, False, tiny, most.int()],
         lambda: F.max_pool3d(v, 2, return_indices=True)[0])
    case("aclnnMaxPool3dWithArgmaxBackward", "f32, 2x2x2", [u, v, most.int(), twos, twos, nones, [1] * 3, False, all_],
         lambda: aten.max_pool3d_with_indices_backward(u, v, twos, twos, nones, [1] * 3, False, most))
    case("aclnnReflectionPad2d", "f32", [x, [4] * 4, room(1, 64, 120, 120)], lambda: F.pad(x, (4,) * 4, mode="reflect"))
    g = numbers(1, 64, 120, 120)
    case("aclnnReflectionPad2dBackward", "f32", [g, x, [4] * 4, same], lambda: aten.reflection_pad2d_backward(g, x, [4] * 4))
    case("aclnnReplicationPad2dBackward", "f32", [g, x, [4] * 4, same], lambda: aten.replication_pad2d_backward(g, x, [4] * 4))
    c, w = numbers(1, 64, 56, 56), numbers(64, 64, 3, 3)
    case("aclnnConvolutionBackward", "f32, 3x3, 64 channels of 56^2",
         [half, c, w, [64], [1, 1], [1, 1], [1, 1], False, [0, 0], 1, [True] * 3, 0, torch.zeros_like(c), torch.zeros_like(w), room(64)],
         lambda: aten.convolution_backward(half, c, w, [64], [1, 1], [1, 1], [1, 1], False, [0, 0], 1, [True] * 3))


def scales():
    x, y = numbers(1, 64, 56, 56), numbers(1, 64, 112, 112)
    small, large = torch.zeros_like(x), torch.zeros_like(y)
    out, given = [112, 112], [1, 64, 56, 56]
    case("aclnnUpsampleNearest2dBackward", "f32", [y, out, given, 2.0, 2.0, small],
         lambda: aten.upsample_nearest2d_backward(y, out, given, 2.0, 2.0))
    case("aclnnUpsampleBilinear2dBackward", "f32", [y, out, given, False, 2.0, 2.0, small],
         lambda: aten.upsample_bilinear2d_backward(y, out, given, False, 2.0, 2.0))
    case("aclnnUpsampleBicubic2d", "f32", [x, out, False, 2.0, 2.0, large],
         lambda: aten.upsample_bicubic2d(x, out, False, 2.0, 2.0))
    case("aclnnUpsampleBicubic2dBackward", "f32", [y, out, given, False, 2.0, 2.0, small],
         lambda: aten.upsample_bicubic2d_backward(y, out, given, False, 2.0, 2.0))
    case("aclnnUpsampleBilinear2dAA", "f32, to a half", [y, [56, 56], False, 0.0, 0.0, small],
         lambda: F.interpolate(y, size=(56, 56), mode="bilinear", antialias=True))
    v, u = numbers(1, 16, 16, 32, 32), numbers(1, 16, 32, 64, 64)
    twice = [32, 64, 64]
    case("aclnnUpsampleTrilinear3d", "f32", [v, twice, False, 2.0, 2.0, 2.0, torch.zeros_like(u)],
         lambda: aten.upsample_trilinear3d(v, twice, False, 2.0, 2.0, 2.0))
    case("aclnnUpsampleTrilinear3dBackward", "f32", [u, twice, [1, 16, 16, 32, 32], False, 2.0, 2.0, 2.0, torch.zeros_like(v)],
         lambda: aten.upsample_trilinear3d_backward(u, twice, [1, 16, 16, 32, 32], False, 2.0, 2.0, 2.0))
    case("aclnnUpsampleNearest3d", "f32", [v, twice, 2.0, 2.0, 2.0, torch.zeros_like(u)],
         lambda: aten.upsample_nearest3d(v, twice, 2.0, 2.0, 2.0))
    l = numbers(16, 64, 512)
    case("aclnnUpsampleLinear1d", "f32", [l, [1024], False, 2.0, room(16, 64, 1024)],
         lambda: aten.upsample_linear1d(l, [1024], False, 2.0))


def steps():
    parts = [numbers(1 << 17) for _ in range(8)]
    others = [numbers(1 << 17) for _ in range(8)]
    outs = [room(1 << 17) for _ in range(8)]
    case("aclnnForeachAddListV2", "f32, 8 tensors", [parts, others, 1.0, outs], lambda: torch._foreach_add(parts, others))
    case("aclnnForeachMulScalarV2", "f32, 8 tensors", [parts, 2.0, outs], lambda: torch._foreach_mul(parts, 2.0))
    case("aclnnForeachExp", "f32, 8 tensors", [parts, outs], lambda: torch._foreach_exp(parts))
    case("aclnnForeachAddcmulScalarV2", "f32, 8 tensors", [parts, others, parts, 0.5, outs],
         lambda: torch._foreach_addcmul(parts, others, parts, 0.5))
    case("aclnnForeachLerpScalar", "f32, 8 tensors", [parts, others, 0.5, outs],
         lambda: torch._foreach_lerp(parts, others, 0.5))
    case("aclnnForeachNorm", "f32, 8 tensors", [parts, 2.0, [room(1) for _ in range(8)]],
         lambda: [one.reshape(1) for one in torch._foreach_norm(parts, 2)])
    n = 1 << 20
    x, g = numbers(n), numbers(n)
    y = x.clone().requires_grad_(True)
    y.grad = g
    adam = torch.optim.AdamW([y], lr=1e-3)
    of = lambda number: torch.tensor([number])
    case("aclnnApplyAdamW", "f32", [x, room(n), room(n), of(0.9), of(0.999), of(1e-3), of(0.01), of(0.9), of(0.999), of(1e-8), g, None, False, False],
         adam.step)
    table, at = numbers(4096, 256), places(30000, 4096)
    case("aclnnEmbeddingDenseBackward", "f32, 4096 of 30000 rows", [table, at, 30000, 30001, False, room(30000, 256)],
         lambda: aten.embedding_dense_backward(table, at, 30000, -1, False))


def whole_numbers():
    a, b = (torch.randint(-100, 100, shape).to(torch.int8) for shape in [(256, 1024), (1024, 256)])
    s = torch.rand(256) * 0.01
    case("aclnnQuantMatmulV4", "s8, 256 x 1024 x 256", [a, b, s, None, None, None, False, False, room(256, 256, dtype=torch.bfloat16)],
         lambda: (torch._int_mm(a, b) * s).bfloat16())
    x, w, t = numbers(64, 1024, dtype=HALF), torch.randint(-100, 100, (1024, 1024)).to(torch.int8), (torch.rand(1024) * 0.01).half()
    case("aclnnWeightQuantBatchMatmulV2", "f16 and s8, 64 x 1024 x 1024", [x, w, t, None, None, None, None, 0, room(64, 1024, dtype=HALF)],
         lambda: x @ (w.half() * t))
    h = numbers(1024, 1024, dtype=HALF)
    case("aclnnAscendQuant", "f16", [h, t, None, False, "round", 2, room(1024, 1024, dtype=torch.int8)],
         lambda: (h * t).round().to(torch.int8))
    case("aclnnAscendAntiQuant", "f16", [w, t, None, 1, False, room(1024, 1024, dtype=HALF)], lambda: w.half() * t)


def searches():
    x, o, i = numbers(1024, 1024), room(1024, 1024), room(1024, 1024, dtype=LONG)
    case("aclnnCummax", "f32, rows", [x, 1, o, i], lambda: x.cummax(1))
    case("aclnnCumprod", "f32, rows", [x, 1, SINGLE, o], lambda: x.cumprod(1))
    case("aclnnKthvalue", "f32, rows", [x, 100, 1, False, room(1024), room(1024, dtype=LONG)], lambda: x.kthvalue(100, 1))
    case("aclnnMedianDim", "f32, rows", [x, 1, False, room(1024), room(1024, dtype=LONG)], lambda: x.median(1))
    case("aclnnAminmaxDim", "f32, rows", [x, 1, False, room(1024), room(1024)], lambda: torch.aminmax(x, dim=1))
    case("aclnnVarMean", "f32, rows", [x, [1], 1, False, room(1024), room(1024)], lambda: torch.var_mean(x, 1))
    n = 1 << 20
    v, c = numbers(n), places(1000, n)
    edges = numbers(1000).sort()[0]
    case("aclnnBincount", "s64", [c, None, 0, room(1000, dtype=LONG)], lambda: c.bincount())
    case("aclnnHistc", "f32", [v, 100, -3.0, 3.0, room(100)], lambda: v.histc(100, -3, 3))
    case("aclnnBucketize", "f32", [v, edges, False, False, room(n, dtype=LONG)], lambda: torch.bucketize(v, edges))
    case("aclnnTake", "f32", [v, c, room(n)], lambda: v.take(c))
    case("aclnnRepeatInterleaveWithDim", "f32", [x[:256].contiguous(), torch.full((256,), 4), 0, 1024, o],
         lambda: x[:256].repeat_interleave(torch.full((256,), 4), 0))
    f = numbers(4, 16, 32, 32)
    case("aclnnAddr", "f32", [x, x[0], x[1], 1.0, 1.0, o], lambda: torch.addr(x, x[0], x[1]))
    case("aclnnAddmv", "f32", [x[0], x, x[1], 1.0, 1.0, room(1024), 0], lambda: torch.addmv(x[0], x, x[1]))
    case("aclnnLogAddExp", "f32", [v, v.flip(0).contiguous(), room(n)], lambda: torch.logaddexp(v, v.flip(0)))
    case("aclnnAtan2", "f32", [v, v.flip(0).contiguous(), room(n)], lambda: torch.atan2(v, v.flip(0)))
    inside = v.clamp(-0.9, 0.9)
    case("aclnnErfinv", "f32", [inside, room(n)], lambda: torch.erfinv(inside))
    case("aclnnLgamma", "f32", [v.abs() + 0.1, room(n)], lambda w=v.abs() + 0.1: torch.lgamma(w))
    case("aclnnLerp", "f32", [v, v.flip(0).contiguous(), v, room(n)], lambda w=v.flip(0).contiguous(): torch.lerp(v, w, v))
    case("aclnnChannelShuffle", "f32", [f, 4, torch.zeros_like(f)], lambda: F.channel_shuffle(f, 4))


FAMILIES = [losses, slopes, norm_slopes, windows, scales, steps, whole_numbers, searches]

"""Cases of tokens of experts, turned pairs, channels of several cards, and of rows, diagonals and columns."""

import torch

from backward import gradients
from form import SINGLE, InOut, Out, Scalar, Tensor, case, numbers, of, wide

F = torch.nn.functional
VIEWS = ["", "transposed", "gaps"]


def tokens(family):
    """Gradients of rows of experts and of turned pairs, and rows that come back to their tokens."""
    for index, word in enumerate(SINGLE):
        view, near = VIEWS[index], 1e-5 if word == "f32" else None
        chosen = of("s32", [[1, 0], [2, 0], [1, 2], [0, 1]])
        order = torch.argsort(chosen.flatten().long(), stable=True)
        places = torch.argsort(order).to(torch.int32)
        for kept in (8, 5):
            data = numbers(word, (4, 3))
            function = lambda a: a[order[:kept] // 2]
            grad = numbers(word, (kept, 3))
            case(family, "aclnnMoeTokenPermuteGrad", tolerance=near, permutedOutputGrad=Tensor(word, grad, view), sortedIndices=Tensor("s32", places), numTopk=2, paddedMode=False, out=Out(word, gradients(function, grad, data)[0]))
        rows, probs, grad = numbers(word, (8, 3)), numbers(word, (4, 2), "positive"), numbers(word, (4, 3))
        function = lambda a, p: (a[places.long()].reshape(4, 2, 3) * p[:, :, None]).sum(1)
        by_rows, by_probs = gradients(function, grad, rows, probs)
        case(family, "aclnnMoeTokenUnpermuteGrad", tolerance=near, permuteTokens=Tensor(word, rows), unpermutedTokensGrad=Tensor(word, grad, view), sortedIndices=Tensor("s32", places), probsOptional=Tensor(word, probs), paddedMode=False, restoreShapeOptional=None, permutedTokensGradOut=Out(word, by_rows), probsGradOut=Out(word, by_probs))
        added = [numbers(word, (4, 3)) for _ in range(2)]
        bias, by_column = numbers(word, (3, 3)), places.reshape(4, 2).T.contiguous().flatten()
        for one, other, with_bias in ((None, None, False), (added[0], None, True), (added[0], added[1], True)):
            parts = wide(rows)[places.long()].reshape(4, 2, 3) + (wide(bias)[chosen.long()] if with_bias else 0)
            result = (parts * wide(probs)[:, :, None]).sum(1) + sum(wide(a) for a in (one, other) if a is not None)
            case(family, "aclnnMoeFinalizeRoutingV2", tolerance=near, expandedX=Tensor(word, rows, view), expandedRowIdx=Tensor("s32", by_column), x1Optional=None if one is None else Tensor(word, one), x2Optional=None if other is None else Tensor(word, other), biasOptional=Tensor(word, bias) if with_bias else None,
                 scalesOptional=Tensor(word, probs), expertIdxOptional=Tensor("s32", chosen) if with_bias else None, dropPadMode=0, out=Out(word, result))
        for shape in ((2, 3, 1, 4), (1, 3, 2, 4), (2, 3, 2, 4), (1, 1, 1, 4)):
            data, cos, sin, grad = numbers(word, (2, 3, 2, 4)), numbers(word, shape), numbers(word, shape), numbers(word, (2, 3, 2, 4))
            for mode in (0, 1):
                def turned(a):
                    if mode == 0:
                        return torch.cat([-a[..., 2:], a[..., :2]], -1)
                    return torch.stack([-a[..., 1::2], a[..., ::2]], -1).flatten(-2)
                by_x, by_cos, by_sin = gradients(lambda a, c, s: a * c + turned(a) * s, grad, data, cos, sin)
                shared = dict(dy=Tensor(word, grad, view), cos=Tensor(word, cos), sin=Tensor(word, sin), mode=mode)
                case(family, "aclnnRotaryPositionEmbeddingGrad", tolerance=1e-4 if word == "f32" else None, xOptional=Tensor(word, data), **shared, dxOut=Out(word, by_x), dcosOut=Out(word, by_cos), dsinOut=Out(word, by_sin))
    f32 = lambda *size: Tensor("f32", numbers("f32", size))
    out = lambda *size: Out("f32", numbers("f32", size))
    case(family, "aclnnMoeTokenPermuteGrad", code=161002, permutedOutputGrad=f32(8, 3), sortedIndices=Tensor("s32", places), numTopk=3, paddedMode=False, out=out(4, 3))
    case(family, "aclnnMoeTokenUnpermuteGrad", code=161002, permuteTokens=f32(8, 3), unpermutedTokensGrad=f32(4, 3), sortedIndices=Tensor("s32", places), probsOptional=f32(3, 2), paddedMode=False, restoreShapeOptional=None, permutedTokensGradOut=out(8, 3), probsGradOut=out(3, 2))
    case(family, "aclnnMoeFinalizeRoutingV2", code=161001, expandedX=f32(8, 3), expandedRowIdx=Tensor("s32", places), x1Optional=None, x2Optional=None, biasOptional=f32(3, 3), scalesOptional=f32(4, 2), expertIdxOptional=None, dropPadMode=0, out=out(4, 3))
    case(family, "aclnnMoeFinalizeRoutingV2", code=161002, expandedX=f32(8, 3), expandedRowIdx=Tensor("s32", places), x1Optional=None, x2Optional=None, biasOptional=None, scalesOptional=f32(4, 2), expertIdxOptional=None, dropPadMode=4, out=out(4, 3))
    case(family, "aclnnRotaryPositionEmbeddingGrad", code=161002, dy=f32(2, 3, 2, 4), cos=f32(2, 3, 2, 2), sin=f32(2, 3, 2, 2), xOptional=None, mode=0, dxOut=out(2, 3, 2, 4), dcosOut=out(2, 3, 2, 2), dsinOut=out(2, 3, 2, 2))
    for word, view in zip(SINGLE, VIEWS):
        near, bias, added, rows = 1e-5 if word == "f32" else None, numbers(word, (3, 3)), numbers(word, (4, 3)), numbers(word, (8, 3))
        # Three experts have room for three rows each, and one row of the second token is left out.
        padded, scales = numbers(word, (3, 3, 3)), numbers("f32" if word == "bf16" else word, (4, 2), "positive")
        chairs = of("s32", [[3, 0], [-1, 1], [4, 6], [2, 5]])
        for mode in (1, 2, 3):
            rows_of, seats = (rows, places.reshape(4, 2)) if mode == 2 else (padded, chairs)
            parts = wide(rows_of).reshape(-1, 3)[seats.clamp(min=0).long()] + wide(bias)[chosen.long()]
            result = (parts * (wide(scales) * (seats >= 0))[:, :, None]).sum(1) + wide(added)
            seats = seats.flatten() if mode > 1 else seats.T.contiguous().flatten()
            case(family, "aclnnMoeFinalizeRoutingV2", tolerance=near, expandedX=Tensor(word, rows_of, view), expandedRowIdx=Tensor("s32", seats), x1Optional=Tensor(word, added), x2Optional=None, biasOptional=Tensor(word, bias),
                 scalesOptional=Tensor("f32" if word == "bf16" else word, scales), expertIdxOptional=Tensor("s32", chosen), dropPadMode=mode, out=Out(word, result))


def channels(family):
    """The norm of channels whose elements are on several cards, and other norms."""
    for index, word in enumerate(SINGLE):
        view = VIEWS[index]
        near = 2e-5 if word == "f32" else None
        shapes = [(2, 3), (2, 3, 4), (3, 3, 2, 2)]
        for shape in shapes:
            data, weight, bias, grad = numbers(word, shape), numbers("f32", (3,)), numbers("f32", (3,)), numbers(word, shape)
            last = [dim for dim in range(len(shape)) if dim != 1]
            mean, r = wide(data).mean(last), 1 / (wide(data).var(last, correction=0) + 1e-3).sqrt()
            case(family, "aclnnBatchNormStats", tolerance=near, input=Tensor(word, data, view), eps=1e-3, mean=Out("f32", mean), invstd=Out("f32", r))
            figures = dict(mean=Tensor("f32", mean.float()), invstd=Tensor("f32", r.float()))
            norm = lambda a, w, b: F.batch_norm(a, None, None, w, b, True, 0.1, 1e-3)
            case(family, "aclnnBatchNormElemt", tolerance=near, input=Tensor(word, data, view), weight=Tensor("f32", weight), bias=Tensor("f32", bias), **figures, eps=1e-3, output=Out(word, norm(wide(data), wide(weight), wide(bias))))
            by_data, by_weight, by_bias = gradients(norm, grad, data, weight, bias)
            line = [1, 3] + [1] * (len(shape) - 2)
            sums = wide(grad).sum(last)
            products = (wide(grad) * (wide(data) - mean.reshape(line))).sum(last)
            given = dict(gradOut=Tensor(word, grad, view), input=Tensor(word, data), **figures, weight=Tensor("f32", weight))
            case(family, "aclnnBatchNormReduceBackward", tolerance=near, **given, inputG=True, weightG=True, biasG=True, sumDy=Out("f32", sums), sumDyXmu=Out("f32", products), gradWeight=Out("f32", by_weight), gradBias=Out("f32", by_bias))
            case(family, "aclnnBatchNormReduceBackward", tolerance=near, **given, inputG=True, weightG=False, biasG=False, sumDy=Out("f32", sums), sumDyXmu=Out("f32", products), gradWeight=None, gradBias=None)
            count = data.numel() // 3
            for kind, counts in (("s32", [count]), ("f32", [count - 1, 1])):
                case(family, "aclnnBatchNormElemtBackward", tolerance=5e-5 if word == "f32" else None, **given, sumDy=Tensor("f32", sums.float()), sumDyXmu=Tensor("f32", products.float()), counter=Tensor(kind, of(kind, counts)), gradInput=Out(word, by_data))
        # The figures of all cards are those of one tensor with all elements.
        parts = [numbers(word, (count, 3)) for count in (2, 3, 4)]
        whole = torch.cat([wide(part) for part in parts])
        means = torch.stack([wide(part).mean(0) for part in parts])
        factors = torch.stack([1 / (wide(part).var(0, correction=0) + 0.5).sqrt() for part in parts])
        before = [numbers("f32", (3,)), numbers("f32", (3,), "positive")]
        after = [wide(before[0]) * 0.75 + 0.25 * whole.mean(0), wide(before[1]) * 0.75 + 0.25 * whole.var(0)]
        case(family, "aclnnBatchNormGatherStatsWithCounts", tolerance=1e-5, input=Tensor(word, parts[0]), mean=Tensor("f32", means.float()), invstd=Tensor("f32", factors.float()), runningMean=InOut("f32", before[0], after[0]), runningVar=InOut("f32", before[1], after[1]), momentum=0.25, eps=0.5, counts=Tensor("f32", of("f32", [2, 3, 4])),
             meanAll=Out("f32", whole.mean(0)), invstdAll=Out("f32", 1 / (whole.var(0, correction=0) + 0.5).sqrt()))
        # Norms of groups, and of a sum.
        data, gamma, beta = numbers(word, (2, 4, 3)), numbers(word, (4,)), numbers(word, (4,))
        for active in (True, False):
            norm = F.group_norm(wide(data), 2, wide(gamma), wide(beta), 1e-3)
            grouped = wide(data).reshape(2, 2, 6)
            case(family, "aclnnGroupNormSwish", tolerance=near, x=Tensor(word, data, view), gamma=Tensor(word, gamma), beta=Tensor(word, beta), numGroups=2, dataFormatOptional='"NCHW"', eps=1e-3, activateSwish=active, swishScale=1.5, yOut=Out(word, norm * torch.sigmoid(1.5 * norm) if active else norm),
                 meanOut=Out(word, grouped.mean(2)), rstdOut=Out(word, 1 / (grouped.var(2, correction=0) + 1e-3).sqrt()))
        for shape in ((4,), (3, 4)):
            x, other, grad, of_sum = (numbers(word, (2, 3, 4)) for _ in range(4))
            gamma, last = numbers(word, shape), tuple(range(-len(shape), 0))
            total = wide(x) + wide(other)
            mean, r = total.mean(last, keepdim=True), 1 / (total.var(last, correction=0, keepdim=True) + 1e-5).sqrt()
            by_x, by_gamma, by_beta = gradients(lambda a, g, b: F.layer_norm(a + wide(other), shape, g, b, 1e-5), grad, x, gamma, torch.zeros_like(gamma))
            shared = dict(dy=Tensor(word, grad, view), x1=Tensor(word, x), x2=Tensor(word, other), rstd=Tensor("f32", r.float()), mean=Tensor("f32", mean.float()), gamma=Tensor(word, gamma), dgammaOut=Out("f32", by_gamma), dbetaOut=Out("f32", by_beta))
            for one in (None, of_sum):
                case(family, "aclnnAddLayerNormGrad", tolerance=5e-5 if word == "f32" else None, **shared, dsumOptional=None if one is None else Tensor(word, one), dxOut=Out(word, by_x if one is None else by_x + wide(one)))
    f32 = lambda *size: Tensor("f32", numbers("f32", size))
    out = lambda *size: Out("f32", numbers("f32", size))
    case(family, "aclnnBatchNormStats", code=161002, input=f32(3), eps=1e-3, mean=out(3), invstd=out(3))
    case(family, "aclnnBatchNormElemt", code=161002, input=f32(2, 3), weight=f32(2), bias=f32(3), mean=f32(3), invstd=f32(3), eps=1e-3, output=out(2, 3))
    case(family, "aclnnBatchNormGatherStatsWithCounts", code=161002, input=f32(2, 3), mean=f32(2, 3), invstd=f32(2, 3), runningMean=InOut("f32", before[0], after[0]), runningVar=InOut("f32", before[1], after[1]), momentum=0.25, eps=0.5, counts=f32(3), meanAll=out(3), invstdAll=out(3))
    case(family, "aclnnGroupNormSwish", code=161002, x=f32(2, 4, 3), gamma=f32(4), beta=f32(4), numGroups=3, dataFormatOptional='"NCHW"', eps=1e-3, activateSwish=True, swishScale=1.0, yOut=out(2, 4, 3), meanOut=out(2, 3), rstdOut=out(2, 3))
    case(family, "aclnnAddLayerNormGrad", code=161002, dy=f32(2, 4), x1=f32(2, 4), x2=f32(2, 3), rstd=f32(2, 1), mean=f32(2, 1), gamma=f32(4), dgammaOut=out(4), dbetaOut=out(4), dsumOptional=None, dxOut=out(2, 4))


def rows(family):
    """Diagonals, distances and norms of rows, columns of windows, and bytes of gates."""
    for index, word in enumerate(["f32", "f16", "bf16", "f64"]):
        view, near = VIEWS[index % 3], 1e-5 if word == "f32" else None
        for shape in ((3, 3), (2, 4), (4, 2)):
            data = numbers(word, shape)
            case(family, "aclnnTrace", tolerance=near, self=Tensor(word, data, view), out=Out(word, torch.trace(wide(data))))
            for diagonal in (0, 1, -1, 5):
                case(family, "aclnnDiag", self=Tensor(word, data, view), diagonal=diagonal, out=Out(word, torch.diag(data, diagonal)))
        for diagonal in (0, 2, -1):
            data = numbers(word, (3,))
            case(family, "aclnnDiag", self=Tensor(word, data), diagonal=diagonal, out=Out(word, torch.diag(data, diagonal), view))
        for shape, dim in (((3,), 0), ((2, 3), -1), ((3, 2, 2), 0)):
            one, other = numbers(word, shape), numbers(word, shape)
            case(family, "aclnnLinalgCross", self=Tensor(word, one, view), other=Tensor(word, other), dim=dim, out=Out(word, torch.linalg.cross(wide(one), wide(other), dim=dim)))
        if word == "f64":
            continue
        data = numbers(word, (2, 3, 4))
        for dims, keep in (([1], False), ([0, 2], True), ([], False)):
            case(family, "aclnnVarCorrection", tolerance=near, self=Tensor(word, data, view), dim=dims, correction=1, keepdim=keep, out=Out(word, torch.var(wide(data), dims or None, correction=1, keepdim=keep)))
        for p in (1.0, 2.0, 3.0, float("inf")):
            for dim in (0, -1):
                result = torch.renorm(wide(data), p, dim, 2.5)
                shared = dict(p=Scalar("f32", p), dim=dim, maxNorm=Scalar("f32", 2.5))
                case(family, "aclnnRenorm", tolerance=near, self=Tensor(word, data, view), **shared, out=Out(word, result))
                case(family, "aclnnInplaceRenorm", tolerance=near, selfRef=InOut(word, data, result, view), **shared)
            if word != "bf16":
                for one, other in (((3, 4), (2, 4)), ((2, 3, 2), (2, 2, 2))):
                    one, other = numbers(word, one), numbers(word, other)
                    case(family, "aclnnCdist", tolerance=near, x1=Tensor(word, one, view), x2=Tensor(word, other), p=p, compute_mode=0, out=Out(word, torch.cdist(wide(one), wide(other), p, "donot_use_mm_for_euclid_dist")))
        for shape, kernel, more in (((2, 2, 4, 5), [2, 3], dict(dilation=[1, 1], padding=[0, 0], stride=[1, 1])), ((2, 5, 5), [3, 2], dict(dilation=[2, 1], padding=[1, 2], stride=[2, 3]))):
            image = numbers(word, shape)
            function = lambda a: F.unfold(a, kernel, **more)
            grad = numbers(word, tuple(function(wide(image)).shape))
            case(family, "aclnnIm2colBackward", tolerance=near, gradOutput=Tensor(word, grad, view), inputSize=list(shape[-2:]), kernelSize=kernel, **more, out=Out(word, gradients(function, grad, image)[0]))
        data, smooth = numbers(word, (2, 3, 8)), numbers("f32", (4,), "positive")
        for left in (False, True):
            for factors in (None, smooth):
                one, other = wide(data).chunk(2, -1) if left else wide(data).chunk(2, -1)[::-1]
                values = F.silu(one) * other * (1 if factors is None else wide(factors))
                scale = values.abs().amax(-1) / 127
                case(family, "aclnnSwiGluQuant", x=Tensor(word, data, view), smoothScalesOptional=None if factors is None else Tensor("f32", factors), offsetsOptional=None, groupIndexOptional=None, activateLeft=left, quantModeOptional='"dynamic"', yOut=Out("s8", (values / scale[..., None]).round()), scaleOut=Out("f32", scale))
    f32 = lambda *size: Tensor("f32", numbers("f32", size))
    out = lambda *size: Out("f32", numbers("f32", size))
    case(family, "aclnnTrace", code=161002, self=f32(2, 2, 2), out=out())
    case(family, "aclnnDiag", code=161002, self=f32(2, 3), diagonal=1, out=out(3))
    for word in ("s8", "s16", "s32", "s64", "u8", "f32", "f64"):
        for shapes, dim in ((((2, 1, 3), (1, 4, 3)), -1), (((3, 2), (4, 3, 1)), 0)):
            one, other = (numbers(word, shape) for shape in shapes)
            whole = dim if dim < 0 else 1
            result = torch.linalg.cross(*torch.broadcast_tensors(wide(one), wide(other)), dim=whole)
            case(family, "aclnnLinalgCross", self=Tensor(word, one, "gaps"), other=Tensor(word, other, "transposed"), dim=dim, out=Out(word, result))
    case(family, "aclnnLinalgCross", code=161002, self=f32(2, 3), other=f32(4, 3), dim=1, out=out(2, 3))
    case(family, "aclnnLinalgCross", code=161002, self=f32(2, 4), other=f32(2, 4), dim=1, out=out(2, 4))
    case(family, "aclnnCdist", code=161002, x1=f32(2, 4), x2=f32(2, 3), p=2.0, compute_mode=0, out=out(2, 2))
    case(family, "aclnnCdist", code=161002, x1=f32(2, 4), x2=f32(2, 4), p=-1.0, compute_mode=0, out=out(2, 2))
    case(family, "aclnnRenorm", code=161002, self=f32(2, 4), p=Scalar("f32", 0.0), dim=0, maxNorm=Scalar("f32", 1.0), out=out(2, 4))
    case(family, "aclnnVarCorrection", code=161002, self=f32(2, 4), dim=[1], correction=1, keepdim=True, out=out(2))
    case(family, "aclnnIm2colBackward", code=161002, gradOutput=f32(4, 3), inputSize=[2, 2], kernelSize=[2, 2], dilation=[1, 1], padding=[0, 0], stride=[1, 1], out=out(1, 2, 2))
    data = numbers("f16", (5, 8))
    one, other = wide(data).chunk(2, -1)[::-1]
    values, ends = F.silu(one) * other, [2, 2, 4]
    groups = torch.tensor([0, 0, 2, 2])
    for size in ((3, 4), (3,)):
        smooth, offsets = numbers("f32", size, "positive"), numbers("f32", size)
        of_rows = lambda one: wide(one)[groups] if len(size) == 2 else wide(one)[groups].unsqueeze(-1)
        padded = lambda one: torch.cat([one, torch.zeros_like(one[:1])])
        shared = dict(x=Tensor("f16", data, "gaps"), smoothScalesOptional=Tensor("f32", smooth), groupIndexOptional=Tensor("s32", of("s32", ends)), activateLeft=False)
        scaled = values[:4] * of_rows(smooth)
        scale = scaled.abs().amax(-1) / 127
        y = (scaled / scale[..., None]).round()
        # A card computes no row behind the last group.
        for mode in ('"dynamic"', None):
            case(family, "aclnnSwiGluQuant", **shared, offsetsOptional=None, yOut=Out("s8", padded(y)), scaleOut=Out("f32", padded(scale)), quantModeOptional=mode)
        y = (scaled + of_rows(offsets)).round()
        case(family, "aclnnSwiGluQuant", **shared, offsetsOptional=Tensor("f32", offsets), quantModeOptional='"static"', yOut=Out("s8", padded(y)), scaleOut=Out("f32", torch.zeros(5)))
    case(family, "aclnnSwiGluQuant", code=161002, **(shared | dict(smoothScalesOptional=f32(2, 4))), offsetsOptional=None, yOut=Out("s8", padded(y)), scaleOut=out(5), quantModeOptional='"dynamic"')
    case(family, "aclnnSwiGluQuant", code=161002, **shared, offsetsOptional=None, yOut=Out("s8", padded(y)), scaleOut=out(5), quantModeOptional='"dynamic_msd"')

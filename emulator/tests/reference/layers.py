"""Cases of layers: experts over several cards, caches, positions, layers that are stored as bytes, and products that are joined."""

import math

import numpy
import torch
import torch.nn.functional as F

from form import SINGLE, InOut, List, Out, Raw, Scalar, Tensor, case, numbers, of, wide

VIEWS = ["", "transposed", "gaps"]
# What tensors have before an operator writes them.
LEFT = 7


def left(word, shape):
    """A result that an operator leaves as it is."""
    return Out(word, torch.full(shape, LEFT))


def to_bytes(values):
    return torch.round(values).clamp(-128, 127)


def by_rows(values):
    """Rows as bytes, and their scales."""
    scale = values.abs().amax(-1) / 127
    return to_bytes(values / scale[..., None]), scale


def shards(family):
    """Rows of the experts of a card, and the choice of experts."""
    for word, view in zip(SINGLE, VIEWS):
        tokens, shares = numbers(word, (3, 4)), numbers(word, (3, 2))
        experts = of("s32", [[2, 0], [1, 2], [0, 1]])
        order = torch.argsort(experts.flatten(), stable=True)
        places = torch.argsort(order)
        for kept, wanted in ((None, 0), (None, 4), ([1, 4], 0), ([2, 6], 4), (None, -2)):
            first, end = kept or (0, {0: 6, 4: 4, -2: 4}[wanted])
            for given in (True, False):
                own = order[first:end]
                case(family, "aclnnMoeTokenPermuteWithEp", tokens=Tensor(word, tokens, view), indices=Tensor("s32", experts), probsOptional=Tensor(word, shares) if given else None, rangeOptional=kept, numOutTokens=wanted, paddedMode=False,
                     permuteTokensOut=Out(word, tokens[own // 2]), sortedIndicesOut=Out("s32", places), permuteProbsOut=Out(word, shares.flatten()[own]) if given else left(word, (1,)))
        for kept in (None, [1, 4]):
            first, end = kept or (0, 6)
            rows = numbers(word, (end - first, 4))
            whole = torch.zeros(6, 4, dtype=torch.float64)
            whole[first:end] = wide(rows)
            of_tokens = whole[places].reshape(3, 2, 4)
            for given in (True, False):
                factors = wide(shares)[..., None] if given else 1
                case(family, "aclnnMoeTokenUnpermuteWithEp", permutedTokens=Tensor(word, rows, view), sortedIndices=Tensor("s32", places), probsOptional=Tensor(word, shares) if given else None, numTopk=2, rangeOptional=kept, paddedMode=False, restoreShapeOptional=None,
                     out=Out(word, (of_tokens * factors).sum(1)))
                gradient = numbers(word, (3, 4))
                slopes = torch.zeros(6, 4, dtype=torch.float64)
                slopes[places] = (wide(gradient)[:, None] * factors).expand(3, 2, 4).reshape(6, 4)
                of_shares = (of_tokens * wide(gradient)[:, None]).sum(-1)
                case(family, "aclnnMoeTokenUnpermuteWithEpGrad", unpermutedTokensGrad=Tensor(word, gradient, view), sortedIndices=Tensor("s32", places), permutedTokensOptional=Tensor(word, rows), probsOptional=Tensor(word, shares) if given else None, paddedMode=False,
                     restoreShapeOptional=None, rangeOptional=kept, topkNum=2, permutedTokensGradOut=Out(word, slopes[first:end]), probsGradOut=Out(word, of_shares) if given else left(word, (1,)))
                of_rows = numbers(word, (end - first,))
                spread = torch.zeros(6, dtype=torch.float64)
                spread[first:end] = wide(of_rows)
                case(family, "aclnnMoeTokenPermuteWithEpGrad", permutedTokensOutputGrad=Tensor(word, rows, view), sortedIndices=Tensor("s32", places), permutedProbsOutputGradOptional=Tensor(word, of_rows) if given else None, numTopk=2, rangeOptional=kept, paddedMode=False,
                     tokenGradOut=Out(word, of_tokens.sum(1)), probsGradOut=Out(word, spread[places].reshape(3, 2)) if given else left(word, (1,)))
        chosen = torch.tensor([[1, 0, 1, 0], [0, 1, 1, 0], [1, 1, 0, 0]]).bool()
        shares = numbers(word, (3, 4))
        first = torch.arange(3).expand(4, 3).masked_select(chosen.T)
        for kind, given in (("bool", True), ("s8", False)):
            case(family, "aclnnMoeTokenPermuteWithRoutingMap", tokens=Tensor(word, tokens, view), routingMap=Tensor(kind, chosen.to(torch.int8) if kind == "s8" else chosen), probsOptional=Tensor(word, shares) if given else None, numOutTokens=6, dropAndPad=False,
                 permuteTokensOut=Out(word, tokens[first]), permuteProbsOutOptional=Out(word, shares.T.masked_select(chosen.T)) if given else None, sortedIndicesOut=Out("s32", torch.argsort(first, stable=True)))
            rows = torch.argsort(chosen.T.int(), dim=-1, descending=True, stable=True)[:, :2]
            case(family, "aclnnMoeTokenPermuteWithRoutingMap", tokens=Tensor(word, tokens, view), routingMap=Tensor(kind, chosen.to(torch.int8) if kind == "s8" else chosen), probsOptional=Tensor(word, shares) if given else None, numOutTokens=8, dropAndPad=True,
                 permuteTokensOut=Out(word, tokens[rows.flatten()]), permuteProbsOutOptional=Out(word, shares.T.gather(1, rows).flatten()) if given else None, sortedIndicesOut=Out("s32", rows.flatten()))
        scores = torch.stack([torch.randperm(8, generator=torch.Generator().manual_seed(one)) for one in range(3)]) * 0.5 - 2
        scores, bias = scores.to({"f32": torch.float32, "f16": torch.float16, "bf16": torch.bfloat16}[word]), of(word, [0.25, -0.25, 0.5, 0.0, 0.75, -0.5, 0.125, 1.0])
        for groups, kept, select, norm, renorm, given in ((1, 1, 0, 0, 0, False), (4, 2, 1, 1, 0, True), (2, 1, 0, 0, 1, True), (4, 3, 0, 1, 0, False)):
            own = torch.softmax(wide(scores), -1) if norm == 0 else torch.sigmoid(wide(scores))
            biased = own + (wide(bias) if given else 0)
            if kept < groups:
                parts = biased.reshape(3, groups, -1)
                of_groups = parts.topk(select + 1, -1).values.sum(-1)
                best = torch.zeros(3, groups).scatter(1, of_groups.topk(kept, -1).indices, 1.0).bool()
                biased = parts.masked_fill(~best[..., None], float("-inf")).reshape(3, -1)
            experts = torch.argsort(-biased, dim=-1, stable=True)[:, :3]
            shares = own.gather(1, experts)
            if norm == 1 or renorm == 1:
                shares = shares / (shares.sum(-1, keepdim=True) + 0.125)
            case(family, "aclnnMoeGatingTopK", x=Tensor(word, scores, view), biasOptional=Tensor(word, bias) if given else None, k=3, kGroup=kept, groupCount=groups, groupSelectMode=select, renorm=renorm, normType=norm, outFlag=given, routedScalingFactor=1.5, eps=0.125,
                 yOut=Out(word, shares * 1.5), expertIdxOut=Out("s32", experts), outOut=Out("f32", own) if given else left("f32", (1,)))
        rows, bias, factors = numbers(word, (6, 4)), numbers(word, (3, 4)), numbers(word, (3, 2))
        gradient = numbers(word, (3, 4))
        shifted = of("s32", [4, 1, -1, 0, 2, 5])
        operands = [one.clone().requires_grad_() for one in (wide(rows), wide(factors))]
        for given, biased in ((True, True), (True, False), (False, False)):
            with_bias = operands[0][shifted.clamp(min=0)] + (wide(bias)[experts_of(factors)] if biased else 0)
            with_bias = with_bias * (shifted >= 0)[:, None]
            result = (with_bias.reshape(3, 2, 4) * (operands[1][..., None] if given else 1)).sum(1)
            slopes = torch.autograd.grad(result, operands if given else operands[:1], wide(gradient))
            case(family, "aclnnMoeFinalizeRoutingV2Grad", gradY=Tensor(word, gradient, view), expandedRowIdx=Tensor("s32", shifted), expandedXOptional=Tensor(word, rows) if given else None, scalesOptional=Tensor(word, factors) if given else None,
                 expertIdxOptional=Tensor("s32", experts_of(factors).reshape(3, 2)) if biased else None, biasOptional=Tensor(word, bias) if biased else None, dropPadMode=0, activeNum=0, expertNum=0, expertCapacity=0,
                 gradExpandedXOut=Out(word, slopes[0]), gradScalesOut=Out(word, slopes[1]) if given else left(word, (1,)))
    good = Tensor("f32", numbers("f32", (2, 4)))
    for changed in ({"k": 5}, {"k": 0}, {"groupCount": 3}, {"kGroup": 0}, {"groupSelectMode": 2}, {"normType": 2}, {"groupCount": 4, "kGroup": 4, "groupSelectMode": 1}):
        case(family, "aclnnMoeGatingTopK", code=161002, **({"x": good, "biasOptional": None, "k": 1, "kGroup": 1, "groupCount": 1, "groupSelectMode": 0, "renorm": 0, "normType": 0, "outFlag": False, "routedScalingFactor": 1.0, "eps": 0.0} | changed),
             yOut=Out("f32", torch.zeros(2, 1)), expertIdxOut=Out("s32", torch.zeros(2, 1)), outOut=Out("f32", torch.zeros(1)))


def experts_of(factors):
    return torch.arange(factors.numel()) % 3


def caches(family):
    """Keys and values in caches, positions, and attentions that are joined."""
    for word, view in zip(SINGLE + ["s8"], VIEWS + [""]):
        keys, values = numbers(word, (3, 2, 4)), numbers(word, (3, 2, 3))
        cache, other = numbers(word, (2, 4, 2, 4)), numbers(word, (2, 4, 2, 3))
        slots = of("s32", [5, -1, 2])
        after, behind = cache.clone(), other.clone()
        for row, slot in enumerate([5, -1, 2]):
            if slot >= 0:
                after.view(8, 2, 4)[slot] = keys[row]
                behind.view(8, 2, 3)[slot] = values[row]
        case(family, "aclnnScatterPaKvCache", key=Tensor(word, keys, view), keyCacheRef=InOut(word, cache, after), slotMapping=Tensor("s32", slots), value=Tensor(word, values), valueCacheRef=InOut(word, other, behind), compressLensOptional=None, compressSeqOffsetOptional=None,
             seqLensOptional=None, cacheModeOptional='"Norm"', scatterModeOptional=None, stridesOptional=None, offsetsOptional=None)
        table = of("s32", [[1, 0], [0, 1]])
        for lengths, ends in (([5, 2], False), ([0, 5, 7], True)):
            places = [4, 5, 6, 7, 0, 0, 1]
            case(family, "aclnnGatherPaKvCache", keyCache=Tensor(word, cache), valueCache=Tensor(word, other), blockTables=Tensor("s32", table), seqLens=Tensor("s32", of("s32", lengths)), keyRef=InOut(word, torch.full((7, 2, 4), LEFT).to(cache.dtype), cache.view(8, 2, 4)[places]),
                 valueRef=InOut(word, torch.full((7, 2, 3), LEFT).to(cache.dtype), other.view(8, 2, 3)[places]), seqOffsetOptional=None, cacheMode='"Norm"', isSeqLensCumsum=ends)
        if word == "s8":
            continue
        angles, found = numbers(word, (4, 4), "small"), of("s64", [3, 0, 2])
        query, key = numbers(word, (3, 12)), numbers(word, (3, 6))
        for is_half in (True, False):
            def rotated(data):
                heads = wide(data).reshape(3, -1, 6)
                cos, sin = wide(angles)[found][:, None].chunk(2, -1)
                own, rest = heads[..., :4], heads[..., 4:]
                one, other = own.chunk(2, -1) if is_half else (own[..., ::2], own[..., 1::2])
                pairs = [one * cos - other * sin, other * cos + one * sin]
                own = torch.cat(pairs, -1) if is_half else torch.stack(pairs, -1).flatten(-2)
                return torch.cat([own, rest], -1).reshape(3, -1)
            case(family, "aclnnRopeWithSinCosCache", positions=Tensor("s64", found), queryIn=Tensor(word, query, view), keyIn=Tensor(word, key), cosSinCache=Tensor(word, angles), mropeSection=None, headSize=6, isNeoxStyle=is_half, queryOut=Out(word, rotated(query), view), keyOut=Out(word, rotated(key)))
        data = numbers(word, (2, 3, 1, 6))
        for sizes in ((2, 3, 1, 4), (1, 3, 1, 4), (1, 1, 1, 4)):
            cos, sin = numbers(word, sizes, "small"), numbers(word, sizes, "small")
            own = wide(data)[..., 1:5]
            turned = torch.stack([-own[..., 1::2], own[..., ::2]], -1).flatten(-2)
            after = wide(data).clone()
            after[..., 1:5] = own * wide(cos) + turned * wide(sin)
            case(family, "aclnnInplacePartialRotaryMul", xRef=InOut(word, data, after, view), cos=Tensor(word, cos), sin=Tensor(word, sin), rotary_mode=1, partialSlice=[1, 5])
            own = wide(data)[..., :4]
            halves = torch.cat([own[..., ::2], own[..., 1::2]], -1)
            turned = torch.cat([-halves[..., 2:], halves[..., :2]], -1)
            case(family, "aclnnInterleaveRope", x=Tensor(word, data[..., :4].contiguous(), view), cos=Tensor(word, cos), sin=Tensor(word, sin), out=Out(word, halves * wide(cos) + turned * wide(sin)))
        for layout, sizes, figures in (("SBH", (3, 2, 4), (2, 2, 3)), ("TND", (3, 2, 4), (3, 2))):
            before, now = numbers(word, sizes), numbers(word, sizes)
            most, other = numbers("f32", figures), numbers("f32", figures)
            sums, further = numbers("f32", figures, "positive"), numbers("f32", figures, "positive")
            top = torch.maximum(wide(most), wide(other))
            one, another = wide(sums) * (wide(most) - top).exp(), wide(further) * (wide(other) - top).exp()
            # The figures of a sequence lie by heads.
            eight = lambda data: (data.T.reshape(figures) if layout == "TND" else data)[..., None].expand(*figures, 8)
            def spread(share):
                return share.permute(2, 0, 1).repeat_interleave(2, -1) if layout == "SBH" else share[..., None]
            result = wide(before) * spread(one / (one + another)) + wide(now) * spread(another / (one + another))
            case(family, "aclnnRingAttentionUpdate", prevAttnOut=Tensor(word, before, view), prevSoftmaxMax=Tensor("f32", eight(most).contiguous()), prevSoftmaxSum=Tensor("f32", eight(sums).contiguous()), curAttnOut=Tensor(word, now), curSoftmaxMax=Tensor("f32", eight(other).contiguous()),
                 curSoftmaxSum=Tensor("f32", eight(further).contiguous()), actualSeqQlenOptional=Tensor("s64", of("s64", [0, 3])) if layout == "TND" else None, inputLayoutOptional=f'"{layout}"', attnOutOut=Out(word, result), softmaxMaxOut=Out("f32", eight(top)), softmaxSumOut=Out("f32", eight(one + another)))
        parts, figures = [numbers(word, (3, 4)) for _ in range(3)], [numbers("f32", (3,)) for _ in range(3)]
        total = torch.logsumexp(torch.stack([wide(one) for one in figures]), 0)
        result = sum(wide(part) * (wide(figure) - total).exp()[:, None] for part, figure in zip(parts, figures))
        for kind in (0, 1):
            case(family, "aclnnAttentionUpdate", lse=List([Tensor("f32", one) for one in figures]), localOut=List([Tensor(word, part, view) for part in parts]), updateType=kind, out=Out(word, result), lseOut=Out("f32", total) if kind else None)
    good = Tensor("f32", numbers("f32", (1, 1, 1, 4)))
    for changed in ({"rotary_mode": 0}, {"partialSlice": [3, 1]}, {"partialSlice": [0, 9]}):
        case(family, "aclnnInplacePartialRotaryMul", code=161002, **({"xRef": InOut("f32", torch.zeros(1, 1, 1, 4), torch.zeros(1, 1, 1, 4)), "cos": good, "sin": good, "rotary_mode": 1, "partialSlice": [0, 4]} | changed))


def stored(family):
    """Layers that are stored as bytes."""
    for word, view in zip(SINGLE, VIEWS):
        data, scale, offset = numbers(word, (2, 3, 4)), numbers(word, (4,), "positive") * 8, numbers(word, (4,))
        for approximate in ("none", "tanh"):
            gelu = F.gelu(wide(data), approximate=approximate)
            case(family, "aclnnGeluQuant", self=Tensor(word, data, view), inputScaleOptional=Tensor(word, scale), inputOffsetOptional=Tensor(word, offset), approximate=f'"{approximate}"', quantMode='"static"', roundMode='"rint"', dstType=2, y=Out("s8", to_bytes(gelu * wide(scale) + wide(offset))), outScaleOptional=None)
            results, scales = by_rows(gelu * wide(scale))
            case(family, "aclnnGeluQuant", self=Tensor(word, data, view), inputScaleOptional=Tensor(word, scale), inputOffsetOptional=None, approximate=f'"{approximate}"', quantMode='"dynamic"', roundMode='"rint"', dstType=2, y=Out("s8", results), outScaleOptional=Out("f32", scales))
        rows = numbers(word, (3, 8))
        smooth, offsets = numbers("f32", (4,), "positive"), numbers("f32", (4,))
        one, other = wide(rows).chunk(2, -1)
        gated = F.silu(one) * other
        results, scales = by_rows(gated * wide(smooth))
        case(family, "aclnnSwiGluQuantV2", x=Tensor(word, rows, view), smoothScalesOptional=Tensor("f32", smooth), offsetsOptional=None, groupIndexOptional=None, activateLeft=True, quantModeOptional='"dynamic"', groupListType=0, dstType=2, yOut=Out("s8", results), scaleOut=Out("f32", scales))
        case(family, "aclnnSwiGluQuantV2", code=161002, x=Tensor(word, rows, view), smoothScalesOptional=None, offsetsOptional=None, groupIndexOptional=None, activateLeft=True, quantModeOptional='"dynamic"', groupListType=1, dstType=2, yOut=Out("s8", results), scaleOut=Out("f32", scales))
        if word == "f32":
            continue
        rows, smooth = numbers(word, (3, 4)), numbers(word, (4,), "positive")
        scaled = wide(rows) * wide(smooth)
        results, scales = by_rows(scaled)
        case(family, "aclnnDynamicQuantV3", x=Tensor(word, rows, view), smoothScalesOptional=Tensor(word, smooth), groupIndexOptional=None, dstType=2, isSymmetrical=True, quantMode='"pertoken"', yOut=Out("s8", results), scaleOut=Out("f32", scales), offsetOut=None)
        steps = (scaled.amax(-1) - scaled.amin(-1)) / 255
        shifts = 127 - scaled.amax(-1) / steps
        case(family, "aclnnDynamicQuantV3", x=Tensor(word, rows, view), smoothScalesOptional=Tensor(word, smooth), groupIndexOptional=None, dstType=2, isSymmetrical=False, quantMode='"pertoken"', yOut=Out("s8", to_bytes(scaled / steps[:, None] + shifts[:, None])), scaleOut=Out("f32", steps), offsetOut=Out("f32", shifts))
        data = numbers(word, (2, 3, 4))
        scale, shift, weight, bias = numbers(word, (2, 4)), numbers(word, (2, 1, 4)), numbers(word, (4,)), numbers(word, (4,))
        for given in (True, False):
            norm = F.layer_norm(wide(data), (4,), wide(weight) if given else None, wide(bias) if given else None, 0.125)
            result = (norm * (1 + wide(scale)[:, None]) + wide(shift)) * (wide(smooth) if given else 1)
            results, scales = by_rows(result)
            case(family, "aclnnAdaLayerNormQuant", x=Tensor(word, data, view), scale=Tensor(word, scale), shift=Tensor(word, shift), weightOptional=Tensor(word, weight) if given else None, biasOptional=Tensor(word, bias) if given else None, smoothScalesOptional=Tensor(word, smooth) if given else None,
                 epsilon=0.125, quantMode='"dynamic"', out=Out("s8", results), quantScale=Out("f32", scales), quantOffsetOptional=None)
        data, gamma, beta = numbers(word, (2, 4, 3)), numbers(word, (4,)), numbers(word, (4,))
        parts = wide(data).reshape(2, 2, 6)
        for size, activates in ((4, True), (1, False)):
            scale = numbers("f32", (size,), "positive") * 0.0625
            norm = F.group_norm(wide(data), 2, wide(gamma) if activates else None, wide(beta) if activates else None, 0.125)
            result = (F.silu(norm) if activates else norm) / wide(scale).reshape(-1, 1)
            case(family, "aclnnGroupNormSiluQuant", self=Tensor(word, data, view), gammaOptional=Tensor(word, gamma) if activates else None, betaOptional=Tensor(word, beta) if activates else None, quantScale=Tensor("f32", scale), group=2, eps=0.125, activateSilu=activates,
                 out=Out("s8", to_bytes(result)), meanOut=Out(word, parts.mean(-1)), rstdOut=Out(word, (parts.var(-1, correction=0) + 0.125).rsqrt()))
    for word, least, most in (("s8", -128, 127), ("u8", 0, 255), ("s32", -2 ** 31, 2 ** 31 - 1)):
        data, mean, spread = numbers(word, (2, 3, 4)), numbers("f32", (3,)), numbers("f32", (3,), "positive")
        weight, bias = numbers("f32", (3,)), numbers("f32", (3,))
        channels = lambda one: wide(one)[:, None]
        norm = ((wide(data).double() - 3) * 0.75 - channels(mean)) / (channels(spread) + 0.125).sqrt() * channels(weight) + channels(bias)
        case(family, "aclnnQuantizedBatchNorm", input=Tensor(word, data), mean=Tensor("f32", mean), var=Tensor("f32", spread), inputScale=Scalar("f32", 0.75), inputZeroPoint=Scalar("s32", 3), outputScale=Scalar("f32", 0.375), outputZeroPoint=Scalar("s32", 5), weight=Tensor("f32", weight), bias=Tensor("f32", bias),
             epsilon=0.125, output=Out(word, torch.round(norm / 0.375 + 5).clamp(least, most)))


def merged(family):
    """Products that are joined with other operators."""
    for word, view in zip(SINGLE, VIEWS):
        left_one, right, bias, other = numbers(word, (3, 4)), numbers(word, (4, 2)), numbers(word, (2,)), numbers(word, (3, 2))
        result = wide(left_one) @ wide(right)
        functions = {"add": lambda x: x + wide(other), "mul": lambda x: x * wide(other), "relu": torch.relu, "gelu_erf": F.gelu, "gelu_tanh": lambda x: F.gelu(x, approximate="tanh"), "": lambda x: x}
        for name, function in functions.items():
            for given in (True, False):
                case(family, "aclnnFusedMatmul", x1=Tensor(word, left_one, view), x2=Tensor(word, right, "transposed"), bias=Tensor(word, bias) if given else None, x3=Tensor(word, other) if name in ("add", "mul") else None, fusedOpType=f'"{name}"', cubeMathType=0,
                     y=Out(word, function(result + (wide(bias) if given else 0))))
        case(family, "aclnnFusedMatmul", code=161002, x1=Tensor(word, left_one), x2=Tensor(word, right), bias=None, x3=None, fusedOpType='"add"', cubeMathType=0, y=Out(word, result))
        for given in (True, False):
            shift = wide(bias) if given else 0
            case(family, "aclnnMatmulAdd", a=Tensor(word, left_one, view), b=Tensor(word, right), bias=Tensor(word, bias) if given else None, yOut=Out(word, result + shift))
            data, weight = numbers(word, (2, 3, 4)), numbers(word, (2, 4))
            case(family, "aclnnFusedMatmulGelu", x=Tensor(word, data, view), weight=Tensor(word, weight), bias=Tensor(word, bias) if given else None, approximate=1, y=Out(word, F.gelu(wide(data) @ wide(weight).T + shift, approximate="tanh")))
        one, another = numbers(word, (3, 2, 4)), numbers(word, (2, 4, 5))
        product = wide(one).transpose(0, 1) @ wide(another)
        for order in ([1, 0, 2], [0, 1, 2]):
            case(family, "aclnnTransposeBatchMatMul", x1=Tensor(word, one, view), x2=Tensor(word, another), bias=None, scale=None, permX1=[1, 0, 2], permX2=[0, 1, 2], permY=order, cubeMathType=0, batchSplitFactor=1, out=Out(word, product.permute(order)))
        case(family, "aclnnTransposeBatchMatMul", code=161002, x1=Tensor(word, one), x2=Tensor(word, another), bias=None, scale=None, permX1=[1, 1, 2], permX2=[0, 1, 2], permY=[1, 0, 2], cubeMathType=0, batchSplitFactor=1, out=Out(word, product))


def attended(family):
    """Attention for training: newer forms, sequences that lie behind each other, and gradients."""
    ends, of_keys = [2, 3], [3, 7]
    for index, (word, mode) in enumerate((("f32", 0), ("f16", 2), ("bf16", 3), ("f32", 4), ("f32", 1))):
        heads, fewer = 2, (2, 1)[index % 2]
        query, key, value = numbers(word, (3, heads, 4), "small"), numbers(word, (7, fewer, 4), "small"), numbers(word, (7, fewer, 6), "small")
        turned = numbers(word, (3, heads, 2), "small"), numbers(word, (7, fewer, 2), "small")
        gradient = numbers(word, (3, heads, 6), "small")
        mask = (numbers("bool", (2, 4)) & (torch.arange(4) > 0)) if mode == 1 else None

        def hidden(rows, columns):
            distance = torch.arange(columns) - torch.arange(rows)[:, None]
            shifted = distance - (columns - rows)
            if mode == 1:
                return mask[:rows, :columns]
            return {0: distance > 99, 2: distance > 0, 3: shifted > 0, 4: (shifted > 1) | (shifted < -1)}[mode]

        def run(own, ropes):
            results, tops, sums = [], [], []
            for first, end, start, stop in zip([0] + ends, ends, [0] + of_keys, of_keys):
                parts = [own[0][first:end]] + [one[start:stop].repeat_interleave(heads // fewer, 1) for one in own[1:]]
                scores = torch.einsum("qhd,khd->hqk", *parts[:2])
                if ropes:
                    scores = scores + torch.einsum("qhd,khd->hqk", ropes[0][first:end], ropes[1][start:stop].repeat_interleave(heads // fewer, 1))
                scores = (scores * 0.5).masked_fill(hidden(end - first, stop - start), float("-inf"))
                results.append(torch.einsum("hqk,khd->qhd", torch.softmax(scores, -1), parts[2]))
                tops.append(scores.amax(-1).T)
                sums.append((scores - scores.amax(-1, keepdim=True)).exp().sum(-1).T)
            return torch.cat(results), torch.cat(tops), torch.cat(sums)

        general = dict(dropMaskOptional=None, scaleValue=0.5, keepProb=1.0, preTokens=1, nextTokens=1, headNum=heads, inputLayout='"TND"', innerPrecise=0, sparseMode=mode)
        lengths = dict(actualSeqQLenOptional=ends, actualSeqKvLenOptional=of_keys)
        given = None if mask is None else Tensor("bool", mask)
        for version in ("", "V2", "V3", "V4", "V5") if index < 2 else ("", "V5"):
            ropes = version in ("V3", "V5") and mode != 0
            own = [wide(one).requires_grad_() for one in (query, key, value)]
            angles = [wide(one).requires_grad_() for one in turned] if ropes else []
            result, top, total = run(own, angles)
            more = {"pseType": 1} if version in ("V2", "V3", "V5") else {}
            if version in ("V4", "V5"):
                more["softmaxOutLayout"] = '""'
            eight = lambda data: data.detach()[..., None].expand(3, heads, 8)
            rope = dict(queryRope=Tensor(word, turned[0]) if ropes else None, keyRope=Tensor(word, turned[1]) if ropes else None)
            case(family, f"aclnnFlashAttentionVarLenScore{version}", query=Tensor(word, query), key=Tensor(word, key, "gaps"), value=Tensor(word, value), **rope, **lengths, attenMaskOptional=given, **general, **more,
                 softmaxMaxOut=Out("f32", eight(top)), softmaxSumOut=Out("f32", eight(total)), attentionOutOut=Out(word, result.detach()))
            slopes = torch.autograd.grad(result, own + angles, wide(gradient))
            if version in ("V4", "V5"):
                more["softmaxInLayout"] = more.pop("softmaxOutLayout")
            rope = dict(queryRope=rope["queryRope"], keyInRope=rope["keyRope"])
            rope_outs = dict(dqRopeOut=Out(word, slopes[3]) if ropes else None, dkRopeOut=Out(word, slopes[4]) if ropes else None)
            case(family, f"aclnnFlashAttentionUnpaddingScoreGrad{version}", query=Tensor(word, query), keyIn=Tensor(word, key, "gaps"), value=Tensor(word, value), dy=Tensor(word, gradient), **rope, **lengths, attenMaskOptional=given, **general, **more,
                 dqOut=Out(word, slopes[0]), dkOut=Out(word, slopes[1]), dvOut=Out(word, slopes[2]), **rope_outs, dpseOut=None)
    for index, (word, layout) in enumerate((("f32", "BNSD"), ("f16", "BSH"), ("bf16", "SBH"), ("f32", "BSND"))):
        fewer = (2, 1)[index % 2]

        def stored(data):
            return {"BNSD": data, "BSND": data.transpose(1, 2), "BSH": data.transpose(1, 2).flatten(2), "SBH": data.permute(2, 0, 1, 3).flatten(2)}[layout]

        query, key, value = (numbers(word, (2, count, length, 4), "small") for count, length in ((2, 3), (fewer, 5), (fewer, 5)))
        gradient, shift = numbers(word, (2, 2, 3, 4), "small"), numbers(word, (1, 2, 3, 5), "small")
        mask = numbers("bool", (3, 5)) & (torch.arange(5) > 0)
        general = dict(dropMaskOptional=None, attenMaskOptional=Tensor("bool", mask), scaleValue=0.5, keepProb=1.0, preTokens=9, nextTokens=9, headNum=2, inputLayout=f'"{layout}"', innerPrecise=0, sparseMode=0)
        for version, kind in (("", None), ("V2", index % 2), ("V3", 0), ("V4", 1)) if index < 2 else (("", None), ("V2", 0)):
            own = [wide(one).requires_grad_() for one in (query, key, value, shift)]
            products = own[0] @ own[1].repeat_interleave(2 // fewer, 1).transpose(-1, -2)
            scores = products * 0.5 + own[3] if kind == 0 else (products + own[3]) * 0.5
            scores = scores.masked_fill(mask, float("-inf"))
            result = torch.softmax(scores, -1) @ own[2].repeat_interleave(2 // fewer, 1)
            top = scores.detach().amax(-1, keepdim=True)
            eight = lambda data: data.expand(2, 2, 3, 8)
            more = {} if kind is None else {"pseType": kind}
            tensors = dict(query=Tensor(word, stored(query).contiguous()), value=Tensor(word, stored(value).contiguous()))
            if version:
                further = {"outDtype": 0, "softmaxOutLayout": '""', "seed": 0, "offset": 0} if version == "V4" else {}
                case(family, f"aclnnFlashAttentionScore{version}", **tensors, key=Tensor(word, stored(key).contiguous()), realShiftOptional=Tensor(word, shift), **general, **more, **further,
                     softmaxMaxOut=Out("f32", eight(top)), softmaxSumOut=Out("f32", eight((scores.detach() - top).exp().sum(-1, keepdim=True))), attentionOutOut=Out(word, stored(result.detach())))
            if version != "V4":
                slopes = torch.autograd.grad(result, own, wide(gradient))
                case(family, f"aclnnFlashAttentionScoreGrad{version}", **tensors, keyIn=Tensor(word, stored(key).contiguous()), dy=Tensor(word, stored(gradient).contiguous()), pseShiftOptional=Tensor(word, shift), **general, **more,
                     dqOut=Out(word, stored(slopes[0])), dkOut=Out(word, stored(slopes[1])), dvOut=Out(word, stored(slopes[2])), dpseOut=Out(word, slopes[3]))
    good = numbers("f32", (1, 2, 3, 4))
    refused = dict(query=Tensor("f32", good), key=Tensor("f32", good), value=Tensor("f32", good), dropMaskOptional=None, scaleValue=0.5, keepProb=1.0, preTokens=9, nextTokens=9, headNum=2, inputLayout='"BNSD"', innerPrecise=0, sparseMode=0, pseType=1, softmaxMaxOut=Out("f32", torch.zeros(1, 2, 3, 8)), softmaxSumOut=Out("f32", torch.zeros(1, 2, 3, 8)), attentionOutOut=Out("f32", good))
    for changed in ({"pseType": 2}, {"keepProb": 0.5}, {"inputLayout": '"TND"'}, {"headNum": 3}):
        case(family, "aclnnFlashAttentionScoreV2", code=161002, **(refused | changed))


def bags(family):
    """Parts of tensors, bags of rows, windows and functions that few programs call."""
    for word, view in zip(SINGLE, VIEWS):
        table, found, starts = numbers(word, (4, 3)), of("s64", [2, 0, 3, 1, 2]), of("s64", [0, 2, 2])
        factors = numbers(word, (5,))
        bag_of = of("s64", [0, 0, 2, 2, 2])
        for mode, name in ((0, "sum"), (1, "mean"), (2, "max")):
            for padding, given in ((-5, False), (3, False), (-5, mode == 0)):
                inside = found != padding
                result, _, sizes, most = torch.embedding_bag(wide(table), found, starts, False, mode, False, wide(factors) if given else None, False, padding if padding >= 0 else -1) if padding >= 0 else torch.embedding_bag(wide(table), found, starts, False, mode, False, wide(factors) if given else None, False)
                counts = torch.tensor([int(((bag_of == bag) & inside).sum()) for bag in range(3)])
                case(family, "aclnnEmbeddingBag", weight=Tensor(word, table, view), indices=Tensor("s64", found), offsets=Tensor("s64", starts), scaleGradByFreq=False, mode=mode, sparse=False, perSampleWeights=Tensor(word, factors) if given else None, includeLastOffset=False, paddingIdx=padding,
                     output=Out(word, result), offset2bag=Out("s64", bag_of), bagSize=Out("s64", counts), maxIndices=Out("s64", most.clamp(min=0)) if mode == 2 else left("s64", (3,)))
        case(family, "aclnnEmbeddingBag", weight=Tensor(word, table), indices=Tensor("s32", found), offsets=Tensor("s32", of("s32", [0, 2, 5])), scaleGradByFreq=False, mode=0, sparse=False, perSampleWeights=None, includeLastOffset=True, paddingIdx=-9,
             output=Out(word, torch.stack([wide(table)[found[:2]].sum(0), wide(table)[found[2:]].sum(0)])), offset2bag=Out("s32", of("s32", [0, 0, 1, 1, 1])), bagSize=Out("s32", of("s32", [2, 3])), maxIndices=left("s32", (2,)))
        rows, bias = numbers(word, (2, 3, 12)), numbers(word, (12,))
        parts = (wide(rows) + wide(bias)).reshape(2, 3, 3, 2, 2).permute(2, 0, 3, 1, 4)
        case(family, "aclnnTransformBiasRescaleQkv", qkv=Tensor(word, rows, view), qkvBias=Tensor(word, bias), numHeads=2, qOut=Out(word, parts[0] / math.sqrt(2)), kOut=Out(word, parts[1]), vOut=Out(word, parts[2]))
        images = numbers(word, (2, 1, 5, 4))
        for kernel, step, pads, ceiled in (([2, 3], [2, 1], [0, 0, 1, 1], None), ([3, 2], [2, 2], None, 1), ([2, 2], [3, 3], [1, 1, 1, 1], 1)):
            padded = F.pad(wide(images), [pads[2], pads[3], pads[0], pads[1]] if pads else [0, 0, 0, 0], value=float("-inf"))
            rest = (0, 0)
            if ceiled:
                rest = tuple((step[dim] - (padded.shape[2 + dim] - kernel[dim]) % step[dim]) % step[dim] for dim in (0, 1))
                rest = tuple(more if (padded.shape[2 + dim] + more - kernel[dim]) // step[dim] * step[dim] < images.shape[2 + dim] + (pads[2 * dim] if pads else 0) else 0 for dim, more in enumerate(rest))
            padded = F.pad(padded, [0, rest[1], 0, rest[0]], value=float("-inf"))
            case(family, "aclnnMaxPoolV3", x=Tensor(word, images, view), ksize=[1, 1] + kernel, strides=[1, 1] + step, pads=pads, ceilMode=None if ceiled is None else Scalar("s64", ceiled), out=Out(word, F.max_pool2d(padded, kernel, step)))
        data = numbers(word, (3, 4))
        case(family, "aclnnCeluV3", self=Tensor(word, data, view), alpha=Scalar("f32", 0.75), out=Out(word, F.celu(wide(data), 0.75), view))
        case(family, "aclnnThresholdV2", self=Tensor(word, data, view), threshold=Scalar("f32", 0.5), value=Scalar("f32", 9.0), out=Out(word, F.threshold(wide(data), 0.5, 9.0)))
        unit = numbers(word, (3, 4), "unit")
        case(family, "aclnnAsinWithAgent", x=Tensor(word, unit, view), y=Out(word, torch.asin(wide(unit))))
        case(family, "aclnnAsinhWithAgent", x=Tensor(word, data, view), y=Out(word, torch.asinh(wide(data))))
        wider = torch.cat([data, data * 3, of(word, [[0.0, 3.5, -3.5, 4.0], [8.0, -8.0, float("inf"), float("-inf")]])])
        integrals = [fresnel(one) for one in wide(wider).flatten().tolist()]
        for part, name in enumerate(("Cos", "Sin")):
            case(family, f"aclnnFresnel{name}", x=Tensor(word, wider, view), out=Out(word, torch.tensor([one[part] for one in integrals]).reshape(wider.shape)))
        for training, lower, upper in ((False, 0.25, 0.5), (True, 0.25, 0.25)):
            factor = (lower + upper) / 2
            result = torch.where(wide(data) > 0, wide(data), wide(data) * factor)
            noise = torch.where(wide(data) > 0, 1.0, factor) if training else torch.zeros(3, 4)
            general = dict(noise=InOut(word, torch.zeros(3, 4), noise), lower=Scalar("f32", lower), upper=Scalar("f32", upper), training=training, seed=3, offset=0)
            case(family, "aclnnRReluWithNoise", self=Tensor(word, data, view), **general, out=Out(word, result))
            case(family, "aclnnInplaceRReluWithNoise", self=InOut(word, data, result), **general)
    for word, view in zip(["f32", "s64", "bf16", "bool", "s8"], VIEWS + ["", "gaps"]):
        data = numbers(word, (2, 5, 3))
        data[:, 3] = data[:, 1]
        for dim in (1, -1, 0):
            values, inverse, counts = torch.unique(data, dim=dim, return_inverse=True, return_counts=True)
            for wanted in (True, False):
                case(family, "aclnnUniqueDim", self=Tensor(word, data, view), sorted=True, returnInverse=wanted, dim=dim, valueOut=Raw(decided(word, data, values)), inverseOut=Out("s64", inverse) if wanted else left("s64", (data.shape[dim],)),
                     countsOut=Raw(decided("s64", torch.zeros(data.shape[dim]), counts)))
        value = numbers(word, (2, 2, 3))
        after = data.clone()
        after[:, 1:5:2] = value
        case(family, "aclnnStridedSliceAssignV2", varRef=InOut(word, data, after, view), inputValue=Tensor(word, value), begin=[1], end=[5], strides=[2], axesOptional=[1])
        after = data.clone()
        after[:, -2:, :2] = value[:, :, :2]
        case(family, "aclnnStridedSliceAssignV2", varRef=InOut(word, data, after), inputValue=Tensor(word, value[:, :, :2].contiguous()), begin=[0, -2, 0], end=[9, 9, -1], strides=[1, 1, 1], axesOptional=None)
        whole = data.contiguous().flatten()
        case(family, "aclnnAsStrided", x=Tensor(word, data, view), size=[3, 4], stride=[2, 1], storageOffset=[3], out=Out(word, torch.as_strided(whole, (3, 4), (2, 1), 3)))
        case(family, "aclnnAsStrided", code=161002, x=Tensor(word, data, view), size=[3, 4], stride=[9, 1], storageOffset=[9], out=Out(word, torch.zeros(3, 4)))
    for word in ("s32", "s64"):
        case(family, "aclnnDataFormatDimMap", x=Tensor(word, of(word, [0, 1, 2, 3, -1, -4])), srcFormat='"NHWC"', dstFormat='"NCHW"', y=Out(word, of(word, [0, 2, 3, 1, 1, 0])))
        case(family, "aclnnDataFormatDimMap", code=161002, x=Tensor(word, of(word, [0])), srcFormat='"NHWC"', dstFormat='"NCHX"', y=Out(word, of(word, [0])))


def decided(word, before, values):
    """A result whose size the data decide: the storage has room for all elements, and keeps what it had behind them."""
    flat = values.contiguous().flatten()
    rest = torch.full((before.numel() - flat.numel(),), 1 if word == "bool" else LEFT)
    whole = torch.cat([flat.to(torch.float64), rest.to(torch.float64)]).reshape(before.shape)
    return Out(word, whole, shape=values.shape).text()


def fresnel(x):
    """The integrals of the cosine and the sine of `pi / 2 * t * t` by the rule of Gauss in many parts."""
    if math.isinf(x):
        return math.copysign(0.5, x), math.copysign(0.5, x)
    nodes, weights = numpy.polynomial.legendre.leggauss(20)
    edges = numpy.linspace(0, x, 400)
    half = (edges[1:] - edges[:-1])[:, None] / 2
    places = edges[:-1, None] + half * (nodes + 1)
    angles = math.pi / 2 * places ** 2
    return float((half * weights * numpy.cos(angles)).sum()), float((half * weights * numpy.sin(angles)).sum())


def smooth(family):
    """Gradients of images and points, and a loss over several cards."""
    for word, view in zip(SINGLE, VIEWS):
        logits = numbers(word, (3, 4))
        most, total, found = numbers("f32", (3,)), numbers("f32", (3,), "positive"), numbers("f32", (3,))
        for given in (True, False):
            softmax = (wide(logits) - wide(most)[:, None]).exp() / wide(total)[:, None]
            case(family, "aclnnFusedCrossEntropyLossWithMaxSum", logitsMax=Tensor("f32", most), sumExpLogits=Tensor("f32", total), predictedLogits=Tensor("f32", found), labelSmoothing=0.0, inputOptional=None, weightOptional=None, vocabParallelLogitsOptional=Tensor(word, logits, view) if given else None,
                 lossOut=Out("f32", wide(total).log() - wide(found)), softMaxOutOptional=Out("f32", softmax) if given else None)
        for kind, name in (("bicubic", "aclnnUpsampleBicubic2dAAGrad"), ("bilinear", "aclnnUpsampleBilinear2dAABackward")):
            for own, wanted, aligned in (((5, 4), (3, 6), False), ((4, 6), (2, 2), True), ((3, 3), (5, 4), False)):
                operand = torch.zeros(2, 2, *own, dtype=torch.float64).requires_grad_()
                gradient = numbers(word, (2, 2, *wanted))
                result = F.interpolate(operand, size=wanted, mode=kind, align_corners=aligned, antialias=True)
                case(family, name, gradOutput=Tensor(word, gradient, view), outputSize=list(wanted), inputSize=[2, 2, *own], alignCorners=aligned, scalesH=0.0, scalesW=0.0, out=Out(word, torch.autograd.grad(result, operand, wide(gradient))[0]))
        if word == "bf16":
            continue
        gradient, weights = numbers(word, (2, 3, 4)), numbers(word, (2, 4, 3))
        places = torch.tensor([[[0, 2, 4], [1, 1, 0], [3, 2, 1], [4, 0, 0]], [[2, 2, 2], [0, 1, 2], [4, 3, 1], [1, 0, 3]]])
        sums = torch.zeros(2, 3, 5, dtype=torch.float64)
        for batch in range(2):
            for point in range(4):
                for tap in range(3):
                    sums[batch, :, places[batch, point, tap]] += wide(gradient)[batch, :, point] * wide(weights)[batch, point, tap]
        for kind in ("s32", "s64"):
            case(family, "aclnnThreeInterpolateBackward", grad_x=Tensor(word, gradient, view), idx=Tensor(kind, places), weight=Tensor(word, weights), m=5, grad_y=Out(word, sums))

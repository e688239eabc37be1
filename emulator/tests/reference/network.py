"""Cases of images, attention, experts, quantized numbers, training and advanced indices."""

import itertools
import math

import torch

from form import SINGLE, InOut, List, Out, Raw, Scalar, Tensor, TORCH, case, numbers, of, wide

F = torch.nn.functional
VIEWS = ["", "transposed", "gaps"]


def image(family):
    """Convolutions and windows."""
    turn = itertools.count()

    def convolution(size, kernel, bias, stride, padding, dilation, groups, transposed=False, extra=None):
        index = next(turn)
        word, view = SINGLE[index % 3], VIEWS[index % 3]
        data, weight = numbers(word, size, "small"), numbers(word, kernel, "small")
        rank = len(size) - 2
        outputs = (kernel[1] * groups) if transposed else kernel[0]
        added = numbers(word, (outputs,)) if bias else None
        plain = padding
        image = wide(data)
        if len(padding) == 2 * rank and rank > 1:
            image = F.pad(image, [padding[2], padding[3], padding[0], padding[1]])
            plain = [0] * rank
        elif len(padding) == 2 and rank == 1:
            image, plain = F.pad(image, padding), [0]
        result = torch.convolution(image, wide(weight), wide(added) if bias else None, stride, plain, dilation, transposed, extra or [0] * rank, groups)
        case(family, "aclnnConvolution", input=Tensor(word, data, view), weight=Tensor(word, weight), bias=Tensor(word, added) if bias else None, stride=stride, padding=padding, dilation=dilation,
             transposed=transposed, outputPadding=extra or [0] * rank, groups=groups, output=Out(word, result, VIEWS[(index + 1) % 3]), cubeMathType=0)

    convolution((2, 2, 3, 3), (2, 2, 2, 2), True, [1, 1], [0, 0], [1, 1], 1)
    convolution((1, 4, 4, 3), (4, 2, 2, 2), False, [2, 1], [1, 0], [1, 2], 2)
    convolution((1, 2, 3, 3), (2, 2, 2, 2), True, [1, 1], [1, 0, 0, 1], [1, 1], 1)
    convolution((2, 2, 5), (3, 2, 3), True, [2], [1], [1], 1)
    convolution((1, 2, 5), (2, 1, 2), True, [1], [2, 0], [2], 2)
    convolution((1, 2, 2, 3, 3), (2, 2, 2, 2, 2), True, [1, 1, 1], [0, 1, 0], [1, 1, 1], 1)
    convolution((1, 2, 2, 3), (2, 3, 2, 2), True, [2, 1], [1, 0], [1, 2], 1, True, [1, 0])
    convolution((1, 4, 3), (4, 1, 3), False, [2], [0], [1], 2, True)
    for word in SINGLE[:2]:
        data, weight, bias = numbers(word, (1, 2, 4, 3), "small"), numbers(word, (4, 1, 2, 2), "small"), numbers(word, (4,))
        case(family, "aclnnConvDepthwise2d", self=Tensor(word, data), weight=Tensor(word, weight), kernelSize=[2, 2], bias=Tensor(word, bias), stride=[2, 1], padding=[1, 0], dilation=[1, 1],
             out=Out(word, F.conv2d(wide(data), wide(weight), wide(bias), (2, 1), (1, 0), 1, 2)), cubeMathType=0)
        data = numbers(word, (1, 2, 4, 3))
        case(family, "aclnnIm2col", self=Tensor(word, data, "gaps"), kernelSize=[2, 2], dilation=[1, 2], padding=[0, 1], stride=[2, 1], out=Out(word, F.unfold(wide(data), (2, 2), (1, 2), (0, 1), (2, 1))))
        case(family, "aclnnIm2col", self=Tensor(word, data[0]), kernelSize=[2, 1], dilation=[1, 1], padding=[0, 0], stride=[1, 1], out=Out(word, F.unfold(wide(data[0]), (2, 1))))
        for kernel, stride, padding, ceil, include, divisor in (([2, 2], [2, 1], [0, 1], False, True, 0), ([3], [], [1], True, False, 0), ([2, 3], [2], [1, 1], True, True, 0), ([2, 2], [1, 1], [0, 0], False, True, 5)):
            two = lambda sizes: sizes * 2 if len(sizes) == 1 else sizes
            result = F.avg_pool2d(wide(data), two(kernel), two(stride) if stride else None, two(padding), ceil, include, divisor or None)
            case(family, "aclnnAvgPool2d", self=Tensor(word, data, "transposed"), kernelSize=kernel, strides=stride, paddings=padding, ceilMode=ceil, countIncludePad=include, divisorOverride=divisor, cubeMathType=0, out=Out(word, result))
        case(family, "aclnnAdaptiveAvgPool2d", self=Tensor(word, data), outputSize=[3, 2], out=Out(word, F.adaptive_avg_pool2d(wide(data), (3, 2))))
        case(family, "aclnnAdaptiveAvgPool2d", self=Tensor(word, data[0]), outputSize=[2, 5], out=Out(word, F.adaptive_avg_pool2d(wide(data[0]), (2, 5))))
        result = F.max_pool2d(wide(data), (2, 2), (1, 1), (1, 0))
        case(family, "aclnnMaxPool", self=Tensor(word, data), kernelShape=[2, 2], strides=[], autoPad=0, pads=[1, 0], dilations=[1, 1], ceilMode=0, out=Out(word, result))
        result = F.max_pool2d(wide(data), 2, 2, 1, ceil_mode=True)
        case(family, "aclnnMaxPool", self=Tensor(word, data), kernelShape=[2], strides=[2], autoPad=0, pads=[1, 1, 1, 1], dilations=[1], ceilMode=1, out=Out(word, result))
        data = torch.arange(24.0)[torch.randperm(24, generator=torch.Generator().manual_seed(3))].reshape(2, 4, 3).to(TORCH[word])
        for ceil in (False, True):
            values, places = F.max_pool2d(wide(data), 2, 2, 1, ceil_mode=ceil, return_indices=True)
            case(family, "aclnnMaxPool2dWithIndices", self=Tensor(word, data), kernelSize=[2, 2], stride=[2, 2], padding=[1, 1], dilation=[1, 1], ceilMode=ceil, out=Out(word, values), indices=Out("s32", places))
    for index, word in enumerate(["f32", "f16", "bf16", "f64", "u8"]):
        data = numbers(word, (1, 2, 2, 3))
        case(family, "aclnnUpsampleNearest2d", self=Tensor(word, data, VIEWS[index % 3]), outputSize=[4, 5], out=Out(word, F.interpolate(wide(data).double(), (4, 5))))
        if word != "u8":
            for aligned in (True, False):
                case(family, "aclnnUpsampleBilinear2d", self=Tensor(word, data, VIEWS[index % 3]), outputSize=[3, 5], alignCorners=aligned, scalesH=0.0, scalesW=0.0,
                     out=Out(word, F.interpolate(wide(data), (3, 5), mode="bilinear", align_corners=aligned)))
    good = lambda *size: Tensor("f32", numbers("f32", size))
    out = lambda *size: Out("f32", numbers("f32", size))
    plain = dict(bias=None, stride=[1, 1], padding=[0, 0], dilation=[1, 1], transposed=False, outputPadding=[0, 0], groups=1, cubeMathType=0)
    case(family, "aclnnConvolution", code=161001, input=None, weight=good(1, 1, 1, 1), output=out(1, 1, 2, 2), **plain)
    case(family, "aclnnConvolution", code=161002, input=good(1, 2, 2, 2), weight=good(1, 1, 1, 1), output=out(1, 1, 2, 2), **plain)
    case(family, "aclnnConvolution", code=161002, input=good(1, 1, 2, 2), weight=good(1, 1, 1, 1), output=out(1, 1, 2, 3), **plain)
    case(family, "aclnnConvolution", code=161002, input=good(1, 1, 2, 2), weight=good(1, 1, 3, 3), output=out(1, 1, 2, 2), **plain)
    case(family, "aclnnConvolution", code=161002, input=good(1, 1, 2, 2), weight=good(1, 1, 1, 1), output=out(1, 1, 2, 2), **(plain | dict(groups=0)))
    case(family, "aclnnAvgPool2d", code=161002, self=good(1, 1, 2, 2), kernelSize=[2, 2], strides=[1, 1], paddings=[2, 2], ceilMode=False, countIncludePad=True, divisorOverride=0, cubeMathType=0, out=out(1, 1, 5, 5))


def rotated(data, cos, sin, halves):
    if halves:
        one, other = data.chunk(2, -1)
        turned = torch.cat([-other, one], -1)
    else:
        turned = torch.stack([-data[..., 1::2], data[..., ::2]], -1).flatten(-2)
    return data * cos + turned * sin


def attention(family):
    """Attention and rotations."""
    for word, mode, shape in (("f32", 0, (1, 2, 1, 4)), ("f16", 1, (1, 2, 1, 4)), ("bf16", 0, (1, 1, 1, 4)), ("f32", 1, (2, 2, 3, 4))):
        data, cos, sin = numbers(word, (2, 2, 3, 4)), numbers(word, shape), numbers(word, shape)
        if shape == (1, 2, 1, 4):
            cos, sin = numbers(word, (1, 2, 1, 4)), numbers(word, (1, 2, 1, 4))
        case(family, "aclnnRotaryPositionEmbedding", x=Tensor(word, data, "gaps"), cos=Tensor(word, cos), sin=Tensor(word, sin), mode=mode, out=Out(word, rotated(wide(data), wide(cos), wide(sin), mode == 0)))
    good = Tensor("f32", numbers("f32", (1, 1, 2, 4)))
    case(family, "aclnnRotaryPositionEmbedding", code=561002, x=good, cos=good, sin=good, mode=2, out=Out("f32", numbers("f32", (1, 1, 2, 4))))
    case(family, "aclnnRotaryPositionEmbedding", code=561002, x=good, cos=Tensor("f32", numbers("f32", (1, 1, 3, 4))), sin=good, mode=0, out=Out("f32", numbers("f32", (1, 1, 2, 4))))
    query, cos, sin = (numbers("s32", (1, 1, 1, 128)).float() for _ in range(3))
    result = rotated(wide(query), wide(cos), wide(sin), True)
    case(family, "aclnnApplyRotaryPosEmb", queryRef=InOut("f32", query, result), keyRef=InOut("f32", query, result), cos=Tensor("f32", cos), sin=Tensor("f32", sin), layout=1)
    for word, mode in (("f32", "half"), ("f16", "interleave"), ("bf16", "half")):
        query, key, cos, sin = numbers(word, (2, 2, 2, 4)), numbers(word, (2, 2, 1, 4)), numbers(word, (2, 2, 1, 4)), numbers(word, (2, 2, 1, 4))
        turn = lambda data: rotated(wide(data), wide(cos), wide(sin), mode == "half")
        case(family, "aclnnApplyRotaryPosEmbV2", queryRef=InOut(word, query, turn(query)), keyRef=InOut(word, key, turn(key)), cos=Tensor(word, cos), sin=Tensor(word, sin), layout=1, rotaryMode=f'"{mode}"')
    case(family, "aclnnApplyRotaryPosEmbV2", code=161002, queryRef=good, keyRef=good, cos=good, sin=good, layout=2, rotaryMode='"half"')

    def heads(data, layout, count):
        if layout == "BNSD":
            return data
        if layout == "BSND":
            return data.transpose(1, 2)
        if layout == "BSH":
            return data.unflatten(-1, (count, -1)).transpose(1, 2)
        return data.unflatten(-1, (count, -1)).permute(1, 2, 0, 3)

    def back(data, layout):
        if layout == "BNSD":
            return data
        if layout == "BSND":
            return data.transpose(1, 2)
        if layout == "BSH":
            return data.transpose(1, 2).flatten(2)
        return data.permute(2, 0, 1, 3).flatten(2)

    def sizes(layout, batch, count, length, width):
        return {"BNSD": (batch, count, length, width), "BSND": (batch, length, count, width), "BSH": (batch, length, count * width), "SBH": (length, batch, count * width)}[layout]

    def scores(query, key, scale, hidden, shift):
        repeat = query.shape[1] // key.shape[1]
        result = query @ key.repeat_interleave(repeat, 1).transpose(-1, -2) * scale
        if shift is not None:
            result = result + shift
        return result if hidden is None else result.masked_fill(hidden, float("-inf"))

    for index, (word, layout, keys, mode) in enumerate((("f32", "BNSD", 2, 0), ("f16", "BSH", 1, 2), ("bf16", "SBH", 2, 3), ("f32", "BSND", 1, 4))):
        query, key, value = (numbers(word, sizes(layout, 1, count, length, 4), "small") for count, length in ((2, 3), (keys, 4), (keys, 4)))
        hidden = {0: numbers("bool", (3, 4)) & (torch.arange(4) > 0), 2: torch.ones(3, 4).triu(1).bool(), 3: torch.ones(3, 4).triu(2).bool(), 4: torch.ones(3, 4).triu(3).bool() | torch.ones(3, 4).tril(-1).bool()}[mode]
        shift = numbers(word, (1, 2, 3, 4), "small") if index % 2 == 0 else None
        own = [heads(wide(one), layout, count) for one, count in ((query, 2), (key, keys), (value, keys))]
        # The scale multiplies the shift too.
        result = scores(own[0], own[1], 0.5, hidden, None if shift is None else 0.5 * wide(shift))
        most = result.amax(-1, keepdim=True)
        total = (result - most).exp().sum(-1, keepdim=True)
        weights = torch.softmax(result, -1) @ own[2].repeat_interleave(2 // keys, 1)
        case(family, "aclnnFlashAttentionScore", query=Tensor(word, query), key=Tensor(word, key, "gaps"), value=Tensor(word, value), realShiftOptional=None if shift is None else Tensor(word, shift), dropMaskOptional=None, paddingMaskOptional=None,
             attenMaskOptional=Tensor("bool", hidden), prefixOptional=None, scaleValue=0.5, keepProb=1.0, preTokens=1, nextTokens=1, headNum=2, inputLayout=f'"{layout}"', innerPrecise=0, sparseMode=mode,
             softmaxMaxOut=Out("f32", most.expand(1, 2, 3, 8)), softmaxSumOut=Out("f32", total.expand(1, 2, 3, 8)), softmaxOutOut=None, attentionOutOut=Out(word, back(weights, layout)))
    nothing = {name: None for name in ("deqScale1", "quantScale1", "deqScale2", "quantScale2", "quantOffset2")}
    optional = lambda names: {f"{name}Optional": None for name in names}
    for index, (word, layout, keys) in enumerate((("f16", "BNSD", 2), ("bf16", "BSH", 1))):
        query, key, value = (numbers(word, sizes(layout, 2, count, length, 4), "small") for count, length in ((2, 3), (keys, 4), (keys, 4)))
        lengths = [4, 2]
        hidden = torch.arange(4)[None, None, None] >= torch.tensor(lengths)[:, None, None, None]
        own = [heads(wide(one), layout, count) for one, count in ((query, 2), (key, keys), (value, keys))]
        result = scores(own[0], own[1], 0.5, hidden, None)
        weights = torch.softmax(result, -1) @ own[2].repeat_interleave(2 // keys, 1)
        case(family, "aclnnPromptFlashAttentionV3", query=Tensor(word, query), key=Tensor(word, key), value=Tensor(word, value), pseShift=None, attenMask=None, actualSeqLengths=None, actualSeqLengthsKv=lengths, **nothing, numHeads=2,
             scaleValue=0.5, preTokens=2147483647, nextTokens=2147483647, inputLayout=f'"{layout}"', numKeyValueHeads=keys, sparseMode=0, innerPrecise=0, attentionOut=Out(word, back(weights, layout)))
        for version in ("V2", "V3"):
            rope = optional(("queryRope", "keyRope", "keyRopeAntiquantScale")) if version == "V3" else {}
            case(family, f"aclnnFusedInferAttentionScore{version}", query=Tensor(word, query), key=List([Tensor(word, key)]), value=List([Tensor(word, value)]), **optional(("pseShift", "attenMask", "actualSeqLengths")), actualSeqLengthsKvOptional=lengths,
                 **optional(("deqScale1", "quantScale1", "deqScale2", "quantScale2", "quantOffset2", "antiquantScale", "antiquantOffset", "blockTable", "queryPaddingSize", "kvPaddingSize", "keyAntiquantScale", "keyAntiquantOffset",
                             "valueAntiquantScale", "valueAntiquantOffset", "keySharedPrefix", "valueSharedPrefix", "actualSharedPrefixLen")), **rope, numHeads=2, scaleValue=0.5, preTokens=2147483647, nextTokens=2147483647, inputLayout=f'"{layout}"',
                 numKeyValueHeads=keys, sparseMode=0, innerPrecise=0, blockSize=0, antiquantMode=0, softmaxLseFlag=index == 0, keyAntiquantMode=0, valueAntiquantMode=0, attentionOut=Out(word, back(weights, layout)),
                 softmaxLse=Out("f32", torch.logsumexp(result, -1, keepdim=True)) if index == 0 else None)
        query = numbers(word, sizes(layout, 2, 2, 1, 4), "small")
        mask = numbers("bool", (2, 4)) & (torch.arange(4) > 0)
        own[0] = heads(wide(query), layout, 2)
        result = scores(own[0], own[1], 0.5, hidden | mask[:, None, None], None)
        weights = torch.softmax(result, -1) @ own[2].repeat_interleave(2 // keys, 1)
        names = ("dequantScale1", "quantScale1", "dequantScale2", "quantScale2", "quantOffset2", "antiquantScale", "antiquantOffset", "blocktable", "kvPaddingSize")
        case(family, "aclnnIncreFlashAttentionV4", query=Tensor(word, query), key=List([Tensor(word, key)]), value=List([Tensor(word, value)]), pseShift=None, attenMask=Tensor("bool", mask), actualSeqLengths=lengths,
             **{name: None for name in names}, numHeads=2, scaleValue=0.5, inputLayout=f'"{layout}"', numKeyValueHeads=keys, blockSize=0, innerPrecise=0, attentionOut=Out(word, back(weights, layout)))
    bad = Tensor("f16", numbers("f16", (2, 3, 4)))
    case(family, "aclnnPromptFlashAttentionV3", code=161002, query=bad, key=bad, value=bad, pseShift=None, attenMask=None, actualSeqLengths=None, actualSeqLengthsKv=None, **nothing, numHeads=3, scaleValue=0.5, preTokens=1, nextTokens=1,
         inputLayout='"BSH"', numKeyValueHeads=3, sparseMode=0, innerPrecise=0, attentionOut=Out("f16", numbers("f16", (2, 3, 4))))


def experts(family):
    """Mixtures of experts."""
    for word in SINGLE:
        data = numbers(word, (3, 4)) + torch.arange(4).to(TORCH[word])
        probabilities = torch.softmax(wide(data), 1)
        values, chosen = torch.topk(probabilities, 2, 1)
        rows = torch.arange(2)[None] * 3 + torch.arange(3)[:, None]
        case(family, "aclnnMoeGatingTopKSoftmax", x=Tensor(word, data), finishedOptional=None, k=2, yOut=Out(word, values), expertIdxOut=Out("s32", chosen), rowIdxOut=Out("s32", rows))
        ended = of("bool", [0, 1, 0])
        case(family, "aclnnMoeGatingTopKSoftmax", x=Tensor(word, data), finishedOptional=Tensor("bool", ended), k=2, yOut=Out(word, values), expertIdxOut=Out("s32", torch.where(ended[:, None], 4, chosen)), rowIdxOut=Out("s32", rows))
        data, which = numbers(word, (3, 2)), of("s32", [[1, 0], [2, 1], [0, 2]])
        order = which.flatten().argsort(stable=True)
        places = order.argsort()
        case(family, "aclnnMoeTokenPermute", tokens=Tensor(word, data), indices=Tensor("s32", which), numOutTokens=0, paddedMode=False, permuteTokensOut=Out(word, data[order // 2]), sortedIndicesOut=Out("s32", places))
        case(family, "aclnnMoeTokenPermute", tokens=Tensor(word, data), indices=Tensor("s32", which), numOutTokens=4, paddedMode=False, permuteTokensOut=Out(word, data[order // 2][:4]), sortedIndicesOut=Out("s32", places))
        weights, sorted_rows = numbers(word, (3, 2), "positive"), data[order // 2]
        result = (wide(sorted_rows)[places].reshape(3, 2, 2) * wide(weights)[..., None]).sum(1)
        case(family, "aclnnMoeTokenUnpermute", permutedTokens=Tensor(word, sorted_rows), sortedIndices=Tensor("s32", places.int()), probsOptional=Tensor(word, weights), paddedMode=False, restoreShapeOptional=None, out=Out(word, result))
        case(family, "aclnnMoeTokenUnpermute", permutedTokens=Tensor(word, sorted_rows), sortedIndices=Tensor("s32", places.int()), probsOptional=None, paddedMode=False, restoreShapeOptional=None, out=Out(word, sorted_rows[places]))
        counts = torch.bincount(which.flatten().long(), minlength=3)
        for flag, given in ((0, None), (1, counts.cumsum(0)), (2, counts)):
            case(family, "aclnnMoeInitRoutingV2", x=Tensor(word, data), expertIdx=Tensor("s32", which), activeNumOptional=0, expertCapacityOptional=0, expertNumOptional=3, dropPadModeOptional=0, expertTokensCountOrCumsumFlagOptional=flag,
                 expertTokensBeforeCapacityFlagOptional=False, expandedXOut=Out(word, data[order // 2]), expandedRowIdxOut=Out("s32", places), expertTokensCountOrCumsumOutOptional=None if given is None else Out("s32", given), expertTokensBeforeCapacityOutOptional=None)
        left, right, bias = [numbers(word, (2, 3)), numbers(word, (1, 3))], [numbers(word, (3, 2)), numbers(word, (3, 4))], [numbers(word, (2,)), numbers(word, (4,))]
        empty = {name: None for name in ("scaleOptional", "offsetOptional", "antiquantScaleOptional", "antiquantOffsetOptional", "perTokenScaleOptional")}
        more = {name: None for name in ("activationInputOptional", "activationQuantScaleOptional", "activationQuantOffsetOptional")}
        ends = dict(activationFeatureOutOptional=None, dynQuantScaleOutOptional=None)
        tensors = lambda many: List([Tensor(word, one) for one in many])
        case(family, "aclnnGroupedMatmulV4", x=tensors(left), weight=tensors(right), biasOptional=tensors(bias), **empty, groupListOptional=None, **more, splitItem=0, groupType=-1, groupListType=0, actType=0,
             out=List([Out(word, wide(a) @ wide(b) + wide(c)) for a, b, c in zip(left, right, bias)]), **ends)
        data, weights = numbers(word, (4, 3)), numbers(word, (2, 3, 2))
        result = torch.cat([wide(data[:1]) @ wide(weights[0]), wide(data[1:]) @ wide(weights[1])])
        for kind, groups in ((0, [1, 4]), (1, [1, 3])):
            case(family, "aclnnGroupedMatmulV4", x=tensors([data]), weight=tensors([weights]), biasOptional=None, **empty, groupListOptional=Tensor("s64", of("s64", groups)), **more, splitItem=2, groupType=0, groupListType=kind, actType=1,
                 out=List([Out(word, result.relu())]), **ends)


def quantize(family):
    """Quantized numbers."""
    for word in ("f16", "bf16"):
        data, smooth = numbers(word, (2, 4)), numbers(word, (4,), "positive")
        for factors in (None, smooth):
            values = wide(data) * (1 if factors is None else wide(factors))
            scale = values.abs().amax(1) / 127
            case(family, "aclnnDynamicQuant", x=Tensor(word, data), smoothScalesOptional=None if factors is None else Tensor(word, factors), yOut=Out("s8", (values / scale[:, None]).round()), scaleOut=Out("f32", scale))
    case(family, "aclnnDynamicQuant", x=Tensor("f16", of("f16", [[0.0, 0.0]])), smoothScalesOptional=None, yOut=Out("s8", of("s8", [[0, 0]])), scaleOut=Out("f32", of("f32", [0.0])))
    for word, mode, function in (("f32", "round", torch.round), ("f16", "ceil", torch.ceil), ("bf16", "floor", torch.floor), ("f32", "trunc", torch.trunc)):
        data, scale, offset = numbers(word, (2, 4)), numbers(word, (4,), "positive"), numbers(word, (4,))
        values = function(wide(data) * wide(scale) + wide(offset)).clamp(-128, 127)
        case(family, "aclnnAscendQuantV3", x=Tensor(word, data), scale=Tensor(word, scale), offset=Tensor(word, offset), sqrtMode=False, roundMode=f'"{mode}"', dstType=2, axis=-1, y=Out("s8", values))
    case(family, "aclnnAscendQuantV3", x=Tensor("f32", of("f32", [100.0, -9.0])), scale=Tensor("f32", of("f32", [3.0])), offset=None, sqrtMode=True, roundMode='"round"', dstType=2, axis=-1, y=Out("s8", of("s8", [127, -81])))
    left, right, scale, rows, bias = numbers("s8", (2, 3)), numbers("s8", (3, 4)), numbers("f32", (4,), "positive"), numbers("f32", (2,), "positive"), numbers("s32", (4,))
    result = (wide(left) @ wide(right) + wide(bias)).double() * wide(scale)
    none = dict(offset=None, pertokenScaleOptional=None)
    case(family, "aclnnQuantMatmulV4", x1=Tensor("s8", left), x2=Tensor("s8", right), scale=Tensor("f32", scale), **none, bias=Tensor("s32", bias), transposeX1=False, transposeX2=False, out=Out("bf16", result))
    case(family, "aclnnQuantMatmulV4", x1=Tensor("s8", left), x2=Tensor("s8", right.T.contiguous()), scale=Tensor("f32", scale), offset=None, pertokenScaleOptional=Tensor("f32", rows), bias=Tensor("s32", bias), transposeX1=False, transposeX2=True, out=Out("f16", result * wide(rows)[:, None]))
    case(family, "aclnnQuantMatmulV4", x1=Tensor("s8", left.T.contiguous()), x2=Tensor("s8", right), scale=Tensor("f32", of("f32", [0.5])), offset=None, pertokenScaleOptional=None, bias=None, transposeX1=True, transposeX2=False,
         out=Out("s8", ((wide(left) @ wide(right)) * 0.5).round().clamp(-128, 127)))
    for word in ("f16", "bf16"):
        data, weight, scale, offset = numbers(word, (2, 3)), numbers("s8", (3, 4)), numbers(word, (4,), "positive"), numbers(word, (4,))
        case(family, "aclnnWeightQuantBatchMatmulV2", x=Tensor(word, data), weight=Tensor("s8", weight), antiquantScale=Tensor(word, scale), antiquantOffsetOptional=Tensor(word, offset), quantScaleOptional=None, quantOffsetOptional=None, biasOptional=None,
             antiquantGroupSize=0, y=Out(word, wide(data) @ ((wide(weight) + wide(offset)) * wide(scale))))
    good, out = Tensor("f16", numbers("f16", (2, 2))), Out("f16", numbers("f16", (2, 2)))
    case(family, "aclnnMatmulWeightNz", code=561003, self=good, mat2=good, out=out, cubeMathType=0)
    case(family, "aclnnTransMatmulWeight", code=561003, mmWeightRef=good)
    case(family, "aclnnNpuFormatCast", code=561003, srcTensor=good, dstTensor=out)
    late = numbers("f16", (4,))
    case(family, "aclnnQuantMatmulV4", x1=Tensor("s8", left), x2=Tensor("s8", right), scale=Tensor("f32", scale), offset=None, pertokenScaleOptional=Tensor("f32", rows), bias=Tensor("f16", late), transposeX1=False, transposeX2=False, out=Out("f16", (wide(left) @ wide(right)).double() * wide(scale) * wide(rows)[:, None] + wide(late)))
    case(family, "aclnnQuantMatmulV4", x1=Tensor("s8", left), x2=Tensor("s8", right), scale=Tensor("f32", scale), **none, bias=Tensor("s32", bias), transposeX1=False, transposeX2=False, out=Out("s32", wide(left) @ wide(right) + wide(bias)))
    many, own = numbers("s8", (2, *left.shape)), numbers("s32", (2, 1, 4))
    case(family, "aclnnQuantMatmulV4", x1=Tensor("s8", many), x2=Tensor("s8", right), scale=Tensor("f32", scale), **none, bias=Tensor("s32", own), transposeX1=False, transposeX2=False, out=Out("bf16", (wide(many) @ wide(right) + wide(own)).double() * wide(scale)))


def train(family):
    """Dropout and optimizers; random numbers where chance has no choice."""
    for word in SINGLE:
        case(family, "aclnnInplaceNormal", selfRef=InOut(word, numbers(word, (2, 3)), torch.full((2, 3), 1.5), "gaps"), mean=1.5, std=0.0, seed=3, offset=0)
        case(family, "aclnnInplaceUniform", selfRef=InOut(word, numbers(word, (2, 3)), torch.full((2, 3), 2.5)), **{"from": 2.5, "to": 2.5}, seed=3, offset=0)
        data, bits = numbers(word, (3, 4)), of("u8", [0b10110101, 0b00001010] + [0] * 14)
        kept = torch.tensor([(0b101010110101 >> index) & 1 for index in range(12)]).reshape(3, 4)
        case(family, "aclnnDropoutDoMask", self=Tensor(word, data), mask=Tensor("u8", bits), prob=0.5, out=Out(word, wide(data) * kept * 2))
        case(family, "aclnnDropoutDoMask", self=Tensor(word, data), mask=Tensor("u8", bits), prob=1.0, out=Out(word, torch.zeros(3, 4)))
        value, mean, square, most, gradient = (numbers(word, (2, 3), domain) for domain in ("any", "any", "positive", "positive", "any"))
        single = lambda number: torch.tensor(number, dtype=torch.float32).double()
        rate, first, second, decay, epsilon = (single(number) for number in (0.1, 0.9, 0.99, 0.01, 1e-6))
        for ams, maximize in ((False, False), (True, True)):
            slope = -wide(gradient) if maximize else wide(gradient)
            after_mean = wide(mean) * first + slope * (1 - first)
            after_square = wide(square) * second + slope ** 2 * (1 - second)
            after_most = torch.maximum(wide(most), after_square)
            spread = after_most if ams else after_square
            after = wide(value) * (1 - rate * decay) - rate / (1 - first ** 3) * after_mean / (spread.sqrt() / (1 - second ** 3).sqrt() + epsilon)
            case(family, "aclnnApplyAdamWV2", tolerance=None if word != "f32" else 1e-5, varRef=InOut(word, value, after), mRef=InOut(word, mean, after_mean), vRef=InOut(word, square, after_square), maxGradNormOptionalRef=InOut(word, most, after_most) if ams else None,
                 grad=Tensor(word, gradient), step=Tensor("s64", of("s64", [3])), lr=0.1, beta1=0.9, beta2=0.99, weightDecay=0.01, eps=1e-6, amsgrad=ams, maximize=maximize)
    for chance, byte in ((0.0, 255), (1.0, 0)):
        case(family, "aclnnDropoutGenMask", shape=[3, 50], prob=chance, seed=1, offset=2, out=Out("u8", torch.full((32,), byte)))
    case(family, "aclnnDropoutGenMask", code=161002, shape=[3], prob=1.5, seed=1, offset=2, out=Out("u8", torch.full((16,), 0)))
    case(family, "aclnnInplaceUniform", code=161002, selfRef=InOut("f32", of("f32", [1.0]), of("f32", [1.0])), **{"from": 3.0, "to": 2.5}, seed=3, offset=0)


def pick(family):
    """Advanced indices."""
    words = ["f32", "f16", "bf16", "f64", "s32", "s64", "s8", "u8", "bool"]
    turn = itertools.count()
    mask = of("bool", [[1, 0, 1], [0, 0, 1]])
    row = of("bool", [1, 0])
    whole = lambda *values: of("s64", values)
    for keys in ((whole(1, 0, 1),), (whole(1, 0), whole(2, -1)), (None, whole(2, 0)), (None, whole(0, 2), whole(1, 0)), (whole(1, 0), None, whole(1, 0)),
                 (of("s64", [[0], [1]]), whole(0, 2, 1)), (mask,), (row,), (row, whole(2), whole(1)), (of("s32", [1, 1]),)):
        index = next(turn)
        word, view = words[index % len(words)], VIEWS[index % 3]
        data = numbers(word, (2, 3, 2))
        place = tuple(slice(None) if key is None else key.long() if key.dtype == torch.int32 else key for key in keys)
        list_of = List([None if key is None else Tensor({torch.bool: "bool", torch.int32: "s32", torch.int64: "s64"}[key.dtype], key) for key in keys])
        case(family, "aclnnIndex", self=Tensor(word, data, view), indices=list_of, out=Out(word, data[place]))
        part = data[place]
        values = numbers(word, part.shape)
        is_different = index not in (0, 9)
        for adds in (False, True):
            if adds or is_different:
                after = wide(data).clone()
                after.index_put_(tuple(torch.arange(2 if dim == 0 else 3).reshape([-1] + [1] * 0) if key is None and False else key for dim, key in enumerate(place)), wide(values), accumulate=adds) if not any(isinstance(key, slice) for key in place) else after.__setitem__(place, after[place] + wide(values) if adds else wide(values))
                case(family, "aclnnIndexPutImpl", selfRef=InOut(word, data, after, view), indices=list_of, values=Tensor(word, values), accumulate=adds, **{"unsafe": False})
    data = numbers("f32", (3, 2))
    after = data.clone()
    after[whole(2, 0)] = of("f32", [1.0, 2.0])
    case(family, "aclnnIndexPutImpl", selfRef=InOut("f32", data, after), indices=List([Tensor("s64", whole(2, 0))]), values=Tensor("f32", of("f32", [1.0, 2.0])), accumulate=False, **{"unsafe": False})
    good = Tensor("f32", data)
    case(family, "aclnnIndex", code=161002, self=good, indices=List([Tensor("f32", of("f32", [1.0]))]), out=Out("f32", numbers("f32", (1, 2))))
    case(family, "aclnnIndex", code=161002, self=good, indices=List([Tensor("s64", whole(1)), Tensor("s64", whole(1)), Tensor("s64", whole(1))]), out=Out("f32", numbers("f32", (1,))))
    case(family, "aclnnIndex", code=161002, self=good, indices=List([Tensor("s64", whole(1, 0))]), out=Out("f32", numbers("f32", (1, 2))))

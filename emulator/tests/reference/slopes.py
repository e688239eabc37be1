"""Cases of further gradients, of cross entropies, and of older and newer forms of operators."""

import itertools

import torch
import torch.nn.functional as F

from form import SINGLE, InOut, List, Out, Raw, Tensor, TORCH, case, numbers, of, wide

VIEWS = ["", "transposed", "gaps"]


def grads(function, gradient, *operands):
    """The gradients of a function by its operands."""
    operands = [wide(one).clone().requires_grad_() for one in operands]
    return torch.autograd.grad(function(*operands), operands, wide(gradient), allow_unused=True)


def slopes(family):
    """Gradients, and figures of several cards."""
    for index, word in enumerate(SINGLE):
        view = VIEWS[index]
        for shape, count in itertools.product(((2, 3), (2, 3, 2), (4,)), (1, None)):
            data, gradient = numbers(word, shape), numbers(word, shape)
            weight = numbers(word, (count or (shape[1] if len(shape) > 1 else 1),))
            by_data, by_weight = grads(F.prelu, gradient, data, weight)
            case(family, "aclnnPreluBackward", gradOutput=Tensor(word, gradient, view), self=Tensor(word, data), weight=Tensor(word, weight), gradInput=Out(word, by_data, view), gradWeight=Out(word, by_weight))
        result, gradient, mask = torch.softmax(wide(numbers(word, (2, 2, 3, 4))), -1).to(TORCH[word]), numbers(word, (2, 2, 3, 4)), numbers("bool", (2, 1, 3, 4))
        slope = 0.5 * wide(result) * (wide(gradient) - (wide(gradient) * wide(result)).sum(-1, keepdim=True))
        case(family, "aclnnScaledMaskedSoftmaxBackward", gradOutput=Tensor(word, gradient, view), y=Tensor(word, result), mask=Tensor("bool", mask), scale=0.5, fixTriuMask=False, out=Out(word, slope.masked_fill(mask, 0.0), view))
        if word != "bf16":
            for p in (0.0, 1.0, 2.0, 3.0, float("inf")):
                a, b, gradient = numbers("f32", (2, 3, 4)), numbers("f32", (2, 2, 4)), numbers("f32", (2, 3, 2))
                by_a, _ = grads(lambda a, b: torch.cdist(a, b, p), gradient, a, b)
                case(family, "aclnnCdistBackward", 0.001, grad=Tensor("f32", gradient, view), x1=Tensor("f32", a, view), x2=Tensor("f32", b), cdist=Tensor("f32", torch.cdist(wide(a), wide(b), p).float()), p=p, out=Out("f32", by_a))
        data = numbers(word, (2, 3, 4))
        case(family, "aclnnGroupedBiasAddGrad", gradY=Tensor(word, data, view), groupIdxOptional=None, out=Out(word, wide(data).sum(1)))
        data, kind = numbers(word, (6, 4)), ["s32", "s64", "s32"][index]
        case(family, "aclnnGroupedBiasAddGrad", gradY=Tensor(word, data, view), groupIdxOptional=Tensor(kind, of(kind, [2, 2, 6])), out=Out(word, torch.stack([wide(data)[:2].sum(0), wide(data)[2:2].sum(0), wide(data)[2:].sum(0)])))
        for dim, size, step in ((0, 2, 1), (1, 2, 2), (2, 3, 1)):
            data = numbers(word, (3, 5, 4))
            gradient = numbers(word, data.unfold(dim, size, step).shape)
            (slope,) = grads(lambda a: a.unfold(dim, size, step), gradient, data)
            case(family, "aclnnUnfoldGrad", gradOut=Tensor(word, gradient, view), inputSizes=[3, 5, 4], dim=dim, size=size, step=step, gradIn=Out(word, slope, view))
        data, gradient, gamma, beta = numbers(word, (2, 4, 3)), numbers(word, (2, 4, 3)), numbers(word, (4,)), numbers(word, (4,))
        groups = wide(data).reshape(2, 2, 6)
        mean, rstd = groups.mean(-1), 1 / (groups.var(-1, unbiased=False) + 1e-5).sqrt()

        def swish(x, gamma, beta):
            norm = F.group_norm(x, 2, gamma, beta, 1e-5)
            return norm * torch.sigmoid(1.5 * norm)

        by_x, by_gamma, by_beta = grads(swish, gradient, data, gamma, beta)
        case(family, "aclnnGroupNormSwishGrad", 0.02 if word != "f32" else None, dy=Tensor(word, gradient, view), mean=Tensor(word, mean.to(TORCH[word])), rstd=Tensor(word, rstd.to(TORCH[word])), x=Tensor(word, data, view), gamma=Tensor(word, gamma), beta=Tensor(word, beta),
             numGroups=2, dataFormatOptional=Raw('="NCHW"'), swishScale=1.5, dgammaIsRequire=True, dbetaIsRequire=True, dxOut=Out(word, by_x), dgammaOut=Out(word, by_gamma), dbetaOut=Out(word, by_beta))
        data, gradient, scale, shift = numbers(word, (2, 3, 4)), numbers(word, (2, 3, 4)), numbers(word, (2, 4)), numbers(word, (2, 4))
        by_x, by_scale, by_shift = grads(lambda x, a, b: x * (1 + a[:, None]) + b[:, None], gradient, data, scale, shift)
        case(family, "aclnnModulateBackward", grad_output=Tensor(word, gradient, view), input=Tensor(word, data, view), scale=Tensor(word, scale), shift=Tensor(word, shift), grad_input=Out(word, by_x, view), grad_scale=Out(word, by_scale), grad_shift=Out(word, by_shift))
        gradient, places = numbers(word, (6, 3)), of("s32", [5, 0, 3, 1, 2, 4])
        case(family, "aclnnMoeInitRoutingV2Grad", gradExpandedX=Tensor(word, gradient, view), expandedRowIdx=Tensor("s32", places), topK=2, dropPadMode=0, activeNum=0, out=Out(word, wide(gradient)[places.long()].reshape(3, 2, 3).sum(1)))
        dropped = of("s32", [5, -1, 3, 1, -1, -1])
        rows = torch.where(dropped[:, None] < 0, 0.0, wide(gradient)[dropped.long()])
        case(family, "aclnnMoeInitRoutingV2Grad", gradExpandedX=Tensor(word, gradient.reshape(2, 3, 3), view), expandedRowIdx=Tensor("s32", dropped), topK=2, dropPadMode=1, activeNum=0, out=Out(word, rows.reshape(3, 2, 3).sum(1)))
        sums, counts = numbers(word, (2, 3)), of("s32", [4, 6])
        squares, mean, variance = (wide(sums) ** 2 + 8).to(TORCH[word]), numbers(word, (3,)), numbers(word, (3,), "positive")
        total = wide(sums).sum(0) / 10
        spread = wide(squares).sum(0) / 10 - total ** 2
        case(family, "aclnnSyncBatchNormGatherStats", totalSum=Tensor(word, sums, view), totalSquareSum=Tensor(word, squares), sampleCount=Tensor("s32", counts), mean=InOut(word, mean, wide(mean) * 0.75 + total * 0.25), variance=InOut(word, variance, wide(variance) * 0.75 + spread * 10 / 9 * 0.25),
             momentum=0.25, eps=0.00001, batchMean=Out(word, total), batchInvstd=Out(word, 1 / (spread + 1e-5).sqrt()))
        data = numbers(word, (2, 3))
        bits = of("u8", [0b101101] + [0] * 15)
        kept = torch.tensor([1, 0, 1, 1, 0, 1]).reshape(2, 3)
        case(family, "aclnnDropoutBackward", gradOutput=Tensor(word, data, view), mask=Tensor("u8", bits), scale=2.0, out=Out(word, wide(data) * kept * 2, view))
        for p, train in ((0.0, True), (0.75, False)):
            case(family, "aclnnDropout", input=Tensor(word, data, view), p=p, train=train, seed=3, offset=0, out=Out(word, data, view), maskOut=Out("u8", torch.full((16,), 255)))
        case(family, "aclnnDropout", input=Tensor(word, data, view), p=1.0, train=True, seed=3, offset=0, out=Out(word, torch.zeros(2, 3)), maskOut=Out("u8", torch.zeros(16)))
    good, out = Tensor("f32", numbers("f32", (2, 3))), Out("f32", torch.zeros(2, 3))
    case(family, "aclnnPreluBackward", code=161002, gradOutput=good, self=good, weight=Tensor("f32", numbers("f32", (2,))), gradInput=out, gradWeight=Out("f32", torch.zeros(2)))
    case(family, "aclnnUnfoldGrad", code=161002, gradOut=good, inputSizes=[2, 3], dim=0, size=3, step=1, gradIn=out)
    case(family, "aclnnGroupedBiasAddGrad", code=161002, gradY=good, groupIdxOptional=None, out=out)
    case(family, "aclnnMoeInitRoutingV2Grad", code=161002, gradExpandedX=good, expandedRowIdx=Tensor("s32", of("s32", [0, 1])), topK=0, dropPadMode=0, activeNum=0, out=out)
    case(family, "aclnnDropout", code=161002, input=good, p=1.5, train=True, seed=3, offset=0, out=out, maskOut=Out("u8", torch.zeros(16)))


def entropies(family):
    """The cross entropy of classes, its gradient, and the margin of several classes."""
    for index, (word, reduction, smoothing) in enumerate(itertools.product(SINGLE, ["mean", "sum", "none"], [0.0, 0.25])):
        view, kind = VIEWS[index % 3], ["s64", "s32"][index % 2]
        data, target = numbers(word, (4, 3)), of(kind, [2, 0, -100, 1])
        weight = numbers("f32", (3,), "positive") if index % 3 else None
        loss = lambda a: F.cross_entropy(a, target.long(), None if weight is None else wide(weight), ignore_index=-100, reduction=reduction, label_smoothing=smoothing)
        result = loss(wide(data))
        shared = {"target": Tensor(kind, target), "weightOptional": None if weight is None else Tensor("f32", weight), "reductionOptional": Raw(f'="{reduction}"'), "ignoreIndex": -100, "labelSmoothing": smoothing, "lseSquareScaleForZloss": 0.0}
        logs = torch.log_softmax(wide(data), -1)
        case(family, "aclnnCrossEntropyLoss", input=Tensor(word, data, view), **shared, returnZloss=False, lossOut=Out(word, result.reshape(-1)), logProbOut=Out(word, logs, view), zlossOut=None)
        gradient = numbers(word, tuple(result.reshape(-1).shape))
        (slope,) = grads(lambda a: loss(a).reshape(-1), gradient, data)
        rounded = logs.to(TORCH[word])
        case(family, "aclnnCrossEntropyLossGrad", 0.02 if word != "f32" else None, gradLoss=Tensor(word, gradient), logProb=Tensor(word, rounded, view), **shared, gradZlossOptional=None, out=Out(word, slope, view))
    for word, reduction in itertools.product(["f32", "f16"], (0, 1, 2)):
        for shape, target in (((2, 4), [[3, 0, -1, 1], [1, -1, 2, 0]]), ((4,), [2, 1, -1, 0])):
            data, classes = numbers(word, shape), of("s64", target)
            name = ["none", "mean", "sum"][reduction]
            result = F.multilabel_margin_loss(wide(data), classes, reduction=name)
            marks = torch.zeros(shape)
            for row, found in zip(marks.reshape(-1, 4), classes.reshape(-1, 4).tolist()):
                for one in itertools.takewhile(lambda one: one >= 0, found):
                    row[one] = 1
            case(family, "aclnnMultilabelMarginLoss", self=Tensor(word, data, "gaps"), target=Tensor("s64", classes), reduction=reduction, out=Out(word, result), isTarget=Out(word, marks))
    good, target = Tensor("f32", numbers("f32", (2, 3))), Tensor("s64", of("s64", [0, 1]))
    shared = {"target": target, "weightOptional": None, "reductionOptional": Raw('="mean"'), "ignoreIndex": -100, "labelSmoothing": 1.5, "lseSquareScaleForZloss": 0.0}
    case(family, "aclnnCrossEntropyLoss", code=161002, input=good, **shared, returnZloss=False, lossOut=Out("f32", torch.zeros(1)), logProbOut=Out("f32", torch.zeros(2, 3)), zlossOut=None)
    case(family, "aclnnCrossEntropyLossGrad", code=161002, gradLoss=Tensor("f32", of("f32", [1.0, 2.0])), logProb=good, **(shared | {"labelSmoothing": 0.0}), out=Out("f32", torch.zeros(2, 3)))
    case(family, "aclnnMultilabelMarginLoss", code=161002, self=good, target=Tensor("s64", of("s64", [[0, 1, -1]] * 2)), reduction=3, out=Out("f32", torch.zeros(2)), isTarget=Out("f32", torch.zeros(2, 3)))


def versions(family):
    """Older and newer forms of operators, and numbers that are made coarse."""
    for index, word in enumerate(SINGLE):
        view = VIEWS[index]
        data, numbered, experts = numbers(word, (3, 2)), of("s32", [[0, 3], [1, 4], [2, 5]]), of("s32", [[2, 0], [1, 0], [0, 1]])
        order = torch.argsort(experts.flatten(), stable=True)
        sources = numbered.flatten()[order]
        places = torch.empty(6, dtype=torch.int32)
        places[sources.long()] = torch.arange(6, dtype=torch.int32)
        for active in (2, 3):
            case(family, "aclnnMoeInitRouting", x=Tensor(word, data, view), rowIdx=Tensor("s32", numbered), expertIdx=Tensor("s32", experts), activeNum=active, expandedXOut=Out(word, data[sources.long() % 3][:2 * active]), expandedRowIdxOut=Out("s32", places), expandedExpertIdxOut=Out("s32", experts.flatten()[order]))
        rows, one, scales, bias = numbers(word, (6, 2)), numbers(word, (3, 2)), numbers(word, (3, 2)), numbers(word, (4, 2))
        chosen = wide(rows)[places.long()].reshape(2, 3, 2).transpose(0, 1) + wide(bias)[experts.long()]
        result = wide(one) + (chosen * wide(scales)[..., None]).sum(1)
        case(family, "aclnnMoeFinalizeRouting", expandedX=Tensor(word, rows, view), x1=Tensor(word, one), x2Optional=None, bias=Tensor(word, bias), scales=Tensor(word, scales), expandedRowIdx=Tensor("s32", places), expandedExpertIdx=Tensor("s32", experts), out=Out(word, result))
        data = (torch.randperm(15, generator=torch.Generator().manual_seed(index)).reshape(3, 5) * 0.25).to(TORCH[word])
        soft = torch.softmax(wide(data), -1)
        values, which = soft.topk(2)
        case(family, "aclnnMoeGatingTopKSoftmaxV2", x=Tensor(word, data, view), finishedOptional=None, k=2, renorm=0, outputSoftmaxResultFlag=True, yOut=Out(word, values), expertIdxOut=Out("s32", which), softmaxResultOutOptional=Out("f32", soft))
        values, which = wide(data).topk(2)
        case(family, "aclnnMoeGatingTopKSoftmaxV2", x=Tensor(word, data, view), finishedOptional=None, k=2, renorm=1, outputSoftmaxResultFlag=False, yOut=Out(word, torch.softmax(values, -1)), expertIdxOut=Out("s32", which), softmaxResultOutOptional=None)
        x, weights = numbers(word, (5, 3)), [numbers(word, (3, 2)) for _ in range(2)]
        grouped = torch.cat([wide(x)[:2] @ wide(weights[0]), wide(x)[2:] @ wide(weights[1])])
        shared = {"x": List([Tensor(word, x)]), "weight": List([Tensor(word, one) for one in weights]), "y": List([Out(word, grouped)]), "biasOptional": None}
        case(family, "aclnnGroupedMatmul", **shared, groupListOptional=[2, 5], splitItem=2)
        case(family, "aclnnGroupedMatmulV2", **shared, groupListOptional=[2, 5], splitItem=2, groupType=0)
        ends = Tensor("s64", of("s64", [2, 5]))
        case(family, "aclnnGroupedMatmulV3", **shared, groupListOptional=ends, splitItem=2, groupType=0)
        newest = {"out" if name == "y" else name: value for name, value in shared.items()}
        case(family, "aclnnGroupedMatmulV5", **newest, groupListOptional=ends, splitItem=2, groupType=0, groupListType=0, actType=0)
        x2 = [numbers(word, (2, 3)), numbers(word, (4, 3))]
        pairs = {"x": List([Tensor(word, one) for one in x2]), "weight": shared["weight"], "biasOptional": None, "y": List([Out(word, wide(one) @ wide(weight)) for one, weight in zip(x2, weights)])}
        case(family, "aclnnGroupedMatmul", **pairs, splitItem=0)
        case(family, "aclnnGroupedMatmulV2", **pairs, splitItem=0, groupType=-1)
        data, scale, shift = numbers(word, (2, 3, 4)), numbers(word, (2, 4)), numbers(word, (2, 1, 4))
        for weight, bias in ((None, None), (numbers(word, (4,)), numbers(word, (4,)))):
            given = {"weightOptional": None if weight is None else Tensor(word, weight), "biasOptional": None if bias is None else Tensor(word, bias)}
            norm = F.layer_norm(wide(data), (4,), None if weight is None else wide(weight), None if bias is None else wide(bias), 1e-5)
            result = norm * (1 + wide(scale)[:, None]) + wide(shift)
            shared = {"x": Tensor(word, data, view), "scale": Tensor(word, scale), "shift": Tensor(word, shift), **given, "epsilon": 0.00001, "out": Out(word, result, view)}
            case(family, "aclnnAdaLayerNorm", **shared)
            mean = wide(data).mean(-1, keepdim=True)
            rstd = 1 / (wide(data).var(-1, unbiased=False, keepdim=True) + 1e-5).sqrt()
            case(family, "aclnnAdaLayerNormV2", **shared, meanOutOptional=Out(word, mean), rstdOutOptional=Out(word, rstd))
            case(family, "aclnnAdaLayerNormV2", **shared, meanOutOptional=Out(word, mean), rstdOutOptional=None)
    for word in ("f16", "bf16"):
        query, key, value = numbers(word, (1, 2, 3, 4)), numbers(word, (1, 2, 3, 4)), numbers(word, (1, 2, 3, 4))
        attention = lambda q, k, v: torch.softmax(wide(q) @ wide(k).transpose(-1, -2) * 0.5, -1) @ wide(v)
        result = attention(query, key, value)
        shared = {"numHeads": 2, "scaleValue": 0.5, "inputLayout": Raw('="BNSD"'), "numKeyValueHeads": 2}
        case(family, "aclnnPromptFlashAttention", query=Tensor(word, query), key=Tensor(word, key), value=Tensor(word, value), pseShift=None, **shared, preTokens=100, nextTokens=100, attentionOut=Out(word, result))
        case(family, "aclnnPromptFlashAttentionV2", query=Tensor(word, query), key=Tensor(word, key), value=Tensor(word, value), pseShift=None, **shared, preTokens=100, nextTokens=100, sparseMode=0, attentionOut=Out(word, result))
        lists = {"key": List([Tensor(word, key)]), "value": List([Tensor(word, value)])}
        case(family, "aclnnFusedInferAttentionScore", query=Tensor(word, query), **lists, pseShiftOptional=None, **shared, preTokens=100, nextTokens=100, sparseMode=0, innerPrecise=0, blockSize=0, antiquantMode=0, softmaxLseFlag=False, attentionOut=Out(word, result))
        result = attention(query[:, :, :1], key, value)
        one = {"query": Tensor(word, query[:, :, :1].contiguous()), **lists, "pseShift": None, **shared, "attentionOut": Out(word, result)}
        case(family, "aclnnIncreFlashAttention", **one)
        case(family, "aclnnIncreFlashAttentionV2", **one)
        case(family, "aclnnIncreFlashAttentionV3", **one, blockSize=0, innerPrecise=0)
    for word in ("f32", "f16"):
        data = numbers(word, (2, 3, 4))
        q = lambda x, scale, zero: torch.round(x / scale) + zero
        for enabled, (scale, zero) in itertools.product((0.0, 1.0), ((0.25, 3), (0.01, 0))):
            step = q(wide(data), of(word, [scale]).double().item(), zero)
            inside = (step >= -8) & (step <= 7)
            result = (step.clamp(-8, 7) - zero) * of(word, [scale]).double().item()
            case(family, "aclnnFakeQuantPerTensorAffineCachemask", self=Tensor(word, data, "gaps"), scale=Tensor(word, of(word, [scale])), zeroPoint=Tensor("s32", of("s32", [zero])), fakeQuantEnabled=enabled, quantMin=-8, quantMax=7,
                 out=Out(word, result if enabled else data), mask=Out("bool", inside if enabled else torch.ones(2, 3, 4)))
        for axis in (0, 1, -1):
            size = data.shape[axis]
            scale, zero = of(word, [0.25, 0.5, 0.125, 0.0625][:size]), of("s32", [1, 0, -2, 3][:size])
            shape = [size if dim == axis % 3 else 1 for dim in range(3)]
            step = q(wide(data), wide(scale).reshape(shape), zero.reshape(shape))
            result = (step.clamp(-8, 7) - zero.reshape(shape)) * wide(scale).reshape(shape)
            case(family, "aclnnFakeQuantPerChannelAffineCachemask", self=Tensor(word, data, "transposed"), scale=Tensor(word, scale), zeroPoint=Tensor("s32", zero), axis=axis, quantMin=-8, quantMax=7, out=Out(word, result), mask=Out("bool", (step >= -8) & (step <= 7)))
    case(family, "aclnnMoeComputeExpertTokens", sortedExperts=Tensor("s32", of("s32", [0, 0, 2, 2, 2, 3])), numExperts=5, out=Out("s32", of("s32", [2, 2, 5, 6, 6])))
    good = Tensor("f32", numbers("f32", (2, 3)))
    case(family, "aclnnMoeComputeExpertTokens", code=161002, sortedExperts=Tensor("s32", of("s32", [0])), numExperts=2, out=Out("s32", of("s32", [0])))
    case(family, "aclnnAdaLayerNorm", code=161002, x=good, scale=good, shift=good, weightOptional=None, epsilon=0.0, out=Out("f32", torch.zeros(2, 3)))
    case(family, "aclnnFakeQuantPerTensorAffineCachemask", code=161002, self=good, scale=good, zeroPoint=Tensor("s32", of("s32", [0])), fakeQuantEnabled=1.0, quantMin=-8, quantMax=7, out=Out("f32", torch.zeros(2, 3)), mask=Out("bool", torch.zeros(2, 3)))

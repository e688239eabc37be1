"""Cases of operators that do several things with rows, with segments, and with elements at indices."""

import itertools

import torch
import torch.nn.functional as F

from form import SINGLE, InOut, Out, Raw, Scalar, Tensor, TORCH, case, numbers, of, wide

VIEWS = ["", "transposed", "gaps"]
# What tensors have before an operator writes them.
LEFT = 7


def to_bytes(values):
    return torch.round(values).clamp(-128, 127)


def joint(family):
    """Norms that are stored as bytes, factors of some dimensions, orders, likely elements, and cells with a memory."""
    for word, view in zip(SINGLE, VIEWS):
        if word != "f32":
            data, gamma, beta = numbers(word, (2, 3, 4)), numbers(word, (4,)), numbers(word, (4,))
            norm = F.rms_norm(wide(data), (4,), wide(gamma), 0.25) + wide(beta)
            for sizes in ((4,), (1, 4)):
                case(family, "aclnnRmsNormQuant", x=Tensor(word, data, view), gamma=Tensor(word, gamma.reshape(sizes)), beta=Tensor(word, beta), scale=Tensor(word, of(word, [8.25])), offset=Tensor("s8", of("s8", [3])), epsilon=0.25, y=Out("s8", to_bytes(norm * 8.25 + 3), view))
        for to, axis, least, most in (("s8", -1, -128, 127), ("u8", 0, 0, 255), ("s32", 1, -2 ** 31, 2 ** 31)):
            data = numbers(word, (3, 3, 3)) * 100
            scales, zeros = of("f32", [0.75, 1.75, 2.75]), of("s32", [1, 0, -2])
            sizes = [1, 1, 1]
            sizes[axis] = 3
            near = torch.round(wide(data) / wide(scales).reshape(sizes) + zeros.reshape(sizes)).clamp(least, most)
            case(family, "aclnnQuantize", x=Tensor(word, data, view), scales=Tensor("f32", scales), zeroPoints=Tensor("s32", zeros), dtype=Raw(f"={to}"), axis=axis, out=Out(to, near))
        one = of("f32", [0.75])
        case(family, "aclnnQuantize", x=Tensor(word, data, view), scales=Tensor("f32", one), zeroPoints=None, dtype=Raw("=s8"), axis=-1, out=Out("s8", to_bytes(wide(data) / 0.75)))
        data, scale = numbers(word, (5, 3)) * 9, numbers("f32", (3, 3))
        rows = wide(scale)[[0, 0, 2, 2, 2]]
        for kind, offset in (("s32", None), ("s64", 2.0)):
            case(family, "aclnnGroupQuant", x=Tensor(word, data, view), scale=Tensor("f32", scale), groupIndex=Tensor(kind, of(kind, [2, 2, 5])), offsetOptional=None if offset is None else Tensor("f32", of("f32", [offset])), dstType=2,
                 y=Out("s8", to_bytes(wide(data) * rows + (offset or 0))))
        data, scale, bias = numbers(word, (2, 3, 4)), numbers(word, (3,)), numbers(word, (3,))
        result = wide(data) * wide(scale)[:, None]
        for number, given in ((1, bias), (1, None)):
            case(family, "aclnnScale", x=Tensor(word, data, view), scale=Tensor(word, scale), bias=None if given is None else Tensor(word, given), axis=1, numAxes=number, scaleFromBlob=True, y=Out(word, result if given is None else result + wide(bias)[:, None], view))
        wider = numbers(word, (3, 4))
        for number, from_blob in ((-1, True), (9, False)):
            case(family, "aclnnScale", x=Tensor(word, data, view), scale=Tensor(word, wider), bias=None, axis=-2, numAxes=number, scaleFromBlob=from_blob, y=Out(word, wide(data) * wide(wider)))
        data = numbers(word, (2, 3, 4))
        case(family, "aclnnExpSegsum", self=Tensor(word, data, view), out=Out(word, segments_of(wide(data))))
        logits = torch.stack([torch.tensor(list(order)) for order in ([1, 3, 2, 0], [5, 2, 1, 4])]).to(TORCH[word])
        for share, count in ((None, [2, 3]), ([0.75, 0.25], None), ([0.5, 1.0], [3, 2]), ([0.0, 0.0], None)):
            given = {"p": None if share is None else Tensor(word, of(word, share)), "k": None if count is None else Tensor("s32", of("s32", count))}
            case(family, "aclnnApplyTopKTopP", logits=Tensor(word, logits, view), **given, out=Out(word, likely(wide(logits), share, count), view))
        data, weight, bias = numbers(word, (5, 2, 3)), numbers(word, (2, 3, 4)), numbers(word, (4,))
        for pad in (0, 1):
            case(family, "aclnnConvTbc", self=Tensor(word, data, view), weight=Tensor(word, weight), bias=Tensor(word, bias), pad=pad, output=Out(word, torch.conv_tbc(wide(data), wide(weight), wide(bias), pad), view), cubeMathType=0)
        for shape, windows in (((4, 2, 3, 5), 2), ((2, 2, 2, 3, 5), 2), ((1, 3, 2, 3, 5), 3)):
            data, mask, bias = numbers(word, shape), numbers(word, (windows, 3, 5)), numbers(word, (2, 3, 5))
            spread = wide(mask)[:, None].repeat(shape[0] // windows, 1, 1, 1) if len(shape) == 4 else wide(mask)[:, None]
            whole = len(shape) == 5 and shape[0] == 1
            cast = lambda one, sizes: one.reshape(sizes) if whole else one
            for given in (True, False):
                result = torch.softmax(0.5 * wide(data) + (spread if given else 0) + wide(bias), -1)
                more = Tensor(word, cast(mask, (1, 3, 1, 3, 5)) if len(shape) == 5 else mask[:, None]) if given else None
                case(family, "aclnnMaskedSoftmaxWithRelPosBias", x=Tensor(word, data, view), attenMaskOptional=more, relativePosBias=Tensor(word, cast(bias, (1, 1, 2, 3, 5))), scaleValue=0.5, innerPrecisionMode=0, out=Out(word, result, view))
        gates, others, state, bias = numbers(word, (2, 12)), numbers(word, (2, 12)), numbers(word, (2, 3)), numbers(word, (12,))
        for given in (bias, None):
            sums = wide(gates) + wide(others) + (0 if given is None else 2 * wide(bias))
            i, g, f, o = sums.chunk(4, -1)
            i, g, f, o = torch.sigmoid(i), torch.tanh(g), torch.sigmoid(f), torch.sigmoid(o)
            after = f * wide(state) + i * g
            more = None if given is None else Tensor(word, bias)
            case(family, "aclnnThnnFusedLstmCell", inputGates=Tensor(word, gates, view), hiddenGates=Tensor(word, others), cx=Tensor(word, state), inputBiasOptional=more, hiddenBiasOptional=more,
                 hyOut=Out(word, o * torch.tanh(after), view), cyOut=Out(word, after), storageOut=Out(word, torch.cat([i, g, f, o], -1)))
    for word, view in zip(SINGLE + ["s64", "bool", "s8"], itertools.cycle(VIEWS)):
        data = numbers(word, (2, 3, 4))
        case(family, "aclnnConfusionTranspose", x=Tensor(word, data, view), perm=[2, 0, 1], shape=[8, 3], transposeFirst=True, out=Out(word, data.permute(2, 0, 1).reshape(8, 3)))
        case(family, "aclnnConfusionTranspose", x=Tensor(word, data, view), perm=[1, 0], shape=[6, 4], transposeFirst=False, out=Out(word, data.reshape(6, 4).t(), view))
    good, out = Tensor("f32", numbers("f32", (2, 3))), Out("f32", torch.zeros(2, 3))
    three = Tensor("f32", numbers("f32", (3,)))
    case(family, "aclnnQuantize", code=161002, x=good, scales=three, zeroPoints=None, dtype=Raw("=s8"), axis=0, out=Out("s8", torch.zeros(2, 3)))
    case(family, "aclnnQuantize", code=161002, x=good, scales=three, zeroPoints=None, dtype=Raw("=s8"), axis=1, out=out)
    case(family, "aclnnGroupQuant", code=161002, x=good, scale=good, groupIndex=Tensor("s32", of("s32", [1, 2])), offsetOptional=None, dstType=29, y=Out("s8", torch.zeros(2, 3)))
    case(family, "aclnnScale", code=161002, x=good, scale=three, bias=None, axis=0, numAxes=1, scaleFromBlob=True, y=out)
    case(family, "aclnnScale", code=161002, x=good, scale=three, bias=None, axis=1, numAxes=2, scaleFromBlob=True, y=out)
    case(family, "aclnnConfusionTranspose", code=161002, x=good, perm=[0, 0], shape=[6], transposeFirst=True, out=Out("f32", torch.zeros(6)))
    case(family, "aclnnConfusionTranspose", code=161002, x=good, perm=[0], shape=[5], transposeFirst=False, out=Out("f32", torch.zeros(5)))
    case(family, "aclnnExpSegsum", code=161002, self=good, out=out)
    case(family, "aclnnApplyTopKTopP", code=161002, logits=good, p=three, k=None, out=out)
    case(family, "aclnnConvTbc", code=161002, self=Tensor("f32", numbers("f32", (2, 2, 3))), weight=Tensor("f32", numbers("f32", (4, 3, 1))), bias=Tensor("f32", numbers("f32", (1,))), pad=0, output=Out("f32", torch.zeros(1, 2, 1)), cubeMathType=0)
    windows, third = Tensor("f32", numbers("f32", (3, 1, 2, 3))), Tensor("f32", numbers("f32", (1, 2, 3)))
    softened = {"scaleValue": 1.0, "innerPrecisionMode": 0, "out": Out("f32", torch.zeros(3, 1, 2, 3))}
    case(family, "aclnnMaskedSoftmaxWithRelPosBias", code=161002, x=windows, attenMaskOptional=Tensor("f32", numbers("f32", (2, 2, 3))), relativePosBias=third, **softened)
    case(family, "aclnnMaskedSoftmaxWithRelPosBias", code=161002, x=windows, attenMaskOptional=None, relativePosBias=three, **softened)
    case(family, "aclnnThnnFusedLstmCell", code=161002, inputGates=good, hiddenGates=good, cx=good, inputBiasOptional=None, hiddenBiasOptional=None, hyOut=out, cyOut=out, storageOut=out)
    case(family, "aclnnRmsNormQuant", code=161002, x=good, gamma=three, beta=three, scale=three, offset=three, epsilon=0.1, y=out)
    half, one = Tensor("f16", torch.zeros(2, 2, 3)), {"scale": Tensor("f16", torch.zeros(1)), "offset": Tensor("s8", torch.zeros(1))}
    row, rows = Tensor("f16", torch.zeros(3)), Tensor("f16", torch.zeros(2, 3))
    for gamma, beta in ((rows, row), (row, rows)):
        case(family, "aclnnRmsNormQuant", code=161002, x=half, gamma=gamma, beta=beta, **one, epsilon=0.1, y=Out("s8", torch.zeros(2, 2, 3)))


def segments_of(data):
    """e to the power of the sums of segments, as the paper of Mamba 2 makes them."""
    width = data.shape[-1]
    spread = data[..., None].expand(*data.shape, width)
    spread = spread.masked_fill(~torch.tril(torch.ones(width, width, dtype=torch.bool), -1), 0)
    sums = torch.cumsum(spread, -2)
    return sums.masked_fill(~torch.tril(torch.ones(width, width, dtype=torch.bool)), float("-inf")).exp()


def likely(logits, share, count):
    """The filter of vLLM: what is left out is minus infinity."""
    values, places = logits.sort(-1)
    if count is not None:
        least = values.gather(1, (values.shape[1] - torch.tensor(count))[:, None])
        values = values.masked_fill(values < least, float("-inf"))
    if share is not None:
        out = values.softmax(-1).cumsum(-1) <= 1 - torch.tensor(share)[:, None]
        out[:, -1] = False
        values = values.masked_fill(out, float("-inf"))
    return values.scatter(1, places, values)


def bytes_of_rows(values):
    """Bytes whose largest one of each row is 127, and the scales of rows."""
    scale = values.abs().amax(-1) / 127
    return to_bytes(values / torch.where(scale == 0, 1.0, scale)[..., None]), scale


def added(family):
    """Norms that are stored as bytes, of tensors and of sums."""
    for index, (word, of_scale, of_zero) in enumerate((("f16", "f32", "s32"), ("bf16", "bf16", "bf16"))):
        view = VIEWS[index]
        for shape, count in (((2, 3, 4), 1), ((2, 3, 4), 2), ((3, 4), 1)):
            one, other, gamma, beta = numbers(word, shape), numbers(word, shape), numbers(word, shape[-count:]), numbers(word, shape[-count:])
            sums = wide(one) + wide(other)
            norm = F.rms_norm(sums, shape[-count:], wide(gamma), 0.25)
            scales = [numbers(of_scale, shape[-count:], "positive") for _ in range(2)]
            zeros = [numbers(of_zero, shape[-count:]) for _ in range(2)]
            terms = {"x1": Tensor(word, one, view), "x2": Tensor(word, other), "gamma": Tensor(word, gamma)}
            for second, divides in ((True, True), (False, True), (True, False)):
                near = [to_bytes((one / wide(scale) if divides else one * wide(scale)) + wide(zero)) for one, scale, zero in ((norm, scales[0], zeros[0]), (norm, scales[1], zeros[1]))]
                with_beta = [to_bytes((norm + wide(beta)) / wide(scale) if divides else (norm + wide(beta)) * wide(scale)) for scale in scales]
                kept = Out("s8", near[1] if second else torch.full((1,), LEFT))
                case(family, "aclnnAddRmsNormQuant", **terms, scales1=Tensor(of_scale, scales[0]), scales2Optional=Tensor(of_scale, scales[1]) if second else None, zeroPoints1Optional=Tensor(of_zero, zeros[0]), zeroPoints2Optional=Tensor(of_zero, zeros[1]) if second else None, axis=-1, epsilon=0.25, divMode=divides,
                     y1Out=Out("s8", near[0], view), y2Out=kept, xOut=Out(word, sums, view))
                case(family, "aclnnAddRmsNormQuantV2", **terms, scales1=Tensor(of_scale, scales[0]), scales2Optional=Tensor(of_scale, scales[1]) if second else None, zeroPoints1Optional=None, zeroPoints2Optional=None, betaOptional=Tensor(word, beta), axis=-1, epsilon=0.25, divMode=divides,
                     y1Out=Out("s8", with_beta[0], view), y2Out=Out("s8", with_beta[1] if second else torch.full((1,), LEFT)), xOut=Out(word, sums), rmsNormOut=Out(word, norm) if second else None)
        for shape in ((2, 3, 4), (3, 4)):
            one, other = numbers(word, shape), numbers(word, shape)
            one.view(-1, 4)[1] = -other.view(-1, 4)[1]
            gamma, beta, *smooth = (numbers(word, (4,)) for _ in range(4))
            sums, flat = wide(one) + wide(other), (torch.Size(shape).numel() // 4, 4)
            norm = F.rms_norm(sums, (4,), wide(gamma), 0.25)
            terms = {"x1": Tensor(word, one, view), "x2": Tensor(word, other), "gamma": Tensor(word, gamma)}
            none = [torch.full((1,), LEFT), torch.full((1,), LEFT)]
            for given in (0, 1, 2):
                results = [bytes_of_rows(norm * wide(smooth[0]) if given else norm), bytes_of_rows(norm * wide(smooth[1])) if given == 2 else none]
                pairs = {f"smoothScale{place + 1}Optional": Tensor(word, smooth[place]) if place < given else None for place in range(2)}
                case(family, "aclnnAddRmsNormDynamicQuant", **terms, **pairs, epsilon=0.25, y1Out=Out("s8", results[0][0].reshape(flat if given == 1 else shape), view), y2Out=Out("s8", results[1][0]), xOut=Out(word, sums),
                     scale1Out=Out("f32", results[0][1].reshape(-1) if given == 1 else results[0][1][..., None] if given == 2 else results[0][1]), scale2Out=Out("f32", results[1][1]))
            moved = norm + wide(beta)
            for mask, first, second in ("[true,true]", smooth[0], None), ("[false,true]", None, smooth[1]), ("[true,false]", None, None), (None, smooth[0], None):
                stored = ["true" in place for place in (mask or "[true,false]").split(",")]
                results = [bytes_of_rows(moved if one is None else moved * wide(one)) if kept else none for one, kept in zip((first, second), stored)]
                case(family, "aclnnAddRmsNormDynamicQuantV2", **terms, smoothScale1Optional=None if first is None else Tensor(word, first), smoothScale2Optional=None if second is None else Tensor(word, second), betaOptional=Tensor(word, beta), epsilon=0.25, outputMask=None if mask is None else Raw(f"={mask}"),
                     y1Out=Out("s8", results[0][0]), y2Out=Out("s8", results[1][0]), xOut=Out(word, sums), scale1Out=Out("f32", results[0][1]), scale2Out=Out("f32", results[1][1]))
            norm = F.rms_norm(wide(one), (4,), wide(gamma), 0.25)
            for more, factor in ((None, None), (beta, smooth[0])):
                result, scale = bytes_of_rows((norm if more is None else norm + wide(more)) * (1 if factor is None else wide(factor)))
                case(family, "aclnnRmsNormDynamicQuant", x=Tensor(word, one, view), gamma=Tensor(word, gamma), smoothScalesOptional=None if factor is None else Tensor(word, factor), betaOptional=None if more is None else Tensor(word, more), epsilon=0.25, dstType=2, yOut=Out("s8", result, view), scaleOut=Out("f32", scale))
    half, four, wrong = Tensor("f16", numbers("f16", (2, 4))), Tensor("f16", numbers("f16", (4,))), Tensor("f16", numbers("f16", (2,)))
    scale, byte, sums, row = Tensor("f32", numbers("f32", (4,), "positive")), Out("s8", torch.zeros(2, 4)), Out("f16", torch.zeros(2, 4)), Out("f32", torch.zeros(2))
    terms = {"x1": half, "x2": half, "gamma": four}
    rest = {"axis": -1, "epsilon": 0.1, "divMode": True, "y1Out": byte, "y2Out": byte, "xOut": sums}
    zeros = {"zeroPoints1Optional": None, "zeroPoints2Optional": Tensor("s32", numbers("s32", (4,)))}
    case(family, "aclnnAddRmsNormQuant", code=161002, **terms, scales1=scale, scales2Optional=None, **zeros, **rest)
    case(family, "aclnnAddRmsNormQuantV2", code=161002, **terms, scales1=scale, scales2Optional=None, zeroPoints1Optional=None, zeroPoints2Optional=None, betaOptional=wrong, **rest, rmsNormOut=None)
    rows = {"epsilon": 0.1, "y1Out": byte, "y2Out": byte, "xOut": sums, "scale1Out": row, "scale2Out": row}
    case(family, "aclnnAddRmsNormDynamicQuant", code=161002, **terms, smoothScale1Optional=None, smoothScale2Optional=four, **rows)
    for mask in ("[false,false]", "[true]", "[true,false]"):
        case(family, "aclnnAddRmsNormDynamicQuantV2", code=161002, **terms, smoothScale1Optional=None, smoothScale2Optional=four, betaOptional=None, outputMask=Raw(f"={mask}"), **rows)
    case(family, "aclnnRmsNormDynamicQuant", code=161002, x=half, gamma=four, smoothScalesOptional=None, betaOptional=None, epsilon=0.1, dstType=3, yOut=byte, scaleOut=row)
    case(family, "aclnnRmsNormDynamicQuant", code=161002, x=half, gamma=wrong, smoothScalesOptional=None, betaOptional=None, epsilon=0.1, dstType=2, yOut=byte, scaleOut=row)


def segments(family):
    """Gradients of segments, of repeated parts and of norms with a scale for each batch, and sums of channels."""
    for word, view in zip(SINGLE, VIEWS):
        data, gradient = wide(numbers(word, (2, 3, 4))).requires_grad_(), numbers(word, (2, 3, 4, 4))
        result = segments_of(data)
        rounded = result.detach().to(TORCH[word])
        (slope,) = torch.autograd.grad(result, data, wide(gradient))
        case(family, "aclnnExpSegsumBackward", 0.03 if word != "f32" else None, gradOutput=Tensor(word, gradient, view), gradSelf=Tensor(word, rounded), gradInput=Out(word, slope, view))
        for axis, repeats in ((0, [2, 0, 1]), (-1, [1, 2])):
            gradient, kind = numbers(word, (3, 3)), "s32" if axis else "s64"
            rows = torch.zeros((len(repeats), 3), dtype=torch.float64).index_add(0, torch.repeat_interleave(torch.tensor(repeats)), wide(gradient) if axis == 0 else wide(gradient).t())
            case(family, "aclnnRepeatInterleaveGrad", yGrad=Tensor(word, gradient, view), repeats=Tensor(kind, of(kind, repeats)), axis=axis, out=Out(word, rows if axis == 0 else rows.t(), view))
        gradient = numbers(word, (4, 3))
        case(family, "aclnnRepeatInterleaveGrad", yGrad=Tensor(word, gradient, view), repeats=Tensor("s64", of("s64", [2])), axis=0, out=Out(word, wide(gradient).reshape(2, 2, 3).sum(1)))
        operands = [numbers(word, shape) for shape in ((5, 2, 3), (2, 3, 4), (4,))]
        for pad in (0, 1):
            given = [wide(one).requires_grad_() for one in operands]
            result = torch.conv_tbc(*given, pad)
            gradient = numbers(word, tuple(result.shape))
            slopes = torch.autograd.grad(result, given, wide(gradient))
            results = {name: Out(word, one) for name, one in zip(("gradInput", "gradWeight", "gradBias"), slopes)}
            case(family, "aclnnConvTbcBackward", self=Tensor(word, gradient, view), input=Tensor(word, operands[0]), weight=Tensor(word, operands[1]), bias=Tensor(word, operands[2]), pad=pad, cubeMathType=0, **results)
        if word != "bf16":
            points = [numbers(word, (2, 3, 2)) for _ in range(2)]
            gradients = [numbers(word, (2, 3)) for _ in range(2)]
            given = [wide(one).requires_grad_() for one in points]
            squares = ((given[0][:, :, None] - given[1][:, None]) ** 2).sum(-1)
            nearest = [squares.min(2), squares.min(1)]
            slopes = torch.autograd.grad([one.values for one in nearest], given, [wide(one) for one in gradients])
            indices = [Tensor("s32", one.indices.int()) for one in nearest]
            case(family, "aclnnChamferDistanceBackward", xyz1=Tensor(word, points[0], view), xyz2=Tensor(word, points[1]), idx1=indices[0], idx2=indices[1], gradDist1=Tensor(word, gradients[0]), gradDist2=Tensor(word, gradients[1], view), gradXyz1=Out(word, slopes[0], view), gradXyz2=Out(word, slopes[1]))
        data = numbers(word, (2, 3, 2, 2))
        case(family, "aclnnBatchNormReduce", x=Tensor(word, data, view), sum=Out("f32", wide(data).sum((0, 2, 3))), squareSum=Out("f32", (wide(data) ** 2).sum((0, 2, 3))))
        data, gradient, scale, shift = numbers(word, (2, 3, 4)), numbers(word, (2, 3, 4)), numbers(word, (2, 4)), numbers(word, (2, 4))
        weight, bias = numbers(word, (4,)), numbers(word, (4,))
        mean = wide(data).mean(-1, keepdim=True)
        rstd = 1 / (wide(data).var(-1, unbiased=False, keepdim=True) + 0.25).sqrt()
        operands = [wide(one).requires_grad_() for one in (data, scale, shift, weight, bias)]
        x, a, b, w, c = operands
        result = F.layer_norm(x, (4,), w, c, 0.25) * (1 + a[:, None]) + b[:, None]
        slopes = torch.autograd.grad(result, operands, wide(gradient))
        names = ["gradInputOut", "gradScaleOut", "gradShiftOut", "gradWeightOut", "gradBiasOut"]
        case(family, "aclnnAdaLayerNormBackward", 0.03 if word != "f32" else None, gradOut=Tensor(word, gradient, view), input=Tensor(word, data, view), normalizedShape=[4], rstd=Tensor("f32", rstd.float()), mean=Tensor("f32", mean.float()), scale=Tensor(word, scale), shift=Tensor(word, shift),
             weightOptional=Tensor(word, weight), biasOptional=Tensor(word, bias), **{name: Out(word, one) for name, one in zip(names, slopes)})
    good, out = Tensor("f32", numbers("f32", (2, 3))), Out("f32", torch.zeros(2, 3))
    case(family, "aclnnExpSegsumBackward", code=161002, gradOutput=Tensor("f32", numbers("f32", (2, 2, 3, 4))), gradSelf=Tensor("f32", numbers("f32", (2, 2, 3, 4))), gradInput=Out("f32", torch.zeros(2, 2, 3)))
    case(family, "aclnnRepeatInterleaveGrad", code=161002, yGrad=good, repeats=Tensor("s32", of("s32", [1, 1, 1])), axis=0, out=out)
    case(family, "aclnnBatchNormReduce", code=161002, x=good, sum=Out("f32", torch.zeros(3)), squareSum=Out("f32", torch.zeros(3)))
    case(family, "aclnnAdaLayerNormBackward", code=161002, gradOut=good, input=good, normalizedShape=[3], rstd=good, mean=good, scale=good, shift=good, weightOptional=None, biasOptional=None, gradInputOut=out, gradScaleOut=out, gradShiftOut=out, gradWeightOut=out, gradBiasOut=out)
    taps = {"weight": Tensor("f32", numbers("f32", (2, 3, 4))), "bias": Tensor("f32", numbers("f32", (4,))), "cubeMathType": 0}
    results = {name: Out("f32", torch.zeros(shape)) for name, shape in (("gradInput", (5, 2, 3)), ("gradWeight", (2, 3, 4)), ("gradBias", (4,)))}
    steps, gradient = Tensor("f32", numbers("f32", (5, 2, 3))), Tensor("f32", numbers("f32", (4, 2, 4)))
    case(family, "aclnnConvTbcBackward", code=161002, self=gradient, input=steps, pad=1, **taps, **results)
    case(family, "aclnnConvTbcBackward", code=161002, self=gradient, input=gradient, pad=0, **taps, **results)
    points, third, index = Tensor("f32", numbers("f32", (1, 2, 2))), Tensor("f32", numbers("f32", (1, 2, 3))), Tensor("s32", of("s32", [[0, 1]]))
    rest = {"idx1": index, "idx2": index, "gradDist1": Tensor("f32", numbers("f32", (1, 2))), "gradDist2": Tensor("f32", numbers("f32", (1, 2))), "gradXyz1": Out("f32", torch.zeros(1, 2, 2)), "gradXyz2": Out("f32", torch.zeros(1, 2, 2))}
    case(family, "aclnnChamferDistanceBackward", code=161002, xyz1=points, xyz2=third, **rest)


def reduced(family):
    """Elements that are combined at indices, in batches, and beside each other."""
    ways = [None, "sum", "prod", "amax", "amin", "mean"]
    for word, kind, view in zip(SINGLE + ["s32", "s64", "s8"], itertools.cycle(["s64", "s32"]), itertools.cycle(VIEWS)):
        for way, dim, keeps in itertools.product(range(6), (0, -1), (False, True)):
            data, source = numbers(word, (3, 4), "quarters"), numbers(word, (4, 5), "quarters")
            # Replaced elements have indices of their own: their order is open.
            index = torch.tensor([[0, 1, 2, 0], [2, 0, 1, 1]])
            if dim == -1:
                index = torch.tensor([[0, 3, 1], [2, 0, 1]]) if way == 0 else torch.tensor([[0, 3, 0], [2, 2, 2]])
            if ways[way] is None:
                result = data.scatter(dim, index, source)
            else:
                result = wide(data).scatter_reduce(dim, index, wide(source), ways[way], include_self=keeps)
            index = Tensor(kind, index.to(TORCH[kind]))
            case(family, "aclnnScatterReduce", self=Tensor(word, data, view), dim=dim, index=index, src=Tensor(word, source, view), reduce=way, includeSelf=keeps, out=Out(word, result, view))
            case(family, "aclnnInplaceScatterReduce", selfRef=InOut(word, data, result, view), dim=dim, index=index, src=Tensor(word, source), reduce=way, includeSelf=keeps)
        data, index = numbers(word, (3, 4)), torch.tensor([[0, 1, 2, 0], [2, 1, 1, 0]])
        spread = lambda value: torch.full((2, 4), value, dtype=wide(data).dtype)
        for way, value in ((1, 2), (2, 3)):
            result = wide(data).scatter_reduce(0, index, spread(value), ways[way])
            case(family, "aclnnScatterValue", self=Tensor(word, data, view), dim=0, index=Tensor(kind, index.to(TORCH[kind])), value=Scalar("s32", value), reduce=way, out=Out(word, result, view))
        data, index = numbers(word, (2, 3, 4)), torch.tensor([[0, -1], [1, 1]])
        case(family, "aclnnGatherV3", self=Tensor(word, data, view), dim=1, index=Tensor(kind, index.to(TORCH[kind])), batchDims=1, mode=0, out=Out(word, torch.stack([one[rows] for one, rows in zip(data, index)]), view))
        case(family, "aclnnGatherV3", self=Tensor(word, data, view), dim=2, index=Tensor(kind, index.to(TORCH[kind])), batchDims=1, mode=0, out=Out(word, torch.stack([one[:, rows] for one, rows in zip(data, index)])))
        data = torch.tensor([[1, 1, 2], [1, 1, 2], [3, 3, 2], [1, 1, 2]]).to(TORCH[word])
        for dim in (0, 1, -1):
            values, inverse, counts = torch.unique_consecutive(data, return_inverse=True, return_counts=True, dim=dim)
            filled = torch.full(data.shape, 7).to(data.dtype).flatten()
            filled[:values.numel()] = values.flatten()
            size = data.shape[dim]
            many = torch.full((size,), 7)
            many[:counts.numel()] = counts
            case(family, "aclnnUniqueConsecutive", self=Tensor(word, data, view), returnInverse=True, returnCounts=True, dim=dim, valueOut=Out(word, filled.reshape(data.shape), shape=values.shape), inverseOut=Out("s64", inverse), countsOut=Out("s64", many, shape=counts.shape))
            # The values may go to a tensor of another shape, as in the example of the manual.
            untouched = [Out("s64", torch.full((12,), LEFT)) for _ in range(2)]
            case(family, "aclnnUniqueConsecutive", self=Tensor(word, data, view), returnInverse=False, returnCounts=False, dim=dim, valueOut=Out(word, filled, shape=values.shape), inverseOut=untouched[0], countsOut=untouched[1])
    good, index = Tensor("f32", numbers("f32", (2, 3))), Tensor("s64", of("s64", [[0, 1]]))
    out = Out("f32", torch.zeros(2, 3))
    case(family, "aclnnScatterReduce", code=161002, self=good, dim=0, index=index, src=good, reduce=6, includeSelf=True, out=out)
    case(family, "aclnnScatterReduce", code=161002, self=good, dim=0, index=index, src=Tensor("f32", numbers("f32", (1, 1))), reduce=1, includeSelf=True, out=out)
    case(family, "aclnnScatterValue", code=161002, self=good, dim=0, index=index, value=Scalar("f32", 1.0), reduce=3, out=out)
    case(family, "aclnnGatherV3", code=161002, self=good, dim=0, index=index, batchDims=1, mode=0, out=out)

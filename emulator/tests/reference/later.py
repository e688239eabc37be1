"""Cases of numbers at places of images, of sequences of classes, of norms of sums, and of fused quantizations."""

import math

import torch
import torchvision

from backward import gradients
from form import SINGLE, InOut, List, Out, Raw, Scalar, Tensor, case, numbers, of, wide
from further import mixed

F = torch.nn.functional
VIEWS = ["", "transposed", "gaps"]
MODES, ENDS = ["bilinear", "nearest", "bicubic"], ["zeros", "border", "reflection"]


def largest(data, rows, bins, scale, ratio):
    """The largest numbers of boxes: a box whose bin is a place has the number there as its mean."""
    results = []
    for row in rows:
        left, top, right, bottom = (row[1:] * scale).tolist()
        steps = [max(bottom - top, 1.0) / bins[0], max(right - left, 1.0) / bins[1]]
        down, across = (ratio or math.ceil(step) for step in steps)
        # One place in each bin of a box that has as many bins as places.
        fine = torch.tensor([[row[0], left, top, left + steps[1] * bins[1], top + steps[0] * bins[0]]], dtype=torch.float64)
        places = torchvision.ops.roi_align(data, fine, (bins[0] * down, bins[1] * across), 1.0, 1, False)
        results.append(F.max_pool2d(places, (down, across)))
    return torch.cat(results)


def sampled(family):
    """Numbers at the places of grids, and those of boxes."""
    good, out = (lambda *size: Tensor("f32", numbers("f32", size))), (lambda *size: Out("f32", numbers("f32", size)))
    both = Raw("=[true,true]")
    for dims, extent, places in ((2, (2, 2, 3, 4), (2, 2, 5, 2)), (3, (1, 2, 3, 2, 3), (1, 2, 2, 3, 3))):
        for index, word in enumerate(["f32", "f16", "f64", "bf16"]):
            for mode in range(3 if dims == 2 else 2):
                for padding in range(3):
                    aligned = (index + mode + padding) % 2 == 0
                    data, grid = numbers(word, extent), (numbers(word, places, "small").to(torch.float64) * 1.5).round(decimals=2).to(numbers(word, (1,)).dtype)
                    function = lambda x, g: F.grid_sample(x, g, MODES[mode], ENDS[padding], aligned)
                    given = dict(input=Tensor(word, data, VIEWS[index % 3]), grid=Tensor(word, grid), interpolationMode=mode, paddingMode=padding, alignCorners=aligned)
                    result = function(wide(data), wide(grid))
                    if word != "bf16" and not (word == "f64" and mode == 2):
                        case(family, f"aclnnGridSampler{dims}D", **given, out=Out(word, result, VIEWS[(index + 1) % 3]))
                    if mode < 2:
                        grad = numbers(word, tuple(result.shape))
                        by_input, by_grid = gradients(function, grad, data, grid)
                        case(family, f"aclnnGridSampler{dims}DBackward", tolerance=1e-5 if word == "f32" else None, gradOutput=Tensor(word, grad), **given, outputMask=both, inputGrad=Out(word, by_input), gridGrad=Out(word, by_grid))
        shared = dict(input=good(*extent), grid=good(*places), alignCorners=True)
        shape = (*extent[:2], *places[1:-1])
        case(family, f"aclnnGridSampler{dims}D", code=161002, **shared, interpolationMode=3, paddingMode=0, out=out(*shape))
        case(family, f"aclnnGridSampler{dims}D", code=161002, **shared, interpolationMode=0, paddingMode=3, out=out(*shape))
        case(family, f"aclnnGridSampler{dims}D", code=161002, **(shared | dict(grid=good(*places[:-1], 1))), interpolationMode=0, paddingMode=0, out=out(*shape))
        case(family, f"aclnnGridSampler{dims}DBackward", code=161002, **shared, gradOutput=good(*shape), interpolationMode=2, paddingMode=0, outputMask=both, inputGrad=out(*extent), gridGrad=out(*places))
        case(family, f"aclnnGridSampler{dims}DBackward", code=161002, **shared, gradOutput=good(*shape), interpolationMode=0, paddingMode=0, outputMask=Raw("=[true]"), inputGrad=out(*extent), gridGrad=out(*places))
    for index, word in enumerate(["f32", "f16"]):
        data = numbers(word, (2, 2, 5, 6))
        rows = of(word, [[0, 0.5, 1.0, 9.5, 7.25], [1, -3.0, -2.0, 4.0, 3.5], [0, 2.0, 2.0, 2.25, 2.5], [1, 4.0, 1.0, 12.0, 14.0]])
        for ratio, aligned, scale in ((0, False, 0.5), (2, True, 0.5), (0, True, 1.0), (3, False, 1.0)):
            pool = lambda a: torchvision.ops.roi_align(a, wide(rows), (2, 3), scale, ratio or -1, aligned)
            attributes = dict(pooledHeight=2, pooledWidth=3, spatialScale=scale, samplingRatio=ratio, aligned=aligned)
            case(family, "aclnnRoiAlignV2", self=Tensor(word, data, VIEWS[index]), boxes=Tensor(word, rows), **attributes, out=Out(word, pool(wide(data))))
            if not aligned:
                given = dict(self=Tensor(word, data, VIEWS[index]), rois=Tensor(word, rows[:, 1:].contiguous()), batchIndices=Tensor("s32", rows[:, 0].to(torch.int32)))
                given |= dict(outputHeight=2, outputWidth=3, samplingRatio=ratio, spatialScale=scale)
                case(family, "aclnnRoiAlign", **given, mode='"avg"', out=Out(word, pool(wide(data))))
                case(family, "aclnnRoiAlign", **given, mode='"max"', out=Out(word, largest(wide(data), wide(rows), (2, 3), scale, ratio)))
            if word == "f32":
                grad = numbers(word, (4, 2, 2, 3))
                case(family, "aclnnRoiAlignV2Backward", gradOutput=Tensor(word, grad), boxes=Tensor(word, rows), inputShape=[2, 2, 5, 6], **attributes, gradInput=Out(word, gradients(pool, grad, data)[0]))
    boxes, given = good(1, 4), dict(self=good(1, 1, 2, 2), batchIndices=Tensor("s32", of("s32", [0])), outputHeight=1, outputWidth=1, samplingRatio=0)
    case(family, "aclnnRoiAlign", code=161002, **given, rois=boxes, mode='"sum"', spatialScale=1.0, out=out(1, 1, 1, 1))
    case(family, "aclnnRoiAlign", code=161002, **given, rois=boxes, mode='"avg"', spatialScale=0.0, out=out(1, 1, 1, 1))
    case(family, "aclnnRoiAlignV2", code=161002, self=good(1, 1, 2, 2), boxes=boxes, pooledHeight=1, pooledWidth=1, spatialScale=1.0, samplingRatio=0, aligned=False, out=out(1, 1, 1, 1))
    case(family, "aclnnRoiAlignV2Backward", code=161002, gradOutput=good(1, 1, 1, 1), boxes=good(1, 5), inputShape=[1, 1, 2, 2], pooledHeight=1, pooledWidth=1, spatialScale=1.0, samplingRatio=-1, aligned=False, gradInput=out(1, 1, 2, 2))


def sequences(family):
    """Losses of classes of sequences, and of places of images."""
    for word in ("f32", "f64"):
        data = numbers(word, (5, 3, 4)).log_softmax(2)
        for zero, lengths, sizes in ((False, [5, 5, 5], [2, 2, 2]), (True, [5, 3, 4], [2, 0, 1])):
            padded = of("s64", [[1, 1], [2, 3], [3, 1]])
            joined = torch.cat([row[:size] for row, size in zip(padded, sizes)])
            for targets, kind in ((padded, "s64"), (joined.to(torch.int32), "s32")):
                losses, table = torch._ctc_loss(wide(data), targets.long(), lengths, sizes, 0, zero)
                wider = torch.full((3, 5, 6), float("-inf"), dtype=torch.float64)
                for row, (steps, size) in enumerate(zip(lengths, sizes)):
                    wider[row, :steps, :2 * size + 1] = table[row, :steps, :2 * size + 1]
                shared = dict(logProbs=Tensor(word, data), targets=Tensor(kind, targets), inputLengths=lengths, targetLengths=sizes, blank=0, zeroInfinity=zero)
                case(family, "aclnnCtcLoss", **shared, negLogLikelihoodOut=Out(word, losses), logAlphaOut=Out(word, wider))
                grad, own = numbers(word, (3,)), (losses.to(data.dtype), wider.to(data.dtype))
                expected = torch.ops.aten._ctc_loss_backward(wide(grad), wide(data), targets.long(), lengths, sizes, wide(own[0]), wide(own[1])[:, :, :table.shape[2]].contiguous(), 0, zero)
                case(family, "aclnnCtcLossBackward", tolerance=1e-5 if word == "f32" else None, gradOut=Tensor(word, grad), **shared, negLogLikelihood=Tensor(word, own[0]), logAlpha=Tensor(word, own[1]), out=Out(word, expected))
        # Three classes that differ only by a blank need five steps.
        same = of("s64", [[1, 1, 1]])
        short = numbers(word, (3, 1, 4)).log_softmax(2)
        for zero in (False, True):
            shared = dict(logProbs=Tensor(word, short), targets=Tensor("s64", same), inputLengths=[3], targetLengths=[3], blank=0, zeroInfinity=zero)
            loss, table = torch._ctc_loss(wide(short), same, [3], [3], 0, zero)
            case(family, "aclnnCtcLoss", **shared, negLogLikelihoodOut=Out(word, torch.zeros(1) if zero else loss), logAlphaOut=Out(word, table))
        case(family, "aclnnCtcLossBackward", gradOut=Tensor(word, numbers(word, (1,))), **shared, negLogLikelihood=Tensor(word, torch.zeros(1).to(short.dtype)), logAlpha=Tensor(word, table.to(short.dtype)), out=Out(word, torch.zeros(3, 1, 4)))
        for wrong in (dict(blank=4), dict(targetLengths=[4]), dict(inputLengths=[4]), dict(inputLengths=[3, 3])):
            case(family, "aclnnCtcLoss", code=161002, **(shared | wrong), negLogLikelihoodOut=Out(word, loss), logAlphaOut=Out(word, table))
        case(family, "aclnnCtcLossBackward", code=161002, gradOut=Tensor(word, numbers(word, (2,))), **shared, negLogLikelihood=Tensor(word, numbers(word, (1,))), logAlpha=Tensor(word, table.to(short.dtype)), out=Out(word, torch.zeros(3, 1, 4)))
    for index, word in enumerate(SINGLE):
        target, weight, operand = of("s64" if index else "s32", [[[0, 2], [1, 2]], [[1, 1], [0, 0]]]), numbers(word, (3,), "positive"), numbers(word, (2, 3, 2, 2))
        for reduction, how in enumerate(("none", "mean", "sum")):
            loss = lambda x: F.nll_loss(x, target.long(), wide(weight), ignore_index=1, reduction=how)
            result = loss(wide(operand))
            total = sum(wide(weight)[int(one)] for one in target.flatten() if one != 1)
            shared = dict(target=Tensor("s64" if index else "s32", target), weight=Tensor(word, weight), reduction=reduction, ignoreIndex=1)
            case(family, "aclnnNLLLoss2d", self=Tensor(word, operand, VIEWS[index]), **shared, out=Out(word, result), totalWeightOut=Out(word, (total if reduction else total * 0).reshape(1)))
            grad, rounded = numbers(word, tuple(result.shape)), total.reshape(1).to(weight.dtype)
            expected = gradients(loss, grad, operand)[0] * (total / wide(rounded) if reduction == 1 else 1.0)
            case(family, "aclnnNLLLoss2dBackward", gradOutput=Tensor(word, grad), self=Tensor(word, operand), **shared, totalWeight=Tensor(word, rounded), out=Out(word, expected))
    case(family, "aclnnNLLLoss2d", code=161002, self=Tensor("f32", numbers("f32", (2, 3))), target=Tensor("s32", of("s32", [0, 1])), weight=Tensor("f32", numbers("f32", (3,))), reduction=1, ignoreIndex=-100, out=Out("f32", of("f32", 1.0)), totalWeightOut=Out("f32", of("f32", [1.0])))
    case(family, "aclnnNLLLoss2dBackward", code=161002, gradOutput=Tensor("f32", of("f32", 1.0)), self=Tensor("f32", numbers("f32", (2, 3))), target=Tensor("s32", of("s32", [0, 1])), weight=Tensor("f32", numbers("f32", (3,))), reduction=1, ignoreIndex=-100, totalWeight=Tensor("f32", of("f32", [1.0])), out=Out("f32", numbers("f32", (2, 3))))


def fused(family):
    """Norms of sums, gates, steps of optimizers, gradients of other sizes, and quantized numbers."""
    single = lambda number: torch.tensor(number, dtype=torch.float32)
    for index, word in enumerate(SINGLE):
        near, view = 1e-5 if word == "f32" else None, VIEWS[index]
        plain = numbers(word, (1,)).dtype
        # Normalisations.
        for shape in ((4,), (3, 4)):
            x, gx, grad = (numbers(word, (2, 3, 4)) for _ in range(3))
            gamma, beta, alpha, last = numbers(word, shape), numbers(word, shape), 0.75, tuple(range(-len(shape), 0))
            total = alpha * wide(x) + wide(gx)
            mean, r = total.mean(last, keepdim=True), 1 / (total.var(last, correction=0, keepdim=True) + 1e-5).sqrt()
            case(family, "aclnnDeepNorm", tolerance=near, x=Tensor(word, x), gx=Tensor(word, gx), beta=Tensor(word, beta), gamma=Tensor(word, gamma), alpha=alpha, epsilon=1e-5, meanOut=Out("f32", mean), rstdOut=Out("f32", r), yOut=Out(word, F.layer_norm(total, shape, wide(gamma), wide(beta), 1e-5)))
            function = lambda a, b, g, h: F.layer_norm(alpha * a + b, shape, g, h, 1e-5)
            of_x, of_gx, of_gamma, of_beta = gradients(function, grad, x, gx, gamma, beta)
            case(family, "aclnnDeepNormGrad", tolerance=2e-5 if word == "f32" else None, dy=Tensor(word, grad), x=Tensor(word, x), gx=Tensor(word, gx), gamma=Tensor(word, gamma), mean=Tensor("f32", mean.float()), rstd=Tensor("f32", r.float()), alpha=alpha, dxOut=Out(word, of_x), dgxOut=Out(word, of_gx), dbetaOut=Out("f32", of_beta), dgammaOut=Out("f32", of_gamma))
        if word != "bf16":
            data, gamma, beta = numbers(word, (2, 3, 2, 4)), numbers(word, (3,)), numbers(word, (3,))
            mean, variance = wide(data).mean((2, 3), keepdim=True), wide(data).var((2, 3), correction=0, keepdim=True)
            result = F.instance_norm(wide(data), None, None, wide(gamma), wide(beta), eps=1e-3)
            for form, turn in (("NCHW", lambda a: a), ("NHWC", lambda a: a.permute(0, 2, 3, 1).contiguous())):
                case(family, "aclnnInstanceNorm", tolerance=near, x=Tensor(word, turn(data), view), gamma=Tensor(word, gamma), beta=Tensor(word, beta), dataFormat=f'"{form}"', eps=1e-3, y=Out(word, turn(result)), mean=Out(word, turn(mean)), variance=Out(word, turn(variance)))
        # Gates.
        data, grad = numbers(word, (2, 3, 4)), numbers(word, (2, 3, 2))
        for approximate, how in ((0, "none"), (1, "tanh")):
            operand, slope = numbers(word, (2, 3)), numbers(word, (2, 3))
            case(family, "aclnnGeluBackwardV2", tolerance=near, gradOutput=Tensor(word, slope, view), self=Tensor(word, operand), approximate=f'"{how}"', gradInput=Out(word, gradients(lambda a: F.gelu(a, approximate=how), slope, operand)[0]))
            for left in (False, True):
                active, other = wide(data).chunk(2, -1) if left else wide(data).chunk(2, -1)[::-1]
                gelu = F.gelu(active, approximate=how).to(plain)
                by_active = gradients(lambda a: F.gelu(a, approximate=how), (wide(grad) * other), active)[0]
                expected = torch.cat([by_active, wide(grad) * wide(gelu)] if left else [wide(grad) * wide(gelu), by_active], -1)
                shared = dict(gradOutput=Tensor(word, grad, view), self=Tensor(word, data), gelu=Tensor(word, gelu), dim=-1, approximate=approximate)
                case(family, "aclnnGeGluV3Backward", tolerance=near, **shared, activateLeft=left, gradInput=Out(word, expected))
                if not left:
                    case(family, "aclnnGeGluBackward", tolerance=near, **shared, gradInput=Out(word, expected))
        # Steps of an optimizer, and functions of lists.
        value, mean, square, most, gradient = (numbers(word, (2, 3), domain) for domain in ("any", "any", "positive", "positive", "any"))
        given = {name: of(word, [number]) for name, number in dict(beta1Power=0.75, beta2Power=0.875, lr=0.125, weightDecay=0.0625, beta1=0.75, beta2=0.875, eps=1e-3).items()}
        rate, decay, first, second, epsilon = (wide(given[name]) for name in ("lr", "weightDecay", "beta1", "beta2", "eps"))
        for ams, maximize in ((False, False), (True, True)):
            slope = -wide(gradient) if maximize else wide(gradient)
            after_mean = wide(mean) * first + slope * (1 - first)
            after_square = wide(square) * second + slope ** 2 * (1 - second)
            spread = torch.maximum(wide(most), after_square) if ams else after_square
            after = wide(value) * (1 - rate * decay) - rate / (1 - wide(given["beta1Power"]) * first) * after_mean / ((spread / (1 - wide(given["beta2Power"]) * second)).sqrt() + epsilon)
            case(family, "aclnnApplyAdamW", tolerance=near, varRef=InOut(word, value, after, view), mRef=InOut(word, mean, after_mean), vRef=InOut(word, square, after_square), **{name: Tensor(word, one) for name, one in given.items()}, grad=Tensor(word, gradient),
                 maxGradNormOptional=Tensor(word, most) if ams else None, amsgrad=ams, maximize=maximize)
        tensors = [numbers(word, (2, 3)), numbers(word, (4,)), numbers(word, ())]
        for order in (2.0, 1.0, 3.0, float("inf")):
            case(family, "aclnnForeachNorm", x=List([Tensor(word, one, view) for one in tensors]), scalar=Scalar("f32", order), out=List([Out(word, torch.linalg.vector_norm(wide(one), order).reshape([1] if place else [])) for place, one in enumerate(tensors)]))
        halves = of(word, [-2.5, -1.5, -0.75, 0.5, 1.25, 2.5])
        odd = of("f64", [-3.0, -1.0, -1.0, 1.0, 1.0, 3.0])
        for mode, function in enumerate((torch.round, torch.round, torch.floor, torch.ceil, lambda a: a.sign() * (a.abs() + 0.5).floor(), torch.trunc, lambda a: odd)):
            outs = List([Out(word, function(wide(halves)))])
            case(family, "aclnnForeachRoundOffNumber", x=List([Tensor(word, halves, view)]), roundMode=Tensor("s8", of("s8", [mode])), out=outs)
            case(family, "aclnnForeachRoundOffNumberV2", x=List([Tensor(word, halves, view)]), roundMode=Scalar("s8", mode), out=outs)
        # Gradients of other sizes.
        for dims, size, pad in ((2, (2, 3, 4), [1, 2, 3, 0]), (3, (1, 2, 2, 3, 2), [2, 1, 0, 3, 1, 1])):
            data = numbers(word, size)
            function = lambda a: F.pad(a, pad, mode="circular") if a.dim() > dims + 1 else F.pad(a[None], pad, mode="circular")[0]
            grad = numbers(word, tuple(function(wide(data)).shape))
            case(family, f"aclnnCircularPad{dims}dBackward", gradOutput=Tensor(word, grad, view), self=Tensor(word, data), padding=pad, gradInput=Out(word, gradients(function, grad, data)[0]))
        for aligned in (False, True):
            data, grad = numbers(word, (1, 2, 3, 4)), numbers(word, (1, 2, 5, 2))
            for scales in ((0.0, 0.0), (1.75, 0.625)):
                shared = dict(gradOut=Tensor(word, grad, view), outputSize=[5, 2], inputSize=[1, 2, 3, 4], alignCorners=aligned, scalesH=scales[0], scalesW=scales[1])
                # The first version doesn't use its scales.
                for name, used in (("aclnnUpsampleBilinear2dBackward", False), ("aclnnUpsampleBilinear2dBackwardV2", scales[0] > 0)):
                    how = dict(scale_factor=scales, recompute_scale_factor=False) if used else dict(size=(5, 2))
                    function = lambda a: F.interpolate(a, mode="bilinear", align_corners=aligned, **how)
                    case(family, name, **shared, out=Out(word, gradients(function, grad, data)[0]))
        data = mixed(word, (2, 2, 4, 4))
        for dims, more in ((2, {}), (3, dict(stride=[2, 2, 2], padding=[0, 0, 0]))):
            pool, size = (F.max_pool2d, [4, 4]) if dims == 2 else (F.max_pool3d, [2, 4, 4])
            values, places = pool(wide(data).double(), 2, return_indices=True)
            grad = numbers(word, tuple(data.shape))
            expected = wide(grad).flatten(-dims).gather(-1, places.flatten(-dims)).reshape(values.shape)
            case(family, f"aclnnMaxUnpool{dims}dBackward", gradOutput=Tensor(word, grad, view), self=Tensor(word, values.to(plain)), indices=Tensor("s64", places), outputSize=size, **more, out=Out(word, expected))
    # Quantized numbers.
    for word in ("f16", "bf16"):
        data, smooth = numbers(word, (2, 3, 4)), numbers(word, (4,), "positive")
        for factors in (None, smooth):
            values = wide(data) * (1 if factors is None else wide(factors))
            given = dict(x=Tensor(word, data), smoothScalesOptional=None if factors is None else Tensor(word, factors), groupIndexOptional=None, dstType=2)
            scale = values.abs().amax(-1) / 127
            case(family, "aclnnDynamicQuantV2", **given, yOut=Out("s8", (values / scale[..., None]).round()), scaleOut=Out("f32", scale), offsetOut=None)
            scale = (values.amax(-1) - values.amin(-1)) / 255
            offset = 127 - values.amax(-1) / scale
            case(family, "aclnnDynamicQuantV2", **given, yOut=Out("s8", (values / scale[..., None] + offset[..., None]).round().clamp(-128, 127)), scaleOut=Out("f32", scale), offsetOut=Out("f32", offset))
    sums, rows, columns = numbers("s32", (2, 6)) * 9, numbers("f32", (2, 1), "positive"), numbers("f32", (6,), "positive")
    smooth, shift = numbers("f32", (3,), "positive"), numbers("f32", (3,))
    early, late = numbers("s32", (6,)), numbers("f16", (6,))
    for bias, word in ((None, ""), (early, "s32"), (late, "f16")):
        for left in (False, True):
            plain = (wide(sums).double() + (wide(bias) if word == "s32" else 0)) * wide(columns) * wide(rows) + (wide(bias) if word == "f16" else 0)
            open_, other = plain.chunk(2, -1) if left else plain.chunk(2, -1)[::-1]
            gate = F.silu(open_) * other
            values = gate * wide(smooth)
            scale = values.abs().amax(-1) / 127
            given = dict(x=Tensor("s32", sums), weightScaleOptional=Tensor("f32", columns), activationScaleOptional=Tensor("f32", rows), biasOptional=None if bias is None else Tensor(word, bias), groupIndexOptional=None, activateLeft=left)
            case(family, "aclnnDequantSwigluQuant", **given, quantScaleOptional=Tensor("f32", smooth), quantOffsetOptional=None, quantModeOptional='"dynamic"', yOut=Out("s8", (values / scale[:, None]).round()), scaleOut=Out("f32", scale))
            fixed = (gate / wide(smooth) + wide(shift)).clamp(-128, 127).round()
            case(family, "aclnnDequantSwigluQuant", **given, quantScaleOptional=Tensor("f32", smooth), quantOffsetOptional=Tensor("f32", shift), quantModeOptional='"static"', yOut=Out("s8", fixed), scaleOut=Out("f32", torch.zeros(2)))
    good, out = (lambda *size: Tensor("f32", numbers("f32", size))), (lambda *size: Out("f32", numbers("f32", size)))
    bytes_ = lambda *size: Out("s8", numbers("s8", size))
    case(family, "aclnnDequantSwigluQuant", code=161002, **(given | dict(weightScaleOptional=None)), quantScaleOptional=None, quantOffsetOptional=None, quantModeOptional='"dynamic"', yOut=bytes_(2, 3), scaleOut=out(2))
    case(family, "aclnnDequantSwigluQuant", code=161002, **given, quantScaleOptional=None, quantOffsetOptional=None, quantModeOptional='"static"', yOut=bytes_(2, 3), scaleOut=out(2))
    case(family, "aclnnDynamicQuantV2", code=161002, x=Tensor("f16", numbers("f16", (2, 2))), smoothScalesOptional=None, groupIndexOptional=None, dstType=3, yOut=bytes_(2, 2), scaleOut=out(2), offsetOut=None)
    case(family, "aclnnDeepNorm", code=161002, x=good(2, 3), gx=good(2, 3), beta=good(2), gamma=good(2), alpha=1.0, epsilon=1e-5, meanOut=out(2, 1), rstdOut=out(2, 1), yOut=out(2, 3))
    case(family, "aclnnDeepNormGrad", code=161002, dy=good(2, 3), x=good(2, 3), gx=good(2, 3), gamma=good(2), mean=good(2, 1), rstd=good(2, 1), alpha=1.0, dxOut=out(2, 3), dgxOut=out(2, 3), dbetaOut=out(2), dgammaOut=out(2))
    case(family, "aclnnInstanceNorm", code=161002, x=good(1, 2, 2, 2), gamma=good(2), beta=good(2), dataFormat='"NCL"', eps=1e-5, y=out(1, 2, 2, 2), mean=out(1, 2, 1, 1), variance=out(1, 2, 1, 1))
    case(family, "aclnnGeluBackwardV2", code=161002, gradOutput=good(2), self=good(2), approximate='"fast"', gradInput=out(2))
    case(family, "aclnnGeGluBackward", code=161002, gradOutput=good(2, 1), self=good(2, 3), gelu=good(2, 1), dim=1, approximate=0, gradInput=out(2, 3))
    case(family, "aclnnGeGluV3Backward", code=161002, gradOutput=good(2, 2), self=good(2, 4), gelu=good(2, 2), dim=1, approximate=2, activateLeft=True, gradInput=out(2, 4))
    case(family, "aclnnForeachNorm", code=161002, x=List([good(2)]), scalar=Scalar("f32", 2.0), out=List([out(2)]))
    case(family, "aclnnForeachRoundOffNumber", code=161002, x=List([good(2)]), roundMode=Tensor("s8", of("s8", [1, 2])), out=List([out(2)]))
    case(family, "aclnnCircularPad2dBackward", code=161002, gradOutput=good(1, 2, 5), self=good(1, 2, 2), padding=[3, 0, 0, 0], gradInput=out(1, 2, 2))
    case(family, "aclnnMaxUnpool2dBackward", code=161002, gradOutput=good(1, 2, 3), self=good(1, 1, 1), indices=Tensor("s64", of("s64", [[[0]]])), outputSize=[2, 2], out=out(1, 1, 1))
    for word in ("f16", "bf16"):
        data, factors = numbers(word, (2, 3, 4)), numbers(word, (2, 4), "positive")
        scaled = (wide(data).reshape(6, 4)[:5] * wide(factors)[[0, 0, 1, 1, 1]])
        # A card computes no row behind the last group.
        padded = lambda one: torch.cat([one, torch.zeros_like(one[:1])])
        scale, shared = scaled.abs().amax(-1) / 127, dict(x=Tensor(word, data, "gaps"), smoothScalesOptional=Tensor(word, factors), groupIndexOptional=Tensor("s32", of("s32", [2, 5])), dstType=2)
        case(family, "aclnnDynamicQuantV2", **shared, yOut=Out("s8", padded((scaled / scale[:, None]).round()).reshape(2, 3, 4)), scaleOut=Out("f32", padded(scale).reshape(2, 3)), offsetOut=None)
        scale = (scaled.amax(-1) - scaled.amin(-1)) / 255
        offset = 127 - scaled.amax(-1) / scale
        case(family, "aclnnDynamicQuantV2", **shared, yOut=Out("s8", padded((scaled / scale[:, None] + offset[:, None]).round().clamp(-128, 127)).reshape(2, 3, 4)), scaleOut=Out("f32", padded(scale).reshape(2, 3)), offsetOut=Out("f32", padded(offset).reshape(2, 3)))

"""Cases of gradients along a dimension, over the last dimensions and of a table, and of the negative log likelihood."""

import torch
import torch.nn.functional as F

from form import SINGLE, InOut, Out, Raw, Tensor, case, numbers, of, wide

VIEWS = ["", "transposed", "gaps"]


def gradients(function, gradient, *operands):
    """The gradients of a function by its operands."""
    operands = [wide(operand).clone().requires_grad_() for operand in operands]
    return torch.autograd.grad(function(*operands), operands, wide(gradient))


def backward(family):
    good = lambda *size: Tensor("f32", numbers("f32", size))
    out = lambda *size: Out("f32", numbers("f32", size))
    for index, word in enumerate(SINGLE):
        for axis in (0, 1, -1):
            operand, grad = numbers(word, (2, 3, 4)), numbers(word, (2, 3, 4))
            for name, function in (("Softmax", torch.softmax), ("LogSoftmax", torch.log_softmax)):
                result = function(wide(operand), axis).to(operand.dtype)
                weight = result.double().exp() if name == "LogSoftmax" else result.double()
                if name == "LogSoftmax":
                    expected = wide(grad) - weight * wide(grad).sum(axis, keepdim=True)
                else:
                    expected = (wide(grad) - (wide(grad) * weight).sum(axis, keepdim=True)) * weight
                case(family, f"aclnn{name}Backward", gradOutput=Tensor(word, grad, VIEWS[index]), output=Tensor(word, result), dim=axis, out=Out(word, expected, "gaps" if axis == 0 else ""))
            operand = numbers(word, (2, 4, 6))
            grad = numbers(word, tuple(size // 2 if dim == axis % 3 else size for dim, size in enumerate(operand.shape)))
            case(family, "aclnnGluBackward", gradOut=Tensor(word, grad, VIEWS[index]), self=Tensor(word, operand), dim=axis, out=Out(word, gradients(lambda x: F.glu(x, axis), grad, operand)[0]))
            halves = lambda x: F.silu(x.chunk(2, axis)[0]) * x.chunk(2, axis)[1]
            case(family, "aclnnSwiGluGrad", yGrad=Tensor(word, grad), x=Tensor(word, operand, VIEWS[index]), dim=axis, out=Out(word, gradients(halves, grad, operand)[0]))
        operand, grad = torch.tensor([[0.0, 0.125, 0.5], [0.75, 1.0, 1.5]]).to(numbers(word, (1,)).dtype), numbers(word, (2, 3), "positive")
        for epsilon in (-1.0, 0.25):
            x, g = wide(operand), wide(grad)
            inside = g / (x * (1 - x))
            expected = torch.where((x < 0) | (x > 1), torch.nan, inside) if epsilon < 0 else torch.where((x < epsilon) | (x > 1 - epsilon), 0.0, inside)
            case(family, "aclnnLogitGrad", x=Tensor(word, operand, VIEWS[index]), dy=Tensor(word, grad), eps=epsilon, out=Out(word, expected))
    for index, (word, weights) in enumerate((("f32", "f32"), ("f16", "f16"), ("f16", "f32"), ("bf16", "bf16"))):
        for shape in ((4,), (3, 4)):
            operand, grad, gamma = numbers(word, (2, 3, 4)), numbers(word, (2, 3, 4)), numbers(weights, shape)
            dims = tuple(range(-len(shape), 0))
            r = (1 / (wide(operand) ** 2).mean(dims, keepdim=True).sqrt()).float()
            normal = lambda x, gamma: x / (x ** 2).mean(dims, keepdim=True).sqrt() * gamma
            # The figure is an operand: its rounding is part of the result.
            by_operand, by_gamma = gradients(normal, grad, operand, gamma)
            case(family, "aclnnRmsNormGrad", tolerance=1e-5 if word == "f32" else None, dy=Tensor(word, grad, VIEWS[index % 3]), x=Tensor(word, operand), rstd=Tensor("f32", r.reshape(r.shape[:3 - len(shape)])), gamma=Tensor(weights, gamma), dxOut=Out(word, by_operand), dgammaOut=Out("f32", by_gamma))
    for index, word in enumerate(SINGLE):
        for shape in ([4], [3, 4]):
            operand, grad, weight = numbers(word, (2, 3, 4)), numbers(word, (2, 3, 4)), numbers(word, shape)
            dims = tuple(range(-len(shape), 0))
            mean = wide(operand).mean(dims, keepdim=True).float()
            r = (1 / (wide(operand).var(dims, correction=0, keepdim=True) + 1e-5).sqrt()).float()
            by_operand, by_weight, by_bias = gradients(lambda x, w, b: F.layer_norm(x, shape, w, b, 1e-5), grad, operand, weight, weight)
            given = dict(gradOut=Tensor(word, grad, VIEWS[index]), input=Tensor(word, operand), normalizedShape=shape, mean=Tensor("f32", mean), rstd=Tensor("f32", r))
            case(family, "aclnnLayerNormBackward", tolerance=1e-5 if word == "f32" else None, **given, weightOptional=Tensor(word, weight), biasOptional=Tensor(word, weight), outputMask=Raw("=[true,true,true]"), gradInputOut=Out(word, by_operand), gradWeightOut=Out(word, by_weight), gradBiasOut=Out(word, by_bias))
            plain = gradients(lambda x: F.layer_norm(x, shape, eps=1e-5), grad, operand)[0]
            case(family, "aclnnLayerNormBackward", tolerance=1e-5 if word == "f32" else None, **given, weightOptional=None, biasOptional=None, outputMask=Raw("=[true,false,false]"), gradInputOut=Out(word, plain), gradWeightOut=None, gradBiasOut=None)
    for index, word in enumerate(SINGLE):
        for scaled in (False, True):
            places = of("s64" if scaled else "s32", [[1, 3, 1], [0, 2, 1]])
            grad = numbers(word, (2, 3, 4))
            function = lambda table: F.embedding(places.long(), table, padding_idx=2, scale_grad_by_freq=scaled)
            case(family, "aclnnEmbeddingDenseBackward", grad=Tensor(word, grad, VIEWS[index]), indices=Tensor("s64" if scaled else "s32", places), numWeights=5, paddingIdx=2, scaleGradByFreq=scaled, out=Out(word, gradients(function, grad, torch.zeros(5, 4, dtype=torch.float64))[0]))
        target, weight, operand = of("s64", [0, 2, 1, 2]), numbers(word, (3,), "positive"), numbers(word, (4, 3))
        for reduction, how in enumerate(("none", "mean", "sum")):
            loss = lambda x: F.nll_loss(x, target, wide(weight), ignore_index=1, reduction=how)
            result = loss(wide(operand))
            total = sum(wide(weight)[int(one)] for one in target if one != 1)
            shared = dict(target=Tensor("s64", target), weight=Tensor(word, weight), reduction=reduction, ignoreIndex=1)
            case(family, "aclnnNLLLoss", self=Tensor(word, operand, VIEWS[index]), **shared, out=Out(word, result), totalWeightOut=Out(word, (total if reduction else total * 0).reshape(1)))
            grad, rounded = numbers(word, tuple(result.shape)), total.reshape(1).to(weight.dtype)
            expected = gradients(loss, grad, operand)[0] * (total / wide(rounded) if reduction == 1 else 1.0)
            case(family, "aclnnNLLLossBackward", gradOutput=Tensor(word, grad), self=Tensor(word, operand), **shared, totalWeight=Tensor(word, rounded), out=Out(word, expected))
        case(family, "aclnnNLLLoss", self=Tensor(word, operand[0]), target=Tensor("s32", of("s32", 2)), weight=Tensor(word, weight), reduction=2, ignoreIndex=-100, out=Out(word, -wide(operand)[0, 2] * wide(weight)[2]), totalWeightOut=Out(word, wide(weight)[2]))
        value, mean, square, average, grad = (numbers(word, (2, 3), domain) for domain in ("any", "any", "positive", "any", "any"))
        rate, keep, first, second, epsilon, decay = 0.1, 0.9, 0.9, 0.99, 1e-6, 0.01
        for mode, corrected in ((0, False), (1, True)):
            g = wide(grad) + decay * wide(value) if mode == 0 else wide(grad)
            m = first * wide(mean) + (1 - first) * g
            v = second * wide(square) + (1 - second) * g * g
            update = m / ((1 - first ** 3) if corrected else 1) / ((v / ((1 - second ** 3) if corrected else 1)).sqrt() + epsilon)
            after = wide(value) - rate * (update + (decay * wide(value) if mode == 1 else 0))
            case(family, "aclnnApplyFusedEmaAdam", grad=Tensor(word, grad), varRef=InOut(word, value, after), mRef=InOut(word, mean, m), vRef=InOut(word, square, v), sRef=InOut(word, average, keep * wide(average) + (1 - keep) * after), step=Tensor("s64", of("s64", [3])),
                 lr=rate, emaDecay=keep, beta1=first, beta2=second, eps=epsilon, mode=mode, biasCorrection=corrected, weightDecay=decay)
    case(family, "aclnnSoftmaxBackward", code=161002, gradOutput=good(2, 3), output=good(2, 3), dim=2, out=out(2, 3))
    case(family, "aclnnSoftmaxBackward", code=161002, gradOutput=good(2, 3), output=good(2, 2), dim=0, out=out(2, 3))
    case(family, "aclnnGluBackward", code=161002, gradOut=good(2, 1), self=good(2, 3), dim=1, out=out(2, 3))
    case(family, "aclnnGluBackward", code=161002, gradOut=good(2, 4), self=good(2, 4), dim=1, out=out(2, 4))
    case(family, "aclnnEmbeddingDenseBackward", code=161002, grad=good(2, 3), indices=Tensor("s32", of("s32", [0, 1, 0])), numWeights=2, paddingIdx=0, scaleGradByFreq=False, out=out(2, 3))
    case(family, "aclnnEmbeddingDenseBackward", code=161002, grad=good(2, 3), indices=Tensor("s32", of("s32", [0, 1])), numWeights=2, paddingIdx=0, scaleGradByFreq=False, out=out(3, 3))
    case(family, "aclnnNLLLoss", code=161002, self=good(2, 3), target=Tensor("s32", of("s32", [0, 1])), weight=good(3), reduction=3, ignoreIndex=-100, out=out(1), totalWeightOut=out(1))
    case(family, "aclnnNLLLoss", code=161002, self=good(2, 3), target=Tensor("s32", of("s32", [0, 1])), weight=good(3), reduction=0, ignoreIndex=-100, out=out(1), totalWeightOut=out(1))
    case(family, "aclnnNLLLoss", code=161002, self=good(2, 3), target=Tensor("s32", of("s32", [0, 1])), weight=good(2), reduction=1, ignoreIndex=-100, out=out(1), totalWeightOut=out(1))


def masked(family):
    """Gradients by several operands, of which a mask chooses the wanted ones."""
    mask = Raw("=[true,true,true]")
    for index, word in enumerate(SINGLE):
        near = 1e-5 if word == "f32" else None
        operand, grad = numbers(word, (2, 4, 3)), numbers(word, (2, 4, 3))
        gamma = numbers(word, (4,))
        for groups, weight in ((2, gamma), (4, None), (1, gamma)):
            rows = wide(operand).reshape(2, groups, -1)
            mean, r = rows.mean(2).to(operand.dtype), (1 / (rows.var(2, correction=0) + 1e-5).sqrt()).to(operand.dtype)
            # The figures are operands: their rounding is part of the result.
            normal = (rows - wide(mean)[..., None]) * wide(r)[..., None]
            weighted = (wide(grad) * (1 if weight is None else wide(weight)[:, None])).reshape(rows.shape)
            by_operand = wide(r)[..., None] * (weighted - weighted.mean(2, keepdim=True) - normal * (weighted * normal).mean(2, keepdim=True))
            by_gamma = (normal.reshape(operand.shape) * wide(grad)).sum((0, 2))
            case(family, "aclnnGroupNormBackward", tolerance=near, gradOut=Tensor(word, grad, VIEWS[index]), input=Tensor(word, operand), mean=Tensor(word, mean), rstd=Tensor(word, r), gamma=None if weight is None else Tensor(word, weight),
                 N=2, C=4, HxW=3, group=groups, outputMask=mask, gradInput=Out(word, by_operand.reshape(operand.shape)), gradGammaOut=Out(word, by_gamma), gradBetaOut=Out(word, wide(grad).sum((0, 2))))
        mean, variance = wide(operand).mean((0, 2)).to(operand.dtype), wide(operand).var((0, 2), correction=0).to(operand.dtype)
        for training in (True, False):
            given = dict(runningMean=None if training else Tensor(word, mean), runningVar=None if training else Tensor(word, variance), saveMean=Tensor(word, mean) if training else None, saveInvstd=Tensor(word, variance) if training else None)
            r = 1 / (wide(variance) + 1e-5).sqrt()
            normal = (wide(operand) - wide(mean)[:, None]) * r[:, None]
            weighted = wide(grad) * wide(gamma)[:, None]
            along = (weighted * normal).mean((0, 2))[:, None]
            by_operand = r[:, None] * ((weighted - weighted.mean((0, 2))[:, None] - normal * along) if training else weighted)
            case(family, "aclnnBatchNormBackward", tolerance=near, gradOut=Tensor(word, grad, VIEWS[index]), input=Tensor(word, operand), weight=Tensor(word, gamma), **given, training=training, eps=1e-5, outputMask=mask,
                 gradInput=Out(word, by_operand), gradWeight=Out(word, (normal * wide(grad)).sum((0, 2))), gradBias=Out(word, wide(grad).sum((0, 2))))
        for size, kernel, stride, padding, dilation, groups, transposed in (
            ((2, 2, 3, 3), (2, 2, 2, 2), [1, 1], [0, 0], [1, 1], 1, False), ((1, 4, 4, 3), (4, 2, 2, 2), [2, 1], [1, 0], [1, 2], 2, False), ((2, 2, 3, 3), (3, 2, 1, 1), [1, 1], [0, 0], [1, 1], 1, False),
            ((2, 2, 5), (3, 2, 3), [2], [1], [1], 1, False), ((1, 2, 2, 3, 3), (2, 2, 2, 2, 2), [1, 1, 1], [0, 1, 0], [1, 1, 1], 1, False), ((1, 2, 3, 3), (2, 1, 2, 2), [1, 1], [1, 0], [1, 1], 2, False),
            ((1, 2, 2, 3), (2, 3, 2, 2), [2, 1], [1, 0], [1, 2], 1, True), ((2, 4, 3), (4, 1, 3), [2], [0], [1], 2, True)):
            operand, weight = numbers(word, size, "small"), numbers(word, kernel, "small")
            function = lambda x, w, b: torch.convolution(x, w, b, stride, padding, dilation, transposed, [0] * len(stride), groups)
            channels = kernel[1] * groups if transposed else kernel[0]
            bias = numbers(word, (channels,))
            grad = numbers(word, tuple(function(wide(operand), wide(weight), wide(bias)).shape), "small")
            results = gradients(function, grad, operand, weight, bias)
            shared = dict(gradOutput=Tensor(word, grad), input=Tensor(word, operand, VIEWS[index]), weight=Tensor(word, weight), biasSizes=[channels], stride=stride, padding=padding, dilation=dilation, transposed=transposed,
                          outputPadding=[0] * len(stride), groups=groups, cubeMathType=0)
            case(family, "aclnnConvolutionBackward", **shared, outputMask=mask, gradInput=Out(word, results[0]), gradWeight=Out(word, results[1]), gradBias=Out(word, results[2]))
        case(family, "aclnnConvolutionBackward", **shared, outputMask=Raw("=[false,true,false]"), gradInput=None, gradWeight=Out(word, results[1]), gradBias=None)
        case(family, "aclnnConvolutionBackward", code=161001, **shared, outputMask=mask, gradInput=None, gradWeight=Out(word, results[1]), gradBias=Out(word, results[2]))
        case(family, "aclnnConvolutionBackward", code=161002, **(shared | dict(biasSizes=[channels + 1])), outputMask=mask, gradInput=Out(word, results[0]), gradWeight=Out(word, results[1]), gradBias=Out(word, results[2]))

"""Cases of gradients of padding, of other sizes of images and of pooling."""

import torch
import torch.nn.functional as F

from form import SINGLE, Out, Tensor, case, numbers, wide

VIEWS = ["", "transposed", "gaps"]


def gradient(function, gradient, operand):
    """The gradient of a function."""
    operand = wide(operand).clone().requires_grad_()
    return torch.autograd.grad(function(operand), operand, wide(gradient))[0]


def spreads(family):
    for dims in (1, 2, 3):
        pads = [1, 2, 0, 1, 1, 0][:2 * dims]
        for name, mode in (("Reflection", "reflect"), ("Replication", "replicate")):
            for index, word in enumerate(SINGLE + ["f64"]):
                shape = (1, 2, 2, 3, 4)[4 - dims:] if index % 2 else (1, 2, 2, 3, 4)[3 - dims:]
                operand = numbers(word, shape)
                function = lambda x: F.pad(x, pads, mode)
                grad = numbers(word, function(wide(operand)).shape)
                case(family, f"aclnn{name}Pad{dims}dBackward", gradOutput=Tensor(word, grad, VIEWS[index % 3]), self=Tensor(word, operand), padding=pads, gradInput=Out(word, gradient(function, grad, operand), "gaps" if index == 1 else ""))
    good = lambda *size: Tensor("f32", numbers("f32", size))
    out = lambda *size: Out("f32", numbers("f32", size))
    case(family, "aclnnReflectionPad1dBackward", code=161002, gradOutput=good(2, 6), self=good(2, 2), padding=[2, 2], gradInput=out(2, 2))
    case(family, "aclnnReflectionPad1dBackward", code=161002, gradOutput=good(2, 5), self=good(2, 3), padding=[1, 1, 1], gradInput=out(2, 3))
    case(family, "aclnnReplicationPad2dBackward", code=161002, gradOutput=good(2, 3, 4), self=good(2, 3, 3), padding=[1, 1, 0, 0], gradInput=out(2, 3, 3))
    case(family, "aclnnReplicationPad2dBackward", code=161002, gradOutput=good(2, 3, 5), self=good(2, 3, 3), padding=[1, 1, 0, 0], gradInput=out(2, 3, 4))

    def sized(dims, name, mode, outs, scaled=False, **attributes):
        aligned = attributes.get("alignCorners")
        for index, word in enumerate(SINGLE):
            operand = numbers(word, (1, 2, 3, 2, 4)[:2 + dims])
            size = [7, 2, 5][:dims] if index < 2 else [2, 3, 3][:dims]
            factors = [2.0, 1.5, 1.25][:dims]
            if scaled:
                size = [int(n * factor) for n, factor in zip(operand.shape[2:], factors)]
            how = dict(scale_factor=factors, recompute_scale_factor=False) if scaled else dict(size=size)
            if aligned is not None:
                how["align_corners"] = aligned
            function = lambda x: F.interpolate(x, mode=mode, **how)
            grad = numbers(word, function(wide(operand)).shape)
            scales = dict(zip({1: ["scales"], 2: ["scalesH", "scalesW"], 3: ["scalesD", "scalesH", "scalesW"]}[dims], factors if scaled else [0.0] * 3))
            case(family, name, **{outs[0]: Tensor(word, grad, VIEWS[index])}, outputSize=size, inputSize=list(operand.shape), **attributes, **scales, **{outs[1]: Out(word, gradient(function, grad, operand))})

    for scaled in (False, True):
        for dims in (1, 2, 3):
            sized(dims, f"aclnnUpsampleNearest{dims}dBackward", "nearest", ("gradOut", "out" if dims == 1 else "gradInput"), scaled)
            sized(dims, f"aclnnUpsampleNearestExact{dims}dBackward", "nearest-exact", ("gradOut", "gradInput") if dims == 3 else ("gradOutput", "out"), scaled)
        for aligned in (False, True):
            for dims, name, mode in ((1, "Linear1d", "linear"), (2, "Bilinear2d", "bilinear"), (3, "Trilinear3d", "trilinear"), (2, "Bicubic2d", "bicubic")):
                sized(dims, f"aclnnUpsample{name}Backward", mode, ("gradOut", "out" if name in ("Linear1d", "Bilinear2d") else "gradInput"), scaled, alignCorners=aligned)
    case(family, "aclnnUpsampleNearest2dBackward", code=161002, gradOut=good(1, 1, 2, 2), outputSize=[2, 3], inputSize=[1, 1, 2, 2], scalesH=0.0, scalesW=0.0, gradInput=out(1, 1, 2, 2))
    case(family, "aclnnUpsampleNearest2dBackward", code=161002, gradOut=good(1, 1, 2, 2), outputSize=[2, 2], inputSize=[1, 1, 2], scalesH=0.0, scalesW=0.0, gradInput=out(1, 1, 2, 2))
    case(family, "aclnnUpsampleNearest2dBackward", code=161002, gradOut=good(1, 1, 0, 2), outputSize=[0, 2], inputSize=[1, 1, 2, 2], scalesH=0.0, scalesW=0.0, gradInput=out(1, 1, 2, 2))

    for word in SINGLE:
        for dims, pool, names, more in ((2, F.avg_pool2d, ("gradOutput", "gradInput"), dict(cubeMathType=0)), (3, F.avg_pool3d, ("gradOuput", "output"), {})):
            operand = numbers(word, (1, 2, 4, 3, 5)[3 - dims:] if dims == 2 else (1, 2, 4, 3, 5))
            for kernel, stride, padding, ceil, include, divisor in (([2, 3, 2], [2, 1, 2], [0, 1, 1], False, True, 0), ([3], [], [1], True, False, 0), ([2, 3, 2], [2], [1, 1, 0], True, True, 0), ([2, 2, 1], [1, 1, 1], [0, 0, 0], False, True, 5)):
                cut = lambda sizes: sizes[:dims]
                full = lambda sizes: sizes * dims if len(sizes) == 1 else cut(sizes)
                function = lambda x: pool(x, full(kernel), full(stride) if stride else None, full(padding), ceil, include, divisor or None)
                grad = numbers(word, function(wide(operand)).shape)
                case(family, f"aclnnAvgPool{dims}dBackward", **{names[0]: Tensor(word, grad, "transposed")}, self=Tensor(word, operand), kernelSize=cut(kernel), stride=cut(stride), padding=cut(padding), ceilMode=ceil, countIncludePad=include, divisorOverride=divisor, **more, **{names[1]: Out(word, gradient(function, grad, operand))})
        for dims, average, largest in ((2, F.adaptive_avg_pool2d, F.adaptive_max_pool2d), (3, F.adaptive_avg_pool3d, F.adaptive_max_pool3d)):
            for batch in (1, 0):
                operand = numbers(word, (1, 2, 4, 3, 5)[:2 + dims][1 - batch:])
                size = (3, 2, 4)[:dims]
                function = lambda x: average(x, size)
                grad = numbers(word, function(wide(operand)).shape)
                case(family, f"aclnnAdaptiveAvgPool{dims}dBackward", gradOutput=Tensor(word, grad, "gaps"), self=Tensor(word, operand), out=Out(word, gradient(function, grad, operand)))
                places = largest(wide(operand), size, return_indices=True)[1]
                case(family, f"aclnnAdaptiveMaxPool{dims}dBackward", gradOutput=Tensor(word, grad), self=Tensor(word, operand), indices=Tensor("s64" if batch else "s32", places), gradInput=Out(word, gradient(lambda x: largest(x, size), grad, operand)))
        for dims, name, pool in ((2, "MaxPool2dWithIndices", F.max_pool2d), (3, "MaxPool3dWithArgmax", F.max_pool3d)):
            for ceil in (False, True):
                operand = torch.randperm(2 * 4 * 3 * (5 if dims == 3 else 1), generator=torch.Generator().manual_seed(dims)).reshape((1, 2, 4, 3, 5)[:2 + dims]).to(numbers(word, (1,)).dtype)
                function = lambda x: pool(x, 2, 2, 1, 1, ceil)
                grad = numbers(word, function(wide(operand)).shape)
                places = pool(wide(operand), 2, 2, 1, 1, ceil, True)[1]
                case(family, f"aclnn{name}Backward", gradOutput=Tensor(word, grad, "gaps"), self=Tensor(word, operand), indices=Tensor("s32", places), kernelSize=[2] * dims, stride=[2] * dims, padding=[1] * dims, dilation=[1] * dims, ceilMode=ceil, gradInput=Out(word, gradient(function, grad, operand)))
    pool = dict(kernelSize=[2, 2], stride=[2, 2], padding=[0, 0], dilation=[1, 1], ceilMode=False)
    index = lambda *size: Tensor("s32", numbers("s32", size) * 0)
    case(family, "aclnnMaxPool2dWithIndicesBackward", code=161002, gradOutput=good(1, 1, 1), self=good(1, 4, 4), indices=index(1, 1, 1), gradInput=out(1, 4, 4), **pool)
    case(family, "aclnnMaxPool2dWithIndicesBackward", code=161002, gradOutput=good(1, 2, 2), self=good(1, 4, 4), indices=index(1, 2, 1), gradInput=out(1, 4, 4), **pool)
    case(family, "aclnnMaxPool2dWithIndicesBackward", code=161002, gradOutput=good(1, 2, 2), self=good(1, 4, 4), indices=index(1, 2, 2), gradInput=out(1, 4, 4), **(pool | dict(dilation=[2, 2])))
    case(family, "aclnnAvgPool2dBackward", code=161002, gradOutput=good(1, 1, 5, 5), self=good(1, 1, 2, 2), kernelSize=[2, 2], stride=[1, 1], padding=[2, 2], ceilMode=False, countIncludePad=True, divisorOverride=0, cubeMathType=0, gradInput=out(1, 1, 2, 2))
    case(family, "aclnnAdaptiveMaxPool2dBackward", code=161002, gradOutput=good(2, 1, 1), self=good(1, 2, 2), indices=index(2, 1, 1), gradInput=out(1, 2, 2))

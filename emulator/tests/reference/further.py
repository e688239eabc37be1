"""Cases of operators that fewer programs call: images of other sizes, ranks, places, and quantized numbers."""

import itertools

import torch

from form import INTEGERS, SINGLE, InOut, Out, Scalar, Tensor, TORCH, case, is_float, numbers, of, wide

F = torch.nn.functional
VIEWS = ["", "transposed", "gaps"]


def mixed(word, size, seed=1):
    """Different numbers, in no order."""
    count = torch.Size(size).numel()
    order = torch.randperm(count, generator=torch.Generator().manual_seed(seed))
    return (order if word.startswith("u") else order - 3).reshape(size).to(TORCH[word])


def resized(family):
    """Images of other sizes, and windows of volumes."""
    extents = {1: ((2, 2, 5), [[8], [3], [5]]), 2: ((1, 2, 3, 4), [[5, 3], [2, 9]]), 3: ((1, 2, 3, 2, 3), [[4, 3, 5], [2, 1, 3]])}
    scales = {1: ["scales"], 2: ["scalesH", "scalesW"], 3: ["scalesD", "scalesH", "scalesW"]}

    def one(operator, dims, types, function, names=None, operand="self", **arguments):
        extent, sizes = extents[dims]
        names = scales[dims] if names is None else names
        for index, (word, size) in enumerate(itertools.product(types, sizes)):
            data = numbers(word, extent)
            case(family, operator, **{operand: Tensor(word, data, VIEWS[index % 3])}, outputSize=size, **arguments, **{name: 0.0 for name in names},
                 out=Out(word, function(wide(data).double(), size), VIEWS[(index + 1) % 3]))
        bad = {operand: Tensor("f32", numbers("f32", (2, 2)))}
        case(family, operator, code=161002, **bad, outputSize=sizes[0], **arguments, **{name: 0.0 for name in names}, out=Out("f32", numbers("f32", (2, 2))))

    plain, exact = (lambda a, size: F.interpolate(a, size, mode="nearest")), (lambda a, size: F.interpolate(a, size, mode="nearest-exact"))
    whole = SINGLE + ["f64", "u8"]
    one("aclnnUpsampleNearest1d", 1, whole, plain, [])
    one("aclnnUpsampleNearest1dV2", 1, whole, plain, ["scaleL"])
    one("aclnnUpsampleNearest2dV2", 2, whole, plain)
    one("aclnnUpsampleNearest3d", 3, whole, plain)
    for dims in (1, 2, 3):
        one(f"aclnnUpsampleNearestExact{dims}d", dims, whole, exact)
    for aligned in (True, False):
        of_mode = lambda mode, **more: (lambda a, size: F.interpolate(a, size, mode=mode, align_corners=aligned, **more))
        one("aclnnUpsampleLinear1d", 1, SINGLE, of_mode("linear"), ["scale"], alignCorners=aligned)
        one("aclnnUpsampleTrilinear3d", 3, SINGLE, of_mode("trilinear"), alignCorners=aligned)
        one("aclnnUpsampleBicubic2d", 2, SINGLE, of_mode("bicubic"), alignCorners=aligned)
        one("aclnnUpsampleBicubic2dAA", 2, SINGLE, of_mode("bicubic", antialias=True), alignCorners=aligned)
        one("aclnnUpsampleBilinear2dAA", 2, SINGLE, of_mode("bilinear", antialias=True), operand="input", alignCorners=aligned)
    data = numbers("f32", (1, 1, 4))
    case(family, "aclnnUpsampleLinear1d", self=Tensor("f32", data), outputSize=[7], alignCorners=False, scale=1.9, out=Out("f32", F.interpolate(wide(data), scale_factor=1.9, mode="linear", recompute_scale_factor=False)))
    for index, word in enumerate(SINGLE):
        view = VIEWS[index]
        data = numbers(word, (1, 2, 4, 3, 5))
        for size in ([2, 3, 2], [3, 1, 5]):
            case(family, "aclnnAdaptiveAvgPool3d", self=Tensor(word, data, view), outputSize=size, out=Out(word, F.adaptive_avg_pool3d(wide(data), size)))
            case(family, "aclnnAdaptiveAvgPool3d", self=Tensor(word, data[0], view), outputSize=size, out=Out(word, F.adaptive_avg_pool3d(wide(data[0]), size)))
        for kernel, stride, padding, ceil, include, divisor in (([2, 2, 3], [2, 1, 1], [0, 1, 1], False, True, 0), ([3], [], [1], True, False, 0), ([2, 3, 2], [2], [1, 1, 1], True, True, 0), ([2], [1], [0], False, True, 5)):
            three = lambda sizes: sizes * 3 if len(sizes) == 1 else sizes
            result = F.avg_pool3d(wide(data), three(kernel), three(stride) if stride else None, three(padding), ceil, include, divisor or None)
            case(family, "aclnnAvgPool3d", self=Tensor(word, data, view), kernelSize=kernel, stride=stride, padding=padding, ceilMode=ceil, countIncludePad=include, divisorOverride=divisor, out=Out(word, result))
        data = mixed(word, (2, 4, 3, 5))
        for dims, size in ((2, [2, 3]), (3, [3, 2, 1])):
            pool = F.adaptive_max_pool2d if dims == 2 else F.adaptive_max_pool3d
            values, places = pool(wide(data), size, return_indices=True)
            case(family, f"aclnnAdaptiveMaxPool{dims}d", self=Tensor(word, data, view), outputSize=size, outputOut=Out(word, values), indicesOut=Out("s64", places))
        for ceil, dilation in ((False, 1), (True, 1), (False, 2)):
            values, places = F.max_pool3d(wide(data), 2, 1 + index % 2, 1, dilation, ceil_mode=ceil, return_indices=True)
            case(family, "aclnnMaxPool3dWithArgmax", self=Tensor(word, data, view), kernelSize=[2, 2, 2], stride=[1 + index % 2], padding=[1], dilation=[dilation], ceilMode=ceil, out=Out(word, values), indices=Out("s32", places))
    for index, word in enumerate(SINGLE + ["s32", "s8"]):
        data = mixed(word, (2, 4, 4))
        values, places = F.max_pool2d(wide(data).double(), 2, return_indices=True)
        case(family, "aclnnMaxUnpool2d", self=Tensor(word, values.to(TORCH[word]), VIEWS[index % 3]), indices=Tensor("s64", places), outputSize=[4, 5], out=Out(word, F.max_unpool2d(values, places, 2, output_size=[4, 5])))
        data = mixed(word, (2, 2, 4, 4))
        values, places = F.max_pool3d(wide(data).double(), 2, return_indices=True)
        case(family, "aclnnMaxUnpool3d", self=Tensor(word, values.to(TORCH[word]), VIEWS[index % 3]), indices=Tensor("s64", places), outputSize=[2, 4, 4], stride=[2, 2, 2], padding=[0, 0, 0], outRef=Out(word, F.max_unpool3d(values, places, 2)))
    good, out = Tensor("f32", numbers("f32", (2, 2, 2, 2))), lambda *size: Out("f32", numbers("f32", size))
    index = lambda *size: Out("s32", numbers("s32", size))
    case(family, "aclnnAdaptiveAvgPool3d", code=161002, self=good, outputSize=[1, 1, 1], out=out(2, 1, 1, 2))
    case(family, "aclnnAvgPool3d", code=161002, self=good, kernelSize=[2], stride=[], padding=[2], ceilMode=False, countIncludePad=True, divisorOverride=0, out=out(2, 3, 3, 3))
    case(family, "aclnnAdaptiveMaxPool2d", code=161002, self=good, outputSize=[1], outputOut=out(2, 2, 1, 1), indicesOut=index(2, 2, 1, 1))
    case(family, "aclnnMaxPool3dWithArgmax", code=161002, self=good, kernelSize=[3], stride=[], padding=[0], dilation=[1], ceilMode=False, out=out(2, 1, 1, 1), indices=index(2, 1, 1, 1))
    case(family, "aclnnMaxUnpool2d", code=161002, self=good, indices=Tensor("s64", numbers("s64", (2, 2, 2))), outputSize=[4, 4], out=out(2, 2, 4, 4))


def ranks(family):
    """Ranks, counts, and single places."""
    for index, word in enumerate(SINGLE + ["f64"] + INTEGERS):
        view = VIEWS[index % 3]
        data, keeps, dim = mixed(word, (3, 5), index), index % 2 == 0, index % 2
        values, places = torch.kthvalue(wide(data), 2, dim, keeps)
        case(family, "aclnnKthvalue", self=Tensor(word, data, view), k=2, dim=dim, keepdim=keeps, valuesOut=Out(word, values), indicesOut=Out("s64", places))
        values, places = torch.median(wide(data), dim, keeps)
        case(family, "aclnnMedianDim", self=Tensor(word, data, view), dim=dim - 2, keepDim=keeps, valuesOut=Out(word, values), indicesOut=Out("s64", places))
        case(family, "aclnnNanMedianDim", self=Tensor(word, data, view), dim=dim, keepDim=keeps, valuesOut=Out(word, values), indicesOut=Out("s64", places))
        case(family, "aclnnMedian", self=Tensor(word, data, view), valuesOut=Out(word, torch.median(wide(data))))
        case(family, "aclnnNanMedian", self=Tensor(word, data[:, :4], view), out=Out(word, torch.nanmedian(wide(data[:, :4]))))
        if word != "f64":
            edges, looked = torch.arange(0, 10, 2).to(TORCH[word]), numbers(word, (2, 3))
            rows = torch.stack([edges, edges + 1])
            for right in (False, True):
                kind = "s32" if right else "s64"
                case(family, "aclnnSearchSorted", sortedSequence=Tensor(word, edges), self=Tensor(word, looked, view), outInt32=right, right=right, sorter=None, out=Out(kind, torch.searchsorted(wide(edges), wide(looked), right=right)))
                case(family, "aclnnSearchSorted", sortedSequence=Tensor(word, rows), self=Tensor(word, looked, view), outInt32=right, right=right, sorter=None, out=Out(kind, torch.searchsorted(wide(rows), wide(looked), right=right)))
                case(family, "aclnnSearchSorteds", sortedSequence=Tensor(word, edges), self=Scalar(word, 4), outInt32=right, right=right, sorter=None, out=Out(kind, torch.searchsorted(wide(edges), torch.tensor(4, dtype=wide(edges).dtype), right=right)))
                case(family, "aclnnBucketize", self=Tensor(word, looked, view), boundaries=Tensor(word, edges), outInt32=right, right=right, out=Out(kind, torch.bucketize(wide(looked), wide(edges), right=right)))
        if not is_float(word):
            few, weights = of(word, [0, 3, 1, 3, 0, 3]), numbers("f32", (6,))
            case(family, "aclnnBincount", self=Tensor(word, few, view), weights=None, minlength=5, out=Out("s64", torch.bincount(few.long(), minlength=5)))
            case(family, "aclnnBincount", self=Tensor(word, few, view), weights=Tensor("f32", weights), minlength=0, out=Out("f32", torch.bincount(few.long(), wide(weights))))
        if word != "bf16":
            for least, most in ((0, 0), (-1, 8)):
                case(family, "aclnnHistc", self=Tensor(word, data, view), bins=6, min=Scalar("f32", float(least)), max=Scalar("f32", float(most)), out=Out(word, torch.histc(wide(data).double(), 6, least, most)))
    nan = of("f32", [[1.0, float("nan"), 3.0, 2.0], [4.0, float("inf"), 2.0, float("-inf")]])
    for name, function in (("Median", torch.median), ("NanMedian", torch.nanmedian)):
        values, places = function(nan, 1)
        case(family, f"aclnn{name}Dim", self=Tensor("f32", nan), dim=1, keepDim=False, valuesOut=Out("f32", values), indicesOut=Out("s64", places))
        case(family, f"aclnn{name}", self=Tensor("f32", nan), **{"out" if name == "NanMedian" else "valuesOut": Out("f32", function(nan))})
    order = of("s64", [2, 0, 1])
    unsorted = of("f32", [3.0, 5.0, 1.0])
    case(family, "aclnnSearchSorted", sortedSequence=Tensor("f32", unsorted), self=Tensor("f32", of("f32", [4.0, 3.0])), outInt32=False, right=False, sorter=Tensor("s64", order), out=Out("s64", torch.searchsorted(unsorted, of("f32", [4.0, 3.0]), sorter=order)))
    turn = itertools.count()
    for word in ["f32", "f16", "bf16", "s32", "s8", "bool", "s64"]:
        view = VIEWS[next(turn) % 3]
        data = numbers(word, (3, 4))
        which = of("s64", [[0, 11], [-1, 5]])
        case(family, "aclnnTake", self=Tensor(word, data, view), index=Tensor("s64", which), out=Out(word, torch.take(data, which)))
        pairs = of("s32", [[0, 1], [2, 3], [1, 0]])
        case(family, "aclnnGatherNd", self=Tensor(word, data, view), indices=Tensor("s32", pairs), negativeIndexSupport=False, out=Out(word, data[pairs[:, 0].long(), pairs[:, 1].long()]))
        rows = of("s64", [[[2], [0]], [[-1], [1]]])
        case(family, "aclnnGatherNd", self=Tensor(word, data, view), indices=Tensor("s64", rows), negativeIndexSupport=True, out=Out(word, data[rows[..., 0]]))
        case(family, "aclnnGatherV3", self=Tensor(word, data, view), dim=1, index=Tensor("s64", of("s64", [[0, 1], [2, 3]])), batchDims=0, mode=0, out=Out(word, data[:, of("s64", [[0, 1], [2, 3]])]))
        mask, source = numbers("bool", (3, 4)), numbers(word, (12,))
        case(family, "aclnnInplaceMaskedScatter", selfRef=InOut(word, data, data.masked_scatter(mask, source), view), mask=Tensor("bool", mask), source=Tensor(word, source))
        case(family, "aclnnInplaceMaskedScatter", selfRef=InOut(word, data, data.masked_scatter(mask[0], source), view), mask=Tensor("bool", mask[0]), source=Tensor(word, source))
        index = of("s64", [[0, 1, 2], [2, 0, 1]])
        value = Scalar("s32", 1)
        result = data.scatter(0, index, 1)
        case(family, "aclnnScatterValue", self=Tensor(word, data, view), dim=0, index=Tensor("s64", index), value=value, reduce=0, out=Out(word, result))
        case(family, "aclnnInplaceScatterValue", selfRef=InOut(word, data, result, view), dim=-2, index=Tensor("s64", index), value=value, reduce=0)
        put = numbers(word, (2, 2), "small")
        case(family, "aclnnInplacePut", selfRef=InOut(word, data, data.clone().put_(which, put), view), index=Tensor("s64", which), source=Tensor(word, put), accumulate=False)
        if word not in ("bool",):
            which = of("s64", [[0, 11], [0, 5]])
            case(family, "aclnnInplacePut", selfRef=InOut(word, data, wide(data).clone().put_(which, wide(put), accumulate=True), view), index=Tensor("s64", which), source=Tensor(word, put), accumulate=True)
            which, source = of("s64", [1, 1]), numbers(word, (3, 2), "small")
            case(family, "aclnnIndexAddV2", self=Tensor(word, data, view), dim=-1, index=Tensor("s64", which), source=Tensor(word, source), alpha=Scalar("s32", 2), mode=0, out=Out(word, wide(data).index_add(1, which, wide(source), alpha=2)))
        times = of("s64", [2, 0, 1])
        case(family, "aclnnRepeatInterleaveWithDim", self=Tensor(word, data, view), repeats=Tensor("s64", times), dim=0, outputSize=3, out=Out(word, data.repeat_interleave(times, 0)))
        case(family, "aclnnRepeatInterleaveWithDim", self=Tensor(word, data, view), repeats=Tensor("s64", of("s64", [2])), dim=-1, outputSize=8, out=Out(word, data.repeat_interleave(2, 1)))
        case(family, "aclnnRepeatInterleave", self=Tensor(word, data[0], view), repeats=Tensor("s64", of("s64", [1, 0, 3, 1])), outputSize=5, out=Out(word, data[0].repeat_interleave(of("s64", [1, 0, 3, 1]))))
        case(family, "aclnnRepeatInterleaveInt", self=Tensor(word, data, view), repeats=2, outputSize=24, out=Out(word, data.repeat_interleave(2)))
        data = data * numbers("bool", (3, 4)).to(data.dtype)
        places = torch.nonzero(wide(data)).T.contiguous()
        stored = torch.full((24,), 7)
        stored[:places.numel()] = places.flatten()
        case(family, "aclnnNonzeroV2", self=Tensor(word, data, view), out=Out("s64", stored.reshape(2, 12), shape=list(places.shape)))
        few = torch.tensor([1, 1, 0, 1, 0, 0]).to(TORCH[word])
        fill = lambda part, seven=7: torch.cat([part, torch.full((6 - len(part),), seven).to(part.dtype)])
        one = 1 if word == "bool" else 7
        values, inverse = torch.unique(wide(few), return_inverse=True)
        case(family, "aclnnUnique", self=Tensor(word, few), sorted=True, returnInverse=True, valueOut=Out(word, fill(values, one), shape=[len(values)]), inverseOut=Out("s64", inverse))
        values, inverse, counts = torch.unique_consecutive(wide(few), return_inverse=True, return_counts=True)
        for dim in (1000, 0):
            case(family, "aclnnUniqueConsecutive", self=Tensor(word, few), returnInverse=True, returnCounts=True, dim=dim, valueOut=Out(word, fill(values, one), shape=[len(values)]), inverseOut=Out("s64", inverse), countsOut=Out("s64", fill(counts), shape=[len(values)]))
    for word in ("s32", "s64"):
        case(family, "aclnnRepeatInterleaveTensor", repeats=Tensor(word, of(word, [2, 0, 3])), outputSize=5, out=Out(word, of(word, [0, 0, 2, 2, 2])))
    good, out = Tensor("f32", numbers("f32", (2, 3))), lambda *size: Out("f32", numbers("f32", size))
    places = lambda *size: Out("s64", numbers("s64", size))
    which = Tensor("s64", of("s64", [0, 1]))
    case(family, "aclnnKthvalue", code=161002, self=good, k=4, dim=1, keepdim=False, valuesOut=out(2), indicesOut=places(2))
    case(family, "aclnnMedianDim", code=161002, self=good, dim=2, keepDim=False, valuesOut=out(2), indicesOut=places(2))
    case(family, "aclnnBincount", code=161002, self=Tensor("s32", of("s32", [1, 2])), weights=None, minlength=-1, out=places(3))
    case(family, "aclnnHistc", code=161002, self=good, bins=0, min=Scalar("f32", 0.0), max=Scalar("f32", 0.0), out=out(0))
    case(family, "aclnnSearchSorted", code=161002, sortedSequence=good, self=Tensor("f32", numbers("f32", (3, 3))), outInt32=False, right=False, sorter=None, out=places(3, 3))
    case(family, "aclnnTake", code=161002, self=good, index=which, out=out(3))
    case(family, "aclnnGatherNd", code=161002, self=good, indices=Tensor("s64", numbers("s64", (2, 3))), negativeIndexSupport=False, out=out(2))
    case(family, "aclnnGatherV3", code=161002, self=good, dim=1, index=which, batchDims=1, mode=0, out=out(2, 2))
    case(family, "aclnnScatterValue", code=161002, self=good, dim=0, index=Tensor("s64", of("s64", [[0, 1]])), value=Scalar("f32", 1.0), reduce=3, out=out(2, 3))
    case(family, "aclnnInplacePut", code=161002, selfRef=InOut("f32", numbers("f32", (2,)), numbers("f32", (2,))), index=which, source=good, accumulate=False)
    case(family, "aclnnRepeatInterleaveInt", code=161002, self=good, repeats=2, outputSize=11, out=out(11))
    case(family, "aclnnNonzeroV2", code=161002, self=good, out=places(6, 2))
    case(family, "aclnnUniqueConsecutive", code=161002, self=good, returnInverse=False, returnCounts=False, dim=0, valueOut=out(5), inverseOut=places(0), countsOut=places(0))


def packed(family):
    """Quantized numbers, and other versions of operators on them."""
    kinds = {"f16": 1, "bf16": 27}
    for word in SINGLE:
        data, scale, offset = numbers(word, (2, 4)), numbers(word, (4,), "positive"), numbers(word, (4,))
        values = torch.round(wide(data) * wide(scale) + wide(offset)).clamp(-128, 127)
        case(family, "aclnnAscendQuant", x=Tensor(word, data), scale=Tensor(word, scale), offset=Tensor(word, offset), sqrtMode=False, roundMode='"round"', dstType=2, y=Out("s8", values))
        gamma, beta = numbers(word, (4,)), numbers(word, (4,))
        data = numbers(word, (2, 3, 4))
        variance, mean = torch.var_mean(wide(data), 2, correction=0, keepdim=True)
        rstd = (variance + 1e-5).rsqrt()
        result = (wide(data) - mean) * rstd * wide(gamma) + wide(beta)
        common = dict(input=Tensor(word, data, "gaps"), normalizedShape=[4], weightOptional=Tensor(word, gamma), biasOptional=Tensor(word, beta), eps=1e-5)
        for operator, more in (("aclnnFastLayerNorm", {}), ("aclnnLayerNormWithImplMode", {"implMode": 0})):
            case(family, operator, **common, out=Out(word, result), meanOutOptional=Out(word, mean), rstdOutOptional=Out(word, rstd), **more)
            case(family, operator, **common, out=Out(word, result), meanOutOptional=None, rstdOutOptional=None, **more)
        other = numbers(word, (2, 3, 4))
        root = (wide(data).pow(2).mean(2, keepdim=True) + 1e-6).rsqrt()
        case(family, "aclnnGemmaRmsNorm", x=Tensor(word, data, "transposed"), gamma=Tensor(word, gamma), epsilon=1e-6, yOut=Out(word, wide(data) * root * (1 + wide(gamma))), rstdOut=Out("f32", root))
        added = wide(data) + wide(other)
        root = (added.pow(2).mean(2, keepdim=True) + 1e-6).rsqrt()
        result = added * root * wide(gamma)
        case(family, "aclnnAddRmsNormCast", x1=Tensor(word, data), x2=Tensor(word, other), gamma=Tensor(word, gamma), epsilon=1e-6, y1Out=Out("f32", wide(result.to(TORCH[word]))), y2Out=Out(word, result), rstdOut=Out("f32", root), xOut=Out(word, added))
        case(family, "aclnnInplaceAddRmsNorm", x1Ref=InOut(word, data, result), x2Ref=InOut(word, other, added), gamma=Tensor(word, gamma), epsilon=1e-6, rstdOut=Out("f32", root))
        image = numbers(word, (2, 4, 2, 2))
        groups = wide(image).reshape(2, 2, -1)
        result = F.group_norm(wide(image), 2, wide(gamma), wide(beta))
        figures = dict(meanOut=Out(word, groups.mean(2)), rstdOut=Out(word, (groups.var(2, correction=0) + 1e-5).rsqrt()))
        common = dict(self=Tensor(word, image, "gaps"), gamma=Tensor(word, gamma), beta=Tensor(word, beta), group=2, eps=1e-5)
        case(family, "aclnnGroupNormSilu", **common, out=Out(word, F.silu(result)), **figures)
        case(family, "aclnnGroupNormSiluV2", **common, activateSilu=True, out=Out(word, F.silu(result)), **figures)
        case(family, "aclnnGroupNormSiluV2", **common, activateSilu=False, out=Out(word, result), **figures)
    image, figure = numbers("f32", (2, 4, 2)), Out("f32", numbers("f32", (2, 3)))
    case(family, "aclnnGroupNormSilu", code=161002, self=Tensor("f32", image), gamma=None, beta=None, group=3, eps=1e-5, out=Out("f32", image), meanOut=figure, rstdOut=figure)
    case(family, "aclnnGemmaRmsNorm", code=161002, x=Tensor("f32", image), gamma=Tensor("f32", numbers("f32", (3,))), epsilon=1e-6, yOut=Out("f32", image), rstdOut=Out("f32", numbers("f32", (2, 4, 1))))
    case(family, "aclnnFastLayerNorm", code=161002, input=Tensor("f32", numbers("f32", (2, 4))), normalizedShape=[3], weightOptional=None, biasOptional=None, eps=1e-5, out=Out("f32", numbers("f32", (2, 4))), meanOutOptional=None, rstdOutOptional=None)
    for word in ("f16", "bf16"):
        data, weight, scale, offset = numbers(word, (2, 3)), numbers("s8", (3, 4)), numbers(word, (4,), "positive"), numbers(word, (4,))
        case(family, "aclnnWeightQuantBatchMatmulV3", x=Tensor(word, data), weight=Tensor("s8", weight), antiquantScale=Tensor(word, scale), antiquantOffsetOptional=Tensor(word, offset), quantScaleOptional=None, quantOffsetOptional=None, biasOptional=None,
             antiquantGroupSize=0, innerPrecise=0, y=Out(word, wide(data) @ ((wide(weight) + wide(offset)) * wide(scale))))
        x, column = numbers("s8", (2, 4)), numbers("f32", (4,), "positive")
        for scale, offset, squares in ((column, numbers("f32", (4,)), False), (of("f32", [0.5]), None, True)):
            factor = wide(scale) ** 2 if squares else wide(scale)
            case(family, "aclnnAscendAntiQuant", x=Tensor("s8", x), scale=Tensor("f32", scale), offset=None if offset is None else Tensor("f32", offset), dstType=kinds[word], sqrtMode=squares, y=Out(word, (wide(x) + (0 if offset is None else wide(offset))) * factor))
        sums, rows = numbers("s32", (2, 4)), numbers("f32", (2,), "positive")
        early, late = numbers("s32", (4,)), numbers("f32", (4,))
        scaled = wide(sums) * wide(column) * wide(rows)[:, None]
        case(family, "aclnnDequantBias", x=Tensor("s32", sums), weightScale=Tensor("f32", column), activateScaleOptional=Tensor("f32", rows), biasOptional=Tensor("f32", late), outputDtype=kinds[word], out=Out(word, scaled + wide(late)))
        case(family, "aclnnDequantBias", x=Tensor("s32", sums), weightScale=Tensor("f32", column), activateScaleOptional=None, biasOptional=Tensor("s32", early), outputDtype=kinds[word], out=Out(word, (wide(sums) + wide(early)) * wide(column)))
    scale, offset = of("f32", [0.5, 1.25, 0.1]), of("f32", [3.0, -2.0, 300.0])
    bits = (scale.view(torch.int32).long() & 0xFFFFE000) | 1 << 46
    for operator, more in (("aclnnTransQuantParamV2", {}), ("aclnnTransQuantParamV3", {"roundMode": 0})):
        case(family, operator, scale=Tensor("f32", scale), offset=None, **more, out=Out("s64", bits))
        whole = torch.tensor([3, -2 & 0x1FF, 255])
        case(family, operator, scale=Tensor("f32", scale), offset=Tensor("f32", offset), **more, out=Out("s64", bits | whole << 37))
    case(family, "aclnnTransQuantParamV3", code=161002, scale=Tensor("f32", scale), offset=None, roundMode=2, out=Out("s64", bits))
    # Numbers of ten bits behind the point are those of half precision, if their exponent is 0.
    scale = of("f32", [1.0 + 2.0 ** -11, 1.0 + 3 * 2.0 ** -11, -1.0 - 2.0 ** -11 - 2.0 ** -20, 2.0 - 2.0 ** -20, 1e-40, -1e-40, 0.0])
    bits = (scale.half().float().view(torch.int32).long() & 0xFFFFE000) | 1 << 46
    case(family, "aclnnTransQuantParamV3", scale=Tensor("f32", scale), offset=None, roundMode=1, out=Out("s64", bits))
    scale = of("f32", [0.5, 1.25, 0.1])
    bits = (scale.view(torch.int32).long() & 0xFFFFE000) | 1 << 46
    case(family, "aclnnTransQuantParamV2", code=161002, scale=Tensor("f32", scale), offset=Tensor("f32", offset[:2]), out=Out("s64", bits))
    left, right, bias = numbers("s8", (2, 4)), numbers("s8", (4, 3)), numbers("s32", (3,))
    rows = numbers("f32", (2,), "positive")
    sums = wide(left) @ wide(right) + wide(bias)
    cut = bits.int().view(torch.float32)
    turned = dict(transposeX1=False, transposeX2=False)
    case(family, "aclnnQuantMatmulV3", x1=Tensor("s8", left), x2=Tensor("s8", right), scale=Tensor("s64", bits), offset=None, bias=Tensor("s32", bias), **turned, out=Out("f16", sums.double() * wide(cut)))
    whole = torch.tensor([3, -2, 5])
    case(family, "aclnnQuantMatmulV3", x1=Tensor("s8", left), x2=Tensor("s8", right), scale=Tensor("s64", bits | (whole & 0x1FF) << 37), offset=None, bias=Tensor("s32", bias), **turned, out=Out("s8", (sums.double() * wide(cut) + whole).round().clamp(-128, 127)))
    case(family, "aclnnQuantMatmulV3", x1=Tensor("s8", left), x2=Tensor("s8", right.T.contiguous()), scale=Tensor("f32", scale), offset=None, bias=None, transposeX1=False, transposeX2=True, out=Out("bf16", (wide(left) @ wide(right)).double() * wide(scale)))
    none = dict(yScale=None, x1Offset=None, x2Offset=None, yOffset=None)
    case(family, "aclnnQuantMatmulV5", x1=Tensor("s8", left), x2=Tensor("s8", right), x1Scale=Tensor("f32", rows), x2Scale=Tensor("f32", scale), **none, bias=Tensor("s32", bias), **turned, groupSize=0, out=Out("bf16", sums.double() * wide(scale) * wide(rows)[:, None]))
    case(family, "aclnnQuantMatmulV5", code=161002, x1=Tensor("s8", left), x2=Tensor("s8", right), x1Scale=None, x2Scale=Tensor("f32", scale), **none, bias=None, **turned, groupSize=128, out=Out("bf16", sums))
    case(family, "aclnnQuantMatmulWeightNz", code=561003, x1=Tensor("s8", left), x2=Tensor("s8", right), x1Scale=None, x2Scale=Tensor("f32", scale), **none, bias=None, **turned, groupSize=0, out=Out("bf16", sums))
    case(family, "aclnnAscendAntiQuant", code=161002, x=Tensor("s8", left), scale=Tensor("f32", scale), offset=None, dstType=1, sqrtMode=False, y=Out("f16", left))
    case(family, "aclnnDequantBias", code=161002, x=Tensor("s32", sums.int()), weightScale=Tensor("f32", scale), activateScaleOptional=None, biasOptional=None, outputDtype=1, out=Out("bf16", sums))
    late = numbers("f32", (3,))
    case(family, "aclnnQuantMatmulV5", x1=Tensor("s8", left), x2=Tensor("s8", right), x1Scale=Tensor("f32", rows), x2Scale=Tensor("f32", scale), **none, bias=Tensor("f32", late), **turned, groupSize=0, out=Out("bf16", (sums - wide(bias)).double() * wide(scale) * wide(rows)[:, None] + wide(late)))
    groups = 1 << 32 | 128 << 16 | 128
    for size, (one, other), own in (((2, 130, 3), (False, True), groups), ((2, 3, 130), (True, False), 128), ((3, 128, 2), (False, False), 0)):
        left, right = numbers("s8", (size[0], size[1])), numbers("s8", (size[1], size[2]))
        lines, blocks, added = numbers("f32", (size[0], -(-size[1] // 128)), "positive"), numbers("f32", (-(-size[1] // 128), -(-size[2] // 128)), "positive"), numbers("f32", (size[2],))
        spread = lambda a, dim, count: wide(a).repeat_interleave(128, dim).narrow(dim, 0, count)
        product = (wide(left) * spread(lines, 1, size[1])) @ (wide(right) * spread(spread(blocks, 0, size[1]), 1, size[2])) + wide(added)
        placed = lambda a, flag: a.T.contiguous() if flag else a
        grouped = dict(x1=Tensor("s8", placed(left, one)), x2=Tensor("s8", placed(right, other)), x1Scale=Tensor("f32", placed(lines, one)), x2Scale=Tensor("f32", placed(blocks, other)), **none, bias=Tensor("f32", added), transposeX1=one, transposeX2=other)
        case(family, "aclnnQuantMatmulV5", **grouped, groupSize=own, out=Out("bf16", product))
    case(family, "aclnnQuantMatmulV5", code=161002, **grouped, groupSize=64, out=Out("bf16", product))
    case(family, "aclnnQuantMatmulV5", code=161002, **(grouped | dict(x1Scale=Tensor("f32", numbers("f32", (3, 2))))), groupSize=groups, out=Out("bf16", product))

"""Cases of products with a function between them, of norms that are stored as bytes, and of rows that experts and angles change."""

import torch
import torch.nn.functional as F

from backward import gradients
from form import SINGLE, InOut, List, Out, Raw, Tensor, case, numbers, of, wide

VIEWS = ["", "transposed", "gaps"]


def to_bytes(data):
    return data.round().clamp(-128, 127)


def fed(family):
    """Two products with a function between them, and norms as bytes."""
    functions = {"relu": F.relu, "silu": F.silu, "fastgelu": lambda a: a * torch.sigmoid(1.702 * a), "gelu": lambda a: F.gelu(a, approximate="tanh")}
    quantized = ["scale", "offset", "deqScale1", "deqScale2", "antiquantScale1", "antiquantScale2", "antiquantOffset1", "antiquantOffset2"]
    for index, word in enumerate(("f16", "bf16")):
        for name, function in functions.items():
            data, first, second = numbers(word, (2, 2, 4)), numbers(word, (4, 3), "small"), numbers(word, (3, 4), "small")
            late = "f16" if word == "f16" else "f32"
            one, other = numbers(late, (3,)), numbers(late, (4,))
            result = function(wide(data) @ wide(first) + wide(one)) @ wide(second) + wide(other)
            for version, ending in (("", ""), ("V2", ""), ("V3", "Optional")):
                given = {f"bias1{ending}": Tensor(late, one), f"bias2{ending}": Tensor(late, other)}
                none = {f"{one}{ending}": None for one in ["expertTokens"] + quantized}
                flag = {} if version == "" else {"tokensIndexFlag": False}
                case(family, f"aclnnFFN{version}", x=Tensor(word, data, VIEWS[index]), weight1=Tensor(word, first, "transposed"), weight2=Tensor(word, second), **none, **given, activation=f'"{name}"', innerPrecise=0, **flag, y=Out(word, result))
        # Three experts have two rows, no row and three rows.
        data, first, second = numbers(word, (5, 4)), numbers(word, (3, 4, 3), "small"), numbers(word, (3, 3, 4), "small")
        one = numbers("f16" if word == "f16" else "f32", (3, 3))
        experts = torch.tensor([0, 0, 2, 2, 2])
        inner = torch.einsum("rk,rkn->rn", wide(data), wide(first)[experts]) + wide(one)[experts]
        result = torch.einsum("rk,rkn->rn", F.relu(inner), wide(second)[experts])
        for version, ending, flag, counts in (("", "", {}, [2, 0, 3]), ("V2", "", {"tokensIndexFlag": False}, [2, 0, 3]), ("V2", "", {"tokensIndexFlag": True}, [2, 2, 5]), ("V3", "Optional", {"tokensIndexFlag": False}, [2, 0, 3]), ("V3", "Optional", {"tokensIndexFlag": True}, [2, 2, 5])):
            tokens = {f"expertTokens{ending}": counts if ending == "" else Tensor("s64", of("s64", counts))}
            given = {f"bias1{ending}": Tensor("f16" if word == "f16" else "f32", one), f"bias2{ending}": None}
            none = {f"{one}{ending}": None for one in quantized}
            case(family, f"aclnnFFN{version}", x=Tensor(word, data), weight1=Tensor(word, first), weight2=Tensor(word, second), **tokens, **given, **none, activation='"relu"', innerPrecise=0, **flag, y=Out(word, result))
    good = dict(x=Tensor("f16", data.half()), weight1=Tensor("f16", first.half()), weight2=Tensor("f16", second.half()), bias1=None, bias2=None, **{one: None for one in quantized}, innerPrecise=0)
    case(family, "aclnnFFN", code=161002, **good, expertTokens=[2, 0, 2], activation='"relu"', y=Out("f16", result))
    case(family, "aclnnFFN", code=161002, **good, expertTokens=[2, 3], activation='"relu"', y=Out("f16", result))
    case(family, "aclnnFFN", code=161002, **good, expertTokens=[2, 0, 3], activation='"swiglu"', y=Out("f16", result))
    case(family, "aclnnFFNV2", code=161001, **(good | dict(x=None)), expertTokens=[2, 0, 3], activation='"relu"', tokensIndexFlag=False, y=Out("f16", result))
    case(family, "aclnnFFNV3", code=161002, x=good["x"], weight1=good["weight1"], weight2=good["weight2"], **{f"{one}Optional": None for one in quantized + ["bias1", "bias2"]}, expertTokensOptional=Tensor("s64", of("s64", [5])), activation='"relu"', innerPrecise=0, tokensIndexFlag=False, y=Out("f16", result))
    for index, word in enumerate(SINGLE):
        data, other = numbers(word, (2, 3, 4)), numbers(word, (2, 3, 4))
        gamma, beta, bias = (numbers(word, (4,)) for _ in range(3))
        first, second = numbers(word, (4,), "positive"), numbers(word, (4,), "positive")
        zero, zeros = numbers(word, (4,)), numbers(word, (4,))
        norm = F.layer_norm(wide(data), (4,), wide(gamma), wide(beta), 1e-3)
        row = lambda a: a.reshape(1, 4)
        scale, own = of(word, [0.125]), of("s8", [-3])
        for offset in (None, own):
            result = to_bytes(norm / wide(scale) + (0 if offset is None else -3))
            case(family, "aclnnLayerNormQuant", x=Tensor(word, data, VIEWS[index]), gamma=Tensor(word, row(gamma)), beta=Tensor(word, row(beta)), scale=Tensor(word, scale), zeroPointsOptional=None if offset is None else Tensor("s8", offset), quantMode=0, epsilon=1e-3, res=Out("s8", result), scaleOut=Out("f32", torch.full((2, 3), 7.0)))
        for added in (None, bias, numbers(word, (2, 3, 4))):
            total = wide(data) + wide(other) + (0 if added is None else wide(added))
            norm = F.layer_norm(total, (4,), wide(gamma), wide(beta), 1e-3)
            shared = dict(x1=Tensor(word, data, VIEWS[index]), x2=Tensor(word, other), gamma=Tensor(word, gamma), beta=Tensor(word, beta), biasOptional=None if added is None else Tensor(word, added))
            seven = lambda *shape: torch.full(shape, 7)
            for twice, divides in ((False, True), (True, False)):
                quantize = lambda a, s, z: to_bytes((a / wide(s) if divides else a * wide(s)) + wide(z))
                case(family, "aclnnAddLayerNormQuant", **shared, scales1Optional=Tensor(word, first), scales2Optional=Tensor(word, second) if twice else None, zeroPoints1Optional=Tensor(word, zero), zeroPoints2Optional=Tensor(word, zeros) if twice else None, quantMode='"static"', epsilon=1e-3, additionalOutput=twice, divMode=divides,
                     y1Out=Out("s8", quantize(norm, first, zero)), y2Out=Out("s8", quantize(norm, second, zeros) if twice else seven(2, 3, 4)), xOut=Out(word, total if twice else seven(2, 3, 4)), outScales1Out=Out("f32", seven(2, 3)), outScales2Out=Out("f32", seven(2, 3)))
            for count in range(3):
                smooth = [norm * wide(one) if index < count else norm for index, one in enumerate((first, second))]
                scales = [one.abs().amax(-1) / 127 for one in smooth]
                results = [to_bytes(one / scale[..., None]) for one, scale in zip(smooth, scales)]
                case(family, "aclnnAddLayerNormQuant", **shared, scales1Optional=Tensor(word, first) if count else None, scales2Optional=Tensor(word, second) if count == 2 else None, zeroPoints1Optional=None, zeroPoints2Optional=None, quantMode='"dynamic"', epsilon=1e-3, additionalOutput=True, divMode=False,
                     y1Out=Out("s8", results[0]), y2Out=Out("s8", results[1] if count == 2 else seven(2, 3, 4)), xOut=Out(word, total), outScales1Out=Out("f32", scales[0]), outScales2Out=Out("f32", scales[1] if count == 2 else seven(2, 3)))
    f32 = lambda *shape: Tensor("f32", numbers("f32", shape))
    rest = dict(y1Out=Out("s8", torch.zeros(2, 4)), y2Out=Out("s8", torch.zeros(2, 4)), xOut=Out("f32", torch.zeros(2, 4)), outScales1Out=Out("f32", torch.zeros(2)), outScales2Out=Out("f32", torch.zeros(2)))
    shared = dict(x1=f32(2, 4), x2=f32(2, 4), gamma=f32(4), beta=f32(4), biasOptional=None, epsilon=1e-3, additionalOutput=True, divMode=True)
    case(family, "aclnnAddLayerNormQuant", code=161002, **shared, scales1Optional=None, scales2Optional=None, zeroPoints1Optional=None, zeroPoints2Optional=None, quantMode='"static"', **rest)
    case(family, "aclnnAddLayerNormQuant", code=161002, **shared, scales1Optional=f32(4), scales2Optional=None, zeroPoints1Optional=f32(4), zeroPoints2Optional=None, quantMode='"dynamic"', **rest)
    case(family, "aclnnAddLayerNormQuant", code=161002, **shared, scales1Optional=f32(4), scales2Optional=None, zeroPoints1Optional=None, zeroPoints2Optional=None, quantMode='"none"', **rest)
    case(family, "aclnnLayerNormQuant", code=161002, x=f32(2, 4), gamma=f32(1, 4), beta=f32(1, 4), scale=f32(1), zeroPointsOptional=None, quantMode=1, epsilon=1e-3, res=Out("s8", torch.zeros(2, 4)), scaleOut=Out("f32", torch.zeros(2)))
    case(family, "aclnnLayerNormQuant", code=161002, x=f32(2, 4), gamma=f32(1, 3), beta=f32(1, 3), scale=f32(1), zeroPointsOptional=None, quantMode=0, epsilon=1e-3, res=Out("s8", torch.zeros(2, 4)), scaleOut=Out("f32", torch.zeros(2)))


def turned(a, mode):
    """The elements that are turned together with each one."""
    if mode == 0:
        return torch.cat([-a[..., a.shape[-1] // 2:], a[..., :a.shape[-1] // 2]], -1)
    return torch.stack([-a[..., 1::2], a[..., ::2]], -1).flatten(-2)


def routed(family):
    """Rows that experts, maps and angles change."""
    for index, word in enumerate(SINGLE):
        view, near = VIEWS[index], 1e-5 if word == "f32" else None
        for shape, angles in (((2, 3, 2, 4), (1, 3, 1, 4)), ((3, 2, 4), (3, 1, 4)), ((2, 3, 2, 4), (2, 3, 2, 4))):
            data, cos, sin = numbers(word, shape), numbers(word, angles), numbers(word, angles)
            for mode in (0, 1):
                case(family, "aclnnRotaryPositionEmbeddingV2", x=Tensor(word, data, view), cos=Tensor(word, cos), sin=Tensor(word, sin), mode=mode, rotate=None, out=Out(word, wide(data) * wide(cos) + turned(wide(data), mode) * wide(sin)))
            matrix = numbers(word, (4, 4), "small")
            case(family, "aclnnRotaryPositionEmbeddingV2", tolerance=near, x=Tensor(word, data, view), cos=Tensor(word, cos, "gaps"), sin=Tensor(word, sin), mode=1, rotate=Tensor(word, matrix), out=Out(word, wide(data) * wide(cos) + (wide(data) @ wide(matrix)) * wide(sin)))
        for layout, sizes, keys, angles in ((1, (2, 3, 2, 4), (2, 3, 1, 4), (1, 3, 1, 4)), (2, (3, 2, 2, 4), (3, 2, 3, 4), (3, 1, 1, 4)), (2, (3, 2, 2, 4), (3, 2, 2, 4), (3, 2, 1, 4)), (4, (3, 2, 4), (3, 1, 4), (3, 1, 4))):
            query, key, cos, sin = numbers(word, sizes), numbers(word, keys), numbers(word, angles), numbers(word, angles)
            slopes = numbers(word, sizes), numbers(word, keys)
            parts = [gradients(lambda a, c, s: a * c + turned(a, 0) * s, slope, a, cos, sin) for a, slope in zip((query, key), slopes)]
            shared = dict(gradQueryEmbed=Tensor(word, slopes[0], view), gradKeyEmbed=Tensor(word, slopes[1]), cos=Tensor(word, cos, "gaps"), sin=Tensor(word, sin), rotaryModeOptional='"half"', layout=layout, gradQueryOut=Out(word, parts[0][0]), gradKeyOut=Out(word, parts[1][0]))
            case(family, "aclnnApplyRotaryPosEmbGrad", tolerance=1e-4 if word == "f32" else None, **shared, queryOptional=Tensor(word, query), keyOptional=Tensor(word, key), gradCosOut=Out(word, parts[0][1] + parts[1][1]), gradSinOut=Out(word, parts[0][2] + parts[1][2]))
            case(family, "aclnnApplyRotaryPosEmbGrad", tolerance=1e-4 if word == "f32" else None, **shared, queryOptional=None, keyOptional=None, gradCosOut=None, gradSinOut=None)
        # Two sequences of two tokens and of one; their figures lie by heads, or by tokens.
        before, now = numbers(word, (3, 2, 4)), numbers(word, (3, 2, 4))
        most, other, sums, further = (numbers("f32", (3, 2), domain) for domain in ("any", "any", "positive", "positive"))
        top = torch.maximum(wide(most), wide(other))
        one, another = wide(sums) * (wide(most) - top).exp(), wide(further) * (wide(other) - top).exp()
        result = (wide(before) * one[..., None] + wide(now) * another[..., None]) / (one + another)[..., None]
        def placed(figures, by_heads):
            figures = torch.cat([figures[:2].T.flatten(), figures[2:].T.flatten()]).reshape(3, 2) if by_heads else figures
            return figures[..., None].expand(3, 2, 8).contiguous()
        for version, layout in (("", None), ("V2", '""'), ("V2", '"SBH"'), ("V2", '"TND"'), ("V2", None)):
            by_heads = layout != '"TND"'
            more = {} if version == "" else {"inputSoftmaxLayoutOptional": layout}
            given = {name: Tensor("f32", placed(data, by_heads)) for name, data in (("prevSoftmaxMax", most), ("prevSoftmaxSum", sums), ("curSoftmaxMax", other), ("curSoftmaxSum", further))}
            case(family, f"aclnnRingAttentionUpdate{version}", prevAttnOut=Tensor(word, before, view), curAttnOut=Tensor(word, now), **given, actualSeqQlenOptional=Tensor("s64", of("s64", [0, 2, 3])), inputLayoutOptional='"TND"', **more, attnOutOut=Out(word, result), softmaxMaxOut=Out("f32", placed(top, by_heads)), softmaxSumOut=Out("f32", placed(one + another, by_heads)))
        # The map of three tokens and three experts, and the rows in the order of the experts.
        chosen = of("bool", [[1, 0, 1], [0, 1, 1], [1, 1, 0]])
        tokens = torch.cat([chosen[:, expert].nonzero()[:, 0] for expert in range(3)])
        order = torch.argsort(tokens, stable=True)
        shares, slopes, of_shares = numbers(word, (3, 3), "positive"), numbers(word, (6, 2)), numbers(word, (6,))
        by_token = torch.zeros(3, 2, dtype=torch.float64).index_add(0, tokens, wide(slopes))
        back = torch.zeros(3, 3, dtype=torch.float64).masked_scatter(chosen.T, wide(of_shares)).T
        for kind, given in (("bool", True), ("s8", True), ("bool", False)):
            case(family, "aclnnMoeTokenPermuteWithRoutingMapGrad", tolerance=near, permutedTokensOutputGrad=Tensor(word, slopes, view), permutedProbsOutputGradOptional=Tensor(word, of_shares) if given else None, sortedIndices=Tensor("s32", order.int()), routingMapOptional=Tensor(kind, chosen if kind == "bool" else chosen.to(torch.int8)), experts_num=3, tokens_num=3, dropAndPad=False,
                 tokenGradOut=Out(word, by_token), probsGradOutOptional=Out(word, back) if given else None)
        padded = of("s32", [2, 0, 1, 1, 0, 2])
        by_token = torch.zeros(3, 2, dtype=torch.float64).index_add(0, padded.long(), wide(slopes))
        back = torch.zeros(3, 3, dtype=torch.float64)
        back[padded.long(), torch.arange(6) // 2] = wide(of_shares)
        case(family, "aclnnMoeTokenPermuteWithRoutingMapGrad", tolerance=near, permutedTokensOutputGrad=Tensor(word, slopes), permutedProbsOutputGradOptional=Tensor(word, of_shares), sortedIndices=Tensor("s32", padded), routingMapOptional=None, experts_num=3, tokens_num=3, dropAndPad=True, tokenGradOut=Out(word, by_token), probsGradOutOptional=Out(word, back))
        left = order.clone()
        left[3] = -1
        kept = torch.tensor([place for place in range(6) if place != 3])
        by_token = torch.zeros(3, 2, dtype=torch.float64).index_add(0, kept // 2, wide(slopes)[left[kept]])
        case(family, "aclnnMoeTokenPermuteWithRoutingMapGrad", tolerance=near, permutedTokensOutputGrad=Tensor(word, slopes), permutedProbsOutputGradOptional=None, sortedIndices=Tensor("s32", left.int()), routingMapOptional=None, experts_num=3, tokens_num=3, dropAndPad=False, tokenGradOut=Out(word, by_token), probsGradOutOptional=None)
        rows, slope = numbers(word, (6, 2)), numbers(word, (3, 2))
        def joined(a, p):
            return torch.zeros(3, 2, dtype=torch.float64).index_add(0, tokens, a * p.T.masked_select(chosen.T)[:, None])
        by_rows, by_shares = gradients(joined, slope, rows, shares)
        mixed = torch.randperm(6, generator=torch.Generator().manual_seed(index))
        shared = dict(unpermutedTokensGrad=Tensor(word, slope, view), outIndex=Tensor("s32", mixed.int()), permuteTokenId=Tensor("s32", tokens[mixed].int()), dropAndPad=False, restoreShapeOptional=None)
        case(family, "aclnnMoeTokenUnpermuteWithRoutingMapGrad", tolerance=near, **shared, routingMapOptional=Tensor("bool", chosen), permutedTokensOptional=Tensor(word, rows), probsOptional=Tensor(word, shares), permutedTokensGradOut=Out(word, by_rows), probsGradOutOptional=Out(word, by_shares))
        case(family, "aclnnMoeTokenUnpermuteWithRoutingMapGrad", **shared, routingMapOptional=None, permutedTokensOptional=None, probsOptional=None, permutedTokensGradOut=Out(word, wide(slope)[tokens]), probsGradOutOptional=None)
        # The expert 0 gives nothing, 1 gives the token, and 2 and 3 a constant beside it.
        rows, token, bias, scales = numbers(word, (6, 3)), numbers(word, (3, 3)), numbers(word, (6, 3)), numbers(word, (3, 2), "positive")
        alpha, beta, constant = (numbers(word, (2, 3)) for _ in range(3))
        chosen, places = of("s32", [[0, 4], [1, 5], [3, 2]]), of("s32", [[0, 1], [2, 3], [4, 5]])
        result = torch.zeros(3, 3, dtype=torch.float64)
        for row in range(3):
            for choice in range(2):
                expert = int(chosen[row, choice])
                if expert == 0:
                    continue
                part = wide(token)[row] if expert == 1 else wide(alpha)[expert - 2] * wide(token)[row] + wide(beta)[expert - 2] * wide(constant)[expert - 2] if expert < 4 else wide(rows)[int(places[row, choice])]
                result[row] += wide(scales)[row, choice] * (part + wide(bias)[expert])
        shared = dict(expandedX=Tensor(word, rows, view), expandedRowIdx=Tensor("s32", places.flatten()), x1Optional=None, x2Optional=None, biasOptional=Tensor(word, bias), scalesOptional=Tensor(word, scales), expertIdxOptional=Tensor("s32", chosen), dropPadMode=2)
        case(family, "aclnnMoeFinalizeRoutingV3", tolerance=near, **shared, xOptional=Tensor(word, token), alpha1Optional=Tensor(word, alpha), alpha2Optional=Tensor(word, beta), vOptional=Tensor(word, constant), zeroExpertRange=[0, 1], copyExpertRange=[1, 2], constantExpertRange=[2, 4], out=Out(word, result))
        plain = sum(wide(scales)[:, choice, None] * (wide(rows)[places[:, choice].long()] + wide(bias)[chosen[:, choice].long()]) for choice in range(2))
        none = dict(xOptional=None, alpha1Optional=None, alpha2Optional=None, vOptional=None, zeroExpertRange=None, copyExpertRange=None, constantExpertRange=None)
        case(family, "aclnnMoeFinalizeRoutingV3", tolerance=near, **shared, **none, out=Out(word, plain))
    case(family, "aclnnMoeFinalizeRoutingV3", code=161001, **shared, **(none | dict(copyExpertRange=[1, 2])), out=Out(word, plain))
    case(family, "aclnnMoeFinalizeRoutingV3", code=161002, **shared, **(none | dict(zeroExpertRange=[2, 1])), out=Out(word, plain))
    for index, word in enumerate(SINGLE):
        # Positions on axes: three or four for each of two tokens, whose heads have pairs of eight angles and two elements behind.
        table, query, key = numbers(word, (5, 16)), numbers(word, (2, 36)), numbers(word, (2, 18))
        for sections, mode in ((None, 0), ([2, 3, 3], 0), ([2, 3, 3], 1), ([4, 2, 2], 1), ([1, 2, 2, 3], 0)):
            axes = 1 if sections is None else len(sections)
            places = of("s64", [[1, 4], [0, 2], [3, 3], [2, 0]])[:axes]
            cos, sin = wide(table)[places].chunk(2, -1)
            def picked(angles):
                if sections is None:
                    return angles[0]
                if mode == 0:
                    return torch.cat([part[axis] for axis, part in enumerate(angles.split(sections, -1))], -1)
                result = angles[0].clone()
                for axis in (1, 2):
                    result[..., axis:sections[1] * 3:3] = angles[axis][..., axis:sections[1] * 3:3]
                return result
            cos, sin = picked(cos)[:, None], picked(sin)[:, None]
            def rotated(data, is_half):
                heads = wide(data).reshape(2, -1, 18)
                own = heads[..., :16]
                one, other = own.chunk(2, -1) if is_half else (own[..., ::2], own[..., 1::2])
                turn = one * cos - other * sin, other * cos + one * sin
                own = torch.cat(turn, -1) if is_half else torch.stack(turn, -1).flatten(-2)
                return torch.cat([own, heads[..., 16:]], -1).reshape(2, -1)
            for is_half in (True, False):
                for version in ("", "V2") if mode == 0 else ("V2",):
                    more = {"cacheMode": mode} if version else {}
                    case(family, f"aclnnRopeWithSinCosCache{version}", positions=Tensor("s64", places[0] if axes == 1 else places), queryIn=Tensor(word, query, VIEWS[index]), keyIn=Tensor(word, key), cosSinCache=Tensor(word, table), mropeSection=sections, headSize=18, isNeoxStyle=is_half, **more, queryOut=Out(word, rotated(query, is_half)), keyOut=Out(word, rotated(key, is_half)))
        before, cos, sin = numbers(word, (2, 1, 2, 6)), numbers(word, (1, 1, 2, 4)), numbers(word, (1, 1, 2, 4))
        after = wide(before).clone()
        after[..., 1:5] = gradients(lambda a: a * wide(cos) + turned(a, 1) * wide(sin), before[..., 1:5], before[..., 1:5])[0]
        case(family, "aclnnInplacePartialRotaryMulGrad", dyRef=InOut(word, before, after, VIEWS[index]), cos=Tensor(word, cos), sin=Tensor(word, sin), rotaryMode=1, partialSlice=[1, 5])
    wrong = dict(positions=Tensor("s64", places), queryIn=Tensor(word, query), keyIn=Tensor(word, key), cosSinCache=Tensor(word, table), headSize=18, isNeoxStyle=True, queryOut=Out(word, query), keyOut=Out(word, key))
    case(family, "aclnnRopeWithSinCosCacheV2", code=161002, **wrong, mropeSection=[1, 2, 2, 3], cacheMode=1)
    case(family, "aclnnRopeWithSinCosCacheV2", code=161002, **wrong, mropeSection=[1, 2, 2, 4], cacheMode=0)
    case(family, "aclnnRopeWithSinCosCacheV2", code=161002, **wrong, mropeSection=None, cacheMode=0)
    for changed in ({"rotaryMode": 0}, {"partialSlice": [2, 5]}, {"partialSlice": [3, 7]}):
        case(family, "aclnnInplacePartialRotaryMulGrad", code=561002, **(dict(dyRef=InOut(word, before, before), cos=Tensor(word, cos), sin=Tensor(word, sin), rotaryMode=1, partialSlice=[1, 5]) | changed))
    f32 = lambda *shape: Tensor("f32", numbers("f32", shape))
    out = lambda *shape: Out("f32", torch.zeros(shape))
    case(family, "aclnnRotaryPositionEmbeddingV2", code=561002, x=f32(1, 2, 4), cos=f32(1, 2, 2), sin=f32(1, 2, 2), mode=0, rotate=None, out=out(1, 2, 4))
    case(family, "aclnnRotaryPositionEmbeddingV2", code=561002, x=f32(1, 2, 4), cos=f32(1, 2, 4), sin=f32(1, 2, 4), mode=2, rotate=None, out=out(1, 2, 4))
    case(family, "aclnnRotaryPositionEmbeddingV2", code=161002, x=f32(1, 2, 4), cos=f32(1, 2, 4), sin=f32(1, 2, 4), mode=0, rotate=f32(2, 4), out=out(1, 2, 4))
    good = dict(gradQueryEmbed=f32(1, 2, 1, 4), gradKeyEmbed=f32(1, 2, 1, 4), cos=f32(1, 2, 1, 4), sin=f32(1, 2, 1, 4), queryOptional=None, keyOptional=None, rotaryModeOptional='"half"', layout=1, gradQueryOut=out(1, 2, 1, 4), gradKeyOut=out(1, 2, 1, 4), gradCosOut=None, gradSinOut=None)
    for changed in ({"layout": 3}, {"rotaryModeOptional": '"interleave"'}, {"queryOptional": f32(1, 2, 1, 4)}, {"gradKeyEmbed": f32(2, 2, 1, 4)}):
        case(family, "aclnnApplyRotaryPosEmbGrad", code=161002, **(good | changed))
    figures = {name: f32(3, 2, 8) for name in ("prevSoftmaxMax", "prevSoftmaxSum", "curSoftmaxMax", "curSoftmaxSum")}
    ring = dict(prevAttnOut=f32(3, 2, 4), curAttnOut=f32(3, 2, 4), **figures, inputLayoutOptional='"TND"', attnOutOut=out(3, 2, 4), softmaxMaxOut=out(3, 2, 8), softmaxSumOut=out(3, 2, 8))
    case(family, "aclnnRingAttentionUpdateV2", code=561002, **ring, actualSeqQlenOptional=Tensor("s64", of("s64", [0, 3])), inputSoftmaxLayoutOptional='"BSH"')
    case(family, "aclnnRingAttentionUpdateV2", code=161001, **ring, actualSeqQlenOptional=None, inputSoftmaxLayoutOptional='"TND"')
    back = dict(permutedTokensOutputGrad=f32(6, 2), permutedProbsOutputGradOptional=None, sortedIndices=Tensor("s32", padded), routingMapOptional=None, dropAndPad=False, probsGradOutOptional=None)
    case(family, "aclnnMoeTokenPermuteWithRoutingMapGrad", code=161002, **back, experts_num=3, tokens_num=4, tokenGradOut=out(4, 2))
    case(family, "aclnnMoeTokenPermuteWithRoutingMapGrad", code=161001, **(back | dict(permutedProbsOutputGradOptional=f32(6), probsGradOutOptional=out(3, 3))), experts_num=3, tokens_num=3, tokenGradOut=out(3, 2))
    lone = dict(unpermutedTokensGrad=f32(3, 2), outIndex=Tensor("s32", padded), permuteTokenId=Tensor("s32", padded), restoreShapeOptional=None, permutedTokensGradOut=out(6, 2))
    case(family, "aclnnMoeTokenUnpermuteWithRoutingMapGrad", code=161001, **lone, routingMapOptional=None, permutedTokensOptional=f32(6, 2), probsOptional=f32(3, 3), dropAndPad=False, probsGradOutOptional=out(3, 3))
    case(family, "aclnnMoeTokenUnpermuteWithRoutingMapGrad", code=161002, **(lone | dict(permutedTokensGradOut=out(5, 2))), routingMapOptional=None, permutedTokensOptional=None, probsOptional=None, dropAndPad=False, probsGradOutOptional=None)
    for index, (word, layout, keys) in enumerate((("f16", "BNSD", 2), ("bf16", "BSH", 1))):
        shape = lambda count, length: (2, count, length, 4) if layout == "BNSD" else (2, length, count * 4)
        query, key, value = numbers(word, shape(2, 3), "small"), numbers(word, shape(keys, 4), "small"), numbers(word, shape(keys, 4), "small")
        split = lambda data, count: wide(data) if layout == "BNSD" else wide(data).unflatten(-1, (count, 4)).transpose(1, 2)
        products = split(query, 2) @ split(key, keys).repeat_interleave(2 // keys, 1).transpose(-1, -2) * 0.5
        result = torch.softmax(products, -1) @ split(value, keys).repeat_interleave(2 // keys, 1)
        result = result if layout == "BNSD" else result.transpose(1, 2).flatten(2)
        names = ("pseShift", "attenMask", "actualSeqLengths", "actualSeqLengthsKv", "deqScale1", "quantScale1", "deqScale2", "quantScale2", "quantOffset2", "antiquantScale", "antiquantOffset", "blockTable", "queryPaddingSize", "kvPaddingSize", "keyAntiquantScale", "keyAntiquantOffset",
                 "valueAntiquantScale", "valueAntiquantOffset", "keySharedPrefix", "valueSharedPrefix", "actualSharedPrefixLen", "queryRope", "keyRope", "keyRopeAntiquantScale", "dequantScaleQuery", "learnableSink")
        shared = dict(query=Tensor(word, query), key=List([Tensor(word, key)]), value=List([Tensor(word, value)]), **{f"{name}Optional": None for name in names}, numHeads=2, scaleValue=0.5, preTokens=2147483647, nextTokens=2147483647, inputLayout=f'"{layout}"', numKeyValueHeads=keys,
                      sparseMode=0, innerPrecise=0, blockSize=0, antiquantMode=0, softmaxLseFlag=index == 0, keyAntiquantMode=0, valueAntiquantMode=0, queryQuantMode=0, attentionOut=Out(word, result), softmaxLse=Out("f32", torch.logsumexp(products, -1, keepdim=True)) if index == 0 else None)
        starts = dict(qStartIdxOptional=None, kvStartIdxOptional=None)
        case(family, "aclnnFusedInferAttentionScoreV4", **shared)
        case(family, "aclnnFusedInferAttentionScoreV5", **shared, **starts, pseType=0)
    case(family, "aclnnFusedInferAttentionScoreV5", code=161002, **shared, **starts, pseType=2)
    case(family, "aclnnFusedInferAttentionScoreV5", code=161002, **shared, **(starts | dict(kvStartIdxOptional=[1])), pseType=0)
    case(family, "aclnnFusedInferAttentionScoreV4", code=161002, **(shared | dict(learnableSinkOptional=Tensor("bf16", numbers("bf16", (2,))))))
    for index, word in enumerate(SINGLE):
        data, weight = numbers(word, (2, 2, 6)), numbers("f32", (2, 2))
        for limit, own, counts in ((-1.0, None, None), (0.5, weight, None), (-1.0, weight.flatten(), [1, 2]), (1.0, None, [3, 0, 4])):
            first, second = wide(data).chunk(2, -1)
            if limit > 0:
                first, second = first.clamp(max=limit), second.clamp(-limit, limit)
            result = F.silu(first) * second * (1 if own is None else wide(own).reshape(2, 2, 1))
            # Rows behind those of the groups stay as they are.
            kept = 4 if counts is None else min(sum(counts), 4)
            result = torch.where(torch.arange(4).reshape(2, 2, 1) < kept, result, 7.0) if kept < 4 else result
            out = Out(word, result) if kept == 4 else InOut(word, torch.full((2, 2, 3), 7.0), result)
            case(family, "aclnnSwigluGroup", x=Tensor(word, data, VIEWS[index]), weightOptional=None if own is None else Tensor("f32", own), groupIndexOptional=None if counts is None else Tensor("s64", of("s64", counts)), clampLimit=limit, out=out)
    case(family, "aclnnSwigluGroup", code=161002, x=Tensor("f32", numbers("f32", (2, 3))), weightOptional=None, groupIndexOptional=None, clampLimit=-1.0, out=Out("f32", torch.zeros(2, 1)))
    case(family, "aclnnSwigluGroup", code=161001, x=None, weightOptional=None, groupIndexOptional=None, clampLimit=-1.0, out=Out("f32", torch.zeros(2, 1)))
    for index, word in enumerate(("f16", "bf16")):
        outer = ((3,), (2, 2))[index]
        data, mixing, layer, post = numbers(word, (*outer, 2, 5)), numbers("f32", (*outer, 2, 2)), numbers(word, (*outer, 5)), numbers("f32", (*outer, 2))
        result = wide(mixing).transpose(-1, -2) @ wide(data) + wide(post)[..., None] * wide(layer)[..., None, :]
        good = dict(x=Tensor(word, data, VIEWS[index + 1]), hRes=Tensor("f32", mixing), hOut=Tensor(word, layer), hPost=Tensor("f32", post), out=Out(word, result))
        case(family, "aclnnMhcPost", **good)
        data, weight, mask = numbers(word, (4, 2, 3)), numbers(word, (3, 3)), numbers("bool", (2, 4))
        padded = F.pad(wide(data), (0, 0, 0, 0, 2, 0))
        result = sum(padded[back : back + 4] * wide(weight)[back] for back in range(3))
        for own in (None, mask):
            masked = result if own is None else result * own.T[..., None]
            conv = dict(x=Tensor(word, data, VIEWS[index + 1]), weight=Tensor(word, weight), maskOptional=None if own is None else Tensor("bool", own), out=Out(word, masked))
            case(family, "aclnnMaskedCausalConv1d", **conv)
    case(family, "aclnnMhcPost", code=161002, **(good | dict(hPost=Tensor("f32", numbers("f32", (2, 2, 3))))))
    case(family, "aclnnMhcPost", code=161001, **(good | dict(hRes=None)))
    case(family, "aclnnMaskedCausalConv1d", code=561002, **(conv | dict(weight=Tensor(word, numbers(word, (4, 3))))))
    case(family, "aclnnMaskedCausalConv1d", code=561002, **(conv | dict(maskOptional=Tensor("bool", mask.T.contiguous()))))

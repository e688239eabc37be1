//! Functions of elements, parts and bags that few programs call.

use super::super::alike::alike;
use super::super::along::in_numbers;
use super::super::select::{DECIDED, Groups, compare};
use crate::op::by_formula::formula;
use crate::op::call::{Call, Input};
use crate::op::define::definitions;
use crate::op::dtype::{Kind, MOVABLE, SINGLE, kind, types};
use crate::op::number::Whole;
use crate::op::plan::Plan;
use crate::op::refusal::Refusal;
use crate::op::rule::{Checks as _, Split, at, count, dimension, put};
use crate::results::list_of;
use crate::sorted::ordered;
use core::cmp::Ordering;
use core::f64::consts::{FRAC_PI_2, PI};

definitions! {
    aclnnCeluV3 = formula!(real |x, alpha| "x > 0 ? x : alpha * exp_m1(x / alpha)").same(SINGLE);
    aclnnThresholdV2 = formula!(|x, threshold, value| "x > threshold ? x : value").same(types!(f32 f16 bf16 s8 s32 s64 u8));
    aclnnAsinWithAgent = alike(formula!(real |x| "asin(x)").same(SINGLE));
    aclnnAsinhWithAgent = alike(formula!(real |x| "asinh(x)").same(SINGLE));
    aclnnFresnelCos = |call: &Call| fresnel(call, true);
    aclnnFresnelSin = |call: &Call| fresnel(call, false);
    aclnnEmbeddingBag = bags;
    aclnnUniqueDim = unique;
    aclnnStridedSliceAssignV2 = assigned;
    aclnnTransformBiasRescaleQkv = heads;
    aclnnAsStrided = strided;
    aclnnMaxPoolV3 = windows;
    aclnnDataFormatDimMap = places;
}

/// `aclnnFresnelCos(x, out)` and `aclnnFresnelSin`
fn fresnel(call: &Call, is_cosine: bool) -> Result<Plan, Refusal> {
    let input = call.input("x").of(SINGLE)?;
    let out = call.output("out").like(&input)?.shaped(input.shape())?;
    if out.elements() == 0 {
        return Ok(call.nothing());
    }
    call.plan(move |views| {
        let mut elements = views.input(&input).all::<f64>();
        for one in &mut elements {
            let [cosine, sine] = integrals(*one);
            *one = if is_cosine { cosine } else { sine };
        }
        views.output(&out).put_all(&elements);
    })
}

/// The largest number up to which the power series is exact enough in double precision.
const SERIES: f64 = 3.5;

/// The integrals of the cosine and of the sine of `pi / 2 * t * t` from 0 to a number.
fn integrals(x: f64) -> [f64; 2] {
    let size = x.abs();
    if x.is_nan() {
        return [x; 2];
    }
    if size.is_infinite() {
        return [0.5_f64.copysign(x); 2];
    }
    let angle = FRAC_PI_2 * size * size;
    if size <= SERIES {
        // The terms of both series in turn: powers of the angle over factorials.
        let (mut sums, mut power) = ([0.0; 2], size);
        for term in 0..120_i32 {
            let sign = if term % 4 < 2 { 1.0 } else { -1.0 };
            let of = usize::from(term % 2 == 1);
            let sum = at(&sums, of) + sign * power / f64::from(2 * term + 1);
            put(&mut sums, of, sum);
            power *= angle / f64::from(term + 1);
        }
        return sums.map(|sum| sum.copysign(x));
    }
    let step = 1.0 / (PI * size * size);
    let square = step * step;
    let near = step * size * (1.0 - square * (3.0 - 105.0 * square * (1.0 - 99.0 * square)));
    let far =
        step * step * size * (1.0 - square * (15.0 - 945.0 * square * (1.0 - 143.0 * square)));
    let (sine, cosine) = angle.sin_cos();
    let cosines = 0.5 + near * sine - far * cosine;
    let sines = 0.5 - near * cosine - far * sine;
    [cosines.copysign(x), sines.copysign(x)]
}

/// `aclnnEmbeddingBag(weight, indices, offsets, scaleGradByFreq, mode, sparse, perSampleWeights, includeLastOffset, paddingIdx, output,
/// offset2bag, bagSize, maxIndices)`: the mode is 0 for sums, 1 for means and 2 for the largest elements, whose rows are stored in
/// `maxIndices`, which other modes leave as it is.
fn bags(call: &Call) -> Result<Plan, Refusal> {
    let weight = call.input("weight").of(SINGLE).ranked(2..=2)?;
    let indices = call.input("indices").of(types!(s32 s64)).ranked(1..=1)?;
    let offsets = call.input("offsets").of(types!(s32 s64)).ranked(1..=1)?;
    let [rows, width] = [0, 1].map(|dim| at(weight.shape(), dim));
    let includes_last = usize::from(call.flag("includeLastOffset")?);
    let mode = call.whole("mode")?;
    let factors = match call.optional_input("perSampleWeights")? {
        Some(factors) => Some(factors.like(&weight)?.shaped(indices.shape())?),
        None => None,
    };
    let Some(number) = offsets.elements().checked_sub(includes_last) else {
        return Err(Refusal::invalid("offsets has no elements"));
    };
    if !(0..=2).contains(&mode) || (factors.is_some() && mode != 0) {
        return Err(Refusal::invalid(format_args!(
            "mode is {mode}; it is 0, 1 or 2, and 0 with perSampleWeights"
        )));
    }
    let padding = Whole(call.whole("paddingIdx")?).place(rows);
    let out = call
        .output("output")
        .like(&weight)?
        .shaped(&[number, width])?;
    let figure = |name: &str| call.output(name).of(types!(s32 s64));
    let bag_of = figure("offset2bag")?.shaped(indices.shape())?;
    let sizes = figure("bagSize")?.shaped(&[number])?;
    let most = figure("maxIndices")?;
    let most = match mode {
        2 => Some(most.shaped(&[number, width])?),
        _ => None,
    };
    call.plan(move |views| {
        let elements = views.input(&weight).all::<f64>();
        let found = views.input(&indices).all::<Whole>();
        let starts = views.input(&offsets).all::<Whole>();
        let factors = factors.map(|factors| views.input(&factors).all::<f64>());
        let total = found.len();
        let start = |bag: usize| match starts.get(bag) {
            Some(start) => usize::try_from(start.0).unwrap_or(0).min(total),
            None => total,
        };
        let mut results = vec![0.0; number * width];
        let mut bag_of_all = vec![Whole(0); total];
        let (mut counts, mut rows_of) = (Vec::new(), vec![Whole(0); number * width]);
        for bag in 0..number {
            let (mut count, own) = (0, bag * width..(bag + 1) * width);
            let to = results.get_mut(own.clone()).unwrap_or_default();
            for place in start(bag)..start(bag + 1).max(start(bag)) {
                // CAST: numbers of bags and of rows, which are far below the limit.
                put(&mut bag_of_all, place, Whole(bag as i64));
                let row = views.below_in(&indices, at(&found, place), rows);
                let Some(row) = row.filter(|row| Some(*row) != padding) else {
                    continue;
                };
                let factor = factors.as_ref().map_or(1.0, |factors| at(factors, place));
                let line = elements
                    .get(row * width..(row + 1) * width)
                    .unwrap_or_default();
                for (column, (result, one)) in to.iter_mut().zip(line).enumerate() {
                    if mode != 2 {
                        *result += factor * one;
                    } else if count == 0 || one > result {
                        *result = *one;
                        put(&mut rows_of, own.start + column, Whole(row as i64));
                    }
                }
                count += 1;
            }
            if mode == 1 && count > 0 {
                to.iter_mut().for_each(|one| *one /= f64::from(count));
            }
            counts.push(Whole(count.into()));
        }
        views.output(&out).put_all(&results);
        views.output(&bag_of).put_all(&bag_of_all);
        views.output(&sizes).put_all(&counts);
        if let Some(most) = &most {
            views.output(most).put_all(&rows_of);
        }
    })
}

/// `aclnnUniqueDim(self, sorted, returnInverse, dim, valueOut, inverseOut, countsOut)`: the different parts in order, also if `sorted`
/// is false. The shapes of `valueOut` and `countsOut` change.
fn unique(call: &Call) -> Result<Plan, Refusal> {
    let input = call.input("self").of(MOVABLE).ranked(1..=8)?;
    let dim = dimension("dim", call.whole("dim")?, input.shape().len())?;
    let split = Split::new(input.shape(), dim);
    let values = call
        .output("valueOut")
        .like(&input)?
        .shaped(input.shape())?;
    let figure = |name: &str| call.output(name).of(types!(s64)).shaped(&[split.size]);
    let inverse = match call.flag("returnInverse")? {
        true => Some(figure("inverseOut")?),
        false => None,
    };
    let counts = figure("countsOut")?;
    call.plan_boxed(in_numbers!(input.dtype(), W => Box::new(move |views| {
        let elements = views.input(&input).all::<W>();
        let Split { outer, size, inner } = split;
        let of = |part: usize, index: usize| {
            let (outer, inside) = (index / inner, index % inner);
            at(&elements, (outer * size + part) * inner + inside)
        };
        let by_parts = |one: usize, other: usize| {
            let mut orders = (0..outer * inner).map(|index| compare(of(one, index), of(other, index)));
            orders.find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
        };
        let order = ordered(size, &by_parts);
        let is_equal = |one: usize, other: usize| {
            (0..outer * inner).all(|index| of(one, index) == of(other, index))
        };
        let found = Groups::new(order, &is_equal);
        let mut kept = Vec::new();
        for outside in 0..outer {
            for first in &found.firsts {
                kept.extend((0..inner).map(|inside| of(*first, outside * inner + inside)));
            }
        }
        let mut shape = input.shape().to_vec();
        put(&mut shape, dim, found.firsts.len());
        views.output(&values).put_all(&kept);
        values.reshape(&shape);
        if let Some(inverse) = &inverse {
            views.output(inverse).put_all(&found.places);
        }
        views.output(&counts).put_all(&found.sizes);
        counts.reshape(&[found.sizes.len()]);
    })))
    .map(|plan| plan.once(DECIDED))
}

/// `aclnnStridedSliceAssignV2(varRef, inputValue, begin, end, strides, axesOptional)`: a negative begin or end counts from the end.
fn assigned(call: &Call) -> Result<Plan, Refusal> {
    let before = call.input("varRef").of(MOVABLE)?;
    let value = call.input("inputValue").like(&before)?;
    let out = call.output("varRef")?;
    let [begins, ends, steps] = [
        call.ints("begin")?,
        call.ints("end")?,
        call.ints("strides")?,
    ];
    let given = call.ints("axesOptional")?;
    let rank = before.shape().len();
    // CAST: a rank is at most 8.
    let axes = match given {
        [] => Vec::from_iter(0..begins.len() as i64),
        given => given.to_vec(),
    };
    if [begins.len(), ends.len(), steps.len()] != [axes.len(); 3] || axes.len() > rank {
        return Err(Refusal::invalid(format_args!(
            "begin, end, strides and axes have {}, {}, {} and {} numbers, and varRef {rank} dimensions",
            begins.len(),
            ends.len(),
            steps.len(),
            axes.len()
        )));
    }
    // The first place, the distance and the number of places of each dimension.
    let mut parts = list_of(before.shape().iter().map(|size| [0, 1, *size]));
    for (index, axis) in axes.iter().enumerate() {
        let axis = dimension("axes", *axis, rank)?;
        let size = at(before.shape(), axis);
        let inside = |place: i64| {
            // CAST: a size of a tensor.
            let place = if place < 0 {
                place.saturating_add(size as i64)
            } else {
                place
            };
            usize::try_from(place).unwrap_or(0).min(size)
        };
        let step = count("strides", at(steps, index))?;
        let [begin, end] = [at(begins, index), at(ends, index)].map(inside);
        if step == 0 {
            return Err(Refusal::invalid("strides has 0; each is above 0"));
        }
        put(
            &mut parts,
            axis,
            [begin, step, end.saturating_sub(begin).div_ceil(step)],
        );
    }
    let value = value.shaped(&list_of(parts.iter().map(|[.., number]| *number)))?;
    if value.elements() == 0 {
        return Ok(call.nothing());
    }
    call.plan(move |views| {
        let mut elements = views.input(&before).all_bits();
        for (index, bits) in views.input(&value).all_bits().into_iter().enumerate() {
            let (mut rest, mut place, mut inner) = (index, 0, 1);
            for (size, [first, step, number]) in before.shape().iter().zip(&parts).rev() {
                place += (first + rest % number * step) * inner;
                rest /= number;
                inner *= size;
            }
            put(&mut elements, place, bits);
        }
        views.output(&out).put_all_bits(&elements);
    })
}

/// `aclnnTransformBiasRescaleQkv(qkv, qkvBias, numHeads, qOut, kOut, vOut)`: the queries are divided by the root of the width of a
/// head.
fn heads(call: &Call) -> Result<Plan, Refusal> {
    let input = call.input("qkv").of(SINGLE).ranked(3..=3)?;
    let [batches, positions, whole] = [0, 1, 2].map(|dim| at(input.shape(), dim));
    let bias = call.input("qkvBias").like(&input)?.shaped(&[whole])?;
    let heads = count("numHeads", call.whole("numHeads")?)?;
    let width = (whole / 3).checked_div(heads).unwrap_or(0);
    if 3 * heads * width != whole {
        return Err(Refusal::invalid(format_args!(
            "qkv {:?} has not three parts of {heads} heads",
            input.shape()
        )));
    }
    let mut outs = Vec::with_capacity(3);
    for name in ["qOut", "kOut", "vOut"] {
        let out = call.output(name).like(&input)?;
        outs.push(out.shaped(&[batches, heads, positions, width])?);
    }
    if input.elements() == 0 {
        return Ok(call.nothing());
    }
    // CAST: a width, which is exact.
    let scale = 1.0 / (width as f64).sqrt();
    call.plan(move |views| {
        let elements = views.input(&input).all::<f64>();
        let biases = views.input(&bias).all::<f64>();
        for (part, out) in outs.iter().enumerate() {
            let factor = if part == 0 { scale } else { 1.0 };
            let mut results = vec![0.0; out.elements()];
            for (index, result) in results.iter_mut().enumerate() {
                let (rest, column) = (index / width, index % width);
                let (rest, position) = (rest / positions, rest % positions);
                let (batch, head) = (rest / heads, rest % heads);
                let place = (part * heads + head) * width + column;
                let from = (batch * positions + position) * whole + place;
                *result = (at(&elements, from) + at(&biases, place)) * factor;
            }
            views.output(out).put_all(&results);
        }
    })
}

/// `aclnnAsStrided(x, size, stride, storageOffset, out)`: the elements of `x` are counted in the order of its dimensions.
fn strided(call: &Call) -> Result<Plan, Refusal> {
    let input = call.input("x").of(MOVABLE)?;
    let mut shape = Vec::new();
    for size in call.ints("size")? {
        shape.push(count("size", *size)?);
    }
    let mut steps = Vec::new();
    for step in call.ints("stride")? {
        steps.push(count("stride", *step)?);
    }
    let first = match *call.ints("storageOffset")? {
        [] => 0,
        [first] => count("storageOffset", first)?,
        ref other => {
            return Err(Refusal::invalid(format_args!(
                "storageOffset has {} numbers, not one",
                other.len()
            )));
        }
    };
    let out = call.output("out").like(&input)?.shaped(&shape)?;
    if out.elements() == 0 {
        return Ok(call.nothing());
    }
    let reach = shape
        .iter()
        .zip(&steps)
        .try_fold(first, |place, (size, step)| {
            place.checked_add(size.saturating_sub(1).checked_mul(*step)?)
        });
    if steps.len() != shape.len() || reach.is_none_or(|reach| reach >= input.elements()) {
        return Err(Refusal::invalid(format_args!(
            "{} elements of x do not have the places of size {shape:?} and stride {steps:?} from {first} on",
            input.elements()
        )));
    }
    call.plan(move |views| {
        let elements = views.input(&input).all_bits();
        let mut results = Vec::with_capacity(out.elements());
        for index in 0..out.elements() {
            let (mut rest, mut place) = (index, first);
            for (size, step) in shape.iter().zip(&steps).rev() {
                place += rest % size * step;
                rest /= size;
            }
            results.push(at(&elements, place));
        }
        views.output(&out).put_all_bits(&results);
    })
}

/// `aclnnMaxPoolV3(x, ksize, strides, pads, ceilMode, out)`: the last two of four numbers count for windows and steps, and the pads are
/// those above, below, on the left and on the right.
fn windows(call: &Call) -> Result<Plan, Refusal> {
    let input: Input = call.input("x").of(SINGLE).ranked(4..=4)?;
    let numbers = |name: &str| {
        let given = call.ints(name)?;
        let given = if given.is_empty() && name == "pads" {
            &[0; 4][..]
        } else {
            given
        };
        let mut found = [0; 4];
        for (place, one) in found.iter_mut().zip(given) {
            *place = count(name, *one)?;
        }
        match given.len() {
            4 => Ok(found),
            other => Err(Refusal::invalid(format_args!(
                "{name} has {other} numbers, not four"
            ))),
        }
    };
    let (kernel, steps, pads) = (numbers("ksize")?, numbers("strides")?, numbers("pads")?);
    let is_ceiled = call
        .optional_scalar("ceilMode")?
        .is_some_and(|one| one.to_f64() != 0.0);
    let mut outs = [0; 2];
    for (dim, wanted) in outs.iter_mut().enumerate() {
        let [size, kernel, step] = [
            at(input.shape(), dim + 2),
            at(&kernel, dim + 2),
            at(&steps, dim + 2),
        ];
        let [before, behind] = [at(&pads, 2 * dim), at(&pads, 2 * dim + 1)];
        let room = (size + before + behind).checked_sub(kernel);
        let Some(room) =
            room.filter(|_| kernel > 0 && step > 0 && before < kernel && behind < kernel)
        else {
            return Err(Refusal::invalid(format_args!(
                "a window of {kernel} elements in steps of {step} does not go with {size} elements and the pads {pads:?}"
            )));
        };
        *wanted = (room + if is_ceiled { step - 1 } else { 0 }) / step + 1;
        if is_ceiled && (*wanted - 1) * step >= size + before {
            *wanted -= 1;
        }
    }
    let [batches, channels, height, width] = [0, 1, 2, 3].map(|dim| at(input.shape(), dim));
    let out = call.output("out").like(&input)?;
    let out = out.shaped(&[batches, channels, outs[0], outs[1]])?;
    if out.elements() == 0 {
        return Ok(call.nothing());
    }
    call.plan(move |views| {
        let elements = views.input(&input).all::<f32>();
        let mut results = Vec::with_capacity(out.elements());
        let places = |dim: usize, index: usize, size: usize| {
            let first = index * at(&steps, dim + 2);
            let before = at(&pads, 2 * dim);
            let end = (first + at(&kernel, dim + 2))
                .saturating_sub(before)
                .min(size);
            first.saturating_sub(before)..end
        };
        for image in elements.chunks((height * width).max(1)) {
            for row in 0..outs[0] {
                for column in 0..outs[1] {
                    let mut most = f32::NEG_INFINITY;
                    for line in places(0, row, height) {
                        for place in places(1, column, width) {
                            let one = at(image, line * width + place);
                            most = if one > most || one.is_nan() {
                                one
                            } else {
                                most
                            };
                        }
                    }
                    results.push(most);
                }
            }
        }
        views.output(&out).put_all(&results);
    })
}

/// `aclnnDataFormatDimMap(x, srcFormat, dstFormat, y)`: the place of a dimension in another order. A negative one counts from the end.
fn places(call: &Call) -> Result<Plan, Refusal> {
    let input = call.input("x").of(types!(s32 s64))?;
    let out = call.output("y").like(&input)?.shaped(input.shape())?;
    let format = |name: &str| call.text(name)?.ok_or_else(|| Refusal::null(name));
    let (from, to) = (format("srcFormat")?, format("dstFormat")?);
    let mut map = Vec::with_capacity(from.len());
    for letter in from.bytes() {
        // CAST: a place in a short text.
        map.push(
            to.bytes()
                .position(|other| other == letter)
                .map(|place| Whole(place as i64)),
        );
    }
    if from.len() != to.len() || !(4..=5).contains(&from.len()) || map.contains(&None) {
        return Err(Refusal::invalid(format_args!(
            "srcFormat {from:?} and dstFormat {to:?} do not have the same four or five letters"
        )));
    }
    if out.elements() == 0 {
        return Ok(call.nothing());
    }
    call.plan(move |views| {
        let mut found = views.input(&input).all::<Whole>();
        for one in &mut found {
            let place = views.indexed(*one, map.len());
            *one = place.and_then(|place| at(&map, place)).unwrap_or(Whole(0));
        }
        views.output(&out).put_all(&found);
    })
}

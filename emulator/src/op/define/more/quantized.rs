//! More operators on quantized numbers, and the parameters that a card reads beside them.

use super::super::computed::{Computed, Numbers};
use crate::op::call::{Call, Input};
use crate::op::define::definitions;
use crate::op::dtype::{SINGLE, Types, types};
use crate::op::plan::Plan;
use crate::op::refusal::Refusal;
use crate::op::rule::{Checks as _, at, joined, put};
use crate::wide::wide;

definitions! {
    aclnnDynamicQuantV2 = dynamic;
    aclnnDynamicQuantV3 = dynamic_by_mode;
    aclnnSwiGluQuant = gated_rows;
    aclnnSwiGluQuantV2 = gated_by_kind;
    aclnnDequantSwigluQuant = gated;
    aclnnAscendAntiQuant = numbers;
    aclnnDequantBias = dequantized;
}

/// `aclnnAscendAntiQuant(x, scale, offset, dstType, sqrtMode, y)`: `(x + offset) * scale`, with one number for all elements, or
/// one for each of the last dimension.
fn numbers(call: &Call) -> Result<Plan, Refusal> {
    let input = call.input("x").of(types!(s8))?;
    let scale = call.input("scale").of(SINGLE)?;
    let offset = call.optional_input("offset")?;
    let out = call
        .output("y")
        .of(types!(bf16 f16))
        .shaped(input.shape())?;
    let kind = call.whole("dstType")?;
    if i64::from(out.dtype().0) != kind {
        return Err(Refusal::invalid(format_args!(
            "dstType is {kind}, and y has {:?}",
            out.dtype()
        )));
    }
    let width = input.shape().last().copied().unwrap_or(1);
    for one in [Some(scale), offset].into_iter().flatten() {
        check_columns(&one, width)?;
    }
    let mut computed = Computed::new(&[Some(input), Some(scale), offset], &[Some(out)], scaled_up);
    computed.sizes = [width, usize::from(call.flag("sqrtMode")?), 0, 0, 0, 0];
    computed.plan(call)
}

/// Checks that there is one number for all, or one for each column.
fn check_columns(one: &Input, width: usize) -> Result<(), Refusal> {
    if one.elements() == 1 || one.elements() == width {
        return Ok(());
    }
    Err(Refusal::invalid(format_args!(
        "{} {:?} has not one element, or {width}",
        one.name,
        one.shape()
    )))
}

/// Returns the number of a column, or the one for all.
fn of_column(numbers: &[f64], column: usize) -> f64 {
    match numbers {
        [one] => *one,
        _ => at(numbers, column),
    }
}

wide! {
    fn scaled_up(computed: &Computed<f32>, numbers: Numbers<'_, f32>) {
        let [width, squares, ..] = computed.sizes;
        let [elements, scales, offsets, ..] = numbers.inputs;
        let [results, ..] = numbers.outs;
        let column = |numbers: &[f32], index| numbers.get(index).or(numbers.first()).copied();
        let mut factors = Vec::with_capacity(width);
        for index in 0..width {
            let scale = f64::from(column(scales, index).unwrap_or_default());
            let scale = if squares > 0 { scale * scale } else { scale };
            factors.push((f64::from(column(offsets, index).unwrap_or_default()), scale));
        }
        let rows = elements.chunks(width.max(1)).zip(results.chunks_mut(width.max(1)));
        for (row, results) in rows {
            for (result, (one, (offset, scale))) in results.iter_mut().zip(row.iter().zip(&factors)) {
                // CAST: rounded once.
                *result = ((f64::from(*one) + offset) * scale) as f32;
            }
        }
    }
}

/// `aclnnDequantBias(x, weightScale, activateScale, bias, outputDtype, out)`: sums of products of bytes as real numbers. A bias of
/// integers is added before they are scaled.
fn dequantized(call: &Call) -> Result<Plan, Refusal> {
    let input = call.input("x").of(types!(s32)).ranked(2..=2)?;
    let scale = call.input("weightScale").of(types!(f32 bf16))?;
    let of_rows = call.optional_input("activateScaleOptional")?;
    let bias = call.optional_input("biasOptional")?;
    let out = call
        .output("out")
        .of(types!(bf16 f16))
        .shaped(input.shape())?;
    let kind = call.whole("outputDtype")?;
    if i64::from(out.dtype().0) != kind {
        return Err(Refusal::invalid(format_args!(
            "outputDtype is {kind}, and out has {:?}",
            out.dtype()
        )));
    }
    let (rows, width) = (at(input.shape(), 0), at(input.shape(), 1));
    let is_early = bias.is_some_and(|bias| bias.dtype() == ascendcl_sys::ACL_INT32);
    for (one, size, types) in [
        (Some(scale), width, SINGLE),
        (of_rows, rows, types!(f32)),
        (bias, width, types!(f32 f16 bf16 s32)),
    ] {
        if let Some(one) = one {
            check_columns(&one.of(types)?, size)?;
        }
    }
    let inputs = [Some(input), Some(scale), of_rows, bias];
    let mut computed = Computed::new(&inputs, &[Some(out)], dequantize);
    computed.sizes = [width, usize::from(is_early), 0, 0, 0, 0];
    computed.plan(call)
}

fn dequantize(computed: &Computed, numbers: Numbers<'_>) {
    let [width, is_early, ..] = computed.sizes;
    let [elements, scales, of_rows, biases, ..] = numbers.inputs;
    let [results, ..] = numbers.outs;
    for (index, (result, one)) in results.iter_mut().zip(elements).enumerate() {
        let (row, column) = (index / width.max(1), index % width.max(1));
        let bias = of_column(biases, column);
        let (early, late) = if is_early > 0 {
            (bias, 0.0)
        } else {
            (0.0, bias)
        };
        let of_row = if of_rows.is_empty() {
            1.0
        } else {
            of_column(of_rows, row)
        };
        *result = (one + early) * of_column(scales, column) * of_row + late;
    }
}

/// Refuses a tensor that the emulator does not model.
fn refuse_given(call: &Call, name: &str) -> Result<(), Refusal> {
    match call.optional_input(name)? {
        None => Ok(()),
        Some(_) => Err(Refusal::invalid(format_args!(
            "{name} is given, which the emulator does not model"
        ))),
    }
}

/// Returns an optional tensor of some types.
pub(super) fn given(call: &Call, name: &str, types: Types) -> Result<Option<Input>, Refusal> {
    match call.optional_input(name)? {
        Some(one) => one.of(types).map(Some),
        None => Ok(None),
    }
}

/// Returns the vector that has the row behind each group, if there is one.
fn group_ends(call: &Call) -> Result<Option<Input>, Refusal> {
    match call.optional_input("groupIndexOptional")? {
        Some(ends) => ends.of(types!(s32)).ranked(1..=1).map(Some),
        None => Ok(None),
    }
}

/// Returns the group of a row from the rows behind each group: none behind the last one, and the first one without groups.
fn group_of(ends: &[f64], row: usize) -> Option<usize> {
    // CAST: the number of a row.
    let is_before = |end: &&f64| **end <= row as f64;
    let group = ends.iter().take_while(is_before).count();
    (group < ends.len().max(1)).then_some(group)
}

/// `aclnnDynamicQuantV2(x, smoothScalesOptional, groupIndexOptional, dstType, yOut, scaleOut, offsetOut)`: each row has a scale
/// and, if `offsetOut` is given, an offset of its own, so that its smallest number becomes -128 and its largest one 127.
/// `groupIndexOptional` has the row behind each group, which has smooth scales of its own. Rows behind the last group become zeros.
fn dynamic(call: &Call) -> Result<Plan, Refusal> {
    let input = call.input("x").of(types!(bf16 f16)).ranked(2..=8)?;
    let smooth = call.optional_input("smoothScalesOptional")?;
    let groups = group_ends(call)?;
    let kind = call.whole("dstType")?;
    if kind != i64::from(ascendcl_sys::ACL_INT8.0) {
        return Err(Refusal::invalid(format_args!(
            "dstType is {kind}; the emulator models ACL_INT8"
        )));
    }
    let (width, outer) = input.shape().split_last().unwrap_or((&0, &[]));
    let smooth = match (smooth, groups) {
        (Some(smooth), Some(groups)) => {
            Some(smooth.like(&input)?.shaped(&[groups.elements(), *width])?)
        }
        (Some(smooth), None) => Some(smooth.like(&input)?.shaped(&[*width])?),
        (None, _) => None,
    };
    let out = call.output("yOut").of(types!(s8)).shaped(input.shape())?;
    let scale = call.output("scaleOut").of(types!(f32)).shaped(outer)?;
    let offset = match call.optional_output("offsetOut")? {
        Some(offset) => Some(offset.of(types!(f32))?.shaped(outer)?),
        None => None,
    };
    let outs = [Some(out), Some(scale), offset];
    let mut computed = Computed::new(&[Some(input), smooth, groups], &outs, scaled);
    computed.sizes = [*width, usize::from(offset.is_some()), 0, 0, 0, 0];
    computed.plan(call)
}

/// `aclnnDynamicQuantV3(x, smoothScalesOptional, groupIndexOptional, dstType, isSymmetrical, quantMode, yOut, scaleOut, offsetOut)`:
/// each row has a scale of its own.
fn dynamic_by_mode(call: &Call) -> Result<Plan, Refusal> {
    let mode = call.text("quantMode")?;
    let has_offset = call.optional_output("offsetOut")?.is_some();
    let is_symmetrical = call.flag("isSymmetrical")?;
    if !matches!(mode, None | Some("pertoken")) || is_symmetrical == has_offset {
        return Err(Refusal::invalid(format_args!(
            "quantMode is {mode:?}, and the emulator models \"pertoken\", or offsetOut does not go with isSymmetrical {is_symmetrical}"
        )));
    }
    dynamic(call)
}

fn scaled(computed: &Computed, numbers: Numbers<'_>) {
    let [width, has_offset, ..] = computed.sizes;
    let [elements, factors, groups, ..] = numbers.inputs;
    let [results, scales, offsets, ..] = numbers.outs;
    let rows = elements
        .chunks(width.max(1))
        .zip(results.chunks_mut(width.max(1)));
    for (index, (row, results)) in rows.enumerate() {
        let Some(group) = group_of(groups, index) else {
            continue;
        };
        for (column, (result, one)) in results.iter_mut().zip(row).enumerate() {
            let factor = factors.get(group * width + column);
            *result = one * factor.copied().unwrap_or(1.0);
        }
        let most = results.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let least = results.iter().copied().fold(f64::INFINITY, f64::min);
        let scale = match has_offset {
            0 => most.max(-least) / 127.0,
            _ => (most - least) / 255.0,
        };
        let step = if scale == 0.0 { 1.0 } else { scale };
        let offset = if has_offset > 0 {
            127.0 - most / step
        } else {
            0.0
        };
        for result in results {
            *result = (*result / step + offset)
                .round_ties_even()
                .clamp(-128.0, 127.0);
        }
        put(scales, index, scale);
        put(offsets, index, offset);
    }
}

/// `aclnnDequantSwigluQuant(x, weightScaleOptional, activationScaleOptional, biasOptional, quantScaleOptional,
/// quantOffsetOptional, groupIndexOptional, activateLeft, quantModeOptional, yOut, scaleOut)`: sums of products of bytes as real
/// numbers, the SwiGLU of each row, and bytes again.
fn gated(call: &Call) -> Result<Plan, Refusal> {
    let input = call.input("x").of(types!(s32 f16 bf16)).ranked(2..=8)?;
    refuse_given(call, "groupIndexOptional")?;
    let (width, outer) = input.shape().split_last().unwrap_or((&0, &[]));
    let is_dynamic = match call.text("quantModeOptional")? {
        Some("dynamic") => true,
        None | Some("static") => false,
        other => {
            return Err(Refusal::invalid(format_args!(
                "quantMode is {other:?}; it is \"static\" or \"dynamic\""
            )));
        }
    };
    let weight = given(call, "weightScaleOptional", types!(f32))?;
    let of_rows = given(call, "activationScaleOptional", types!(f32))?;
    let bias = given(call, "biasOptional", types!(f32 f16 bf16 s32))?;
    let scale = given(call, "quantScaleOptional", types!(f32 f16))?;
    let offset = given(call, "quantOffsetOptional", types!(f32))?;
    let is_whole = input.dtype() == ascendcl_sys::ACL_INT32;
    if width % 2 != 0 || is_whole && weight.is_none() || !is_dynamic && scale.is_none() {
        return Err(Refusal::invalid(format_args!(
            "x {:?} has rows of an odd number of elements, or lacks weightScale or quantScale",
            input.shape()
        )));
    }
    let half = width / 2;
    for (one, size) in [
        (weight, *width),
        (bias, *width),
        (scale, half),
        (offset, half),
    ] {
        if let Some(one) = one {
            check_columns(&one, size)?;
        }
    }
    let rows = outer.iter().product();
    if of_rows.is_some_and(|of_rows| of_rows.elements() != rows) {
        return Err(Refusal::invalid(
            "activationScale has a number for each row",
        ));
    }
    let out = call
        .output("yOut")
        .of(types!(s8))
        .shaped(&joined(outer, &[half]))?;
    let scales = call.output("scaleOut").of(types!(f32)).shaped(outer)?;
    let is_early = bias.is_some_and(|bias| bias.dtype() == ascendcl_sys::ACL_INT32);
    let inputs = [Some(input), weight, of_rows, bias, scale, offset];
    let mut computed = Computed::new(&inputs, &[Some(out), Some(scales)], gate);
    let is_left = call.flag("activateLeft")?;
    let flags = [is_early, is_dynamic, is_left, !is_dynamic, false].map(usize::from);
    put_sizes(&mut computed, half, flags);
    computed.plan(call)
}

/// Gives a kernel the width of its results, and what [`gate`] asks.
fn put_sizes(computed: &mut Computed, half: usize, flags: [usize; 5]) {
    let sizes = core::iter::once(half).chain(flags);
    for (to, size) in computed.sizes.iter_mut().zip(sizes) {
        *to = size;
    }
}

fn gate(computed: &Computed, numbers: Numbers<'_>) {
    let [half, is_early, is_dynamic, is_left, is_divided, of_groups] = computed.sizes;
    let [
        elements,
        weights,
        of_rows,
        biases,
        factors,
        offsets,
        groups,
        ..,
    ] = numbers.inputs;
    let [results, scales, ..] = numbers.outs;
    let rows = elements
        .chunks((2 * half).max(1))
        .zip(results.chunks_mut(half.max(1)));
    for (index, (row, results)) in rows.enumerate() {
        let Some(group) = group_of(groups, index) else {
            continue;
        };
        let number = |column: usize| {
            let bias = of_column(biases, column);
            let [early, late] = if is_early > 0 {
                [bias, 0.0]
            } else {
                [0.0, bias]
            };
            let weight = if weights.is_empty() {
                1.0
            } else {
                of_column(weights, column)
            };
            let of_row = of_rows.get(index).copied().unwrap_or(1.0);
            (at(row, column) + early) * weight * of_row + late
        };
        let mut most = 0.0_f64;
        for (column, result) in results.iter_mut().enumerate() {
            let (left, right) = (number(column), number(column + half));
            let (open, other) = if is_left > 0 {
                (left, right)
            } else {
                (right, left)
            };
            let place = if of_groups > 0 {
                group
            } else {
                group * half + column
            };
            let factor = if factors.is_empty() {
                1.0
            } else {
                of_column(factors, place)
            };
            *result = open / (1.0 + (-open).exp()) * other;
            *result = if is_divided > 0 {
                *result / factor
            } else {
                *result * factor
            };
            if is_dynamic == 0 {
                *result += of_column(offsets, place);
            }
            most = most.max(result.abs());
        }
        let scale = if is_dynamic > 0 { most / 127.0 } else { 0.0 };
        let step = if scale == 0.0 { 1.0 } else { scale };
        for result in results {
            *result = (*result / step).clamp(-128.0, 127.0).round_ties_even();
        }
        put(scales, index, scale);
    }
}

/// `aclnnSwiGluQuant(x, smoothScalesOptional, offsetsOptional, groupIndexOptional, activateLeft, quantModeOptional, yOut, scaleOut)`:
/// the SwiGLU of each row, and bytes. `groupIndexOptional` has the row behind each group; a group has scales and offsets of its
/// own, one for each column or one for all. Rows behind the last group become zeros.
fn gated_rows(call: &Call) -> Result<Plan, Refusal> {
    let input = call.input("x").of(types!(f32 f16 bf16)).ranked(2..=8)?;
    let (width, outer) = input.shape().split_last().unwrap_or((&0, &[]));
    let is_dynamic = match call.text("quantModeOptional")? {
        None | Some("dynamic") => true,
        Some("static") => false,
        other => {
            return Err(Refusal::invalid(format_args!(
                "quantMode is {other:?}; it is \"static\" or \"dynamic\""
            )));
        }
    };
    if width % 2 != 0 {
        return Err(Refusal::invalid(format_args!(
            "x {:?} has rows of an odd number of elements",
            input.shape()
        )));
    }
    let half = width / 2;
    let groups = group_ends(call)?;
    let count = groups.as_ref().map_or(1, Input::elements);
    let smooth = given(call, "smoothScalesOptional", types!(f32))?;
    let offsets = match is_dynamic {
        true => None,
        false => given(call, "offsetsOptional", types!(f32))?,
    };
    for one in [smooth, offsets].into_iter().flatten() {
        let shape = one.shape();
        let is_whole = groups.is_none() && shape == [half];
        if shape != [count] && shape != [count, half] && !is_whole {
            return Err(Refusal::invalid(format_args!(
                "{} {shape:?} has not the shape [{count}] or [{count}, {half}]",
                one.name
            )));
        }
    }
    if let (Some(smooth), Some(offsets)) = (smooth, offsets)
        && smooth.shape() != offsets.shape()
    {
        return Err(Refusal::invalid(format_args!(
            "offsets {:?} have not the shape of smoothScales {:?}",
            offsets.shape(),
            smooth.shape()
        )));
    }
    let out = call
        .output("yOut")
        .of(types!(s8))
        .shaped(&joined(outer, &[half]))?;
    let scales = call.output("scaleOut").of(types!(f32)).shaped(outer)?;
    let of_groups = [smooth, offsets]
        .into_iter()
        .flatten()
        .any(|one| groups.is_some() && one.shape() == [count]);
    let inputs = [Some(input), None, None, None, smooth, offsets, groups];
    let mut computed = Computed::new(&inputs, &[Some(out), Some(scales)], gate);
    let is_left = call.flag("activateLeft")?;
    let flags = [false, is_dynamic, is_left, false, of_groups].map(usize::from);
    put_sizes(&mut computed, half, flags);
    computed.plan(call)
}

/// `aclnnSwiGluQuantV2(.., groupListType, dstType, yOut, scaleOut)`: as `aclnnSwiGluQuant`, if the groups have the rows behind them.
fn gated_by_kind(call: &Call) -> Result<Plan, Refusal> {
    let [groups, kind] = [call.whole("groupListType")?, call.whole("dstType")?];
    if groups != 0 || kind != i64::from(ascendcl_sys::ACL_INT8.0) {
        return Err(Refusal::invalid(format_args!(
            "groupListType is {groups} and dstType {kind}; the emulator models 0 and bytes"
        )));
    }
    gated_rows(call)
}

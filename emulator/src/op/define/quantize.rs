//! Quantized numbers: bytes with a scale.
//!
//! Types below a byte and weights in fractal formats are refused.

use core::mem;

use ascendcl_sys::{ACL_BF16, ACL_INT8, ACL_INT32, ACLNN_ERR_INNER_FIND_KERNEL_ERROR};

use super::definitions;
use crate::op::bytes::multiply as multiply_bytes;
use crate::op::call::{Call, Input};
use crate::op::dtype::{SINGLE, Types, types};
use crate::op::number::Whole;
use crate::op::plan::Plan;
use crate::op::product::multiply;
use crate::op::refusal::Refusal;
use crate::op::rule::{Checks as _, at, joined, put};
use crate::op::shape::{Dims, broadcast};
use crate::op::view::Views;
use crate::results::list_of;
use crate::wide::wide;

definitions! {
    aclnnDynamicQuant = dynamic;
    aclnnAscendQuantV3 = quantize;
    aclnnQuantMatmulV4 = product;
    aclnnWeightQuantBatchMatmulV2 = weighted;
    aclnnMatmulWeightNz = fractal;
    aclnnTransMatmulWeight = fractal;
    aclnnNpuFormatCast = fractal;
}

const BYTES: Types = types!(s8);

/// Refuses an operator on fractal formats: the emulator has no matrix unit, whose order of elements these formats are.
pub(super) fn fractal(_: &Call) -> Result<Plan, Refusal> {
    Err(Refusal::new(
        ACLNN_ERR_INNER_FIND_KERNEL_ERROR,
        "fractal formats are not modelled; use plain matrices and the operators without Nz",
    ))
}

/// Returns the nearest byte.
#[inline(always)]
fn byte(value: f64) -> f64 {
    value.clamp(-128.0, 127.0)
}

wide! {
    /// Replaces numbers by bytes: each times its factor, and more. They are rounded to the nearest if there is no function.
    fn into_bytes(row: &mut [f64], factors: &[f64], more: &[f64], round: Option<fn(f64) -> f64>) {
        for (one, (factor, more)) in row.iter_mut().zip(factors.iter().zip(more)) {
            *one = *one * factor + more;
        }
        if let Some(round) = round {
            row.iter_mut().for_each(|one| *one = round(*one));
        }
        row.iter_mut().for_each(|one| *one = byte(one.round_ties_even()));
    }

    /// Adds the numbers of columns to those of a row, multiplies the sums by factors of columns and of the row, and adds more.
    fn scaled(row: &mut [f64], of_columns: [&[f64]; 3], of_row: f64) {
        let [biases, factors, more] = of_columns;
        for (one, (bias, factor)) in row.iter_mut().zip(biases.iter().zip(factors)) {
            *one = (*one + bias) * factor * of_row;
        }
        for (one, more) in row.iter_mut().zip(more) {
            *one += more;
        }
    }

    /// Replaces the numbers of a row by bytes, and returns their scale.
    fn quantised(row: &mut [f64]) -> f64 {
        let mut most = [0.0_f64; 8];
        for chunk in row.chunks(8) {
            for (most, one) in most.iter_mut().zip(chunk) {
                *most = most.max(one.abs());
            }
        }
        let scale = most.into_iter().fold(0.0, f64::max) / 127.0;
        for one in row {
            *one = if scale == 0.0 {
                0.0
            } else {
                byte((*one / scale).round_ties_even())
            };
        }
        scale
    }
}

/// `aclnnDynamicQuant(x, smoothScales, yOut, scaleOut)`: each row has a scale of its own. A row of zeros stays zeros.
fn dynamic(call: &Call) -> Result<Plan, Refusal> {
    let input = call.input("x").of(types!(bf16 f16)).ranked(2..=8)?;
    let smooth = call.optional_input("smoothScalesOptional")?;
    let (out, scale) = (
        call.output("yOut").of(BYTES)?,
        call.output("scaleOut").of(types!(f32))?,
    );
    let Some((width, outer)) = input.shape().split_last() else {
        return Err(Refusal::invalid("x has no dimensions"));
    };
    let width = *width;
    let smooth = smooth
        .map(|smooth| smooth.like(&input).shaped(&[width]))
        .transpose()?;
    let (out, scale) = (out.shaped(input.shape())?, scale.shaped(outer)?);
    if out.elements() == 0 {
        return Ok(call.nothing());
    }
    call.plan(move |views| {
        let mut elements = views.input(&input).all::<f64>();
        let smooth = smooth
            .as_ref()
            .map(|smooth| views.input(smooth).all::<f64>());
        let mut scales = Vec::new();
        for row in elements.chunks_mut(width) {
            for (one, factor) in row.iter_mut().zip(smooth.as_deref().unwrap_or_default()) {
                *one *= factor;
            }
            scales.push(quantised(row));
        }
        views.output(&out).put_all(&elements);
        views.output(&scale).put_all(&scales);
    })
}

/// `aclnnAscendQuantV3(x, scale, offset, sqrtMode, roundMode, dstType, axis, y)`
pub(super) fn quantize(call: &Call) -> Result<Plan, Refusal> {
    let input = call.input("x").of(SINGLE)?;
    let scale = call.input("scale").of(SINGLE)?;
    let offset = call
        .optional_input("offset")?
        .map(|offset| offset.of(SINGLE))
        .transpose()?;
    let out = call.output("y").of(BYTES)?;
    let round: Option<fn(f64) -> f64> = match call.text("roundMode")? {
        None | Some("" | "round") => None,
        Some("ceil") => Some(f64::ceil),
        Some("floor") => Some(f64::floor),
        Some("trunc") => Some(f64::trunc),
        Some(other) => return Err(Refusal::invalid(format_args!("roundMode is {other:?}"))),
    };
    let kind = call.whole("dstType")?;
    let axis = match call.has("axis") {
        true => call.whole("axis")?,
        false => -1,
    };
    if kind != i64::from(ACL_INT8.0) {
        return Err(Refusal::invalid(format_args!(
            "dstType is {kind}; the emulator models 2, ACL_INT8"
        )));
    }
    let rank = input.shape().len();
    // CAST: a rank is at most 8.
    let behind = match axis {
        -1 => 0,
        -2 => 1,
        axis if axis >= 0 && axis + 1 == rank as i64 => 0,
        axis if axis >= 0 && axis + 2 == rank as i64 => 1,
        _ => {
            return Err(Refusal::invalid(format_args!(
                "axis is {axis}; it is one of the last two"
            )));
        }
    };
    // A scale for each position of the axis, or one for all.
    let size = rank
        .checked_sub(behind + 1)
        .map_or(1, |axis| at(input.shape(), axis));
    for one in [Some(scale), offset].into_iter().flatten() {
        if one.elements() != 1 && one.elements() != size {
            return Err(Refusal::invalid(format_args!(
                "{} {:?} has not {size} elements",
                one.name,
                one.shape()
            )));
        }
    }
    let squares = call.flag("sqrtMode")?;
    let out = out.shaped(input.shape())?;
    if out.elements() == 0 {
        return Ok(call.nothing());
    }
    let inner = if behind == 1 {
        input.shape().last().copied().unwrap_or(1)
    } else {
        1
    };
    call.plan(move |views| {
        let mut elements = views.input(&input).all::<f64>();
        let read = |one: &Input| views.input(one).all::<f64>();
        let (mut scales, offsets) = (read(&scale), offset.as_ref().map(read));
        if squares {
            scales.iter_mut().for_each(|one| *one *= *one);
        }
        // A number for each element of the rows that have all channels.
        let spread = |numbers: &[f64]| {
            let of = |index: usize| numbers.get(index / inner).or(numbers.first());
            list_of((0..size * inner).map(|index| of(index).copied().unwrap_or(0.0)))
        };
        let (scales, offsets) = (spread(&scales), spread(&offsets.unwrap_or_default()));
        for row in elements.chunks_mut(scales.len().max(1)) {
            into_bytes(row, &scales, &offsets, round);
        }
        views.output(&out).put_all(&elements);
    })
}

/// `aclnnQuantMatmulV4(x1, x2, scale, offset, pertokenScale, bias, transposeX1, transposeX2, out)` on bytes.
fn product(call: &Call) -> Result<Plan, Refusal> {
    product_of(call, ["scale", "offset", "pertokenScaleOptional"])
}

/// The types of scales. Those of 64 bits have the number in their lower half, and an offset of nine bits above it.
const SCALES: Types = types!(bf16 f32 u64 s64);

/// Returns the scales of columns, and the offsets that a card has with them.
fn scales_of(views: &Views<'_>, scale: &Input) -> (Vec<f64>, Vec<f64>) {
    if SINGLE.contains(&scale.dtype()) {
        return (views.input(scale).all::<f64>(), Vec::new());
    }
    let (mut scales, mut offsets) = (Vec::new(), Vec::new());
    for bits in views.input(scale).all::<Whole>() {
        // CAST: the lower half of the bits, and then nine bits, the highest of which is the sign.
        scales.push(f64::from(f32::from_bits(bits.0 as u32)));
        offsets.push(((((bits.0 >> 37) & 0x1ff) ^ 0x100) - 0x100) as f64);
    }
    (scales, offsets)
}

/// Multiplies matrices of bytes. The names are those of the scales of columns, their offsets, and the scales of rows. A bias of
/// integers is added before the scales, and another one behind them. A result of integers has no scales.
pub(super) fn product_of(
    call: &Call,
    [scale, offset, of_rows]: [&str; 3],
) -> Result<Plan, Refusal> {
    let (left, right) = (call.input("x1").of(BYTES)?, call.input("x2").of(BYTES)?);
    let scale = call.input(scale).of(SCALES)?;
    let offset = call.optional_input(offset)?;
    let of_rows = match call.has(of_rows) {
        true => call.optional_input(of_rows)?,
        false => None,
    };
    let bias = call.optional_input("bias")?;
    let out = call.output("out").of(types!(bf16 f16 s8 s32))?;
    let (left, right) = (left.ranked(2..=6)?, right.ranked(2..=6)?);
    let flags = [call.flag("transposeX1")?, call.flag("transposeX2")?];
    let split = |input: &Input, is_transposed: bool| {
        let (batch, ends) = input.shape().split_last_chunk::<2>()?;
        let [one, other] = *ends;
        Some((
            Dims::new(batch.iter().copied())?,
            if is_transposed {
                [other, one]
            } else {
                [one, other]
            },
        ))
    };
    let sides = split(&left, flags[0]).zip(split(&right, flags[1]));
    let batch = sides.and_then(|((one, _), (other, _))| broadcast(&one, &other));
    let (Some(((_, [rows, length]), (_, [depth, columns]))), Some(batch)) = (sides, batch) else {
        return Err(Refusal::invalid(
            "x1 and x2 have no matrices that go together",
        ));
    };
    if length != depth {
        return Err(Refusal::invalid(format_args!(
            "x1 {:?} and x2 {:?} do not go together",
            left.shape(),
            right.shape()
        )));
    }
    for (one, size, types) in [
        (Some(scale), columns, SCALES),
        (offset, columns, types!(f32)),
        (of_rows, rows, types!(f32)),
        (bias, columns, types!(bf16 f16 f32 s32)),
    ] {
        let Some(one) = one else { continue };
        let elements = one.of(types)?.elements();
        let is_of_batches = one.name == "bias"
            && batch.rank() == 1
            && one.shape() == [at(batch.as_slice(), 0), 1, size];
        if elements != 1 && elements != size && !is_of_batches {
            return Err(Refusal::invalid(format_args!(
                "{} {:?} has not {size} elements",
                one.name,
                one.shape()
            )));
        }
    }
    let shape = joined(batch.as_slice(), &[rows, columns]);
    let out = out.shaped(&shape)?;
    if out.elements() == 0 || length == 0 {
        return Err(Refusal::invalid("x1 or x2 has no elements"));
    }
    call.plan(move |views| {
        let read = |input: &Option<Input>| {
            input
                .as_ref()
                .map(|input| views.input(input).all::<f64>())
                .unwrap_or_default()
        };
        let bytes = |input: &Input, is_transposed: bool| {
            let (mut shape, mut strides) = (input.tensor.shape, input.tensor.strides);
            if is_transposed {
                (shape, strides) = (shape.transposed(), strides.transposed());
            }
            views.input(input).bytes(&shape, &strides)
        };
        let (ones, others) = (bytes(&left, flags[0]), bytes(&right, flags[1]));
        let (mut scales, mut offsets) = scales_of(views, &scale);
        if out.dtype() != ACL_INT8 || offset.is_some() {
            offsets = read(&offset);
        }
        let mut of_rows = read(&of_rows);
        if out.dtype() == ACL_INT32 {
            scales.fill(1.0);
            of_rows.clear();
        }
        // One number is that of all columns.
        let spread = |mut numbers: Vec<f64>| {
            if numbers.len() <= 1 {
                let first = at(&numbers, 0);
                numbers.resize(columns, first);
            }
            numbers
        };
        let (scales, biases, offsets) = (spread(scales), spread(read(&bias)), spread(offsets));
        let mut biases = biases.as_slice();
        let is_early = bias.is_some_and(|bias| bias.dtype() == ACL_INT32);
        let starts = |input: &Input| {
            let own = input.tensor.shape;
            let own = own.filtered(&|index| index + 2 < own.rank());
            let size = rows.max(1) * length * columns
                / if input.name == "x1" {
                    columns.max(1)
                } else {
                    rows.max(1)
                };
            let strides = Dims::new(own.contiguous_strides().iter().map(|stride| stride * size))
                .unwrap_or_default();
            batch.offsets(strides.stretched(&own, &batch))
        };
        let mut results = Vec::with_capacity(out.elements());
        for (one, other) in starts(&left).zip(starts(&right)) {
            let ones = ones.get(one..).unwrap_or_default();
            let others = others.get(other..).unwrap_or_default();
            let mut sums = vec![0.0; rows * columns];
            multiply_bytes(ones, others, &mut sums, [rows, length, columns]);
            let (mut bias, mut behind) = (
                list_of(biases.iter().copied().take(columns)),
                offsets.clone(),
            );
            if !is_early {
                for (one, bias) in behind.iter_mut().zip(&mut bias) {
                    *one += mem::take(bias);
                }
            }
            for (row, sums) in sums.chunks_mut(columns).enumerate() {
                let of_row = of_rows.get(row).or(of_rows.first());
                scaled(sums, [&bias, &scales, &behind], *of_row.unwrap_or(&1.0));
            }
            if let Some(behind @ [_, ..]) = biases.get(columns..) {
                biases = behind;
            }
            results.append(&mut sums);
        }
        if out.dtype() == ACL_INT8 {
            for result in &mut results {
                *result = byte(result.round_ties_even());
            }
        }
        views.output(&out).put_all(&results);
    })
}

/// `aclnnWeightQuantBatchMatmulV2(x, weight, antiquantScale, antiquantOffset, quantScale, quantOffset, bias,
/// antiquantGroupSize, y)` with weights of 8 or 4 bits and floating-point results.
pub(super) fn weighted(call: &Call) -> Result<Plan, Refusal> {
    let input = call.input("x").of(types!(bf16 f16))?;
    let weight = call.input("weight").of(types!(s8 s4))?;
    let scale = call.input("antiquantScale").like(&input)?;
    let offset = call.optional_input("antiquantOffsetOptional")?;
    for name in ["quantScaleOptional", "quantOffsetOptional"] {
        if call.optional_input(name)?.is_some() {
            return Err(Refusal::invalid(format_args!(
                "{name} is given, which the emulator does not model"
            )));
        }
    }
    let bias = call.optional_input("biasOptional")?;
    let out = call.output("y").like(&input)?;
    let (input, weight) = (input.ranked(2..=2)?, weight.ranked(2..=2)?);
    let [rows, length, columns] = [
        at(input.shape(), 0),
        at(input.shape(), 1),
        at(weight.shape(), 1),
    ];
    let group = usize::try_from(call.whole("antiquantGroupSize")?).unwrap_or(usize::MAX);
    let is_grouped = group > 0;
    if at(weight.shape(), 0) != length || (is_grouped && (group % 32 != 0 || group + 1 > length)) {
        return Err(Refusal::invalid(format_args!(
            "x {:?}, weight {:?} and antiquantGroupSize {group} do not go together",
            input.shape(),
            weight.shape()
        )));
    }
    // A scale for each column, for each group of rows in it, or one for all.
    let groups = if is_grouped {
        length.div_ceil(group)
    } else {
        1
    };
    for one in [Some(scale), offset].into_iter().flatten() {
        if one.elements() != 1 && one.elements() != groups * columns {
            return Err(Refusal::invalid(format_args!(
                "{} {:?} does not go with weight {:?}",
                one.name,
                one.shape(),
                weight.shape()
            )));
        }
    }
    if let Some(offset) = offset {
        let _ = offset.of(types!(bf16 f16 s32))?;
    }
    if let Some(bias) = bias
        && bias
            .of(if input.dtype() == ACL_BF16 {
                types!(f32)
            } else {
                types!(f16)
            })?
            .elements()
            != columns
    {
        return Err(Refusal::invalid(format_args!(
            "bias {:?} has not {columns} elements",
            bias.shape()
        )));
    }
    let out = out.shaped(&[rows, columns])?;
    if out.elements() == 0 || length == 0 {
        return Err(Refusal::invalid("x or weight has no elements"));
    }
    if weight.tensor.pairs().is_some() && !weight.tensor.offset.is_multiple_of(2) {
        return Err(Refusal::invalid("weight begins inside of a byte"));
    }
    call.plan_with_pairs(move |views| {
        let left = views.input(&input).all::<f32>();
        let mut right = match weight.tensor.pairs() {
            Some(_) => of_four_bits(&weight, &views.input(&weight).all::<Whole>()),
            None => views.input(&weight).all::<f32>(),
        };
        let scales = views.input(&scale).all::<f32>();
        let offsets = offset
            .as_ref()
            .map(|offset| views.input(offset).all::<f32>())
            .unwrap_or_default();
        let of = |numbers: &[f32], index: usize| {
            if numbers.len() == 1 {
                at(numbers, 0)
            } else {
                at(numbers, index)
            }
        };
        for (index, one) in right.iter_mut().enumerate() {
            let (row, column) = (index / columns, index % columns);
            let place = if is_grouped {
                row / group * columns + column
            } else {
                column
            };
            *one = (*one + of(&offsets, place)) * of(&scales, place);
        }
        let mut sums = vec![0.0; rows * columns];
        multiply(&left, &right, &mut sums, [rows, length, columns]);
        let bias = bias
            .as_ref()
            .map(|bias| views.input(bias).all::<f32>())
            .unwrap_or_default();
        for (index, one) in sums.clone().iter().enumerate() {
            put(&mut sums, index, one + at(&bias, index % columns));
        }
        views.output(&out).put_all(&sums);
    })
}

/// Returns the numbers of a tensor of 4 bits each. The first number of a byte has its lower bits.
fn of_four_bits(tensor: &Input, bytes: &[Whole]) -> Vec<f32> {
    let tensor = &tensor.tensor;
    let number = |offset: usize| {
        let byte = at(bytes, offset / 2).0;
        let bits = if offset.is_multiple_of(2) {
            byte
        } else {
            byte >> 4
        };
        // CAST: a number of four bits, whose highest bit is the sign.
        (((bits & 15) ^ 8) - 8) as f32
    };
    list_of(tensor.shape.offsets(tensor.strides).map(number))
}

//! Scales in the form that a matrix unit reads, and products of matrices of bytes with them or with scales of groups.

use super::super::quantize::product_of;
use super::quantized::given;
use crate::op::call::{Call, Input};
use crate::op::define::definitions;
use crate::op::dtype::types;
use crate::op::number::Whole;
use crate::op::plan::Plan;
use crate::op::product::{Matrix, MatrixMut, multiply_matrices};
use crate::op::refusal::Refusal;
use crate::op::rule::{Checks as _, at};

definitions! {
    aclnnTransQuantParamV2 = parameters;
    aclnnTransQuantParamV3 = parameters;
    aclnnQuantMatmulV3 = |call: &Call| product_of(call, ["scale", "offset", ""]);
    aclnnQuantMatmulV5 = product;
}

/// `aclnnTransQuantParamV2(scale, offset, out)`, and `aclnnTransQuantParamV3` with `roundMode`: the 19 upper bits of the scale in
/// the lower half, a bit that says so, and the offset in nine bits above.
fn parameters(call: &Call) -> Result<Plan, Refusal> {
    let scale = call.input("scale").of(types!(f32))?;
    let offset = call.optional_input("offset")?;
    let out = call.output("out").of(types!(u64 s64))?;
    let is_rounded = match call.has("roundMode") {
        true => call.whole("roundMode")?,
        false => 0,
    };
    if !(0..=1).contains(&is_rounded) {
        return Err(Refusal::invalid(format_args!(
            "roundMode is {is_rounded}; it is 0 or 1"
        )));
    }
    let offset = offset.map(|offset| offset.of(types!(f32))).transpose()?;
    let count = offset
        .as_ref()
        .map_or(1, Input::elements)
        .max(scale.elements());
    for one in [Some(scale), offset].into_iter().flatten() {
        if one.elements() != 1 && one.elements() != count {
            return Err(Refusal::invalid(format_args!(
                "{} {:?} has not {count} elements",
                one.name,
                one.shape()
            )));
        }
    }
    if out.elements() != count || count == 0 {
        return Err(Refusal::invalid(format_args!(
            "out {:?} has not {count} elements",
            out.shape()
        )));
    }
    call.plan(move |views| {
        let scales = views.input(&scale).all::<f32>();
        let offsets = offset
            .as_ref()
            .map(|offset| views.input(offset).all::<f32>());
        let mut results = Vec::with_capacity(count);
        let of = |numbers: &[f32], index: usize| match numbers {
            [one] => *one,
            _ => at(numbers, index),
        };
        for index in 0..count {
            let scale = of(&scales, index);
            let bits = i64::from(if is_rounded == 1 {
                nearest(scale)
            } else {
                scale.to_bits() & KEPT
            }) | 1 << 46;
            let offset = offsets.as_ref().map_or(0, |offsets| {
                // CAST: a number between -256 and 255.
                of(offsets, index).round_ties_even().clamp(-256.0, 255.0) as i64
            });
            results.push(Whole(bits | (offset & 0x1ff) << 37));
        }
        views.output(&out).put_all(&results);
    })
}

/// The bits of a number in single precision that a matrix unit reads.
const KEPT: u32 = 0xffff_e000;

/// Returns the bits of the nearest number that has 19 of them, an even one of two. A number below the normal ones becomes zero.
fn nearest(number: f32) -> u32 {
    let bits = number.to_bits();
    if number.is_subnormal() {
        return bits & 1 << 31;
    }
    // A number that is not finite has all bits of the exponent set, so a carry would leave them.
    let half = match number.is_finite() {
        true => (!KEPT >> 1) + ((bits >> 13) & 1),
        false => 0,
    };
    bits.wrapping_add(half) & KEPT
}

/// `aclnnQuantMatmulV5(x1, x2, x1Scale, x2Scale, yScale, x1Offset, x2Offset, yOffset, bias, transposeX1, transposeX2, groupSize,
/// out)` on bytes, with scales of rows and columns, or of groups.
fn product(call: &Call) -> Result<Plan, Refusal> {
    for name in ["yScale", "x1Offset", "yOffset"] {
        if call
            .optional_input(name)?
            .is_some_and(|one| one.elements() > 0)
        {
            return Err(Refusal::invalid(format_args!(
                "{name} is given, which the emulator does not model"
            )));
        }
    }
    let ranks = call.input("x2Scale")?.shape().len();
    match call.optional_input("x1Scale")? {
        Some(of_rows) if of_rows.shape().len().min(ranks) > 1 => product_of_groups(call, of_rows),
        _ if call.whole("groupSize")? != 0 => Err(Refusal::invalid(
            "groupSize is not 0, and the scales are not those of groups",
        )),
        _ => product_of(call, ["x2Scale", "x2Offset", "x1Scale"]),
    }
}

/// The number of elements of a row, and of a block of columns, that have a scale of their own.
const GROUP: usize = 128;

/// Multiplies matrices of bytes that have a scale for each group of a row of the left one, and for each block of the right one.
fn product_of_groups(call: &Call, of_rows: Input) -> Result<Plan, Refusal> {
    let [left, right] = ["x1", "x2"].map(|name| call.input(name).of(types!(s8)).ranked(2..=2));
    let (left, right) = (left?, right?);
    let of_blocks = call.input("x2Scale").of(types!(f32))?;
    let bias = given(call, "bias", types!(f32))?;
    let out = call.output("out").of(types!(bf16))?;
    let flags = [call.flag("transposeX1")?, call.flag("transposeX2")?];
    let turned = |[one, other]: [usize; 2], flag: bool| match flag {
        true => [other, one],
        false => [one, other],
    };
    let sizes = |one: &Input, flag| turned([at(one.shape(), 0), at(one.shape(), 1)], flag);
    let ([rows, length], [depth, columns]) = (sizes(&left, flags[0]), sizes(&right, flags[1]));
    let groups = length.div_ceil(GROUP);
    let own = call.whole("groupSize")?;
    let is_chosen = |shift: u32, size: i64| [0, size].contains(&((own >> shift) & 0xffff));
    // CAST: a size that is far below the limit.
    let is_known = is_chosen(32, 1) && is_chosen(16, GROUP as i64) && is_chosen(0, GROUP as i64);
    if !is_known
        || length != depth
        || length == 0
        || given(call, "x2Offset", types!(f32))?.is_some()
    {
        return Err(Refusal::invalid(format_args!(
            "groupSize is {own} for x1 {:?} and x2 {:?}; the emulator models groups of {GROUP} without an offset",
            left.shape(),
            right.shape()
        )));
    }
    let of_rows = of_rows
        .of(types!(f32))?
        .shaped(&turned([rows, groups], flags[0]))?;
    let blocks = columns.div_ceil(GROUP);
    let of_blocks = of_blocks.shaped(&turned([groups, blocks], flags[1]))?;
    let bias = bias.map(|bias| bias.shaped(&[columns])).transpose()?;
    let out = out.shaped(&[rows, columns])?;
    if out.elements() == 0 {
        return Err(Refusal::invalid("x1 or x2 has no elements"));
    }
    call.plan(move |views| {
        let [ones, others] = [&left, &right].map(|one| views.input(one).all::<f32>());
        let [of_rows, of_blocks] = [&of_rows, &of_blocks].map(|one| views.input(one).all::<f64>());
        let mut results = vec![0.0; rows * columns];
        let mut part = vec![0.0; rows * columns];
        for group in 0..groups {
            let range = group * GROUP..length.min((group + 1) * GROUP);
            let left = matrix_of(&ones, [rows, length], flags[0]);
            // Columns of the transposed matrix are rows of this one.
            let right = matrix_of(&others, [columns, length], !flags[1]);
            let sides = left.and_then(|left| left.columns(range.clone()));
            let sides = sides.zip(right.and_then(|right| right.columns(range)));
            if let (Some((left, right)), Some(mut to)) =
                (sides, MatrixMut::new(&mut part, [rows, columns]))
            {
                multiply_matrices(left, right.transposed(), &mut to, false);
            }
            for (index, (result, sum)) in results.iter_mut().zip(&part).enumerate() {
                let (row, block) = (index / columns, index % columns / GROUP);
                let place = |one: usize, of: usize, flag: bool| match flag {
                    true => group * of + one,
                    false => one * groups + group,
                };
                *result += f64::from(*sum)
                    * at(&of_rows, place(row, rows, flags[0]))
                    * at(&of_blocks, place(block, blocks, !flags[1]));
            }
        }
        if let Some(bias) = &bias {
            let bias = views.input(bias).all::<f64>();
            for row in results.chunks_mut(columns) {
                row.iter_mut()
                    .zip(&bias)
                    .for_each(|(one, bias)| *one += bias);
            }
        }
        views.output(&out).put_all(&results);
    })
}

/// Returns a matrix of these sizes, whose elements are those of the transposed one if `is_transposed`.
fn matrix_of(numbers: &[f32], sizes: [usize; 2], is_transposed: bool) -> Option<Matrix<'_>> {
    match is_transposed {
        true => Some(Matrix::new(numbers, [sizes[1], sizes[0]])?.transposed()),
        false => Matrix::new(numbers, sizes),
    }
}

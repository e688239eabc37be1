//! Rows that are combined at places that a tensor of indices names, and values that are put there.

use super::super::index::{
    INDICES, all_of, begin, copy, fill, from_either_end, places, put_value, update_rows,
};
use super::matrices::{check_exponent, norm};
use crate::op::call::Call;
use crate::op::define::definitions;
use crate::op::dtype::{SINGLE, types};
use crate::op::plan::Plan;
use crate::op::refusal::Refusal;
use crate::op::rule::{Checks as _, at, dimension, joined, put};
use crate::results::list_of;

definitions! {
    aclnnScatterNd = update_rows;
    aclnnIndexCopy = copy;
    aclnnIndexFillTensor = fill;
    aclnnIndexFill, aclnnInplaceIndexFill = fill_at;
    aclnnTfScatterAdd = |call: &Call| combine(call, |one, other| one + other);
    aclnnScatterMul = |call: &Call| combine(call, |one, other| one * other);
    aclnnScatterDiv = |call: &Call| combine(call, |one, other| one / other);
    aclnnScatterMax = |call: &Call| combine(call, f64::max);
    aclnnScatterMin = |call: &Call| combine(call, f64::min);
    aclnnEmbeddingRenorm = limit;
}

/// `aclnnIndexFill(self, dim, index, value, out)`
fn fill_at(call: &Call) -> Result<Plan, Refusal> {
    let input = call
        .input("self")
        .of(types!(bf16 f16 f32 f64 s8 s16 s32 s64 u8 bool))?;
    let index = call.input("index").of(INDICES).ranked(0..=1)?;
    let out = call.output("out").like(&input)?.shaped(input.shape())?;
    let dim = dimension("dim", call.whole("dim")?, input.shape().len())?;
    let value = call.scalar("value")?.bits(input.dtype());
    if out.elements() == 0 {
        return Ok(call.nothing());
    }
    call.plan(move |views| {
        begin(views, &input, &out);
        let found = places(views, (&index, from_either_end), &out.tensor, dim);
        let found = list_of(found.into_iter().map(|to| [0, to]));
        put_value(views, value, (&out, dim), &found);
    })
}

/// `aclnnScatterMul(varRef, indices, updates, useLocking)` and its like: each index names a row, whose elements are combined with
/// those of `updates`. `aclnnTfScatterAdd(varRef, indices, updates)` also takes indices with a number for each of the first
/// dimensions.
fn combine(call: &Call, way: fn(f64, f64) -> f64) -> Result<Plan, Refusal> {
    let data = call.input("varRef").of(types!(f32 f16 bf16 s32 s8 u8))?;
    let indices = call.input("indices").of(INDICES)?;
    let updates = call.input("updates").like(&data)?;
    let out = call.output("varRef")?;
    let behind = |count: usize| data.shape().get(count..);
    let fits = |outer: &[usize], count: usize| {
        behind(count).is_some_and(|behind| joined(outer, behind) == updates.shape())
    };
    let width = match indices.shape().split_last() {
        _ if !data.shape().is_empty() && fits(indices.shape(), 1) => 1,
        Some((width, outer)) if !call.has("useLocking") && *width > 0 && fits(outer, *width) => {
            *width
        }
        _ => {
            return Err(Refusal::invalid(format_args!(
                "updates {:?} have not the dimensions of indices {:?} and those behind of varRef {:?}",
                updates.shape(),
                indices.shape(),
                data.shape()
            )));
        }
    };
    let part = behind(width).unwrap_or_default().iter().product::<usize>();
    let out = out.shaped(data.shape())?;
    if out.elements() == 0 {
        return Ok(call.nothing());
    }
    call.plan(move |views| {
        let mut elements = views.input(&data).all::<f64>();
        let changes = views.input(&updates).all::<f64>();
        let found = all_of(views, &indices);
        for (numbers, row) in found.chunks(width).zip(changes.chunks(part)) {
            let mut start = Some(0);
            for (number, limit) in numbers.iter().zip(data.shape()) {
                let found = views.below_in(&indices, *number, *limit);
                start = start.zip(found).map(|(start, found)| start * limit + found);
            }
            let Some(start) = start else {
                continue;
            };
            for (index, one) in (start * part..).zip(row) {
                let before = at(&elements, index);
                put(&mut elements, index, way(before, *one));
            }
        }
        views.output(&out).put_all(&elements);
    })
}

/// `aclnnEmbeddingRenorm(selfRef, indices, maxNorm, normType)`: a row whose norm is larger than `maxNorm` becomes as long.
fn limit(call: &Call) -> Result<Plan, Refusal> {
    let table = call.input("selfRef").of(SINGLE).ranked(2..=2)?;
    let indices = call.input("indices").of(INDICES)?;
    let out = call.output("selfRef")?;
    let most = call.floating("maxNorm")?;
    let order = check_exponent(call.floating("normType")?)?;
    if out.elements() == 0 {
        return Ok(call.nothing());
    }
    call.plan(move |views| {
        let mut elements = views.input(&table).all::<f64>();
        let [rows, width] = [0, 1].map(|dim| at(table.shape(), dim));
        let mut found = Vec::new();
        for number in all_of(views, &indices) {
            found.extend(views.below_in(&indices, number, rows));
        }
        found.sort_unstable();
        found.dedup();
        for row in found {
            let row = elements.get_mut(row * width..(row + 1) * width);
            let row = row.unwrap_or_default();
            let length = norm(row.iter().copied(), order);
            if length > most {
                let factor = most / (length + 1e-7);
                row.iter_mut().for_each(|one| *one *= factor);
            }
        }
        views.output(&out).put_all(&elements);
    })
}

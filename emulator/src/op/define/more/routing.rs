//! The older routing of rows to experts.

use crate::op::call::Call;
use crate::op::define::definitions;
use crate::op::dtype::{SINGLE, types};
use crate::op::number::Whole;
use crate::op::plan::Plan;
use crate::op::refusal::Refusal;
use crate::op::rule::{Checks as _, at, count, put};
use crate::sorted::ordered;

definitions! {
    aclnnMoeInitRouting = route_all;
    aclnnMoeComputeExpertTokens = ends;
}

/// `aclnnMoeInitRouting(x, rowIdx, expertIdx, activeNum, expandedXOut, expandedRowIdxOut, expandedExpertIdxOut)`: `rowIdx` numbers the
/// choices of all rows, the first ones of all before the second ones.
fn route_all(call: &Call) -> Result<Plan, Refusal> {
    let input = call.input("x").of(SINGLE).ranked(2..=2)?;
    let numbers = call.input("rowIdx").of(types!(s32)).ranked(2..=2)?;
    let experts = call.input("expertIdx").of(types!(s32));
    let experts = experts.shaped(numbers.shape())?;
    let active = count("activeNum", call.whole("activeNum")?)?;
    let [rows, width] = [0, 1].map(|dim| at(input.shape(), dim));
    let [of_rows, choices] = [0, 1].map(|dim| at(numbers.shape(), dim));
    if rows != of_rows {
        return Err(Refusal::invalid(format_args!(
            "x {:?} and rowIdx {:?} have not the same rows",
            input.shape(),
            numbers.shape()
        )));
    }
    let (total, kept) = (rows * choices, rows.min(active) * choices);
    let out = call.output("expandedXOut").like(&input)?;
    let out = out.shaped(&[kept, width])?;
    let of_all = |name| call.output(name).of(types!(s32)).shaped(&[total]);
    let places = of_all("expandedRowIdxOut")?;
    let sorted_out = of_all("expandedExpertIdxOut")?;
    if total == 0 {
        return Ok(call.nothing());
    }
    call.plan(move |views| {
        let elements = views.input(&input).all_bits();
        let chosen = views.input(&experts).all::<Whole>();
        let numbers_of = views.input(&numbers).all::<Whole>();
        let mut results = Vec::with_capacity(kept * width);
        let (mut found, mut in_order) = (vec![Whole(0); total], Vec::with_capacity(total));
        for (place, index) in sorted(&chosen).into_iter().enumerate() {
            in_order.push(at(&chosen, index));
            let number = views.below_in(&numbers, at(&numbers_of, index), total);
            if let Some(number) = number {
                // CAST: a number of rows, which is far below the limit.
                put(&mut found, number, Whole(place as i64));
            }
            if place < kept {
                let row = number.unwrap_or(0) % rows;
                let row = elements.get(row * width..(row + 1) * width);
                results.extend_from_slice(row.unwrap_or_default());
            }
        }
        views.output(&out).put_all_bits(&results);
        views.output(&places).put_all(&found);
        views.output(&sorted_out).put_all(&in_order);
    })
}

/// `aclnnMoeComputeExpertTokens(sortedExperts, numExperts, out)`: the number of rows up to those of each expert.
fn ends(call: &Call) -> Result<Plan, Refusal> {
    let experts = call.input("sortedExperts").of(types!(s32)).ranked(1..=1)?;
    let number = count("numExperts", call.whole("numExperts")?)?;
    let out = call.output("out").of(types!(s32)).shaped(&[number])?;
    if number == 0 {
        return Ok(call.nothing());
    }
    call.plan(move |views| {
        let experts = views.input(&experts).all::<Whole>();
        let mut results = Vec::with_capacity(number);
        for expert in 0..number {
            // CAST: numbers of experts and of rows, which are far below the limit.
            let rows = experts.partition_point(|one| one.0 <= expert as i64);
            results.push(Whole(rows as i64));
        }
        views.output(&out).put_all(&results);
    })
}

/// Returns the order that sorts numbers; equal ones keep theirs.
pub(super) fn sorted(numbers: &[Whole]) -> Vec<usize> {
    ordered(numbers.len(), &|one, other| {
        at(numbers, one).cmp(&at(numbers, other))
    })
}

/// Returns the place of each element in an order.
pub(super) fn inverse(order: &[usize]) -> Vec<Whole> {
    let mut inverse = vec![Whole(0); order.len()];
    for (place, index) in order.iter().enumerate() {
        // CAST: an index is far below the limit.
        put(&mut inverse, *index, Whole(place as i64));
    }
    inverse
}

//! Random numbers.
//!
//! Equal seeds and offsets give equal random numbers, but other ones than a card gives.

use super::definitions;
use crate::op::call::{Call, Output};
use crate::op::dtype::{FLOATING, NUMBERS};
use crate::op::plan::Plan;
use crate::op::refusal::Refusal;
use crate::op::rule::Checks as _;

definitions! {
    aclnnInplaceNormal = normal;
    aclnnInplaceUniform = uniform;
}

/// Returns the random bits of an element.
fn bits(seed: i64, offset: i64, index: usize) -> u64 {
    // CAST: the same bits. The steps are those of the generator SplitMix64.
    let mut state = (seed as u64)
        .wrapping_add((offset as u64).wrapping_mul(0xd134_2543_de82_ef95))
        .wrapping_add((index as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    state = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    state = (state ^ (state >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    state ^ (state >> 31)
}

/// Returns a random number from 0 up to 1.
pub(super) fn fraction(seed: i64, offset: i64, index: usize) -> f64 {
    // CAST: 53 bits, which are exact.
    (bits(seed, offset, index) >> 11) as f64 / (1u64 << 53) as f64
}

/// Plans to fill the output with a function of the index.
pub(super) fn fill(
    call: &Call,
    out: Output,
    compute: impl Fn(usize) -> f64 + Send + Sync + 'static,
) -> Result<Plan, Refusal> {
    let out = out.shaped(out.shape())?;
    if out.elements() == 0 {
        return Ok(call.nothing());
    }
    call.plan(move |views| {
        let numbers: Vec<_> = (0..out.elements()).map(&compute).collect();
        views.output(&out).put_all(&numbers);
    })
    .map(once)
}

/// Marks a plan of random numbers: it reads no output, and runs once.
pub(super) fn once(mut plan: Plan) -> Plan {
    plan.reads_no_output();
    plan.once("its random numbers come from a unit of the card")
}

/// Makes a number of the standard normal distribution of two uniform ones (Box and Muller).
pub(super) fn normal_of([one, other]: [f64; 2]) -> f64 {
    let length = (-2.0 * (1.0 - one).ln()).sqrt();
    length * (2.0 * core::f64::consts::PI * other).cos()
}

/// `aclnnInplaceNormal(selfRef, mean, std, seed, offset)`
fn normal(call: &Call) -> Result<Plan, Refusal> {
    let out = call.output("selfRef").of(FLOATING)?;
    let (mean, deviation) = (call.floating("mean")?, call.floating("std")?);
    let (seed, offset) = (call.whole("seed")?, call.whole("offset")?);
    fill(call, out, move |index| {
        let part = |index| fraction(seed, offset, index);
        mean + deviation * normal_of([part(2 * index), part(2 * index + 1)])
    })
}

/// `aclnnInplaceUniform(selfRef, from, to, seed, offset)`
fn uniform(call: &Call) -> Result<Plan, Refusal> {
    let out = call.output("selfRef").of(NUMBERS)?;
    let (from, to) = (call.floating("from")?, call.floating("to")?);
    if from > to {
        return Err(Refusal::invalid(format_args!(
            "from is {from}, and to is {to}"
        )));
    }
    let (seed, offset) = (call.whole("seed")?, call.whole("offset")?);
    fill(call, out, move |index| {
        from + (to - from) * fraction(seed, offset, index)
    })
}

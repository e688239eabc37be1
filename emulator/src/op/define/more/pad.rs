//! Operators that give each element of the output an element of the input, whose position follows from the position in each
//! dimension alone: the ends of a tensor continued, and images of other sizes.

use super::super::index::ONE;
use crate::op::call::{Call, Input, Output};
use crate::op::define::definitions;
use crate::op::dtype::MOVABLE;
use crate::op::moves::Mover;
use crate::op::plan::Plan;
use crate::op::refusal::Refusal;
use crate::op::rule::{Checks as _, at, count};
use crate::op::shape::Dims;
use crate::results::{every, list_of};

definitions! {
    aclnnReflectionPad2d = |call: &Call| padded(call, 2, End::Reflected);
    aclnnReflectionPad3d = |call: &Call| padded(call, 3, End::Reflected);
    aclnnReplicationPad1d = |call: &Call| padded(call, 1, End::Repeated);
    aclnnReplicationPad2d = |call: &Call| padded(call, 2, End::Repeated);
    aclnnReplicationPad3d = |call: &Call| padded(call, 3, End::Repeated);
    aclnnCircularPad2d = |call: &Call| padded(call, 2, End::Circular);
    aclnnCircularPad3d = |call: &Call| padded(call, 3, End::Circular);
}

/// How a dimension goes on behind its ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum End {
    Reflected,
    Repeated,
    Circular,
}

/// Plans to give each element of the output the element of the input at the positions that `axes` has for its own ones, a list
/// for each dimension, which are as long as those of the output. So they are made when its memory was found to be there.
pub(super) fn by_axes(
    call: &Call,
    input: Input,
    out: Output,
    axes: impl Fn() -> Vec<Vec<usize>> + Send + Sync + 'static,
) -> Result<Plan, Refusal> {
    if out.elements() == 0 {
        return Ok(call.nothing());
    }
    call.plan(move |views| {
        let (from, to) = (input.tensor.strides, out.tensor.strides);
        let (mut starts, mut line) = (vec![[0; 2]], vec![[0; 2]]);
        for (dim, places) in axes().iter().enumerate() {
            let [from, to] = [at(from.as_slice(), dim), at(to.as_slice(), dim)];
            let mut outer = Vec::with_capacity(starts.len() * line.len());
            for [source, target] in &starts {
                for [one, other] in &line {
                    outer.push([source + one, target + other]);
                }
            }
            starts = outer;
            line.clear();
            for (index, place) in places.iter().enumerate() {
                line.push([place * from, index * to]);
            }
        }
        let mut mover = Mover::new(views, &input, &out);
        let last = |dims: &Dims| dims.iter().next_back().unwrap_or(0);
        let steps = [last(&from), last(&to)];
        let (runs, singles) = runs_of(&line, steps);
        for start in &starts {
            for (first, count) in &runs {
                mover.line([start[0] + first[0], start[1] + first[1]], steps, *count);
            }
        }
        mover.blocks(&starts, &singles, &ONE);
    })
}

/// A pair of places, and the number of those from there on that follow each other.
type Run = ([usize; 2], usize);

/// Splits pairs of places into long runs, which move together, and single ones.
fn runs_of(line: &[[usize; 2]], [from, to]: [usize; 2]) -> (Vec<Run>, Vec<[usize; 2]>) {
    /// The number of places that a run has at least.
    const LONG: usize = 16;
    let (mut runs, mut singles) = (Vec::new(), Vec::new());
    let is_next = |one: &[usize; 2], next: &[usize; 2]| *next == [one[0] + from, one[1] + to];
    for run in line.chunk_by(is_next) {
        match run.first() {
            Some(first) if run.len() >= LONG => runs.push((*first, run.len())),
            _ => singles.extend_from_slice(run),
        }
    }
    (runs, singles)
}

/// Continues the last `count` dimensions, each with two widths; the widths of the last dimension come first.
fn padded(call: &Call, dims: usize, end: End) -> Result<Plan, Refusal> {
    let input = call.input("self").of(MOVABLE)?;
    let out = call.output("out").like(&input)?;
    let input = input.ranked(dims + 1..=dims + 2)?;
    let given = call.ints("padding")?;
    let widths = every(given.iter().map(|width| count("padding", *width)))?;
    if widths.len() != 2 * dims {
        return Err(Refusal::invalid(format_args!(
            "padding {given:?} has not {} numbers",
            2 * dims
        )));
    }
    let (rank, mut ends) = (input.shape().len(), Vec::new());
    for (dim, size) in input.shape().iter().enumerate() {
        let size = *size;
        if dim + dims < rank {
            ends.push([0; 2]);
            continue;
        }
        let first = 2 * (rank - 1 - dim);
        let (before, after) = (at(&widths, first), at(&widths, first + 1));
        let most = match end {
            End::Reflected => size.saturating_sub(1),
            End::Repeated => usize::MAX,
            End::Circular => size,
        };
        if before.max(after) > most || size == 0 {
            return Err(Refusal::invalid(format_args!(
                "padding {given:?} is too large for dim {dim} of self {:?}",
                input.shape()
            )));
        }
        ends.push([before, after]);
    }
    let pairs = input.shape().iter().zip(&ends);
    let shape = list_of(pairs.map(|(size, [before, after])| size + before + after));
    let out = out.shaped(&shape)?;
    let own = input.shape().to_vec();
    let axes = move || {
        list_of(own.iter().zip(&ends).map(|(size, [before, after])| {
            let (size, before) = (*size, *before);
            let place = |index: usize| match (index.checked_sub(before), end) {
                (Some(inside), _) if inside < size => inside,
                (None, End::Reflected) => before - index,
                (None, End::Repeated) => 0,
                (None, End::Circular) => index + size - before,
                (Some(behind), End::Reflected) => 2 * (size - 1) - behind,
                (Some(_), End::Repeated) => size - 1,
                (Some(behind), End::Circular) => behind - size,
            };
            list_of((0..size + before + after).map(place))
        }))
    };
    by_axes(call, input, out, axes)
}

//! Operators that take parts of tensors.

use super::definitions;
use super::shape::{PARTS, moved, pair_of, parts_along, with_size};
use crate::op::call::Call;
use crate::op::moves::Segment;
use crate::op::plan::Plan;
use crate::op::refusal::Refusal;
use crate::op::rule::{at, dimension};
use crate::op::shape::MAX_RANK;

definitions! {
    aclnnSlice = slice;
}

/// `aclnnSlice(self, dim, start, end, step, out)`
fn slice(call: &Call) -> Result<Plan, Refusal> {
    let (input, out) = pair_of(call, "self", PARTS)?;
    let input = input.ranked(1..=MAX_RANK)?;
    let dim = dimension("dim", call.whole("dim")?, input.shape().len())?;
    let [start, end, step] = [
        call.whole("start")?,
        call.whole("end")?,
        call.whole("step")?,
    ];
    let segment = segment(at(input.shape(), dim), [start, end, step])?;
    let out = out.shaped(&with_size(input.shape(), dim, segment.count))?;
    let parts = parts_along(&input, &out, dim, segment.alone());
    moved(call, input, out, parts)
}

/// Returns the segment from `start` to `end` of a dimension; negative numbers count from its end.
pub(super) fn segment(size: usize, [start, end, step]: [i64; 3]) -> Result<Segment, Refusal> {
    let (Ok(step), 1..) = (usize::try_from(step), step) else {
        return Err(Refusal::invalid(format_args!(
            "step is {step}; it is positive"
        )));
    };
    // CAST: a size of a tensor, and then a number between 0 and this size.
    let size = size as i64;
    let from_end = |one: i64| {
        if one < 0 {
            one.saturating_add(size)
        } else {
            one
        }
    };
    let start = from_end(start).clamp(0, size);
    let end = from_end(end).clamp(start, size);
    let (from, len) = (start as usize, ((end - start) as usize).div_ceil(step));
    Ok(Segment {
        from,
        step,
        ..Segment::same(len)
    })
}

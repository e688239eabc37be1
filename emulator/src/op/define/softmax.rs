//! Softmax and its logarithm.

use ascendcl_sys::ACL_DOUBLE;

use super::definitions;
use crate::op::call::{Call, Input, Output};
use crate::op::dtype::{FLOATING, is_half};
use crate::op::lines::{Line, each_line};
use crate::op::normal::{soften_columns, softmax_logarithms, softmaxes};
use crate::op::number::Number;
use crate::op::plan::Plan;
use crate::op::refusal::Refusal;
use crate::op::rows::{GRAIN, Group, each_row};
use crate::op::rule::{Checks as _, at, dimension};
use crate::op::shape::Dims;
use crate::op::short_rows;
use crate::op::tensor::Tensor;
use crate::op::view::{Views, Writers};
use crate::sync::cores::distribute;

definitions! {
    aclnnSoftmax = |call: &Call| softmax(call, false);
    aclnnLogSoftmax = |call: &Call| softmax(call, true);
}

/// `aclnnSoftmax(self, dim, out)` and `aclnnLogSoftmax(self, dim, out)`
pub(super) fn softmax(call: &Call, is_logarithm: bool) -> Result<Plan, Refusal> {
    let input = call.input("self").of(FLOATING)?;
    let out = call.output("out").of(FLOATING).shaped(input.shape())?;
    if out.elements() == 0 {
        return Ok(call.nothing());
    }
    let dim = dimension("dim", call.whole("dim")?, input.shape().len())?;
    if input.dtype() == ACL_DOUBLE {
        return call.plan(move |views| {
            let soften = |_, group: &mut Group<'_, f64>, _: &mut [f64]| {
                group.rows().for_each(|row| soften(row, is_logarithm));
            };
            each_row(views, (&input, &out), &|index| index == dim, &soften);
        });
    }
    let columns = Columns::new(&input, &out, dim);
    if is_half(out.dtype()) && !is_logarithm && columns.is_none() {
        return call.plan(move |views| {
            let compute = |_, group: &mut Group<'_, f32>, factors: &mut [f32]| {
                short_rows::softmaxes(group, factors);
            };
            each_row(views, (&input, &out), &|index| index == dim, &compute);
        });
    }
    let compute: fn(&mut [Line<'_>]) = if is_logarithm {
        softmax_logarithms
    } else {
        softmaxes
    };
    call.plan(move |views| {
        if let Some(columns) = &columns
            && views.is_apart(out.slot, &[input.slot])
        {
            return columns.run(views, is_logarithm);
        }
        each_line(
            views,
            (&input, &out),
            &|index| index == dim,
            !is_logarithm,
            &|_, lines| compute(lines),
        );
    })
}

/// The number of numbers in the columns that are computed together: they stay in the caches.
const BLOCK: usize = 1 << 15;

/// Columns whose numbers at the same position are next to each other, at least so many.
const LEAST: usize = 8;

/// The softmax along a dimension that is not the last one.
struct Columns {
    input: Input,
    out: Output,
    dim: usize,
    /// The number of columns next to each other, and the numbers in one.
    width: usize,
    size: usize,
}

impl Columns {
    fn new(input: &Input, out: &Output, dim: usize) -> Option<Self> {
        let last = |tensor: &Tensor| tensor.strides.iter().next_back();
        let is_dense = [last(&input.tensor), last(&out.tensor)] == [Some(1); 2];
        let width = input.shape().last().copied()?;
        let is_wide = is_dense && dim + 1 < input.shape().len() && width >= LEAST;
        is_wide.then(|| Self {
            input: *input,
            out: *out,
            dim,
            width,
            size: at(input.shape(), dim),
        })
    }

    fn run(&self, views: &Views<'_>, is_logarithm: bool) {
        let (width, size) = (self.width, self.size);
        let last = self.input.shape().len() - 1;
        let is_outer = |index: usize| index != self.dim && index != last;
        let outer = |dims: &Dims| dims.filtered(&is_outer);
        let (counts, from) = (
            outer(&self.input.tensor.shape),
            outer(&self.input.tensor.strides),
        );
        let to = outer(&self.out.tensor.strides);
        let step = |strides: &Dims| at(strides.as_slice(), self.dim);
        let from_step = step(&self.input.tensor.strides);
        let to_step = step(&self.out.tensor.strides);
        let most = (BLOCK / size).next_multiple_of(LEAST).min(width);
        let blocks = width.div_ceil(most);
        let readers = views.shared();
        let out = Writers::new(views, &self.out);
        let work = |range: core::ops::Range<usize>| {
            let (view, mut room) = (readers.input(&self.input), Vec::new());
            for index in range {
                let first = index % blocks * most;
                let len = most.min(width - first);
                let start = |strides| counts.offset(strides, index / blocks).unwrap_or(0) + first;
                room.clear();
                room.resize(size * len, 0.0);
                for (row, numbers) in room.chunks_exact_mut(len).enumerate() {
                    view.read(start(&from) + row * from_step, 1, numbers);
                }
                soften_columns(&mut room, len, is_logarithm);
                for (row, numbers) in room.chunks_exact(len).enumerate() {
                    let place = start(&to) + row * to_step;
                    // SAFETY: no other thread uses these columns: the blocks are apart, and `is_apart` says that no other
                    // elements of the tensors have their memory.
                    unsafe { out.write(place, numbers) };
                }
            }
        };
        let count = counts.elements().unwrap_or(0) * blocks;
        distribute(count, GRAIN / (size * most), 1, &work);
    }
}

/// Replaces numbers by their softmax or its logarithm.
pub(super) fn soften(row: &mut [f64], is_logarithm: bool) {
    let most = row.iter().copied().fold(f64::NEG_INFINITY, f64::larger);
    let sum: f64 = row.iter().map(|one| (one - most).exp()).sum();
    for one in row {
        *one = if is_logarithm {
            *one - most - sum.ln()
        } else {
            (*one - most).exp() / sum
        };
    }
}

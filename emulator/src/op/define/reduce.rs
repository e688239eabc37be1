//! Operators that reduce many elements to one.

use ascendcl_sys::{ACL_BOOL, ACL_DOUBLE};

use super::definitions;
use super::join::dimension;
use crate::op::call::{Call, Input, Output};
use crate::op::dtype::{Kind, REAL, kind};
use crate::op::elementwise::check_output;
use crate::op::number::{Number, Whole};
use crate::op::plan::Plan;
use crate::op::refusal::Refusal;
use crate::op::shape::Dims;
use crate::op::view::Views;

definitions! {
    aclnnReduceSum = sum;
}

/// The number of elements that are added one after the other. The sums of these blocks are added in pairs, as vector
/// units do. So the error grows only with the logarithm of the number of elements.
const BLOCK: usize = 128;

/// `aclnnReduceSum(self, dims, keepDims, dtype, out)`: the sums over some dimensions, in the data type `dtype`, which
/// is also the type of `out`. The sum of no elements is 0. Half precision is summed in single precision.
pub(super) fn sum(call: &Call) -> Result<Plan, Refusal> {
    let (input, out) = (call.input("self")?, call.output("out")?);
    let dtype = call.dtype("dtype")?;
    for (name, dtype) in [
        ("self", input.dtype()),
        ("dtype", dtype),
        ("out", out.dtype()),
    ] {
        if !REAL.contains(&dtype) {
            return Err(Refusal::unsupported(name, dtype, REAL));
        }
    }
    if dtype != out.dtype() {
        return Err(Refusal::invalid(format_args!(
            "dtype is {dtype:?}, and out has {:?}",
            out.dtype()
        )));
    }
    let is_reduced = reduced(call.ints("dims")?, input.shape().len())?;
    let keeps = call.flag("keepDims")?;
    let shape = input.shape().iter().enumerate();
    let shape = shape.filter_map(|(index, size)| match is_reduced.get(index) {
        Some(true) => keeps.then_some(1),
        _ => Some(*size),
    });
    let shape: Vec<_> = shape.collect();
    if shape != out.shape() {
        return Err(Refusal::invalid(format_args!(
            "self {:?} gives {shape:?}, and out has {:?}",
            input.shape(),
            out.shape()
        )));
    }
    check_output(&out)?;
    if out.elements() == 0 {
        return Ok(call.nothing());
    }
    let plan = Sum {
        input,
        out,
        is_reduced,
        keeps,
    };
    call.plan(move |views| match kind(plan.out.dtype()) {
        Some(Kind::Floating) if plan.out.dtype() == ACL_DOUBLE => plan.run::<f64>(views),
        Some(Kind::Floating) => plan.run::<f32>(views),
        _ => plan.run::<Whole>(views),
    })
}

/// Returns for each dimension whether it is reduced. If `dims` is empty, all are.
fn reduced(dims: &[i64], rank: usize) -> Result<Vec<bool>, Refusal> {
    let mut is_reduced = vec![dims.is_empty(); rank];
    for dim in dims {
        let index = dimension("dims", *dim, rank)?;
        // `dims` may name dimension 0 of a tensor of rank 0, which has no entry here.
        let Some(is_reduced) = is_reduced.get_mut(index) else {
            continue;
        };
        if core::mem::replace(is_reduced, true) {
            return Err(Refusal::invalid(format_args!("dims names {dim} twice")));
        }
    }
    Ok(is_reduced)
}

/// A checked sum.
struct Sum {
    input: Input,
    out: Output,
    is_reduced: Vec<bool>,
    keeps: bool,
}

impl Sum {
    fn run<W: Number>(&self, views: &Views<'_>) {
        let (input, mut out) = (views.input(&self.input), views.output(&self.out));
        let (shape, strides) = (&self.input.tensor.shape, &self.input.tensor.strides);
        let is_reduced = |index: usize| self.is_reduced.get(index) == Some(&true);
        let kept = |dims: &Dims| dims.filtered(|index| !is_reduced(index));
        let gone = |dims: &Dims| dims.filtered(is_reduced);
        let of_out = &self.out.tensor.strides;
        let of_out = if self.keeps { kept(of_out) } else { *of_out };
        let from = kept(shape).offsets(kept(strides));
        for (from, to) in from.zip(kept(shape).offsets(of_out)) {
            let offsets = gone(shape).offsets(gone(strides));
            let elements = offsets.map(|offset| {
                let mut element = [input.at::<W>(from + offset)];
                W::quantise(self.out.dtype(), &mut element);
                let [element] = element;
                element
            });
            let sum = if self.out.dtype() == ACL_BOOL {
                // The result is whether any element is true; a sum of 64 bits could wrap around to 0.
                let mut elements = elements;
                elements.find(|element| *element != W::ZERO)
            } else {
                Some(pairwise(elements))
            };
            out.put(to, sum.unwrap_or(W::ZERO));
        }
    }
}

/// Sums blocks of elements, then pairs of blocks, then pairs of pairs.
fn pairwise<W: Number>(mut elements: impl Iterator<Item = W>) -> W {
    // Partial sums with their numbers of blocks, which are decreasing powers of 2.
    let mut sums: Vec<(W, u64)> = Vec::new();
    loop {
        let (mut sum, mut count) = (W::ZERO, 0);
        for element in elements.by_ref().take(BLOCK) {
            sum = sum + element;
            count += 1;
        }
        if count == 0 {
            break;
        }
        let mut blocks = 1;
        while let Some((before, same)) = sums.pop_if(|(_, other)| *other == blocks) {
            sum = before + sum;
            blocks += same;
        }
        sums.push((sum, blocks));
    }
    let sums = sums.into_iter().rev();
    sums.fold(W::ZERO, |sum, (before, _)| before + sum)
}

#[cfg(test)]
mod tests {
    use super::pairwise;

    #[test]
    fn a_sum_of_many_is_not_stuck_at_the_precision_of_one() {
        let count = (1 << 24) + 1000;
        let sum = pairwise((0..count).map(|_| 1.0_f32));
        assert_eq!(sum, 16_778_216.0);
        assert_eq!(pairwise([1.5_f64, -0.25].into_iter()), 1.25);
        assert_eq!(pairwise(core::iter::empty::<f32>()), 0.0);
    }
}

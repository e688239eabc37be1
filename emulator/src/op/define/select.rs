//! Operators that select elements.

use core::cmp::Ordering;

use ascendcl_sys::{ACL_BOOL, ACL_DOUBLE, ACL_INT64, aclDataType};

use super::definitions;
use super::join::dimension;
use crate::op::call::{Call, Input, Output};
use crate::op::dtype::{Kind, REAL, kind};
use crate::op::elementwise::check_output;
use crate::op::number::{CHUNK, Number, Whole};
use crate::op::plan::Plan;
use crate::op::refusal::Refusal;
use crate::op::view::Views;

definitions! {
    aclnnTopk = topk;
}

/// `aclnnTopk(self, k, dim, largest, sorted, valuesOut, indicesOut)`: the `k` largest or smallest elements along a
/// dimension, in order, and their indices.
///
/// Among equal elements the first one is selected, and NaN is the largest number. CANN documents neither.
pub(super) fn topk(call: &Call) -> Result<Plan, Refusal> {
    let input = call.input("self")?;
    let (values, indices) = (call.output("valuesOut")?, call.output("indicesOut")?);
    let takes = |dtype: aclDataType| REAL.contains(&dtype) && dtype != ACL_BOOL;
    if !takes(input.dtype()) {
        return Err(Refusal::unsupported("self", input.dtype(), REAL));
    }
    if values.dtype() != input.dtype() || indices.dtype() != ACL_INT64 {
        return Err(Refusal::invalid(format_args!(
            "valuesOut has {:?} and indicesOut {:?}; they have the type of self, {:?}, and ACL_INT64",
            values.dtype(),
            indices.dtype(),
            input.dtype()
        )));
    }
    let dim = dimension("dim", call.whole("dim")?, input.shape().len())?;
    let size = input.shape().get(dim).copied().unwrap_or(1);
    let k = call.whole("k")?;
    let Some(k) = usize::try_from(k).ok().filter(|k| *k <= size) else {
        return Err(Refusal::invalid(format_args!(
            "k is {k}; along dim {dim} there are {size} elements"
        )));
    };
    if !call.flag("sorted")? {
        return Err(Refusal::invalid(
            "sorted is false; the elements come in order only",
        ));
    }
    let shape = input.shape().iter().enumerate();
    let shape = shape.map(|(index, size)| if index == dim { k } else { *size });
    let shape: Vec<_> = shape.collect();
    for (name, out) in [("valuesOut", &values), ("indicesOut", &indices)] {
        if out.shape() != shape {
            return Err(Refusal::invalid(format_args!(
                "{name} has the shape {:?}, and the result {shape:?}",
                out.shape()
            )));
        }
        check_output(out)?;
    }
    if values.elements() == 0 {
        return Ok(call.nothing());
    }
    let choice = Choice {
        input,
        outs: [values, indices],
        dim,
        k,
        size,
        is_largest: call.flag("largest")?,
    };
    call.plan(move |views| match kind(choice.input.dtype()) {
        Some(Kind::Floating) if choice.input.dtype() == ACL_DOUBLE => choice.run::<f64>(views),
        Some(Kind::Floating) => choice.run::<f32>(views),
        _ => choice.run::<Whole>(views),
    })
}

/// A checked selection.
struct Choice {
    input: Input,
    outs: [Output; 2],
    dim: usize,
    k: usize,
    size: usize,
    is_largest: bool,
}

impl Choice {
    fn run<W: Number>(&self, views: &Views<'_>) {
        let input = views.input(&self.input);
        let [mut values, mut indices] = self.outs.each_ref().map(|out| views.output(out));
        let tensors = [
            &self.input.tensor,
            &self.outs[0].tensor,
            &self.outs[1].tensor,
        ];
        // The offsets of the other dimensions, and the step along this dimension.
        let shape = self.input.tensor.shape.filtered(|index| index != self.dim);
        let [from, to_value, to_index] =
            tensors.map(|tensor| shape.offsets(tensor.strides.filtered(|index| index != self.dim)));
        let [step, value_step, index_step] = tensors.map(|tensor| {
            tensor
                .strides
                .as_slice()
                .get(self.dim)
                .copied()
                .unwrap_or(0)
        });
        for ((from, to_value), to_index) in from.zip(to_value).zip(to_index) {
            let elements = (0..self.size).map(|index| (input.at::<W>(from + index * step), index));
            for (rank, (value, index)) in self.best(elements).into_iter().enumerate() {
                values.put(to_value + rank * value_step, value);
                // CAST: a size in memory fits.
                indices.put(to_index + rank * index_step, Whole(index as i64));
            }
        }
    }
}

impl Choice {
    /// Returns the best elements, the best one first. At most `2 * k + CHUNK` elements are in memory at once: a view
    /// that repeats elements may be larger than memory.
    fn best<W: Number>(&self, elements: impl Iterator<Item = (W, usize)>) -> Vec<(W, usize)> {
        let most = self.k.saturating_mul(2).saturating_add(CHUNK);
        let mut best = Vec::new();
        let choose = |best: &mut Vec<(W, usize)>| {
            // The sort is stable: equal elements stay in order.
            best.sort_by(|(one, _), (other, _)| {
                let order = compare(*one, *other);
                if self.is_largest {
                    order.reverse()
                } else {
                    order
                }
            });
            best.truncate(self.k);
        };
        for element in elements {
            best.push(element);
            if best.len() >= most {
                choose(&mut best);
            }
        }
        choose(&mut best);
        best
    }
}

/// Compares two numbers; NaN is the largest.
fn compare<W: Number>(one: W, other: W) -> Ordering {
    let by_nan = || one.is_nan().cmp(&other.is_nan());
    one.partial_cmp(&other).unwrap_or_else(by_nan)
}

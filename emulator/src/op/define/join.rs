//! Operators that move elements: to another data type, and several tensors into one.

use ascendcl_sys::{ACL_DOUBLE, ACL_FLOAT, aclDataType};

use super::definitions;
use crate::op::by_formula::formula;
use crate::op::call::{Call, Input, Output};
use crate::op::dtype::{MOVABLE, can_cast, promote};
use crate::op::elementwise::Elementwise;
use crate::op::pass::{Lane, Pass};
use crate::op::plan::Plan;
use crate::op::refusal::Refusal;
use crate::op::rule::dimension;
use crate::op::shape::Dims;

definitions! {
    aclnnCat = cat;
}

/// The arithmetic that returns its operand unchanged.
const IDENTITY: Elementwise<1> = formula!(|x| "x");

/// `aclnnCast(self, dtype, out)`: converts the elements of `self` to the data type of `out`, which is `dtype`.
pub(super) fn cast(call: &Call) -> Result<Plan, Refusal> {
    let (input, out) = (call.input("self")?, call.output("out")?);
    let dtype = call.dtype("dtype")?;
    for (name, dtype) in [
        ("self", input.dtype()),
        ("dtype", dtype),
        ("out", out.dtype()),
    ] {
        if !MOVABLE.contains(&dtype) {
            return Err(Refusal::unsupported(name, dtype, MOVABLE));
        }
    }
    // CANN does not check that `dtype` is the type of `out`, and casts to the type of `out`.
    if input.shape() != out.shape() {
        return Err(Refusal::invalid(format_args!(
            "self {:?} and out {:?} differ in shape",
            input.shape(),
            out.shape()
        )));
    }
    if out.elements() == 0 {
        return Ok(call.nothing());
    }
    let target = (&out.tensor.shape, &out.tensor.strides);
    // A number is rounded once in both cases, and the type that the loop need not round to on the way is faster.
    let is_wide = [ACL_FLOAT, ACL_DOUBLE].contains(&input.dtype());
    let through = if is_wide { input.dtype() } else { out.dtype() };
    let pass = moved(input, through, out, target, 0)?;
    call.plan(move |views| pass.run(views))
}

/// `aclnnCat(tensors, dim, out)`: joins tensors along a dimension, after promoting them to one data type.
fn cat(call: &Call) -> Result<Plan, Refusal> {
    let (mut inputs, out) = (call.inputs("tensors")?, call.output("out")?);
    let Some(first) = inputs.first() else {
        return Err(Refusal::invalid("tensors is an empty list"));
    };
    let mut promoted = first.dtype();
    for input in &inputs {
        if !MOVABLE.contains(&input.dtype()) {
            return Err(Refusal::unsupported("tensors", input.dtype(), MOVABLE));
        }
        promoted = promote(promoted, input.dtype()).ok_or_else(|| {
            Refusal::invalid(format_args!(
                "tensors of {promoted:?} and {:?} have no common data type",
                input.dtype()
            ))
        })?;
    }
    if !can_cast(promoted, out.dtype()) {
        return Err(Refusal::invalid(format_args!(
            "tensors of {promoted:?} cannot be cast to out of {:?}",
            out.dtype()
        )));
    }
    // Tensors of the shape [0] are skipped; the others may have any shape.
    inputs.retain(|input| input.shape() != [0]);
    let Some(first) = inputs.first() else {
        return finish_empty(call, &out);
    };
    let dim = dimension("dim", call.whole("dim")?, first.shape().len())?;
    let (passes, filled) = passes(&inputs, dim, promoted, out)?;
    let size = out.shape().get(dim).copied();
    if size != Some(filled) || out.shape().len() != first.shape().len() {
        return Err(no_join(first, &out, dim));
    }
    if out.elements() == 0 {
        return Ok(call.nothing());
    }
    call.plan(move |views| passes.iter().for_each(|pass| pass.run(views)))
}

/// Returns the walk of each tensor into its part of the output, and their total size along the dimension.
fn passes(
    inputs: &[Input],
    dim: usize,
    promoted: aclDataType,
    out: Output,
) -> Result<(Vec<Pass>, usize), Refusal> {
    let (mut passes, mut filled) = (Vec::with_capacity(inputs.len()), 0);
    let stride = out.tensor.strides.as_slice().get(dim).copied();
    for input in inputs {
        let others = |shape: &Dims| shape.filtered(&|index| index != dim);
        let size = input.shape().get(dim);
        let (Some(size), Some(stride), true) = (
            size,
            stride,
            others(&input.tensor.shape) == others(&out.tensor.shape),
        ) else {
            return Err(no_join(input, &out, dim));
        };
        let target = (&input.tensor.shape, &out.tensor.strides);
        let start = stride.saturating_mul(filled);
        if input.elements() > 0 {
            passes.push(moved(*input, promoted, out, target, start)?);
        }
        filled = filled.saturating_add(*size);
    }
    let is_whole = out.shape().get(dim) == Some(&filled);
    if is_whole {
        Ok((passes, filled))
    } else {
        Err(Refusal::invalid(format_args!(
            "tensors have {filled} elements along dim {dim}, out {:?} has others",
            out.shape()
        )))
    }
}

/// Ends a call whose tensors are all skipped.
fn finish_empty(call: &Call, out: &Output) -> Result<Plan, Refusal> {
    if out.elements() == 0 {
        return Ok(call.nothing());
    }
    Err(Refusal::invalid(format_args!(
        "tensors have no elements, and out {:?} has some",
        out.shape()
    )))
}

/// Makes a walk that moves the elements of a tensor and converts them to a data type on the way.
pub(super) fn moved(
    input: Input,
    through: aclDataType,
    out: Output,
    target: (&Dims, &Dims),
    start: usize,
) -> Result<Pass, Refusal> {
    let lanes = vec![Lane::Tensor(input)];
    let pass = Pass::new(IDENTITY.arithmetic(), lanes, through, out, target, start);
    pass.ok_or_else(|| Refusal::no_parameter("out", "made of one tensor"))
}

fn no_join(input: &Input, out: &Output, dim: usize) -> Refusal {
    Refusal::invalid(format_args!(
        "{} {:?} and out {:?} may differ only along dim {dim}",
        input.name,
        input.shape(),
        out.shape()
    ))
}

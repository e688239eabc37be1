//! Comparisons, logic and choices: their results, or one of their operands, are truth values.

use ascendcl_sys::ACL_BOOL;

use super::definitions;
use crate::op::call::{Call, Input};
use crate::op::dtype::{Kind, Types, kind, promote, types};
use crate::op::elementwise::{Elementwise, elementwise};
use crate::op::number::{Number, Whole};
use crate::op::plan::{Definition, Plan};
use crate::op::refusal::Refusal;
use crate::op::view::Views;

definitions! {
    aclnnEqTensor, aclnnInplaceEqTensor = EQUAL;
    aclnnEqScalar, aclnnInplaceEqScalar = EQUAL.joining(OTHER);
    aclnnNeTensor, aclnnInplaceNeTensor = DIFFERENT;
    aclnnNeScalar, aclnnInplaceNeScalar = DIFFERENT.joining(OTHER);
    aclnnGtTensor, aclnnInplaceGtTensor = GREATER;
    aclnnGtScalar, aclnnInplaceGtScalar = GREATER.joining(OTHER);
    aclnnGeTensor, aclnnInplaceGeTensor = AT_LEAST;
    aclnnGeScalar, aclnnInplaceGeScalar = AT_LEAST.joining(OTHER);
    aclnnLtTensor, aclnnInplaceLtTensor = LESS;
    aclnnLtScalar, aclnnInplaceLtScalar = LESS.joining(OTHER);
    aclnnLeTensor, aclnnInplaceLeTensor = AT_MOST;
    aclnnLeScalar, aclnnInplaceLeScalar = AT_MOST.joining(OTHER);
    aclnnLogicalAnd, aclnnInplaceLogicalAnd = elementwise!(compared |x, other| x.is_true() && other.is_true());
    aclnnLogicalOr, aclnnInplaceLogicalOr = elementwise!(compared |x, other| x.is_true() || other.is_true());
    aclnnLogicalNot, aclnnInplaceLogicalNot = IS_FALSE;
    aclnnBitwiseAndTensor, aclnnInplaceBitwiseAndTensor =
        elementwise!(whole |x, other| Whole(x.0 & other.0)).takes(types!(s8 s16 s32 s64 u8 u16 bool));
    aclnnBitwiseOrTensor, aclnnInplaceBitwiseOrTensor = elementwise!(whole |x, other| Whole(x.0 | other.0));
    aclnnBitwiseNot = complement;
    aclnnIsFinite = elementwise!(compared |x| !x.is_nan() && !x.is_infinite())
        .takes(types!(bf16 f16 f32 f64))
        .gives(TRUTH);
    aclnnIsInf = elementwise!(compared |x| x.is_infinite()).gives(TRUTH);
    aclnnEqual = equal;
    aclnnSWhere = elementwise!(|condition, x, other| if condition.is_true() { x } else { other })
        .takes(types!(f32 f16 bf16 f64 s8 s16 s32 s64 u8 u16 u32 u64 bool))
        .condition("condition", types!(u8 bool));
    aclnnInplaceMaskedFillScalar = FILLED;
    aclnnInplaceMaskedFillTensor = filled_by_tensor;
}

const OTHER: &[&str] = &["other"];
const TRUTH: Types = types!(bool);

/// The types that are put in order. CANN compares unsigned integers of 64 bits too.
const ORDERED: Types = types!(f32 f16 bf16 f64 s8 s16 s32 s64 u8 u16 u32 bool);

const EQUAL: Elementwise<2> = elementwise!(compared | x, other | x == other);
const DIFFERENT: Elementwise<2> = elementwise!(compared | x, other | x != other);
const GREATER: Elementwise<2> = elementwise!(compared | x, other | x > other).takes(ORDERED);
const AT_LEAST: Elementwise<2> = elementwise!(compared | x, other | x >= other).takes(ORDERED);
const LESS: Elementwise<2> = elementwise!(compared | x, other | x < other).takes(ORDERED);
const AT_MOST: Elementwise<2> = elementwise!(compared | x, other | x <= other)
    .takes(types!(f32 f16 bf16 f64 s8 s16 s32 s64 u8 u16 bool));
const IS_FALSE: Elementwise<1> = elementwise!(compared | x | !x.is_true());
const FILLED: Elementwise<3> =
    elementwise!(|x, mask, value| if mask.is_true() { value } else { x })
        .same(types!(bf16 f16 f32 s8 s32 s64 bool))
        .condition("mask", TRUTH);

/// `aclnnBitwiseNot(self, out)`: the complement of integers, and the opposite of truth values.
fn complement(call: &Call) -> Result<Plan, Refusal> {
    const COMPLEMENT: Elementwise<1> = elementwise!(whole | x | Whole(!x.0));
    let integers = types!(s8 s16 s32 s64 u8 bool);
    if call.input("self")?.dtype() == ACL_BOOL {
        return IS_FALSE.same(integers).plan(call);
    }
    COMPLEMENT.same(integers).plan(call)
}

/// `aclnnInplaceMaskedFillTensor(selfRef, mask, value)`: `value` has one element.
fn filled_by_tensor(call: &Call) -> Result<Plan, Refusal> {
    let (sources, out) = call.elements()?;
    let value = call.input("value")?;
    if !value.shape().is_empty() {
        return Err(Refusal::invalid(format_args!(
            "value has the shape {:?}; it is a tensor without dimensions",
            value.shape()
        )));
    }
    FILLED.plan_of(call, &sources, out)
}

/// `aclnnEqual(self, other, out)`: whether two tensors have one shape and the same elements. `out` has one element.
fn equal(call: &Call) -> Result<Plan, Refusal> {
    let (one, other) = (call.input("self")?, call.input("other")?);
    let out = call.output("out")?;
    let types = types!(f32 f16 bf16 f64 s8 s16 s32 s64 u8 u16 u32 u64 bool);
    for (name, dtype) in [("self", one.dtype()), ("other", other.dtype())] {
        if !types.contains(&dtype) {
            return Err(Refusal::unsupported(name, dtype, types));
        }
    }
    let Some(promoted) = promote(one.dtype(), other.dtype()) else {
        return Err(Refusal::invalid(format_args!(
            "self of {:?} and other of {:?} have no common data type",
            one.dtype(),
            other.dtype()
        )));
    };
    if out.dtype() != ACL_BOOL {
        return Err(Refusal::unsupported("out", out.dtype(), TRUTH));
    }
    if out.shape() != [1] {
        return Err(Refusal::invalid(format_args!(
            "out has the shape {:?}; it has one element in one dimension",
            out.shape()
        )));
    }
    call.plan(move |views| {
        let is_equal = one.shape() == other.shape()
            && match kind(promoted) {
                Some(Kind::Floating) => same::<f64>(views, &one, &other),
                _ => same::<Whole>(views, &one, &other),
            };
        views.output(&out).set(0, Whole::truth(is_equal));
    })
}

fn same<W: Number>(views: &Views<'_>, one: &Input, other: &Input) -> bool {
    let (left, right) = (views.input(one), views.input(other));
    (0..one.elements()).all(|index| left.get::<W>(index) == right.get::<W>(index))
}

//! Comparisons, logic and choices: their results, or one of their operands, are truth values.

use ascendcl_sys::ACL_BOOL;

use super::definitions;
use crate::op::by_formula::formula;
use crate::op::call::{Call, Input};
use crate::op::dtype::{Kind, Types, kind, promote, types};
use crate::op::elementwise::Elementwise;
use crate::op::number::{Number, Whole};
use crate::op::plan::{Definition, Plan};
use crate::op::refusal::Refusal;
use crate::op::view::{Views, rows};

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
    aclnnLogicalAnd, aclnnInplaceLogicalAnd = formula!(compared |x, other| "and(x, other)");
    aclnnLogicalOr, aclnnInplaceLogicalOr = formula!(compared |x, other| "or(x, other)");
    aclnnLogicalNot, aclnnInplaceLogicalNot = IS_FALSE;
    aclnnBitwiseAndTensor, aclnnInplaceBitwiseAndTensor =
        formula!(whole |x, other| "bits_and(x, other)").takes(types!(s8 s16 s32 s64 u8 u16 bool));
    aclnnBitwiseOrTensor, aclnnInplaceBitwiseOrTensor = formula!(whole |x, other| "bits_or(x, other)");
    aclnnBitwiseNot = complement;
    aclnnIsFinite = formula!(compared |x| "and(not(is_nan(x)), not(is_infinite(x)))")
        .takes(types!(bf16 f16 f32 f64))
        .gives(TRUTH);
    aclnnIsInf = formula!(compared |x| "is_infinite(x)").gives(TRUTH);
    aclnnEqual = equal;
    aclnnSWhere = formula!(|condition, x, other| "condition ? x : other")
        .takes(types!(f32 f16 bf16 f64 s8 s16 s32 s64 u8 u16 u32 u64 bool))
        .condition("condition", types!(u8 bool));
    aclnnInplaceMaskedFillScalar = FILLED;
    aclnnInplaceMaskedFillTensor = filled_by_tensor;
    aclnnSignbit = formula!(compared |x| "signbit(x)").gives(TRUTH);
    aclnnIsNegInf = formula!(compared |x| "and(is_infinite(x), x < 0)").gives(TRUTH);
    aclnnIsPosInf = formula!(compared |x| "and(is_infinite(x), x > 0)").gives(TRUTH);
    aclnnBitwiseXorTensor, aclnnInplaceBitwiseXorTensor = formula!(whole |x, other| "bits_xor(x, other)");
    aclnnBitwiseXorScalar, aclnnInplaceBitwiseXorScalar =
        formula!(whole |x, other| "bits_xor(x, other)").joining(&["other"]);
    aclnnBitwiseAndScalar, aclnnInplaceBitwiseAndScalar =
        formula!(whole |x, other| "bits_and(x, other)").joining(&["other"]);
    aclnnBitwiseOrScalar, aclnnInplaceBitwiseOrScalar =
        formula!(whole |x, other| "bits_or(x, other)").joining(&["other"]);
    aclnnBitwiseAndTensorOut, aclnnInplaceBitwiseAndTensorOut = formula!(whole |x, other| "bits_and(x, other)");
    aclnnLogicalXor = formula!(compared |x, other| "xor(x, other)");
    aclnnIsClose =
        formula!(compared |x, other, rtol, atol, equal_nan|
            "n = and(is_nan(x), is_nan(other)); \
             i = or(is_infinite(x), is_infinite(other)); \
             or(and(equal_nan, n), or(x == other, and(not(i), abs(x - other) <= atol + rtol * abs(other))))")
        .gives(TRUTH);
}

const OTHER: &[&str] = &["other"];
const TRUTH: Types = types!(bool);

/// The types that are put in order. CANN compares unsigned integers of 64 bits too.
const ORDERED: Types = types!(f32 f16 bf16 f64 s8 s16 s32 s64 u8 u16 u32 bool);

const EQUAL: Elementwise<2> = formula!(compared | x, other | "x == other");
const DIFFERENT: Elementwise<2> = formula!(compared | x, other | "x != other");
const GREATER: Elementwise<2> = formula!(compared | x, other | "x > other").takes(ORDERED);
const AT_LEAST: Elementwise<2> = formula!(compared | x, other | "x >= other").takes(ORDERED);
const LESS: Elementwise<2> = formula!(compared | x, other | "x < other").takes(ORDERED);
const AT_MOST: Elementwise<2> = formula!(compared | x, other | "x <= other")
    .takes(types!(f32 f16 bf16 f64 s8 s16 s32 s64 u8 u16 bool));
const IS_FALSE: Elementwise<1> = formula!(compared | x | "not(x)");
const FILLED: Elementwise<3> = formula!(|x, mask, value| "mask ? value : x")
    .same(types!(bf16 f16 f32 s8 s32 s64 bool))
    .condition("mask", TRUTH);

/// `aclnnBitwiseNot(self, out)`: the complement of integers, and the opposite of truth values.
fn complement(call: &Call) -> Result<Plan, Refusal> {
    const COMPLEMENT: Elementwise<1> = formula!(whole | x | "bits_not(x)");
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

/// The number of elements that are compared at a time.
const ROOM: usize = 512;

/// Returns whether two tensors of one shape have the same elements.
fn same<W: Number>(views: &Views<'_>, one: &Input, other: &Input) -> bool {
    let (left, right) = (views.input(one), views.input(other));
    let (starts, (count, step)) = rows(&one.tensor.shape, &one.tensor.strides);
    let (others, (_, other_step)) = rows(&other.tensor.shape, &other.tensor.strides);
    let (mut room, mut other_room) = ([W::ZERO; ROOM], [W::ZERO; ROOM]);
    for (start, other) in starts.zip(others) {
        for first in (0..count).step_by(ROOM) {
            let len = ROOM.min(count - first);
            let rooms = room.get_mut(..len).zip(other_room.get_mut(..len));
            let Some((ones, others)) = rooms else {
                continue;
            };
            left.read(start + first * step, step, ones);
            right.read(other + first * other_step, other_step, others);
            // Without a branch for each pair the loop becomes vectors.
            let mut is_same = true;
            for (one, other) in ones.iter().zip(&*others) {
                is_same &= one == other;
            }
            if !is_same {
                return false;
            }
        }
    }
    true
}

//! Arithmetic on two tensors or a list of them, and on a tensor and a scalar.

use super::along::in_numbers;
use super::definitions;
use crate::op::by_formula::formula;
use crate::op::call::{Call, Input, Output};
use crate::op::dtype::{FLOATING, Kind, NUMBERS, SINGLE, Types, kind, types};
use crate::op::elementwise::Elementwise;
use crate::op::fast::Fast;
use crate::op::number::{Number, Whole};
use crate::op::operands::Source;
use crate::op::plan::{Definition, Plan};
use crate::op::refusal::Refusal;
use crate::op::rule::Checks as _;
use crate::op::shape::{Dims, broadcast};
use crate::op::sums::add;
use crate::op::view::{Views, rows};
use crate::results::list_of;

definitions! {
    aclnnAdd, aclnnInplaceAdd = SUM;
    aclnnSum = |call: &Call| together(call, SUMMED, Join::Sum);
    aclnnAdds, aclnnInplaceAdds = SUM.joining(OTHER);
    aclnnSub, aclnnInplaceSub = DIFFERENCE;
    aclnnSubs, aclnnInplaceSubs = DIFFERENCE.joining(OTHER);
    aclnnMul, aclnnInplaceMul = PRODUCT;
    aclnnMuls, aclnnInplaceMuls = PRODUCT.joining(OTHER);
    aclnnDiv, aclnnInplaceDiv = DIVIDED;
    aclnnDivs, aclnnInplaceDivs = DIVIDED.joining(OTHER);
    aclnnDivMod, aclnnInplaceDivMod = div_mod;
    aclnnDivMods, aclnnInplaceDivMods = div_mods;
    aclnnFloorDivide, aclnnInplaceFloorDivide = ROUNDED_DOWN;
    aclnnRemainderTensorTensor, aclnnInplaceRemainderTensorTensor = remainder;
    aclnnFmodTensor, aclnnInplaceFmodTensor =
        formula!(|x, other| "remainder(x, other)").takes(types!(bf16 f16 f32 f64 s8 s32 s64 u8));
    aclnnPowTensorTensor, aclnnInplacePowTensorTensor = power;
    aclnnPowTensorScalar, aclnnInplacePowTensorScalar = power_of_scalar;
    aclnnPowScalarTensor = POWER.joining(&["self"]).takes(NUMBERS);
    aclnnAddcmul, aclnnInplaceAddcmul = formula!(|x, tensor1, tensor2, value| "x + value * tensor1 * tensor2")
        .takes(types!(bf16 f16 f32 f64 s8 s32 s64 u8));
    aclnnAddcdiv, aclnnInplaceAddcdiv = formula!(divided |x, tensor1, tensor2, value| "x + value * tensor1 / tensor2")
        .takes(types!(bf16 f16 f32 f64 s64));
    aclnnMaximum = LARGER;
    aclnnMinimum = SMALLER;
    aclnnClamp = clamp;
    aclnnClampMin = LARGER.converted(NUMBERS);
    aclnnClampMax, aclnnInplaceClampMax = SMALLER.converted(NUMBERS);
    aclnnAtan2 = formula!(real |x, other| "atan2(x, other)").gives(FLOATING);
    aclnnLogAddExp =
        formula!(real |x, other|
            "m = max(x, other); is_infinite(m) ? m : m + ln_1p(exp(-abs(x - other)))")
        .takes(FLOATING).gives(FLOATING);
    aclnnLogAddExp2 =
        formula!(real |x, other|
            "m = max(x, other); is_infinite(m) ? m : m + ln_1p(exp2(-abs(x - other))) * 1.4426950408889634")
        .takes(FLOATING).gives(FLOATING);
    aclnnXLogYTensor, aclnnInplaceXLogYTensor =
        formula!(real |x, other| "is_nan(other) ? other : x == 0 ? 0 : x * ln(other)").takes(FLOATING).gives(FLOATING);
    aclnnXLogYScalarOther, aclnnInplaceXLogYScalarOther =
        formula!(real |x, other|
            "is_nan(other) ? other : x == 0 ? 0 : x * ln(other)")
        .joining(&["other"]).takes(FLOATING).gives(FLOATING);
    aclnnXLogYScalarSelf =
        formula!(real |x, other|
            "is_nan(other) ? other : x == 0 ? 0 : x * ln(other)")
        .joining(&["self"]).takes(FLOATING).gives(FLOATING);
    aclnnLerp, aclnnInplaceLerp =
        formula!(real |x, end, weight|
            "between(x, end, weight)")
        .takes(FLOATING).gives(FLOATING);
    aclnnLerps, aclnnInplaceLerps =
        formula!(real |x, end, weight|
            "between(x, end, weight)")
        .takes(FLOATING).gives(FLOATING);
    aclnnRsub = formula!(|x, other, alpha| "other - alpha * x").takes(NUMBERS);
    aclnnRsubs = formula!(|x, other, alpha| "other - alpha * x").joining(&["other"]).takes(NUMBERS);
    aclnnRemainderTensorScalar, aclnnInplaceRemainderTensorScalar =
        formula!(|x, other| "remainder_down(x, other)").joining(&["other"]).takes(types!(s32 s64 f16 f32 f64 bf16));
    aclnnRemainderScalarTensor =
        formula!(|x, other| "remainder_down(x, other)").joining(&["self"]).takes(types!(s32 s64 f16 f32 f64 bf16));
    aclnnFmodScalar, aclnnInplaceFmodScalar =
        formula!(|x, other| "remainder(x, other)").joining(&["other"]).takes(types!(bf16 f16 f32 f64 s8 s32 s64 u8));
    aclnnFloorDivides, aclnnInplaceFloorDivides = formula!(|x, other| "quotient_down(x, other)").joining(&["other"]);
    aclnnAddV3 = formula!(|x, other, alpha| "x + alpha * other").joining(&["self"]);
    aclnnMaskedScale =
        formula!(real |x, mask, scale| "x * mask * scale").same(SINGLE).condition("mask", types!(f32 f16 bf16 s8 u8));
    aclnnHeaviside =
        formula!(|x, values|
            "is_nan(x) ? x : x == 0 ? values : x > 0")
        .takes(types!(f32 f16 bf16 s8 s16 s32 s64 u8 bool));
    aclnnClampTensor =
        formula!(|x, clip_value_min, clip_value_max| "min(max(x, clip_value_min), clip_value_max)").takes(NUMBERS);
    aclnnClampMinTensor, aclnnInplaceClampMinTensor =
        formula!(|x, clip_value_min| "max(x, clip_value_min)").takes(NUMBERS);
    aclnnClampMaxTensor, aclnnInplaceClampMaxTensor = formula!(|x, max| "min(x, max)").takes(NUMBERS);
    aclnnGcd = formula!(whole |x, other| "gcd(x, other)").takes(types!(s16 s32 s64)).gives(types!(s16 s32 s64));
}

/// The scalar operand of the forms with a tensor and a scalar.
const OTHER: &[&str] = &["other"];

const SUM: Elementwise<3> = formula!(|x, other, alpha| "x + alpha * other").fast(Fast::Sum);
const DIFFERENCE: Elementwise<3> =
    formula!(|x, other, alpha| "x - alpha * other").fast(Fast::Difference);
const PRODUCT: Elementwise<2> = formula!(|x, other| "x * other").fast(Fast::Product);
const DIVIDED: Elementwise<2> = formula!(divided | x, other | "x / other");
const CUT: Elementwise<2> = formula!(|x, other| "quotient(x, other)");
const ROUNDED_DOWN: Elementwise<2> = formula!(|x, other| "quotient_down(x, other)");
const LARGER: Elementwise<2> = formula!(|x, other| "max(x, other)");
const SMALLER: Elementwise<2> = formula!(|x, other| "min(x, other)");
const POWER: Elementwise<2> = formula!(|x, exponent| "power(x, exponent)");

/// The types of tensors of a list that are added up.
const SUMMED: Types = types!(f32 f16 s8 s32 u8);
/// The way to join the elements at one place.
#[derive(Debug, Clone, Copy)]
pub(super) enum Join {
    Sum,
    #[cfg(feature = "more-operators")]
    Larger,
    #[cfg(feature = "more-operators")]
    Smaller,
}

/// `aclnnSum(tensors, out)`, `aclnnMaxN(tensors, out)` and `aclnnMinN(tensors, out)`: join tensors of one data type, whose
/// shapes broadcast to that of `out`.
///
/// The library reads the first tensor of the list without asking for the length, so an empty list is refused here.
pub(super) fn together(call: &Call, types: Types, join: Join) -> Result<Plan, Refusal> {
    let inputs = call.inputs("tensors")?;
    let Some(first) = inputs.first().copied() else {
        return Err(Refusal::invalid("tensors is an empty list"));
    };
    let mut shape = Dims::default();
    for input in &inputs {
        let _ = input.of(types).like(&first)?;
        let together = broadcast(&shape, &input.tensor.shape);
        shape = together.ok_or_else(|| {
            Refusal::invalid(format_args!(
                "tensors of the shapes {shape:?} and {:?} do not broadcast",
                input.shape()
            ))
        })?;
    }
    let out = call.output("out").of(types).like(&first)?;
    let out = out.shaped(shape.as_slice())?;
    if out.elements() == 0 {
        return Ok(call.nothing());
    }
    let is_alike = |input: &Input| input.tensor.is_contiguous() && input.shape() == out.shape();
    let are_alike = out.tensor.is_contiguous() && inputs.iter().all(is_alike);
    let are_singles = SINGLE.contains(&first.dtype()) && matches!(join, Join::Sum) && are_alike;
    call.plan_boxed(in_numbers!(first.dtype(), W => Box::new(move |views| {
        if are_singles && views.is_apart(out.slot, &slots_of(&inputs)) {
            return sum_alike(views, &inputs, &out);
        }
        join_all::<W>(views, &inputs, &out, join);
    })))
}

fn slots_of(inputs: &[Input]) -> Vec<usize> {
    list_of(inputs.iter().map(|input| input.slot))
}

/// Adds the elements of tensors of single or half precision, which are next to each other like those of the output.
fn sum_alike(views: &Views<'_>, inputs: &[Input], out: &Output) {
    let mut to = views.output(out);
    let terms = list_of(inputs.iter().map(|input| views.input(input)));
    let mut room = [0.0_f32; ROOM];
    for first in (0..out.elements()).step_by(ROOM) {
        let len = ROOM.min(out.elements() - first);
        // A sum with this 0 is the other number.
        let mut sums = [-0.0; ROOM];
        let (sums, room) = (
            sums.get_mut(..len).unwrap_or_default(),
            room.get_mut(..len).unwrap_or_default(),
        );
        for view in &terms {
            // SAFETY: the output is written below, behind the last use of these elements.
            if let Some(own) = unsafe { view.own(first, len) } {
                add(sums, own);
            } else {
                view.read(first, 1, room);
                add(sums, room);
            }
        }
        to.write(first, 1, sums);
    }
}

/// The number of elements that are joined at a time: their results stay in the first-level cache.
const ROOM: usize = 512;

/// Joins the elements at the same positions of tensors, which are broadcast to the shape of the output.
fn join_all<W: Number>(views: &Views<'_>, inputs: &[Input], out: &Output, join: Join) {
    let shape = &out.tensor.shape;
    let is_outer = |index| index + 1 < shape.rank();
    let outer = shape.filtered(&is_outer);
    let last = |strides: &Dims| strides.iter().next_back().unwrap_or(1);
    let mut terms = Vec::with_capacity(inputs.len());
    for input in inputs {
        let strides = input.tensor.strides_in(shape);
        terms.push((
            views.input(input),
            strides.filtered(&is_outer),
            last(&strides),
        ));
    }
    let (starts, (count, step)) = rows(shape, &out.tensor.strides);
    let mut to = views.output(out);
    // Where an output shares memory with an operand, all results come before it is written.
    let is_apart = views.is_apart(out.slot, &slots_of(inputs));
    let (mut room, mut all) = ([W::ZERO; ROOM], Vec::new());
    for (row, place) in starts.enumerate() {
        for first in (0..count).step_by(ROOM) {
            let mut sums = [W::ZERO; ROOM];
            let len = ROOM.min(count - first);
            let (Some(sums), Some(room)) = (sums.get_mut(..len), room.get_mut(..len)) else {
                continue;
            };
            for (index, (view, strides, step)) in terms.iter().enumerate() {
                let start = outer.offset(strides, row).unwrap_or(0);
                view.read(start + first * step, *step, room);
                if index == 0 {
                    sums.copy_from_slice(room);
                    continue;
                }
                for (sum, one) in sums.iter_mut().zip(&*room) {
                    *sum = match join {
                        Join::Sum => *sum + *one,
                        #[cfg(feature = "more-operators")]
                        Join::Larger => sum.larger(*one),
                        #[cfg(feature = "more-operators")]
                        Join::Smaller => sum.smaller(*one),
                    };
                }
            }
            if is_apart {
                to.write(place + first * step, step, sums);
            } else {
                all.extend_from_slice(sums);
            }
        }
    }
    to.put_all(&all);
}

/// Chooses the quotient by `mode`: 0 is the exact one, 1 cuts its fraction off, and 2 rounds down.
fn quotient(call: &Call, joining: &'static [&'static str]) -> Result<Plan, Refusal> {
    let quotient = match call.whole("mode")? {
        0 => DIVIDED,
        1 => CUT,
        2 => ROUNDED_DOWN,
        mode => {
            return Err(Refusal::invalid(format_args!(
                "mode is {mode}; it is 0, 1 or 2"
            )));
        }
    };
    quotient.joining(joining).plan(call)
}

/// `aclnnDivMod(self, other, mode, out)`
fn div_mod(call: &Call) -> Result<Plan, Refusal> {
    quotient(call, &[])
}

/// `aclnnDivMods(self, other, mode, out)`
fn div_mods(call: &Call) -> Result<Plan, Refusal> {
    quotient(call, OTHER)
}

/// `aclnnRemainderTensorTensor(self, other, out)`. Not all types to which its operands may be promoted are supported.
fn remainder(call: &Call) -> Result<Plan, Refusal> {
    const REMAINDER: Elementwise<2> = formula!(|x, other| "remainder_down(x, other)");
    let (sources, out) = call.elements()?;
    let promoted = REMAINDER.promoted_type(&sources, &out)?;
    let supported = types!(s32 s64 f16 f32 f64 bf16);
    match promoted {
        Some(dtype) if !supported.contains(&dtype) => Err(Refusal::unsupported(
            "the common type of self and other",
            dtype,
            supported,
        )),
        _ => REMAINDER.plan_of(call, &sources, out),
    }
}

/// `aclnnPowTensorTensor(self, exponent, out)`. It takes no truth values alone.
fn power(call: &Call) -> Result<Plan, Refusal> {
    let (sources, out) = call.elements()?;
    let promoted = POWER.promoted_type(&sources, &out)?;
    if promoted.and_then(kind) == Some(Kind::Truth) {
        return Err(Refusal::invalid("self and exponent are truth values"));
    }
    POWER.plan_of(call, &sources, out)
}

/// `aclnnPowTensorScalar(self, exponent, out)`. An integer has no negative powers, and the exponent has to fit the
/// type of the power.
fn power_of_scalar(call: &Call) -> Result<Plan, Refusal> {
    const ROOT: Elementwise<2> = formula!(real | x, _exponent | "sqrt(x)").joining(&["exponent"]);
    const SQUARE: Elementwise<2> = formula!(|x, _exponent| "x * x").joining(&["exponent"]);
    let (sources, out) = call.elements()?;
    let exponent = call.scalar("exponent")?;
    let operator = POWER.joining(&["exponent"]);
    let promoted = operator.promoted_type(&sources, &out)?;
    let whole = exponent.to_f64();
    if promoted.and_then(kind) < Some(Kind::Floating) && whole < 0.0 {
        return Err(Refusal::invalid(format_args!(
            "exponent is {whole}, and self has integers"
        )));
    }
    if let Some(dtype) = promoted
        && !exponent.fits(dtype)
    {
        return Err(Refusal::invalid(format_args!(
            "exponent is {whole}, which is too large for {dtype:?}"
        )));
    }
    // CANN has a kernel for the square root, and the root of a negative number is NaN there.
    if promoted.and_then(kind) == Some(Kind::Floating) && whole == 0.5 {
        return ROOT.plan_of(call, &sources, out);
    }
    // The most frequent power has the same bits by a product.
    if whole == 2.0 {
        return SQUARE.plan_of(call, &sources, out);
    }
    operator.plan_of(call, &sources, out)
}

/// `aclnnClamp(self, clipValueMin, clipValueMax, out)`: `max(min(x, clipValueMax), clipValueMin)`. A limit may be null.
/// The limits are converted to the type of `out`.
fn clamp(call: &Call) -> Result<Plan, Refusal> {
    const BOTH: Elementwise<3> = formula!(|x, high, low| "max(min(x, high), low)");
    let (input, out) = (call.input("self")?, call.output("out")?);
    let limits = [
        call.optional_scalar("clipValueMax")?,
        call.optional_scalar("clipValueMin")?,
    ];
    let given = limits.into_iter().flatten().map(Source::Number);
    let sources = core::iter::once(Source::Tensor(input)).chain(given);
    let sources = list_of(sources);
    match limits {
        [None, None] => Err(Refusal::null("clipValueMin and clipValueMax")),
        [None, Some(_)] => LARGER.converted(NUMBERS).plan_of(call, &sources, out),
        [Some(_), None] => SMALLER.converted(NUMBERS).plan_of(call, &sources, out),
        [Some(_), Some(_)] => BOTH.converted(NUMBERS).plan_of(call, &sources, out),
    }
}

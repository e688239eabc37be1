//! Functions of elements, and gates.

use super::super::activation::LOG_SIGMOID;
use super::super::along::{gates, geglu, halves, halves_along};
use super::super::arithmetic::{Join, together};
use crate::op::by_formula::formula;
use crate::op::call::Call;
use crate::op::define::definitions;
use crate::op::dtype::{SINGLE, Types, types};
use crate::op::elementwise::Elementwise;
use crate::op::normal;
use crate::op::operands::Source;
use crate::op::plan::Plan;
use crate::op::real::Real as _;
use crate::op::refusal::Refusal;
use crate::op::rule::{Checks as _, at};
use crate::op::scalar::Scalar;
use crate::op::shape::Dims;

definitions! {
    aclnnMaxN = |call: &Call| together(call, JOINED, Join::Larger);
    aclnnMinN = |call: &Call| together(call, JOINED, Join::Smaller);
    aclnnAddRelu, aclnnInplaceAddRelu = formula!(|x, other, alpha| "max(x + alpha * other, 0)")
        .takes(types!(f32 f16 bf16 s8 s32 s64 u8)).gives(types!(f32 f16 bf16 s8 s32 s64 u8));
    aclnnAddr, aclnnInplaceAddr = outer_sum;
    aclnnLeftShift = SHIFTED;
    aclnnLeftShifts = SHIFTED;
    aclnnRightShift = formula!(whole |x, bits| "shift_right(x, bits)").same(WHOLE);
    aclnnLogSigmoidForward = log_sigmoid;
    aclnnSquaredRelu = formula!(real |x| "y = max(x, 0); y * y").same(SINGLE);
    aclnnLogit =
        formula!(real |x, eps| "y = eps < 0 ? x : min(max(x, eps), 1 - eps); ln(y / (1 - y))").same(SINGLE);
    aclnnModulate = modulate;
    aclnnGeGlu = geglu;
    aclnnGeluMul = gelu_mul;
    aclnnGlu = glu;
}

const SHIFTED: Elementwise<2> = formula!(whole | x, bits | "shift_left(x, bits)")
    .takes(WHOLE)
    .gives(WHOLE);

/// The types whose bits are shifted.
const WHOLE: Types = types!(s8 s16 s32 s64 u8 u16 u32 u64);

const JOINED: Types = types!(f32 f16 bf16 f64 s8 s16 s32 s64 u8);

/// `aclnnAddr(self, vec1, vec2, beta, alpha, out)`: the outer product of two vectors, and a matrix. A factor that is null is
/// 1, and `self` is not read where `beta` is 0.
fn outer_sum(call: &Call) -> Result<Plan, Refusal> {
    const OUTER: Elementwise<5> = formula!(
        |x, column, row, beta, alpha|
            "product = alpha * column * row; beta == 0 ? product : beta * x + product"
    )
    .takes(types!(f32 f16 bf16 f64 s8 s16 s32 s64 u8 bool));
    let (input, out) = (call.input("self")?, call.output("out")?);
    let mut column = call.input("vec1").ranked(1..=1)?;
    let row = call.input("vec2").ranked(1..=1)?;
    let (rows, step) = (column.elements(), column.tensor.strides);
    let out = out.shaped(&[rows, row.elements()])?;
    column.tensor.shape = Dims::new([rows, 1]).unwrap_or_default();
    column.tensor.strides = Dims::new(step.iter().chain([0])).unwrap_or_default();
    let factor = |name: &str| -> Result<Source, Refusal> {
        let given = call.optional_scalar(name)?;
        Ok(Source::Number(given.unwrap_or(Scalar::whole(1))))
    };
    let factors = [factor("betaOptional")?, factor("alphaOptional")?];
    let sources = [
        Source::Tensor(input),
        Source::Tensor(column),
        Source::Tensor(row),
    ];
    OUTER.plan_of(call, &[sources.as_slice(), &factors].concat(), out)
}

/// `aclnnLogSigmoidForward(self, out, buffer)`: a card leaves `buffer` as it is.
fn log_sigmoid(call: &Call) -> Result<Plan, Refusal> {
    let (input, out) = (call.input("self")?, call.output("out")?);
    let _ = call.output("buffer").like(&input)?;
    LOG_SIGMOID.plan_of(call, &[Source::Tensor(input)], out)
}

/// `aclnnModulate(self, scale, shift, out)`: each batch has a factor and a term for each column, or has none.
fn modulate(call: &Call) -> Result<Plan, Refusal> {
    const MODULATED: Elementwise<3> =
        formula!(real | x, scale, shift | "x * (1 + scale) + shift").same(SINGLE);
    let input = call.input("self").of(SINGLE).ranked(3..=3)?;
    let out = call.output("out").like(&input).shaped(input.shape())?;
    let mut sources = vec![Source::Tensor(input)];
    for name in ["scaleOptional", "shiftOptional"] {
        let Some(mut one) = call.optional_input(name)? else {
            sources.push(Source::Number(Scalar::whole(0)));
            continue;
        };
        let [batches, _, columns] = input.shape() else {
            continue;
        };
        if one.shape() == [*batches, *columns] {
            let steps = one.tensor.strides.as_slice();
            let strides = [at(steps, 0), 0, at(steps, 1)];
            one.tensor.strides = Dims::new(strides).unwrap_or_default();
            one.tensor.shape = Dims::new([*batches, 1, *columns]).unwrap_or_default();
        }
        sources.push(Source::Tensor(one.shaped(&[*batches, 1, *columns])?));
    }
    MODULATED.plan_of(call, &sources, out)
}

/// `aclnnGlu(self, dim, out)`
fn glu(call: &Call) -> Result<Plan, Refusal> {
    let input = call.input("self").of(types!(bf16 f16 f32 f64))?;
    let out = call.output("out").like(&input)?;
    let (dim, shape) = halves(call, &input)?;
    let out = out.shaped(&shape)?;
    let sigmoids = |to: &mut [f64], from: &[f64]| {
        for (to, from) in to.iter_mut().zip(from) {
            *to = from.sigmoid();
        }
    };
    gates(call, input, (out, None), dim, false, sigmoids)
}

/// `aclnnGeluMul(input, approximate, out)`: along the last dimension.
fn gelu_mul(call: &Call) -> Result<Plan, Refusal> {
    let input = call.input("input").of(SINGLE)?;
    let out = call.output("out").like(&input)?;
    let is_tanh = match call.text("approximateOptional")? {
        None | Some("none") => false,
        Some("tanh") => true,
        Some(other) => {
            return Err(Refusal::invalid(format_args!(
                "approximateOptional is {other:?}; it is \"none\" or \"tanh\""
            )));
        }
    };
    let (dim, shape) = halves_along(&input, -1)?;
    let out = out.shaped(&shape)?;
    let gelus = move |to: &mut [f32], from: &[f32]| normal::gelus(to, from, is_tanh);
    gates(call, input, (out, None), dim, true, gelus)
}

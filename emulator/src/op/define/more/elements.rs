//! Functions of elements, and gates.

use super::super::activation::LOG_SIGMOID;
use super::super::along::{gates, geglu, halves, halves_along};
use super::super::arithmetic::{Join, together};
use super::super::computed::Computed;
use super::super::softmax::soften;
use super::super::weights::{broadcast_like, of_channels};
use crate::op::by_formula::formula;
use crate::op::call::Call;
use crate::op::define::definitions;
use crate::op::dtype::{FLOATING, NUMBERS, REAL, SINGLE, Types, types};
use crate::op::elementwise::Elementwise;
use crate::op::normal;
use crate::op::operands::Source;
use crate::op::plan::Plan;
use crate::op::real::Real as _;
use crate::op::refusal::Refusal;
use crate::op::rule::{Checks as _, at, count, same_type};
use crate::op::scalar::Scalar;
use crate::op::shape::Dims;

definitions! {
    aclnnMaxN = |call: &Call| together(call, JOINED, Join::Larger);
    aclnnMinN = |call: &Call| together(call, JOINED, Join::Smaller);
    aclnnAddRelu, aclnnInplaceAddRelu = formula!(|x, other, alpha| "max(x + alpha * other, 0)")
        .takes(types!(f32 f16 bf16 s8 s32 s64 u8)).gives(types!(f32 f16 bf16 s8 s32 s64 u8));
    aclnnAddr, aclnnInplaceAddr, aclnnAddrV2, aclnnInplaceAddrV2 = outer_sum;
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
    aclnnInplaceAtan2 = formula!(real |x, other| "atan2(x, other)").gives(FLOATING);
    aclnnIsInTensorScalar =
        formula!(compared |element, test_element, assume_unique, invert|
            "invert ? element != test_element : element == test_element").joining(&["testElement"]);
    aclnnIsInScalarTensor = is_among;
    aclnnPrelu = parametric;
    aclnnFatreluMul = fatrelu_mul;
    aclnnSignBitsPack = pack;
    aclnnSignBitsUnpack = unpack;
    aclnnLogSpace = powers;
    aclnnScaledMaskedSoftmax = masked_softmax;
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
    const TYPES: Types = types!(f32 f16 bf16 f64 s8 s16 s32 s64 u8 bool);
    const OUTER: Elementwise<5> = formula!(
        |x, column, row, beta, alpha|
            "product = alpha * column * row; beta == 0 ? product : beta * x + product"
    )
    .takes(TYPES);
    /// With the factor 1 for both.
    const PLAIN: Elementwise<3> = formula!(|x, column, row| "x + column * row").takes(TYPES);
    let (input, out) = (call.input("self")?, call.output("out")?);
    let mut column = call.input("vec1").ranked(1..=1)?;
    let row = call.input("vec2").ranked(1..=1)?;
    let (rows, step) = (column.elements(), column.tensor.strides);
    let out = out.shaped(&[rows, row.elements()])?;
    column.tensor.shape = Dims::new([rows, 1]).unwrap_or_default();
    column.tensor.strides = Dims::new(step.iter().chain([0])).unwrap_or_default();
    let factor = |name: &str| -> Result<Scalar, Refusal> {
        let given = call.optional_scalar(name)?;
        Ok(given.unwrap_or(Scalar::whole(1)))
    };
    let factors = [factor("betaOptional")?, factor("alphaOptional")?];
    let sources = [
        Source::Tensor(input),
        Source::Tensor(column),
        Source::Tensor(row),
    ];
    if factors.iter().all(|one| one.to_f64() == 1.0) {
        return PLAIN.plan_of(call, &sources, out);
    }
    let factors = factors.map(Source::Number);
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

/// `aclnnIsInScalarTensor(element, testElements, assumeUnique, invert, out)`
fn is_among(call: &Call) -> Result<Plan, Refusal> {
    let input = call.input("testElements").of(REAL)?;
    let out = call.output("out").of(types!(bool))?;
    if out.elements() != 1 {
        return Err(Refusal::invalid(format_args!(
            "out has the shape {:?}; it has one element",
            out.shape()
        )));
    }
    let (element, is_inverse) = (call.scalar("element")?.to_f64(), call.flag("invert")?);
    let mut computed = Computed::new(&[Some(input)], &[Some(out)], |computed, numbers| {
        let is_found = numbers.inputs[0].contains(&computed.numbers[0]);
        let is_true = is_found == (computed.sizes[0] == 0);
        numbers.outs[0].fill(f64::from(u8::from(is_true)));
    });
    computed.sizes[0] = usize::from(is_inverse);
    computed.numbers[0] = element;
    computed.plan(call)
}

/// `aclnnPrelu(self, weight, out)`: the channels are the second dimension.
fn parametric(call: &Call) -> Result<Plan, Refusal> {
    const PARAMETRIC: Elementwise<2> =
        formula!(real | x, weight | "x > 0 ? x : weight * x").same(SINGLE);
    let input = call.input("self").of(SINGLE)?;
    let weight = of_channels(call.input("weight").like(&input)?, &input)?;
    let sources = [Source::Tensor(input), Source::Tensor(weight)];
    PARAMETRIC.plan_of(call, &sources, call.output("out").shaped(input.shape())?)
}

/// `aclnnFatreluMul(input, threshold, out)`: along the last dimension.
fn fatrelu_mul(call: &Call) -> Result<Plan, Refusal> {
    let input = call.input("input").of(SINGLE)?;
    let threshold = call.input("threshold").like(&input)?;
    let (dim, shape) = halves_along(&input, -1)?;
    let out = call.output("out").like(&input)?.shaped(&shape)?;
    if threshold.elements() != 1 {
        return Err(Refusal::invalid(format_args!(
            "threshold has the shape {:?}; it has one element",
            threshold.shape()
        )));
    }
    let inputs = [Some(input), Some(threshold)];
    let mut computed = Computed::new(&inputs, &[Some(out)], |computed, numbers| {
        let half = computed.sizes[0].max(1);
        let [elements, threshold, ..] = &numbers.inputs;
        let least = at(threshold, 0);
        let rows = elements.chunks(2 * half);
        for (row, results) in rows.zip(numbers.outs[0].chunks_mut(half)) {
            let (gates, others) = row.split_at_checked(half).unwrap_or_default();
            for (result, (gate, other)) in results.iter_mut().zip(gates.iter().zip(others)) {
                *result = if *gate > least {
                    gate * other
                } else {
                    0.0 * other
                };
            }
        }
    });
    computed.sizes[0] = at(&shape, dim);
    computed.plan(call)
}

/// `aclnnSignBitsPack(self, size, out)`: a bit is 1 where the number is not negative. The bits of the last byte without a number
/// are 0.
fn pack(call: &Call) -> Result<Plan, Refusal> {
    let input = call.input("self").of(types!(f32 f16)).ranked(1..=1)?;
    let size = count("size", call.whole("size")?)?;
    let bytes = input.elements().div_ceil(8);
    if size == 0 || !bytes.is_multiple_of(size) {
        return Err(Refusal::invalid(format_args!(
            "size is {size}; it has to divide {bytes} bytes"
        )));
    }
    let out = call.output("out").of(types!(u8));
    let out = out.shaped(&[size, bytes / size])?;
    Computed::new(&[Some(input)], &[Some(out)], |_, numbers| {
        let [elements, ..] = &numbers.inputs;
        for (result, chunk) in numbers.outs[0].iter_mut().zip(elements.chunks(8)) {
            let byte = chunk
                .iter()
                .enumerate()
                .fold(0u8, |byte, (bit, one)| byte | u8::from(*one >= 0.0) << bit);
            *result = f64::from(byte);
        }
    })
    .plan(call)
}

/// `aclnnSignBitsUnpack(self, size, dtype, out)`
fn unpack(call: &Call) -> Result<Plan, Refusal> {
    let input = call.input("self").of(types!(u8)).ranked(1..=1)?;
    let size = count("size", call.whole("size")?)?;
    let bits = 8 * input.elements();
    if size == 0 || !bits.is_multiple_of(size) {
        return Err(Refusal::invalid(format_args!(
            "size is {size}; it has to divide {bits} bits"
        )));
    }
    let out = call.output("out").shaped(&[size, bits / size])?;
    same_type(call.dtype("dtype")?, types!(f32 f16), &out)?;
    Computed::new(&[Some(input)], &[Some(out)], |_, numbers| {
        let [elements, ..] = &numbers.inputs;
        for (index, result) in numbers.outs[0].iter_mut().enumerate() {
            // CAST: a byte.
            let byte = at(elements, index / 8) as u8;
            *result = f64::from(2 * i8::from(byte >> (index % 8) & 1 == 1) - 1);
        }
    })
    .plan(call)
}

/// `aclnnLogSpace(start, end, steps, base, result)`
fn powers(call: &Call) -> Result<Plan, Refusal> {
    let steps = count("steps", call.whole("steps")?)?;
    let out = call.output("result").of(NUMBERS)?.shaped(&[steps])?;
    let [start, end] = ["start", "end"].map(|name| call.scalar(name));
    let (start, end, base) = (start?.to_f64(), end?.to_f64(), call.floating("base")?);
    let mut computed = Computed::new(&[], &[Some(out)], |computed, numbers| {
        let [start, end, base] = computed.numbers;
        // CAST: numbers of elements, which are exact.
        let last = numbers.outs[0].len().saturating_sub(1).max(1) as f64;
        for (index, result) in numbers.outs[0].iter_mut().enumerate() {
            *result = base.powf(start + (end - start) * index as f64 / last);
        }
    });
    computed.numbers = [start, end, base];
    computed.plan(call)
}

/// `aclnnScaledMaskedSoftmax(x, mask, scale, fixTriuMask, y)`: the elements that the mask chooses are -10000 in place of
/// `scale * x`.
fn masked_softmax(call: &Call) -> Result<Plan, Refusal> {
    let input = call.input("x").of(SINGLE).ranked(4..=4)?;
    let mask = call.input("mask").of(types!(bool)).ranked(4..=4)?;
    let out = call.output("y").like(&input)?.shaped(input.shape())?;
    if call.flag("fixTriuMask")? {
        return Err(Refusal::invalid("fixTriuMask is true; it has to be false"));
    }
    let mask = broadcast_like(mask, &input)?;
    let mut computed = Computed::new(
        &[Some(input), Some(mask)],
        &[Some(out)],
        |computed, numbers| {
            let width = computed.sizes[0].max(1);
            let [elements, chosen, ..] = numbers.inputs;
            let [results, ..] = numbers.outs;
            for (result, (one, chosen)) in results.iter_mut().zip(elements.iter().zip(chosen)) {
                *result = if *chosen > 0.0 {
                    -10000.0
                } else {
                    one * computed.numbers[0]
                };
            }
            results.chunks_mut(width).for_each(|row| soften(row, false));
        },
    );
    computed.is_spread = true;
    computed.sizes[0] = at(input.shape(), 3);
    computed.numbers[0] = call.floating("scale")?;
    computed.plan(call)
}

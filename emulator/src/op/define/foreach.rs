//! Operators on lists of tensors: an element-wise operator of each tensor.

use super::definitions;
use crate::op::by_formula::formula;
use crate::op::call::{Call, Input, Output, Value};
use crate::op::dtype::{SINGLE, types};
use crate::op::elementwise::{Elementwise, Rules};
use crate::op::operands::Source;
use crate::op::plan::{Definition, Plan};
use crate::op::refusal::Refusal;
use crate::op::rule::Checks as _;
use crate::op::scalar::Scalar;
use crate::op::sums::squares;

definitions! {
    aclnnForeachAcos, aclnnForeachACosInplace = each(formula!(real |x| "acos(x)").same(SINGLE));
    aclnnForeachAsin = each(formula!(real |x| "asin(x)").same(SINGLE));
    aclnnForeachAtan = each(formula!(real |x| "atan(x)").same(SINGLE));
    aclnnForeachCos = each(formula!(real |x| "cos(x)").same(SINGLE));
    aclnnForeachCosh = each(formula!(real |x| "cosh(x)").same(SINGLE));
    aclnnForeachErf = each(formula!(real |x| "erf(x)").same(SINGLE));
    aclnnForeachErfc = each(formula!(real |x| "erfc(x)").same(SINGLE));
    aclnnForeachExp = each(formula!(real |x| "exp(x)").same(SINGLE));
    aclnnForeachExpm1 = each(formula!(real |x| "exp_m1(x)").same(SINGLE));
    aclnnForeachLog, aclnnForeachLogInplace = each(formula!(real |x| "ln(x)").same(SINGLE));
    aclnnForeachLog10 = each(formula!(real |x| "log10(x)").same(SINGLE));
    aclnnForeachLog1p = each(formula!(real |x| "ln_1p(x)").same(SINGLE));
    aclnnForeachLog2 = each(formula!(real |x| "log2(x)").same(SINGLE));
    aclnnForeachReciprocal = each(formula!(real |x| "1 / x").same(SINGLE));
    aclnnForeachSigmoid = each(formula!(real |x| "sigmoid(x)").same(SINGLE));
    aclnnForeachSin = each(formula!(real |x| "sin(x)").same(SINGLE));
    aclnnForeachSinh = each(formula!(real |x| "sinh(x)").same(SINGLE));
    aclnnForeachSqrt = each(formula!(real |x| "sqrt(x)").same(SINGLE));
    aclnnForeachTan = each(formula!(real |x| "tan(x)").same(SINGLE));
    aclnnForeachTanh = each(formula!(real |x| "tanh(x)").same(SINGLE));
    aclnnForeachAbs = each(formula!(|x| "abs(x)").same(types!(f32 f16 bf16 s32)));
    aclnnForeachNeg = each(formula!(|x| "-x").same(types!(f32 f16 bf16 s8 s16 s32 u8)));
    aclnnForeachSign = each(formula!(|x| "sign(x)").same(types!(f32 f16 bf16 s8 s32 s64)));
    aclnnForeachCopy = each(formula!(|x| "x").same(types!(f32 f16 bf16 f64 s8 s16 s32 s64 u8 u16 u32 bool)));
    aclnnForeachAddList, aclnnForeachAddListV2, aclnnForeachAddListInplace = each(formula!(|x1, x2, alpha| "x1 + alpha * x2").same(types!(f32 f16 bf16 s32)));
    aclnnForeachSubList, aclnnForeachSubListV2, aclnnForeachSubListInplace = each(formula!(|x1, x2, alpha| "x1 - alpha * x2").same(types!(f32 f16 bf16 s32)));
    aclnnForeachMulList, aclnnForeachMulListInplace = each(formula!(|x1, x2| "x1 * x2").same(types!(f32 f16 bf16 s32)));
    aclnnForeachDivList, aclnnForeachDivListInplace = each(formula!(real |x1, x2| "x1 / x2").same(SINGLE));
    aclnnForeachMaximumList = each(formula!(|x1, x2| "max(x1, x2)").same(types!(f32 f16 bf16 s32)));
    aclnnForeachMinimumList = each(formula!(|x1, x2| "min(x1, x2)").same(types!(f32 f16 bf16 s32)));
    aclnnForeachPowList = each(formula!(|x1, x2| "power(x1, x2)").same(types!(f32 f16 bf16 s32)));
    aclnnForeachAddScalar, aclnnForeachAddScalarV2 = each(formula!(|x, scalar| "x + scalar").same(types!(f32 f16 bf16 s32)));
    aclnnForeachAddScalarList = each(formula!(|x, scalars| "x + scalars").same(types!(f32 f16 bf16 s32)));
    aclnnForeachSubScalar, aclnnForeachSubScalarV2, aclnnForeachSubScalarInplace = each(formula!(|x, scalar| "x - scalar").same(types!(f32 f16 bf16 s32)));
    aclnnForeachSubScalarList = each(formula!(|x, scalars| "x - scalars").same(types!(f32 f16 bf16 s32)));
    aclnnForeachMulScalar, aclnnForeachMulScalarV2, aclnnForeachMulScalarInplace = each(formula!(|x, scalar| "x * scalar").same(types!(f32 f16 bf16 s32)));
    aclnnForeachMulScalarList = each(formula!(|x, scalars| "x * scalars").same(types!(f32 f16 bf16 s32)));
    aclnnForeachDivScalar, aclnnForeachDivScalarV2 = each(formula!(real |x, scalar| "x / scalar").same(SINGLE));
    aclnnForeachDivScalarList = each(formula!(real |x, scalars| "x / scalars").same(SINGLE));
    aclnnForeachMaximumScalar, aclnnForeachMaximumScalarV2 = each(formula!(|x, scalar| "max(x, scalar)").same(types!(f32 f16 bf16 s32)));
    aclnnForeachMaximumScalarList = each(formula!(|x, scalars| "max(x, scalars)").same(types!(f32 f16 bf16 s32)));
    aclnnForeachMinimumScalar, aclnnForeachMinimumScalarV2 = each(formula!(|x, scalar| "min(x, scalar)").same(types!(f32 f16 bf16 s32)));
    aclnnForeachMinimumScalarList = each(formula!(|x, scalars| "min(x, scalars)").same(types!(f32 f16 bf16 s32)));
    aclnnForeachPowScalar, aclnnForeachPowScalarV2 = each(formula!(|x, scalar| "power(x, scalar)").same(types!(f32 f16 bf16 s32)));
    aclnnForeachPowScalarList = each(formula!(|x, scalars| "power(x, scalars)").same(types!(f32 f16 bf16 s32)));
    aclnnForeachPowScalarAndTensor = each(formula!(|scalar, x| "power(scalar, x)").same(types!(f32 f16 bf16 s32)));
    aclnnForeachAddcdivList = each(formula!(real |x1, x2, x3, scalars| "x1 + scalars * x2 / x3").same(SINGLE));
    aclnnForeachAddcdivScalar, aclnnForeachAddcdivScalarV2 = each(formula!(real |x1, x2, x3, scalar| "x1 + scalar * x2 / x3").same(SINGLE));
    aclnnForeachAddcdivScalarList = each(formula!(real |x1, x2, x3, scalars| "x1 + scalars * x2 / x3").same(SINGLE));
    aclnnForeachAddcmulList = each(formula!(|x1, x2, x3, scalars| "x1 + scalars * x2 * x3").same(types!(f32 f16 bf16 s32)));
    aclnnForeachAddcmulScalar, aclnnForeachAddcmulScalarV2 = each(formula!(|x1, x2, x3, scalar| "x1 + scalar * x2 * x3").same(types!(f32 f16 bf16 s32)));
    aclnnForeachAddcmulScalarList = each(formula!(|x1, x2, x3, scalars| "x1 + scalars * x2 * x3").same(types!(f32 f16 bf16 s32)));
    aclnnForeachRoundOffNumber, aclnnForeachRoundOffNumberV2 = each(formula!(real |x, round_mode|
        "up = floor(x); odd = remainder_down(up, 2) != 0 ? up : up + 1; \
         round_mode == 2 ? up : round_mode == 3 ? ceil(x) : round_mode == 4 ? sign(x) * floor(abs(x) + 0.5) : \
         round_mode == 5 ? trunc(x) : and(round_mode == 6, x - up == 0.5) ? odd : round(x)").same(SINGLE));
    aclnnForeachZeroInplace = each(formula!(|x| "0").same(types!(f32 f16 bf16 s16 s32 s64)));
    aclnnForeachNorm = norms;
    aclnnForeachNonFiniteCheckAndUnscale = unscale;
    aclnnForeachLerpList =
        each(formula!(real |x1, x2, weights| "between(x1, x2, weights)").same(SINGLE));
    aclnnForeachLerpScalar =
        each(formula!(real |x1, x2, weight| "between(x1, x2, weight)").same(SINGLE));
}

/// An element-wise operator of each tensor of a list. A tensor among the lists has a number for all tensors, or one for each.
struct Foreach(Rules);

const fn each<const N: usize>(operator: Elementwise<N>) -> Foreach {
    Foreach(operator.rules())
}

/// The operands of one tensor, its result, and the tensor that has a number among the operands.
struct One {
    sources: Vec<Source>,
    out: Output,
    number: Option<(usize, Input)>,
}

impl One {
    /// Returns the operands with this number in place of the tensor that has it.
    fn with(&self, number: f64) -> Vec<Source> {
        let mut sources = self.sources.clone();
        if let Some((place, _)) = self.number
            && let Some(source) = sources.get_mut(place)
        {
            *source = Source::Number(Scalar::floating(number));
        }
        sources
    }
}

impl Call {
    /// Whether the parameter `name` is a list of tensors.
    fn is_list(&self, name: &str) -> bool {
        matches!(self.value(name), Some(Value::Tensors(_)))
    }

    /// Returns the number of tensors of each list. Refuses lists of different lengths.
    fn list_lengths(&self) -> Result<usize, Refusal> {
        let mut found: Option<(&str, usize)> = None;
        for (name, value) in &self.arguments {
            let Value::Tensors(list) = value else {
                continue;
            };
            match found {
                Some((other, count)) if count != list.len() => {
                    return Err(Refusal::invalid(format_args!(
                        "{name} has {} tensors, and {other} has {count}",
                        list.len()
                    )));
                }
                _ => found = Some((name, list.len())),
            }
        }
        Ok(found.map_or(0, |(_, count)| count))
    }
}

impl Definition for Foreach {
    fn plan(&self, call: &Call) -> Result<Plan, Refusal> {
        let count = call.list_lengths()?;
        let mut all = Vec::with_capacity(count);
        for index in 0..count {
            let (sources, out) = call.elements_of(index, &|_| None)?;
            let is_number = |source: &Source| matches!(source, Source::Tensor(input) if !call.is_list(input.name));
            let number = sources.iter().position(is_number);
            let number = number.and_then(|place| match sources.get(place) {
                Some(Source::Tensor(input)) => Some((place, *input)),
                _ => None,
            });
            if let Some((_, input)) = number
                && ![1, count].contains(&input.elements())
            {
                return Err(Refusal::invalid(format_args!(
                    "{} has the shape {:?}; it has one number, or one for each of {count} tensors",
                    input.name,
                    input.shape()
                )));
            }
            let one = One {
                sources,
                out,
                number,
            };
            self.0.work_of(&one.with(1.0), out)?;
            all.push(one);
        }
        let operator = self.0;
        call.plan_boxed(Box::new(move |views| {
            for (index, one) in all.iter().enumerate() {
                let number = one.number.map_or(0.0, |(_, input)| {
                    let last = input.elements().saturating_sub(1);
                    views.input(&input).get(index.min(last))
                });
                // The first phase has checked the operands.
                if let Ok(Some((_, work))) = operator.work_of(&one.with(number), one.out) {
                    work(views);
                }
            }
        }))
    }
}

/// `aclnnForeachNorm(x, scalar, out)`: a number for each tensor.
fn norms(call: &Call) -> Result<Plan, Refusal> {
    call.list_lengths()?;
    let order = call.scalar("scalar")?.to_f64();
    let mut pairs = Vec::new();
    for (input, out) in call.inputs("x")?.into_iter().zip(call.outputs("out")?) {
        let (input, out) = (input.of(SINGLE)?, out.like(&input)?);
        if out.elements() != 1 {
            return Err(Refusal::invalid(format_args!(
                "out has the shape {:?}; it has one number for each tensor",
                out.shape()
            )));
        }
        pairs.push((input, out));
    }
    call.plan(move |views| {
        for (input, out) in &pairs {
            let numbers = views.input(input);
            // SAFETY: the kernel writes the output below, after the last use of these elements.
            let numbers = unsafe { numbers.numbers::<f32>() };
            let sizes = numbers.iter().map(|one| f64::from(one.abs()));
            let norm = if order == 2.0 {
                squares(&numbers, 0.0).sqrt()
            } else if order == f64::INFINITY {
                sizes.fold(0.0, f64::max)
            } else if order == f64::NEG_INFINITY {
                sizes.fold(f64::INFINITY, f64::min)
            } else if order == 0.0 {
                sizes.filter(|one| *one != 0.0).map(|_| 1.0).sum()
            } else {
                sizes
                    .map(|one| one.powf(order))
                    .sum::<f64>()
                    .powf(1.0 / order)
            };
            views.output(out).put_all(&[norm]);
        }
    })
}

/// `aclnnForeachNonFiniteCheckAndUnscale(scaledGrads, foundInf, invScale)`: `foundInf` stays as it is if all numbers are finite.
fn unscale(call: &Call) -> Result<Plan, Refusal> {
    let factor = call.input("invScale").of(types!(f32))?;
    let found = call.output("foundInf").of(types!(f32))?;
    if factor.elements() != 1 || found.elements() != 1 {
        return Err(Refusal::invalid(format_args!(
            "invScale {:?} and foundInf {:?} have one number each",
            factor.shape(),
            found.shape()
        )));
    }
    let mut pairs = Vec::new();
    for (input, out) in call
        .inputs("scaledGrads")?
        .into_iter()
        .zip(call.outputs("scaledGrads")?)
    {
        pairs.push((input.of(SINGLE)?, out));
    }
    call.plan(move |views| {
        let factor = views.input(&factor).get::<f64>(0);
        let mut is_finite = true;
        for (input, out) in &pairs {
            let mut numbers = views.input(input).all::<f64>();
            is_finite &= numbers.iter().all(|one| one.is_finite());
            numbers.iter_mut().for_each(|one| *one *= factor);
            views.output(out).put_all(&numbers);
        }
        if !is_finite {
            views.output(&found).put_all(&[1.0]);
        }
    })
}

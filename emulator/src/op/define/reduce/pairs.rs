//! Reductions with two results, those of whole channels, and other norms and logarithms.

use super::{Real, Reduction, Way, check_cast, check_elements, over, reduction, run_all};
use crate::op::call::{Call, Input, Output};
use crate::op::define::definitions;
use crate::op::dtype::{Kind, REAL, SINGLE, kind, types};
use crate::op::plan::Plan;
use crate::op::refusal::Refusal;
use crate::op::rule::{Checks as _, same_type};

definitions! {
    aclnnAminmax = extremes;
    aclnnAminmaxAll = extremes;
    aclnnAminmaxDim = extremes;
    aclnnVarMean = |call: &Call| moments(call, "varOut", false);
    aclnnStdMeanCorrection = |call: &Call| moments(call, "stdOut", true);
    aclnnVarCorrection = corrected;
    aclnnGlobalAveragePool = |call: &Call| channels(call, Way::Real(Real::Mean));
    aclnnLinalgVectorNorm = vector_norm;
    aclnnReduceLogSum = logarithm_of_sum;
    aclnnReduceNansum = numbers_alone;
    aclnnMeanV2 = mean_or_none;
    aclnnMaxV2 = largest_or_none;
    aclnnGlobalMaxPool = |call: &Call| channels(call, Way::Largest);
}

/// Plans two reductions of the same dimensions.
fn both(
    call: &Call,
    input: Input,
    ways: [(Way, Output); 2],
    dims: &[i64],
    keeps: bool,
) -> Result<Plan, Refusal> {
    let [one, other] = ways;
    let of = |(way, out): (Way, Output)| -> Result<Reduction, Refusal> {
        reduction(way, input.dtype(), (input, out), dims, keeps)
    };
    run_all(call, vec![of(one)?, of(other)?])
}

/// `aclnnAminmax(self, dim, keepDim, minOut, maxOut)`, `aclnnAminmaxDim` with one dimension, and `aclnnAminmaxAll` without any.
fn extremes(call: &Call) -> Result<Plan, Refusal> {
    let input = call.input("self").of(REAL)?;
    let least = call.output("minOut").like(&input)?;
    let most = call.output("maxOut").like(&input)?;
    check_elements(&input)?;
    let one = call.whole("dim").map(|dim| [dim]);
    let dims = match &one {
        Ok(dim) => dim.as_slice(),
        Err(_) => call.ints("dim").unwrap_or_default(),
    };
    let keeps = call.has("keepDim") && call.flag("keepDim")?;
    let ways = [(Way::Smallest, least), (Way::Largest, most)];
    both(call, input, ways, dims, keeps)
}

/// `aclnnVarMean(self, dim, correction, keepdim, varOut, meanOut)`, and `aclnnStdMeanCorrection` with the root.
fn moments(call: &Call, name: &str, is_root: bool) -> Result<Plan, Refusal> {
    let input = call.input("self").of(SINGLE)?;
    let spread = call.output(name).of(SINGLE)?;
    let mean = call.output("meanOut").of(SINGLE)?;
    // CAST: a number of elements, which is exact.
    let correction = call.whole("correction")? as f64;
    let ways = [
        (Way::Real(Real::Variance(correction, is_root)), spread),
        (Way::Real(Real::Mean), mean),
    ];
    both(call, input, ways, call.ints("dim")?, call.flag("keepdim")?)
}

/// `aclnnVarCorrection(self, dim, correction, keepdim, out)`
fn corrected(call: &Call) -> Result<Plan, Refusal> {
    let input = call.input("self").of(SINGLE)?;
    let out = call.output("out").of(SINGLE)?;
    // CAST: a number of elements, which is exact.
    let way = Way::Real(Real::Variance(call.whole("correction")? as f64, false));
    let (dims, keeps) = (call.ints("dim")?, call.flag("keepdim")?);
    over(call, way, input.dtype(), (input, out), dims, keeps)
}

/// `aclnnGlobalAveragePool(self, out)` and `aclnnGlobalMaxPool(self, out)`: all but the first two dimensions become 1.
fn channels(call: &Call, way: Way) -> Result<Plan, Refusal> {
    let input = call.input("self").of(types!(f16 f32 f64)).ranked(3..=8)?;
    let out = call.output("out").like(&input)?;
    check_elements(&input)?;
    // CAST: a rank is at most 8.
    let dims = Vec::from_iter(2..input.shape().len() as i64);
    over(call, way, input.dtype(), (input, out), &dims, true)
}

/// `aclnnLinalgVectorNorm(self, ord, dims, keepDims, dtype, out)`
fn vector_norm(call: &Call) -> Result<Plan, Refusal> {
    let (input, out) = (
        call.input("self").of(SINGLE)?,
        call.output("out").of(SINGLE)?,
    );
    same_type(call.dtype("dtype")?, SINGLE, &out)?;
    let way = Way::Real(Real::Norm(call.scalar("ord")?.to_f64()));
    let (dims, keeps) = (call.ints("dims")?, call.flag("keepDims")?);
    over(call, way, input.dtype(), (input, out), dims, keeps)
}

/// `aclnnReduceLogSum(data, axes, keepDims, noopWithEmptyAxes, reduce)`
fn logarithm_of_sum(call: &Call) -> Result<Plan, Refusal> {
    let input = call.input("data").of(types!(f16 f32))?;
    let out = call.output("reduce").like(&input)?;
    let flags = [call.flag("keepDims")?, call.flag("noopWithEmptyAxes")?];
    let way = Way::Real(Real::LogSum);
    over_or_none(call, way, (input, out), call.ints("axes")?, flags)
}

/// `aclnnReduceNansum(self, dim, keepDim, dtype, out)`
fn numbers_alone(call: &Call) -> Result<Plan, Refusal> {
    let (input, out) = (call.input("self").of(REAL)?, call.output("out").of(REAL)?);
    let dtype = call.dtype("dtype")?;
    same_type(dtype, REAL, &out)?;
    check_cast(&input, dtype)?;
    let way = match kind(dtype) {
        Some(Kind::Floating) => Way::Real(Real::Numbers),
        Some(Kind::Truth) => Way::Any,
        _ => Way::Sum,
    };
    let (dims, keeps) = (call.ints("dim")?, call.flag("keepDim")?);
    over(call, way, dtype, (input, out), dims, keeps)
}

/// `aclnnMeanV2(self, dim, keepDim, noopWithEmptyAxes, out)`
fn mean_or_none(call: &Call) -> Result<Plan, Refusal> {
    let input = call.input("self").of(SINGLE)?;
    let out = call.output("out").like(&input)?;
    let flags = [call.flag("keepDim")?, call.flag("noopWithEmptyAxes")?];
    let way = Way::Real(Real::Mean);
    over_or_none(call, way, (input, out), call.ints("dim")?, flags)
}

/// `aclnnMaxV2(self, dims, keepDims, noopWithEmptyDims, out)`
fn largest_or_none(call: &Call) -> Result<Plan, Refusal> {
    let input = call.input("self").of(REAL)?;
    let out = call.output("out").like(&input)?;
    check_elements(&input)?;
    let flags = [call.flag("keepDims")?, call.flag("noopWithEmptyDims")?];
    over_or_none(call, Way::Largest, (input, out), call.ints("dims")?, flags)
}

/// Reduces some dimensions. If there are none, the flag says whether the elements stay as they are.
fn over_or_none(
    call: &Call,
    way: Way,
    (input, out): (Input, Output),
    dims: &[i64],
    [keeps, stays]: [bool; 2],
) -> Result<Plan, Refusal> {
    if !(stays && dims.is_empty()) {
        return over(call, way, input.dtype(), (input, out), dims, keeps);
    }
    let out = out.shaped(input.shape())?;
    let is_reduced = vec![false; input.shape().len()];
    run_all(
        call,
        vec![Reduction {
            way: Way::Sum,
            through: input.dtype(),
            input,
            out,
            is_reduced,
            keeps: true,
        }],
    )
}

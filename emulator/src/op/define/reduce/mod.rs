//! Operators that reduce many elements to one.

#[cfg(feature = "more-operators")]
mod pairs;
mod rows;

#[cfg(feature = "more-operators")]
pub(in crate::op) use pairs::*;

use ascendcl_sys::{ACL_BOOL, aclDataType};

use super::definitions;
use crate::op::call::{Call, Input, Output};
use crate::op::dtype::{Kind, NUMBERS, REAL, SINGLE, can_cast, kind, types};
use crate::op::elements::Elements;
use crate::op::number::{Number, Whole};
use crate::op::plan::Plan;
use crate::op::refusal::Refusal;
use crate::op::rule::{Checks as _, dimension, same_type};
use crate::op::shape::Dims;
use crate::op::view::Views;
use crate::results::list_of;
use crate::sync::cores::fill;

definitions! {
    aclnnReduceSum = sum;
    aclnnMean = mean;
    aclnnProd = product;
    aclnnProdDim = product_along;
    aclnnMax = |call: &Call| extreme(call, Way::Largest);
    aclnnMin = |call: &Call| extreme(call, Way::Smallest);
    aclnnAmax = |call: &Call| extreme_over(call, Way::Largest);
    aclnnAmin = |call: &Call| extreme_over(call, Way::Smallest);
    aclnnAll = |call: &Call| truth(call, Way::All);
    aclnnAny = |call: &Call| truth(call, Way::Any);
    aclnnVar = variance;
    aclnnStd = deviation;
    aclnnNorm = norm;
    aclnnLogSumExp = logarithm;
}

/// The number of elements for which another thread is worth its start.
const GRAIN: usize = 1 << 16;

/// The way from many elements to one.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Way {
    Sum,
    Product,
    Largest,
    Smallest,
    All,
    Any,
    /// Ways with a result that is a fraction.
    Real(Real),
}

/// Ways whose results are computed in double precision.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Real {
    Mean,
    /// With the number that is subtracted from the number of elements, and whether the root is drawn.
    Variance(f64, bool),
    /// With the order.
    Norm(f64),
    LogSumExp,
    #[cfg(feature = "more-operators")]
    LogSum,
    /// The sum of what is a number.
    #[cfg(feature = "more-operators")]
    Numbers,
}

/// `aclnnReduceSum(self, dims, keepDims, dtype, out)`: the sums over some dimensions, in the data type `dtype`, which
/// is also the type of `out`. The sum of no elements is 0.
fn sum(call: &Call) -> Result<Plan, Refusal> {
    let (input, out) = (call.input("self").of(REAL)?, call.output("out").of(REAL)?);
    let dtype = call.dtype("dtype")?;
    same_type(dtype, REAL, &out)?;
    let way = if dtype == ACL_BOOL {
        Way::Any
    } else {
        Way::Sum
    };
    over(
        call,
        way,
        dtype,
        (input, out),
        call.ints("dims")?,
        call.flag("keepDims")?,
    )
}

/// `aclnnMean(self, dim, keepDim, dtype, out)`: the mean of no elements is NaN.
fn mean(call: &Call) -> Result<Plan, Refusal> {
    let (input, out) = (
        call.input("self").of(NUMBERS)?,
        call.output("out").of(NUMBERS)?,
    );
    let dtype = call.dtype("dtype")?;
    if !NUMBERS.contains(&dtype) {
        return Err(Refusal::unsupported("dtype", dtype, NUMBERS));
    }
    check_cast(&input, dtype)?;
    let out = out.cast_from(dtype)?;
    over(
        call,
        Way::Real(Real::Mean),
        dtype,
        (input, out),
        call.ints("dim")?,
        call.flag("keepDim")?,
    )
}

/// `aclnnProd(self, dtype, out)`: the product of all elements.
fn product(call: &Call) -> Result<Plan, Refusal> {
    let (input, out) = (call.input("self").of(REAL)?, call.output("out").of(REAL)?);
    let dtype = call.dtype("dtype")?;
    same_type(dtype, REAL, &out)?;
    check_cast(&input, dtype)?;
    let out = of_one_element(out)?;
    whole(call, Way::Product, dtype, input, out)
}

/// `aclnnProdDim(self, dim, keepDim, dtype, out)`
fn product_along(call: &Call) -> Result<Plan, Refusal> {
    let (input, out) = (call.input("self").of(REAL)?, call.output("out").of(REAL)?);
    let dtype = call.dtype("dtype")?;
    same_type(dtype, REAL, &out)?;
    check_cast(&input, dtype)?;
    let dims = [call.whole("dim")?];
    over(
        call,
        Way::Product,
        dtype,
        (input, out),
        &dims,
        call.flag("keepDim")?,
    )
}

/// `aclnnMax(self, out)` and `aclnnMin(self, out)`
fn extreme(call: &Call, way: Way) -> Result<Plan, Refusal> {
    let (input, out) = (call.input("self").of(REAL)?, call.output("out").of(REAL)?);
    let out = of_one_element(out.cast_from(input.dtype())?)?;
    check_elements(&input)?;
    whole(call, way, input.dtype(), input, out)
}

/// `aclnnAmax(self, dim, keepDim, out)` and `aclnnAmin(self, dim, keepDim, out)`
fn extreme_over(call: &Call, way: Way) -> Result<Plan, Refusal> {
    let input = call.input("self").of(REAL)?;
    let out = call.output("out").of(REAL).like(&input)?;
    if out.elements() > 0 {
        check_elements(&input)?;
    }
    over(
        call,
        way,
        input.dtype(),
        (input, out),
        call.ints("dim")?,
        call.flag("keepDim")?,
    )
}

/// `aclnnAll(self, dim, keepdim, out)` and `aclnnAny(self, dim, keepdim, out)`
fn truth(call: &Call, way: Way) -> Result<Plan, Refusal> {
    let (input, out) = (
        call.input("self").of(REAL)?,
        call.output("out").of(types!(bool u8))?,
    );
    over(
        call,
        way,
        input.dtype(),
        (input, out),
        call.ints("dim")?,
        call.flag("keepdim")?,
    )
}

/// `aclnnVar(self, dim, unbiased, keepdim, out)`
fn variance(call: &Call) -> Result<Plan, Refusal> {
    let correction = f64::from(u8::from(call.flag("unbiased")?));
    spread(call, Real::Variance(correction, false))
}

/// `aclnnStd(self, dim, correction, keepdim, out)`
fn deviation(call: &Call) -> Result<Plan, Refusal> {
    // CAST: a number of elements, which is exact.
    let correction = call.whole("correction")? as f64;
    spread(call, Real::Variance(correction, true))
}

fn spread(call: &Call, way: Real) -> Result<Plan, Refusal> {
    let (input, out) = (
        call.input("self").of(SINGLE)?,
        call.output("out").of(SINGLE)?,
    );
    over(
        call,
        Way::Real(way),
        input.dtype(),
        (input, out),
        call.ints("dim")?,
        call.flag("keepdim")?,
    )
}

/// `aclnnNorm(self, pScalar, dim, keepdim, out)`
fn norm(call: &Call) -> Result<Plan, Refusal> {
    let (input, out) = (
        call.input("self").of(SINGLE)?,
        call.output("out").of(SINGLE)?,
    );
    let way = Way::Real(Real::Norm(call.scalar("pScalar")?.to_f64()));
    over(
        call,
        way,
        input.dtype(),
        (input, out),
        call.ints("dim")?,
        call.flag("keepdim")?,
    )
}

/// `aclnnLogSumExp(self, dim, keepDim, out)`
fn logarithm(call: &Call) -> Result<Plan, Refusal> {
    let input = call
        .input("self")
        .of(types!(bf16 f16 f32 s8 s16 s32 s64 u8 bool))?;
    let out = call.output("out").of(SINGLE)?;
    let way = Way::Real(Real::LogSumExp);
    over(
        call,
        way,
        input.dtype(),
        (input, out),
        call.ints("dim")?,
        call.flag("keepDim")?,
    )
}

/// Plans reductions, each with its own output.
fn run_all(call: &Call, reductions: Vec<Reduction>) -> Result<Plan, Refusal> {
    if reductions.iter().all(|one| one.out.elements() == 0) {
        return Ok(call.nothing());
    }
    call.plan(move |views| reductions.iter().for_each(|one| one.run(views)))
}

fn check_cast(input: &Input, dtype: aclDataType) -> Result<(), Refusal> {
    if can_cast(input.dtype(), dtype) {
        return Ok(());
    }
    Err(Refusal::invalid(format_args!(
        "{} has the data type {:?}, which cannot be cast to dtype, {dtype:?}",
        input.name,
        input.dtype()
    )))
}

fn check_elements(input: &Input) -> Result<(), Refusal> {
    if input.elements() > 0 {
        return Ok(());
    }
    Err(Refusal::invalid(format_args!(
        "{} has no elements: {:?}",
        input.name,
        input.shape()
    )))
}

/// Refuses an output of more or fewer than one element.
fn of_one_element(out: Output) -> Result<Output, Refusal> {
    if out.elements() == 1 {
        return Ok(out);
    }
    Err(Refusal::invalid(format_args!(
        "{} has the shape {:?}; it has one element",
        out.name,
        out.shape()
    )))
}

/// Reduces all dimensions to the only element of the output.
fn whole(
    call: &Call,
    way: Way,
    through: aclDataType,
    input: Input,
    out: Output,
) -> Result<Plan, Refusal> {
    let reduction = Reduction {
        way,
        through,
        input,
        out,
        is_reduced: vec![true; input.shape().len()],
        // The element of the output has no other place, whatever the shape is.
        keeps: false,
    };
    run_all(call, vec![reduction])
}

/// Reduces some dimensions, or all of them if `dims` is empty. Elements are converted to the type `through` before.
fn over(
    call: &Call,
    way: Way,
    through: aclDataType,
    (input, out): (Input, Output),
    dims: &[i64],
    keeps: bool,
) -> Result<Plan, Refusal> {
    let reduction = reduction(way, through, (input, out), dims, keeps)?;
    run_all(call, vec![reduction])
}

/// Checks a reduction of some dimensions, or of all of them if `dims` is empty.
fn reduction(
    way: Way,
    through: aclDataType,
    (input, out): (Input, Output),
    dims: &[i64],
    keeps: bool,
) -> Result<Reduction, Refusal> {
    let is_reduced = reduced(dims, input.shape().len())?;
    let shape = input.shape().iter().enumerate();
    let shape = shape.filter_map(|(index, size)| match is_reduced.get(index) {
        Some(true) => keeps.then_some(1),
        _ => Some(*size),
    });
    let shape = list_of(shape);
    let out = if takes_any_one(way) {
        out.shaped_or_one(&shape)?
    } else {
        out.shaped(&shape)?
    };
    Ok(Reduction {
        way,
        through,
        input,
        out,
        is_reduced,
        keeps,
    })
}

/// Returns whether CANN writes an only result to an output of any shape with one element. The other reductions compare
/// the shapes.
fn takes_any_one(way: Way) -> bool {
    matches!(way, Way::Sum | Way::Any | Way::Real(Real::Mean))
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

/// The dimensions that stay, with their strides in the input and in the output, and those that are reduced.
struct Shapes {
    counts: Dims,
    of_counts: Dims,
    of_row: Dims,
    of_steps: Dims,
    of_out: Dims,
}

/// A checked reduction.
struct Reduction {
    way: Way,
    through: aclDataType,
    input: Input,
    out: Output,
    is_reduced: Vec<bool>,
    keeps: bool,
}

impl Reduction {
    fn run(&self, views: &Views<'_>) {
        let is_whole = kind(self.through) < Some(Kind::Floating);
        if self.by_rows(views, is_whole) {
            return;
        }
        match self.way {
            Way::Real(way) => self.walk::<f64>(views, &|elements| real(way, elements)),
            Way::Sum if !is_whole => self.walk::<f64>(views, &|elements| elements.total()),
            way @ (Way::Largest | Way::Smallest) if !is_whole => {
                let is_largest = way == Way::Largest;
                self.walk::<f64>(views, &|elements| elements.extreme(is_largest));
            }
            Way::Product if !is_whole => self.walk::<f64>(views, &|elements| elements.product()),
            Way::Sum if is_whole => self.walk::<Whole>(views, &|elements| elements.total()),
            way if is_whole => self.walk::<Whole>(views, &|elements| fold(way, elements)),
            way => self.walk::<f64>(views, &|elements| fold(way, elements)),
        }
    }

    /// Stores the results, if there are any, and returns whether there were.
    fn put<W: Number>(&self, views: &Views<'_>, results: Option<Vec<W>>) -> bool {
        let mut out = views.output(&self.out);
        let Shapes { counts, of_out, .. } = self.shapes();
        let is_done = results.is_some();
        for (to, result) in counts.offsets(of_out).zip(results.unwrap_or_default()) {
            out.put(to, result);
        }
        is_done
    }

    /// Returns the shapes and strides of the walk.
    fn shapes(&self) -> Shapes {
        let (shape, strides) = (&self.input.tensor.shape, &self.input.tensor.strides);
        let is_reduced = |index: usize| self.is_reduced.get(index) == Some(&true);
        let (counts, of_row) = shape.split(&is_reduced);
        let (of_counts, of_steps) = strides.split(&is_reduced);
        let of_out = self.out.tensor.strides;
        let of_out = if self.keeps {
            of_out.split(&is_reduced).0
        } else {
            of_out
        };
        Shapes {
            counts,
            of_counts,
            of_row: of_row.without_empty_rows(),
            of_steps,
            of_out,
        }
    }

    /// Calls a function for each element of the output.
    fn walk<W: Number>(&self, views: &Views<'_>, reduce: &(dyn Fn(&Elements<'_, W>) -> W + Sync)) {
        let Shapes {
            counts,
            of_counts,
            of_row,
            of_steps,
            ..
        } = self.shapes();
        let grain = GRAIN / of_row.elements().unwrap_or(usize::MAX).max(1);
        let readers = views.shared();
        let mut results = vec![W::ZERO; counts.elements().unwrap_or(0)];
        fill(&mut results, grain, &|first, results| {
            let view = readers.input(&self.input);
            let mut elements =
                Elements::new(view, self.input.dtype(), self.through, (&of_row, &of_steps));
            for (index, result) in (first..).zip(results) {
                elements.start_at(counts.offset(&of_counts, index).unwrap_or(0));
                *result = reduce(&elements);
            }
        });
        self.put(views, Some(results));
    }
}

fn fold<W: Number>(way: Way, elements: &Elements<'_, W>) -> W {
    let any = |wanted: bool| {
        let mut found = false;
        elements.each(&mut |block| found |= block.iter().any(|one| one.is_true() == wanted));
        found
    };
    match way {
        Way::Product => elements
            .fold(|one, other| one * other)
            .unwrap_or(W::truth(true)),
        Way::Largest => elements.fold(W::larger).unwrap_or(W::ZERO),
        Way::Smallest => elements.fold(W::smaller).unwrap_or(W::ZERO),
        Way::All => W::truth(!any(false)),
        Way::Any => W::truth(any(true)),
        Way::Sum | Way::Real(_) => elements.fold(|one, other| one + other).unwrap_or(W::ZERO),
    }
}

fn real(way: Real, elements: &Elements<'_, f64>) -> f64 {
    // CAST: a number of elements, which is exact.
    let count = elements.count() as f64;
    match way {
        Real::Mean => elements.total() / count,
        Real::Variance(correction, is_root) => {
            let mean = elements.exact_total() / count;
            let variance = elements.squares(mean) / (count - correction).max(0.0);
            if is_root { variance.sqrt() } else { variance }
        }
        Real::Norm(order) if order == f64::INFINITY => elements
            .fold(|one, other| one.abs().larger(other.abs()))
            .unwrap_or(0.0)
            .abs(),
        Real::Norm(order) if order == f64::NEG_INFINITY => elements
            .fold(|one, other| one.abs().smaller(other.abs()))
            .unwrap_or(0.0)
            .abs(),
        Real::Norm(0.0) => elements.sum(Some(&|one| f64::from(u8::from(one != 0.0)))),
        Real::Norm(1.0) => elements.sum(Some(&f64::abs)),
        Real::Norm(2.0) => elements.squares(0.0).sqrt(),
        Real::Norm(order) => elements
            .sum(Some(&|one| one.abs().powf(order)))
            .powf(1.0 / order),
        #[cfg(feature = "more-operators")]
        Real::LogSum => elements.total().ln(),
        #[cfg(feature = "more-operators")]
        Real::Numbers => elements.sum(Some(&|one| if one.is_nan() { 0.0 } else { one })),
        Real::LogSumExp if elements.is_single() => elements.log_sum_exp(),
        Real::LogSumExp => {
            let most = elements.fold(f64::larger).unwrap_or(f64::NEG_INFINITY);
            // An infinite element is the result.
            let most = if most.is_finite() { most } else { 0.0 };
            elements.sum(Some(&|one| (one - most).exp())).ln() + most
        }
    }
}

//! Operators that reduce many elements to one.

use ascendcl_sys::{ACL_BOOL, aclDataType};

use super::definitions;
use crate::op::call::{Call, Input, Output};
use crate::op::cores::fill;
use crate::op::dtype::{Kind, NUMBERS, REAL, SINGLE, can_cast, kind, types};
use crate::op::number::{Number, Whole};
use crate::op::plan::Plan;
use crate::op::refusal::Refusal;
use crate::op::rule::{dimension, same_type};
use crate::op::shape::Dims;
use crate::op::view::{View, Views};

definitions! {
    aclnnReduceSum = sum;
    aclnnMean = mean;
    aclnnProd = product;
    aclnnProdDim = product_along;
    aclnnMax = |call: &Call| extreme(call, Way::Largest);
    aclnnMin = |call: &Call| extreme(call, Way::Smallest);
    aclnnAmax = |call: &Call| extreme_over(call, Way::Largest);
    aclnnAmin = |call: &Call| extreme_over(call, Way::Smallest);
    aclnnAll = |call: &Call| truth(call, Way::All, types!(bool u8));
    aclnnAny = |call: &Call| truth(call, Way::Any, types!(bool));
    aclnnVar = variance;
    aclnnStd = deviation;
    aclnnNorm = norm;
    aclnnLogSumExp = logarithm;
}

/// The number of elements that are added one after the other. The sums of these blocks are added in pairs, as vector
/// units do. So the error grows only with the logarithm of the number of elements.
const BLOCK: usize = 128;

/// The number of sums of a block that are made at the same time.
const LANES: usize = 8;

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
}

/// `aclnnReduceSum(self, dims, keepDims, dtype, out)`: the sums over some dimensions, in the data type `dtype`, which
/// is also the type of `out`. The sum of no elements is 0.
fn sum(call: &Call) -> Result<Plan, Refusal> {
    let (input, out) = (call.input("self")?.of(REAL)?, call.output("out")?.of(REAL)?);
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
        call.input("self")?.of(NUMBERS)?,
        call.output("out")?.of(NUMBERS)?,
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
    let (input, out) = (call.input("self")?.of(REAL)?, call.output("out")?.of(REAL)?);
    let dtype = call.dtype("dtype")?;
    same_type(dtype, REAL, &out)?;
    check_cast(&input, dtype)?;
    let out = of_one_element(out)?;
    whole(call, Way::Product, dtype, input, out)
}

/// `aclnnProdDim(self, dim, keepDim, dtype, out)`
fn product_along(call: &Call) -> Result<Plan, Refusal> {
    let (input, out) = (call.input("self")?.of(REAL)?, call.output("out")?.of(REAL)?);
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
    let (input, out) = (call.input("self")?.of(REAL)?, call.output("out")?.of(REAL)?);
    let out = of_one_element(out.cast_from(input.dtype())?)?;
    check_elements(&input)?;
    whole(call, way, input.dtype(), input, out)
}

/// `aclnnAmax(self, dim, keepDim, out)` and `aclnnAmin(self, dim, keepDim, out)`
fn extreme_over(call: &Call, way: Way) -> Result<Plan, Refusal> {
    let input = call.input("self")?.of(REAL)?;
    let out = call.output("out")?.of(REAL)?.like(&input)?;
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
fn truth(call: &Call, way: Way, types: &'static [aclDataType]) -> Result<Plan, Refusal> {
    let (input, out) = (
        call.input("self")?.of(REAL)?,
        call.output("out")?.of(types)?,
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
        call.input("self")?.of(SINGLE)?,
        call.output("out")?.of(SINGLE)?,
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
        call.input("self")?.of(SINGLE)?,
        call.output("out")?.of(SINGLE)?,
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
        .input("self")?
        .of(types!(bf16 f16 f32 s8 s16 s32 s64 u8 bool))?;
    let out = call.output("out")?.of(SINGLE)?;
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
    call.plan(move |views| reduction.run(views))
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
    let is_reduced = reduced(dims, input.shape().len())?;
    let shape = input.shape().iter().enumerate();
    let shape = shape.filter_map(|(index, size)| match is_reduced.get(index) {
        Some(true) => keeps.then_some(1),
        _ => Some(*size),
    });
    let shape: Vec<_> = shape.collect();
    let out = out.shaped(&shape)?;
    if out.elements() == 0 {
        return Ok(call.nothing());
    }
    let reduction = Reduction {
        way,
        through,
        input,
        out,
        is_reduced,
        keeps,
    };
    call.plan(move |views| reduction.run(views))
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
        match self.way {
            Way::Real(way) => self.walk::<f64>(views, |elements| real(way, elements)),
            way if is_whole => self.walk::<Whole>(views, |elements| fold(way, elements)),
            way => self.walk::<f64>(views, |elements| fold(way, elements)),
        }
    }

    /// Calls a function for each element of the output.
    fn walk<W: Number>(&self, views: &Views<'_>, reduce: impl Fn(&Elements<'_, W>) -> W + Sync) {
        let mut out = views.output(&self.out);
        let (shape, strides) = (&self.input.tensor.shape, &self.input.tensor.strides);
        let is_reduced = |index: usize| self.is_reduced.get(index) == Some(&true);
        let kept = |dims: &Dims| dims.filtered(|index| !is_reduced(index));
        let of_out = &self.out.tensor.strides;
        let of_out = if self.keeps { kept(of_out) } else { *of_out };
        let of_row = shape.filtered(is_reduced);
        let (counts, of_counts) = (kept(shape), kept(strides));
        let grain = GRAIN / of_row.elements().unwrap_or(usize::MAX).max(1);
        let views = views.shared();
        let mut results = vec![W::ZERO; counts.elements().unwrap_or(0)];
        fill(&mut results, grain, &|first, results| {
            let mut elements = Elements {
                view: views.input(&self.input),
                shape: of_row,
                strides: strides.filtered(is_reduced),
                through: self.through,
                is_cast: self.input.dtype() != self.through,
                first: 0,
                number: core::marker::PhantomData,
            };
            for (index, result) in (first..).zip(results) {
                elements.first = counts.offset(&of_counts, index).unwrap_or(0);
                *result = reduce(&elements);
            }
        });
        for (to, result) in counts.offsets(of_out).zip(results) {
            out.put(to, result);
        }
    }
}

/// The elements that become one.
struct Elements<'a, W> {
    view: View<'a>,
    shape: Dims,
    strides: Dims,
    through: aclDataType,
    /// Whether the elements have another type than `through`.
    is_cast: bool,
    first: usize,
    number: core::marker::PhantomData<W>,
}

impl<W: Number> Elements<'_, W> {
    /// Calls a function with blocks of the elements, in order. A view that repeats elements may be larger than memory.
    fn each(&self, mut visit: impl FnMut(&[W])) {
        let Some(last) = self.shape.rank().checked_sub(1) else {
            let mut element = [W::ZERO];
            self.view.read(self.first, 0, &mut element);
            W::quantise(self.through, &mut element);
            return visit(&element);
        };
        let at_last = |dims: &Dims| dims.as_slice().get(last).copied().unwrap_or(0);
        let (count, step) = (at_last(&self.shape), at_last(&self.strides));
        let outer = |dims: &Dims| dims.filtered(|index| index != last);
        let mut block = [W::ZERO; BLOCK];
        for row in outer(&self.shape).offsets(outer(&self.strides)) {
            for start in (0..count).step_by(BLOCK) {
                let Some(block) = block.get_mut(..BLOCK.min(count - start)) else {
                    continue;
                };
                self.view.read(self.first + row + start * step, step, block);
                if self.is_cast {
                    W::quantise(self.through, block);
                }
                visit(block);
            }
        }
    }

    fn count(&self) -> usize {
        self.shape.elements().unwrap_or(0)
    }

    /// Returns the sum of a function of the elements.
    fn sum(&self, function: impl Fn(W) -> W) -> W {
        let mut sums = Pairs::default();
        self.each(|block| {
            let mut lanes = [W::ZERO; LANES];
            for chunk in block.chunks(LANES) {
                for (sum, one) in lanes.iter_mut().zip(chunk) {
                    *sum = *sum + function(*one);
                }
            }
            sums.push(lanes.into_iter().fold(W::ZERO, |sum, one| sum + one));
        });
        sums.total()
    }

    /// Combines the elements one after the other; `None` if there are none.
    fn fold(&self, combine: impl Fn(W, W) -> W) -> Option<W> {
        let mut result = None;
        self.each(|block| {
            for one in block {
                result = Some(result.map_or(*one, |before| combine(before, *one)));
            }
        });
        result
    }
}

fn fold<W: Number>(way: Way, elements: &Elements<'_, W>) -> W {
    let any = |wanted: bool| {
        let mut found = false;
        elements.each(|block| found |= block.iter().any(|one| one.is_true() == wanted));
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
        Way::Sum | Way::Real(_) => elements.sum(|one| one),
    }
}

fn real(way: Real, elements: &Elements<'_, f64>) -> f64 {
    // CAST: a number of elements, which is exact.
    let count = elements.count() as f64;
    match way {
        Real::Mean => elements.sum(|one| one) / count,
        Real::Variance(correction, is_root) => {
            let mean = elements.sum(|one| one) / count;
            let squares = elements.sum(|one| (one - mean) * (one - mean));
            let variance = squares / (count - correction).max(0.0);
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
        Real::Norm(0.0) => elements.sum(|one| f64::from(u8::from(one != 0.0))),
        Real::Norm(order) => elements.sum(|one| one.abs().powf(order)).powf(1.0 / order),
        Real::LogSumExp => {
            let most = elements.fold(f64::larger).unwrap_or(f64::NEG_INFINITY);
            // An infinite element is the result.
            let most = if most.is_finite() { most } else { 0.0 };
            elements.sum(|one| (one - most).exp()).ln() + most
        }
    }
}

/// Sums of blocks, of pairs of blocks, of pairs of pairs, and so on.
struct Pairs<W>(Vec<(W, u64)>);

impl<W> Default for Pairs<W> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<W: Number> Pairs<W> {
    /// Adds the sum of a block. The numbers of blocks in the sums are decreasing powers of 2.
    fn push(&mut self, mut sum: W) {
        let mut blocks = 1;
        while let Some((before, same)) = self.0.pop_if(|(_, other)| *other == blocks) {
            sum = before + sum;
            blocks += same;
        }
        self.0.push((sum, blocks));
    }

    fn total(self) -> W {
        let sums = self.0.into_iter().rev();
        sums.fold(W::ZERO, |sum, (before, _)| before + sum)
    }
}

#[cfg(test)]
mod tests {
    use super::Pairs;

    #[test]
    fn a_sum_of_many_is_not_stuck_at_the_precision_of_one() {
        let mut sums = Pairs::default();
        for _ in 0..(1 << 24) + 1000 {
            sums.push(1.0_f32);
        }
        assert_eq!(sums.total(), 16_778_216.0);
        assert_eq!(Pairs::<f64>::default().total(), 0.0);
    }
}

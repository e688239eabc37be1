//! Operators whose output has another shape or another element type than their operands: casts, sums, products, joined
//! tensors, the largest elements.

use ascendcl_sys as sys;

use crate::context::Current;
use crate::device::Site;
#[cfg(doc)]
use crate::error::ErrorKind;
use crate::error::{Result, Usage};
use crate::op::builtin::operators;
use crate::op::element::{Arithmetic, CastTo, Element, Floating, SumTo};
use crate::op::operator::Operator;
use crate::op::parameter::{In, Ints, List, Out};
use crate::op::plan::Plan;
use crate::op::site::Output;
use crate::op::tensor::{Tensor, TensorOut};
use types::{Cast, Cat, Matmul, ReduceSum, Topk};

operators! {
    mod types;
    Cast<T, U>(a: In<T>, to: sys::aclDataType, out: Out<U>)
        = aclnnCast, aclnnCastGetWorkspaceSize, cast;
    ReduceSum<T, U>(a: In<T>, axes: Ints, keep: bool, to: sys::aclDataType, out: Out<U>)
        = aclnnReduceSum, aclnnReduceSumGetWorkspaceSize, reduce_sum;
    Matmul<T>(a: In<T>, b: In<T>, out: Out<T>, math: i8)
        = aclnnMatmul, aclnnMatmulGetWorkspaceSize, matmul;
    Cat<T>(tensors: List<T>, axis: i64, out: Out<T>) = aclnnCat, aclnnCatGetWorkspaceSize, cat;
    Topk<T>(a: In<T>, k: i64, axis: i64, largest: bool, sorted: bool, values: Out<T>, indices: Out<i64>)
        = aclnnTopk, aclnnTopkGetWorkspaceSize, topk;
}

/// Prepares `out = a` in the element type of the output (`aclnnCast`).
///
/// Floating-point numbers become integers by truncation. What an integer type cannot hold, and what a card rounds to half
/// precision, depends on the card.
///
/// # Errors
///
/// [`Usage::OutputShape`] when the output has another shape, and [`ErrorKind::Refused`] with 161002 for what the card does
/// not take.
#[doc(alias("aclnnCast", "aclnnCastGetWorkspaceSize"))]
#[inline(always)]
pub fn cast<'b, 'dev, X, T, U, O>(
    current: Current<'_, 'dev, X::Device>,
    a: &Tensor<'b, X, T>,
    out: TensorOut<O>,
) -> Result<Plan<'b, 'dev, X, Cast<T, U>, O>>
where
    X: Site,
    T: CastTo<U>,
    U: Element,
    O: Output<X, U>,
{
    out.dims.check_same(Cast::<T, U>::NAME, &a.dims)?;
    Plan::prepare(current, (a, U::DATA_TYPE, out))
}

/// Prepares the sum over the dimensions `axes`, or over all where that is empty (`aclnnReduceSum`).
///
/// A dimension counts from 0, or from the end by -1, -2 and so on. With `keep` the output has one element in each
/// dimension that is summed up, without it those dimensions are left out. Half precision is summed in single precision.
///
/// # Errors
///
/// [`Usage::Axis`] and [`Usage::RepeatedAxis`] for dimensions that the operand does not have or that are named twice,
/// [`Usage::OutputShape`] when the output has another shape, and [`ErrorKind::Refused`] with 161002 for what the card does
/// not take.
#[doc(alias("aclnnReduceSum", "aclnnReduceSumGetWorkspaceSize"))]
pub fn reduce_sum<'b, 'dev, X, T, U, O>(
    current: Current<'_, 'dev, X::Device>,
    a: &Tensor<'b, X, T>,
    axes: &[i64],
    keep: bool,
    out: TensorOut<O>,
) -> Result<Plan<'b, 'dev, X, ReduceSum<T, U>, O>>
where
    X: Site,
    T: SumTo<U>,
    U: Element,
    O: Output<X, U>,
{
    let name = ReduceSum::<T, U>::NAME;
    out.dims.check_reduced(name, &a.dims, axes, keep)?;
    Plan::prepare(current, (a, axes, keep, U::DATA_TYPE, out))
}

/// How exactly a card multiplies matrices (`cubeMathType` of `aclnn_matmul.h`, CANN 8.1).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[repr(i8)]
pub enum CubeMath {
    /// In the precision of the elements. A card that has no such unit for them refuses.
    #[default]
    Keep = 0,
    /// f32 may be rounded to what the unit takes: HF32 on Atlas A2, f16 on older cards.
    AllowRounding = 1,
    /// In f16.
    F16 = 2,
    /// f32 in HF32.
    Hf32 = 3,
}

/// Prepares the product of matrices, or of batches of them (`aclnnMatmul`).
///
/// As in NumPy: `[.., m, k]` and `[.., k, n]` give `[.., m, n]`, the dimensions in front of the last two broadcast, and an
/// operand of one dimension is a vector. Sums of half precision are computed in single precision and rounded once.
///
/// # Errors
///
/// [`Usage::Product`] when the shapes do not fit together, and [`ErrorKind::Refused`] with 161002 for what the card does
/// not take.
#[doc(alias("aclnnMatmul", "aclnnMatmulGetWorkspaceSize"))]
#[inline(always)]
pub fn matmul<'b, 'dev, X, T, O>(
    current: Current<'_, 'dev, X::Device>,
    a: &Tensor<'b, X, T>,
    b: &Tensor<'b, X, T>,
    out: TensorOut<O>,
    math: CubeMath,
) -> Result<Plan<'b, 'dev, X, Matmul<T>, O>>
where
    X: Site,
    T: Floating,
    O: Output<X, T>,
{
    out.dims
        .check_product(Matmul::<T>::NAME, &a.dims, &b.dims)?;
    Plan::prepare(current, (a, b, out, math as i8))
}

/// Prepares the tensors joined along the dimension `axis` (`aclnnCat`).
///
/// A dimension counts from 0, or from the end by -1, -2 and so on.
///
/// # Errors
///
/// [`Usage::EmptyList`] without tensors, [`Usage::Axis`] for a dimension that they do not have, [`Usage::Joined`] when the
/// shapes do not fit together, and [`ErrorKind::Refused`] with 161002 for what the card does not take.
#[doc(alias("aclnnCat", "aclnnCatGetWorkspaceSize"))]
pub fn cat<'b, 'dev, X, T, O>(
    current: Current<'_, 'dev, X::Device>,
    tensors: &[&Tensor<'b, X, T>],
    axis: i64,
    out: TensorOut<O>,
) -> Result<Plan<'b, 'dev, X, Cat<T>, O>>
where
    X: Site,
    T: Element,
    O: Output<X, T>,
{
    let shapes = tensors.iter().map(|tensor| &tensor.dims);
    out.dims.check_joined(Cat::<T>::NAME, shapes, axis)?;
    Plan::prepare(current, (tensors, axis, out))
}

/// Which elements [`topk`] chooses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Extreme {
    /// The largest, from the largest on.
    Largest,
    /// The smallest, from the smallest on.
    Smallest,
}

/// Prepares the `k` largest or smallest elements along the dimension `axis`, in order, and where they stood in it
/// (`aclnnTopk`). The two outputs come back as a pair.
///
/// A dimension counts from 0, or from the end by -1, -2 and so on. Which of several equal elements is chosen is not said.
///
/// # Errors
///
/// [`Usage::Axis`] for a dimension that the operand does not have, [`Usage::Chosen`] for more elements than it has or none,
/// [`Usage::OutputShape`] when an output has another shape, and [`ErrorKind::Refused`] with 161002 for what the card does
/// not take.
#[doc(alias("aclnnTopk", "aclnnTopkGetWorkspaceSize"))]
pub fn topk<'b, 'dev, X, T, V, I>(
    current: Current<'_, 'dev, X::Device>,
    a: &Tensor<'b, X, T>,
    k: usize,
    axis: i64,
    extreme: Extreme,
    values: TensorOut<V>,
    indices: TensorOut<I>,
) -> Result<Plan<'b, 'dev, X, Topk<T>, (V, I)>>
where
    X: Site,
    T: Arithmetic,
    V: Output<X, T>,
    I: Output<X, i64>,
{
    let operator = Topk::<T>::NAME;
    let dim = a.dims.axis(operator, axis)?;
    let chosen = k.cast_signed() as i64;
    if !(1..=a.dims.size(dim)).contains(&chosen) {
        let size = a.dims.size(dim).cast_unsigned() as usize;
        let wrong = Usage::Chosen {
            operator,
            k,
            size,
            axis: dim,
        };
        return Err(wrong.into());
    }
    values.dims.check_resized(operator, &a.dims, dim, chosen)?;
    indices.dims.check_resized(operator, &a.dims, dim, chosen)?;
    let largest = extreme == Extreme::Largest;
    // A card gives them in order only (`aclnn_topk.h`: `sorted` must be true).
    Plan::prepare(current, (a, chosen, axis, largest, true, values, indices))
}

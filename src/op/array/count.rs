//! Lengths that the compiler calculates with: arrays that are joined, and arrays of another shape.

use std::ops::{Add, Mul};

use typenum::{Const, ToUInt, U, U1};

use crate::context::Current;
use crate::device::Site;
use crate::error::Result;
use crate::op::array::{Array, ArrayOut, ArrayOutput, Shape};
use crate::op::layout::Layout;
use crate::op::operators::Cat;
use crate::op::plan::Plan;
use crate::op::table;

/// A number of rows.
///
/// ```
/// # ascendcl::example!(|acl, host, current, stream| {
/// use ascendcl::op::array;
///
/// let two = current.memset(current.malloc_as::<[[f32; 4]; 2]>()?, 0)?; // 2 rows
/// let three = current.memset(current.malloc_as::<[[f32; 4]; 3]>()?, 0)?; // 3 rows
/// let five = current.malloc_as::<[[f32; 4]; 5]>()?; // `RowCount<5>` is the sum of 2 and 3
/// array::cat(current, &two.array()?, &three.array()?, five.into_array()?)?.run(&mut stream)?;
/// # });
/// ```
#[derive(Debug)]
pub enum RowCount<const N: usize> {}

/// A number of rows that is the sum of two others.
#[diagnostic::on_unimplemented(
    message = "`{A}` rows and `{B}` rows do not give the rows of the output",
    label = "the output has `{Self}`",
    note = "describe an output of as many rows as both operands have together"
)]
pub trait SumOf<const A: usize, const B: usize>: sum::Sealed<A, B> {}
mod sum {
    /// Seals [`SumOf`](super::SumOf): the operator would write other rows than the output has.
    pub trait Sealed<const A: usize, const B: usize> {}
}
impl<const A: usize, const B: usize, const C: usize> sum::Sealed<A, B> for RowCount<C>
where
    Const<A>: ToUInt<Output: Add<U<B>, Output = U<C>>>,
    Const<B>: ToUInt,
    Const<C>: ToUInt,
{
}
#[diagnostic::do_not_recommend]
impl<const A: usize, const B: usize, const C: usize> SumOf<A, B> for RowCount<C> where
    RowCount<C>: sum::Sealed<A, B>
{
}

/// Prepares the rows of one array, and behind them those of another one (`aclnnCat`): `[S; A]` and `[S; B]` give
/// `[S; A + B]`.
///
/// The compiler calculates with numbers of `typenum`, which has those up to 1024 and some larger ones as lengths of arrays.
///
/// # Errors
///
/// [`ErrorKind::Refused`](crate::ErrorKind::Refused) with 161002 for what the card does not take.
#[doc(alias("aclnnCat", "aclnnCatGetWorkspaceSize"))]
pub fn cat<'b, 'dev, X, S, L, O, const A: usize, const B: usize, const C: usize>(
    current: Current<'_, 'dev, X::Device>,
    a: &Array<'b, X, [S; A], L>,
    b: &Array<'b, X, [S; B], L>,
    out: ArrayOut<O>,
) -> Result<Plan<'b, 'dev, X, Cat<S::Element>, O::Flat>>
where
    X: Site,
    S: Shape,
    L: Layout,
    O: ArrayOutput<X, [S; C]>,
    RowCount<C>: SumOf<A, B>,
{
    table::join::cat(current, &[&a.tensor, &b.tensor], 0, O::flat(out))
}

/// A shape whose elements are counted in its type.
pub trait Counted: Shape {
    /// How many elements there are.
    type Count;
}
impl<S, const N: usize> Counted for [S; N]
where
    S: Counted,
    Const<N>: ToUInt<Output: Mul<S::Count>>,
{
    type Count = <U<N> as Mul<S::Count>>::Output;
}

/// Declares elements, which are one each.
macro_rules! elements {
    ($($type:ty),*) => { $(
        impl Counted for $type {
            type Count = U1;
        }
    )* };
}
elements!(
    f32,
    f64,
    i8,
    i16,
    i32,
    i64,
    u8,
    u16,
    u32,
    u64,
    crate::op::truth::Bool
);
#[cfg(feature = "half")]
elements!(half::f16, half::bf16);

/// A shape that has as many elements of the same type as the shape `R`.
#[diagnostic::on_unimplemented(
    message = "an array `{Self}` has no shape `{R}`",
    label = "both shapes have the same elements, and as many",
    note = "`[[f32; 6]; 4]` and `[[f32; 8]; 3]` have 24 elements each"
)]
pub trait SameCount<R>: same::Sealed<R> {}
mod same {
    /// Seals [`SameCount`](super::SameCount): more elements would be read than are borrowed.
    pub trait Sealed<R> {}
}
impl<S: Counted, R: Counted<Count = S::Count> + Shape<Element = S::Element>> same::Sealed<R> for S {}
#[diagnostic::do_not_recommend]
impl<S: Counted + same::Sealed<R>, R> SameCount<R> for S {}

impl<'b, X, S: Shape> Array<'b, X, S> {
    /// The elements in another shape, which has as many.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current| {
    /// let rows = current.memset(current.malloc_as::<[[f32; 6]; 4]>()?, 0)?; // [[f32; 6]; 4]
    /// let rows = rows.array()?.reshape::<[[f32; 8]; 3]>()?; // `[[f32; 8]; 4]` does not compile
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// [`Usage::Rank`](crate::error::Usage::Rank) for more than 8 dimensions.
    pub fn reshape<R>(&self) -> Result<Array<'b, X, R>>
    where
        S: SameCount<R>,
        R: Shape<Element = S::Element>,
    {
        let sizes = R::SIZES.get(..R::RANK).unwrap_or(&R::SIZES);
        self.tensor.reshape(sizes).map(Array::new)
    }
}

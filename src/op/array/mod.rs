//! Operators on arrays: shapes that the compiler knows and compares.
//!
//! A buffer of `[[f32; 16]; 8]`, which [`Current::malloc_as`](crate::Current::malloc_as) allocates, has the shape
//! `[8, 16]` in its type. [`Buf::array`] makes it an operand, and the functions of this module take such operands: a product
//! of matrices whose shapes do not fit does not compile, and nothing is compared when the program runs.
//!
//! ```
//! fn product(acl: &ascendcl::Acl) -> ascendcl::Result<()> {
//!     use ascendcl::op::{CubeMath, array};
//!     use ascendcl::stream::Main;
//!     use ascendcl::{Npu, Thread};
//!     let mut thread = Thread::claim()?;
//!     let device = acl.set_device::<Npu<0>>(&mut thread, 0)?;
//!     let current = thread.set_current(&device)?;
//!     let mut stream = current.create_stream::<Main>()?;
//!
//!     let a = current.memset(current.malloc_as::<[[f32; 3]; 2]>()?, 0)?; // [[f32; 3]; 2]
//!     let b = current.memset(current.malloc_as::<[[f32; 4]; 3]>()?, 0)?; // [[f32; 4]; 3]
//!     let out = current.malloc_as::<[[f32; 4]; 2]>()?; // [[f32; 4]; 2]: another one does not compile
//!     let plan = array::matmul(current, &a.array()?, &b.array()?, out.into_array()?, CubeMath::Keep)?;
//!     plan.run(&mut stream)?.free()
//! }
//! # ascendcl::example!(|acl| { product(&acl)?; });
//! ```

mod count;

use std::fmt;
use std::marker::PhantomData;
use std::ptr::NonNull;

use crate::context::Current;
use crate::device::Site;
use crate::error::{Result, Usage};
use crate::memory::{Buf, Destination, Elements, Init, OnDevice, Operand, Place, Uninit};
use crate::op::element::{Arithmetic, Comparable, Element, Floating, Fractional, Numeric};
use crate::op::layout::{Contiguous, Layout, Strided};
use crate::op::located::Located;
use crate::op::operators as types;
use crate::op::plan::Plan;
use crate::op::shape::{Dims, MAX_RANK};
use crate::op::site::Output;
use crate::op::table;
use crate::op::table::matrix::CubeMath;
use crate::op::tensor::{Tensor, TensorOut};
use crate::queue::{Queue, Queued};
use crate::state::Sealed;

pub use count::{Counted, RowCount, SameCount, SumOf, cat};

/// A shape that the compiler knows: an element, or an array of a shape.
///
/// ```
/// use ascendcl::bounds::Shape;
/// use ascendcl::{DeviceBuf, Npu, Result};
///
/// // A matrix of 8 rows and 16 columns, or any other shape.
/// fn check<S: Shape>(a: &DeviceBuf<'_, Npu<0>, [S; 8]>) -> Result<()> {
///     a.array().map(drop)
/// }
/// # let _ = check::<[f32; 16]>;
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no shape that the compiler knows",
    label = "expected arrays of elements, such as `[[f32; 16]; 8]`",
    note = "a buffer with such a shape: `current.malloc_as::<[[f32; 16]; 8]>()`; for other lengths use `tensor(&shape)`"
)]
pub trait Shape: shape::Sealed {
    /// The element type.
    type Element: Element;

    /// How many dimensions there are.
    #[doc(hidden)]
    const RANK: usize;
    /// The sizes, outermost dimension first; more than fit are left out.
    #[doc(hidden)]
    const SIZES: [usize; MAX_RANK];
    /// How many elements there are.
    #[doc(hidden)]
    const LEN: usize;
}

pub(super) mod shape {
    /// Seals [`Shape`](super::Shape): a wrong number of elements would describe memory that nobody has borrowed.
    #[diagnostic::on_unimplemented(
        message = "`{Self}` is no shape that the compiler knows",
        label = "expected arrays of elements, such as `[[f32; 16]; 8]`"
    )]
    pub trait Sealed {}
}

impl<S: shape::Sealed, const N: usize> shape::Sealed for [S; N] {}
#[diagnostic::do_not_recommend]
impl<S: Shape, const N: usize> Shape for [S; N] {
    type Element = S::Element;
    const RANK: usize = S::RANK.saturating_add(1);
    const SIZES: [usize; MAX_RANK] = behind(N, S::SIZES);
    const LEN: usize = N.saturating_mul(S::LEN);
}

/// The sizes with one more in front.
const fn behind(first: usize, inner: [usize; MAX_RANK]) -> [usize; MAX_RANK] {
    let [a, b, c, d, e, f, g, _] = inner;
    [first, a, b, c, d, e, f, g]
}

/// The description of a shape.
#[inline(always)]
fn dims<S: Shape>() -> Result<Dims> {
    match S::SIZES.get(..S::RANK) {
        Some(sizes) => Dims::new(sizes, S::LEN),
        None => Err(Usage::Rank { rank: S::RANK }.into()),
    }
}

/// An operand whose shape the compiler knows: `S` is `[[f32; 16]; 8]`.
///
/// ```
/// # ascendcl::example!(|acl, host, current, stream| {
/// use ascendcl::op::array;
///
/// let a = current.memset(current.malloc_as::<[[i32; 3]; 2]>()?, 1)?; // [[i32; 3]; 2]
/// let out = current.malloc_as::<[[i32; 3]; 2]>()?.into_array()?;
/// let sum = array::mul(current, &a.array()?, &a.array()?, out)?.run(&mut stream)?;
/// # });
/// ```
pub struct Array<'b, X, S: Shape, L = Contiguous> {
    tensor: Tensor<'b, X, S::Element, L>,
    _shape: PhantomData<S>,
}

/// An output whose shape the compiler knows. Made by [`Buf::into_array`] from a fresh buffer and by [`Buf::array_mut`] from a
/// borrowed one.
///
/// ```
/// # ascendcl::example!(|acl, host, current, stream| {
/// use ascendcl::op::{CubeMath, array};
///
/// let a = current.memset(current.malloc_as::<[[f32; 3]; 2]>()?, 0)?; // 2 rows, 3 columns
/// let b = current.memset(current.malloc_as::<[[f32; 4]; 3]>()?, 0)?; // 3 rows, 4 columns
/// let out = current.malloc_as::<[[f32; 4]; 2]>()?.into_array()?; // another shape does not compile
/// let plan = array::matmul(current, &a.array()?, &b.array()?, out, CubeMath::Keep)?;
/// let product = plan.run(&mut stream)?;
/// # });
/// ```
pub struct ArrayOut<O> {
    out: TensorOut<Flat<O>>,
}

impl<'b, X, S: Shape, L: Layout> Array<'b, X, S, L> {
    #[inline(always)]
    fn new(tensor: Tensor<'b, X, S::Element, L>) -> Self {
        Array {
            tensor,
            _shape: PhantomData,
        }
    }

    /// The operand with its shape known at run time, for an operator that this module does not have.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current, stream| {
    /// use ascendcl::op;
    ///
    /// let rows = current.memset(current.malloc_as::<[[f32; 3]; 2]>()?, 1)?; // [[f32; 3]; 2]
    /// let out = current.malloc(6)?.into_tensor(&[2, 3])?;
    /// op::abs(current, rows.array()?.as_tensor(), out)?.run(&mut stream)?;
    /// # });
    /// ```
    #[must_use]
    pub fn as_tensor(&self) -> &Tensor<'b, X, S::Element, L> {
        &self.tensor
    }
}

impl<'b, X, S: Shape<Element = T>, T: Element, L: Layout, const N: usize, const M: usize>
    Array<'b, X, [[S; N]; M], L>
{
    /// The two outermost dimensions swapped, without a copy: `[[S; N]; M]` as `[[S; M]; N]`.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current, stream| {
    /// use ascendcl::op::{CubeMath, array};
    ///
    /// let a = current.memset(current.malloc_as::<[[f32; 3]; 2]>()?, 0)?; // 2 rows, 3 columns
    /// let out = current.malloc_as::<[[f32; 2]; 2]>()?.into_array()?;
    /// let turned = a.array()?.transpose()?; // 3 rows, 2 columns
    /// array::matmul(current, &a.array()?, &turned, out, CubeMath::Keep)?.run(&mut stream)?;
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// None: the shape has these dimensions.
    pub fn transpose(&self) -> Result<Array<'b, X, [[S; M]; N], Strided>> {
        self.tensor.transpose(0, 1).map(Array::new)
    }
}

impl<X, S: Shape, L> fmt::Debug for Array<'_, X, S, L> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.tensor, f)
    }
}

impl<O: fmt::Debug> fmt::Debug for ArrayOut<O> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.out, f)
    }
}

/// Memory of arrays, as memory of their elements.
///
/// ```
/// # ascendcl::example!(|acl, host, current, stream| {
/// use ascendcl::op::array;
///
/// let a = current.memset(current.malloc_as::<[[i32; 3]; 2]>()?, 1)?;
/// let out = current.malloc_as::<[[i32; 3]; 2]>()?.into_array()?;
/// let plan = array::mul(current, &a.array()?, &a.array()?, out)?; // its output is `Flat` of `out`
/// plan.run(&mut stream)?;
/// # });
/// ```
#[derive(Debug)]
pub struct Flat<O>(O);

impl<O> Sealed for Flat<O> {}
impl<O: Located> Located for Flat<O> {
    type Site<D, Rest> = O::Site<D, Rest>;
}
#[diagnostic::do_not_recommend]
impl<X, O: Destination<X, Elements: Shape>> Destination<X> for Flat<O> {
    type Place = O::Place;
    type Elements = [<O::Elements as Shape>::Element];
    type Origin = O::Origin;
    type Written = O::Written;
    const WAITS: bool = O::WAITS;

    #[inline(always)]
    fn destination(&self) -> NonNull<Self::Elements> {
        let first = self.0.destination().cast();
        NonNull::slice_from_raw_parts(first, <O::Elements as Shape>::LEN)
    }

    #[inline(always)]
    unsafe fn written(self) -> O::Written {
        // SAFETY: the caller's contract: these elements are all of the arrays.
        unsafe { self.0.written() }
    }
}

/// Memory of the shape `S` that an operator of the site `X` can write.
#[diagnostic::on_unimplemented(
    message = "an operator that gives `{S}` cannot write to `{Self}`",
    label = "the output must be device memory of the shape `{S}` where the operands are"
)]
pub trait ArrayOutput<X, S: Shape>: Sized {
    /// The value that the call returns: `()` for borrowed memory, the initialised buffer for a fresh one.
    #[doc(hidden)]
    type Flat: Output<X, S::Element>;

    #[doc(hidden)]
    fn flat(out: ArrayOut<Self>) -> TensorOut<Self::Flat>;
}
#[diagnostic::do_not_recommend]
impl<X: Site, S: Shape, O> ArrayOutput<X, S> for O
where
    O: Destination<X, Place: OnDevice<X::Device>, Elements = S> + Located,
{
    type Flat = Flat<O>;

    #[inline(always)]
    fn flat(out: ArrayOut<O>) -> TensorOut<Flat<O>> {
        out.out
    }
}

impl<M: Place + Operand, E: Elements + Shape> Buf<'_, M, E, Init> {
    /// The buffer as an operand of the shape that its type has.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current, stream| {
    /// use ascendcl::op::array;
    ///
    /// let a = current.memset(current.malloc_as::<[[i32; 3]; 2]>()?, 1)?; // [[i32; 3]; 2]
    /// let operand = a.array()?;
    /// let out = current.malloc_as::<[[i32; 3]; 2]>()?.into_array()?;
    /// array::mul(current, &operand, &operand, out)?.run(&mut stream)?;
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// [`Usage::Rank`] for more than 8 dimensions.
    #[inline(always)]
    pub fn array(&self) -> Result<Array<'_, M::Device, E>> {
        let data = self.raw().as_ptr().cast();
        Ok(Array::new(Tensor::whole(data, dims::<E>()?)))
    }

    /// The buffer as an output of the shape that its type has.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current, stream| {
    /// use ascendcl::op::array;
    ///
    /// let a = current.memset(current.malloc_as::<[[i32; 3]; 2]>()?, 1)?; // [[i32; 3]; 2]
    /// let mut out = current.memset(current.malloc_as::<[[i32; 3]; 2]>()?, 0)?;
    /// array::mul(current, &a.array()?, &a.array()?, out.array_mut()?)?.run(&mut stream)?;
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// As for [`Buf::array`].
    #[inline(always)]
    pub fn array_mut(&mut self) -> Result<ArrayOut<&mut Self>> {
        let out = TensorOut::whole(Flat(self), dims::<E>()?);
        Ok(ArrayOut { out })
    }
}

impl<M: Place + Operand, E: Elements + Shape> Buf<'_, M, E, Uninit> {
    /// The fresh buffer as an output of the shape that its type has; [`Plan::run`] gives it back initialised.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current, stream| {
    /// use ascendcl::op::array;
    ///
    /// let a = current.memset(current.malloc_as::<[[i32; 3]; 2]>()?, 1)?; // [[i32; 3]; 2]
    /// let fresh = current.malloc_as::<[[i32; 3]; 2]>()?;
    /// let squares = array::mul(current, &a.array()?, &a.array()?, fresh.into_array()?)?.run(&mut stream)?;
    /// squares.free()?;
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// As for [`Buf::array`]; the buffer is freed then.
    #[inline(always)]
    pub fn into_array(self) -> Result<ArrayOut<Self>> {
        let out = TensorOut::whole(Flat(self), dims::<E>()?);
        Ok(ArrayOut { out })
    }
}

impl<'dev, Q: Queue, M, E: Elements + Shape, H> Queued<'_, Q, Buf<'dev, M, E, Init>, H>
where
    M: Place + OnDevice<Q::Device> + Operand,
{
    /// The queued buffer as an operand of the shape that its type has, of work on the same stream.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current, stream| {
    /// use ascendcl::op::array;
    ///
    /// let a = current.memset(current.malloc_as::<[[i32; 3]; 2]>()?, 1)?;
    /// let a = stream.adopt(a);
    /// let out = stream.adopt(current.malloc_as::<[[i32; 3]; 2]>()?).into_array()?;
    /// let plan = array::mul(current, &a.array()?, &a.array()?, out)?;
    /// let squares = plan.launch(&mut stream)?.into_output(); // queued
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// As for [`Buf::array`].
    pub fn array(&self) -> Result<Array<'_, Q, E>> {
        let data = self.resource().raw().as_ptr().cast();
        Ok(Array::new(Tensor::whole(data, dims::<E>()?)))
    }

    /// The queued buffer as an output of the shape that its type has, of work on the same stream.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current, stream| {
    /// use ascendcl::op::array;
    ///
    /// let a = current.memset(current.malloc_as::<[[i32; 3]; 2]>()?, 1)?;
    /// let a = stream.adopt(a);
    /// let mut out = stream.adopt(current.memset(current.malloc_as::<[[i32; 3]; 2]>()?, 0)?);
    /// let plan = array::mul(current, &a.array()?, &a.array()?, out.array_mut()?)?;
    /// plan.launch(&mut stream)?.into_output();
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// As for [`Buf::array`].
    pub fn array_mut(&mut self) -> Result<ArrayOut<&mut Self>> {
        let out = TensorOut::whole(Flat(self), dims::<E>()?);
        Ok(ArrayOut { out })
    }
}

impl<'dev, Q: Queue, M, E: Elements + Shape, H> Queued<'_, Q, Buf<'dev, M, E, Uninit>, H>
where
    M: Place + OnDevice<Q::Device> + Operand,
{
    /// The fresh queued buffer as an output; [`Plan::launch`] gives it back initialised.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current, stream| {
    /// use ascendcl::op::array;
    ///
    /// let a = current.memset(current.malloc_as::<[[i32; 3]; 2]>()?, 1)?;
    /// let a = stream.adopt(a);
    /// let fresh = stream.adopt(current.malloc_as::<[[i32; 3]; 2]>()?);
    /// let plan = array::mul(current, &a.array()?, &a.array()?, fresh.into_array()?)?;
    /// let squares = plan.launch(&mut stream)?.into_output(); // initialised, and still queued
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// As for [`Buf::array`]; the buffer is parked then.
    pub fn into_array(self) -> Result<ArrayOut<Self>> {
        let out = TensorOut::whole(Flat(self), dims::<E>()?);
        Ok(ArrayOut { out })
    }
}

/// Prepares the product of two matrices (`aclnnMatmul`): `[[T; K]; M]` and `[[T; N]; K]` give `[[T; N]; M]`.
///
/// # Errors
///
/// [`ErrorKind::Refused`](crate::ErrorKind::Refused) with 161002 for what the card does not take.
#[doc(alias("aclnnMatmul", "aclnnMatmulGetWorkspaceSize"))]
#[inline(always)]
pub fn matmul<'b, 'dev, X, T, A, B, O, const M: usize, const K: usize, const N: usize>(
    current: Current<'_, 'dev, X::Device>,
    a: &Array<'b, X, [[T; K]; M], A>,
    b: &Array<'b, X, [[T; N]; K], B>,
    out: ArrayOut<O>,
    math: CubeMath,
) -> Result<Plan<'b, 'dev, X, types::Matmul<T>, O::Flat>>
where
    X: Site,
    T: Floating,
    A: Layout,
    B: Layout,
    O: ArrayOutput<X, [[T; N]; M]>,
{
    table::matrix::matmul(current, &a.tensor, &b.tensor, O::flat(out), math)
}

/// Declares element-wise operators: all operands and the output have one shape.
macro_rules! element_wise {
    ($( $(#[$doc:meta])* $room:ident::$name:ident, $Name:ident($($operand:ident in $L:ident),+ $(; $scalar:ident)?): $Family:ident; )*) => { $(
        $(#[$doc])*
        ///
        /// # Errors
        ///
        /// [`ErrorKind::Refused`](crate::ErrorKind::Refused) with 161002 for what the card does not take.
        #[inline(always)]
        pub fn $name<'b, 'dev, X, S, $($L,)+ O>(
            current: Current<'_, 'dev, X::Device>,
            $($operand: &Array<'b, X, S, $L>,)+
            $($scalar: S::Element,)?
            out: ArrayOut<O>,
        ) -> Result<Plan<'b, 'dev, X, types::$Name<S::Element>, O::Flat>>
        where
            X: Site,
            S: Shape<Element: $Family>,
            $($L: Layout,)+
            O: ArrayOutput<X, S>,
        {
            table::$room::$name(current, $(&$operand.tensor,)+ $($scalar,)? O::flat(out))
        }
    )* };
}

element_wise! {
    /// Prepares `out = a + alpha * b` (`aclnnAdd`).
    binary::add, Add(a in A, b in B; alpha): Arithmetic;
    /// Prepares `out = a - alpha * b` (`aclnnSub`).
    binary::sub, Sub(a in A, b in B; alpha): Arithmetic;
    /// Prepares `out = a * b` (`aclnnMul`).
    binary::mul, Mul(a in A, b in B): Arithmetic;
    /// Prepares `out = a / b` (`aclnnDiv`).
    binary::div, Div(a in A, b in B): Fractional;
    /// Prepares `out = max(a, b)` (`aclnnMaximum`).
    binary::maximum, Maximum(a in A, b in B): Comparable;
    /// Prepares `out = min(a, b)` (`aclnnMinimum`).
    binary::minimum, Minimum(a in A, b in B): Comparable;
    /// Prepares `out = max(a, 0)` (`aclnnRelu`).
    activation::relu, Relu(a in A): Numeric;
    /// Prepares `out = 1 / (1 + e ^ -a)` (`aclnnSigmoid`).
    activation::sigmoid, Sigmoid(a in A): Floating;
    /// Prepares `out = a / (1 + e ^ -a)` (`aclnnSilu`).
    activation::silu, Silu(a in A): Floating;
    /// Prepares `out = e ^ a` (`aclnnExp`).
    unary::exp, Exp(a in A): Fractional;
}

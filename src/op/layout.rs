//! How the elements of a tensor lie in memory, and the parameters of operators that take any layout.

use std::fmt;
use std::marker::PhantomData;

use crate::device::Site;
use crate::error::Result;
use crate::op::element::Element;
use crate::op::handle::{RawTensor, RawTensors};
use crate::op::parameter::describe::Describe;
use crate::op::parameter::sealed::Sealed as SealedParameter;
use crate::op::parameter::{In, InOut, InPlace, List, Out, Parameter, is_tensor};
use crate::op::site::{Output, SameSite};
use crate::op::slot::{Listed, Place};
use crate::op::tensor::{Tensor, TensorOut};
use crate::state::Sealed;

/// How the elements of a tensor lie in memory: [`Contiguous`] or [`Strided`].
pub trait Layout: Sealed {
    /// Whether each element lies behind the one before it.
    #[doc(hidden)]
    const IS_CONTIGUOUS: bool;
    /// How many elements of its memory lie in front of an output.
    #[doc(hidden)]
    type Start: Copy;

    #[doc(hidden)]
    fn start(start: Self::Start) -> usize;
}

/// Each element lies behind the one before it, as in C.
///
/// ```
/// use ascendcl::Npu;
/// use ascendcl::op::{Contiguous, Tensor};
///
/// /// A tensor whose rows lie one behind the other. `Contiguous` is the default.
/// type Matrix<'b> = Tensor<'b, Npu<0>, f32, Contiguous>;
/// ```
#[derive(Debug, Clone, Copy)]
pub enum Contiguous {}

/// Elements lie at the distances that a view has chosen: [`Tensor::permute`], [`Tensor::slice`], [`Tensor::expand`].
///
/// ```
/// use ascendcl::op::{Strided, Tensor};
/// use ascendcl::{Npu, Result};
///
/// fn transposed<'b>(matrix: &Tensor<'b, Npu<0>, f32>) -> Result<Tensor<'b, Npu<0>, f32, Strided>> {
///     matrix.transpose(0, 1) // no element is copied
/// }
/// ```
#[derive(Debug, Clone, Copy)]
pub enum Strided {}

impl Sealed for Contiguous {}
#[diagnostic::do_not_recommend]
impl Layout for Contiguous {
    const IS_CONTIGUOUS: bool = true;
    type Start = ();

    #[inline(always)]
    fn start((): ()) -> usize {
        0
    }
}

impl Sealed for Strided {}
#[diagnostic::do_not_recommend]
impl Layout for Strided {
    const IS_CONTIGUOUS: bool = false;
    type Start = usize;

    #[inline(always)]
    fn start(start: usize) -> usize {
        start
    }
}

/// The parameter `P` of an operator that takes tensors of any [`Layout`] for it: `View<In<T>>`, `View<Out<T>>`,
/// `View<InOut<T>>` and `View<List<T>>`.
///
/// Without it the tensor is [`Contiguous`]. The manual of an operator says for each tensor whether it may be
/// non-contiguous.
///
/// ```
/// use std::marker::PhantomData;
///
/// use ascendcl::bounds::Floating;
/// use ascendcl::op::{In, Operator, Out, View};
///
/// /// The sum of the tutorials of Ascend C.
/// struct AddCustom<T>(PhantomData<T>);
/// // SAFETY: the parameters in `aclnn_add_custom.h`; `x` may be non-contiguous; it writes all of `z`.
/// unsafe impl<T: Floating> Operator for AddCustom<T> {
///     ascendcl::operator!(aclnnAddCustom(x: View<In<T>>, y: In<T>, z: Out<T>));
/// }
/// ```
pub struct View<P>(PhantomData<fn(P) -> P>);

impl<P: Parameter> fmt::Debug for View<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "View<{}>", std::any::type_name::<P>())
    }
}

impl<P: Parameter> SealedParameter for View<P> {}
impl<P: Parameter> Parameter for View<P> {
    type Handle = P::Handle;
    type Value = P::Value;
    type Outputs<L> = P::Outputs<L>;
    is_tensor!(P::Place, P::READS, P::WRITES, waits: P::WAITS);

    #[inline(always)]
    fn value(handle: &P::Handle) -> P::Value {
        P::value(handle)
    }
}

impl<'b, X: Site, Y: SameSite<X>, T: Element, L: Layout> Describe<'b, X, View<In<T>>>
    for &Tensor<'b, Y, T, L>
{
    type Memory<M> = M;

    #[inline(always)]
    fn describe(&mut self) -> Result<RawTensor> {
        RawTensor::new::<T, L>(self.data, self.offset, self.dims)
    }

    #[inline(always)]
    fn place(&mut self) -> Place {
        Place::new::<T, L>(self.data, self.offset, self.dims)
    }

    #[inline(always)]
    fn into_memory<M>(self, list: M) -> M {
        list
    }
}

impl<'b, X: Site, T: Element, L: Layout> Describe<'b, X, View<List<T>>>
    for &[&Tensor<'b, X, T, L>]
{
    type Memory<M> = M;

    fn describe(&mut self) -> Result<RawTensors> {
        let tensors = self.iter().map(|tensor| {
            RawTensor::new::<T, L>(tensor.data, tensor.offset, tensor.dims).map(Some)
        });
        RawTensors::new(tensors.collect::<Result<_>>()?)
    }

    fn place(&mut self) -> Listed {
        Listed
    }

    fn into_memory<M>(self, list: M) -> M {
        list
    }
}

/// Declares the two parameters that are written.
macro_rules! outputs {
    ($($Name:ident, $Bound:ident;)*) => { $(
        impl<'b, X: Site, T: Element, O: $Bound<X, T>, L: Layout> Describe<'b, X, View<$Name<T>>> for TensorOut<O, L> {
            type Memory<M> = (M, O);

            #[inline(always)]
            fn describe(&mut self) -> Result<RawTensor> {
                let first = self.memory.data().wrapping_sub(self.offset);
                RawTensor::new::<T, L>(first, self.offset + L::start(self.start), self.dims)
            }

            #[inline(always)]
            fn place(&mut self) -> Place {
                let first = self.memory.data().wrapping_sub(self.offset);
                Place::new::<T, L>(first, self.offset + L::start(self.start), self.dims)
            }

            #[inline(always)]
            fn into_memory<M>(self, list: M) -> (M, O) {
                (list, self.memory)
            }
        }
    )* };
}

outputs! {
    Out, Output;
    InOut, InPlace;
}

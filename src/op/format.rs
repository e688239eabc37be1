//! Images: tensors whose dimensions have names in C.

use std::fmt;
use std::marker::PhantomData;

use ascendcl_sys as sys;

use crate::device::Site;
use crate::error::Result;
use crate::op::element::Element;
use crate::op::handle::RawTensor;
use crate::op::layout::Layout;
use crate::op::parameter::describe::Describe;
use crate::op::parameter::sealed::Sealed;
use crate::op::parameter::{In, Out, Parameter, is_tensor};
use crate::op::site::{Output, SameSite};
use crate::op::slot::Place;
use crate::op::tensor::{Tensor, TensorOut};

/// The parameter `P` of an operator on images, of any [`Layout`]: `Images<In<T>>` and `Images<Out<T>>`.
///
/// The format of such a tensor follows from its rank: `ACL_FORMAT_NCL` of three dimensions, `ACL_FORMAT_NCHW` of four and
/// `ACL_FORMAT_NCDHW` of five. Convolutions refuse `ACL_FORMAT_ND`, which other tensors have (`aclnn_convolution.h`).
///
/// ```
/// use std::marker::PhantomData;
///
/// use ascendcl::bounds::Floating;
/// use ascendcl::op::{Images, In, Ints, Operator, Out};
///
/// /// Adds zeros around images.
/// struct ReflectionPad<T>(PhantomData<T>);
/// // SAFETY: the parameters in `aclnnop/aclnn_reflection_pad2d.h`, CANN 8.1; it writes all of `out`.
/// unsafe impl<T: Floating> Operator for ReflectionPad<T> {
///     ascendcl::operator!(aclnnReflectionPad2d(a: Images<In<T>>, padding: Ints, out: Images<Out<T>>));
/// }
/// ```
pub struct Images<P>(PhantomData<fn(P) -> P>);

impl<P: Parameter> fmt::Debug for Images<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Images<{}>", std::any::type_name::<P>())
    }
}

impl<P: Parameter> Sealed for Images<P> {}
impl<P: Parameter> Parameter for Images<P> {
    type Handle = P::Handle;
    type Value = P::Value;
    type Outputs<L> = P::Outputs<L>;
    is_tensor!(P::Place, P::READS, P::WRITES, waits: P::WAITS);

    fn value(handle: &P::Handle) -> P::Value {
        P::value(handle)
    }
}

/// The format of images with so many dimensions.
const fn of_rank(rank: usize) -> sys::aclFormat {
    match rank {
        3 => sys::ACL_FORMAT_NCL,
        4 => sys::ACL_FORMAT_NCHW,
        5 => sys::ACL_FORMAT_NCDHW,
        _ => sys::ACL_FORMAT_ND,
    }
}

#[diagnostic::do_not_recommend]
impl<'b, X: Site, Y: SameSite<X>, T: Element, L: Layout> Describe<'b, X, Images<In<T>>>
    for &Tensor<'b, Y, T, L>
{
    type Memory<M> = M;

    fn describe(&mut self) -> Result<RawTensor> {
        let format = of_rank(self.dims.rank);
        RawTensor::formatted::<T, L>(self.data, self.offset, self.dims, format)
    }

    fn place(&mut self) -> Place {
        Place::new::<T, L>(self.data, self.offset, self.dims)
    }

    fn into_memory<M>(self, list: M) -> M {
        list
    }
}

#[diagnostic::do_not_recommend]
impl<'b, X: Site, T: Element, O: Output<X, T>, L: Layout> Describe<'b, X, Images<Out<T>>>
    for TensorOut<O, L>
{
    type Memory<M> = (M, O);

    fn describe(&mut self) -> Result<RawTensor> {
        let first = self.memory.data().wrapping_sub(self.offset);
        let offset = self.offset + L::start(self.start);
        RawTensor::formatted::<T, L>(first, offset, self.dims, of_rank(self.dims.rank))
    }

    fn place(&mut self) -> Place {
        let first = self.memory.data().wrapping_sub(self.offset);
        Place::new::<T, L>(first, self.offset + L::start(self.start), self.dims)
    }

    fn into_memory<M>(self, list: M) -> (M, O) {
        (list, self.memory)
    }
}

//! Where an operator's memory is: idle on a device, or queued on a stream.

use crate::device::{AnyDevice, Site};
use crate::memory::{Destination, Elements, OnDevice};
use crate::op::located::Located;
use crate::op::parameter::InPlace;
use crate::state::Exactly;
use crate::stream::AnyStream;

/// The site `X` itself, as that of a further operand of an operator.
#[diagnostic::on_unimplemented(
    message = "an operand is in `{Self}`, and the first one is in `{X}`",
    label = "the operands of an operator are all idle on one device, or all queued on one stream",
    note = "move an idle buffer to the stream: `stream.adopt(buffer)`; if other streams read it too, lend it: `stream.adopt(scope.lend(&buffer))`",
    note = "a lane of a `Pipeline` has values of its own: `Pipeline::with_values(..)`, then `batch.value`",
    note = "move memory of another stream with `other.handoff(&mut stream, &mut event, buffer)?`, or with a fence; copy memory of another device first"
)]
pub trait SameSite<X>: Exactly<X> {}
#[diagnostic::do_not_recommend]
impl<X> SameSite<X> for X {}

/// A site where memory is idle: a device.
#[diagnostic::on_unimplemented(
    message = "the operands of this plan are queued on a stream",
    label = "`run` takes idle operands, and waits until the operator is over",
    note = "queue the operator after the work on its operands: `plan.launch(&mut stream)`"
)]
pub trait IdleSite: Site {}
#[diagnostic::do_not_recommend]
impl<D: AnyDevice> IdleSite for D {}

/// A site where memory is queued: that of the stream `S`.
#[diagnostic::on_unimplemented(
    message = "the operands of this plan are not queued on the stream `{S}`",
    label = "`launch` needs operands that are queued on the same stream",
    note = "run a plan of idle operands with `plan.run(&mut stream)`, or move the operands into the stream first: `stream.adopt(buffer)`"
)]
pub trait QueuedSite<S>: Site + queued::On<S> {}
#[diagnostic::do_not_recommend]
impl<D: AnyDevice, S: AnyStream> QueuedSite<S> for (D, S) {}

mod queued {
    use super::{AnyDevice, AnyStream};

    crate::state::sealed! {
        "a wrong implementation would launch operators on streams that do not wait for their operands";
        /// Seals [`QueuedSite`](super::QueuedSite). That it has the name `S` matters: names are types of the program,
        /// and a program may implement a trait that has one of its types as parameter for any type.
        pub trait On<S> {}
    }
    impl<D: AnyDevice, S: AnyStream> On<S> for (D, S) {}
}

/// Memory that an operator of the site `X` can write.
#[diagnostic::on_unimplemented(
    message = "an operator on `{T}` elements of `{X}` cannot write to `{Self}`",
    label = "expected `{T}` device memory at the site of the operands: idle on their device, or queued on their stream",
    note = "if the operands are idle, so is the output, with the elements that the operator gives: `current.malloc::<{T}>(len)?.into_tensor(shape)?`",
    note = "if the operands are queued, allocate the output on their stream: `stream.malloc(len)?.into_tensor(shape)?`; move an idle buffer there with `stream.adopt(buffer)`, and one of another stream with `other.handoff(&mut stream, &mut event, buffer)?`, or with a fence; a `Pipeline` keeps all steps of a batch on one stream",
    note = "operators use device memory only: copy media memory (`Dvpp`) and host memory to device memory first"
)]
pub trait Output<X, T>: Destination<X, Elements: Elements<Element = T>> + Located {
    #[doc(hidden)]
    #[inline(always)]
    fn data(&mut self) -> *mut T {
        self.destination().as_ptr().cast()
    }
}

#[diagnostic::do_not_recommend]
impl<X, T, O> Output<X, T> for O
where
    X: Site,
    // That the memory is an operand at all, the tensor has checked.
    O: Destination<X, Place: OnDevice<X::Device>, Elements: Elements<Element = T>> + Located,
{
}

/// An output of an operator that reads no tensor: it has the site of its output, on the current device `D`.
#[diagnostic::on_unimplemented(
    message = "an operator on `{T}` elements of `{X}` cannot write to `{Self}`",
    label = "the output must be `{T}` device memory"
)]
pub trait OnlyOutput<D, X, T>: Output<X, T> {}
#[diagnostic::do_not_recommend]
impl<D, X, T, O: Output<X, T> + Located<Site<D, D> = X>> OnlyOutput<D, X, T> for O {}

/// Memory that an operator changes in place without reading another tensor.
#[diagnostic::on_unimplemented(
    message = "an operator cannot change `{Self}` in place",
    label = "it reads this memory, or may leave a part of it as it is: device memory that was written before",
    note = "lend it by `buffer.tensor_mut(shape)`; a fresh buffer (`Uninit`) holds nothing yet: fill it first"
)]
pub trait OnlyInPlace<D, X, T>: InPlace<X, T> {}
#[diagnostic::do_not_recommend]
impl<D, X, T, O: InPlace<X, T> + Located<Site<D, D> = X>> OnlyInPlace<D, X, T> for O {}

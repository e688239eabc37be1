//! Where an operator's memory is: idle on a device, or queued on a stream.

use crate::device::{AnyDevice, Site, seal};
use crate::memory::{Destination, Elements, OnDevice};
use crate::stream::StreamTag;

impl<D: AnyDevice, S: StreamTag> seal::Site for (D, S) {}
impl<D: AnyDevice, S: StreamTag> Site for (D, S) {
    type Device = D;
}

/// A site where memory is idle: a device.
#[diagnostic::on_unimplemented(
    message = "the operands of this plan are queued on a stream",
    label = "`run` is for idle operands: it waits until the operator is over",
    note = "queue the operator behind the work that uses its operands: `plan.launch(&mut stream)`"
)]
pub trait IdleSite: Site {}
#[diagnostic::do_not_recommend]
impl<D: AnyDevice> IdleSite for D {}

/// A site where memory is queued: that of the stream `S`.
#[diagnostic::on_unimplemented(
    message = "the operands of this plan are not queued on the stream `{S}`",
    label = "`launch` needs operands that are queued on the same stream",
    note = "idle operands: `plan.run(&mut stream)`, or hand them over first by `stream.adopt(buffer)`"
)]
pub trait QueuedSite<S>: Site + queued::On<S> {}
#[diagnostic::do_not_recommend]
impl<D: AnyDevice, S: StreamTag> QueuedSite<S> for (D, S) {}

mod queued {
    use super::{AnyDevice, StreamTag};

    crate::state::sealed! {
        "a wrong implementation would launch operators on streams that do not wait for their operands";
        /// Seals [`QueuedSite`](super::QueuedSite). That it has the name `S` matters: names are types of the program,
        /// and a program may implement a trait that has one of its types as parameter for any type.
        pub trait On<S> {}
    }
    impl<D: AnyDevice, S: StreamTag> On<S> for (D, S) {}
}

/// Memory that an operator of the site `X` can write.
#[diagnostic::on_unimplemented(
    message = "an operator on `{T}` elements of `{X}` cannot write to `{Self}`",
    label = "the output must be `{T}` device memory where the operands are: idle on their device, or queued on their stream",
    note = "an output that is queued on another stream is handed over first: `other.handoff(&mut stream, &mut event, buffer)?`, or by a fence",
    note = "where the operands are queued, an idle output is handed over first: `stream.adopt(buffer)`; then a fresh one goes in by `into_tensor`, another by `tensor_mut`",
    note = "media memory (`Dvpp`) and host memory are no operands: copy to device memory first"
)]
pub trait Output<X, T>: Destination<X, Elements: Elements<Element = T>> {
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
    O: Destination<X, Place: OnDevice<X::Device>, Elements: Elements<Element = T>>,
{
}

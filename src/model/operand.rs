//! The operands of a run: tuples of memory that the model reads, and of memory that it writes.

use std::ffi::c_void;

use ascendcl_sys as sys;

use crate::device::Site;
use crate::error::Result;
use crate::memory::elements::ElementOf;
use crate::memory::operand::Allocated;
use crate::memory::place::ReachedFrom;
use crate::memory::{Destination, Elements, OnBoard, Source};
use crate::op::element::Element;

/// Memory of an operand, with its element type and its size.
#[derive(Debug, Clone, Copy)]
pub struct Given {
    pub(super) address: *mut c_void,
    pub(super) data_type: sys::aclDataType,
    pub(super) bytes: usize,
}

pub(crate) mod each {
    use super::{Given, Result};

    crate::state::sealed! {
        "expected a tuple of up to eight buffers: `(&image,)`";
        /// Seals [`Inputs`](super::Inputs), and gives the memory of each operand.
        pub trait Read<X> {
            /// Calls `each` with each operand.
            fn read(&self, each: &mut dyn FnMut(Given) -> Result<()>) -> Result<()>;
        }
    }
    crate::state::sealed! {
        "expected a tuple of up to eight buffers: `(scores,)`";
        /// Seals [`Outputs`](super::Outputs), and gives the memory of each operand.
        pub trait Write<X> {
            /// Calls `each` with each operand.
            fn write(&self, each: &mut dyn FnMut(Given) -> Result<()>) -> Result<()>;
        }
    }
}

/// The inputs of a run: a tuple of up to eight sources, as a copy takes them, in the order of [`Model::inputs`].
///
/// For a blocking run `X` is a device, and each source is `&` of an initialised buffer of that device. For a queued run
/// `X` is a queue `(D, S)`, and each source is `&` of a [`Queued`](crate::Queued) buffer on that queue.
///
/// [`Model::inputs`]: crate::model::Model::inputs
#[diagnostic::on_unimplemented(
    message = "`{Self}` are no inputs of a model that runs on `{X}`",
    label = "expected a tuple of `&` of device memory: idle for `execute`, queued on the same stream for `execute_async`",
    note = "one input is a tuple, too: `(&image,)`",
    note = "copy host memory to a buffer of `current.malloc` first; write fresh (`Uninit`) memory first",
    note = "for `execute_async`, move an idle buffer into the stream: `stream.adopt(buffer)`; for `execute`, take it back: `stream.synchronize()?.take(buffer)`"
)]
pub trait Inputs<X>: each::Read<X> {}

/// The outputs of a run: a tuple of up to eight destinations, as a copy takes them, in the order of [`Model::outputs`].
///
/// Each destination is `&mut` of an initialised buffer, or a fresh buffer by value, which the run returns initialised.
/// For a queued run the buffers are [`Queued`](crate::Queued) on the queue `X`.
///
/// [`Model::outputs`]: crate::model::Model::outputs
#[diagnostic::on_unimplemented(
    message = "`{Self}` are no outputs of a model that runs on `{X}`",
    label = "expected a tuple of device memory, fresh by value or `&mut`: idle for `execute`, queued on the same stream for `execute_async`",
    note = "one output is a tuple, too: `(current.malloc(1000)?,)`",
    note = "for `execute_async`, move an idle buffer into the stream: `stream.adopt(buffer)`; for `execute`, take it back: `stream.synchronize()?.take(buffer)`"
)]
pub trait Outputs<X>: each::Write<X> {
    /// The values that the run returns: `()` for borrowed memory, the initialised buffer for a fresh one.
    type Written;

    /// # Safety
    ///
    /// - If `X` is a device, every element was written.
    /// - If `X` is a queue, work that writes every element was queued.
    #[doc(hidden)]
    unsafe fn written(self) -> Self::Written;
}

/// The outputs of a run with a gear: a tuple of up to eight `&mut` of initialised memory, in the order of
/// [`Model::outputs`].
///
/// A run with a gear writes the part of an output that the gear needs, and the rest keeps its content. So the memory has
/// been written before, and its size is that of the largest gear.
///
/// [`Model::outputs`]: crate::model::Model::outputs
#[diagnostic::on_unimplemented(
    message = "`{Self}` are no outputs of a run with a gear on `{X}`",
    label = "expected a tuple of `&mut` of initialised device memory: idle for `execute_gear`, queued on the same stream for `execute_gear_async`",
    note = "a run writes only the part that its gear needs: write fresh memory first, `let scores = current.memset(scores, 0)?;`, and pass `(&mut scores,)`",
    note = "for `execute_gear_async`, move an idle buffer into the stream: `stream.adopt(buffer)`; for `execute_gear`, take it back: `stream.synchronize()?.take(buffer)`"
)]
pub trait GearOutputs<X>: each::Write<X> {}

/// Returns the description of an operand.
fn given<E: Elements<Element: Element> + ?Sized>(elements: std::ptr::NonNull<E>) -> Given {
    Given {
        address: elements.as_ptr().cast(),
        data_type: <ElementOf<E> as Element>::DATA_TYPE,
        bytes: E::count(elements) * size_of::<ElementOf<E>>(),
    }
}

/// Implements the traits for tuples.
macro_rules! tuples {
    ($( ($($T:ident)+) )*) => { $(
        #[diagnostic::do_not_recommend]
        impl<X: Site, $($T),+> each::Read<X> for ($($T,)+)
        where
            $( $T: Source<X, Place: OnBoard + ReachedFrom<X::Device>, Elements: Elements<Element: Element>>, )+
        {
            fn read(&self, each: &mut dyn FnMut(Given) -> Result<()>) -> Result<()> {
                #[allow(non_snake_case, reason = "the names of the types")]
                let ($($T,)+) = self;
                $( each(given($T.source()))?; )+
                Ok(())
            }
        }
        #[diagnostic::do_not_recommend]
        impl<X: Site, $($T),+> Inputs<X> for ($($T,)+) where ($($T,)+): each::Read<X> {}

        #[diagnostic::do_not_recommend]
        impl<X: Site, $($T),+> each::Write<X> for ($($T,)+)
        where
            $( $T: Destination<
                X,
                Place: OnBoard + ReachedFrom<X::Device>,
                Elements: Elements<Element: Element>,
                Origin = Allocated,
            >, )+
        {
            fn write(&self, each: &mut dyn FnMut(Given) -> Result<()>) -> Result<()> {
                #[allow(non_snake_case, reason = "the names of the types")]
                let ($($T,)+) = self;
                $( each(given($T.destination()))?; )+
                Ok(())
            }
        }
        #[diagnostic::do_not_recommend]
        impl<X: Site, $($T),+> GearOutputs<X> for ($($T,)+)
        where
            ($($T,)+): each::Write<X>,
            // Only borrowed memory returns nothing, and it is initialised.
            $( $T: Destination<X, Written = ()>, )+
        {
        }

        #[diagnostic::do_not_recommend]
        impl<X: Site, $($T),+> Outputs<X> for ($($T,)+)
        where
            ($($T,)+): each::Write<X>,
            $( $T: Destination<X>, )+
        {
            type Written = ($($T::Written,)+);

            unsafe fn written(self) -> Self::Written {
                #[allow(non_snake_case, reason = "the names of the types")]
                let ($($T,)+) = self;
                $(
                    // SAFETY: the caller's contract.
                    #[allow(non_snake_case, reason = "the names of the types")]
                    let $T = unsafe { $T.written() };
                )+
                ($($T,)+)
            }
        }
    )* };
}

tuples! {
    (A)
    (A B)
    (A B C)
    (A B C E)
    (A B C E F)
    (A B C E F G)
    (A B C E F G H)
    (A B C E F G H I)
}

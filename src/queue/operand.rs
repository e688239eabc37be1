//! Queued buffers as operands of work on their stream.

use std::ptr::NonNull;

use crate::memory::operand::Allocated;
use crate::memory::{Buf, Destination, Elements, Extent, Init, OnDevice, Place, Source, Uninit};
use crate::queue::{Queue, Queued};
use crate::state::Sealed;

/// Origins of memory that a stream can fill.
#[diagnostic::on_unimplemented(
    message = "a stream cannot fill a slice of Rust",
    label = "`memset_async` fills memory that AscendCL has allocated",
    note = "the host fills the slice: `slice.fill(value)`"
)]
pub trait Fillable: Sealed {}
impl Sealed for Allocated {}
impl Fillable for Allocated {}

/// Memory with contents that work changes, which reads it too: `&mut` of an initialised [`Queued`](crate::Queued) buffer, or a part of
/// one.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no memory with contents that work of `{Q}` can change",
    label = "expected `&mut` of an initialised buffer, or a part of one, that is queued on the same stream",
    note = "write fresh memory (`Uninit`) first: with `memset_async`, a copy or an operator",
    note = "a rank that only receives a broadcast can pass fresh memory by value: `stream.with(&comm).broadcast_into(..)`"
)]
pub trait Updated<Q>: Destination<Q, Written = ()> {}
#[diagnostic::do_not_recommend]
impl<Q, B: Destination<Q, Written = ()>> Updated<Q> for B {}

impl<'dev, Q: Queue, M, E: Elements + ?Sized, H> Sealed for &Queued<'_, Q, Buf<'dev, M, E, Init>, H> where
    M: Place + OnDevice<Q::Device>
{
}
#[diagnostic::do_not_recommend]
impl<'dev, Q: Queue, M, E: Elements + ?Sized, H> Source<Q>
    for &Queued<'_, Q, Buf<'dev, M, E, Init>, H>
where
    M: Place + OnDevice<Q::Device>,
{
    type Place = M;
    type Elements = E;
    const WAITS: bool = false;
    const WHOLE: bool = true;

    #[inline(always)]
    fn source(&self) -> NonNull<E> {
        self.resource().raw()
    }
}

impl<'dev, Q: Queue, M, E: Elements + ?Sized, H> Sealed
    for &mut Queued<'_, Q, Buf<'dev, M, E, Init>, H>
where
    M: Place + OnDevice<Q::Device>,
{
}
#[diagnostic::do_not_recommend]
impl<'dev, Q: Queue, M, E: Elements + ?Sized, H> Destination<Q>
    for &mut Queued<'_, Q, Buf<'dev, M, E, Init>, H>
where
    M: Place + OnDevice<Q::Device>,
{
    type Place = M;
    type Elements = E;
    type Origin = Allocated;
    type Written = ();
    const WAITS: bool = false;
    const WHOLE: bool = true;

    #[inline(always)]
    fn destination(&self) -> NonNull<E> {
        self.resource().raw()
    }

    #[inline(always)]
    unsafe fn written(self) {}
}

impl<'dev, Q: Queue, M, E: Elements + ?Sized, H> Sealed
    for Queued<'_, Q, Buf<'dev, M, E, Uninit>, H>
where
    M: Place + OnDevice<Q::Device>,
{
}
#[diagnostic::do_not_recommend]
impl<'q, 'dev, Q: Queue, M, E: Elements + ?Sized, H> Destination<Q>
    for Queued<'q, Q, Buf<'dev, M, E, Uninit>, H>
where
    M: Place + OnDevice<Q::Device>,
{
    type Place = M;
    type Elements = E;
    type Origin = Allocated;
    type Written = Queued<'q, Q, Buf<'dev, M, E, Init>>;
    const WAITS: bool = false;
    const WHOLE: bool = true;

    #[inline(always)]
    fn destination(&self) -> NonNull<E> {
        self.resource().raw()
    }

    #[inline(always)]
    unsafe fn written(self) -> Self::Written {
        // The work replaces all results of streams before `Q`, so their names are removed.
        self.with_history().map(|buf| {
            // SAFETY: all later reads of the buffer are ordered after that work: they are later work of the queue, or
            // the host reads after a wait for it.
            unsafe { buf.assume() }
        })
    }
}

#[diagnostic::do_not_recommend]
impl<'dev, Q: Queue, M, E: Elements + ?Sized, H> Extent for &Queued<'_, Q, Buf<'dev, M, E, Init>, H>
where
    M: Place + OnDevice<Q::Device>,
{
    #[inline(always)]
    fn extent(&self) -> usize {
        self.resource().len()
    }
}
#[diagnostic::do_not_recommend]
impl<'dev, Q: Queue, M, E: Elements + ?Sized, H> Extent
    for &mut Queued<'_, Q, Buf<'dev, M, E, Init>, H>
where
    M: Place + OnDevice<Q::Device>,
{
    #[inline(always)]
    fn extent(&self) -> usize {
        self.resource().len()
    }
}

//! Queued buffers as operands of work on their stream.

use std::ptr::NonNull;

use crate::memory::operand::{Allocated, QueuedDestination, QueuedSource};
use crate::memory::{Buf, Elements, Extent, Init, Memory, OnDevice, Place, Uninit};
use crate::queue::{Queue, Queued};
use crate::state::Sealed;

/// Memory that a stream can fill.
#[diagnostic::on_unimplemented(
    message = "a stream cannot fill a slice of Rust",
    label = "`memset_async` fills memory that AscendCL has allocated",
    note = "the host fills the slice: `slice.fill(value)`"
)]
pub trait Fillable: Sealed {}
impl Sealed for Allocated {}
impl Fillable for Allocated {}

impl<'dev, Q: Queue, M, E: Elements + ?Sized, H> Sealed for &Queued<'_, Q, Buf<'dev, M, E, Init>, H> where
    M: Place + OnDevice<Q::Device>
{
}
#[diagnostic::do_not_recommend]
impl<'dev, Q: Queue, M, E: Elements + ?Sized, H> Memory for &Queued<'_, Q, Buf<'dev, M, E, Init>, H>
where
    M: Place + OnDevice<Q::Device>,
{
    type Place = M;
    type Elements = E;
    const WHOLE: bool = true;

    #[inline(always)]
    fn memory(&self) -> NonNull<E> {
        self.resource().raw()
    }
}
#[diagnostic::do_not_recommend]
impl<'dev, Q: Queue, M, E: Elements + ?Sized, H> QueuedSource<Q>
    for &Queued<'_, Q, Buf<'dev, M, E, Init>, H>
where
    M: Place + OnDevice<Q::Device>,
{
}

impl<'dev, Q: Queue, M, E: Elements + ?Sized, H> Sealed
    for &mut Queued<'_, Q, Buf<'dev, M, E, Init>, H>
where
    M: Place + OnDevice<Q::Device>,
{
}
#[diagnostic::do_not_recommend]
impl<'dev, Q: Queue, M, E: Elements + ?Sized, H> Memory
    for &mut Queued<'_, Q, Buf<'dev, M, E, Init>, H>
where
    M: Place + OnDevice<Q::Device>,
{
    type Place = M;
    type Elements = E;
    const WHOLE: bool = true;

    #[inline(always)]
    fn memory(&self) -> NonNull<E> {
        self.resource().raw()
    }
}
#[diagnostic::do_not_recommend]
impl<'dev, Q: Queue, M, E: Elements + ?Sized, H> QueuedDestination<Q>
    for &mut Queued<'_, Q, Buf<'dev, M, E, Init>, H>
where
    M: Place + OnDevice<Q::Device>,
{
    type Origin = Allocated;
    type Written = ();

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
impl<'dev, Q: Queue, M, E: Elements + ?Sized, H> Memory
    for Queued<'_, Q, Buf<'dev, M, E, Uninit>, H>
where
    M: Place + OnDevice<Q::Device>,
{
    type Place = M;
    type Elements = E;
    const WHOLE: bool = true;

    #[inline(always)]
    fn memory(&self) -> NonNull<E> {
        self.resource().raw()
    }
}
#[diagnostic::do_not_recommend]
impl<'q, 'dev, Q: Queue, M, E: Elements + ?Sized, H> QueuedDestination<Q>
    for Queued<'q, Q, Buf<'dev, M, E, Uninit>, H>
where
    M: Place + OnDevice<Q::Device>,
{
    type Origin = Allocated;
    type Written = Queued<'q, Q, Buf<'dev, M, E, Init>>;

    #[inline(always)]
    unsafe fn written(self) -> Self::Written {
        // Nothing is left of what streams before `Q` did, so their names go.
        self.with_history().map(|buf| {
            // SAFETY: whatever can read the buffer from now on is ordered behind that work: later work of
            // the queue, or the host after a wait for it.
            unsafe { buf.assume() }
        })
    }
}

#[diagnostic::do_not_recommend]
impl<'dev, Q: Queue, M, E: Elements + ?Sized, H> Extent for &Queued<'_, Q, Buf<'dev, M, E, Init>, H> where
    M: Place + OnDevice<Q::Device>
{
}
#[diagnostic::do_not_recommend]
impl<'dev, Q: Queue, M, E: Elements + ?Sized, H> Extent
    for &mut Queued<'_, Q, Buf<'dev, M, E, Init>, H>
where
    M: Place + OnDevice<Q::Device>,
{
}

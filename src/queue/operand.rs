//! What queued work reads and writes.

use std::ptr::NonNull;

use crate::memory::{Buf, Elements, Init, OnDevice, Place, Uninit};
use crate::queue::{Part, PartMut, Queue, Queued};
use crate::state::Sealed;

/// Memory that work on the queue `Q` can read: `&` of an initialised [`Queued`] buffer, or a
/// [`Part`] of one.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be read (the second argument of a copy) by work on the queue `{Q}`",
    label = "the source must be `&` of an initialised buffer that is queued on THIS stream",
    note = "hand a buffer over: `stream.adopt(buffer)`; one that is queued on another stream: `other.handoff(&mut stream, &mut event, buffer)?`, or a fence",
    note = "a `Vec` or a slice of Rust: copy it to memory of `malloc_host`, or lend it in a scope: `stream.adopt(scope.lend(&vec[..]))`",
    note = "the destination comes first, as in C; a source is only read (`&*queued`, `into_part`), and fresh memory (`Uninit`) must be written first"
)]
pub trait QueuedSource<Q>: Sealed {
    /// Where it lies.
    type Place: Place;
    /// What it holds.
    type Elements: Elements + ?Sized;

    /// Whether it begins where its allocation begins.
    #[doc(hidden)]
    const WHOLE: bool = false;
    /// Whether the runtime makes a copy wait for the stream and for itself: memory that is not page-locked.
    #[doc(hidden)]
    const WAITS: bool = false;

    #[doc(hidden)]
    fn source(&self) -> NonNull<Self::Elements>;
}

/// Memory that work on the queue `Q` can write: `&mut` of an initialised [`Queued`] buffer, a
/// [`PartMut`] of one, or a fresh [`Queued`] buffer by value, which comes back initialised.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be written (the first argument of a copy) by work on the queue `{Q}`",
    label = "the destination must be `&mut` of an initialised buffer that is queued on THIS stream, or a fresh one by value",
    note = "hand a buffer over: `stream.adopt(buffer)`; one that is queued on another stream: `other.handoff(&mut stream, &mut event, buffer)?`, or a fence",
    note = "the destination comes first, as in C: `stream.memcpy_async(&mut destination, &source)`",
    note = "what was lent by `&` is for reading: lend `&mut` of it; what is `Shared` is so until the last share becomes the buffer by `try_unwrap`"
)]
pub trait QueuedDestination<Q>: Sealed {
    /// Where it lies.
    type Place: Place;
    /// What it holds.
    type Elements: Elements + ?Sized;
    /// Who has allocated it: [`Allocated`], or [`OfRust`] for what a scope lends.
    type Origin;
    /// What the caller has when the work is queued.
    type Written;

    /// Whether it begins where its allocation begins.
    #[doc(hidden)]
    const WHOLE: bool = false;
    /// Whether the runtime makes a copy wait for the stream and for itself: memory that is not page-locked.
    #[doc(hidden)]
    const WAITS: bool = false;

    #[doc(hidden)]
    fn destination(&mut self) -> NonNull<Self::Elements>;

    /// # Safety
    ///
    /// Work that writes every element was queued on `Q`.
    #[doc(hidden)]
    unsafe fn written(self) -> Self::Written;
}

/// Memory that AscendCL has allocated.
#[derive(Debug, Clone, Copy)]
pub enum Allocated {}

/// Plain memory of Rust, lent in a scope.
#[derive(Debug, Clone, Copy)]
pub enum OfRust {}

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
impl<'dev, Q: Queue, M, E: Elements + ?Sized, H> QueuedSource<Q>
    for &Queued<'_, Q, Buf<'dev, M, E, Init>, H>
where
    M: Place + OnDevice<Q::Device>,
{
    type Place = M;
    type Elements = E;
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
impl<'dev, Q: Queue, M, E: Elements + ?Sized, H> QueuedDestination<Q>
    for &mut Queued<'_, Q, Buf<'dev, M, E, Init>, H>
where
    M: Place + OnDevice<Q::Device>,
{
    type Place = M;
    type Elements = E;
    type Origin = Allocated;
    type Written = ();
    const WHOLE: bool = true;

    #[inline(always)]
    fn destination(&mut self) -> NonNull<E> {
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
impl<'q, 'dev, Q: Queue, M, E: Elements + ?Sized, H> QueuedDestination<Q>
    for Queued<'q, Q, Buf<'dev, M, E, Uninit>, H>
where
    M: Place + OnDevice<Q::Device>,
{
    type Place = M;
    type Elements = E;
    type Origin = Allocated;
    type Written = Queued<'q, Q, Buf<'dev, M, E, Init>>;
    const WHOLE: bool = true;

    #[inline(always)]
    fn destination(&mut self) -> NonNull<E> {
        self.resource().raw()
    }

    #[inline(always)]
    unsafe fn written(self) -> Self::Written {
        // Nothing is left of what streams before `Q` did, so their names go.
        self.into_queue().map(|buf| {
            // SAFETY: whatever can read the buffer from now on is ordered behind that work: later work of
            // the queue, or the host after a wait for it.
            unsafe { buf.assume() }
        })
    }
}

impl<Q, M: Place, E: Elements + ?Sized> Sealed for Part<'_, Q, M, E> {}
#[diagnostic::do_not_recommend]
impl<Q, M: Place, E: Elements + ?Sized> QueuedSource<Q> for Part<'_, Q, M, E> {
    type Place = M;
    type Elements = E;

    #[inline(always)]
    fn source(&self) -> NonNull<E> {
        self.raw()
    }
}

impl<Q, M: Place, E: Elements + ?Sized> Sealed for PartMut<'_, Q, M, E> {}
#[diagnostic::do_not_recommend]
impl<Q, M: Place, E: Elements + ?Sized> QueuedDestination<Q> for PartMut<'_, Q, M, E> {
    type Place = M;
    type Elements = E;
    type Origin = Allocated;
    type Written = ();

    #[inline(always)]
    fn destination(&mut self) -> NonNull<E> {
        self.raw()
    }

    #[inline(always)]
    unsafe fn written(self) {}
}

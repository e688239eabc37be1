//! What work reads and writes: one vocabulary for idle and for queued memory.
//!
//! Work belongs to a site `X`: blocking calls to a device `D`, queued work to a queue `(D, S)`. Idle memory is an
//! operand of the first, memory that is queued on that stream one of the second. What the compiler says where an
//! operand does not fit depends on the site; two traits each, which nobody has to name, hold the words.

use std::ptr::NonNull;

use crate::device::AnyDevice;
use crate::memory::Buf;
use crate::memory::elements::Elements;
use crate::memory::place::Place;
use crate::state::{Init, Sealed, Uninit};
use crate::stream::StreamTag;

/// Memory as an operand: where it lies and what it holds.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no memory that work reads or writes",
    label = "expected a buffer, a borrow of one, or a part of one"
)]
pub trait Memory: Sealed {
    /// Where it lies.
    type Place: Place;
    /// What it holds.
    type Elements: Elements + ?Sized;

    /// Whether it begins where its allocation begins.
    #[doc(hidden)]
    const WHOLE: bool = false;
    /// Whether the runtime makes a queued copy wait for the stream and for itself: memory that is not page-locked.
    #[doc(hidden)]
    const WAITS: bool = false;

    #[doc(hidden)]
    fn memory(&self) -> NonNull<Self::Elements>;
}

/// Memory that work of the site `X` can read.
///
/// For blocking calls `X` is a device, and the source is `&` of an initialised [`Buf`] or a
/// [`Slice`](crate::memory::Slice) of one. For queued work `X` is a queue `(D, S)`, and the source is the same of a
/// [`Queued`](crate::Queued) buffer.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be read by work of `{X}`",
    label = "expected `&` of an initialised buffer, or a slice of one: idle for a device, queued for a queue"
)]
pub trait Source<X>: Memory {}

/// Memory that work of the site `X` can write.
///
/// It is `&mut` of an initialised buffer, a [`SliceMut`](crate::memory::SliceMut) of one, or a fresh buffer by value,
/// which comes back initialised: idle where `X` is a device, [`Queued`](crate::Queued) where it is a queue `(D, S)`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be written by work of `{X}`",
    label = "expected `&mut` of an initialised buffer, or a fresh buffer by value: idle for a device, queued for a queue"
)]
pub trait Destination<X>: Memory {
    /// Who has allocated it: [`Allocated`], or [`OfRust`] for what a scope lends.
    type Origin;
    /// What the caller has when it was written, or when work that writes it is queued: `()` for borrowed memory, the
    /// initialised buffer for a fresh one.
    type Written;

    /// # Safety
    ///
    /// For a device every element was written; for a queue work that writes every element was queued.
    #[doc(hidden)]
    unsafe fn written(self) -> Self::Written;
}

/// Memory that AscendCL has allocated.
#[derive(Debug, Clone, Copy)]
pub enum Allocated {}

/// Plain memory of Rust, lent in a scope.
#[derive(Debug, Clone, Copy)]
pub enum OfRust {}

/// [`Source`] of a blocking call.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the source of a copy (its second argument)",
    label = "the source must be `&` of an initialised buffer, or a slice of one",
    note = "the destination comes first, as in C: `memcpy(&mut destination, &source)`; a source is only read: `&*buffer`, `into_slice`",
    note = "fresh memory (`Uninit`) must be written first: by `memset`, as the destination of `memcpy`, or by an operator",
    note = "queued memory comes back from `synchronize`, `Unverified` memory by `verify`; a `Vec` goes to memory of `malloc_host` by `copy_from_slice`; a part is `buffer.slice(a..b)`"
)]
pub trait IdleSource: Memory {}

/// [`Destination`] of a blocking call.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the destination of a copy (its first argument), a fill or an operator",
    label = "the destination must be `&mut` of an initialised buffer, or a fresh buffer by value",
    note = "the destination comes first, as in C: `memcpy(&mut destination, &source)`",
    note = "a fresh (`Uninit`) buffer goes in by value and comes back initialised: `let buf = current.memcpy(buf, &source)?`",
    note = "queued memory comes back from `synchronize`; a `Vec` is not page-locked: use memory of `malloc_host`; a part is `buffer.slice_mut(a..b)`"
)]
pub trait IdleDestination: Memory {
    /// As of [`Destination`].
    type Written;

    /// # Safety
    ///
    /// Every element was written.
    unsafe fn written(self) -> Self::Written;
}

/// [`Source`] of work on the queue `Q`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be read (the second argument of a copy) by work on the queue `{Q}`",
    label = "the source must be `&` of an initialised buffer that is queued on THIS stream",
    note = "hand a buffer over: `stream.adopt(buffer)`; one that is queued on another stream: `other.handoff(&mut stream, &mut event, buffer)?`, or a fence",
    note = "a `Vec` or a slice of Rust: copy it to memory of `malloc_host`, or lend it in a scope: `stream.adopt(scope.lend(&vec[..]))`",
    note = "the destination comes first, as in C; a source is only read (`&*queued`, `into_slice`), and fresh memory (`Uninit`) must be written first"
)]
pub trait QueuedSource<Q>: Memory {}

/// [`Destination`] of work on the queue `Q`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be written (the first argument of a copy) by work on the queue `{Q}`",
    label = "the destination must be `&mut` of an initialised buffer that is queued on THIS stream, or a fresh one by value",
    note = "hand a buffer over: `stream.adopt(buffer)`; one that is queued on another stream: `other.handoff(&mut stream, &mut event, buffer)?`, or a fence",
    note = "the destination comes first, as in C: `stream.memcpy_async(&mut destination, &source)`",
    note = "what was lent by `&` is for reading: lend `&mut` of it; what is `Shared` is so until the last share becomes the buffer by `try_unwrap`"
)]
pub trait QueuedDestination<Q>: Memory {
    /// As of [`Destination`].
    type Origin;
    /// As of [`Destination`].
    type Written;

    /// # Safety
    ///
    /// Work that writes every element was queued on `Q`.
    unsafe fn written(self) -> Self::Written;
}

impl<D: AnyDevice, O: IdleSource> Source<D> for O {}
impl<D: AnyDevice, S: StreamTag, O: QueuedSource<(D, S)>> Source<(D, S)> for O {}

impl<D: AnyDevice, O: IdleDestination> Destination<D> for O {
    type Origin = Allocated;
    type Written = O::Written;

    #[inline(always)]
    unsafe fn written(self) -> O::Written {
        // SAFETY: the caller's contract.
        unsafe { IdleDestination::written(self) }
    }
}
impl<D: AnyDevice, S: StreamTag, O: QueuedDestination<(D, S)>> Destination<(D, S)> for O {
    type Origin = O::Origin;
    type Written = O::Written;

    #[inline(always)]
    unsafe fn written(self) -> O::Written {
        // SAFETY: the caller's contract.
        unsafe { QueuedDestination::written(self) }
    }
}

impl<M: Place, E: Elements + ?Sized> Sealed for &Buf<'_, M, E, Init> {}
#[diagnostic::do_not_recommend]
impl<M: Place, E: Elements + ?Sized> Memory for &Buf<'_, M, E, Init> {
    type Place = M;
    type Elements = E;

    #[inline(always)]
    fn memory(&self) -> NonNull<E> {
        self.raw()
    }
}
#[diagnostic::do_not_recommend]
impl<M: Place, E: Elements + ?Sized> IdleSource for &Buf<'_, M, E, Init> {}

// `&mut` is no source, though it could be read: rustc offers `&mut` for a destination that is `&`, and taking its
// advice would turn an upload with swapped operands into a download.
impl<M: Place, E: Elements + ?Sized> Sealed for &mut Buf<'_, M, E, Init> {}
#[diagnostic::do_not_recommend]
impl<M: Place, E: Elements + ?Sized> Memory for &mut Buf<'_, M, E, Init> {
    type Place = M;
    type Elements = E;

    #[inline(always)]
    fn memory(&self) -> NonNull<E> {
        self.raw()
    }
}
#[diagnostic::do_not_recommend]
impl<M: Place, E: Elements + ?Sized> IdleDestination for &mut Buf<'_, M, E, Init> {
    type Written = ();

    #[inline(always)]
    unsafe fn written(self) {}
}

impl<M: Place, E: Elements + ?Sized, I> Sealed for Buf<'_, M, E, I> {}
#[diagnostic::do_not_recommend]
impl<M: Place, E: Elements + ?Sized> Memory for Buf<'_, M, E, Uninit> {
    type Place = M;
    type Elements = E;

    #[inline(always)]
    fn memory(&self) -> NonNull<E> {
        self.raw()
    }
}
#[diagnostic::do_not_recommend]
impl<'dev, M: Place, E: Elements + ?Sized> IdleDestination for Buf<'dev, M, E, Uninit> {
    type Written = Buf<'dev, M, E, Init>;

    #[inline(always)]
    unsafe fn written(self) -> Buf<'dev, M, E, Init> {
        // SAFETY: the caller's contract.
        unsafe { self.assume() }
    }
}

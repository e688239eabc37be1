//! What work reads and writes: one vocabulary for idle and for queued memory.
//!
//! Work belongs to a site `X`: blocking calls to a device `D`, queued work to a queue `(D, S)`. Idle memory is an
//! operand of the first, memory that is queued on that stream one of the second.

use std::ptr::NonNull;

use crate::device::AnyDevice;
use crate::memory::Buf;
use crate::memory::elements::Elements;
use crate::memory::place::Place;
use crate::state::{Init, Sealed, Uninit};

/// Memory that work of the site `X` can read.
///
/// For blocking calls `X` is a device, and the source is `&` of an initialised [`Buf`] or a
/// [`Slice`](crate::memory::Slice) of one. For queued work `X` is a queue `(D, S)`, and the source is the same of a
/// [`Queued`](crate::Queued) buffer.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be read by work of `{X}` (as the second argument of a copy)",
    label = "the source must be `&` of an initialised buffer, or a slice of one: idle for `memcpy`, queued on THIS stream for `memcpy_async`",
    note = "the destination comes first, as in C: `memcpy(&mut destination, &source)`; a source is only read: `&*buffer`, `into_slice`",
    note = "fresh memory (`Uninit`) must be written first: by `memset`, as the destination of a copy, or by an operator",
    note = "`memcpy` reads idle memory: what is queued comes back from `synchronize`, what is `Unverified` by `verify`",
    note = "`memcpy_async` reads what is queued on its stream: `stream.adopt(buffer)`; from another stream `other.handoff(&mut stream, &mut event, buffer)?`, or a fence",
    note = "a `Vec` or a slice of Rust: copy it to memory of `malloc_host`, or lend it in a scope: `stream.adopt(scope.lend(&vec[..]))`"
)]
pub trait Source<X>: Sealed {
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
    fn source(&self) -> NonNull<Self::Elements>;
}

/// Memory that work of the site `X` can write.
///
/// It is `&mut` of an initialised buffer, a [`SliceMut`](crate::memory::SliceMut) of one, or a fresh buffer by value,
/// which comes back initialised: idle where `X` is a device, [`Queued`](crate::Queued) where it is a queue `(D, S)`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be written by work of `{X}` (as the first argument of a copy, or by a fill)",
    label = "the destination must be `&mut` of an initialised buffer, or a fresh one by value: idle for `memcpy`, queued on THIS stream for `memcpy_async`",
    note = "the destination comes first, as in C: `memcpy(&mut destination, &source)`",
    note = "a fresh (`Uninit`) buffer goes in by value and comes back initialised: `let buf = current.memcpy(buf, &source)?`",
    note = "`memcpy` and `memset` write idle memory: what is queued comes back from `synchronize`; a `Vec` is not page-locked: use memory of `malloc_host`",
    note = "`memcpy_async` and `memset_async` write what is queued on their stream: `stream.adopt(buffer)`; from another stream `other.handoff(&mut stream, &mut event, buffer)?`, or a fence",
    note = "what was lent by `&` is for reading: lend `&mut` of it; what is `Shared` is so until the last share becomes the buffer by `try_unwrap`"
)]
pub trait Destination<X>: Sealed {
    /// Where it lies.
    type Place: Place;
    /// What it holds.
    type Elements: Elements + ?Sized;
    /// Who has allocated it: AscendCL, or Rust for a slice that a scope lends.
    type Origin;
    /// What the caller has when it was written, or when work that writes it is queued: `()` for borrowed memory, the
    /// initialised buffer for a fresh one.
    type Written;

    /// Whether it begins where its allocation begins.
    #[doc(hidden)]
    const WHOLE: bool = false;
    /// Whether the runtime makes a queued copy wait for the stream and for itself: memory that is not page-locked.
    #[doc(hidden)]
    const WAITS: bool = false;

    #[doc(hidden)]
    fn destination(&self) -> NonNull<Self::Elements>;

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

impl<M: Place, E: Elements + ?Sized> Sealed for &Buf<'_, M, E, Init> {}
#[diagnostic::do_not_recommend]
impl<D: AnyDevice, M: Place, E: Elements + ?Sized> Source<D> for &Buf<'_, M, E, Init> {
    type Place = M;
    type Elements = E;

    #[inline(always)]
    fn source(&self) -> NonNull<E> {
        self.raw()
    }
}

// `&mut` is no source, though it could be read: rustc offers `&mut` for a destination that is `&`, and taking its
// advice would turn an upload with swapped operands into a download.
impl<M: Place, E: Elements + ?Sized> Sealed for &mut Buf<'_, M, E, Init> {}
#[diagnostic::do_not_recommend]
impl<D: AnyDevice, M: Place, E: Elements + ?Sized> Destination<D> for &mut Buf<'_, M, E, Init> {
    type Place = M;
    type Elements = E;
    type Origin = Allocated;
    type Written = ();

    #[inline(always)]
    fn destination(&self) -> NonNull<E> {
        self.raw()
    }

    #[inline(always)]
    unsafe fn written(self) {}
}

impl<M: Place, E: Elements + ?Sized, I> Sealed for Buf<'_, M, E, I> {}
#[diagnostic::do_not_recommend]
impl<'dev, D: AnyDevice, M: Place, E: Elements + ?Sized> Destination<D>
    for Buf<'dev, M, E, Uninit>
{
    type Place = M;
    type Elements = E;
    type Origin = Allocated;
    type Written = Buf<'dev, M, E, Init>;

    #[inline(always)]
    fn destination(&self) -> NonNull<E> {
        self.raw()
    }

    #[inline(always)]
    unsafe fn written(self) -> Buf<'dev, M, E, Init> {
        // SAFETY: the caller's contract.
        unsafe { self.assume() }
    }
}

//! Operands of work: the traits of memory that work reads and writes, idle or queued.
//!
//! Work belongs to a site `X`. The site of a blocking call is a device `D`, and its operands are idle memory. The
//! site of queued work is a queue `(D, S)`, and its operands are memory that is queued on that stream.

use std::ptr::NonNull;

use crate::device::AnyDevice;
use crate::memory::Buf;
use crate::memory::elements::Elements;
use crate::memory::place::Place;
use crate::state::{Init, Sealed, Uninit};

/// Memory that work of the site `X` can read.
///
/// For blocking calls `X` is a device, and the source is `&` of an initialised [`Buf`] or a
/// [`Slice`](crate::memory::Slice) of one. For queued work `X` is a queue `(D, S)`, and the source is `&` of a
/// [`Queued`](crate::Queued) buffer on that queue or a [`Slice`](crate::memory::Slice) of one.
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
    /// The domain of the memory.
    type Place: Place;
    /// The elements of the memory.
    type Elements: Elements + ?Sized;

    /// Whether the memory begins at the start of its allocation.
    #[doc(hidden)]
    const WHOLE: bool = false;
    /// Whether a queued copy blocks until the stream and the copy are done, because the memory is not page-locked.
    #[doc(hidden)]
    const WAITS: bool = false;

    #[doc(hidden)]
    fn source(&self) -> NonNull<Self::Elements>;
}

/// Memory that work of the site `X` can write.
///
/// A destination is `&mut` of an initialised buffer, a [`SliceMut`](crate::memory::SliceMut) of one, or a fresh
/// buffer by value, which the call returns initialised. If `X` is a device, the buffer is idle. If `X` is a queue
/// `(D, S)`, the buffer is [`Queued`](crate::Queued).
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
    /// The domain of the memory.
    type Place: Place;
    /// The elements of the memory.
    type Elements: Elements + ?Sized;
    /// The allocator of the memory: AscendCL, or Rust for a slice that a scope lends.
    type Origin;
    /// The value that the call returns: `()` for borrowed memory, the initialised buffer for a fresh one.
    type Written;

    /// Whether the memory begins at the start of its allocation.
    #[doc(hidden)]
    const WHOLE: bool = false;
    /// Whether a queued copy blocks until the stream and the copy are done, because the memory is not page-locked.
    #[doc(hidden)]
    const WAITS: bool = false;

    #[doc(hidden)]
    fn destination(&self) -> NonNull<Self::Elements>;

    /// # Safety
    ///
    /// - If `X` is a device, every element was written.
    /// - If `X` is a queue, work that writes every element was queued.
    #[doc(hidden)]
    unsafe fn written(self) -> Self::Written;
}

/// Memory that AscendCL has allocated.
#[derive(Debug, Clone, Copy)]
pub enum Allocated {}

/// Ordinary memory of Rust, lent in a scope.
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

// `&mut` is not a source, although it could be read. If the destination is `&`, rustc suggests `&mut`. With swapped
// operands this suggestion would turn an upload into a download.
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

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
    label = "expected `&` of an initialised buffer or of a part of one: idle for `memcpy`, queued on the same stream for `memcpy_async`",
    note = "pass the destination first, as in C: `memcpy(&mut destination, &source)`; turn `&mut` into a source with `&*buffer` or `into_slice`; write fresh memory (`Uninit`) first: with `memset`, a copy or an operator",
    note = "`memcpy` reads idle memory: take queued memory back, `stream.synchronize()?.take(buffer)`; verify `Unverified` memory, `idle.verify(buffer)`; copy a `Vec` to host memory, `current.malloc_host_from(host, &vec)?`",
    note = "`memcpy_async` reads memory of its stream: move an idle buffer in, `stream.adopt(buffer)`, or into a recording, `stream.capture(buffer, |recording, buffer| ..)`; move one of another stream, `other.handoff(&mut stream, &mut event, buffer)?`; copy a `Vec` to host memory, `stream.malloc_host_from(host, &vec)?`, or lend it in a scope, `stream.adopt(scope.lend(&vec[..]))`; give `Numbered` memory its brand, `stream.rebrand(buffer)?`"
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
    const WAITS: bool;

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
    label = "expected `&mut` of an initialised buffer, or a fresh buffer by value: idle for `memcpy`, queued on the same stream for `memcpy_async`",
    note = "pass the destination first, as in C: `memcpy(&mut destination, &source)`; pass a fresh (`Uninit`) buffer by value, and use the result: `let buf = current.memcpy(buf, &source)?`",
    note = "`memcpy` and `memset` write idle memory: take queued memory back, `stream.synchronize()?.take(buffer)`; use memory of `malloc_host` in place of a `Vec`",
    note = "`memcpy_async` and `memset_async` write memory of their stream: move an idle buffer in, `stream.adopt(buffer)`, or into a recording, `stream.capture(buffer, |recording, buffer| ..)`; move one of another stream, `other.handoff(&mut stream, &mut event, buffer)?`; give `Numbered` memory its brand, `stream.rebrand(buffer)?`; lend memory with `&mut`; turn the last share of a `Shared` buffer into the buffer with `try_unwrap`"
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
    const WAITS: bool;

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
    const WAITS: bool = false;

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
    const WAITS: bool = false;

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
    const WAITS: bool = false;

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

//! Memory: buffers that know where they live, what they hold and whether it was written
//! (`acl/acl_rt.h`; manual chapter 11).
//!
//! | domain | type | allocated by | freed by |
//! |---|---|---|---|
//! | page-locked host memory | [`HostBuf`] | `aclrtMallocHost` | `aclrtFreeHost` |
//! | memory of device `D` | [`DeviceBuf`] | `aclrtMalloc` | `aclrtFree` |
//! | the same behind the cache | [`CachedBuf`] | `aclrtMallocCached` | `aclrtFree` |
//! | memory of the media engine of `D` | [`DvppBuf`] | `acldvppMalloc` | `acldvppFree` |
//! | the same, for the second interface | [`DvppV2Buf`] | `hi_mpi_dvpp_malloc` | `hi_mpi_dvpp_free` |
//! | the program's own side | [`LocalBuf`] | `aclrtMallocHost` | `aclrtFreeHost` |
//! | a [`Piece`] of a block of `M` memory | [`Buf<Piece<M>, [..]>`](Buf) | [`Block::piece`], [`Room::piece`](fixed::Room::piece) | nothing: the block frees it |
//! | memory of a [`Peer`] | [`Buf<Peer<..>, [..]>`](Buf) | `aclrtMalloc`, on the peer | `aclrtFree` |
//! | memory of another library | [`ForeignBuf`] | that library | nothing: that library frees it |
//!
//! A buffer owns its memory and frees it with the right function when it is dropped, or by
//! [`Buf::free`] where the error matters. Copies and fills are methods of
//! [`Current`](crate::Current).
//!
//! One parameter says what a buffer holds ([`Elements`]): `DeviceBuf<'_, D, [f32]>` has its length at run time,
//! `DeviceBuf<'_, D, [f32; 16]>` in its type. Lengths that the compiler computes are a matter of their own: [`fixed`].

pub(crate) mod alloc;
pub(crate) mod block;
pub(crate) mod borrowed;
pub(crate) mod copy;
pub(crate) mod elements;
pub(crate) mod fill;
pub mod fixed;
mod fresh;
pub(crate) mod operand;
pub(crate) mod place;
pub(crate) mod plain;
pub(crate) mod policy;
pub(crate) mod rows;
pub(crate) mod slice;
pub(crate) mod writer;

use std::fmt;
use std::marker::PhantomData;
use std::mem::{self, ManuallyDrop};
use std::ops::{Deref, DerefMut, Range};
use std::ptr::NonNull;

use ascendcl_sys as sys;

pub use alloc::Align;
pub use block::{Block, padded};
pub use borrowed::ForeignBuf;
pub(crate) use borrowed::OwnMemory;
pub(crate) use copy::{CopyTo, OnDevice};
pub(crate) use elements::{Elements, SameElements};
pub(crate) use operand::{Destination, Source};
pub use place::{Cached, Dev, Dvpp, DvppV2, Host, Local, Peer, Piece};
pub(crate) use place::{FillPlace, OnBoard, Operand, Place, WordPlace};
pub(crate) use plain::{Plain, Word};
pub use policy::{CachedPolicy, MallocConfig, MallocPolicy, MemAttr, MemInfo};
pub(crate) use rows::Extent;
pub use rows::Rows;
pub use slice::{Slice, SliceMut};
pub use writer::Writer;

pub use crate::state::{Init, Uninit};

#[cfg(doc)]
use crate::error::ErrorKind;
use crate::error::{Result, Usage};
use crate::memory::elements::Counted;
use crate::memory::place::Touchable;
use crate::park::{Parked, Parking, User};
use crate::raw::check;
use crate::release;
use crate::runtime::DeviceSide;
use crate::state::Invariant;

/// Owned memory: the elements `E` in the domain `M`, written (`Init`) or fresh (`Uninit`).
///
/// One word if the length is in the type (`[T; N]`), two if it is known at run time (`[T]`). `Send`
/// and `Sync` as far as its elements are: freeing needs no current context (observed, CANN runtime
/// 1.17), so a buffer may be dropped on any thread.
///
/// # Invariants
///
/// - `ptr` is the start of an allocation of at least as many elements as it says by `M`'s allocator that nothing
///   else frees (for [`Foreign`](crate::interop::Foreign) memory: that nothing frees before the work on it is over), their
///   bytes no more than an `isize` counts; if the program touches it (`M::TOUCHED`), aligned
///   for `T`.
/// - With the state `Init` work that writes every byte of those elements has ended, or goes in front of whatever
///   reads them.
/// - Where the program can touch the memory, every byte was written once, in either state, because that work may fail:
///   host memory is zeroed when it is allocated, and device memory where the program runs on the device itself. For
///   `M = Host` they are always readable and writable by the host.
/// - The device that `'dev` borrows was not reset.
pub struct Buf<'dev, M: Place, E: Elements + ?Sized, I = Init> {
    ptr: NonNull<E>,
    _place: PhantomData<(&'dev (), Invariant<M>, I)>,
}

/// Page-locked host memory. Readable and writable as a slice; zeroed when allocated.
pub type HostBuf<'dev, E> = Buf<'dev, Host, E, Init>;
/// Memory of device `D`.
pub type DeviceBuf<'dev, D, E, I = Init> = Buf<'dev, Dev<D>, E, I>;
/// Memory of device `D` behind the cache, made by [`Current::malloc_cached`](crate::Current::malloc_cached).
pub type CachedBuf<'dev, D, E, I = Init> = Buf<'dev, Cached<D>, E, I>;
/// Memory of the media engine of device `D`.
pub type DvppBuf<'dev, D, E, I = Init> = Buf<'dev, Dvpp<D>, E, I>;
/// Memory of the media engine of device `D`, for its second interface.
pub type DvppV2Buf<'dev, D, E, I = Init> = Buf<'dev, DvppV2<D>, E, I>;

/// Memory on the program's own side, readable and writable as a slice: host memory on a host, device
/// memory on the device itself. Zeroed when allocated.
pub type LocalBuf<'dev, E> = Buf<'dev, Local, E, Init>;

// SAFETY: the buffer owns its memory; its elements go with it. Freeing needs no context
// (observed, CANN runtime 1.17, for `aclrtFree` and `aclrtFreeHost`); should `acldvppFree`
// want one it refuses, which is reported and harmless.
unsafe impl<M: Place, E: Elements<Element: Send> + ?Sized, I> Send for Buf<'_, M, E, I> {}
// SAFETY: through a shared buffer there is only reading, by the host or by queued copies.
unsafe impl<M: Place, E: Elements<Element: Sync> + ?Sized, I> Sync for Buf<'_, M, E, I> {}

impl<'dev, M: Place, E: Elements + ?Sized, I> Buf<'dev, M, E, I> {
    /// # Safety
    ///
    /// The invariants of [`Buf`].
    #[inline(always)]
    pub(crate) unsafe fn from_parts(elements: NonNull<E>) -> Self {
        Buf {
            ptr: elements,
            _place: PhantomData,
        }
    }

    /// The number of elements.
    #[inline(always)]
    #[must_use]
    pub fn len(&self) -> usize {
        E::count(self.ptr)
    }

    /// Whether there are no elements; never true, since empty allocations are refused.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The address, for calls that this crate does not have. Only host memory may be dereferenced
    /// by the host.
    #[inline(always)]
    #[must_use]
    pub fn as_raw(&self) -> *mut E::Element {
        self.ptr.as_ptr().cast()
    }

    #[inline(always)]
    pub(crate) fn raw(&self) -> NonNull<E> {
        self.ptr
    }

    /// The same memory with a length that is known at run time, for code that takes buffers of one type, whatever their
    /// lengths.
    #[must_use]
    pub fn forget_length(self) -> Buf<'dev, M, [E::Element], I> {
        let elements = NonNull::slice_from_raw_parts(self.ptr.cast(), self.len());
        mem::forget(self);
        // SAFETY: the invariants of this buffer, which is given up; as many elements.
        unsafe { Buf::from_parts(elements) }
    }

    /// Takes over memory that was allocated through the C API.
    ///
    /// The elements are the address of the first one as that of all: `address.cast::<[T; N]>()`, or
    /// [`NonNull::slice_from_raw_parts`] with a length of run time.
    ///
    /// # Safety
    ///
    /// - `elements` comes from the allocator of `M` (see the table of [this module](self)), on the device
    ///   of `M`, has room for so many elements, and nothing else frees it.
    /// - With `M` = [`Host`] or [`Local`] it is aligned for an element: the buffer is a slice of Rust.
    /// - With `M` = [`Local`] it comes from [`Buf::into_raw`] of such a buffer.
    /// - With `M` = [`Foreign`](crate::interop::Foreign) it comes from [`Buf::into_raw`] of such a buffer, whose owner is
    ///   borrowed for `'dev`.
    /// - With `M` = [`Piece`] it comes from [`Buf::into_raw`] of such a buffer, whose block is borrowed for `'dev`; with
    ///   `M` = [`Peer`] of one that was lent by a [`PeerView`](crate::peer::PeerView), whose access is borrowed for `'dev`.
    /// - With `I` = [`Init`], and with `M` = [`Host`] or [`Local`] in either state, its bytes were written: what a failed
    ///   download leaves there can be read. Every buffer of this crate in host memory was; what `aclrtMallocHost` gives
    ///   was not.
    /// - The device stays set for `'dev`, and no queued work uses the memory.
    pub unsafe fn from_raw(elements: NonNull<E>) -> Self
    where
        E: Counted,
    {
        // SAFETY: the caller's contract.
        unsafe { Self::from_parts(elements) }
    }

    /// Gives the memory up without freeing it; the other half of [`Buf::from_raw`].
    #[must_use]
    pub fn into_raw(self) -> NonNull<E> {
        ManuallyDrop::new(self).ptr
    }

    /// Frees the memory (`aclrtFree`, `aclrtFreeHost` or `acldvppFree`, by the domain).
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Refused`] when other code has freed it; it is gone all the
    /// same.
    #[doc(alias = "aclrtFree")]
    #[doc(alias = "aclrtFreeHost")]
    #[doc(alias = "acldvppFree")]
    #[inline]
    pub fn free(self) -> Result<()>
    where
        M: OwnMemory,
    {
        check(M::FREE, ManuallyDrop::new(self).close())
    }

    #[inline]
    fn close(&mut self) -> sys::aclError {
        // SAFETY: an allocation of `M`'s allocator that is freed nowhere else (invariant of `Buf`),
        // and no queued work uses it: what is queued owns its buffers or waits before it returns.
        unsafe { M::free(self.ptr.cast()) }
    }

    /// Gives the memory up to the parking of a device of which these streams, or with `None` any, may still use it.
    pub(crate) fn into_parking(self, parking: &Parking, users: &[User]) {
        let this = ManuallyDrop::new(self);
        if !M::OWNED {
            return;
        }
        let parked = Parked {
            pointer: this.ptr.cast(),
            // No overflow: the allocation had this many bytes.
            bytes: this.len() * size_of::<E::Element>(),
            free: M::free,
            call: M::FREE,
        };
        parking.park(users, parked);
    }

    /// The elements of a range.
    pub(crate) fn at(&self, range: Range<usize>) -> Result<NonNull<[E::Element]>> {
        let Range { start, end } = range;
        let len = self.len();
        if start > end || end > len {
            return Err(Usage::Range { start, end, len }.into());
        }
        let first = self.as_raw().wrapping_add(start);
        // SAFETY: not null, because it is an address within (or one behind) the buffer's allocation.
        let first = unsafe { NonNull::new_unchecked(first) };
        Ok(NonNull::slice_from_raw_parts(first, end - start))
    }

    /// The same memory in the words of another device.
    ///
    /// # Safety
    ///
    /// The allocator of `N` frees memory of `M`, and the memory's device is not reset during `'n` while
    /// something may use it.
    #[inline(always)]
    pub(crate) unsafe fn seen_as<'n, N: Place>(self) -> Buf<'n, N, E, I> {
        Buf {
            ptr: self.into_raw(),
            _place: PhantomData,
        }
    }

    /// The same memory with another state.
    ///
    /// # Safety
    ///
    /// With `J` = [`Init`] every byte was written.
    #[inline(always)]
    pub(crate) unsafe fn assume<J>(self) -> Buf<'dev, M, E, J> {
        Buf {
            ptr: self.into_raw(),
            _place: PhantomData,
        }
    }
}

impl<'dev, M: OnBoard, E: Elements + ?Sized, I> Buf<'dev, M, E, I> {
    /// Makes memory on a device fresh again, for instance for a pool whose buffers go by value to the copies and operators
    /// that write them as a whole. No call of the runtime.
    ///
    /// Memory that the program touches itself, [`HostBuf`] and [`LocalBuf`], is always initialised: a copy writes it
    /// through `&mut`.
    ///
    /// ```
    /// # #[cfg(feature = "emulator")]
    /// # fn pool(acl: &ascendcl::Acl) -> ascendcl::Result<()> {
    /// # use ascendcl::{Npu, Thread};
    /// # let mut thread = Thread::claim()?;
    /// # let device = acl.set_device::<Npu<0>>(&mut thread, 0)?;
    /// # let current = thread.set_current(&device)?;
    /// let mut pool = vec![current.malloc::<u32>(16)?, current.malloc(16)?];
    /// for value in 0..4 {
    ///     let Some(fresh) = pool.pop() else { break };
    ///     let written = current.memset(fresh, value)?;
    ///     // ... work that reads it ...
    ///     pool.push(written.forget_contents());
    /// }
    /// # Ok(()) }
    /// # #[cfg(feature = "emulator")]
    /// # fn main() -> ascendcl::Result<()> { pool(&ascendcl::Acl::from_env()?) }
    /// # #[cfg(not(feature = "emulator"))]
    /// # fn main() {}
    /// ```
    #[inline(always)]
    #[must_use]
    pub fn forget_contents(self) -> Buf<'dev, M, E, Uninit> {
        // SAFETY: of fresh memory nothing is promised.
        unsafe { self.assume() }
    }
}

impl<'dev, D, P, A, E: Elements + ?Sized, I> Buf<'dev, Peer<D, P, A>, E, I>
where
    Peer<D, P, A>: Place,
{
    /// Makes lent memory of a peer fresh again, for a copy to write it as a whole. No call of the runtime.
    #[inline(always)]
    #[must_use]
    pub fn forget_contents(self) -> Buf<'dev, Peer<D, P, A>, E, Uninit> {
        // SAFETY: of fresh memory nothing is promised.
        unsafe { self.assume() }
    }
}

impl<M: Place, E: Elements + ?Sized, I> Drop for Buf<'_, M, E, I> {
    #[inline]
    fn drop(&mut self) {
        release::status_in_drop(M::FREE, self.close());
    }
}

impl<M: Place, E: Elements + ?Sized, I> fmt::Debug for Buf<'_, M, E, I> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{}[{}; {}]({:p})",
            M::NAME,
            std::any::type_name::<E::Element>(),
            self.len(),
            self.as_raw()
        )
    }
}

impl<M: Touchable, E: Elements<Element: bytemuck::Pod> + ?Sized> Deref for Buf<'_, M, E, Init> {
    type Target = [E::Element];

    #[inline]
    fn deref(&self) -> &[E::Element] {
        // SAFETY: initialised memory (invariant of `Buf`) of no more bytes than an `isize` counts, in a domain that the
        // program can touch; no copy into it is in flight, because a blocking copy borrows the buffer until it is over.
        unsafe { core::slice::from_raw_parts(self.as_raw(), self.len()) }
    }
}

impl<M: Touchable, E: Elements<Element: bytemuck::Pod> + ?Sized> DerefMut for Buf<'_, M, E, Init> {
    #[inline]
    fn deref_mut(&mut self) -> &mut [E::Element] {
        // SAFETY: as for `deref`, and the borrow is exclusive.
        unsafe { core::slice::from_raw_parts_mut(self.as_raw(), self.len()) }
    }
}

impl<D, E: Elements<Element: bytemuck::Pod> + ?Sized> DeviceBuf<'_, D, E, Init> {
    /// The elements, where the program runs on the device itself (Ascend RC) and shares its memory.
    ///
    /// The proof comes from [`Acl::run_mode`](crate::runtime::Acl::run_mode).
    ///
    /// # Errors
    ///
    /// [`Usage::Alignment`] when the runtime has given less than the 64 bytes that it documents, and the elements
    /// need them.
    pub fn as_slice(&self, _device: DeviceSide<'_>) -> Result<&[E::Element]> {
        self.can_be_touched()?;
        // SAFETY: written once (invariant of `Buf`) and aligned; with `ACL_DEVICE` the program runs on the chip,
        // where `aclrtMalloc` gives memory that its CPU addresses (manual, "data transfer", run
        // modes); no queued work writes it, because such work owns its buffers, or has borrowed
        // this one and has waited.
        Ok(unsafe { core::slice::from_raw_parts(self.as_raw(), self.len()) })
    }

    /// The elements for writing, where the program runs on the device itself.
    ///
    /// # Errors
    ///
    /// As for [`DeviceBuf::as_slice`](Buf::as_slice).
    pub fn as_mut_slice(&mut self, _device: DeviceSide<'_>) -> Result<&mut [E::Element]> {
        self.can_be_touched()?;
        // SAFETY: as for `as_slice`, and the borrow is exclusive.
        Ok(unsafe { core::slice::from_raw_parts_mut(self.as_raw(), self.len()) })
    }

    /// Refuses elements at odd addresses.
    fn can_be_touched(&self) -> Result<()> {
        if !self.as_raw().is_aligned() {
            return Err(Usage::misaligned::<E::Element>(self.ptr.addr()).into());
        }
        Ok(())
    }
}

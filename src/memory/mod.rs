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
//! | a [`Piece`] of a block of `M` memory | [`Buf<Piece<M>, ..>`](Buf) | [`Block::piece`], [`Room::piece`] | nothing: the block frees it |
//! | memory of a [`Peer`] | [`Buf<Peer<..>, ..>`](Buf) | `aclrtMalloc`, on the peer | `aclrtFree` |
//!
//! A buffer owns its memory and frees it with the right function when it is dropped, or by
//! [`Buf::free`] where the error matters. Copies and fills are methods of
//! [`Current`](crate::Current).

pub(crate) mod alloc;
pub(crate) mod block;
pub(crate) mod copy;
pub(crate) mod fill;
mod fresh;
pub(crate) mod length;
pub(crate) mod place;
pub(crate) mod plain;
pub(crate) mod policy;
pub(crate) mod rows;
pub(crate) mod slice;
pub(crate) mod writer;

use std::fmt;
use std::marker::PhantomData;
use std::mem::ManuallyDrop;
use std::ops::{Deref, DerefMut, Range};
use std::ptr::NonNull;

use ascendcl_sys as sys;

pub use alloc::{Align, Alignment};
pub use block::{Block, HasRoom, Measured, PieceAndRest, Room, padded};
pub use copy::{CopyTo, Destination, OnDevice, SameElement, SameLen, Source};
pub use length::{Arr, Dyn, Fixed, Len, NonEmpty, SplitsAt, Without};
pub use place::{
    Cached, Dev, Dvpp, DvppV2, FillPlace, Host, Local, OnBoard, Operand, Peer, Piece, Place,
    WordPlace,
};
pub use plain::{AlignedIn, FixedSize, Plain, Word};
pub use policy::{CachedPolicy, MallocConfig, MallocPolicy, MemAttr, MemInfo};
pub use rows::{CopyRowsTo, Extent, FitsPitch, Rows};
pub use slice::{FixedHalves, Slice, SliceMut};
pub use writer::Writer;

pub use crate::state::{Init, Uninit};

#[cfg(doc)]
use crate::error::ErrorKind;
use crate::error::{Result, Usage};
use crate::memory::place::Touchable;
use crate::park::{Parked, Parking, User};
use crate::raw::check;
use crate::release;
use crate::runtime::DeviceSide;
use crate::state::Invariant;

/// Owned memory: `L` elements `T` in the domain `M`, written (`Init`) or fresh (`Uninit`).
///
/// One word if the length is in the type ([`Arr`], [`Fixed`]), two if it is known at run time ([`Dyn`]). `Send`
/// and `Sync` as far as its elements are: freeing needs no current context (observed, CANN runtime
/// 1.17), so a buffer may be dropped on any thread.
///
/// # Invariants
///
/// - `ptr` is the start of an allocation of at least `len` elements by `M`'s allocator that nothing
///   else frees, their bytes no more than an `isize` counts; if the program touches it (`M::TOUCHED`), aligned
///   for `T`.
/// - With the state `Init` work that writes every byte of those elements has ended, or goes in front of whatever
///   reads them; where the program can touch the memory, every byte was written once, also if that work has
///   failed: host memory is zeroed when it is allocated, and device memory where the program runs on the device
///   itself. For `M = Host` they are always readable and writable by the host.
/// - The device that `'dev` borrows was not reset.
pub struct Buf<'dev, M: Place, T, L: Len = Dyn, I = Init> {
    ptr: NonNull<T>,
    len: L,
    _place: PhantomData<(&'dev (), Invariant<M>, I)>,
}

/// Page-locked host memory. Readable and writable as a slice; zeroed when allocated.
pub type HostBuf<'dev, T, L = Dyn> = Buf<'dev, Host, T, L, Init>;
/// Memory of device `D`.
pub type DeviceBuf<'dev, D, T, L = Dyn, I = Init> = Buf<'dev, Dev<D>, T, L, I>;
/// Memory of device `D` behind the cache, made by [`Current::malloc_cached`](crate::Current::malloc_cached).
pub type CachedBuf<'dev, D, T, L = Dyn, I = Init> = Buf<'dev, Cached<D>, T, L, I>;
/// Memory of the media engine of device `D`.
pub type DvppBuf<'dev, D, T, L = Dyn, I = Init> = Buf<'dev, Dvpp<D>, T, L, I>;
/// Memory of the media engine of device `D`, for its second interface.
pub type DvppV2Buf<'dev, D, T, L = Dyn, I = Init> = Buf<'dev, DvppV2<D>, T, L, I>;

/// Memory on the program's own side, readable and writable as a slice: host memory on a host, device
/// memory on the device itself. Zeroed when allocated.
pub type LocalBuf<'dev, T, L = Dyn> = Buf<'dev, Local, T, L, Init>;

// SAFETY: the buffer owns its memory; its elements go with it. Freeing needs no context
// (observed, CANN runtime 1.17, for `aclrtFree` and `aclrtFreeHost`); should `acldvppFree`
// want one it refuses, which is reported and harmless.
unsafe impl<M: Place, T: Send, L: Len, I> Send for Buf<'_, M, T, L, I> {}
// SAFETY: through a shared buffer there is only reading, by the host or by queued copies.
unsafe impl<M: Place, T: Sync, L: Len, I> Sync for Buf<'_, M, T, L, I> {}

impl<'dev, M: Place, T, L: Len, I> Buf<'dev, M, T, L, I> {
    /// # Safety
    ///
    /// The invariants of [`Buf`].
    pub(crate) unsafe fn from_parts(ptr: NonNull<T>, len: L) -> Self {
        Buf {
            ptr,
            len,
            _place: PhantomData,
        }
    }

    /// The number of elements.
    #[inline(always)]
    #[must_use]
    pub fn len(&self) -> usize {
        self.len.get()
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
    pub fn as_raw(&self) -> *mut T {
        self.ptr.as_ptr()
    }

    #[inline(always)]
    pub(crate) fn length(&self) -> L {
        self.len
    }

    /// The same memory with a length that is known at run time, for code that takes buffers of any length.
    #[must_use]
    pub fn into_dyn(self) -> Buf<'dev, M, T, Dyn, I> {
        let len = Dyn(self.len());
        // SAFETY: the invariants of this buffer, which is given up; as many elements.
        unsafe { Buf::from_parts(self.into_raw(), len) }
    }

    /// Takes over memory that was allocated through the C API.
    ///
    /// # Safety
    ///
    /// - `ptr` comes from the allocator of `M` (see the table of [this module](self)), on the device
    ///   of `M`, has room for `len` elements, and nothing else frees it.
    /// - With `M` = [`Host`] or [`Local`] it is aligned for `T`: the buffer is a slice of Rust.
    /// - With `M` = [`Local`] it comes from [`Buf::into_raw`] of such a buffer.
    /// - With `M` = [`Piece`] it comes from [`Buf::into_raw`] of such a buffer, whose block is borrowed for `'dev`; with
    ///   `M` = [`Peer`] of one that was lent by a [`PeerView`](crate::peer::PeerView), whose access is borrowed for `'dev`.
    /// - With `I` = [`Init`] its bytes were written. Every buffer of this crate in host memory was; what
    ///   `aclrtMallocHost` gives was not.
    /// - The device stays set for `'dev`, and no queued work uses the memory.
    pub unsafe fn from_raw(ptr: NonNull<T>, len: L) -> Self {
        // SAFETY: the caller's contract.
        unsafe { Self::from_parts(ptr, len) }
    }

    /// Gives the memory up without freeing it; the other half of [`Buf::from_raw`].
    #[must_use]
    pub fn into_raw(self) -> NonNull<T> {
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
    pub fn free(self) -> Result<()> {
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
        let parked = Parked {
            pointer: this.ptr.cast(),
            // No overflow: the allocation had this many bytes.
            bytes: this.len() * size_of::<T>(),
            free: M::free,
            call: M::FREE,
        };
        parking.park(users, parked);
    }

    /// The address of the first element of a range.
    pub(crate) fn at(&self, range: Range<usize>) -> Result<*mut T> {
        let Range { start, end } = range;
        let len = self.len();
        if start > end || end > len {
            return Err(Usage::Range { start, end, len }.into());
        }
        Ok(self.ptr.as_ptr().wrapping_add(start))
    }

    /// The same memory in the words of another device.
    ///
    /// # Safety
    ///
    /// The allocator of `N` frees memory of `M`, and the memory's device is not reset during `'n` while
    /// something may use it.
    #[inline(always)]
    pub(crate) unsafe fn seen_as<'n, N: Place>(self) -> Buf<'n, N, T, L, I> {
        let this = ManuallyDrop::new(self);
        Buf {
            ptr: this.ptr,
            len: this.len,
            _place: PhantomData,
        }
    }

    /// The same memory with another state.
    ///
    /// # Safety
    ///
    /// With `J` = [`Init`] every byte was written.
    #[inline(always)]
    pub(crate) unsafe fn assume<J>(self) -> Buf<'dev, M, T, L, J> {
        let this = ManuallyDrop::new(self);
        Buf {
            ptr: this.ptr,
            len: this.len,
            _place: PhantomData,
        }
    }
}

impl<'dev, M: OnBoard, T, L: Len, I> Buf<'dev, M, T, L, I> {
    /// Makes device memory fresh again, for instance for a pool whose buffers go by value to the copies and operators
    /// that write them as a whole. No call of the runtime.
    #[inline(always)]
    #[must_use]
    pub fn forget_contents(self) -> Buf<'dev, M, T, L, Uninit> {
        // SAFETY: of fresh memory nothing is promised.
        unsafe { self.assume() }
    }
}

impl<M: Place, T, L: Len, I> Drop for Buf<'_, M, T, L, I> {
    #[inline]
    fn drop(&mut self) {
        release::status_in_drop(M::FREE, self.close());
    }
}

impl<M: Place, T, L: Len, I> fmt::Debug for Buf<'_, M, T, L, I> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{}[{}; {}]({:p})",
            M::NAME,
            std::any::type_name::<T>(),
            self.len(),
            self.ptr
        )
    }
}

impl<M: Touchable, T: bytemuck::Pod, L: Len> Deref for Buf<'_, M, T, L, Init> {
    type Target = [T];

    #[inline]
    fn deref(&self) -> &[T] {
        // SAFETY: initialised memory (invariant of `Buf`) of no more bytes than an `isize` counts, in a domain that the
        // program can touch; no copy into it is in flight, because a blocking copy borrows the buffer until it is over.
        unsafe { core::slice::from_raw_parts(self.ptr.as_ptr(), self.len.get()) }
    }
}

impl<M: Touchable, T: bytemuck::Pod, L: Len> DerefMut for Buf<'_, M, T, L, Init> {
    #[inline]
    fn deref_mut(&mut self) -> &mut [T] {
        // SAFETY: as for `deref`, and the borrow is exclusive.
        unsafe { core::slice::from_raw_parts_mut(self.ptr.as_ptr(), self.len.get()) }
    }
}

impl<D, T: bytemuck::Pod, L: Len> DeviceBuf<'_, D, T, L, Init> {
    /// The elements, where the program runs on the device itself (Ascend RC) and shares its memory.
    ///
    /// The proof comes from [`Acl::run_mode`](crate::runtime::Acl::run_mode).
    ///
    /// # Errors
    ///
    /// [`Usage::Alignment`] when the runtime has given less than the 64 bytes that it documents, and the elements
    /// need them.
    pub fn as_slice(&self, _device: DeviceSide<'_>) -> Result<&[T]> {
        self.can_be_touched()?;
        // SAFETY: written once (invariant of `Buf`) and aligned; with `ACL_DEVICE` the program runs on the chip,
        // where `aclrtMalloc` gives memory that its CPU addresses (manual, "data transfer", run
        // modes); no queued work writes it, because such work owns its buffers, or has borrowed
        // this one and has waited.
        Ok(unsafe { core::slice::from_raw_parts(self.ptr.as_ptr(), self.len.get()) })
    }

    /// The elements for writing, where the program runs on the device itself.
    ///
    /// # Errors
    ///
    /// As for [`DeviceBuf::as_slice`](Buf::as_slice).
    pub fn as_mut_slice(&mut self, _device: DeviceSide<'_>) -> Result<&mut [T]> {
        self.can_be_touched()?;
        // SAFETY: as for `as_slice`, and the borrow is exclusive.
        Ok(unsafe { core::slice::from_raw_parts_mut(self.ptr.as_ptr(), self.len.get()) })
    }

    /// Refuses elements at odd addresses.
    fn can_be_touched(&self) -> Result<()> {
        if !self.ptr.is_aligned() {
            return Err(Usage::misaligned::<T>(self.ptr.addr()).into());
        }
        Ok(())
    }
}

//! Buffers: typed memory with a domain, a length and a state of initialisation (`acl/acl_rt.h`; manual chapter 11).
//!
//! | domain | type | allocated by | freed by |
//! |---|---|---|---|
//! | page-locked host memory | [`HostBuf`] | `aclrtMallocHost` | `aclrtFreeHost` |
//! | memory of device `D` | [`DeviceBuf`] | `aclrtMalloc` | `aclrtFree` |
//! | cached memory of device `D` | [`CachedBuf`] | `aclrtMallocCached` | `aclrtFree` |
//! | memory of the media engine of `D` | [`DvppBuf`] | `acldvppMalloc` | `acldvppFree` |
//! | media engine of `D`, second interface | [`DvppV2Buf`] | `hi_mpi_dvpp_malloc` | `hi_mpi_dvpp_free` |
//! | the program's own side | [`LocalBuf`] | `aclrtMallocHost` | `aclrtFreeHost` |
//! | a [`Piece`] of a block of `M` memory | [`Buf<Piece<M>, [..]>`](Buf) | [`Block::piece`], [`Room::piece`](fixed::Room::piece) | nothing: the block frees it |
//! | memory of `D` at reserved addresses, which grows | [`ReservedBuf`] | `aclrtMallocPhysical` | `aclrtFreePhysical` |
//! | [`Pooled`] memory of device `D` | [`Buf<Pooled<D>, [..]>`](Buf) | `aclrtMemPoolMallocAsync` | `aclrtMemPoolFreeAsync`, `aclrtFree` |
//! | memory of a [`Peer`] | [`Buf<Peer<..>, [..]>`](Buf) | `aclrtMalloc`, on the peer | `aclrtFree` |
//! | memory of another library | [`ForeignBuf`] | that library | nothing: that library frees it |
//!
//! Ordinary memory of Rust is lent in a [scope](crate::scope), also page-locked or [`Mapped`] for the device.
//!
//! A buffer owns its memory. Dropping it calls the free function of its domain. [`Buf::free`] calls the same function
//! and returns its error. Copies and fills are methods of [`Current`](crate::Current).
//!
//! The parameter `E` of a buffer ([`Elements`]) gives the element type and the length. `DeviceBuf<'_, D, [f32]>` has
//! a length that is known at run time, and `DeviceBuf<'_, D, [f32; 16]>` has a length that is part of its type. The
//! module [`fixed`] has lengths that the compiler computes.

pub(crate) mod alloc;
pub(crate) mod batch;
pub(crate) mod block;
pub(crate) mod borrowed;
pub(crate) mod copy;
mod deref;
pub(crate) mod elements;
pub(crate) mod fill;
pub mod fixed;
mod fresh;
pub(crate) mod operand;
pub(crate) mod pages;
pub(crate) mod place;
pub(crate) mod plain;
pub(crate) mod policy;
pub(crate) mod pool;
pub(crate) mod reserved;
pub(crate) mod rows;
pub(crate) mod slice;
pub(crate) mod writer;

use std::fmt;
use std::marker::PhantomData;
use std::mem::{self, ManuallyDrop};
use std::ops::Range;
use std::ptr::NonNull;

use ascendcl_sys as sys;

pub use alloc::Align;
pub use block::{Block, padded};
pub use borrowed::ForeignBuf;
pub(crate) use borrowed::OwnMemory;
pub(crate) use copy::{CopyTo, OnDevice};
pub(crate) use elements::{Elements, SameElements};
pub(crate) use operand::{Destination, Source};
pub use pages::Pages;
pub use place::{Cached, Dev, Dvpp, DvppV2, Host, Local, Mapped, Peer, Piece, Pooled, Reserved};
pub(crate) use place::{FillPlace, OnBoard, Operand, Place, WordPlace};
pub(crate) use plain::{Plain, Word};
pub use policy::{CachedPolicy, MallocConfig, MallocPolicy, MemAttr, MemInfo};
pub use pool::Pool;
pub use reserved::{ReservedBuf, Tail};
pub(crate) use rows::Extent;
pub use rows::Rows;
pub use slice::{Slice, SliceMut};
pub use writer::Writer;

pub use crate::state::{Init, Uninit};

#[cfg(doc)]
use crate::error::ErrorKind;
use crate::error::{Result, Usage};
use crate::memory::elements::Counted;
use crate::park::{Parked, Parking, User, pools};
use crate::raw::check;
use crate::release;
use crate::runtime::DeviceSide;
use crate::state::Invariant;

/// Owned memory with the elements `E` in the domain `M`, initialised (`Init`) or fresh (`Uninit`).
///
/// The size of a buffer value is one word if the length is in the type (`[T; N]`), and two words if the length is
/// known at run time (`[T]`). A buffer is `Send` and `Sync` if its elements are. It may be dropped on any thread,
/// because freeing needs no current context (observed, CANN runtime 1.17).
///
/// ```
/// # ascendcl::example!(|acl, host, current| {
/// use ascendcl::memory::{Dev, Uninit};
/// use ascendcl::{Buf, DeviceBuf};
///
/// // `DeviceBuf`, `HostBuf` and the others are names for `Buf` with a domain.
/// let fresh: Buf<'_, Dev<Npu<0>>, [f32], Uninit> = current.malloc(16)?;
/// let zeros: DeviceBuf<'_, Npu<0>, [f32]> = current.memset(fresh, 0)?;
/// assert_eq!(zeros.len(), 16);
/// # });
/// ```
///
/// The type says where the memory is, so no method stands for `aclrtPointerGetAttributes`.
///
/// # Invariants
///
/// - `ptr` is the start of an allocation by the allocator of `M`. The allocation has room for all elements of the
///   buffer, and their size in bytes fits an `isize`.
/// - Nothing else frees the allocation. (Nothing frees [`Foreign`](crate::interop::Foreign) memory before the work on
///   it is over.)
/// - `ptr` is aligned for `T` if the program accesses the memory itself (`M::TOUCHED`).
/// - With the state `Init`, some work writes every byte of the elements. This work is over, or it is ordered before
///   all work that reads them.
/// - If the program can access the memory, every byte was written at least once, in both states, because later work
///   may fail. Host memory is zeroed by its allocation, and so is device memory if the program runs on the device
///   itself. For `M = Host` the host can always read and write the bytes.
/// - The device that `'dev` borrows was not reset.
#[doc(alias = "aclrtPointerGetAttributes")]
pub struct Buf<'dev, M: Place, E: Elements + ?Sized, I = Init> {
    ptr: NonNull<E>,
    _place: PhantomData<(&'dev (), Invariant<M>, I)>,
}

/// Page-locked host memory, which the host reads and writes as a slice: it implements `Deref<Target = [T]>` and
/// `DerefMut`. The allocation zeroes it.
///
/// ```
/// fn sum(acl: &ascendcl::Acl) -> ascendcl::Result<()> {
///     use ascendcl::{HostBuf, Npu};
///     let host = acl.host()?;
///     acl.on::<Npu<0>, _>(0, |current| {
///         let mut numbers: HostBuf<'_, [f32]> = current.malloc_host(host, 3)?;
///         numbers.copy_from_slice(&[1.0, 2.0, 3.0]);
///         numbers[0] = 5.0;
///         assert_eq!(numbers.iter().sum::<f32>(), 10.0);
///         numbers.free()
///     })
/// }
/// # ascendcl::example!(|acl| { sum(&acl)?; });
/// ```
pub type HostBuf<'dev, E> = Buf<'dev, Host, E, Init>;
/// Memory of device `D`.
///
/// ```
/// # ascendcl::example!(|acl, host, current| {
/// use ascendcl::DeviceBuf;
///
/// let numbers = current.malloc_host_from(host, &[1.0_f32, 2.0])?;
/// let on_device: DeviceBuf<'_, _, [f32]> = current.memcpy(current.malloc(2)?, &numbers)?;
/// let mut back = current.malloc_host::<f32>(host, 2)?;
/// current.memcpy(&mut back, &on_device)?;
/// assert_eq!(back[..], numbers[..]);
/// # });
/// ```
pub type DeviceBuf<'dev, D, E, I = Init> = Buf<'dev, Dev<D>, E, I>;
/// Memory of device `D` that is accessed through the cache, made by
/// [`Current::malloc_cached`](crate::Current::malloc_cached).
///
/// ```
/// # ascendcl::example!(|acl, host, current| {
/// use ascendcl::memory::{CachedBuf, CachedPolicy};
///
/// let fresh = current.malloc_cached::<f32>(16, CachedPolicy::HugeFirst)?;
/// let zeros: CachedBuf<'_, _, [f32]> = current.memset(fresh, 0)?;
/// # });
/// ```
pub type CachedBuf<'dev, D, E, I = Init> = Buf<'dev, Cached<D>, E, I>;
/// Memory of the media engine of device `D`, for its first interface (`acldvpp*`).
///
/// ```
/// # ascendcl::example!(|acl, host, current| {
/// use ascendcl::DvppBuf;
///
/// let picture: DvppBuf<'_, _, [u8]> = current.memset(current.malloc_dvpp(320 * 240)?, 0)?;
/// # });
/// ```
pub type DvppBuf<'dev, D, E, I = Init> = Buf<'dev, Dvpp<D>, E, I>;
/// Memory of the media engine of device `D`, for its second interface (`hi_mpi_*`).
///
/// ```
/// # ascendcl::example!(|acl, host, current| {
/// use ascendcl::memory::DvppV2Buf;
///
/// let picture: DvppV2Buf<'_, _, [u8]> = current.memset(current.malloc_dvpp_v2(320 * 240)?, 0)?;
/// # });
/// ```
pub type DvppV2Buf<'dev, D, E, I = Init> = Buf<'dev, DvppV2<D>, E, I>;

/// Memory on the program's own side, which the program reads and writes as a slice (`Deref<Target = [T]>`, `DerefMut`):
/// host memory on a host, device memory on the device itself. The allocation zeroes it.
///
/// ```
/// # ascendcl::example!(|acl, host, current| {
/// use ascendcl::LocalBuf;
///
/// let mut numbers: LocalBuf<'_, [f32]> = current.malloc_local::<f32, 64>(4)?;
/// numbers.fill(1.0);
/// assert_eq!(numbers.iter().sum::<f32>(), 4.0);
/// # });
/// ```
pub type LocalBuf<'dev, E> = Buf<'dev, Local, E, Init>;

// SAFETY: the buffer owns its memory and its elements. Freeing needs no context (observed, CANN runtime 1.17, for
// `aclrtFree` and `aclrtFreeHost`). If `acldvppFree` needs one, it returns an error, which is reported and is
// harmless.
unsafe impl<M: Place, E: Elements<Element: Send> + ?Sized, I> Send for Buf<'_, M, E, I> {}
// SAFETY: a shared reference to a buffer allows only reads, by the host or by queued copies.
unsafe impl<M: Place, E: Elements<Element: Sync> + ?Sized, I> Sync for Buf<'_, M, E, I> {}

impl<'dev, M: Place, E: Elements + ?Sized, I> Buf<'dev, M, E, I> {
    /// # Safety
    ///
    /// - `elements` satisfies the invariants of [`Buf`].
    #[inline(always)]
    pub(crate) unsafe fn from_parts(elements: NonNull<E>) -> Self {
        Buf {
            ptr: elements,
            _place: PhantomData,
        }
    }

    /// Returns the number of elements.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current| {
    /// let numbers = current.malloc::<f32>(16)?;
    /// assert_eq!(numbers.len(), 16); // elements, not bytes
    /// # });
    /// ```
    #[inline(always)]
    #[must_use]
    pub fn len(&self) -> usize {
        E::count(self.ptr)
    }

    /// Returns whether the buffer has no elements. This is always `false`, because empty allocations are errors.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current| {
    /// let numbers = current.malloc::<f32>(16)?;
    /// assert!(!numbers.is_empty());
    /// assert!(current.malloc::<f32>(0).is_err());
    /// # });
    /// ```
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the address, for C functions that this crate does not wrap. The host may dereference only the address
    /// of host memory.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current| {
    /// let numbers = current.malloc_host_from(host, &[1_u32, 2])?;
    /// let address = numbers.as_raw(); // for a C function, while `numbers` lives
    /// assert!(!address.is_null());
    /// # });
    /// ```
    #[inline(always)]
    #[must_use]
    pub fn as_raw(&self) -> *mut E::Element {
        self.ptr.as_ptr().cast()
    }

    #[inline(always)]
    pub(crate) fn raw(&self) -> NonNull<E> {
        self.ptr
    }

    /// Converts the buffer to one whose length is known at run time, for code that takes buffers of different lengths
    /// as one type.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current| {
    /// let small = current.malloc_as::<[f32; 4]>()?.forget_length();
    /// let large = current.malloc_as::<[f32; 8]>()?.forget_length();
    /// let buffers = vec![small, large]; // one type
    /// assert_eq!(buffers[1].len(), 8);
    /// # });
    /// ```
    #[must_use]
    pub fn forget_length(self) -> Buf<'dev, M, [E::Element], I> {
        let elements = NonNull::slice_from_raw_parts(self.ptr.cast(), self.len());
        mem::forget(self);
        // SAFETY: the invariants of this buffer, which is consumed. The number of elements is the same.
        unsafe { Buf::from_parts(elements) }
    }

    /// Makes a buffer of memory that was allocated through the C API. When the buffer is dropped, it calls the free
    /// function of its domain.
    ///
    /// `elements` is a pointer to all elements. Make it of the address of the first element: by
    /// `address.cast::<[T; N]>()`, or by [`NonNull::slice_from_raw_parts`] with a length that is known at run time.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current| {
    /// use ascendcl::memory::{Dev, Uninit};
    /// use ascendcl::{Buf, sys};
    /// use std::ptr::NonNull;
    ///
    /// let mut address = std::ptr::null_mut();
    /// // SAFETY: `address` is valid for a write.
    /// let code = unsafe { sys::aclrtMalloc(&mut address, 64, sys::ACL_MEM_MALLOC_HUGE_FIRST) };
    /// assert_eq!(code, sys::ACL_SUCCESS);
    /// let first = NonNull::new(address.cast::<f32>()).expect("memory was allocated");
    /// let elements = NonNull::slice_from_raw_parts(first, 16);
    /// // SAFETY: 64 bytes of `aclrtMalloc` on the current device, which nothing else frees or uses.
    /// let buf: Buf<'_, Dev<Npu<0>>, [f32], Uninit> = unsafe { Buf::from_raw(elements) };
    /// buf.free()?;
    /// # });
    /// ```
    ///
    /// # Safety
    ///
    /// - `elements` comes from the allocator of `M` (see the table of [this module](self)), on the device of `M`, and
    ///   has room for all elements. Nothing else frees it.
    /// - With `M` = [`Host`] or [`Local`], `elements` is aligned for the element type, because the buffer
    ///   dereferences to a slice.
    /// - With `M` = [`Local`], `elements` comes from [`Buf::into_raw`] of a `Local` buffer.
    /// - With `M` = [`Foreign`](crate::interop::Foreign), `elements` comes from [`Buf::into_raw`] of a `Foreign`
    ///   buffer, and the owner of the memory is borrowed for `'dev`.
    /// - With `M` = [`Piece`], `elements` comes from [`Buf::into_raw`] of a `Piece` buffer, and the block is borrowed
    ///   for `'dev`.
    /// - With `M` = [`Pooled`], `elements` comes from [`Buf::into_raw`] of a `Pooled` buffer, and the pool is borrowed for
    ///   `'dev`.
    /// - With `M` = [`Peer`], `elements` comes from [`Buf::into_raw`] of a buffer that a
    ///   [`PeerView`](crate::peer::PeerView) lent, and its access is borrowed for `'dev`.
    /// - With `I` = [`Init`], every byte was written. With `M` = [`Host`] or [`Local`], every byte was written in
    ///   both states, because the program can read them after a failed download. Every buffer of this crate in host
    ///   memory satisfies this; memory that comes directly from `aclrtMallocHost` does not.
    /// - Where the program runs on the device itself (`ACL_DEVICE`), the rule of the last point for [`Host`] holds for
    ///   device memory too: [`Buf::as_slice`] can show it after a failed task.
    /// - The device is not reset during `'dev`, and no queued work uses the memory.
    pub unsafe fn from_raw(elements: NonNull<E>) -> Self
    where
        E: Counted,
    {
        // SAFETY: the caller's contract.
        unsafe { Self::from_parts(elements) }
    }

    /// Returns the pointer to the elements without freeing the memory. [`Buf::from_raw`] makes a buffer of it again.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current| {
    /// use ascendcl::Buf;
    /// use ascendcl::memory::{Host, Init};
    ///
    /// let elements = current.malloc_host_from(host, &[1_u32, 2])?.into_raw(); // no longer freed
    /// // SAFETY: it comes from `into_raw` of a written host buffer, and nothing else frees it.
    /// let numbers: Buf<'_, Host, [u32], Init> = unsafe { Buf::from_raw(elements) };
    /// assert_eq!(numbers[..], [1, 2]);
    /// # });
    /// ```
    #[must_use]
    pub fn into_raw(self) -> NonNull<E> {
        ManuallyDrop::new(self).ptr
    }

    /// Frees the memory with the free function of its domain (`aclrtFree`, `aclrtFreeHost` or `acldvppFree`).
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current| {
    /// let buf = current.malloc::<f32>(16)?;
    /// buf.free()?; // a drop frees it too, and its error goes to the hook for failed releases
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Refused`] when other code has already freed the memory. The buffer is consumed in this case too.
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
        // SAFETY: an allocation of `M`'s allocator that nothing else frees (invariant of `Buf`). No queued work uses
        // it, because queued work owns its buffers, or the call waits before it returns.
        unsafe { M::free(self.ptr.cast()) }
    }

    /// Parks the memory with a device. `users` are the streams of the device that may still use it; `None` stands for
    /// any stream.
    pub(crate) fn into_parking(self, parking: &Parking, users: &[User]) {
        let this = ManuallyDrop::new(self);
        if !M::OWNED {
            return;
        }
        let (pointer, key) = (this.ptr.cast(), parking.key());
        // SAFETY: memory of a pool, which is not used again, and the users of the caller.
        if M::POOLED && unsafe { pools::free_in_order(pointer, key, users) } {
            return;
        }
        let parked = Parked {
            pointer,
            // No overflow: the allocation has this many bytes.
            bytes: this.len() * size_of::<E::Element>(),
            free: M::free,
            call: M::FREE,
        };
        parking.park(users, parked);
    }

    /// Returns the elements of a range.
    pub(crate) fn at(&self, range: Range<usize>) -> Result<NonNull<[E::Element]>> {
        let Range { start, end } = range;
        let len = self.len();
        if start > end || end > len {
            return Err(Usage::Range { start, end, len }.into());
        }
        let first = self.as_raw().wrapping_add(start);
        // SAFETY: not null, because the address lies within the buffer's allocation or at its end.
        let first = unsafe { NonNull::new_unchecked(first) };
        Ok(NonNull::slice_from_raw_parts(first, end - start))
    }

    /// Converts the buffer to the domain `N`, which is the view of another device on the same memory.
    ///
    /// # Safety
    ///
    /// - The free function of `N` can free memory of `M`.
    /// - The device of the memory is not reset during `'n` while something may use the memory.
    #[inline(always)]
    pub(crate) unsafe fn seen_as<'n, N: Place>(self) -> Buf<'n, N, E, I> {
        Buf {
            ptr: self.into_raw(),
            _place: PhantomData,
        }
    }

    /// Converts the buffer to the state `J`.
    ///
    /// # Safety
    ///
    /// - With `J` = [`Init`], every byte was written.
    #[inline(always)]
    pub(crate) unsafe fn assume<J>(self) -> Buf<'dev, M, E, J> {
        Buf {
            ptr: self.into_raw(),
            _place: PhantomData,
        }
    }
}

impl<'dev, M: OnBoard, E: Elements + ?Sized, I> Buf<'dev, M, E, I> {
    /// Marks device memory as fresh again. Makes no runtime call.
    ///
    /// This is useful for a pool: the buffers are passed by value to copies and operators that write them completely.
    ///
    /// Memory that the program accesses itself ([`HostBuf`] and [`LocalBuf`]) is always initialised. A copy writes it
    /// through `&mut`.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current| {
    /// let mut pool = vec![current.malloc::<u32>(16)?, current.malloc(16)?];
    /// for value in 0..4 {
    ///     let Some(fresh) = pool.pop() else { break };
    ///     let written = current.memset(fresh, value)?;
    ///     // ... work that reads it ...
    ///     pool.push(written.forget_contents());
    /// }
    /// # });
    /// ```
    #[inline(always)]
    #[must_use]
    pub fn forget_contents(self) -> Buf<'dev, M, E, Uninit> {
        // SAFETY: the type of fresh memory promises nothing about its contents.
        unsafe { self.assume() }
    }
}

impl<'dev, D, P, A, E: Elements + ?Sized, I> Buf<'dev, Peer<D, P, A>, E, I>
where
    Peer<D, P, A>: Place,
{
    /// Marks lent memory of a peer as fresh again, so that a copy can write it completely. Makes no runtime call.
    ///
    /// ```
    /// # ascendcl::example!(|acl| {
    /// # let mut thread = Thread::claim()?;
    /// # let device = acl.set_device::<Npu<0>>(&mut thread, 0)?;
    /// # let second = acl.set_device::<Npu<1>>(&mut thread, 1)?;
    /// # let current = thread.set_current(&second)?;
    /// # let mut there = current.memset(current.malloc::<u8>(4)?, 0)?;
    /// # let current = thread.set_current(&device)?;
    /// # let here = current.memset(current.malloc::<u8>(4)?, 1)?;
    /// if let Some(route) = current.can_access_peer(&second)? {
    ///     let access = route.enable(current)?;
    ///     let lent = access.outbound().lend(there).forget_contents();
    ///     let written = current.memcpy(lent, &here)?;
    ///     there = access.outbound().give_back(written);
    /// }
    /// # });
    /// ```
    #[inline(always)]
    #[must_use]
    pub fn forget_contents(self) -> Buf<'dev, Peer<D, P, A>, E, Uninit> {
        // SAFETY: the type of fresh memory promises nothing about its contents.
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

impl<D, E: Elements<Element: bytemuck::Pod> + ?Sized> DeviceBuf<'_, D, E, Init> {
    /// Returns the elements as a slice, for a program that runs on the device itself (Ascend RC) and shares its
    /// memory.
    ///
    /// The proof `_device` comes from [`Acl::run_mode`](crate::runtime::Acl::run_mode).
    ///
    /// ```
    /// # ascendcl::example!(|acl| {
    /// use ascendcl::{DeviceBuf, DeviceSide, Npu, Result};
    ///
    /// fn sum(numbers: &DeviceBuf<'_, Npu<0>, [u32]>, device: DeviceSide<'_>) -> Result<u32> {
    ///     Ok(numbers.as_slice(device)?.iter().sum())
    /// }
    /// // The proof exists only in a program that runs on the device.
    /// assert!(acl.run_mode()?.device().is_none());
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// [`Usage::Alignment`] when the address is not aligned for the elements. This happens only if the runtime aligns
    /// to less than the 64 bytes that it documents.
    pub fn as_slice(&self, _device: DeviceSide<'_>) -> Result<&[E::Element]> {
        self.can_be_touched()?;
        // SAFETY: the memory was written (invariant of `Buf`) and is aligned. With `ACL_DEVICE` the program runs on
        // the chip, where `aclrtMalloc` returns memory that its CPU addresses (manual, "data transfer", run modes).
        // No queued work writes it, because such work owns its buffers, or it borrowed this one and is over.
        Ok(unsafe { core::slice::from_raw_parts(self.as_raw(), self.len()) })
    }

    /// Returns the elements as a mutable slice, for a program that runs on the device itself (Ascend RC) and shares
    /// its memory.
    ///
    /// The proof `_device` comes from [`Acl::run_mode`](crate::runtime::Acl::run_mode).
    ///
    /// ```
    /// # ascendcl::example!(|acl| {
    /// use ascendcl::{DeviceBuf, DeviceSide, Npu, Result};
    ///
    /// fn clear(numbers: &mut DeviceBuf<'_, Npu<0>, [u32]>, device: DeviceSide<'_>) -> Result<()> {
    ///     numbers.as_mut_slice(device)?.fill(0);
    ///     Ok(())
    /// }
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// [`Usage::Alignment`] when the address is not aligned for the elements, as for
    /// [`DeviceBuf::as_slice`](Buf::as_slice).
    pub fn as_mut_slice(&mut self, _device: DeviceSide<'_>) -> Result<&mut [E::Element]> {
        self.can_be_touched()?;
        // SAFETY: the premises of `as_slice` hold here too, and the borrow is exclusive.
        Ok(unsafe { core::slice::from_raw_parts_mut(self.as_raw(), self.len()) })
    }

    /// Returns an error if the address is not aligned for the elements.
    fn can_be_touched(&self) -> Result<()> {
        if !self.as_raw().is_aligned() {
            return Err(Usage::misaligned::<E::Element>(self.ptr.addr()).into());
        }
        Ok(())
    }
}

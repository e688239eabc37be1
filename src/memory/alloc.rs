//! Allocation. These are methods of [`Current`], because the allocators work on the thread's current
//! context.

use std::ffi::c_void;
use std::ptr::NonNull;

use ascendcl_sys as sys;

use crate::context::Current;
use crate::device::AnyDevice;
#[cfg(doc)]
use crate::error::ErrorKind;
use crate::error::{Error, Result, Usage};
use crate::memory::elements::Elements;
use crate::memory::fresh;
use crate::memory::place::{Host, Place};
use crate::memory::plain::Plain;
use crate::memory::policy::{CachedPolicy, MallocConfig, MallocPolicy};
use crate::memory::{Buf, CachedBuf, DeviceBuf, DvppBuf, DvppV2Buf, HostBuf, LocalBuf};
use crate::raw::check;
use crate::release;
use crate::runtime::HostSide;
use crate::state::{Sealed, Uninit};

/// What `aclrtMalloc` and, on a host, `aclrtMallocHost` align to (api_ref 11-01 and 11-02).
const ALIGNMENT: usize = 64;
/// The most bytes of an allocation: no slice has more. What the runtime adds to a size, up to 64 bytes (manual, chapter
/// 11), leads to no overflow behind it.
const LARGEST: usize = isize::MAX.unsigned_abs();
/// What `acldvppMalloc` aligns to (`acl/ops/acl_dvpp.h`, CANN 8.1).
const DVPP_ALIGNMENT: usize = 128;

impl<'dev, D: AnyDevice> Current<'_, 'dev, D> {
    /// Allocates memory for `len` elements on the device (`aclrtMalloc`, pyACL `acl.rt.malloc`), huge
    /// pages first.
    ///
    /// The memory is fresh: fill it, copy to it, or let an operator write it before it is read. Where the program runs
    /// on the device itself (Ascend RC) and can look at device memory, it is zeroed (`aclrtMemset`), so that what a
    /// failed task leaves was written once.
    ///
    /// # Errors
    ///
    /// [`Usage::ZeroSize`], [`Usage::SizeOverflow`], [`Usage::Alignment`] for elements aligned to
    /// more than 64 bytes, and [`ErrorKind::Refused`] with 207001 when the device's memory is exhausted.
    #[doc(alias = "aclrtMalloc")]
    #[doc(alias = "acl.rt.malloc")]
    #[inline]
    pub fn malloc<T: Plain>(self, len: usize) -> Result<DeviceBuf<'dev, D, [T], Uninit>> {
        self.malloc_with_policy(len, MallocPolicy::HugeFirst)
    }

    /// The same with a choice of pages.
    ///
    /// # Errors
    ///
    /// As for [`Current::malloc`].
    #[inline]
    pub fn malloc_with_policy<T: Plain>(
        self,
        len: usize,
        policy: MallocPolicy,
    ) -> Result<DeviceBuf<'dev, D, [T], Uninit>> {
        malloc_device(len, policy, |first| {
            NonNull::slice_from_raw_parts(first, len)
        })
    }

    /// Allocates `N` elements on the device; the length is part of the type, so copies compare it
    /// when they are compiled and the buffer is one word.
    ///
    /// # Errors
    ///
    /// As for [`Current::malloc`].
    #[inline]
    pub fn malloc_array<T: Plain, const N: usize>(
        self,
    ) -> Result<DeviceBuf<'dev, D, [T; N], Uninit>> {
        malloc_device(N, MallocPolicy::HugeFirst, NonNull::cast)
    }

    /// Allocates page-locked host memory for `len` elements (`aclrtMallocHost`, pyACL
    /// `acl.rt.malloc_host`) and zeroes it.
    ///
    /// The proof `_host` comes from [`Acl::run_mode`](crate::Acl::run_mode): on the device itself
    /// there is no host memory.
    ///
    /// # Errors
    ///
    /// As for [`Current::malloc`].
    #[doc(alias = "aclrtMallocHost")]
    #[doc(alias = "acl.rt.malloc_host")]
    #[inline]
    pub fn malloc_host<T: Plain>(
        self,
        _host: HostSide<'_>,
        len: usize,
    ) -> Result<HostBuf<'dev, [T]>> {
        malloc_host(len, |first| NonNull::slice_from_raw_parts(first, len))
    }

    /// Allocates `N` elements of page-locked host memory, zeroed; the length is part of the type.
    ///
    /// # Errors
    ///
    /// As for [`Current::malloc`].
    #[inline]
    pub fn malloc_host_array<T: Plain, const N: usize>(
        self,
        _host: HostSide<'_>,
    ) -> Result<HostBuf<'dev, [T; N]>> {
        malloc_host(N, NonNull::cast)
    }

    /// Allocates page-locked host memory (`aclrtMallocHost`, pyACL `acl.rt.malloc_host`) and copies `values` to it.
    ///
    /// # Errors
    ///
    /// As for [`Current::malloc`]; no values are [`Usage::ZeroSize`].
    #[inline]
    pub fn malloc_host_from<T: Plain>(
        self,
        _host: HostSide<'_>,
        values: &[T],
    ) -> Result<HostBuf<'dev, [T]>> {
        malloc_host_from(values)
    }

    /// Allocates memory on the program's own side (`aclrtMallocHost`, pyACL `acl.rt.malloc_host`),
    /// zeroed: host memory on a host, device memory on the device itself.
    ///
    /// One call for both run modes, without asking for the mode. `aclrtMallocHost` aligns to 64 bytes
    /// on a host only, so the alignment is the caller's choice: `malloc_local::<f32, 64>(len)`.
    ///
    /// # Errors
    ///
    /// As for [`Current::malloc`], for elements aligned to more than `ALIGN` bytes.
    pub fn malloc_local<T: Plain, const ALIGN: usize>(
        self,
        len: usize,
    ) -> Result<LocalBuf<'dev, [T]>>
    where
        Align<ALIGN>: Alignment,
    {
        malloc_local(len, ALIGN)
    }

    /// Allocates memory for the media engine (`acldvppMalloc`, pyACL `acl.media.dvpp_malloc`).
    ///
    /// # Errors
    ///
    /// As for [`Current::malloc`], with an alignment of 128 bytes.
    #[doc(alias = "acldvppMalloc")]
    #[doc(alias = "acl.media.dvpp_malloc")]
    #[inline]
    pub fn malloc_dvpp<T: Plain>(self, len: usize) -> Result<DvppBuf<'dev, D, [T], Uninit>> {
        let bytes = size::<T>(len, DVPP_ALIGNMENT)?;
        let mut pointer = core::ptr::null_mut();
        // SAFETY: `pointer` is valid for a write of a pointer.
        let code = unsafe { sys::acldvppMalloc(&raw mut pointer, bytes) };
        check("acldvppMalloc", code)?;
        // SAFETY: a fresh allocation of `Dvpp`'s allocator, on the current device, which is `D`.
        unsafe {
            own("acldvppMalloc", pointer, |first| {
                NonNull::slice_from_raw_parts(first, len)
            })
        }
    }

    /// Allocates memory for the second interface of the media engine (`hi_mpi_dvpp_malloc`, pyACL
    /// `acl.himpi.dvpp_malloc`).
    ///
    /// The two interfaces have an allocator each; memory of one is no memory of the other.
    ///
    /// # Errors
    ///
    /// As for [`Current::malloc_dvpp`].
    #[doc(alias = "hi_mpi_dvpp_malloc")]
    pub fn malloc_dvpp_v2<T: Plain>(self, len: usize) -> Result<DvppV2Buf<'dev, D, [T], Uninit>> {
        let bytes = size::<T>(len, DVPP_ALIGNMENT)?;
        let mut pointer = core::ptr::null_mut();
        // SAFETY: `pointer` is valid for a write of a pointer. The device id is reserved; the current device,
        // which is `D`, is what counts.
        let code =
            unsafe { sys::hi_mpi_dvpp_malloc(self.core().id(), &raw mut pointer, bytes as u64) };
        check("hi_mpi_dvpp_malloc", code)?;
        // SAFETY: a fresh allocation of `DvppV2`'s allocator, on the current device, which is `D`.
        unsafe {
            own("hi_mpi_dvpp_malloc", pointer, |first| {
                NonNull::slice_from_raw_parts(first, len)
            })
        }
    }

    /// Allocates device memory whose accesses go through the cache (`aclrtMallocCached`, pyACL
    /// `acl.rt.malloc_cached`).
    ///
    /// Copies, fills and operators take it as they take other device memory. Where the program runs on the device itself
    /// it is no slice, as [`Current::malloc`]'s is: what the program writes stays in the cache until
    /// `aclrtMemFlush`, and what the device writes is seen behind `aclrtMemInvalidate` only. Both are in
    /// [`sys`](crate::sys), for the [address](Buf::as_raw).
    ///
    /// # Errors
    ///
    /// As for [`Current::malloc`].
    #[doc(alias = "aclrtMallocCached")]
    #[doc(alias = "acl.rt.malloc_cached")]
    pub fn malloc_cached<T: Plain>(
        self,
        len: usize,
        policy: CachedPolicy,
    ) -> Result<CachedBuf<'dev, D, [T], Uninit>> {
        let bytes = size::<T>(len, ALIGNMENT)?;
        let mut pointer = core::ptr::null_mut();
        // SAFETY: `pointer` is valid for a write of a pointer.
        let code = unsafe { sys::aclrtMallocCached(&raw mut pointer, bytes, policy.raw()) };
        check("aclrtMallocCached", code)?;
        // SAFETY: a fresh allocation that `aclrtFree` frees (acl/acl_rt.h), on the current device, which is `D`.
        unsafe {
            own("aclrtMallocCached", pointer, |first| {
                NonNull::slice_from_raw_parts(first, len)
            })
        }
    }

    /// Allocates device memory with attributes (`aclrtMallocWithCfg`, pyACL `acl.rt.malloc_with_cfg`).
    ///
    /// # Errors
    ///
    /// As for [`Current::malloc`], and [`ErrorKind::Backend`] where an older CANN lacks the function.
    #[doc(alias = "aclrtMallocWithCfg")]
    #[doc(alias = "acl.rt.malloc_with_cfg")]
    pub fn malloc_with_config<T: Plain>(
        self,
        len: usize,
        policy: MallocPolicy,
        config: MallocConfig<D>,
    ) -> Result<DeviceBuf<'dev, D, [T], Uninit>> {
        let bytes = size::<T>(len, ALIGNMENT)?;
        let mut pointer = core::ptr::null_mut();
        let (mut attributes, used) = config.attributes(self.core().id());
        let mut config = sys::aclrtMallocConfig {
            attrs: attributes.as_mut_ptr(),
            numAttrs: used,
        };
        // SAFETY: `pointer` is valid for a write of a pointer, and the configuration for the call, with as many
        // attributes as it says.
        let code = unsafe {
            sys::aclrtMallocWithCfg(&raw mut pointer, bytes, policy.raw(), &raw mut config)
        };
        check("aclrtMallocWithCfg", code)?;
        // SAFETY: a fresh allocation that `aclrtFree` frees, on the current device, which is `D`.
        let buf = unsafe {
            own("aclrtMallocWithCfg", pointer, |first| {
                NonNull::slice_from_raw_parts(first, len)
            })
        }?;
        fresh::zero(&buf)?;
        Ok(buf)
    }
}

/// `len` elements of device memory; `elements` makes the address of the first one that of all.
#[inline]
pub(crate) fn malloc_device<'dev, D: AnyDevice, E: Elements<Element: Plain> + ?Sized>(
    len: usize,
    policy: MallocPolicy,
    elements: impl FnOnce(NonNull<E::Element>) -> NonNull<E>,
) -> Result<DeviceBuf<'dev, D, E, Uninit>> {
    let bytes = size::<E::Element>(len, ALIGNMENT)?;
    let mut pointer = core::ptr::null_mut();
    // SAFETY: `pointer` is valid for a write of a pointer.
    let code = unsafe { fresh::malloc(&raw mut pointer, bytes, policy.raw()) };
    check("aclrtMalloc", code)?;
    // SAFETY: a fresh allocation of `Dev`'s allocator, on the current device, which is `D`.
    unsafe { own("aclrtMalloc", pointer, elements) }
}

/// `len` elements of page-locked host memory, zeroed; `elements` makes the address of the first one that of all.
#[inline]
pub(super) fn malloc_host<'dev, E: Elements<Element: Plain> + ?Sized>(
    len: usize,
    elements: impl FnOnce(NonNull<E::Element>) -> NonNull<E>,
) -> Result<HostBuf<'dev, E>> {
    let buf = malloc_host_zeroed(len, elements)?;
    // SAFETY: every byte was written, and zero is a value of every `Pod`.
    Ok(unsafe { buf.assume() })
}

/// Page-locked host memory that is fresh to types. It is zeroed for good, not only as a state: whatever a failed copy
/// leaves here was written once, so that it is unverified but never undefined.
#[inline]
pub(crate) fn malloc_host_zeroed<'dev, E: Elements<Element: Plain> + ?Sized>(
    len: usize,
    elements: impl FnOnce(NonNull<E::Element>) -> NonNull<E>,
) -> Result<Buf<'dev, Host, E, Uninit>> {
    let buf = malloc_host_unwritten(len, elements)?;
    // SAFETY: host memory with room for `len` elements (invariant of `Buf`).
    unsafe { core::ptr::write_bytes(buf.as_raw(), 0, buf.len()) };
    Ok(buf)
}

/// Page-locked host memory with a copy of `values`.
#[inline]
pub(crate) fn malloc_host_from<'dev, T: Plain>(values: &[T]) -> Result<HostBuf<'dev, [T]>> {
    let len = values.len();
    let buf = malloc_host_unwritten(len, |first| NonNull::slice_from_raw_parts(first, len))?;
    // SAFETY: both sides have `len` elements, aligned for `T` (invariant of `Buf`), and the allocation is new, so that
    // they do not overlap.
    unsafe { core::ptr::copy_nonoverlapping(values.as_ptr(), buf.as_raw(), len) };
    // SAFETY: every byte was just written: `Pod` elements have no padding.
    Ok(unsafe { buf.assume() })
}

/// Page-locked host memory that must be written before it leaves this file.
#[inline]
fn malloc_host_unwritten<'dev, E: Elements<Element: Plain> + ?Sized>(
    len: usize,
    elements: impl FnOnce(NonNull<E::Element>) -> NonNull<E>,
) -> Result<Buf<'dev, Host, E, Uninit>> {
    let bytes = size::<E::Element>(len, ALIGNMENT)?;
    let mut pointer = core::ptr::null_mut();
    // SAFETY: `pointer` is valid for a write of a pointer.
    let code = unsafe { sys::aclrtMallocHost(&raw mut pointer, bytes) };
    check("aclrtMallocHost", code)?;
    // SAFETY: a fresh allocation of `Host`'s allocator.
    unsafe { own("aclrtMallocHost", pointer, elements) }
}

/// Aligns by hand: in front of the elements, which begin at a multiple of `align`, stands the address
/// of the block that `aclrtMallocHost` gave.
fn malloc_local<'dev, T: Plain>(len: usize, align: usize) -> Result<LocalBuf<'dev, [T]>> {
    let bytes = size::<T>(len, align)?;
    let align = align.max(align_of::<*mut c_void>());
    let header = size_of::<*mut c_void>();
    // No overflow: an alignment is at most a page, and `bytes` fits an `isize`.
    let block_size = bytes + align + header;
    let mut block = core::ptr::null_mut::<c_void>();
    // SAFETY: `block` is valid for a write of a pointer.
    let code = unsafe { sys::aclrtMallocHost(&raw mut block, block_size) };
    check("aclrtMallocHost", code)?;
    if block.is_null() {
        return Err(Error::refused("aclrtMallocHost", sys::ACL_ERROR_BAD_ALLOC));
    }
    let start = (block.addr() + header).next_multiple_of(align);
    let elements = block.with_addr(start);
    // SAFETY: `start` is at least `header` behind the block's start and at most `align + header`, so
    // header and elements lie in the block; the program can touch it in both run modes (api_ref
    // 11-02); aligned to at least a pointer.
    unsafe { elements.cast::<*mut c_void>().wrapping_sub(1).write(block) };
    // SAFETY: as above, for the elements.
    unsafe { core::ptr::write_bytes(elements.cast::<u8>(), 0, bytes) };
    let Some(elements) = NonNull::new(elements.cast::<T>()) else {
        return Err(Error::refused("aclrtMallocHost", sys::ACL_ERROR_BAD_ALLOC));
    };
    // SAFETY: a fresh allocation of `Local` with its header, `len` zeroed elements, aligned for `T`
    // because `size` compared its alignment with `align`.
    Ok(unsafe { Buf::from_parts(NonNull::slice_from_raw_parts(elements, len)) })
}

/// An alignment of `N` bytes.
#[derive(Debug, Clone, Copy)]
pub enum Align<const N: usize> {}

/// The alignments that can be asked for: powers of two up to a page.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no alignment for memory",
    note = "an alignment is a power of two from 8 to 4096; engines of Ascend chips want 32, 64 or 128"
)]
pub trait Alignment: Sealed {}

/// Lists the alignments.
macro_rules! alignments {
    ($($n:literal)*) => { $(
        impl Sealed for Align<$n> {}
        #[diagnostic::do_not_recommend]
        impl Alignment for Align<$n> {}
    )* };
}

alignments!(8 16 32 64 128 256 512 1024 2048 4096);

/// The bytes of `len` elements, if an allocator that aligns to `alignment` can serve them.
#[inline]
pub(crate) fn size<T: Plain>(len: usize, alignment: usize) -> Result<usize> {
    let size = size_of::<T>();
    // A constant: one look at the upper bits is left.
    let most = LARGEST.checked_div(size);
    if most.is_some_and(|most| len > most) {
        return Err(Usage::SizeOverflow { len, size }.into());
    }
    // No overflow: it is at most `LARGEST`.
    let bytes = len * size;
    if bytes == 0 {
        return Err(Usage::ZeroSize { len, size }.into());
    }
    if align_of::<T>() > alignment {
        return Err(Usage::Alignment {
            needed: align_of::<T>(),
            given: alignment,
        }
        .into());
    }
    Ok(bytes)
}

/// Makes a fresh allocation a buffer, after a look at its real alignment where the program touches it.
///
/// # Safety
///
/// `pointer` is null, or a fresh allocation of `M`'s allocator with room for what `elements` makes of it.
#[inline]
unsafe fn own<'dev, M: Place, E: Elements<Element: Plain> + ?Sized>(
    call: &'static str,
    pointer: *mut c_void,
    elements: impl FnOnce(NonNull<E::Element>) -> NonNull<E>,
) -> Result<Buf<'dev, M, E, Uninit>> {
    let Some(pointer) = NonNull::new(pointer) else {
        return Err(Error::refused(call, sys::ACL_ERROR_BAD_ALLOC));
    };
    let first = pointer.cast::<E::Element>();
    if M::TOUCHED && !first.is_aligned() {
        // SAFETY: allocated by `M`'s allocator, used by nothing.
        return Err(unsafe { misaligned::<M, E::Element>(pointer) });
    }
    // SAFETY: a fresh allocation of `M` for those elements, aligned for them where that matters.
    Ok(unsafe { Buf::from_parts(elements(first)) })
}

/// Gives back memory that does not fit its elements: the documented alignment does not hold on every
/// product (api_ref 11-02 on Ascend RC).
///
/// # Safety
///
/// `pointer` is an allocation of `M`'s allocator that nothing uses.
#[cold]
unsafe fn misaligned<M: Place, T>(pointer: NonNull<c_void>) -> Error {
    // SAFETY: the caller's contract.
    let code = unsafe { M::free(pointer) };
    release::status_in_drop(M::FREE, code);
    Usage::misaligned::<T>(pointer.addr()).into()
}

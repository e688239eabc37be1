//! Allocation of buffers, as methods of [`Current`]: the allocators of C work on the current context of the thread.

use std::ffi::c_void;
use std::ptr::NonNull;

use ascendcl_sys as sys;

use crate::context::Current;
use crate::device::{AnyDevice, OfDevice};
#[cfg(doc)]
use crate::error::ErrorKind;
use crate::error::{Error, Result, Usage};
use crate::memory::elements::{Counted, Elements};
use crate::memory::fresh;
use crate::memory::place::{Host, Place};
use crate::memory::plain::Plain;
use crate::memory::policy::{CachedPolicy, MallocConfig, MallocPolicy};
use crate::memory::{Buf, CachedBuf, DeviceBuf, DvppBuf, DvppV2Buf, HostBuf, LocalBuf};
use crate::raw::check;
use crate::release;
use crate::runtime::HostSide;
use crate::state::{Sealed, Uninit};

/// The alignment of `aclrtMalloc` and, on a host, of `aclrtMallocHost` (manual chapters 11-01 and 11-02).
const ALIGNMENT: usize = 64;
/// The largest allocation in bytes: no slice has more. The runtime adds up to 64 bytes to a size (manual, chapter
/// 11), which does not overflow below this limit.
const LARGEST: usize = isize::MAX.unsigned_abs();
/// The alignment of `acldvppMalloc` (`acl/ops/acl_dvpp.h`, CANN 8.1).
const DVPP_ALIGNMENT: usize = 128;

impl<'dev, D: AnyDevice> Current<'_, 'dev, D> {
    /// Allocates device memory for `len` elements (`aclrtMalloc`, pyACL `acl.rt.malloc`), with huge pages if there
    /// are any.
    ///
    /// The memory is fresh: fill it, copy to it, or let an operator write it before it is read. If the program runs
    /// on the device itself (Ascend RC), it can read device memory directly. There the memory is zeroed
    /// (`aclrtMemset`), so that a failed task does not leave bytes that were never written.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current| {
    /// let fresh = current.malloc::<f32>(16)?; // nothing can read it before it is written
    /// let zeros = current.memset(fresh, 0)?;
    /// assert_eq!(zeros.len(), 16);
    /// zeros.free()?;
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// [`Usage::ZeroSize`], [`Usage::SizeOverflow`], [`Usage::Alignment`] for elements aligned to
    /// more than 64 bytes, and [`ErrorKind::Refused`] with 207001 when the device's memory is exhausted.
    #[doc(alias = "aclrtMalloc")]
    #[doc(alias = "aclrtMallocAlign32")]
    #[doc(alias = "acl.rt.malloc")]
    #[inline]
    pub fn malloc<T: Plain>(self, len: usize) -> Result<DeviceBuf<'dev, D, [T], Uninit>> {
        self.malloc_with_policy(len, MallocPolicy::HugeFirst)
    }

    /// Allocates device memory for `len` elements with a choice of pages (`aclrtMalloc`, pyACL `acl.rt.malloc`).
    ///
    /// The memory is fresh: write it before it is read.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current| {
    /// use ascendcl::MallocPolicy;
    ///
    /// let table = current.malloc_with_policy::<f32>(1 << 20, MallocPolicy::NormalOnly)?;
    /// table.free()?;
    /// # });
    /// ```
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

    /// Allocates device memory for elements whose number is part of their type (`aclrtMalloc`, pyACL `acl.rt.malloc`):
    /// `[T; N]`, or [`Fixed<T, N>`](crate::memory::fixed::Fixed).
    ///
    /// The compiler compares the lengths of copies, and the buffer value is one word. The memory is fresh: write it
    /// before it is read. `malloc_as::<[_; 4]>()` takes the element type from the copy. With a length that is known at run
    /// time, use [`Current::malloc`].
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current| {
    /// let numbers = current.malloc_host_from(host, &[1.0_f32, 2.0, 3.0])?;
    /// let four = current.malloc_as::<[f32; 4]>()?; // the length is part of the type
    /// // 3 numbers do not fill 4, which only the call can find out: the other length is not in a type.
    /// assert!(current.memcpy(four, &numbers).is_err());
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// As for [`Current::malloc`].
    #[inline]
    pub fn malloc_as<E: Counted<Element: Plain>>(self) -> Result<DeviceBuf<'dev, D, E, Uninit>> {
        malloc_device(counted::<E>(), MallocPolicy::HugeFirst, NonNull::cast)
    }

    /// Allocates page-locked host memory for `len` elements (`aclrtMallocHost`, pyACL `acl.rt.malloc_host`) and
    /// zeroes it.
    ///
    /// The proof `_host` comes from [`Acl::run_mode`](crate::Acl::run_mode): a program that runs on the device itself
    /// has no host memory.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current| {
    /// let mut numbers = current.malloc_host::<u32>(host, 3)?;
    /// numbers.copy_from_slice(&[1, 2, 3]);
    /// assert_eq!(numbers.iter().sum::<u32>(), 6);
    /// # });
    /// ```
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

    /// Allocates page-locked host memory for elements whose number is part of their type (`aclrtMallocHost`, pyACL
    /// `acl.rt.malloc_host`), and zeroes it.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current| {
    /// let mut numbers = current.malloc_host_as::<[u32; 4]>(host)?;
    /// numbers.copy_from_slice(&[1, 2, 3, 4]);
    /// let on_device = current.memcpy(current.malloc_as::<[u32; 4]>()?, &numbers)?; // the compiler compares the lengths
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// As for [`Current::malloc_host`].
    #[inline]
    pub fn malloc_host_as<E: Counted<Element: Plain>>(
        self,
        _host: HostSide<'_>,
    ) -> Result<HostBuf<'dev, E>> {
        malloc_host(counted::<E>(), NonNull::cast)
    }

    /// Allocates page-locked host memory (`aclrtMallocHost`, pyACL `acl.rt.malloc_host`) and copies `values` to it.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current| {
    /// let numbers = current.malloc_host_from(host, &[1.0_f32, 2.0])?;
    /// assert_eq!(numbers[..], [1.0, 2.0]);
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// As for [`Current::malloc`]. If `values` is empty, the error is [`Usage::ZeroSize`].
    #[inline]
    pub fn malloc_host_from<T: Plain>(
        self,
        _host: HostSide<'_>,
        values: &[T],
    ) -> Result<HostBuf<'dev, [T]>> {
        malloc_host_from(values)
    }

    /// Allocates zeroed memory on the program's own side (`aclrtMallocHost`, pyACL `acl.rt.malloc_host`): host memory
    /// on a host, device memory on the device itself.
    ///
    /// The same call works in both run modes. The caller chooses the alignment, because `aclrtMallocHost` aligns to
    /// 64 bytes on a host only: `malloc_local::<f32, 64>(len)`.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current| {
    /// let mut numbers = current.malloc_local::<u32, 64>(4)?; // aligned to 64 bytes
    /// numbers[0] = 7;
    /// assert_eq!(numbers[..], [7, 0, 0, 0]);
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// As for [`Current::malloc`], but [`Usage::Alignment`] is for elements aligned to more than `ALIGN` bytes.
    pub fn malloc_local<T: Plain, const ALIGN: usize>(
        self,
        len: usize,
    ) -> Result<LocalBuf<'dev, [T]>>
    where
        Align<ALIGN>: Alignment,
    {
        malloc_local(len, ALIGN)
    }

    /// Allocates memory of the media engine for `len` elements (`acldvppMalloc`, pyACL `acl.media.dvpp_malloc`).
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current| {
    /// let file = current.malloc_host_from(host, &[0xff_u8, 0xd8])?; // the bytes of a JPEG file
    /// let for_decoder = current.memcpy(current.malloc_dvpp(file.len())?, &file)?;
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// As for [`Current::malloc`], but [`Usage::Alignment`] is for elements aligned to more than 128 bytes.
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

    /// Allocates memory for the second interface of the media engine, for `len` elements (`hi_mpi_dvpp_malloc`, pyACL
    /// `acl.himpi.dvpp_malloc`).
    ///
    /// Each of the two interfaces has its own allocator, and neither takes memory of the other one.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current| {
    /// let file = current.malloc_host_from(host, &[0xff_u8, 0xd8])?; // the bytes of a JPEG file
    /// let for_decoder = current.memcpy(current.malloc_dvpp_v2(file.len())?, &file)?;
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// As for [`Current::malloc_dvpp`].
    #[doc(alias = "hi_mpi_dvpp_malloc")]
    pub fn malloc_dvpp_v2<T: Plain>(self, len: usize) -> Result<DvppV2Buf<'dev, D, [T], Uninit>> {
        let bytes = size::<T>(len, DVPP_ALIGNMENT)?;
        let mut pointer = core::ptr::null_mut();
        // SAFETY: `pointer` is valid for a write of a pointer. The device id is reserved: the call uses the current
        // device, which is `D`.
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

    /// Allocates device memory that is accessed through the cache (`aclrtMallocCached`, pyACL
    /// `acl.rt.malloc_cached`).
    ///
    /// Copies, fills and operators take this memory like other device memory. A program that runs on the device
    /// itself cannot use it as a slice, unlike memory of [`Current::malloc`]: bytes that the program writes stay in
    /// the cache until `aclrtMemFlush`, and the program sees bytes that the device writes only after
    /// `aclrtMemInvalidate`. Both functions are in [`sys`](crate::sys) and take the [address](Buf::as_raw).
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current| {
    /// use ascendcl::memory::CachedPolicy;
    ///
    /// let fresh = current.malloc_cached::<f32>(16, CachedPolicy::HugeFirst)?;
    /// current.memset(fresh, 0)?.free()?;
    /// # });
    /// ```
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
    /// ```
    /// # ascendcl::example!(|acl, host, current| {
    /// use ascendcl::MallocPolicy;
    /// use ascendcl::memory::MallocConfig;
    ///
    /// let config = MallocConfig::new().module(33); // tools count the memory for module 33
    /// let buf = current.malloc_with_config::<f32>(16, MallocPolicy::HugeFirst, config)?;
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// As for [`Current::malloc`], and [`ErrorKind::Backend`] if an older CANN lacks the function.
    #[doc(alias = "aclrtMallocWithCfg")]
    #[doc(alias = "acl.rt.malloc_with_cfg")]
    pub fn malloc_with_config<T: Plain>(
        self,
        len: usize,
        policy: MallocPolicy,
        config: impl OfDevice<MallocConfig<D>>,
    ) -> Result<DeviceBuf<'dev, D, [T], Uninit>> {
        let config = config.into_inner();
        let bytes = size::<T>(len, ALIGNMENT)?;
        let mut pointer = core::ptr::null_mut();
        let (mut attributes, used) = config.attributes(self.core().id());
        let mut config = sys::aclrtMallocConfig {
            attrs: attributes.as_mut_ptr(),
            numAttrs: used,
        };
        // SAFETY: `pointer` is valid for a write of a pointer. The configuration is valid during the call and has
        // `numAttrs` attributes.
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
        fresh::zero(self, &buf)?;
        Ok(buf)
    }
}

/// The number of elements of a type that has it.
#[inline(always)]
pub(crate) fn counted<E: Counted>() -> usize {
    // Of an address without a type: nothing asks how large `E` is, which may be more than the compiler allows.
    E::count(NonNull::<u8>::dangling().cast())
}

/// Allocates device memory for `len` elements. `elements` converts the address of the first element to a pointer to
/// all.
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

/// Allocates zeroed page-locked host memory for `len` elements. `elements` converts the address of the first element
/// to a pointer to all.
#[inline]
pub(super) fn malloc_host<'dev, E: Elements<Element: Plain> + ?Sized>(
    len: usize,
    elements: impl FnOnce(NonNull<E::Element>) -> NonNull<E>,
) -> Result<HostBuf<'dev, E>> {
    let buf = malloc_host_zeroed(len, elements)?;
    // SAFETY: every byte was written, and zero is a value of every `Pod`.
    Ok(unsafe { buf.assume() })
}

/// Allocates page-locked host memory whose type is fresh, and zeroes it. After a failed copy every byte of it was
/// written, so the contents are unverified but never undefined.
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

/// Allocates page-locked host memory and copies `values` to it.
#[inline]
pub(crate) fn malloc_host_from<'dev, T: Plain>(values: &[T]) -> Result<HostBuf<'dev, [T]>> {
    let len = values.len();
    let buf = malloc_host_unwritten(len, |first| NonNull::slice_from_raw_parts(first, len))?;
    // SAFETY: both sides have `len` elements, aligned for `T` (invariant of `Buf`). The allocation is new, so the two
    // do not overlap.
    unsafe { core::ptr::copy_nonoverlapping(values.as_ptr(), buf.as_raw(), len) };
    // SAFETY: every byte was just written: `Pod` elements have no padding.
    Ok(unsafe { buf.assume() })
}

/// Allocates page-locked host memory without writing it. Code of this file must write it before it returns it.
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

/// Allocates `Local` memory and aligns it: the elements begin at a multiple of `align`, and the word in front of them
/// holds the address that `aclrtMallocHost` returned.
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
    // SAFETY: `start` is at least `header` and at most `align + header` bytes after the start of the block, so header
    // and elements lie in the block. The program can access the block in both run modes (manual chapter 11-02). `start` is
    // aligned to at least a pointer.
    unsafe { elements.cast::<*mut c_void>().wrapping_sub(1).write(block) };
    // SAFETY: the elements lie in the block, which the program can access (see the write of the header).
    unsafe { core::ptr::write_bytes(elements.cast::<u8>(), 0, bytes) };
    let Some(elements) = NonNull::new(elements.cast::<T>()) else {
        return Err(Error::refused("aclrtMallocHost", sys::ACL_ERROR_BAD_ALLOC));
    };
    // SAFETY: a fresh allocation of `Local` with its header and `len` zeroed elements. They are aligned for `T`,
    // because `size` compared the alignment of `T` with `align`.
    Ok(unsafe { Buf::from_parts(NonNull::slice_from_raw_parts(elements, len)) })
}

/// An alignment of `N` bytes.
///
/// ```
/// # ascendcl::example!(|acl, host, current| {
/// let numbers = current.malloc_local::<f32, 256>(4)?; // `Align<256>` is an alignment
/// assert_eq!(numbers.as_raw().addr() % 256, 0);
/// # });
/// ```
#[derive(Debug, Clone, Copy)]
pub enum Align<const N: usize> {}

/// The supported alignments: powers of two from 8 bytes to a page (4096 bytes).
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an alignment of memory",
    note = "an alignment is a power of two from 8 to 4096; engines of Ascend chips need 32, 64 or 128"
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

/// Returns the size of `len` elements in bytes, or an error if an allocator with the alignment `alignment` cannot
/// allocate them.
#[inline]
pub(crate) fn size<T: Plain>(len: usize, alignment: usize) -> Result<usize> {
    let size = size_of::<T>();
    // A constant: at run time one comparison of the upper bits remains.
    let most = LARGEST.checked_div(size);
    if most.is_some_and(|most| len > most) {
        return Err(Usage::SizeOverflow { len, size }.into());
    }
    // No overflow: the product is at most `LARGEST`.
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

/// Makes a buffer of a fresh allocation. Checks the real alignment if the program accesses the memory itself.
///
/// # Safety
///
/// - `pointer` is null, or a fresh allocation of `M`'s allocator.
/// - The allocation has room for the elements that `elements` returns.
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
        // SAFETY: a fresh allocation of `M`'s allocator, which nothing uses.
        return Err(unsafe { misaligned::<M, E::Element>(pointer) });
    }
    // SAFETY: a fresh allocation of `M` with room for the elements, aligned for them if the program accesses them.
    Ok(unsafe { Buf::from_parts(elements(first)) })
}

/// Frees memory that is not aligned for its elements and returns the error. The documented alignment does not hold on
/// every product (manual chapter 11-02 on Ascend RC).
///
/// # Safety
///
/// - `pointer` is an allocation of `M`'s allocator, and nothing uses it.
#[cold]
unsafe fn misaligned<M: Place, T>(pointer: NonNull<c_void>) -> Error {
    // SAFETY: the caller's contract.
    let code = unsafe { M::free(pointer) };
    release::status_in_drop(M::FREE, code);
    Usage::misaligned::<T>(pointer.addr()).into()
}

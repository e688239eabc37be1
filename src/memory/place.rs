//! Memory domains: which allocator owns the memory, and who can reach it.

use std::ffi::c_void;
use std::fmt;
use std::marker::PhantomData;
use std::ptr::NonNull;

use ascendcl_sys as sys;

use crate::state::{Invariant, Sealed};

/// Page-locked host memory.
#[derive(Debug, Clone, Copy)]
pub enum Host {}

/// Memory of device `D`. The host cannot touch it.
pub struct Dev<D>(PhantomData<Invariant<D>>);

/// Memory of the media engine (DVPP) of device `D`.
pub struct Dvpp<D>(PhantomData<Invariant<D>>);

impl<D> fmt::Debug for Dev<D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Dev<{}>", std::any::type_name::<D>())
    }
}

impl<D> fmt::Debug for Dvpp<D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Dvpp<{}>", std::any::type_name::<D>())
    }
}

/// Memory on the program's own side, whichever that is: page-locked host memory on a host, device
/// memory where the program runs on the device (Ascend RC). The program can always touch it.
#[derive(Debug, Clone, Copy)]
pub enum Local {}

/// A memory domain: [`Host`], [`Dev`], [`Dvpp`] or [`Local`]. Each has one allocator and one free function, so
/// that a buffer cannot meet the wrong one.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a memory domain",
    note = "memory lives in `Host`, `Dev<D>` (device memory), `Dvpp<D>` (media memory) or `Local` (the program's own side)"
)]
pub trait Place: Allocator {}

/// The allocator of a domain. Sealed: a wrong pair of functions would be unsound.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a memory domain",
    label = "domains are sealed: a wrong pair of allocator and free would be unsound"
)]
pub trait Allocator: Sealed {
    /// How the domain is called in debug output.
    const NAME: &'static str;
    /// The C function that frees its memory.
    const FREE: &'static str;

    /// Frees.
    ///
    /// # Safety
    ///
    /// `pointer` is a live allocation of this domain, and nothing uses it.
    unsafe fn free(pointer: NonNull<c_void>) -> sys::aclError;
}

/// Ties a domain to its free function.
macro_rules! place {
    ($place:ty $(where $D:ident)?, $name:literal, $free:ident) => {
        impl$(<$D>)? Sealed for $place {}
        impl$(<$D>)? Place for $place {}
        impl$(<$D>)? Allocator for $place {
            const NAME: &'static str = $name;
            const FREE: &'static str = stringify!($free);

            #[inline(always)]
            unsafe fn free(pointer: NonNull<c_void>) -> sys::aclError {
                // SAFETY: the caller's contract.
                unsafe { sys::$free(pointer.as_ptr()) }
            }
        }
    };
}

place!(Host, "HostBuf", aclrtFreeHost);
place!(Dev<D> where D, "DeviceBuf", aclrtFree);
place!(Dvpp<D> where D, "DvppBuf", acldvppFree);

/// Marks the domains whose memory the program can always touch.
pub trait Touchable: Place {}
impl Touchable for Host {}
impl Touchable for Local {}

impl Sealed for Local {}
impl Place for Local {}
impl Allocator for Local {
    const NAME: &'static str = "LocalBuf";
    const FREE: &'static str = "aclrtFreeHost";

    #[inline]
    unsafe fn free(pointer: NonNull<c_void>) -> sys::aclError {
        let header = pointer.as_ptr().cast::<*mut c_void>().wrapping_sub(1);
        // SAFETY: a `Local` allocation has the address of its block in front (`alloc::malloc_local`).
        let block = unsafe { header.read() };
        // SAFETY: the block came from `aclrtMallocHost`, and the caller's contract.
        unsafe { sys::aclrtFreeHost(block) }
    }
}

//! Memory domains: which allocator owns the memory, and who can reach it.

use std::ffi::c_void;
use std::fmt;
use std::marker::PhantomData;
use std::ptr::NonNull;

use ascendcl_sys as sys;

use crate::device::{AnyDevice, Ctx};
use crate::state::{Invariant, Sealed};

/// Page-locked host memory.
#[derive(Debug, Clone, Copy)]
pub enum Host {}

/// Memory of device `D`. The host cannot touch it.
pub struct Dev<D>(PhantomData<Invariant<D>>);

/// Memory of device `D` whose accesses go through the cache. The host cannot touch it, and neither can a program on the
/// device itself: nothing in types says which bytes are in the cache and which in memory.
pub struct Cached<D>(PhantomData<Invariant<D>>);

/// Memory of the media engine (DVPP) of device `D`, for its first interface (`acldvpp*`).
pub struct Dvpp<D>(PhantomData<Invariant<D>>);

/// Memory of the media engine of device `D`, for its second interface (`hi_mpi_*`).
pub struct DvppV2<D>(PhantomData<Invariant<D>>);

/// A piece of a [`Block`](crate::memory::Block) of `M` memory. The block frees it.
pub struct Piece<M>(PhantomData<Invariant<M>>);

/// Memory of device `P` as work on device `D` sees it, through a
/// [`PeerAccess`](crate::peer::PeerAccess): to be written, or with `A` =
/// [`Mutual`](crate::peer::Mutual) to be read too.
pub struct Peer<D, P, A>(PhantomData<Invariant<(D, P, A)>>);

/// Memory of a peer can be written by work on this device.
#[derive(Debug, Clone, Copy)]
pub enum Outbound {}

/// Memory of a peer can be written and read by work on this device.
#[derive(Debug, Clone, Copy)]
pub enum Mutual {}

/// Prints a domain by its name and its parameters.
macro_rules! debug {
    ($($place:ident<$($param:ident),*>;)*) => { $(
        impl<$($param),*> fmt::Debug for $place<$($param),*> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                let params = [$(std::any::type_name::<$param>()),*].join(", ");
                write!(f, "{}<{params}>", stringify!($place))
            }
        }
    )* };
}

debug! { Dev<D>; Cached<D>; Dvpp<D>; DvppV2<D>; Piece<M>; Peer<D, P, A>; }

/// Memory on the program's own side, whichever that is: page-locked host memory on a host, device
/// memory where the program runs on the device (Ascend RC). The program can always touch it.
#[derive(Debug, Clone, Copy)]
pub enum Local {}

/// A memory domain: [`Host`], [`Dev`], [`Cached`], [`Dvpp`], [`DvppV2`] or [`Local`]. Each has one allocator and one free function, so
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
    /// Whether the program reads and writes the memory itself, so that elements must lie where their
    /// type wants them. What only devices touch is an address.
    const TOUCHED: bool = false;
    /// Whether its memory belongs to this program, so that it is parked when it is dropped in the hands of a stream.
    const OWNED: bool = true;

    /// Frees.
    ///
    /// # Safety
    ///
    /// `pointer` is a live allocation of this domain, and nothing uses it.
    unsafe fn free(pointer: NonNull<c_void>) -> sys::aclError;
}

/// Ties a domain to its free function.
macro_rules! place {
    ($place:ty $(where $D:ident)?, $name:literal, $free:ident, $touched:literal) => {
        impl$(<$D>)? Sealed for $place {}
        impl$(<$D>)? Place for $place {}
        impl$(<$D>)? Allocator for $place {
            const NAME: &'static str = $name;
            const FREE: &'static str = stringify!($free);
            const TOUCHED: bool = $touched;

            #[inline(always)]
            unsafe fn free(pointer: NonNull<c_void>) -> sys::aclError {
                // SAFETY: the caller's contract.
                unsafe { sys::$free(pointer.as_ptr()) }
            }
        }
    };
}

place!(Host, "HostBuf", aclrtFreeHost, true);
place!(Dev<D> where D, "DeviceBuf", aclrtFree, false);
place!(Cached<D> where D, "CachedBuf", aclrtFree, false);
place!(Dvpp<D> where D, "DvppBuf", acldvppFree, false);
place!(DvppV2<D> where D, "DvppV2Buf", hi_mpi_dvpp_free, false);

/// A domain on a device: what the device's own engines address.
///
/// Not generic on purpose: so the compiler knows that host memory is none, and the directions of
/// [`CopyTo`](crate::memory::CopyTo) do not overlap.
pub trait OnBoard: Place {
    /// The device.
    type Device: AnyDevice;
    /// The bytes that the pieces of a block are aligned to (manual, chapter 11).
    const ALIGNMENT: usize;
}

impl<D: AnyDevice> OnBoard for Dev<D> {
    type Device = D;
    const ALIGNMENT: usize = 64;
}
impl<D: AnyDevice> OnBoard for Cached<D> {
    type Device = D;
    const ALIGNMENT: usize = 64;
}
impl<D: AnyDevice> OnBoard for Dvpp<D> {
    type Device = D;
    const ALIGNMENT: usize = 128;
}
impl<D: AnyDevice> OnBoard for DvppV2<D> {
    type Device = D;
    const ALIGNMENT: usize = 128;
}
impl<M: OnBoard> OnBoard for Piece<M> {
    type Device = M::Device;
    const ALIGNMENT: usize = M::ALIGNMENT;
}

/// Memory that operators work on: device memory, or a piece of it.
#[diagnostic::on_unimplemented(
    message = "`{Self}` memory is no operand of an operator",
    label = "an operator works on device memory",
    note = "copy to a buffer of `Current::malloc` first: host memory and media memory are no operands"
)]
pub trait Operand: OnBoard {}
#[diagnostic::do_not_recommend]
impl<D: AnyDevice> Operand for Dev<D> {}
#[diagnostic::do_not_recommend]
impl<D: AnyDevice> Operand for Cached<D> {}
#[diagnostic::do_not_recommend]
impl<M: Operand> Operand for Piece<M> {}

/// Work of `D`, a device or one of its contexts, reaches memory of this domain.
pub trait ReachedFrom<D> {}
impl<D> ReachedFrom<D> for Dev<D> {}
impl<D> ReachedFrom<D> for Cached<D> {}
impl<D> ReachedFrom<D> for Dvpp<D> {}
impl<D> ReachedFrom<D> for DvppV2<D> {}
impl<D, const N: usize> ReachedFrom<Ctx<D, N>> for Dev<D> {}
impl<D, const N: usize> ReachedFrom<Ctx<D, N>> for Cached<D> {}
impl<D, const N: usize> ReachedFrom<Ctx<D, N>> for Dvpp<D> {}
impl<D, const N: usize> ReachedFrom<Ctx<D, N>> for DvppV2<D> {}
// A block waits for its own device before it is freed, so its pieces stay there.
impl<M: OnBoard> ReachedFrom<M::Device> for Piece<M> {}

impl<M> Sealed for Piece<M> {}
impl<M: OnBoard> Place for Piece<M> {}
impl<M: OnBoard> Allocator for Piece<M> {
    const NAME: &'static str = "Piece";
    const FREE: &'static str = "nothing";

    /// The block frees all its pieces together.
    #[inline(always)]
    unsafe fn free(_: NonNull<c_void>) -> sys::aclError {
        sys::ACL_SUCCESS
    }
}

/// Memory that fills with words take: that of `aclrtMalloc` and of `aclrtMallocHost`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` memory cannot be filled with words",
    label = "a fill with words takes device memory or page-locked host memory",
    note = "fill it with bytes: `memset`"
)]
pub trait WordPlace: FillPlace {}
#[diagnostic::do_not_recommend]
impl WordPlace for Host {}
#[diagnostic::do_not_recommend]
impl<D: AnyDevice> WordPlace for Dev<D> {}
#[diagnostic::do_not_recommend]
impl<D: AnyDevice> WordPlace for Cached<D> {}
#[diagnostic::do_not_recommend]
impl<M: OnBoard + WordPlace> WordPlace for Piece<M> {}

impl<D, P, A> Sealed for Peer<D, P, A> {}
impl<D: AnyDevice, P: AnyDevice, A> Place for Peer<D, P, A> {}
impl<D: AnyDevice, P: AnyDevice, A> Allocator for Peer<D, P, A> {
    const NAME: &'static str = "PeerBuf";
    const FREE: &'static str = "aclrtFree";

    #[inline(always)]
    unsafe fn free(pointer: NonNull<c_void>) -> sys::aclError {
        // SAFETY: the caller's contract; it is memory of `aclrtMalloc`, which is freed from any device
        // (observed, CANN runtime 1.17).
        unsafe { sys::aclrtFree(pointer.as_ptr()) }
    }
}

/// Memory that the runtime's fills take.
#[diagnostic::on_unimplemented(
    message = "`{Self}` memory cannot be filled from here",
    label = "a fill is work of the memory's own device",
    note = "fill it where the thread is bound to that device"
)]
pub trait FillPlace: Place {}
#[diagnostic::do_not_recommend]
impl FillPlace for Host {}
#[diagnostic::do_not_recommend]
impl FillPlace for Local {}
#[diagnostic::do_not_recommend]
impl<M: OnBoard> FillPlace for M {}

/// Marks the domains whose memory the program can always touch.
pub trait Touchable: Place {}
impl Touchable for Host {}
impl Touchable for Local {}

impl Sealed for Local {}
impl Place for Local {}
impl Allocator for Local {
    const NAME: &'static str = "LocalBuf";
    const FREE: &'static str = "aclrtFreeHost";
    const TOUCHED: bool = true;

    #[inline]
    unsafe fn free(pointer: NonNull<c_void>) -> sys::aclError {
        let header = pointer.as_ptr().cast::<*mut c_void>().wrapping_sub(1);
        // SAFETY: a `Local` allocation has the address of its block in front (`alloc::malloc_local`).
        let block = unsafe { header.read() };
        // SAFETY: the block came from `aclrtMallocHost`, and the caller's contract.
        unsafe { sys::aclrtFreeHost(block) }
    }
}

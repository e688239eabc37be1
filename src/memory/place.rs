//! Memory domains: the allocator of memory, and the devices that can access it.

use std::ffi::c_void;
use std::fmt;
use std::marker::PhantomData;
use std::ptr::NonNull;

use ascendcl_sys as sys;

use crate::device::{AnyDevice, Ctx};
use crate::park::pools;
use crate::state::{Invariant, Sealed};

/// The domain of page-locked host memory.
///
/// ```
/// use ascendcl::Buf;
/// use ascendcl::memory::Host;
///
/// /// A page-locked buffer, as `HostBuf<'dev, [f32]>` is.
/// type Staging<'dev> = Buf<'dev, Host, [f32]>;
/// ```
#[derive(Debug, Clone, Copy)]
pub enum Host {}

/// The domain of memory of device `D`. The host cannot access it.
///
/// ```
/// use ascendcl::memory::Dev;
/// use ascendcl::{Buf, Npu};
///
/// /// A buffer of a device, as `DeviceBuf<'dev, Npu<0>, [f32]>` is.
/// type Weights<'dev> = Buf<'dev, Dev<Npu<0>>, [f32]>;
/// ```
pub struct Dev<D>(PhantomData<Invariant<D>>);

/// The domain of memory of device `D` that is accessed through the cache.
///
/// The host cannot access it, and neither can a program on the device itself, because types do not show which bytes
/// are in the cache and which are in memory.
///
/// ```
/// use ascendcl::memory::Cached;
/// use ascendcl::{Buf, Npu};
///
/// /// A buffer that is accessed through the cache, as `CachedBuf<'dev, Npu<0>, [f32]>` is.
/// type Table<'dev> = Buf<'dev, Cached<Npu<0>>, [f32]>;
/// ```
pub struct Cached<D>(PhantomData<Invariant<D>>);

/// The domain of memory of the media engine (DVPP) of device `D`, for its first interface (`acldvpp*`).
///
/// ```
/// use ascendcl::memory::Dvpp;
/// use ascendcl::{Buf, Npu};
///
/// /// A file for a decoder, as `DvppBuf<'dev, Npu<0>, [u8]>` is.
/// type File<'dev> = Buf<'dev, Dvpp<Npu<0>>, [u8]>;
/// ```
pub struct Dvpp<D>(PhantomData<Invariant<D>>);

/// The domain of memory of the media engine (DVPP) of device `D`, for its second interface (`hi_mpi_*`).
///
/// ```
/// use ascendcl::memory::DvppV2;
/// use ascendcl::{Buf, Npu};
///
/// /// A file for a decoder of the second interface, as `DvppV2Buf<'dev, Npu<0>, [u8]>` is.
/// type File<'dev> = Buf<'dev, DvppV2<Npu<0>>, [u8]>;
/// ```
pub struct DvppV2<D>(PhantomData<Invariant<D>>);

/// The domain of pieces of a [`Block`](crate::memory::Block) of `M` memory. The block frees them.
///
/// ```
/// use ascendcl::memory::{Dev, Piece};
/// use ascendcl::{Buf, Npu};
///
/// /// Weights that lie in a block with others.
/// type Layer<'block> = Buf<'block, Piece<Dev<Npu<0>>>, [f32]>;
/// ```
pub struct Piece<M>(PhantomData<Invariant<M>>);

/// The domain of memory of a [`Pool`](crate::memory::Pool) of device `D`. Copies, fills, operators and kernels take it as they
/// take [`Dev`] memory.
///
/// Queued memory that is dropped is freed in the order of the stream that has allocated it.
///
/// ```
/// use ascendcl::memory::Pooled;
/// use ascendcl::{Buf, Npu};
///
/// /// A batch of a service that allocates each one anew.
/// type Batch<'pool> = Buf<'pool, Pooled<Npu<0>>, [f32]>;
/// ```
pub struct Pooled<D>(PhantomData<Invariant<D>>);

/// The domain of memory of device `P` that work on device `D` uses through a [`PeerAccess`](crate::peer::PeerAccess).
///
/// Work can write it. With `A` = [`Mutual`](crate::peer::Mutual) work can read it too.
///
/// ```
/// use ascendcl::memory::Peer;
/// use ascendcl::peer::Outbound;
/// use ascendcl::{Buf, Npu};
///
/// /// Memory of the second device that work on the first one writes.
/// type Inbox<'access> = Buf<'access, Peer<Npu<0>, Npu<1>, Outbound>, [f32]>;
/// ```
pub struct Peer<D, P, A>(PhantomData<Invariant<(D, P, A)>>);

/// The domain of host memory that is mapped for device `D`: operators and kernels use it in place, over the bus. It is
/// lent by [`Scope::lend_mapped`](crate::scope::Scope::lend_mapped).
///
/// Copies and fills do not take it: AscendCL allows no memory operation on the address that the device has for it
/// (manual, chapter 11). The program itself reads and writes the memory.
///
/// ```
/// use ascendcl::Npu;
/// use ascendcl::memory::Mapped;
/// use ascendcl::scope::{Lease, Registered};
///
/// /// A table in host memory that operators of the device read.
/// type Table<'scope> = Lease<'scope, Npu<0>, Registered<Mapped<Npu<0>>, &'scope [f32]>>;
/// ```
pub struct Mapped<D>(PhantomData<Invariant<D>>);

/// The domain of memory of device `D` that is mapped to reserved addresses: that of a
/// [`ReservedBuf`](crate::memory::ReservedBuf) and its parts.
///
/// Work of the device uses it like other device memory. Work of a peer does not: AscendCL copies it between two devices of one
/// process by queued copies only (manual, chapter 11).
///
/// ```
/// use ascendcl::Npu;
/// use ascendcl::memory::{Reserved, Slice};
///
/// /// The keys of one layer, as `cache.slice(range)?` returns them.
/// type Keys<'cache> = Slice<'cache, Reserved<Npu<0>>, [f32]>;
/// ```
pub struct Reserved<D>(PhantomData<Invariant<D>>);

/// The direction of a [`Peer`] domain whose memory work on this device can write.
///
/// ```
/// use ascendcl::Npu;
/// use ascendcl::memory::Peer;
/// use ascendcl::peer::Outbound;
///
/// /// Memory of device 1 that work on device 0 can write.
/// type There = Peer<Npu<0>, Npu<1>, Outbound>;
/// ```
#[derive(Debug, Clone, Copy)]
pub enum Outbound {}

/// The direction of a [`Peer`] domain whose memory work on this device can write and read.
///
/// ```
/// use ascendcl::Npu;
/// use ascendcl::memory::Peer;
/// use ascendcl::peer::Mutual;
///
/// /// Memory of device 1 that work on device 0 can write and read.
/// type There = Peer<Npu<0>, Npu<1>, Mutual>;
/// ```
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

debug! { Dev<D>; Cached<D>; Dvpp<D>; DvppV2<D>; Piece<M>; Pooled<D>; Peer<D, P, A>; Mapped<D>; Reserved<D>; }

/// The domain of memory on the program's own side: page-locked host memory on a host, device memory if the program
/// runs on the device (Ascend RC). The program can always access it.
///
/// ```
/// use ascendcl::Buf;
/// use ascendcl::memory::Local;
///
/// /// Memory of the program's own side, as `LocalBuf<'dev, [f32]>` is.
/// type Numbers<'dev> = Buf<'dev, Local, [f32]>;
/// ```
#[derive(Debug, Clone, Copy)]
pub enum Local {}

/// A memory domain: [`Host`], [`Dev`], [`Cached`], [`Dvpp`], [`DvppV2`] or [`Local`].
///
/// Each domain has one allocator and one free function, so a buffer is never freed by the wrong one.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a memory domain",
    note = "memory lives in `Host`, `Dev<D>` (device memory), `Dvpp<D>` (media memory) or `Local` (the program's own side)"
)]
pub trait Place: Allocator {}

/// The allocator of a domain. The trait is sealed, because a wrong pair of functions would be unsound.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a memory domain",
    label = "domains are sealed, because a wrong pair of allocator and free would be unsound"
)]
pub trait Allocator: Sealed {
    /// The name of the domain in debug output.
    const NAME: &'static str;
    /// The C function that frees memory of the domain.
    const FREE: &'static str;
    /// Whether the program reads and writes the memory itself. Then the elements must be aligned for their type.
    const TOUCHED: bool;
    /// Whether this program owns the memory. Owned memory is parked when it is dropped while it is queued on a
    /// stream.
    const OWNED: bool;
    /// Whether the memory is of a pool, which takes it back in the order of its stream.
    const POOLED: bool;

    /// Frees the memory.
    ///
    /// # Safety
    ///
    /// - `pointer` is a live allocation of this domain.
    /// - Nothing uses the allocation.
    unsafe fn free(pointer: NonNull<c_void>) -> sys::aclError;
}

/// Implements a domain with its free function.
macro_rules! place {
    ($place:ty $(where $D:ident)?, $name:literal, $free:ident, $touched:literal) => {
        impl$(<$D>)? Sealed for $place {}
        impl$(<$D>)? Place for $place {}
        impl$(<$D>)? Allocator for $place {
            const NAME: &'static str = $name;
            const FREE: &'static str = stringify!($free);
            const TOUCHED: bool = $touched;
            const OWNED: bool = true;
            const POOLED: bool = false;

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

/// A domain on a device: memory that the engines of the device access.
///
/// The trait is not generic on purpose. So the compiler knows that host memory does not implement it, and the
/// directions of [`CopyTo`](crate::memory::CopyTo) do not overlap.
pub trait OnBoard: Place {
    /// The device of the domain.
    type Device: AnyDevice;
    /// The alignment of the pieces of a block in bytes (manual, chapter 11).
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
impl<D: AnyDevice> OnBoard for Reserved<D> {
    type Device = D;
    const ALIGNMENT: usize = 64;
}
impl<M: OnBoard> OnBoard for Piece<M> {
    type Device = M::Device;
    const ALIGNMENT: usize = M::ALIGNMENT;
}

impl<D: AnyDevice> OnBoard for Pooled<D> {
    type Device = D;
    const ALIGNMENT: usize = 64;
}

/// Domains of memory that operators use: device memory, and pieces of it.
#[diagnostic::on_unimplemented(
    message = "an operator cannot use `{Self}` memory",
    label = "an operator uses device memory",
    note = "copy memory of the host, of the media engine and of several processes to a buffer of `current.malloc` first"
)]
pub trait Operand: OnBoard {}
#[diagnostic::do_not_recommend]
impl<D: AnyDevice> Operand for Dev<D> {}
#[diagnostic::do_not_recommend]
impl<D: AnyDevice> Operand for Cached<D> {}
#[diagnostic::do_not_recommend]
impl<D: AnyDevice> Operand for Reserved<D> {}
#[diagnostic::do_not_recommend]
impl<M: Operand> Operand for Piece<M> {}
#[diagnostic::do_not_recommend]
impl<D: AnyDevice> Operand for Pooled<D> {}

/// Domains whose memory work of `D` can access, where `D` is a device or one of its contexts.
pub trait ReachedFrom<D> {}
impl<D> ReachedFrom<D> for Dev<D> {}
impl<D> ReachedFrom<D> for Cached<D> {}
impl<D> ReachedFrom<D> for Dvpp<D> {}
impl<D> ReachedFrom<D> for DvppV2<D> {}
impl<D> ReachedFrom<D> for Reserved<D> {}
impl<D, const N: usize> ReachedFrom<Ctx<D, N>> for Dev<D> {}
impl<D, const N: usize> ReachedFrom<Ctx<D, N>> for Cached<D> {}
impl<D, const N: usize> ReachedFrom<Ctx<D, N>> for Dvpp<D> {}
impl<D, const N: usize> ReachedFrom<Ctx<D, N>> for DvppV2<D> {}
impl<D, const N: usize> ReachedFrom<Ctx<D, N>> for Reserved<D> {}
// A block is freed after a wait for its own device only, so its pieces cannot be used from a context of the device.
impl<M: OnBoard> ReachedFrom<M::Device> for Piece<M> {}
// Neither does a pool know the streams of a context.
impl<D> ReachedFrom<D> for Pooled<D> {}

impl<M> Sealed for Piece<M> {}
impl<M: OnBoard> Place for Piece<M> {}
impl<M: OnBoard> Allocator for Piece<M> {
    const NAME: &'static str = "Piece";
    const FREE: &'static str = "nothing";
    const TOUCHED: bool = M::TOUCHED;
    const OWNED: bool = true;
    const POOLED: bool = false;

    /// Does nothing: the block frees all its pieces together.
    #[inline(always)]
    unsafe fn free(_: NonNull<c_void>) -> sys::aclError {
        sys::ACL_SUCCESS
    }
}

impl<D> Sealed for Pooled<D> {}
impl<D> Place for Pooled<D> {}
impl<D> Allocator for Pooled<D> {
    const NAME: &'static str = "Pooled";
    const FREE: &'static str = "aclrtFree";
    const TOUCHED: bool = false;
    const OWNED: bool = true;
    const POOLED: bool = true;

    #[inline]
    unsafe fn free(pointer: NonNull<c_void>) -> sys::aclError {
        // It keeps the pool until the memory is free.
        let _pool = pools::leave(pointer);
        // SAFETY: the caller's contract. This function frees memory of a pool at once (sources of the CANN runtime, July 2026,
        // `rtFree`).
        unsafe { sys::aclrtFree(pointer.as_ptr()) }
    }
}

/// Domains of memory that can be filled with words: memory of `aclrtMalloc`, of pools and of `aclrtMallocHost`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` memory cannot be filled with words",
    label = "a fill with words takes device memory or page-locked host memory",
    note = "fill the memory with bytes: `memset`"
)]
pub trait WordPlace: FillPlace {}
#[diagnostic::do_not_recommend]
impl WordPlace for Host {}
#[diagnostic::do_not_recommend]
impl<D: AnyDevice> WordPlace for Dev<D> {}
#[diagnostic::do_not_recommend]
impl<D: AnyDevice> WordPlace for Cached<D> {}
#[diagnostic::do_not_recommend]
impl<D: AnyDevice> WordPlace for Reserved<D> {}
#[diagnostic::do_not_recommend]
impl<M: OnBoard + WordPlace> WordPlace for Piece<M> {}
#[diagnostic::do_not_recommend]
impl<D: AnyDevice> WordPlace for Pooled<D> {}

impl<D, P, A> Sealed for Peer<D, P, A> {}
impl<D: AnyDevice, P: AnyDevice, A> Place for Peer<D, P, A> {}
impl<D: AnyDevice, P: AnyDevice, A> Allocator for Peer<D, P, A> {
    const NAME: &'static str = "PeerBuf";
    const FREE: &'static str = "aclrtFree";
    const TOUCHED: bool = false;
    const OWNED: bool = true;
    const POOLED: bool = false;

    #[inline(always)]
    unsafe fn free(pointer: NonNull<c_void>) -> sys::aclError {
        // SAFETY: the caller's contract. The memory comes from `aclrtMalloc`, and can be freed from any device
        // (observed, CANN runtime 1.17).
        unsafe { sys::aclrtFree(pointer.as_ptr()) }
    }
}

/// Implements a domain whose memory belongs to another value: buffers of it do not exist, and parts free nothing.
macro_rules! of_others {
    ($($place:ident, $touched:literal;)*) => { $(
        impl<D> Sealed for $place<D> {}
        impl<D> Place for $place<D> {}
        impl<D> Allocator for $place<D> {
            const NAME: &'static str = stringify!($place);
            const FREE: &'static str = "nothing";
            const TOUCHED: bool = $touched;
            const OWNED: bool = false;
            const POOLED: bool = false;

            /// Does nothing: the owner frees the memory.
            #[inline(always)]
            unsafe fn free(_: NonNull<c_void>) -> sys::aclError {
                sys::ACL_SUCCESS
            }
        }
    )* };
}

of_others! {
    Mapped, true;
    Reserved, false;
}

/// Domains of memory that the runtime can fill.
#[diagnostic::on_unimplemented(
    message = "`{Self}` memory cannot be filled from here",
    label = "the device of the memory fills it",
    note = "bind the thread to the device of the memory, and fill it there",
    note = "fill memory that is mapped for a device on the host, before a stream has it: `lease.as_mut_slice().fill(..)`"
)]
pub trait FillPlace: Place {}
#[diagnostic::do_not_recommend]
impl FillPlace for Host {}
#[diagnostic::do_not_recommend]
impl FillPlace for Local {}
#[diagnostic::do_not_recommend]
impl<M: OnBoard> FillPlace for M {}

/// Domains whose memory the program can always access.
pub trait Touchable: Place {}
impl Touchable for Host {}
impl Touchable for Local {}

impl Sealed for Local {}
impl Place for Local {}
impl Allocator for Local {
    const NAME: &'static str = "LocalBuf";
    const FREE: &'static str = "aclrtFreeHost";
    const TOUCHED: bool = true;
    const OWNED: bool = true;
    const POOLED: bool = false;

    #[inline]
    unsafe fn free(pointer: NonNull<c_void>) -> sys::aclError {
        let header = pointer.as_ptr().cast::<*mut c_void>().wrapping_sub(1);
        // SAFETY: the word in front of a `Local` allocation holds the address of its block (`alloc::malloc_local`).
        let block = unsafe { header.read() };
        // SAFETY: the block came from `aclrtMallocHost`, and the caller's contract.
        unsafe { sys::aclrtFreeHost(block) }
    }
}

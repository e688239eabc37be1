//! Blocking copies, and the legal directions of all copies.
//!
//! A direction is legal if [`CopyTo`] is implemented for the two domains; otherwise the copy does not compile. The
//! kind that C takes is computed from the two types, so it cannot be wrong.

use std::ffi::c_void;

use ascendcl_sys as sys;

use crate::context::Current;
use crate::device::AnyDevice;
#[cfg(doc)]
use crate::error::ErrorKind;
use crate::error::{Result, Usage};
use crate::memory::elements::{ElementOf, Elements, SameElements};
use crate::memory::operand::{Destination, Source};
use crate::memory::place::{Dev, Host, Local, Mapped, Mutual, OnBoard, Peer, ReachedFrom};
use crate::state::Sealed;

/// Domains from which device `D` can copy to memory of the domain `Target`.
#[diagnostic::on_unimplemented(
    message = "device `{D}` cannot copy from `{Self}` memory to `{Target}` memory",
    label = "a device copies between host memory and its own memory, and within its own memory",
    note = "for memory of another device, bind the thread to that device with `Thread::set_current`",
    note = "copy from host to host without AscendCL: `copy_from_slice`; mapped memory is for operators and kernels: for copies, lend it by `scope.lend_pinned(..)`",
    note = "to write to a peer, enable a `PeerAccess`; to read from a peer, make it `mutual`; memory that processes share is copied by way of memory of this device, from `stream.malloc(..)`"
)]
pub trait CopyTo<Target, D>: Sealed {
    /// The direction as a constant of C.
    const KIND: sys::aclrtMemcpyKind;
}

/// Domains whose memory work on device `D` can access.
#[diagnostic::on_unimplemented(
    message = "`{Self}` memory does not belong to device `{D}`",
    label = "the thread is bound to device `{D}`",
    note = "bind the thread to the device of the memory with `Thread::set_current`"
)]
pub trait OnDevice<D>: Sealed {}

#[diagnostic::do_not_recommend]
impl<D> OnDevice<D> for Host {}
#[diagnostic::do_not_recommend]
impl<D> OnDevice<D> for Local {}
#[diagnostic::do_not_recommend]
impl<D> OnDevice<D> for Mapped<D> {}
#[diagnostic::do_not_recommend]
impl<D, M: OnBoard + ReachedFrom<D>> OnDevice<D> for M {}
#[diagnostic::do_not_recommend]
impl<D: AnyDevice, P: AnyDevice, A> OnDevice<D> for Peer<D, P, A> {}

/// Lists the legal directions. `Board` stands for every domain on the device.
macro_rules! directions {
    ($([$($generics:tt)*] $from:ty => $to:ty, $kind:ident;)*) => { $(
        #[diagnostic::do_not_recommend]
        impl<D, $($generics)*> CopyTo<$to, D> for $from {
            const KIND: sys::aclrtMemcpyKind = sys::$kind;
        }
    )* };
}

directions! {
    [Board: OnBoard + ReachedFrom<D>] Host => Board, ACL_MEMCPY_HOST_TO_DEVICE;
    [Board: OnBoard + ReachedFrom<D>] Board => Host, ACL_MEMCPY_DEVICE_TO_HOST;
    [A: OnBoard + ReachedFrom<D>, B: OnBoard + ReachedFrom<D>] A => B, ACL_MEMCPY_DEVICE_TO_DEVICE;
    // If the program runs on the device itself, the runtime turns each of these into a copy within the device
    // (manual chapter 11-03).
    [Board: OnBoard + ReachedFrom<D>] Local => Board, ACL_MEMCPY_HOST_TO_DEVICE;
    [Board: OnBoard + ReachedFrom<D>] Board => Local, ACL_MEMCPY_DEVICE_TO_HOST;
}

// A copy to a peer needs access in that direction. A copy from a peer needs access in both directions, because the
// manual does not say clearly which of the two is needed.
#[diagnostic::do_not_recommend]
impl<D: AnyDevice, P: AnyDevice, A, M: MemoryOf<D>> CopyTo<Peer<D, P, A>, D> for M {
    const KIND: sys::aclrtMemcpyKind = sys::ACL_MEMCPY_DEVICE_TO_DEVICE;
}
#[diagnostic::do_not_recommend]
impl<D: AnyDevice, P: AnyDevice, M: MemoryOf<D>> CopyTo<M, D> for Peer<D, P, Mutual> {
    const KIND: sys::aclrtMemcpyKind = sys::ACL_MEMCPY_DEVICE_TO_DEVICE;
}

/// The domains of device memory of device `D`. This is a trait because the compiler would otherwise suggest the copy
/// to a peer for every wrong copy of another device's memory.
pub trait MemoryOf<D>: OnBoard {}
#[diagnostic::do_not_recommend]
impl<D: AnyDevice> MemoryOf<D> for Dev<D> {}

impl<D: AnyDevice> Current<'_, '_, D> {
    /// Copies `source` to `destination` and returns when the copy is done (`aclrtMemcpy`, pyACL `acl.rt.memcpy`).
    ///
    /// The direction follows from the types. The destination comes first, as in C. It is `&mut` of an initialised
    /// buffer, or a fresh buffer by value, which the call returns initialised.
    ///
    /// The copy does not wait for streams. Earlier blocking calls of this crate are already over.
    ///
    /// # Errors
    ///
    /// [`Usage::Length`] when lengths that are known at run time differ, and [`ErrorKind::Refused`]. On an error a
    /// fresh destination is freed.
    ///
    /// If a time limit has ended the call, the copy may still run. So the method waits for the device
    /// (`aclrtSynchronizeDevice`) before it returns the error. If this wait finds that queued work has failed, no
    /// stream of the device can be synchronised any more, as after [`Current::synchronize_device`]. The next wait for
    /// one of these streams or for the device returns that failure. If no attempt to wait succeeds, the process is
    /// aborted, unless the device [stops on failure](crate::Device::stop_on_failure).
    ///
    /// # Examples
    ///
    /// ```
    /// fn round_trip(acl: &ascendcl::Acl) -> ascendcl::Result<()> {
    ///     use ascendcl::{Npu, Thread};
    ///     let mut thread = Thread::claim()?;
    ///     let device = acl.set_device::<Npu<0>>(&mut thread, 0)?;
    ///     let current = thread.set_current(&device)?;
    ///     let Some(side) = acl.run_mode()?.host() else { return Ok(()) };
    ///
    ///     let mut host = current.malloc_host::<f32>(side, 4)?;
    ///     host.copy_from_slice(&[1.0, 2.0, 3.0, 4.0]);
    ///     let on_device = current.memcpy(current.malloc(4)?, &host)?; // now initialised
    ///     host.fill(0.0);
    ///     current.memcpy(&mut host, &on_device)?;
    ///     assert_eq!(host[..], [1.0, 2.0, 3.0, 4.0]);
    ///     Ok(())
    /// }
    /// # ascendcl::example!(|acl| { round_trip(&acl)?; });
    /// ```
    #[doc(alias = "aclrtMemcpy")]
    #[doc(alias = "acl.rt.memcpy")]
    #[inline(always)]
    pub fn memcpy<T, S>(self, destination: T, source: S) -> Result<T::Written>
    where
        T: Destination<D>,
        S: Source<D, Elements: SameElements<T::Elements>>,
        S::Place: CopyTo<T::Place, D>,
    {
        let (from, to) = (source.source(), destination.destination());
        let (source_len, destination_len) = (S::Elements::count(from), T::Elements::count(to));
        if !<S::Elements as SameElements<T::Elements>>::KNOWN && source_len != destination_len {
            return Err(Usage::lengths(source_len, destination_len));
        }
        // No overflow: the allocations of both sides have this many bytes.
        let bytes = source_len * size_of::<ElementOf<T::Elements>>();
        // SAFETY: both ranges are live memory of `bytes` bytes (invariant of `Buf` and of the slices). The source is
        // initialised. The ranges do not overlap, because one is owned or borrowed exclusively. The call returns when
        // the copy is done.
        let code = unsafe {
            sys::aclrtMemcpy(
                to.as_ptr().cast::<c_void>(),
                bytes,
                from.as_ptr().cast::<c_void>(),
                bytes,
                <S::Place as CopyTo<T::Place, D>>::KIND,
            )
        };
        if code != sys::ACL_SUCCESS {
            return Err(self.blocking_failed("aclrtMemcpy", code));
        }
        // SAFETY: the copy covered every element of the destination.
        Ok(unsafe { destination.written() })
    }
}

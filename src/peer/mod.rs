//! Access of one device to the memory of another (`acl/acl_rt.h`; manual chapter 04).
//!
//! Devices reach each other's memory only after that was enabled, one direction at a time, and only where
//! the topology allows it. Here each step is a value that the next one needs:
//!
//! 1. [`Current::can_access_peer`] asks, and gives a [`PeerRoute`] where there is one,
//! 2. [`PeerRoute::enable`] enables, on the thread that is bound to the device from which data shall go,
//! 3. [`PeerAccess::outbound`] shows memory of the peer to copies of this device as a place to write to;
//!    [`PeerAccess::mutual`], with an access in the other direction, as one to read from too,
//! 4. dropping the access waits for this device and disables it.
//!
//! ```
//! # #[cfg(feature = "emulator")]
//! fn push(acl: &ascendcl::Acl) -> ascendcl::Result<()> {
//!     use ascendcl::{Npu, Thread};
//!     let mut thread = Thread::claim()?;
//!     let first = acl.set_device::<Npu<0>>(&mut thread, 0)?;
//!     let second = acl.set_device::<Npu<1>>(&mut thread, 1)?;
//!
//!     let current = thread.set_current(&second)?;
//!     let mut there = current.memset(current.malloc::<u32>(16)?, 0)?;
//!
//!     let current = thread.set_current(&first)?;
//!     let here = current.memset(current.malloc::<u32>(16)?, 0x11)?;
//!     let Some(route) = current.can_access_peer(&second)? else { return Ok(()) };
//!     let access = route.enable(current)?; // first -> second
//!     current.memcpy(access.outbound().slice_mut(&mut there, 0..16)?, &here)?;
//!     access.disable()?;
//!     there.free()
//! }
//! # #[cfg(feature = "emulator")]
//! # fn main() -> ascendcl::Result<()> { push(&ascendcl::Acl::from_env()?) }
//! # #[cfg(not(feature = "emulator"))]
//! # fn main() {}
//! ```

use std::fmt;
use std::marker::PhantomData;
use std::mem::ManuallyDrop;
use std::ops::Range;
use std::sync::Arc;

use ascendcl_sys as sys;

use crate::context::Current;
use crate::device::{AnyDevice, Core, Device, WholeDevice, uses};
#[cfg(doc)]
use crate::error::ErrorKind;
use crate::error::Result;
pub use crate::memory::place::{Mutual, Outbound};
use crate::memory::{Buf, Dev, DeviceBuf, Elements, Init, Peer, Slice, SliceMut};
use crate::raw::check;
use crate::release;
use crate::state::Invariant;

/// Proof that data can be exchanged between devices `D` and `P`.
#[must_use = "access is not enabled until `enable`"]
pub struct PeerRoute<'dev, 'peer, D: AnyDevice, P> {
    peer: &'peer Arc<Core>,
    _devices: PhantomData<(&'dev (), Invariant<(D, P)>)>,
}

/// Access from device `D` to device `P`. The other direction is a value of its own.
///
/// It borrows both devices, so neither is reset before.
///
/// # Invariants
///
/// Access is enabled, and entered among the uses of `P` until a wait for `D` has succeeded behind it.
pub struct PeerAccess<'dev, 'peer, D: AnyDevice, P> {
    user: &'dev Arc<Core>,
    peer: &'peer Arc<Core>,
    _devices: PhantomData<Invariant<(D, P)>>,
}

impl<'dev, D: AnyDevice> Current<'_, 'dev, D> {
    /// Whether this device can exchange data with another (`aclrtDeviceCanAccessPeer`, pyACL
    /// `acl.rt.device_can_access_peer`); `None` where the topology does not allow it.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Refused`] with 100000 when both are one card.
    #[doc(alias = "aclrtDeviceCanAccessPeer")]
    #[doc(alias = "acl.rt.device_can_access_peer")]
    pub fn can_access_peer<'peer, P: WholeDevice>(
        self,
        peer: &'peer Device<'_, P>,
    ) -> Result<Option<PeerRoute<'dev, 'peer, D, P>>> {
        let mut can = 0;
        let (from, to) = (self.core().id().cast_signed(), peer.id().cast_signed());
        // SAFETY: `can` is valid for a write of an i32.
        let code = unsafe { sys::aclrtDeviceCanAccessPeer(&raw mut can, from, to) };
        check("aclrtDeviceCanAccessPeer", code)?;
        Ok((can == 1).then_some(PeerRoute {
            peer: peer.core(),
            _devices: PhantomData,
        }))
    }
}

impl<'dev, 'peer, D: AnyDevice, P> PeerRoute<'dev, 'peer, D, P> {
    /// Enables the direction from the current device to its peer (`aclrtDeviceEnablePeerAccess`, pyACL
    /// `acl.rt.device_enable_peer_access`).
    ///
    /// # Errors
    ///
    /// [`Usage::PeerAccessTaken`](crate::error::Usage::PeerAccessTaken) while such an access lives, and
    /// [`ErrorKind::Refused`].
    #[doc(alias = "aclrtDeviceEnablePeerAccess")]
    #[doc(alias = "acl.rt.device_enable_peer_access")]
    pub fn enable(self, current: Current<'_, 'dev, D>) -> Result<PeerAccess<'dev, 'peer, D, P>> {
        let user = current.core();
        uses::enter(user, self.peer.id())?;
        // SAFETY: takes numbers; the device that gets access is current.
        let code = unsafe { sys::aclrtDeviceEnablePeerAccess(self.peer.id().cast_signed(), 0) };
        check("aclrtDeviceEnablePeerAccess", code)
            .inspect_err(|_| uses::remove(user, self.peer.id()))?;
        Ok(PeerAccess {
            user,
            peer: self.peer,
            _devices: PhantomData,
        })
    }
}

/// Memory of device `P` as work on device `D` may use it: [`Outbound`] or [`Mutual`].
pub struct PeerView<'a, 'peer, D, P, A> {
    _access: PhantomData<(&'a (), &'peer (), Invariant<(D, P, A)>)>,
}

impl<D, P, A> Clone for PeerView<'_, '_, D, P, A> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<D, P, A> Copy for PeerView<'_, '_, D, P, A> {}

impl<'dev, 'peer, D: AnyDevice, P: WholeDevice> PeerAccess<'dev, 'peer, D, P> {
    /// The peer's memory, to be written by work on this device.
    #[must_use]
    pub fn outbound(&self) -> PeerView<'_, 'peer, D, P, Outbound> {
        PeerView {
            _access: PhantomData,
        }
    }

    /// The peer's memory, to be written and read by work on this device, because access is enabled in both
    /// directions.
    #[must_use]
    pub fn mutual<'a>(
        &'a self,
        _other: &'a PeerAccess<'_, '_, P, D>,
    ) -> PeerView<'a, 'peer, D, P, Mutual> {
        PeerView {
            _access: PhantomData,
        }
    }

    /// Prepares copies of device `D` with a buffer of the peer, so that the first one does not have to
    /// (`aclrtMemP2PMap`).
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Refused`], and [`ErrorKind::Backend`] where an older
    /// CANN lacks the function.
    #[doc(alias = "aclrtMemP2PMap")]
    pub fn p2p_map<E: Elements + ?Sized, I>(&self, buf: &Buf<'_, Dev<P>, E, I>) -> Result<()> {
        // No overflow: the allocation had this many bytes.
        let bytes = buf.len() * size_of::<E::Element>();
        let to = self.user.id().cast_signed();
        // SAFETY: a live allocation of `bytes` bytes (invariant of `Buf`).
        let code = unsafe { sys::aclrtMemP2PMap(buf.as_raw().cast(), bytes, to, 0) };
        check("aclrtMemP2PMap", code)
    }
}

impl<'a, 'peer, D: AnyDevice, P: WholeDevice, A> PeerView<'a, 'peer, D, P, A> {
    /// A part of a buffer of the peer, as the source of a blocking copy of device `D`. Only a
    /// [`Mutual`] view is one to copy from.
    ///
    /// # Errors
    ///
    /// [`Usage::Range`](crate::error::Usage::Range).
    pub fn slice<'b, E: Elements + ?Sized>(
        self,
        buf: &'b DeviceBuf<'_, P, E, Init>,
        range: Range<usize>,
    ) -> Result<Slice<'b, Peer<D, P, A>, [E::Element]>>
    where
        'a: 'b,
    {
        Ok(buf.slice(range)?.seen_as())
    }

    /// A part of a buffer of the peer, as the destination of a blocking copy of device `D`.
    ///
    /// # Errors
    ///
    /// [`Usage::Range`](crate::error::Usage::Range).
    pub fn slice_mut<'b, E: Elements + ?Sized>(
        self,
        buf: &'b mut DeviceBuf<'_, P, E, Init>,
        range: Range<usize>,
    ) -> Result<SliceMut<'b, Peer<D, P, A>, [E::Element]>>
    where
        'a: 'b,
    {
        Ok(buf.slice_mut(range)?.seen_as())
    }

    /// A buffer of the peer for queued work of device `D`: adopt it on a stream of `D`.
    /// [`PeerView::give_back`] makes it a buffer of the peer again.
    #[must_use]
    pub fn lend<E: Elements + ?Sized, I>(
        self,
        buf: Buf<'peer, Dev<P>, E, I>,
    ) -> Buf<'a, Peer<D, P, A>, E, I> {
        // SAFETY: the same memory, which `aclrtMalloc` gave and `aclrtFree` frees; its device is not reset
        // while the access is borrowed, and later only after a wait for `D` (`uses`).
        unsafe { buf.seen_as() }
    }

    /// The buffer of the peer that was lent.
    #[must_use]
    pub fn give_back<E: Elements + ?Sized, I>(
        self,
        lent: Buf<'_, Peer<D, P, A>, E, I>,
    ) -> Buf<'peer, Dev<P>, E, I> {
        // SAFETY: only `lend` of an access of these devices makes such a buffer, from memory of the device
        // that this access borrows for `'peer`.
        unsafe { lent.seen_as() }
    }
}

impl<D: AnyDevice, P> PeerAccess<'_, '_, D, P> {
    /// Waits for device `D` and disables the access (`aclrtDeviceDisablePeerAccess`, pyACL
    /// `acl.rt.device_disable_peer_access`).
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Wait`] when work of device `D` has failed, or its end could not be proven:
    /// then the access stays enabled. [`ErrorKind::Refused`].
    #[doc(alias = "aclrtDeviceDisablePeerAccess")]
    #[doc(alias = "acl.rt.device_disable_peer_access")]
    pub fn disable(self) -> Result<()> {
        ManuallyDrop::new(self).close()
    }

    fn close(&self) -> Result<()> {
        let peer = self.peer.id();
        let mut failed = self.user.wait_elsewhere()?.into_iter();
        uses::remove(self.user, peer);
        let disabled = self.user.elsewhere(|| {
            // SAFETY: takes a number; the device that has access is current.
            let code = unsafe { sys::aclrtDeviceDisablePeerAccess(peer.cast_signed()) };
            check("aclrtDeviceDisablePeerAccess", code)
        });
        let Some(first) = failed.next() else {
            return disabled;
        };
        failed
            .chain(disabled.err())
            .for_each(|error| release::failed(&error));
        Err(first)
    }
}

impl<D: AnyDevice, P> Drop for PeerAccess<'_, '_, D, P> {
    fn drop(&mut self) {
        release::in_drop(self.close());
    }
}

impl<D: AnyDevice, P> fmt::Debug for PeerAccess<'_, '_, D, P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PeerAccess({} -> {})", self.user.id(), self.peer.id())
    }
}

impl<D: AnyDevice, P> fmt::Debug for PeerRoute<'_, '_, D, P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PeerRoute(to {})", self.peer.id())
    }
}

impl<D, P, A> fmt::Debug for PeerView<'_, '_, D, P, A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PeerView<{}>", std::any::type_name::<A>())
    }
}

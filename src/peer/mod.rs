//! Access of one device to the memory of another (`acl/acl_rt.h`; manual chapter 04).
//!
//! A device can access the memory of another device only if the topology allows it, and only after the access was
//! enabled for one direction. Each step returns a value that the next step needs:
//!
//! 1. [`Current::can_access_peer`] asks whether access is possible, and returns a [`PeerRoute`] if it is.
//! 2. [`PeerRoute::enable`] enables the access. It runs on the thread that is bound to the device from which data
//!    goes to the peer.
//! 3. [`PeerAccess::outbound`] makes memory of the peer a destination of copies of this device.
//!    [`PeerAccess::mutual`] needs an access in the other direction too, and makes memory of the peer a destination
//!    and a source.
//! 4. Dropping the access waits for this device and disables the access.
//!
//! ```
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
//! # ascendcl::example!(|acl| { push(&acl)?; });
//! ```

use std::fmt;
use std::marker::PhantomData;
use std::mem::ManuallyDrop;
use std::ops::Range;
use std::sync::Arc;

use ascendcl_sys as sys;

use crate::context::Current;
use crate::device::{AnyDevice, Core, Device, OfDevice, WholeDevice, uses};
#[cfg(doc)]
use crate::error::ErrorKind;
use crate::error::Result;
pub use crate::memory::place::{Mutual, Outbound};
use crate::memory::{Buf, Dev, DeviceBuf, Elements, Init, Peer, Slice, SliceMut};
use crate::raw::check;
use crate::state::Invariant;

/// A proof that devices `D` and `P` can exchange data.
///
/// ```
/// # ascendcl::example!(|acl| {
/// # let mut thread = Thread::claim()?;
/// # let device = acl.set_device::<Npu<0>>(&mut thread, 0)?;
/// use ascendcl::peer::PeerRoute;
///
/// let second = acl.set_device::<Npu<1>>(&mut thread, 1)?;
/// let current = thread.set_current(&device)?;
/// let route: Option<PeerRoute<'_, '_, Npu<0>, Npu<1>>> = current.can_access_peer(&second)?;
/// # });
/// ```
#[must_use = "access is not enabled until `enable`"]
pub struct PeerRoute<'dev, 'peer, D: AnyDevice, P> {
    peer: &'peer Arc<Core>,
    _devices: PhantomData<(&'dev (), Invariant<(D, P)>)>,
}

/// Enabled access from device `D` to device `P`. The access in the other direction is a separate value.
///
/// The value borrows both devices, so neither is reset before it is dropped.
///
/// ```
/// # ascendcl::example!(|acl| {
/// # let mut thread = Thread::claim()?;
/// # let device = acl.set_device::<Npu<0>>(&mut thread, 0)?;
/// let second = acl.set_device::<Npu<1>>(&mut thread, 1)?;
/// let current = thread.set_current(&device)?;
/// if let Some(route) = current.can_access_peer(&second)? {
///     let access = route.enable(current)?; // the first device may write the memory of the second one
///     access.disable()?;
/// }
/// # });
/// ```
///
/// # Invariants
///
/// The access is enabled. It is listed in the uses of `P` until a later wait for `D` has succeeded.
pub struct PeerAccess<'dev, 'peer, D: AnyDevice, P> {
    user: &'dev Arc<Core>,
    peer: &'peer Arc<Core>,
    _devices: PhantomData<Invariant<(D, P)>>,
}

impl<'dev, D: AnyDevice> Current<'_, 'dev, D> {
    /// Asks whether this device can exchange data with another one (`aclrtDeviceCanAccessPeer`, pyACL
    /// `acl.rt.device_can_access_peer`). Returns `None` if the topology does not allow it.
    ///
    /// ```
    /// # fn main() -> ascendcl::Result<()> {
    /// # #[cfg(feature = "emulator")] {
    /// use ascendcl::{Acl, Npu, Thread};
    ///
    /// let acl = Acl::from_env()?;
    /// let mut thread = Thread::claim()?;
    /// let first = acl.set_device::<Npu<0>>(&mut thread, 0)?;
    /// let second = acl.set_device::<Npu<1>>(&mut thread, 1)?;
    /// let current = thread.set_current(&first)?;
    /// if let Some(route) = current.can_access_peer(&second)? {
    ///     let access = route.enable(current)?;
    ///     access.disable()?;
    /// }
    /// second.reset()?;
    /// first.reset()?;
    /// # } Ok(()) }
    /// ```
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Refused`] with 100000 when both devices are the same card.
    ///
    /// Products without the function, according to the manual: 310B.
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
    /// Enables access from the current device to its peer (`aclrtDeviceEnablePeerAccess`, pyACL
    /// `acl.rt.device_enable_peer_access`).
    ///
    /// ```
    /// # ascendcl::example!(|acl| {
    /// # let mut thread = Thread::claim()?;
    /// # let device = acl.set_device::<Npu<0>>(&mut thread, 0)?;
    /// let second = acl.set_device::<Npu<1>>(&mut thread, 1)?;
    /// let current = thread.set_current(&device)?;
    /// if let Some(route) = current.can_access_peer(&second)? {
    ///     let access = route.enable(current)?;
    /// }
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// [`Usage::PeerAccessTaken`](crate::error::Usage::PeerAccessTaken) while another access for the same direction
    /// exists, and [`ErrorKind::Refused`].
    ///
    /// Products without the function, according to the manual: 310B.
    #[doc(alias = "aclrtDeviceEnablePeerAccess")]
    #[doc(alias = "acl.rt.device_enable_peer_access")]
    pub fn enable<'t>(
        self,
        current: impl OfDevice<Current<'t, 'dev, D>>,
    ) -> Result<PeerAccess<'dev, 'peer, D, P>> {
        let current = current.into_inner();
        let user = current.core();
        uses::enter(user, self.peer.id())?;
        // SAFETY: the call takes only numbers. The device that gets access is current.
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

/// The view of device `D` on memory of device `P`: work can write it ([`Outbound`]), or write and read it
/// ([`Mutual`]).
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
///     let view = access.outbound();
///     current.memcpy(view.slice_mut(&mut there, 0..4)?, &here)?; // to the second device
/// }
/// # });
/// ```
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
    /// Returns a view of the peer's memory that work on this device can write.
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
    ///     current.memcpy(access.outbound().slice_mut(&mut there, 0..4)?, &here)?;
    /// }
    /// # });
    /// ```
    #[must_use]
    pub fn outbound(&self) -> PeerView<'_, 'peer, D, P, Outbound> {
        PeerView {
            _access: PhantomData,
        }
    }

    /// Returns a view of the peer's memory that work on this device can write and read. It needs enabled access in
    /// both directions.
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
    /// let there_and_back = {
    ///     let Some(back) = thread.set_current(&second)?.can_access_peer(&device)? else { return Ok(()) };
    ///     back.enable(thread.set_current(&second)?)? // second -> first
    /// };
    /// let current = thread.set_current(&device)?;
    /// let Some(route) = current.can_access_peer(&second)? else { return Ok(()) };
    /// let access = route.enable(current)?; // first -> second
    /// let view = access.mutual(&there_and_back);
    /// let mut here = here;
    /// current.memcpy(&mut here, view.slice(&there, 0..4)?)?; // reads the memory of the second device
    /// # });
    /// ```
    #[must_use]
    pub fn mutual<'a>(
        &'a self,
        _other: &'a PeerAccess<'_, '_, P, D>,
    ) -> PeerView<'a, 'peer, D, P, Mutual> {
        PeerView {
            _access: PhantomData,
        }
    }

    /// Maps a buffer of the peer for copies of device `D` in advance, so that the first copy does not have to
    /// (`aclrtMemP2PMap`).
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
    ///     access.p2p_map(&there)?; // the first copy need not do it
    ///     current.memcpy(access.outbound().slice_mut(&mut there, 0..4)?, &here)?;
    /// }
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Refused`], and [`ErrorKind::Backend`] if an older CANN lacks the function.
    ///
    /// Products without the function, according to the manual: 310B.
    #[doc(alias = "aclrtMemP2PMap")]
    pub fn p2p_map<E: Elements + ?Sized, I>(&self, buf: &Buf<'_, Dev<P>, E, I>) -> Result<()> {
        // No overflow: the allocation has this many bytes.
        let bytes = buf.len() * size_of::<E::Element>();
        let to = self.user.id().cast_signed();
        // SAFETY: a live allocation of `bytes` bytes (invariant of `Buf`).
        let code = unsafe { sys::aclrtMemP2PMap(buf.as_raw().cast(), bytes, to, 0) };
        check("aclrtMemP2PMap", code)
    }
}

impl<'a, 'peer, D: AnyDevice, P: WholeDevice, A> PeerView<'a, 'peer, D, P, A> {
    /// Returns a part of a buffer of the peer as the source of a blocking copy of device `D`. Only a part of a
    /// [`Mutual`] view can be the source of a copy.
    ///
    /// ```
    /// use ascendcl::peer::{Mutual, PeerView};
    /// use ascendcl::{Current, DeviceBuf, Npu, Result};
    ///
    /// /// Copies the first elements of the memory of device 1 to device 0.
    /// fn fetch(
    ///     current: Current<'_, '_, Npu<0>>,
    ///     view: PeerView<'_, '_, Npu<0>, Npu<1>, Mutual>,
    ///     there: &DeviceBuf<'_, Npu<1>, [f32]>,
    ///     here: &mut DeviceBuf<'_, Npu<0>, [f32]>,
    /// ) -> Result<()> {
    ///     let len = here.len();
    ///     current.memcpy(here, view.slice(there, 0..len)?)
    /// }
    /// ```
    ///
    /// # Errors
    ///
    /// [`Usage::Range`](crate::error::Usage::Range) when the range is not within the buffer.
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

    /// Returns a part of a buffer of the peer as the destination of a blocking copy of device `D`.
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
    ///     let half = access.outbound().slice_mut(&mut there, 0..2)?;
    ///     current.memcpy(half, here.slice(0..2)?)?;
    /// }
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// [`Usage::Range`](crate::error::Usage::Range) when the range is not within the buffer.
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

    /// Lends a buffer of the peer to queued work of device `D`: adopt it on a stream of `D`. [`PeerView::give_back`]
    /// returns the buffer to the peer.
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
    /// # let mut stream = current.create_stream::<ascendcl::stream::Main>()?;
    /// if let Some(route) = current.can_access_peer(&second)? {
    ///     let access = route.enable(current)?;
    ///     let mut lent = stream.adopt(access.outbound().lend(there));
    ///     let here = stream.adopt(here);
    ///     stream.memcpy_async(&mut lent, &here)?; // to the second device
    ///     let there = access.outbound().give_back(stream.synchronize()?.take(lent));
    /// }
    /// # });
    /// ```
    #[must_use]
    pub fn lend<E: Elements + ?Sized, I>(
        self,
        buf: Buf<'peer, Dev<P>, E, I>,
    ) -> Buf<'a, Peer<D, P, A>, E, I> {
        // SAFETY: `aclrtMalloc` allocated the memory, and `aclrtFree` frees it in both domains. The device of the
        // memory is not reset while the access is borrowed, and after that only after a wait for `D` (`uses`).
        unsafe { buf.seen_as() }
    }

    /// Returns a lent buffer to the peer.
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
    ///     let lent = access.outbound().lend(there);
    ///     let there = access.outbound().give_back(lent); // memory of the second device again
    /// }
    /// # });
    /// ```
    #[must_use]
    pub fn give_back<E: Elements + ?Sized, I>(
        self,
        lent: Buf<'_, Peer<D, P, A>, E, I>,
    ) -> Buf<'peer, Dev<P>, E, I> {
        // SAFETY: only `lend` of an access between these devices makes a buffer of this domain, from memory of the
        // device that this access borrows for `'peer`.
        unsafe { lent.seen_as() }
    }
}

impl<D: AnyDevice, P> PeerAccess<'_, '_, D, P> {
    /// Waits for device `D` and disables the access (`aclrtDeviceDisablePeerAccess`, pyACL
    /// `acl.rt.device_disable_peer_access`).
    ///
    /// ```
    /// # ascendcl::example!(|acl| {
    /// # let mut thread = Thread::claim()?;
    /// # let device = acl.set_device::<Npu<0>>(&mut thread, 0)?;
    /// let second = acl.set_device::<Npu<1>>(&mut thread, 1)?;
    /// let current = thread.set_current(&device)?;
    /// if let Some(route) = current.can_access_peer(&second)? {
    ///     route.enable(current)?.disable()?; // a drop disables too
    /// }
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Wait`] when work of device `D` has failed. If the end of the work could not be proven, the error
    /// is [`ErrorKind::Wait`] too, and the access stays enabled. [`ErrorKind::Refused`] when AscendCL does not
    /// disable the access.
    ///
    /// Products without the function, according to the manual: 310B.
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
            // SAFETY: the call takes only a number. The device that has access is current.
            let code = unsafe { sys::aclrtDeviceDisablePeerAccess(peer.cast_signed()) };
            check("aclrtDeviceDisablePeerAccess", code)
        });
        let Some(first) = failed.next() else {
            return disabled;
        };
        failed
            .chain(disabled.err())
            .for_each(|error| self.user.failed_in_drop(error));
        Err(first)
    }
}

impl<D: AnyDevice, P> Drop for PeerAccess<'_, '_, D, P> {
    fn drop(&mut self) {
        if let Err(error) = self.close() {
            self.user.failed_in_drop(error);
        }
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

//! Communicators of all devices of a process.

use std::fmt;
use std::marker::PhantomData;
use std::mem::ManuallyDrop;
use std::ptr::null_mut;
use std::sync::Arc;

use ascendcl_sys as sys;

use crate::collective::claim::Claim;
use crate::collective::comm::Comm;
use crate::collective::name::{CommName, Name};
use crate::collective::rank::{Rank, Ranks, check_size};
use crate::collective::raw_comm::{RawComm, destroy_left};
use crate::context::Current;
use crate::device::{Core, Device, DeviceTag};
#[cfg(doc)]
use crate::error::ErrorKind;
use crate::error::{CollectiveMismatch, Result};
use crate::raw::{Handle, check};
use crate::release;
use crate::state::{DropUses, Invariant};

/// An open device as a rank of a communicator. [`Device::member`] makes it, so that a list has devices of different names.
///
/// ```
/// use ascendcl::collective::Member;
/// use ascendcl::{Device, DeviceTag};
///
/// fn members<'d, A: DeviceTag, B: DeviceTag>(a: &'d Device<'_, A>, b: &'d Device<'_, B>) -> [Member<'d>; 2] {
///     [a.member(), b.member()] // rank 0 and rank 1
/// }
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Member<'d> {
    core: &'d Arc<Core>,
}

impl<D: DeviceTag> Device<'_, D> {
    /// Returns this device as a member of a list for [`Current::comm_init_all`].
    ///
    /// ```
    /// use ascendcl::collective::{DetachedComm, World};
    /// use ascendcl::{Current, Device, DeviceTag, Result};
    ///
    /// fn join<'d, A: DeviceTag, B: DeviceTag>(
    ///     current: Current<'_, '_, A>,
    ///     zero: &'d Device<'_, A>,
    ///     one: &'d Device<'_, B>,
    /// ) -> Result<Vec<DetachedComm<'d, World>>> {
    ///     current.comm_init_all(&[zero.member(), one.member()])
    /// }
    /// ```
    pub fn member(&self) -> Member<'_> {
        Member { core: self.core() }
    }
}

/// A communicator of one rank that no thread has yet, made by [`Current::comm_init_all`].
///
/// It is sent to the thread of its device, and [`DetachedComm::attach`] makes a [`Comm`] of it there. Dropping it destroys the
/// communicator. While another thread has communicators of the device, that thread destroys it later: HCCL makes one call for a
/// device at a time. The name stays taken until then.
///
/// ```
/// use ascendcl::collective::{Comm, DetachedComm, World};
/// use ascendcl::{Current, DeviceTag, Result};
///
/// // On the thread of the device.
/// fn join<'t, 'd, D: DeviceTag>(current: Current<'t, 'd, D>, detached: DetachedComm<'d, World>) -> Result<Comm<'t, 'd, D>> {
///     println!("rank {} is device {}", detached.rank().number(), detached.device_id());
///     detached.attach(current)
/// }
/// ```
///
/// # Invariants
///
/// - The communicator has queued no work.
#[must_use = "attach it on the thread of its device"]
pub struct DetachedComm<'d, N: CommName> {
    raw: ManuallyDrop<RawComm>,
    /// Dropping the value destroys the communicator, on its device.
    _device: DropUses<'d>,
    _name: PhantomData<Invariant<N>>,
}

impl<'t, 'dev, D: DeviceTag> Current<'t, 'dev, D> {
    /// Makes a communicator of all these devices of the process (`HcclCommInitAll`): the rank `i` is the device at place `i`.
    ///
    /// The call joins each device on a thread of its own. The returned detached communicators go to the threads of the
    /// devices. The current device need not be a member.
    ///
    /// HCCL takes each device into use once more on its own threads, and does not give it back. So a later reset of a device
    /// does not end its use in the process.
    ///
    /// ```
    /// # #[cfg(feature = "emulator")]
    /// # fn main() -> ascendcl::Result<()> {
    /// use std::thread;
    ///
    /// use ascendcl::collective::{DetachedComm, World};
    /// use ascendcl::{Acl, Device, DeviceTag, Npu, Result, Thread};
    ///
    /// fn rank<'d, D: DeviceTag>(device: &'d Device<'_, D>, detached: DetachedComm<'d, World>) -> Result<()> {
    ///     let mut thread = Thread::claim()?;
    ///     let comm = detached.attach(thread.set_current(device)?)?;
    ///     assert_eq!(comm.ranks().size(), 2);
    ///     comm.destroy()
    /// }
    ///
    /// let acl = Acl::from_env()?;
    /// let mut thread = Thread::claim()?;
    /// let zero = acl.set_device::<Npu<0>>(&mut thread, 0)?;
    /// let one = acl.set_device::<Npu<1>>(&mut thread, 1)?;
    /// let current = thread.set_current(&zero)?;
    /// let comms = current.comm_init_all::<World>(&[zero.member(), one.member()])?;
    /// let [first, second]: [_; 2] = comms.try_into().unwrap_or_else(|_| unreachable!());
    /// thread::scope(|threads| {
    ///     let other = threads.spawn(|| rank(&one, second));
    ///     let own = first.attach(current)?.destroy();
    ///     other.join().unwrap_or(Ok(())).and(own)
    /// })
    /// # }
    /// # #[cfg(not(feature = "emulator"))]
    /// # fn main() {}
    /// ```
    ///
    /// # Errors
    ///
    /// - [`CollectiveMismatch::NoRanks`] for an empty list, and [`CollectiveMismatch::DeviceTwice`] for a device that it has
    ///   twice.
    /// - [`CollectiveMismatch::NameTaken`] if a device has a communicator of this name, and
    ///   [`CollectiveMismatch::OtherThread`] if another thread has communicators of a device: HCCL makes one call for a device at
    ///   a time. During the call no other thread joins a communicator of these devices.
    /// - [`ErrorKind::Refused`] with 4 if a device could not join.
    #[doc(alias = "HcclCommInitAll")]
    pub fn comm_init_all<'d, N: CommName>(
        self,
        devices: &[Member<'d>],
    ) -> Result<Vec<DetachedComm<'d, N>>> {
        const CALL: &str = "HcclCommInitAll";
        let size = u32::try_from(devices.len()).unwrap_or(u32::MAX);
        check_size(size)?;
        let mut ids = Vec::with_capacity(devices.len());
        for member in devices {
            let device = member.core.id();
            // The id came from an i32, so the conversion is exact.
            let id = device.cast_signed();
            if ids.contains(&id) {
                return Err(CollectiveMismatch::DeviceTwice { device }.into());
            }
            ids.push(id);
        }
        let claims = claim_all(devices, Name::of::<N>())?;
        let mut comms = vec![null_mut(); devices.len()];
        // SAFETY: as many device ids and places for communicators as `size` says; a device is current.
        let code = unsafe { sys::HcclCommInitAll(size, ids.as_mut_ptr(), comms.as_mut_ptr()) };
        if let Err(error) = check(CALL, code.0) {
            claims
                .iter()
                .for_each(|claim| destroy_left(claim.release()));
            return Err(error);
        }
        // Each detached communicator goes to a thread that is not known yet.
        claims.iter().for_each(|claim| destroy_left(claim.leave()));
        let places = devices.iter().zip(claims).zip(comms).zip(0..);
        let comms = places.map(|(((member, claim), comm), rank)| {
            let handle = Handle::new(CALL, comm)?;
            // INVARIANT: the communicator was made now.
            Ok(DetachedComm {
                raw: ManuallyDrop::new(RawComm::new(
                    member.core,
                    handle,
                    claim,
                    (rank, Some(size)),
                    None,
                )?),
                _device: DropUses::new(),
                _name: PhantomData,
            })
        });
        // All of them, so that each communicator has an owner also if one has failed.
        let comms: Vec<Result<DetachedComm<'d, N>>> = comms.collect();
        comms.into_iter().collect()
    }
}

/// Claims a name on each device for this thread, or on none.
fn claim_all(devices: &[Member<'_>], name: Name) -> Result<Vec<Claim>> {
    let mut claims = Vec::with_capacity(devices.len());
    for member in devices {
        match Claim::new(member.core, name) {
            Ok(claim) => claims.push(claim),
            Err(error) => {
                claims
                    .iter()
                    .for_each(|claim| destroy_left(claim.release()));
                return Err(error);
            }
        }
    }
    Ok(claims)
}

impl<'d, N: CommName> DetachedComm<'d, N> {
    /// Returns the rank of the device.
    ///
    /// ```
    /// use ascendcl::collective::{DetachedComm, World};
    ///
    /// fn print(comms: &[DetachedComm<'_, World>]) {
    ///     for detached in comms {
    ///         println!("rank {} is device {}", detached.rank().number(), detached.device_id());
    ///     }
    /// }
    /// ```
    #[must_use]
    pub fn rank(&self) -> Rank<N> {
        Ranks::new(self.raw.rank, self.raw.size).own()
    }

    /// Returns the id of the device.
    ///
    /// ```
    /// use ascendcl::collective::{DetachedComm, World};
    ///
    /// /// Returns the detached communicator of the device with this id.
    /// fn find<'d>(comms: Vec<DetachedComm<'d, World>>, id: u32) -> Option<DetachedComm<'d, World>> {
    ///     comms.into_iter().find(|detached| detached.device_id() == id)
    /// }
    /// ```
    #[must_use]
    pub fn device_id(&self) -> u32 {
        self.raw.core.id()
    }

    /// Takes the communicator into use on this thread, which is bound to its device.
    ///
    /// ```
    /// use ascendcl::collective::{DetachedComm, World};
    /// use ascendcl::{Device, DeviceTag, Result, Thread};
    ///
    /// /// Runs on a thread of its own.
    /// fn rank<'d, D: DeviceTag>(device: &'d Device<'_, D>, detached: DetachedComm<'d, World>) -> Result<()> {
    ///     let mut thread = Thread::claim()?;
    ///     let comm = detached.attach(thread.set_current(device)?)?;
    ///     comm.destroy()
    /// }
    /// ```
    ///
    /// # Errors
    ///
    /// [`CollectiveMismatch::OtherDevice`] on a thread that is bound to another device or context, and
    /// [`CollectiveMismatch::OtherThread`] if another thread has communicators of the device. The detached communicator is
    /// dropped then.
    pub fn attach<'t, D: DeviceTag>(
        self,
        current: Current<'t, 'd, D>,
    ) -> Result<Comm<'t, 'd, D, N>> {
        if !Arc::ptr_eq(current.core(), &self.raw.core) {
            return Err(CollectiveMismatch::OtherDevice {
                rank: self.raw.rank,
                device: self.raw.core.id(),
                current: current.core().id(),
            }
            .into());
        }
        self.raw.claim().take_here()?;
        let mut detached = ManuallyDrop::new(self);
        // SAFETY: `detached` is never used again and not dropped, so the communicator is taken once.
        let raw = unsafe { ManuallyDrop::take(&mut detached.raw) };
        Ok(Comm::new(Arc::new(raw), current))
    }
}

impl<N: CommName> Drop for DetachedComm<'_, N> {
    fn drop(&mut self) {
        // SAFETY: dropped once, and the field is not used afterwards.
        let raw = unsafe { ManuallyDrop::take(&mut self.raw) };
        release::in_drop(raw.destroy());
    }
}

impl<N: CommName> fmt::Debug for DetachedComm<'_, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "DetachedComm({})", self.raw.about())
    }
}

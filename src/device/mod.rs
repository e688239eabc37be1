//! Devices: their names in types, setting and resetting them (`acl/acl_rt.h`; manual chapter 04).

mod claims;
mod core;
mod ledger;
#[cfg(all(test, loom_typed))]
mod model;
mod tag;
pub(crate) mod uses;

use std::marker::PhantomData;
use std::mem::ManuallyDrop;
use std::ptr;
use std::sync::Arc;

use ascendcl_sys as sys;

use self::claims::Claim;
pub(crate) use self::core::{Core, Ending, current_context, wait_for_proof};
pub(crate) use self::ledger::failed_waits;
pub use self::tag::{
    AnyDevice, Brand, Ctx, DeviceTag, NamedDevice, Npu, Site, Stopping, WholeDevice,
};
pub(crate) use self::tag::{Ident, ident_of, key_of, new_key, seal};

use crate::context::Thread;
#[cfg(doc)]
use crate::error::ErrorKind;
use crate::error::{Result, Usage};
use crate::outcome::ContinueOnFailure;
use crate::raw::{check, check_device, note_device};
use crate::release;
use crate::runtime::Acl;
use crate::state::Invariant;

/// A device that this program uses, named `D`.
///
/// Streams, memory and bindings borrow it: none of them outlives the reset. `Device` is `Send` and
/// `Sync`; each thread binds it with [`Thread::set_current`].
///
/// # Invariants
///
/// - The default context of the device is retained from construction to [`Device::reset`] or drop.
/// - No other `Device` of this process has the same slot or the same id.
#[derive(Debug)]
pub struct Device<'acl, D> {
    core: Arc<Core>,
    claim: Claim,
    _tag: PhantomData<(&'acl Acl, Invariant<D>)>,
}

impl<D> Device<'_, D> {
    /// The device id that was given to [`Acl::set_device`].
    #[must_use]
    pub fn id(&self) -> u32 {
        self.core.id()
    }

    /// The raw default context, for calls that this crate does not have.
    ///
    /// Destroying it, or resetting the device through the C API, breaks what this value promises.
    #[must_use]
    pub fn as_raw(&self) -> sys::aclrtContext {
        self.core.context().as_ptr()
    }

    /// Tears the device down whatever its reference count is (`aclrtResetDeviceForce`, pyACL
    /// `acl.rt.reset_device_force`), as the last reset: other components of the process lose it too.
    ///
    /// Memory that is still parked is freed first, if a wait for the device succeeds.
    ///
    /// # Errors
    ///
    /// As for [`Device::reset`].
    #[doc(alias = "aclrtResetDeviceForce")]
    #[doc(alias = "acl.rt.reset_device_force")]
    pub fn reset_force(self) -> Result<()> {
        self.close_with("aclrtResetDeviceForce", |id| {
            // SAFETY: takes a number; nothing of this program borrows the device.
            unsafe { sys::aclrtResetDeviceForce(id) }
        })
    }

    /// Keeps the device for the rest of the process, which makes everything that borrows it storable
    /// without a lifetime. It is never reset; the process ends that.
    #[must_use]
    pub fn leak(self) -> &'static Self
    where
        Self: 'static,
    {
        Box::leak(Box::new(self))
    }

    pub(crate) fn core(&self) -> &Arc<Core> {
        &self.core
    }

    /// Resets the device (`aclrtResetDevice`, pyACL `acl.rt.reset_device`): waits for queued work
    /// and releases the default context and stream. While another component of the process holds the
    /// device too, the C call does neither; what [`mem::forget`](std::mem::forget) left queued, in its explicit contexts
    /// too, is waited for all the same.
    ///
    /// Does not compile while a stream, a buffer or a binding of the device is alive.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Refused`] with 507007 when other code has reset the device
    /// too often. [`ErrorKind::Wait`] when no wait for its work has succeeded, and [`Usage::PeerLost`] when another device
    /// may be using its memory for ever: then it is not reset. (One that [stops](Device::stop_on_failure) is.) The value
    /// is gone all the same, and the slot stays taken.
    #[doc(alias = "aclrtResetDevice")]
    #[doc(alias = "acl.rt.reset_device")]
    pub fn reset(self) -> Result<()> {
        self.close_with("aclrtResetDevice", reset)
    }

    fn close_with(
        self,
        call: &'static str,
        reset: impl FnOnce(i32) -> sys::aclError,
    ) -> Result<()> {
        let mut this = ManuallyDrop::new(self);
        let closed = this.close(call, reset);
        // SAFETY: `this` is not used again.
        unsafe { ptr::drop_in_place(&raw mut this.core) };
        closed
    }

    /// Ends the device with `reset`. A failed one keeps the claims: nothing says that the device is
    /// free again.
    fn close(&self, call: &'static str, reset: impl FnOnce(i32) -> sys::aclError) -> Result<()> {
        // The id came from an i32, so the conversion is exact.
        self.core
            .close(Ending::Reset, call, || reset(self.id().cast_signed()))
            .inspect(|()| self.claim.release())
    }
}

impl<D> Drop for Device<'_, D> {
    fn drop(&mut self) {
        release::in_drop(self.close("aclrtResetDevice", reset));
    }
}

/// `aclrtResetDevice` for a device that [`open`] has set.
fn reset(id: i32) -> sys::aclError {
    // SAFETY: takes a number; pairs with the set in `open`, and nothing borrows the device.
    unsafe { sys::aclrtResetDevice(id) }
}

/// Sets the device, which retains its default context, and notes that context.
fn open<'acl, D: AnyDevice>(claim: Claim) -> Result<Device<'acl, D>> {
    let id = claim.id;
    let Ok(c_id) = i32::try_from(id) else {
        claim.release();
        return Err(Usage::DeviceId { id }.into());
    };
    // SAFETY: takes a number.
    let code = unsafe { sys::aclrtSetDevice(c_id) };
    if let Err(error) = check_device("aclrtSetDevice", id, code) {
        claim.release();
        return Err(error);
    }
    note_device(Some(id));
    match current_context() {
        // INVARIANT: retained just now, and claimed.
        Ok(context) => Ok(Device {
            core: Core::new(id, context, new_key::<D>()),
            claim,
            _tag: PhantomData,
        }),
        Err(error) => {
            note_device(None);
            match check("aclrtResetDevice", reset(c_id)) {
                Ok(()) => claim.release(),
                Err(second) => release::failed(&second),
            }
            Err(error)
        }
    }
}

impl<'acl, D: WholeDevice<Mode = ContinueOnFailure>> Device<'acl, D> {
    /// The same device, whose streams stop when one of their tasks fails (`ACL_STOP_ON_FAILURE`).
    ///
    /// By default later work goes on with whatever a failed task left, and a fence proves only that work is
    /// over. On a device that stops, a fence that completes proves that the work in front of it has
    /// succeeded, in the whole context, so that it gives buffers back verified. The price: after a failure
    /// every wait and every submission of the device fails, until the device is reset; memory that its
    /// queues hold is given up then. And there is no [`Current::scope`](crate::Current::scope), which needs a
    /// wait that can succeed after a failure.
    ///
    /// No call of the runtime: the mode is set on each stream when it is created
    /// (`aclrtSetStreamFailureMode`), and where the product lacks it, that is the error.
    ///
    /// ```
    /// # #[cfg(feature = "emulator")]
    /// fn stops(acl: &ascendcl::Acl) -> ascendcl::Result<()> {
    ///     use ascendcl::event::OrderProgress;
    ///     use ascendcl::{Npu, Thread, stream::Main};
    ///     let mut thread = Thread::claim()?;
    ///     let device = acl.set_device::<Npu<0>>(&mut thread, 0)?.stop_on_failure();
    ///     let current = thread.set_current(&device)?;
    ///     let mut stream = current.create_stream::<Main>()?;
    ///     let buf = stream.adopt(current.malloc::<u32>(4)?);
    ///     let buf = stream.memset_async(buf, 7)?;
    ///     let fence = stream.fence(current.create_event::<OrderProgress>()?, buf)?;
    ///     let (buf, _event) = fence.synchronize()?; // the plain buffer: the fill has succeeded
    ///     buf.free()
    /// }
    /// # #[cfg(feature = "emulator")]
    /// # fn main() -> ascendcl::Result<()> { stops(&ascendcl::Acl::from_env()?) }
    /// # #[cfg(not(feature = "emulator"))]
    /// # fn main() {}
    /// ```
    #[must_use]
    pub fn stop_on_failure(self) -> Device<'acl, Stopping<D>> {
        self.core.note_stops();
        let this = ManuallyDrop::new(self);
        // SAFETY: `this` is never used again, so the one reference moves on.
        let core = unsafe { ptr::read(&raw const this.core) };
        Device {
            core,
            claim: this.claim,
            _tag: PhantomData,
        }
    }
}

impl Acl {
    /// Takes a device into use (`aclrtSetDevice`, pyACL `acl.rt.set_device`) and names it `D`.
    ///
    /// `id` counts from 0 to [`Acl::device_count`]. The call also makes the device current on the
    /// calling thread, which is why it needs that thread's [`Thread`] unbound.
    ///
    /// # Errors
    ///
    /// [`Usage::SlotTaken`] and [`Usage::DeviceTaken`] when the name or the card is in use, and
    /// [`ErrorKind::Refused`] with 107001 for an id that does not exist.
    #[doc(alias = "aclrtSetDevice")]
    #[doc(alias = "acl.rt.set_device")]
    pub fn set_device<D: NamedDevice>(
        &self,
        _thread: &mut Thread,
        id: u32,
    ) -> Result<Device<'_, D>> {
        open(claims::claim(Some(D::SLOT), id)?)
    }

    /// Takes a device into use that has no slot: its name in types is a lifetime that no other device has.
    ///
    /// For a number of devices that is known at run time: each call is a new name, also in a loop or on
    /// several threads, and functions are written once, over `D: AnyDevice`. What belongs to two devices can
    /// still not be mixed.
    ///
    /// ```
    /// # #[cfg(feature = "emulator")]
    /// fn fill_all(acl: &ascendcl::Acl) -> ascendcl::Result<()> {
    ///     use ascendcl::{Current, DeviceTag, Thread};
    ///     fn work<D: DeviceTag>(current: Current<'_, '_, D>) -> ascendcl::Result<()> {
    ///         current.memset(current.malloc::<u8>(64)?, 1)?.free()
    ///     }
    ///     let mut thread = Thread::claim()?;
    ///     for id in 0..acl.device_count()? {
    ///         acl.with_device(&mut thread, id, |device, thread| {
    ///             work(thread.set_current(&device)?)?;
    ///             device.reset()
    ///         })??;
    ///     }
    ///     Ok(())
    /// }
    /// # #[cfg(feature = "emulator")]
    /// # fn main() -> ascendcl::Result<()> { fill_all(&ascendcl::Acl::from_env()?) }
    /// # #[cfg(not(feature = "emulator"))]
    /// # fn main() {}
    /// ```
    ///
    /// # Errors
    ///
    /// As for [`Acl::set_device`], when the device could not be taken into use; `f` does not run then.
    pub fn with_device<'acl, R>(
        &'acl self,
        thread: &mut Thread,
        id: u32,
        f: impl for<'id> FnOnce(Device<'acl, Brand<'id>>, &mut Thread) -> R,
    ) -> Result<R> {
        let device = open(claims::claim(None, id)?)?;
        Ok(f(device, thread))
    }

    /// Takes the device into use that the configuration file names
    /// (`{"defaultDevice": {"default_device": "0"}}`).
    ///
    /// # Errors
    ///
    /// [`Usage::NoDefaultDevice`] when the file names none, else as [`Acl::set_device`].
    pub fn set_default_device<D: NamedDevice>(&self, thread: &mut Thread) -> Result<Device<'_, D>> {
        let id = self.default_device_id().ok_or(Usage::NoDefaultDevice)?;
        self.set_device(thread, id)
    }
}

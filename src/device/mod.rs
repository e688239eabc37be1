//! Devices: their names in types, and the calls that set and reset them (`acl/acl_rt.h`; manual chapter 04).

mod claims;
mod core;
mod ending;
mod host_funcs;
#[cfg(all(test, loom))]
mod interleavings;
pub(crate) mod later;
mod ledger;
mod life;
pub(crate) mod limit;
mod orphan;
mod proof;
mod shown;
mod tag;
pub(crate) mod uses;
mod watch;

use std::marker::PhantomData;
use std::mem::ManuallyDrop;
use std::ptr;
use std::sync::Arc;
use std::time::Duration;

use ascendcl_sys as sys;

use self::claims::Claim;
pub(crate) use self::core::{Core, Ending, current_context};
use self::ending::{Reset, end, end_later, reset, reset_again};
pub(crate) use self::host_funcs::{Held, HostFuncs};
pub(crate) use self::ledger::failed_waits;
pub(crate) use self::orphan::in_context;
pub(crate) use self::proof::{behind_captures, proof_or_abort, unproven, wait_for_proof};
pub(crate) use self::shown::Shown;
pub use self::tag::{
    AnyDevice, Brand, Ctx, DeviceTag, NamedDevice, Npu, OfDevice, SameDevice, Site, Stopping,
    WholeDevice,
};
pub(crate) use self::tag::{Ident, ident_of, key_of, new_key, seal};
pub(crate) use self::watch::Watched;

use crate::context::Thread;
#[cfg(doc)]
use crate::error::ErrorKind;
use crate::error::{Result, Usage};
use crate::outcome::ContinueOnFailure;
use crate::raw::{check_device, note_device};
use crate::release;
use crate::runtime::Acl;
use crate::state::Invariant;

/// A device that this program uses, named `D`.
///
/// Streams, memory and bindings borrow the device, so none of them outlives the reset. `Device` is `Send` and `Sync`;
/// each thread binds it with [`Thread::set_current`].
///
/// ```
/// # fn main() -> ascendcl::Result<()> {
/// # #[cfg(feature = "emulator")] {
/// use ascendcl::{Acl, Npu, Thread};
///
/// let acl = Acl::from_env()?;
/// let mut main = Thread::claim()?;
/// let device = acl.set_device::<Npu<0>>(&mut main, 0)?;
/// std::thread::scope(|scope| {
///     let worker = scope.spawn(|| -> ascendcl::Result<()> {
///         let mut thread = Thread::claim()?; // each thread binds the device for itself
///         thread.set_current(&device)?.malloc::<f32>(16)?.free()
///     });
///     assert!(worker.join().is_ok_and(|result| result.is_ok()));
/// });
/// device.reset()?;
/// # } Ok(()) }
/// ```
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
    ///
    /// ```
    /// # ascendcl::example!(|acl| {
    /// # let mut thread = Thread::claim()?;
    /// # let device = acl.set_device::<Npu<0>>(&mut thread, 0)?;
    /// assert_eq!(device.id(), 0); // the number that `set_device` was given
    /// # });
    /// ```
    #[must_use]
    pub fn id(&self) -> u32 {
        self.core.id()
    }

    /// The raw default context, for calls that this crate does not have.
    ///
    /// Do not destroy the context and do not reset the device through the C API: this value relies on both.
    ///
    /// ```
    /// # ascendcl::example!(|acl| {
    /// use ascendcl::{Npu, Thread, sys};
    ///
    /// let mut thread = Thread::claim()?;
    /// let device = acl.set_device::<Npu<0>>(&mut thread, 0)?;
    /// let context: sys::aclrtContext = device.as_raw();
    /// assert!(!context.is_null());
    /// # });
    /// ```
    #[must_use]
    pub fn as_raw(&self) -> sys::aclrtContext {
        self.core.context().as_ptr()
    }

    /// Resets the device whatever its reference count is (`aclrtResetDeviceForce`, pyACL
    /// `acl.rt.reset_device_force`). Other components of the process lose the device too.
    ///
    /// Parked memory is freed first, if a wait for the device succeeds.
    ///
    /// ```
    /// # ascendcl::example!(|acl| {
    /// # let mut thread = Thread::claim()?;
    /// # let device = acl.set_device::<Npu<0>>(&mut thread, 0)?;
    /// device.reset_force()?; // also takes the device from other libraries of the process
    /// # });
    /// ```
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

    /// Keeps the device open for the rest of the process. Values that borrow it can then be stored without a
    /// lifetime. The device is never reset; it ends with the process.
    ///
    /// ```
    /// # fn main() -> ascendcl::Result<()> {
    /// # #[cfg(feature = "emulator")] {
    /// use ascendcl::{Acl, Device, DeviceBuf, Npu, Thread};
    ///
    /// struct Service {
    ///     device: &'static Device<'static, Npu<0>>,
    ///     weights: DeviceBuf<'static, Npu<0>, [f32]>, // no lifetime parameter is needed
    /// }
    ///
    /// let acl: &'static Acl = Acl::from_env()?.leak();
    /// let mut thread = Thread::claim()?;
    /// let device = acl.set_device::<Npu<0>>(&mut thread, 0)?.leak();
    /// let current = thread.set_current(device)?;
    /// let service = Service { device, weights: current.memset(current.malloc(16)?, 0)? };
    /// # } Ok(()) }
    /// ```
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

    /// Resets the device (`aclrtResetDevice`, pyACL `acl.rt.reset_device`).
    ///
    /// The call waits for queued work and releases the default context and stream. While another component of the
    /// process holds the device too, the C call does neither. Work that [`mem::forget`](std::mem::forget) left queued
    /// is waited for all the same, also in explicit contexts of the device.
    ///
    /// If work has failed and no wait has returned its error, this call reports the error to the hook
    /// ([`on_release_failure`](crate::on_release_failure)) and still resets the device. To get the error, wait before.
    ///
    /// This does not compile while a stream, a buffer or a binding of the device is alive.
    ///
    /// ```
    /// # ascendcl::example!(|acl| {
    /// # let mut thread = Thread::claim()?;
    /// # let device = acl.set_device::<Npu<0>>(&mut thread, 0)?;
    /// let buf = thread.set_current(&device)?.malloc::<f32>(16)?;
    /// buf.free()?; // a buffer that lives longer than the device does not compile
    /// device.reset()?; // a drop resets too, and its error goes to the hook for failed releases
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// - [`ErrorKind::Refused`] with 507007 when other code has reset the device too often.
    /// - [`ErrorKind::Wait`] when no wait for the work of the device has succeeded. The device is not reset then,
    ///   unless it [stops on failure](Device::stop_on_failure), or is lost (507010). Then it is reset, and the memory that was
    ///   in its queues is leaked.
    /// - [`Usage::PeerLost`] when another device may use the memory of this one for ever. The device is not reset
    ///   then.
    ///
    /// After an error the value is gone all the same, and its slot stays taken. If the reset itself was refused, the next
    /// [`Acl::set_device`] for the slot or the card tries it again.
    #[doc(alias = "aclrtResetDevice")]
    #[doc(alias = "acl.rt.reset_device")]
    pub fn reset(self) -> Result<()> {
        self.close_with("aclrtResetDevice", reset)
    }

    /// Limits each wait that the program does not ask for: the drop and `destroy` of streams, the end of scopes, the runs of
    /// operators that borrow their operands, the reset of this device and of its contexts. A wait that the program asks for has
    /// its own limit ([`Stream::synchronize_within`](crate::Stream::synchronize_within)), and behind it comes
    /// [`Stream::abort`](crate::Stream::abort).
    ///
    /// When the time is up, the stream is aborted (`aclrtStreamAbort`) and waited for once more, so its release takes four times
    /// the limit at most. It takes longer while other code captures, or while another thread waits for a device without a
    /// limit. [`Usage::Aborted`] says that the work of the stream was dropped. A stream that has taken memory over from another
    /// one is left to the reset of the device, which aborts all that is left. Nothing is aborted on a device that has had a
    /// model, a communicator or a channel: their work runs on queues that an abort does not reach.
    ///
    /// Without an abort, if it fails, or if the device does not end the work after it, the stream is not destroyed: it is leaked,
    /// counted ([`leaks`](crate::leaks)) and told to the hook. The reset of the device returns [`Usage::Late`], and a thread goes
    /// on with it. Until that thread has reset the device, to open it again is [`Usage::DeviceEnding`].
    ///
    /// Memory that is borrowed for a run or a scope must come back. So these abort the stream that uses it, if this thread has it
    /// in use; without a proof after that, the process is aborted. A program that must go on moves the memory into the stream:
    /// [`Stream::adopt`](crate::Stream::adopt), and `Plan::launch` in place of `run`.
    ///
    /// A host function that runs is not stopped: the limit has to be longer than each of them. Without a limit in C are the runs
    /// of models, copies of memory that is not page-locked, and the release of models, communicators and channels.
    ///
    /// ```
    /// # ascendcl::example!(|acl| {
    /// # let mut thread = Thread::claim()?;
    /// use std::time::Duration;
    ///
    /// let device = acl.set_device::<Npu<0>>(&mut thread, 0)?.release_within(Duration::from_secs(5))?;
    /// device.reset()?; // in time, also if the device hangs
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// [`Usage::Timeout`] for a limit of zero, or more than C's `int32_t` of milliseconds. The device is reset then.
    ///
    /// Products without the function, according to the manual: 310B, 310P, 910.
    #[doc(alias = "aclrtStreamAbort")]
    pub fn release_within(self, limit: Duration) -> Result<Self> {
        self.core.set_limit(limit::millis(limit)?);
        Ok(self)
    }

    fn close_with(self, call: &'static str, reset: Reset) -> Result<()> {
        let mut this = ManuallyDrop::new(self);
        let closed = this.close(call, reset);
        // SAFETY: `this` is not used again.
        unsafe { ptr::drop_in_place(&raw mut this.core) };
        closed
    }

    /// Ends the device with `reset`. If that fails, the claims stay: there is no proof that the device is free again.
    fn close(&self, call: &'static str, reset: Reset) -> Result<()> {
        let limit = self.core.limit();
        end(&self.core, self.claim, call, reset, limit).or_else(|error| {
            let has_ended = self.core.is_over() || self.core.is_lost();
            if !has_ended && self.core.goes_on_behind(&error) {
                return end_later(&self.core, self.claim, call, reset, error);
            }
            Err(error)
        })
    }
}

impl<D> Drop for Device<'_, D> {
    fn drop(&mut self) {
        release::in_drop(self.close("aclrtResetDevice", reset));
    }
}

/// Sets the device, which retains its default context, and stores that context.
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
        // INVARIANT: the context was retained just now, and `claim` holds the slot and the id.
        Ok(context) => Ok(Device {
            core: Core::new(id, context, new_key::<D>()),
            claim,
            _tag: PhantomData,
        }),
        Err(error) => {
            note_device(None);
            match check_device("aclrtResetDevice", id, reset(c_id)) {
                Ok(()) => claim.release(),
                Err(second) => release::failed(&second),
            }
            Err(error)
        }
    }
}

impl<'acl, D: WholeDevice<Mode = ContinueOnFailure>> Device<'acl, D> {
    /// Turns the device into one whose streams stop when one of their tasks fails (`ACL_STOP_ON_FAILURE`).
    ///
    /// By default, later work runs on although a task has failed, and a fence proves only that work is over. On a
    /// device that stops, a completed fence proves that all earlier work of the context has succeeded. So the fence
    /// returns verified buffers.
    ///
    /// This has a price. After a failure, every wait and every submission of the device fails until the device is
    /// reset. The memory in its queues is never freed then. There is no [`Current::scope`](crate::Current::scope),
    /// because a scope needs a wait that can succeed after a failure.
    ///
    /// This makes no call of the runtime. The mode is set on each stream when the stream is created
    /// (`aclrtSetStreamFailureMode`). On a product without that function, the creation of a stream returns the error.
    ///
    /// ```
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
    /// # ascendcl::example!(|acl| { stops(&acl)?; });
    /// ```
    #[must_use]
    pub fn stop_on_failure(self) -> Device<'acl, Stopping<D>> {
        self.core.note_stops();
        let this = ManuallyDrop::new(self);
        // SAFETY: `this` is never used again, so the reference is moved.
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
    /// `id` is less than [`Acl::device_count`]. The call also makes the device current on the calling thread, so it
    /// needs the unbound [`Thread`] of that thread.
    ///
    /// ```
    /// # fn main() -> ascendcl::Result<()> {
    /// # #[cfg(feature = "emulator")] {
    /// use ascendcl::{Acl, Npu, Thread};
    ///
    /// let acl = Acl::from_env()?;
    /// let mut thread = Thread::claim()?;
    /// let device = acl.set_device::<Npu<0>>(&mut thread, 1)?; // `Npu<0>` is a name; 1 is the id
    /// assert_eq!(device.id(), 1);
    /// device.reset()?;
    /// # } Ok(()) }
    /// ```
    ///
    /// # Errors
    ///
    /// [`Usage::SlotTaken`] when the name is in use, [`Usage::DeviceTaken`] when the card is in use, [`Usage::DeviceEnding`]
    /// when its last device has not ended yet, and [`ErrorKind::Refused`] with 107001 for an id that does not exist.
    #[doc(alias = "aclrtSetDevice")]
    #[doc(alias = "acl.rt.set_device")]
    pub fn set_device<D: NamedDevice>(
        &self,
        _thread: &mut Thread,
        id: u32,
    ) -> Result<Device<'_, D>> {
        open(claims::claim(Some(D::SLOT), id, reset_again)?)
    }

    /// Takes a device without a slot into use, and calls `f` with it. Its name in types is a lifetime that no other
    /// device has.
    ///
    /// This is for a number of devices that is known only at run time. Each call makes a new name, also in a loop or
    /// on several threads. A function for these devices is written once, over `D: AnyDevice`. Values of two devices
    /// still cannot be mixed.
    ///
    /// ```
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
    /// # ascendcl::example!(|acl| { fill_all(&acl)?; });
    /// ```
    ///
    /// # Errors
    ///
    /// As for [`Acl::set_device`]. `f` does not run then.
    pub fn with_device<'acl, R>(
        &'acl self,
        thread: &mut Thread,
        id: u32,
        f: impl for<'id> FnOnce(Device<'acl, Brand<'id>>, &mut Thread) -> R,
    ) -> Result<R> {
        let device = open(claims::claim(None, id, reset_again)?)?;
        Ok(f(device, thread))
    }

    /// Takes the default device of the configuration file into use (`{"defaultDevice": {"default_device": "0"}}`).
    ///
    /// ```
    /// # fn main() -> ascendcl::Result<()> {
    /// # #[cfg(feature = "emulator")] {
    /// use std::{env, fs, process};
    ///
    /// use ascendcl::{Acl, Npu, Thread};
    ///
    /// let path = env::temp_dir().join(format!("default-{}.json", process::id()));
    /// fs::write(&path, r#"{"defaultDevice": {"default_device": "1"}}"#).expect("a temporary file");
    /// let acl = Acl::from_env_with_config(&path)?;
    /// let mut thread = Thread::claim()?;
    /// let device = acl.set_default_device::<Npu<0>>(&mut thread)?;
    /// assert_eq!(device.id(), 1);
    /// # fs::remove_file(&path).expect("the file is there");
    /// # } Ok(()) }
    /// ```
    ///
    /// # Errors
    ///
    /// [`Usage::NoDefaultDevice`] when the file names no device, and the errors of [`Acl::set_device`].
    pub fn set_default_device<D: NamedDevice>(&self, thread: &mut Thread) -> Result<Device<'_, D>> {
        let id = self.default_device_id().ok_or(Usage::NoDefaultDevice)?;
        self.set_device(thread, id)
    }
}

//! Devices: their names in types, setting and resetting them (`acl/acl_rt.h`; manual chapter 04).

use std::any::TypeId;
use std::marker::PhantomData;
use std::mem::ManuallyDrop;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use ascendcl_sys as sys;

use crate::context::Thread;
use crate::error::{Result, Usage};
use crate::park;
use crate::raw::{Handle, check, check_wait};
use crate::release;
use crate::runtime::Acl;
use crate::state::Invariant;

/// The name of a device in types. Memory, streams and plans carry it, so what belongs to one device
/// cannot meet what belongs to another.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no name of a device",
    label = "expected `Npu<SLOT>`",
    note = "devices are named by slots: `Npu<0>`, `Npu<1>` ...; for a name of your own write `type Trainer = Npu<0>;`"
)]
pub trait DeviceTag: tag::Tag + Site<Device = Self> {}

/// Where memory is used: on a device `D` by blocking calls (idle buffers), or on a queue `(D, S)` by the
/// work of a stream (queued buffers).
pub trait Site: seal::Site {
    /// The device.
    type Device: DeviceTag;
}

pub(crate) mod seal {
    /// Seals [`Site`](super::Site).
    pub trait Site {}
}

mod tag {
    /// Seals [`DeviceTag`](super::DeviceTag).
    #[diagnostic::on_unimplemented(
        message = "this trait of `ascendcl` is sealed: `{Self}` cannot implement it",
        label = "expected `Npu<SLOT>`"
    )]
    pub trait Tag {
        /// Where memory is parked that the queues of this device may use.
        const PARKING: usize;
    }
}

/// The device in slot `SLOT` of this program. Which card that is, is decided at run time by
/// [`Acl::set_device`].
#[derive(Debug, Clone, Copy)]
pub struct Npu<const SLOT: usize>;

#[diagnostic::do_not_recommend]
impl<const SLOT: usize> DeviceTag for Npu<SLOT> {}
impl<const SLOT: usize> seal::Site for Npu<SLOT> {}
impl<const SLOT: usize> Site for Npu<SLOT> {
    type Device = Npu<SLOT>;
}
impl<const SLOT: usize> tag::Tag for Npu<SLOT> {
    const PARKING: usize = SLOT;
}

/// Where memory is parked that the queues of device `D` may use.
pub(crate) const fn parking<D: DeviceTag>() -> usize {
    <D as tag::Tag>::PARKING
}

/// A device tag that is a slot with a number.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no name of a device",
    label = "expected `Npu<SLOT>`",
    note = "devices are named by slots: `Npu<0>`, `Npu<1>` ...; for a name of your own write `type Trainer = Npu<0>;`"
)]
pub trait NamedDevice: DeviceTag {
    /// The number.
    const SLOT: usize;
}

#[diagnostic::do_not_recommend]
impl<const SLOT: usize> NamedDevice for Npu<SLOT> {
    const SLOT: usize = SLOT;
}

/// Whether a wait of any stream of this process has ever failed. Until then no stream asks whether it
/// is poisoned.
static ANY_POISON: AtomicBool = AtomicBool::new(false);

/// Whether [`Core::is_poisoned`] needs to be asked.
#[inline(always)]
pub(crate) fn any_poison() -> bool {
    ANY_POISON.load(Ordering::Relaxed)
}

/// The slots and cards of this process that are in use.
struct Claims {
    slots: Vec<usize>,
    ids: Vec<u32>,
}

static CLAIMS: Mutex<Claims> = Mutex::new(Claims {
    slots: Vec::new(),
    ids: Vec::new(),
});

/// No code panics while it holds one of these locks, and their data is valid after every statement.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Claims a slot and a card together: two handles of one card would each believe that their reset
/// ends its work.
fn claim(slot: usize, id: u32) -> Result<()> {
    let mut claims = lock(&CLAIMS);
    if claims.slots.contains(&slot) {
        return Err(Usage::SlotTaken { slot }.into());
    }
    if claims.ids.contains(&id) {
        return Err(Usage::DeviceTaken { id }.into());
    }
    claims.slots.push(slot);
    claims.ids.push(id);
    Ok(())
}

fn unclaim(slot: usize, id: u32) {
    let mut claims = lock(&CLAIMS);
    claims.slots.retain(|taken| *taken != slot);
    claims.ids.retain(|taken| *taken != id);
}

/// What a device's streams and bindings share. They reach it through a borrow of the [`Device`].
#[derive(Debug)]
pub(crate) struct Core {
    id: u32,
    slot: usize,
    context: Handle,
    /// Names of the streams that live here. A name stays when its stream's release proved nothing.
    streams: Mutex<Vec<Name>>,
}

/// The name of a stream on a device.
#[derive(Debug)]
struct Name {
    key: TypeId,
    /// Whether a wait of the stream has failed: then no later wait says anything about the work that
    /// the failed one covered.
    poisoned: bool,
}

impl Core {
    pub(crate) fn context(&self) -> Handle {
        self.context
    }

    /// Claims a stream name on this device.
    pub(crate) fn claim_stream(&self, key: TypeId, name: &'static str) -> Result<()> {
        let mut streams = lock(&self.streams);
        if streams.iter().any(|taken| taken.key == key) {
            return Err(Usage::StreamNameTaken { name }.into());
        }
        streams.push(Name {
            key,
            poisoned: false,
        });
        Ok(())
    }

    /// Gives a name back, unless a wait of its stream has failed.
    pub(crate) fn unclaim_stream(&self, key: TypeId) {
        lock(&self.streams).retain(|name| name.key != key || name.poisoned);
    }

    /// Remembers that a wait of the stream has failed.
    #[cold]
    pub(crate) fn poison_stream(&self, key: TypeId) {
        for name in lock(&self.streams)
            .iter_mut()
            .filter(|name| name.key == key)
        {
            name.poisoned = true;
        }
        ANY_POISON.store(true, Ordering::Release);
    }

    /// Remembers that a wait for all streams has failed.
    #[cold]
    pub(crate) fn poison_streams(&self) {
        for name in lock(&self.streams).iter_mut() {
            name.poisoned = true;
        }
        ANY_POISON.store(true, Ordering::Release);
    }

    /// Whether a wait of the stream has failed.
    #[cold]
    pub(crate) fn is_poisoned(&self, key: TypeId) -> bool {
        lock(&self.streams)
            .iter()
            .any(|name| name.key == key && name.poisoned)
    }

    /// Sets the device, which retains its default context, and notes that context.
    fn open(slot: usize, id: u32) -> Result<Core> {
        let c_id = i32::try_from(id).map_err(|_| Usage::DeviceId { id })?;
        claim(slot, id)?;
        // SAFETY: takes a number.
        let code = unsafe { sys::aclrtSetDevice(c_id) };
        if let Err(error) = check("aclrtSetDevice", code) {
            unclaim(slot, id);
            return Err(error);
        }
        match current_context() {
            Ok(context) => Ok(Core {
                id,
                slot,
                context,
                streams: Mutex::new(Vec::new()),
            }),
            Err(error) => {
                // SAFETY: takes a number; pairs with the set above.
                let code = unsafe { sys::aclrtResetDevice(c_id) };
                match check("aclrtResetDevice", code) {
                    Ok(()) => unclaim(slot, id),
                    Err(second) => release::failed(&second),
                }
                Err(error)
            }
        }
    }

    /// Drops the reference that `open` took.
    fn close(&self) -> Result<()> {
        self.close_with("aclrtResetDevice", |id| {
            // SAFETY: takes a number; pairs with the set in `open`, and nothing borrows the device.
            unsafe { sys::aclrtResetDevice(id) }
        })
    }

    /// Ends the device with `reset`. A failed one keeps the claims: nothing says that the device is
    /// free again.
    fn close_with(
        &self,
        call: &'static str,
        reset: impl FnOnce(i32) -> sys::aclError,
    ) -> Result<()> {
        self.release_parked();
        // `open` took the id from an i32, so the conversion is exact.
        check(call, reset(self.id.cast_signed()))?;
        unclaim(self.slot, self.id);
        Ok(())
    }
}

impl Core {
    /// Frees the memory that is parked for this device, if a wait for all its work succeeds.
    fn release_parked(&self) {
        let parked = park::take(self.slot);
        if parked.is_empty() {
            return;
        }
        match self.synchronize_from_any_thread() {
            // SAFETY: everything that was queued before the wait is over, and what was taken out
            // before it was used by such work only.
            Ok(()) => unsafe { park::free(parked) },
            Err(error) => park::give_up(parked, &error),
        }
    }

    /// Waits for all work of the default context, whatever is current on the calling thread.
    fn synchronize_from_any_thread(&self) -> Result<()> {
        self.with_context(|| {
            let wait = || {
                // SAFETY: takes no argument; a context is current.
                let code = unsafe { sys::aclrtSynchronizeDevice() };
                check_wait("aclrtSynchronizeDevice", code)
            };
            // Errors are reported once, so a second wait tells whether the queues are empty.
            wait().or_else(|first| {
                release::failed(&first);
                wait()
            })
        })
    }

    /// Runs `work` with the default context current, and puts back what was current before.
    pub(crate) fn with_context<T>(&self, work: impl FnOnce() -> Result<T>) -> Result<T> {
        let before = current_context().ok();
        if before.is_none() {
            // Its text must not be taken for that of a later error.
            drop(crate::raw::recent_error_text());
        }
        // SAFETY: the context is retained until `close` resets the device.
        let code = unsafe { sys::aclrtSetCurrentContext(self.context.as_ptr()) };
        check("aclrtSetCurrentContext", code)?;
        let result = work();
        if let Some(before) = before {
            // SAFETY: it was current when this function began, and nothing here ends a context.
            let code = unsafe { sys::aclrtSetCurrentContext(before.as_ptr()) };
            release::in_drop(check("aclrtSetCurrentContext", code));
        }
        result
    }
}

/// The context that is current on the calling thread.
fn current_context() -> Result<Handle> {
    let mut context = core::ptr::null_mut();
    // SAFETY: `context` is valid for a write of a pointer.
    let code = unsafe { sys::aclrtGetCurrentContext(&raw mut context) };
    check("aclrtGetCurrentContext", code)?;
    Handle::new("aclrtGetCurrentContext", context)
}

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
    core: Core,
    _tag: PhantomData<(&'acl Acl, Invariant<D>)>,
}

impl<D> Device<'_, D> {
    /// The device id that was given to [`Acl::set_device`].
    #[must_use]
    pub fn id(&self) -> u32 {
        self.core.id
    }

    /// The raw default context, for calls that this crate does not have.
    ///
    /// Destroying it, or resetting the device through the C API, breaks what this value promises.
    #[must_use]
    pub fn as_raw(&self) -> sys::aclrtContext {
        self.core.context.as_ptr()
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
        ManuallyDrop::new(self)
            .core
            .close_with("aclrtResetDeviceForce", |id| {
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

    pub(crate) fn core(&self) -> &Core {
        &self.core
    }

    /// Resets the device (`aclrtResetDevice`, pyACL `acl.rt.reset_device`): waits for queued work
    /// and releases the default context and stream.
    ///
    /// Does not compile while a stream, a buffer or a binding of the device is alive.
    ///
    /// # Errors
    ///
    /// [`Error::Refused`](crate::Error::Refused) with 507007 when other code has reset the device
    /// too often. The value is gone all the same, and the slot stays taken.
    #[doc(alias = "aclrtResetDevice")]
    #[doc(alias = "acl.rt.reset_device")]
    pub fn reset(self) -> Result<()> {
        ManuallyDrop::new(self).core.close()
    }
}

impl<D> Drop for Device<'_, D> {
    fn drop(&mut self) {
        release::in_drop(self.core.close());
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
    /// [`Error::Refused`](crate::Error::Refused) with 107001 for an id that does not exist.
    #[doc(alias = "aclrtSetDevice")]
    #[doc(alias = "acl.rt.set_device")]
    pub fn set_device<D: NamedDevice>(
        &self,
        _thread: &mut Thread,
        id: u32,
    ) -> Result<Device<'_, D>> {
        Ok(Device {
            core: Core::open(D::SLOT, id)?,
            _tag: PhantomData,
        })
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

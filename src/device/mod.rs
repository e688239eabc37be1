//! Devices: their names in types, setting and resetting them (`acl/acl_rt.h`; manual chapter 04).

mod core;

use std::marker::PhantomData;
use std::mem::ManuallyDrop;

use ascendcl_sys as sys;

pub(crate) use self::core::{Core, in_doubt};

use crate::context::Thread;
use crate::error::{Result, Usage};
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
    #[diagnostic::on_unimplemented(
        message = "this trait of `ascendcl` is sealed: `{Self}` cannot implement it",
        label = "expected a device, or `(D, S)`: a device and a stream name"
    )]
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

//! What a device is, below the functions of its area: what there is of it, and what is in use.

use std::ffi::c_void;
use std::sync::atomic::{AtomicPtr, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard};

use ascendcl_sys::{ACL_ERROR_RT_INVALID_DEVICEID, aclError};

use crate::check;
use crate::engine::engine;
use crate::engine::queue::Stream;
use crate::error::fail;
use crate::space::space;
use crate::sync::lock;

/// Streams that the runtime keeps for itself on an open device, the default stream not counted.
const INTERNAL_STREAMS: u32 = 1;
/// Events of the hardware. Those of `aclrtCreateEvent` take one with their first record, those that streams wait
/// for as a flag when they are created, and those of `aclrtCreateEventExWithFlag` none that lasts.
const HARDWARE_EVENTS: u32 = 65_535;
/// One device.
#[derive(Debug, Default)]
pub(crate) struct Device {
    state: Mutex<DeviceState>,
    /// The default context, or null.
    pub(crate) primary: AtomicPtr<c_void>,
    /// How often the device was released: what belonged to it before is gone.
    epoch: AtomicU64,
}

/// What a device's lock protects.
#[derive(Debug, Default)]
pub(crate) struct DeviceState {
    /// Calls of `aclrtSetDevice` that no `aclrtResetDevice` has matched.
    pub(crate) references: u32,
    /// Contexts that exist; the device's memory lives as long as one does.
    contexts: u32,
    /// Streams in use.
    streams: u32,
    /// Events of the hardware in use.
    events: u32,
    /// Peers that work of this device may reach, each once. A machine has a handful.
    pub(crate) peers: Vec<u32>,
}

impl Device {
    pub(crate) fn lock(&self) -> MutexGuard<'_, DeviceState> {
        lock(&self.state)
    }

    /// The handle of the default context, or null.
    #[inline]
    pub(crate) fn primary(&self) -> *mut c_void {
        self.primary.load(Ordering::Acquire)
    }

    /// How often the device was released.
    #[inline]
    pub(crate) fn epoch(&self) -> u64 {
        self.epoch.load(Ordering::Acquire)
    }

    /// Whether somebody has set it and not reset it.
    pub(crate) fn is_set(&self) -> bool {
        self.lock().references > 0
    }

    /// Counts a context; the first one opens the device.
    pub(crate) fn begin(&self, id: u32, held: &mut DeviceState) {
        held.contexts += 1;
        if held.contexts == 1 {
            held.streams = INTERNAL_STREAMS;
            if let Some(heap) = space().device(id) {
                heap.open();
            }
        }
    }

    /// Drops a context; the last one releases the device with its memory.
    pub(crate) fn end(&self, id: u32, held: &mut DeviceState) {
        held.contexts = held.contexts.saturating_sub(1);
        if held.contexts == 0 {
            space().close(id);
            held.peers.clear();
            held.events = 0;
            check::tell("aclrtResetDevice", |checker, site| {
                checker.device_closed(id, &site);
            });
            self.epoch.fetch_add(1, Ordering::AcqRel);
        }
    }

    /// A stream of this device, still closed; `None` when all are in use.
    pub(crate) fn take_stream(&self, held: &mut DeviceState) -> Option<(u32, &'static Stream)> {
        if held.streams >= engine().config.streams {
            return None;
        }
        let taken = engine().streams.take()?;
        held.streams += 1;
        Some(taken)
    }

    /// Gives a stream back.
    pub(crate) fn put_stream(&self, held: &mut DeviceState, index: u32) {
        held.streams = held.streams.saturating_sub(1);
        engine().streams.put(index);
    }

    /// Takes an event of the hardware; false when all are in use.
    pub(crate) fn take_event(&self, held: &mut DeviceState) -> bool {
        let is_left = held.events < HARDWARE_EVENTS;
        held.events += u32::from(is_left);
        is_left
    }

    /// Gives an event of the hardware back.
    pub(crate) fn put_event(&self, held: &mut DeviceState) {
        held.events = held.events.saturating_sub(1);
    }

    /// Streams that can still be created.
    pub(crate) fn streams_left(&self) -> u32 {
        engine().config.streams.saturating_sub(self.lock().streams)
    }
}

/// A device by its id.
pub(crate) fn find(id: i32) -> Option<(u32, &'static Device)> {
    let id = u32::try_from(id).ok()?;
    Some((id, engine().devices.get(id as usize)?))
}

/// The code for a device that does not exist.
#[cold]
pub(crate) fn unknown(call: &str, id: i64) -> aclError {
    let devices = engine().devices.len();
    fail(
        ACL_ERROR_RT_INVALID_DEVICEID,
        format_args!(
            "{call} failed: there is no device {id}; this process has {devices}, numbered from 0"
        ),
    )
}

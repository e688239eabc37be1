//! The state of a device, which the functions of `device` use: its resources, and the number in use.

use std::ffi::c_void;
use std::sync::atomic::{AtomicPtr, AtomicU64, Ordering};

use ascendcl_sys::{ACL_ERROR_RT_INVALID_DEVICEID, aclError};

use crate::check;
use crate::engine::engine;
use crate::engine::queue::Stream;
use crate::error::fail;
use crate::space::space;
use crate::sync::{Mutex, MutexGuard, lock};

/// Number of streams that the runtime uses itself on an open device, without the default stream.
const INTERNAL_STREAMS: u32 = 1;
/// Number of hardware events. An event of `aclrtCreateEvent` takes one with its first record. An event that streams
/// wait for as a flag takes one when it is created. An event of `aclrtCreateEventExWithFlag` takes none that lasts.
const HARDWARE_EVENTS: u32 = 65_535;
/// One device.
#[derive(Debug, Default)]
pub(crate) struct Device {
    state: Mutex<DeviceState>,
    /// The default context, or null.
    pub(crate) primary: AtomicPtr<c_void>,
    /// The number of times the device was released. Objects of an earlier epoch do not exist any more.
    epoch: AtomicU64,
}

/// The state of a device that its lock protects.
#[derive(Debug, Default)]
pub(crate) struct DeviceState {
    /// The number of calls of `aclrtSetDevice` without a matching `aclrtResetDevice`.
    pub(crate) references: u32,
    /// The references that HCCL has taken on threads of its own. It does not give them back.
    pub(crate) of_library: u32,
    /// The number of existing contexts. The memory of the device exists while there is at least one.
    contexts: u32,
    /// The number of streams in use.
    streams: u32,
    /// The number of hardware events in use.
    events: u32,
    /// Peers that this device may access, each once. A machine has only a few.
    pub(crate) peers: Vec<u32>,
}

impl Device {
    pub(crate) fn lock(&self) -> MutexGuard<'_, DeviceState> {
        lock(&self.state)
    }

    /// Returns the handle of the default context, or null.
    #[inline]
    pub(crate) fn primary(&self) -> *mut c_void {
        self.primary.load(Ordering::Acquire)
    }

    /// Returns the number of times the device was released.
    #[inline]
    pub(crate) fn epoch(&self) -> u64 {
        self.epoch.load(Ordering::Acquire)
    }

    /// Returns whether the program has set the device and not reset it since.
    pub(crate) fn is_set_by_program(&self) -> bool {
        let held = self.lock();
        held.references > held.of_library
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
            check::tell("aclrtResetDevice", &|checker, site| {
                checker.device_closed(id, &site);
            });
            self.epoch.fetch_add(1, Ordering::AcqRel);
        }
    }

    /// Takes a stream of this device, which is still closed. Returns `None` if all are in use.
    pub(crate) fn take_stream(&self, held: &mut DeviceState) -> Option<(u32, &'static Stream)> {
        if held.streams >= engine().config.streams {
            return None;
        }
        let taken = engine().streams.take()?;
        held.streams += 1;
        Some(taken)
    }

    /// Returns a stream to the device.
    pub(crate) fn put_stream(&self, held: &mut DeviceState, index: u32) {
        held.streams = held.streams.saturating_sub(1);
        engine().streams.put(index);
    }

    /// Takes a hardware event. Returns false if all are in use.
    pub(crate) fn take_event(&self, held: &mut DeviceState) -> bool {
        let is_left = held.events < HARDWARE_EVENTS;
        held.events += u32::from(is_left);
        is_left
    }

    /// Returns a hardware event to the device.
    pub(crate) fn put_event(&self, held: &mut DeviceState) {
        held.events = held.events.saturating_sub(1);
    }

    /// Returns the number of hardware events that are left.
    pub(crate) fn events_left(&self) -> u32 {
        HARDWARE_EVENTS.saturating_sub(self.lock().events)
    }

    /// Returns the number of streams that can still be created.
    pub(crate) fn streams_left(&self) -> u32 {
        engine().config.streams.saturating_sub(self.lock().streams)
    }
}

/// Returns the device with this id.
pub(crate) fn find(id: i32) -> Option<(u32, &'static Device)> {
    let id = u32::try_from(id).ok()?;
    Some((id, engine().devices.get(id as usize)?))
}

/// Reports a device that does not exist and returns the code.
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

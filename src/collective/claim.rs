//! Claims of devices: which thread has the communicators of a device, and their names.
//!
//! HCCL makes one call for a device at a time. So the thread that has communicators of a device makes all calls for it. Another
//! thread that drops a communicator leaves it to this thread, or destroys it itself if no thread has one.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, Weak};
use std::thread::{self, ThreadId};

use crate::collective::name::Name;
use crate::collective::raw_comm::RawComm;
use crate::device::Core;
use crate::error::{CollectiveMismatch, Result};
use crate::park;

/// The communicators that live.
static CLAIMS: Mutex<Claims> = Mutex::new(Claims {
    entries: Vec::new(),
    left: Vec::new(),
});
/// A thread has destroyed a communicator of a device that no thread had.
static ENDED: Condvar = Condvar::new();

struct Claims {
    entries: Vec<Entry>,
    /// Communicators that their owner has dropped while another thread had communicators of the device. That thread destroys
    /// them when it gives a claim back.
    left: Vec<RawComm>,
}

/// Who may call HCCL for the device because of a communicator.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Holder {
    /// No thread has it: it is a detached communicator, or its value was dropped before its work or its parts were over.
    Nobody,
    Thread(ThreadId),
    /// A thread destroys it. All other threads wait before they claim the device.
    Destroyer,
}

struct Entry {
    number: u64,
    device: u32,
    name: Name,
    holder: Holder,
    /// The device of the communicator. A communicator that was forgotten ends with it.
    core: Weak<Core>,
}

impl Entry {
    fn is_over(&self) -> bool {
        self.core.upgrade().is_none_or(|core| core.is_over())
    }
}

fn lock() -> MutexGuard<'static, Claims> {
    // No code panics while it holds the lock, and the list is valid after every statement.
    CLAIMS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Locks the claims when no thread destroys a communicator of the device without a claim of its own. Nothing waits for the
/// caller meanwhile, so such a destruction ends.
fn lock_between_ends(device: u32) -> MutexGuard<'static, Claims> {
    let is_ending = |claims: &mut Claims| {
        let mut of_device = claims.of_device(device);
        of_device.any(|entry| entry.holder == Holder::Destroyer)
    };
    let claims = ENDED.wait_while(lock(), is_ending);
    claims.unwrap_or_else(PoisonError::into_inner)
}

impl Claims {
    fn of_device(&self, device: u32) -> impl Iterator<Item = &Entry> {
        let of_device = move |entry: &&Entry| entry.device == device;
        self.entries.iter().filter(of_device)
    }

    fn find(&mut self, number: u64) -> Option<&mut Entry> {
        let mut entries = self.entries.iter_mut();
        entries.find(|entry| entry.number == number)
    }

    /// Whether another thread than the calling one has a communicator of the device.
    fn is_elsewhere(&self, device: u32) -> bool {
        let here = thread::current().id();
        self.of_device(device).any(|entry| match entry.holder {
            Holder::Thread(thread) => thread != here,
            Holder::Nobody | Holder::Destroyer => false,
        })
    }

    /// Takes the communicators of the device or context of this one. The caller has it, so the device or context is open.
    fn take_left(&mut self, number: u64) -> Vec<RawComm> {
        let Some(core) = self.find(number).map(|own| Weak::as_ptr(&own.core)) else {
            return Vec::new();
        };
        let is_same = |left: &mut RawComm| Arc::as_ptr(&left.core) == core;
        self.left.extract_if(.., is_same).collect()
    }

    /// Removes the communicators whose device is over. HCCL has ended them with it.
    fn forget_ended_devices(&mut self) {
        self.entries.retain(|entry| !entry.is_over());
        let over = self.left.extract_if(.., |left| left.core.is_over());
        over.for_each(RawComm::forget);
    }
}

/// The claim of a name on a device. It is given back by [`Claim::release`] only: the name of a communicator whose
/// destruction has failed stays taken.
#[derive(Debug)]
pub(super) struct Claim {
    number: u64,
}

impl Claim {
    /// Claims a name on a device, for the calling thread.
    ///
    /// # Errors
    ///
    /// [`CollectiveMismatch::NameTaken`] if the device has a communicator of the name, and
    /// [`CollectiveMismatch::OtherThread`] if another thread has communicators of the device.
    pub(super) fn new(core: &Core, name: Name) -> Result<Claim> {
        let device = core.id();
        let mut claims = lock_between_ends(device);
        claims.forget_ended_devices();
        let has_name = |entry: &Entry| entry.name.id == name.id;
        if claims.of_device(device).any(has_name) {
            let name = name.text;
            return Err(CollectiveMismatch::NameTaken { name, device }.into());
        }
        if claims.is_elsewhere(device) {
            return Err(CollectiveMismatch::OtherThread { device }.into());
        }
        let number = park::number();
        claims.entries.push(Entry {
            number,
            device,
            name,
            holder: Holder::Thread(thread::current().id()),
            core: core.weak(),
        });
        Ok(Claim { number })
    }

    /// Takes a communicator from its thread: another thread attaches it, or any thread destroys it. Returns the communicators
    /// that other threads have left to this one.
    #[must_use]
    pub(super) fn leave(&self) -> Vec<RawComm> {
        let mut claims = lock();
        if let Some(own) = claims.find(self.number) {
            own.holder = Holder::Nobody;
        }
        claims.take_left(self.number)
    }

    /// Gives a communicator that no thread has yet to the calling thread.
    ///
    /// # Errors
    ///
    /// [`CollectiveMismatch::OtherThread`] if another thread has communicators of the device.
    pub(super) fn take_here(&self) -> Result<()> {
        let Some(device) = lock().find(self.number).map(|own| own.device) else {
            return Ok(());
        };
        let mut claims = lock_between_ends(device);
        if claims.is_elsewhere(device) {
            return Err(CollectiveMismatch::OtherThread { device }.into());
        }
        if let Some(own) = claims.find(self.number) {
            own.holder = Holder::Thread(thread::current().id());
        }
        Ok(())
    }

    /// Gives the name back. Returns the communicators that other threads have left to this one.
    #[must_use]
    pub(super) fn release(&self) -> Vec<RawComm> {
        let mut claims = lock();
        let left = claims.take_left(self.number);
        claims.entries.retain(|entry| entry.number != self.number);
        ENDED.notify_all();
        left
    }

    /// Enters that the communicator could not be destroyed. Its name stays taken, and no thread destroys it any more. Returns
    /// the communicators that other threads have left to this one.
    #[must_use]
    pub(super) fn keep(&self) -> Vec<RawComm> {
        let mut claims = lock();
        if let Some(own) = claims.find(self.number)
            && own.holder == Holder::Destroyer
        {
            own.holder = Holder::Nobody;
        }
        ENDED.notify_all();
        claims.take_left(self.number)
    }
}

/// Decides which thread destroys a communicator that has no owner any more. Returns the communicator if the calling thread
/// does. Otherwise the thread that has communicators of the device or context destroys it when it gives one of its claims
/// back.
///
/// That thread has a value that borrows the device or context. If it forgets this value, nobody destroys the communicator, and
/// it ends with its device.
pub(super) fn take_over(raw: RawComm) -> Option<RawComm> {
    let (number, device) = (raw.claim().number, raw.core.id());
    let here = thread::current().id();
    let mut claims = lock_between_ends(device);
    let is_left_to = |entry: &Entry| match entry.holder {
        Holder::Thread(thread) => {
            let is_same = Weak::as_ptr(&entry.core) == Arc::as_ptr(&raw.core);
            thread != here && entry.number != number && is_same
        }
        Holder::Nobody | Holder::Destroyer => false,
    };
    if claims.of_device(device).any(is_left_to) {
        claims.left.push(raw);
        return None;
    }
    if let Some(own) = claims.find(number) {
        own.holder = Holder::Destroyer;
    }
    Some(raw)
}

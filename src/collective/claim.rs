//! Claims of devices: which thread has the communicators of a device, and their names.

use std::sync::{Mutex, MutexGuard, PoisonError, Weak};
use std::thread::{self, ThreadId};

use crate::collective::name::Name;
use crate::device::Core;
use crate::error::{CollectiveMismatch, Result};
use crate::park;

/// The communicators that live.
static CLAIMS: Mutex<Vec<Entry>> = Mutex::new(Vec::new());

struct Entry {
    number: u64,
    device: u32,
    name: Name,
    /// The thread that has the communicator; `None` for a communicator that no thread has yet.
    thread: Option<ThreadId>,
    /// The device of the communicator. A communicator that was forgotten ends with it.
    core: Weak<Core>,
}

impl Entry {
    fn is_over(&self) -> bool {
        self.core.upgrade().is_none_or(|core| core.is_over())
    }
}

fn lock() -> MutexGuard<'static, Vec<Entry>> {
    // No code panics while it holds the lock, and the list is valid after every statement.
    CLAIMS.lock().unwrap_or_else(PoisonError::into_inner)
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
        let mut claims = lock();
        claims.retain(|entry| !entry.is_over());
        let of_device = || claims.iter().filter(|entry| entry.device == device);
        if of_device().any(|entry| entry.name.id == name.id) {
            let name = name.text;
            return Err(CollectiveMismatch::NameTaken { name, device }.into());
        }
        let here = thread::current().id();
        let is_elsewhere = |entry: &Entry| entry.thread.is_some_and(|thread| thread != here);
        if of_device().any(is_elsewhere) {
            return Err(CollectiveMismatch::OtherThread { device }.into());
        }
        let number = park::number();
        claims.push(Entry {
            number,
            device,
            name,
            thread: Some(here),
            core: core.weak(),
        });
        Ok(Claim { number })
    }

    /// Leaves a communicator to the thread that takes it next.
    pub(super) fn leave(&self) {
        let mut claims = lock();
        if let Some(own) = claims.iter_mut().find(|entry| entry.number == self.number) {
            own.thread = None;
        }
    }

    /// Gives a communicator that no thread has yet to the calling thread.
    ///
    /// # Errors
    ///
    /// [`CollectiveMismatch::OtherThread`] if another thread has communicators of the device.
    pub(super) fn take_here(&self) -> Result<()> {
        let here = thread::current().id();
        let mut claims = lock();
        let Some(device) = claims
            .iter()
            .find(|entry| entry.number == self.number)
            .map(|entry| entry.device)
        else {
            return Ok(());
        };
        let is_elsewhere = |entry: &Entry| {
            entry.device == device && entry.thread.is_some_and(|thread| thread != here)
        };
        if claims.iter().any(is_elsewhere) {
            return Err(CollectiveMismatch::OtherThread { device }.into());
        }
        if let Some(own) = claims.iter_mut().find(|entry| entry.number == self.number) {
            own.thread = Some(here);
        }
        Ok(())
    }

    /// Gives the name back.
    pub(super) fn release(&self) {
        lock().retain(|entry| entry.number != self.number);
    }
}

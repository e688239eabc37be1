//! What lies behind a device handle: claims, the names of streams, doubt, and the last wait.

use std::any::TypeId;
use std::mem;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;

use ascendcl_sys as sys;

use crate::error::{Error, Result, Usage};
use crate::park;
use crate::raw::{self, Handle, check, check_wait};
use crate::release;

/// More than zero while a wait for a whole device is under way, and for good once a wait has failed.
/// Only then does a stream look whether its own wait was a proof.
static DOUBT: AtomicU32 = AtomicU32::new(0);

/// Whether a wait that succeeded needs a second look ([`Core::settle`]).
#[inline(always)]
pub(crate) fn in_doubt() -> bool {
    // Who took the report of a failed task away from a stream had entered its doubt before, and the
    // runtime's own order makes that visible behind the stream's wait.
    DOUBT.load(Ordering::SeqCst) != 0
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

/// What a device's streams and bindings share. They reach it through a borrow of the
/// [`Device`](crate::device::Device).
#[derive(Debug)]
pub(crate) struct Core {
    id: u32,
    slot: usize,
    context: Handle,
    /// Names of the streams that live here. A name stays when its stream's release proved nothing.
    streams: Mutex<Vec<Name>>,
    /// Held during a wait for the whole device, until its outcome is entered.
    device_wait: Mutex<()>,
    /// How many waits for the whole device have failed.
    failures: AtomicU64,
}

/// The name of a stream on a device.
#[derive(Debug)]
struct Name {
    key: TypeId,
    /// Whether a wait has failed that may have been this stream's: then no later wait says anything
    /// about the work that the failed one covered.
    poisoned: bool,
}

impl Core {
    /// Sets the device, which retains its default context, and notes that context.
    pub(crate) fn open(slot: usize, id: u32) -> Result<Core> {
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
                device_wait: Mutex::new(()),
                failures: AtomicU64::new(0),
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

    pub(crate) fn id(&self) -> u32 {
        self.id
    }

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

    /// Gives a name back, unless it is poisoned.
    pub(crate) fn unclaim_stream(&self, key: TypeId) {
        lock(&self.streams).retain(|name| name.key != key || name.poisoned);
    }

    /// Remembers that a wait of the stream has failed.
    #[cold]
    pub(crate) fn poison_stream(&self, key: TypeId) {
        let mut streams = lock(&self.streams);
        for name in streams.iter_mut().filter(|name| name.key == key) {
            name.poisoned = true;
        }
        DOUBT.fetch_add(1, Ordering::SeqCst);
    }

    /// Whether a wait has failed that may have been the stream's, after all waits for the whole device
    /// that are under way.
    #[cold]
    pub(crate) fn is_poisoned(&self, key: TypeId) -> bool {
        self.settle();
        lock(&self.streams)
            .iter()
            .any(|name| name.key == key && name.poisoned)
    }

    /// Waits for the outcome of a wait for the whole device that is under way.
    #[cold]
    pub(crate) fn settle(&self) {
        drop(lock(&self.device_wait));
    }

    /// How many waits for the whole device have failed.
    pub(crate) fn failures(&self) -> u64 {
        self.failures.load(Ordering::SeqCst)
    }

    /// Waits for all streams of the context that is current, which is this device's.
    ///
    /// The runtime reports a failed task once. If this wait takes the report, no stream can prove
    /// anything about earlier work any more; streams whose own wait ends meanwhile see that the
    /// outcome is open, and look again.
    pub(crate) fn wait_for_device(&self) -> Result<()> {
        let _outcome_is_open = lock(&self.device_wait);
        DOUBT.fetch_add(1, Ordering::SeqCst);
        // SAFETY: takes no argument; a context is current.
        let code = unsafe { sys::aclrtSynchronizeDevice() };
        let waited = check_wait("aclrtSynchronizeDevice", code);
        if let Err(Error::Wait(_)) = &waited {
            for name in lock(&self.streams).iter_mut() {
                name.poisoned = true;
            }
            // The doubt stays.
            self.failures.fetch_add(1, Ordering::SeqCst);
        } else {
            DOUBT.fetch_sub(1, Ordering::SeqCst);
        }
        waited
    }

    /// Drops the reference that `open` took.
    pub(crate) fn close(&self) -> Result<()> {
        self.close_with("aclrtResetDevice", |id| {
            // SAFETY: takes a number; pairs with the set in `open`, and nothing borrows the device.
            unsafe { sys::aclrtResetDevice(id) }
        })
    }

    /// Ends the device with `reset`. A failed one keeps the claims: nothing says that the device is
    /// free again.
    pub(crate) fn close_with(
        &self,
        call: &'static str,
        reset: impl FnOnce(i32) -> sys::aclError,
    ) -> Result<()> {
        self.release_parked();
        // Whoever closes by value does not drop the fields.
        drop(mem::take(&mut *lock(&self.streams)));
        if raw::bound_device() == Some(self.id) {
            raw::note_device(None);
        }
        // `open` took the id from an i32, so the conversion is exact.
        check(call, reset(self.id.cast_signed()))?;
        unclaim(self.slot, self.id);
        Ok(())
    }

    /// Frees the memory that is parked for this device, if a wait for all its work succeeds.
    fn release_parked(&self) {
        let parked = park::take(self.slot);
        if parked.is_empty() {
            return;
        }
        // Errors are reported once, so a second wait tells whether the queues are empty.
        let waited = self.elsewhere(|| match self.wait_for_device() {
            Ok(()) => Ok(None),
            Err(first) => self.wait_for_device().map(|()| Some(first)),
        });
        match waited {
            Ok(first) => {
                first.iter().for_each(release::failed);
                // SAFETY: everything that was queued before the wait is over, and what was taken
                // out before it was used by such work only.
                unsafe { park::free(parked) };
            }
            Err(error) => park::give_up(parked, &error),
        }
    }

    /// Runs `work` on a thread of its own with this device's context current.
    ///
    /// The calling thread may be bound to another device, and what it is bound to must not change, not
    /// even for a moment: hooks and destructors may run in it. `work` calls no hook.
    pub(crate) fn elsewhere<T: Send>(&self, work: impl FnOnce() -> Result<T> + Send) -> Result<T> {
        let body = || {
            raw::note_device(Some(self.id));
            // SAFETY: the context is retained until `close` resets the device.
            let code = unsafe { sys::aclrtSetCurrentContext(self.context.as_ptr()) };
            check("aclrtSetCurrentContext", code)?;
            work()
        };
        thread::scope(|scope| {
            let started = thread::Builder::new()
                .name("ascendcl release".to_owned())
                .spawn_scoped(scope, body);
            let reason = match started {
                Ok(thread) => match thread.join() {
                    Ok(result) => return result,
                    Err(panic) => {
                        mem::forget(panic);
                        "it panicked".to_owned()
                    }
                },
                Err(error) => error.to_string(),
            };
            Err(Usage::NoThread { reason }.into())
        })
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

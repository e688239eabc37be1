//! Memory that nobody owns any more but a device may still use.
//!
//! A queued buffer that is dropped (on an error path, say) cannot be freed: `aclrtFree` does not wait
//! for queued work (observed, CANN runtime 1.17). It is parked here, under the key of the device whose
//! queue uses it, and freed when that work is proven to be over.
//!
//! The proof is a wait for a whole device, or a whole context, that began after the memory was parked.
//! Which device that is, the key tells alone where it belongs to one handle. Devices that have no name in
//! types share a key; what is parked under it is free when each of them has been waited for.

use std::ffi::c_void;
use std::mem;
use std::ptr::NonNull;
use std::sync::{Mutex, MutexGuard, PoisonError};

use ascendcl_sys as sys;

use crate::error::Error;
use crate::raw::check;
use crate::release;

/// Whose queues may use parked memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Key {
    /// Those of the device in a slot.
    Slot(usize),
    /// Those of an explicit context, by the slot of its device and its number there.
    Context(usize, usize),
    /// Those of any device that is known by a brand.
    Branded,
}

/// A device or context that waits can be made for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Member(u64);

/// A point in the history of the parking.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Moment(u64);

/// An allocation with the function that frees it.
pub(crate) struct Parked {
    pub(crate) pointer: NonNull<c_void>,
    pub(crate) free: unsafe fn(NonNull<c_void>) -> sys::aclError,
    pub(crate) call: &'static str,
    /// Whether it belongs to another device than the one whose queues may use it.
    pub(crate) foreign: bool,
}

// SAFETY: an allocation that nothing else owns; freeing works on any thread, as for `Buf`.
unsafe impl Send for Parked {}

struct Parking {
    /// Counts what happens here, so that it can be compared what came first.
    clock: u64,
    /// The key of each open device and context, and until when its work is known to be over.
    members: Vec<(Member, Key, Moment)>,
    memory: Vec<(Key, Moment, Parked)>,
}

static PARKING: Mutex<Parking> = Mutex::new(Parking {
    clock: 0,
    members: Vec::new(),
    memory: Vec::new(),
});

/// No code panics while it holds the lock, and the data is valid after every statement.
fn parking() -> MutexGuard<'static, Parking> {
    PARKING.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Parking {
    fn now(&mut self) -> Moment {
        self.clock += 1;
        Moment(self.clock)
    }

    /// Takes out what was parked before `proven` and is `of_interest`.
    fn take(&mut self, proven: Moment, of_interest: impl Fn(Key, &Parked) -> bool) -> Vec<Parked> {
        let (taken, kept) = mem::take(&mut self.memory)
            .into_iter()
            .partition::<Vec<_>, _>(|(key, since, parked)| {
                *since < proven && of_interest(*key, parked)
            });
        self.memory = kept;
        taken.into_iter().map(|(_, _, parked)| parked).collect()
    }
}

/// Enters a device or context that was opened now: no earlier work is its.
pub(crate) fn join(key: Key) -> Member {
    let mut parking = parking();
    let now = parking.now();
    let member = Member(now.0);
    parking.members.push((member, key, now));
    member
}

/// Removes a device or context that is closed. If it was the last one behind `key`, what was parked there
/// meanwhile is free. Gives back what failed.
///
/// # Safety
///
/// It has no work any more, and has joined under `key`.
#[must_use = "report the errors"]
pub(crate) unsafe fn leave(member: Member, key: Key) -> Vec<Error> {
    let orphans = {
        let mut parking = parking();
        parking.members.retain(|(of, ..)| *of != member);
        if parking.members.iter().any(|(_, of, _)| *of == key) {
            return Vec::new();
        }
        let now = parking.now();
        parking.take(now, |of, _| of == key)
    };
    // SAFETY: all who might use it have left, without work.
    unsafe { free(orphans) }
}

/// Parks an allocation that the queues behind `key` may use. Where no such device or context is open any more,
/// their work is over, and nobody would come back for the memory: it is freed at once.
#[cold]
pub(crate) fn park(key: Key, parked: Parked) {
    let mut parking = parking();
    if parking.members.iter().any(|(_, of, _)| *of == key) {
        let now = parking.now();
        parking.memory.push((key, now, parked));
        return;
    }
    drop(parking);
    // SAFETY: whoever has left had no work any more (`leave`), and nobody has joined since.
    let failed = unsafe { free(vec![parked]) };
    failed.iter().for_each(release::failed);
}

/// Whether something is parked under `key`.
pub(crate) fn holds(key: Key) -> bool {
    parking().memory.iter().any(|(of, ..)| *of == key)
}

/// The moment at which a wait begins.
pub(crate) fn wait_begins() -> Moment {
    parking().now()
}

/// Enters that all work of `member` is over that was queued before `began`, and frees what is proven to be
/// free by that. Gives back what failed: hooks must not run while the caller holds a lock.
///
/// # Safety
///
/// It is, and `member` has joined under `key`.
#[must_use = "report the errors"]
pub(crate) unsafe fn wait_succeeded(member: Member, key: Key, began: Moment) -> Vec<Error> {
    let taken = {
        let mut parking = parking();
        for (of, _, proven) in &mut parking.members {
            if *of == member {
                *proven = (*proven).max(began);
            }
        }
        let of_key = parking.members.iter().filter(|(_, of, _)| *of == key);
        let proven = of_key.map(|(.., proven)| *proven).min().unwrap_or(began);
        parking.take(proven, |of, _| of == key)
    };
    // SAFETY: each device behind `key` that was open when the memory was parked has proven, after that
    // moment, that its work is over.
    unsafe { free(taken) }
}

/// Whether memory of one device is parked for the queues of another.
pub(crate) fn holds_foreign() -> bool {
    parking().memory.iter().any(|(.., parked)| parked.foreign)
}

/// Frees the memory of any device that was parked for queues of others before `began`.
///
/// # Safety
///
/// All work of those queues that was queued before `began` is over.
#[must_use = "report the errors"]
pub(crate) unsafe fn free_foreign(began: Moment) -> Vec<Error> {
    let taken = parking().take(began, |_, parked| parked.foreign);
    // SAFETY: the caller's contract.
    unsafe { free(taken) }
}

/// Frees what was taken out, and gives back what failed.
///
/// # Safety
///
/// No queued work uses the allocations.
unsafe fn free(taken: Vec<Parked>) -> Vec<Error> {
    let mut failed = Vec::new();
    for parked in taken {
        // SAFETY: the caller's contract; whoever parked it gave up its ownership.
        let code = unsafe { (parked.free)(parked.pointer) };
        failed.extend(check(parked.call, code).err());
    }
    failed
}

/// Gives up for ever what may still be used, because no wait for it succeeds. Says how much that is.
#[cold]
pub(crate) fn give_up(key: Key) -> usize {
    let mut parking = parking();
    let now = parking.now();
    parking.take(now, |of, _| of == key).len()
}

//! Model tests of the parking, the ledger, the claims and the lives of devices. loom runs every interleaving of a few threads:
//!
//! `RUSTFLAGS="--cfg loom" cargo test -p ascendcl --lib --release interleavings`.
//!
//! The code is the code that devices use. Flags replace the calls of the runtime and the reset. Memory that is freed
//! after the reset, or twice, would be memory of another component.

use std::ffi::c_void;
use std::ptr::NonNull;
use std::sync::Arc;

use ascendcl_sys as sys;
use loom::sync::Notify;
use loom::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use loom::thread;

use super::claims::{self, Claim};
use super::ledger::Ledger;
use super::life::{Life, Lifetime};
use super::watch::{Watched, Watches};
use crate::error::{Error, Result};
use crate::park::{self, Key, Parked, Parking, StreamKey};
use crate::pending;
use crate::raw::Handle;

enum One {}
enum Two {}

loom::lazy_static! {
    /// The number of times that the memory was freed.
    static ref FREED: AtomicUsize = AtomicUsize::new(0);
    /// Whether the device of the memory was reset.
    static ref IS_RESET: AtomicBool = AtomicBool::new(false);
    /// Whether the work that uses the memory is over.
    static ref IS_OVER: AtomicBool = AtomicBool::new(false);
    /// Whether the runtime has a failure to report. It reports the failure once.
    static ref HAS_FAILED: AtomicBool = AtomicBool::new(false);
}

unsafe fn free(_: NonNull<c_void>) -> sys::aclError {
    assert!(IS_OVER.load(Ordering::SeqCst), "freed under its work");
    assert!(!IS_RESET.load(Ordering::SeqCst), "freed behind the reset");
    FREED.fetch_add(1, Ordering::SeqCst);
    sys::ACL_SUCCESS
}

fn memory() -> Parked {
    Parked {
        pointer: NonNull::dangling(),
        bytes: 1,
        free,
        call: "free",
    }
}

/// Waits as the end of a device does, and resets it.
fn close(parking: &Parking) {
    if parking.holds_memory() {
        let began = parking.wait_begins();
        IS_OVER.store(true, Ordering::SeqCst);
        // SAFETY: the pointer is dangling, and `free` does not access it.
        assert!(unsafe { parking.wait_succeeded(began) }.is_empty());
    }
    // SAFETY: the pointer is dangling, and `free` does not access it.
    assert!(unsafe { parking.close() }.is_empty());
    IS_RESET.store(true, Ordering::SeqCst);
}

/// A close waits until the wait of a stream has freed its memory, and does not free it again.
#[test]
fn a_close_waits_for_frees_under_way() {
    loom::model(|| {
        let parking = Parking::open(Key::Slot(0));
        parking.stream_begins(StreamKey::of::<One>());
        parking.park(&[Some(StreamKey::of::<One>())], memory());
        IS_OVER.store(true, Ordering::SeqCst);
        let synchronised = {
            let parking = Arc::clone(&parking);
            thread::spawn(move || {
                // SAFETY: the pointer is dangling, and `free` does not access it.
                let failed = unsafe { parking.stream_is_idle(StreamKey::of::<One>()) };
                assert!(failed.is_empty());
            })
        };
        close(&parking);
        synchronised.join().unwrap();
        assert_eq!(FREED.load(Ordering::SeqCst), 1);
        assert_eq!(pending::word(), 0);
    });
}

/// Memory of two streams is freed after the waits of both, in any order.
#[test]
fn memory_of_two_streams_waits_for_both() {
    memory_waits_for_both([StreamKey::of::<One>(), StreamKey::of::<Two>()]);
}

/// Memory of a stream with a name and a stream with a number is freed after the waits of both.
#[test]
fn memory_of_streams_with_and_without_a_name_waits_for_both() {
    memory_waits_for_both([StreamKey::of::<One>(), StreamKey::Number(7)]);
}

fn memory_waits_for_both(streams: [StreamKey; 2]) {
    loom::model(move || {
        let parking = Parking::open(Key::Numbered(7));
        for stream in streams {
            parking.stream_begins(stream);
        }
        parking.park(&streams.map(Some), memory());
        IS_OVER.store(true, Ordering::SeqCst);
        let waits = streams.map(|stream| {
            let parking = Arc::clone(&parking);
            thread::spawn(move || {
                // SAFETY: the pointer is dangling, and `free` does not access it.
                assert!(unsafe { parking.stream_ends(stream) }.is_empty());
            })
        });
        for wait in waits {
            wait.join().unwrap();
        }
        assert_eq!(FREED.load(Ordering::SeqCst), 1);
        // SAFETY: the pointer is dangling, and `free` does not access it.
        assert!(unsafe { parking.close() }.is_empty());
    });
}

/// The last share of host memory may be dropped while the device that used it is closed. One of the two frees the
/// memory, once.
#[test]
fn what_is_parked_during_a_close_is_freed_once() {
    loom::model(|| {
        let parking = Parking::open(Key::Slot(0));
        parking.stream_begins(StreamKey::of::<One>());
        IS_OVER.store(true, Ordering::SeqCst);
        let share = park::find(Key::Slot(0));
        let dropped = thread::spawn(move || share.park(&[Some(StreamKey::of::<One>())], memory()));
        // SAFETY: the pointer is dangling, and `free` does not access it.
        assert!(unsafe { parking.close() }.is_empty());
        dropped.join().unwrap();
        assert_eq!(FREED.load(Ordering::SeqCst), 1);
        assert_eq!(pending::word(), 0);
    });
}

/// No device of these models has failed to be reset.
fn never(_: Claim, _: Option<i32>) -> Result<()> {
    unreachable!()
}

/// A slot is opened again while its last device ends. The end of the old device does not free memory that the new one
/// has parked.
#[test]
fn the_end_of_one_life_frees_nothing_of_the_next() {
    loom::model(|| {
        let claim = claims::claim(Some(0), 0, never).unwrap();
        let first = Parking::open(Key::Slot(0));
        let next = thread::spawn(|| {
            let Ok(_claim) = claims::claim(Some(0), 0, never) else {
                return None;
            };
            let second = Parking::open(Key::Slot(0));
            second.stream_begins(StreamKey::of::<One>());
            // The work on the memory is not over, so no thread may free it.
            park::find(Key::Slot(0)).park(&[Some(StreamKey::of::<One>())], memory());
            Some(second)
        });
        // SAFETY: the pointer is dangling, and `free` does not access it.
        assert!(unsafe { first.close() }.is_empty());
        claim.release();
        if let Some(second) = next.join().unwrap() {
            assert!(second.holds_memory());
            IS_OVER.store(true, Ordering::SeqCst);
            // SAFETY: the pointer is dangling, and `free` does not access it.
            assert!(unsafe { second.close() }.is_empty());
            assert_eq!(FREED.load(Ordering::SeqCst), 1);
        }
    });
}

/// Claims a slot or none, and a card, and gives them back. No other thread has claimed what `holders` counts meanwhile.
fn hold_claim(slot: Option<usize>, id: u32, holders: &AtomicUsize) {
    let Ok(claim) = claims::claim(slot, id, never) else {
        return;
    };
    assert_eq!(holders.fetch_add(1, Ordering::SeqCst), 0, "claimed twice");
    holders.fetch_sub(1, Ordering::SeqCst);
    claim.release();
}

/// Two threads never have one slot at the same time, nor one card.
fn claims_exclude_each_other(first: (Option<usize>, u32), second: (Option<usize>, u32)) {
    loom::model(move || {
        let holders = Arc::new(AtomicUsize::new(0));
        let other = {
            let holders = Arc::clone(&holders);
            thread::spawn(move || hold_claim(second.0, second.1, &holders))
        };
        hold_claim(first.0, first.1, &holders);
        other.join().unwrap();
        // Nothing stays claimed.
        claims::claim(first.0, first.1, never).unwrap();
    });
}

#[test]
fn a_slot_is_claimed_once() {
    claims_exclude_each_other((Some(0), 0), (Some(0), 1));
}

#[test]
fn a_card_is_claimed_once_with_and_without_a_slot() {
    claims_exclude_each_other((Some(0), 0), (Some(1), 0));
    claims_exclude_each_other((None, 0), (Some(0), 0));
}

/// The bit that makes waits look for parked memory is set whenever there is parked memory.
#[test]
fn no_parked_memory_is_overlooked() {
    loom::model(|| {
        pending::parked();
        let other = thread::spawn(pending::parked);
        pending::unparked(1);
        other.join().unwrap();
        assert_ne!(pending::word(), 0);
        assert!(!pending::of_failures());
        pending::unparked(1);
        assert_eq!(pending::word(), 0);
    });
}

/// Waits as the runtime does: reports the failure to the first wait.
fn runtime_waits() -> sys::aclError {
    if HAS_FAILED.swap(false, Ordering::SeqCst) {
        sys::ACL_ERROR_RT_TS_ERROR
    } else {
        sys::ACL_SUCCESS
    }
}

fn wait_for_device(ledger: &Ledger) -> bool {
    let waited = ledger.wait_for_all(&mut || match runtime_waits() {
        sys::ACL_SUCCESS => Ok(()),
        code => Err(Error::wait("aclrtSynchronizeDevice", code)),
    });
    waited.is_ok()
}

/// Whether the wait of the stream proves that its work has succeeded, as `Stream::synchronize` decides it.
fn stream_vouches(ledger: &Ledger, stream: StreamKey) -> bool {
    let code = runtime_waits();
    if code != sys::ACL_SUCCESS {
        ledger.enter(stream, &Error::wait("aclrtSynchronizeStream", code));
        return false;
    }
    pending::word() == 0 || !pending::of_failures() || !ledger.is_poisoned(stream)
}

/// A stream never proves the success of failed work, also if another wait takes the report.
#[test]
fn no_stream_vouches_for_failed_work() {
    loom::model(|| {
        let ledger = Arc::new(Ledger::new());
        let stream = StreamKey::of::<One>();
        ledger.claim_stream(stream).unwrap();
        HAS_FAILED.store(true, Ordering::SeqCst);
        let device = {
            let ledger = Arc::clone(&ledger);
            thread::spawn(move || wait_for_device(&ledger))
        };
        assert!(!stream_vouches(&ledger, stream));
        device.join().unwrap();
        assert!(ledger.is_poisoned(stream));
    });
}

/// A communicator whose work has failed.
unsafe fn remote_failure(_: *mut c_void, failure: *mut sys::HcclResult) -> sys::HcclResult {
    // SAFETY: the contract of a query.
    unsafe { failure.write(sys::HCCL_E_REMOTE) };
    sys::HCCL_SUCCESS
}

/// Whether the wait of a stream that runs work of communicators proves its success, as `Stream::synchronize` decides it.
fn stream_with_comm_vouches(watches: &Watches, ledger: &Ledger, stream: StreamKey) -> bool {
    if pending::word() == 0 {
        return true;
    }
    let asked = watches.ask(stream);
    if pending::of_more_than_watches() && ledger.is_poisoned(stream) {
        return false;
    }
    asked.is_ok()
}

/// A stream never proves the success of failed work of a communicator, also while another thread destroys the communicator.
#[test]
fn no_stream_vouches_for_a_communicator_that_ends() {
    loom::model(|| {
        let state = Arc::new((Watches::new(), Ledger::new()));
        let stream = StreamKey::of::<One>();
        let (watches, ledger) = &*state;
        ledger.claim_stream(stream).unwrap();
        let handle = Handle::NULL_STREAM;
        // SAFETY: the query only writes a result.
        let failed = unsafe { Watched::new(handle, "HcclGetCommAsyncError", remote_failure) };
        watches.begin(stream, failed, String::new);
        let destroyer = {
            let state = Arc::clone(&state);
            thread::spawn(move || {
                let (watches, ledger) = &*state;
                watches.end(handle, |stream, error| ledger.keep_first(stream, error));
            })
        };
        assert!(!stream_with_comm_vouches(watches, ledger, stream));
        destroyer.join().unwrap();
        assert!(ledger.is_poisoned(stream));
    });
}

/// Whether the end of a stream proves that its work has succeeded, as `end` decides it.
fn stream_ends_well(ledger: &Ledger, stream: StreamKey) -> bool {
    let code = runtime_waits();
    let waited = code == sys::ACL_SUCCESS;
    if !waited {
        ledger.enter(stream, &Error::wait("aclrtSynchronizeStream", code));
    }
    if pending::of_failures() && waited {
        ledger.settle();
    }
    ledger.unclaim_stream(stream);
    let silent = pending::of_failures() && ledger.has_failed_silently(stream);
    if pending::of_failures() {
        ledger.forget_number(stream);
    }
    waited && !silent
}

/// The end of a stream never proves the success of failed work. Afterwards no entry has the number of the stream.
#[test]
fn no_end_of_a_stream_vouches_for_failed_work() {
    loom::model(|| {
        let ledger = Arc::new(Ledger::new());
        let stream = StreamKey::Number(7);
        ledger.claim_stream(stream).unwrap();
        HAS_FAILED.store(true, Ordering::SeqCst);
        let device = {
            let ledger = Arc::clone(&ledger);
            thread::spawn(move || wait_for_device(&ledger))
        };
        assert!(!stream_ends_well(&ledger, stream));
        device.join().unwrap();
        assert!(!ledger.has_streams());
    });
}

/// The end of a scope never proves the success of failed work, also if another wait for the device takes the report.
#[test]
fn no_scope_vouches_for_failed_work() {
    loom::model(|| {
        let ledger = Arc::new(Ledger::new());
        ledger.claim_stream(StreamKey::of::<One>()).unwrap();
        let before = ledger.scope_begins();
        HAS_FAILED.store(true, Ordering::SeqCst);
        let other = {
            let ledger = Arc::clone(&ledger);
            thread::spawn(move || wait_for_device(&ledger))
        };
        let own = wait_for_device(&ledger) && ledger.check_reports(before).is_ok();
        ledger.scope_ends();
        assert!(!own);
        other.join().unwrap();
    });
}

/// Beside a capture, a scope waits for a stream that has lent memory until the work is over, and for no stream that was
/// destroyed.
#[test]
fn a_scope_waits_for_lent_memory_and_for_no_destroyed_stream() {
    loom::model(|| {
        let ledger = Arc::new(Ledger::new());
        let stream = StreamKey::of::<One>();
        ledger.claim_stream(stream).unwrap();
        ledger.set_stream(stream, Handle::NULL_STREAM);
        ledger.scope_begins();
        ledger.enter_lent(stream);
        let holder = {
            let ledger = Arc::clone(&ledger);
            thread::spawn(move || {
                IS_OVER.store(true, Ordering::SeqCst);
                ledger.stream_goes(stream);
                IS_RESET.store(true, Ordering::SeqCst);
                ledger.unclaim_stream(stream);
            })
        };
        let refused = Error::wait("aclrtSynchronizeDevice", sys::ACL_ERROR_RT_STREAM_CAPTURED);
        let waited = ledger.wait_for_lent(refused, |_, _, _| {
            assert!(!IS_RESET.load(Ordering::SeqCst), "the stream was destroyed");
            IS_OVER.store(true, Ordering::SeqCst);
            thread::yield_now();
            assert!(!IS_RESET.load(Ordering::SeqCst), "destroyed in the wait");
            Ok(())
        });
        assert!(waited.is_ok() && IS_OVER.load(Ordering::SeqCst));
        ledger.scope_ends();
        holder.join().unwrap();
        assert!(!ledger.has_streams());
    });
}

/// A device that a thread without a borrow waits for is not released during the wait.
#[test]
fn nobody_waits_for_a_released_device() {
    loom::model(|| {
        let lifetime = Arc::new(Lifetime::new());
        let stranger = {
            let lifetime = Arc::clone(&lifetime);
            thread::spawn(move || {
                lifetime.hold(|life| {
                    if life == Life::Open {
                        thread::yield_now();
                        assert!(
                            !IS_RESET.load(Ordering::SeqCst),
                            "waits for a released device"
                        );
                    }
                });
            })
        };
        lifetime.end(Life::Over);
        IS_RESET.store(true, Ordering::SeqCst);
        stranger.join().unwrap();
        assert!(lifetime.has_ended(Life::Over) && !lifetime.has_ended(Life::Lost));
    });
}

/// The question whether a device has ended does not wait for a wait for the device. Otherwise loom finds the deadlock.
#[test]
fn a_wait_holds_up_no_question() {
    loom::model(|| {
        let shared = Arc::new((Lifetime::new(), Notify::new(), AtomicBool::new(false)));
        let asks = {
            let shared = Arc::clone(&shared);
            thread::spawn(move || {
                let (lifetime, answered, was_asked) = &*shared;
                assert!(!lifetime.has_ended(Life::Lost));
                was_asked.store(true, Ordering::SeqCst);
                answered.notify();
            })
        };
        let (lifetime, answered, was_asked) = &*shared;
        // The work ends only after the answer.
        lifetime.hold(|life| {
            assert_eq!(life, Life::Open);
            while !was_asked.load(Ordering::SeqCst) {
                answered.wait();
            }
        });
        asks.join().unwrap();
    });
}

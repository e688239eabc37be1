//! Model tests of fences and points over parked memory (`device/interleavings.rs` says how to run them).

use std::ffi::c_void;
use std::ptr::{self, NonNull};
use std::sync::Arc;

use ascendcl_sys as sys;
use loom::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use loom::thread;

use super::{Key, Parked, Parking, StreamKey, calls};
use crate::pending;

enum One {}
enum Two {}

loom::lazy_static! {
    /// Whether the work in front of the fence is over, and the work behind it.
    static ref OVER: [AtomicBool; 2] = [AtomicBool::new(false), AtomicBool::new(false)];
    static ref FREED: AtomicUsize = AtomicUsize::new(0);
}

unsafe fn free<const WORK: usize>(_: NonNull<c_void>) -> sys::aclError {
    assert!(OVER[WORK].load(Ordering::SeqCst), "freed under its work");
    FREED.fetch_add(1, Ordering::SeqCst);
    sys::ACL_SUCCESS
}

/// Memory that work in front of the fence (0) or behind it (1) uses.
fn memory<const WORK: usize>() -> Parked {
    Parked {
        pointer: NonNull::dangling(),
        bytes: 1,
        free: free::<WORK>,
        call: "free",
    }
}

/// Another thread drops memory in front of the fence or behind it. The wait for the fence frees it, or leaves it to the end of
/// the stream, and it never frees what later work uses.
#[test]
fn a_fence_frees_nothing_of_later_work() {
    loom::model(|| {
        let (stream, event) = (
            ptr::without_provenance_mut(64),
            ptr::without_provenance_mut(128),
        );
        let key = StreamKey::of::<One>();
        let parking = Parking::open(Key::Slot(0));
        parking.stream_begins(key);
        parking.set_stream(key, stream);
        let drops = {
            let parking = Arc::clone(&parking);
            thread::spawn(move || parking.park(&[Some(key)], memory::<0>()))
        };
        calls::recorded(event, stream);
        parking.park(&[Some(key)], memory::<1>());
        OVER[0].store(true, Ordering::SeqCst);
        // SAFETY: the pointers are dangling, and `free` does not access them.
        unsafe { calls::reached(event) };
        drops.join().unwrap();
        OVER[1].store(true, Ordering::SeqCst);
        // SAFETY: as above.
        assert!(unsafe { parking.stream_ends(key) }.is_empty());
        assert_eq!(FREED.load(Ordering::SeqCst), 2);
        // SAFETY: as above.
        assert!(unsafe { parking.close() }.is_empty());
        assert_eq!(pending::word(), 0);
    });
}

/// A second stream waits for a point of the first one. A point of the second stream frees what is in front of that, and not what
/// later work of the first one uses, which another thread drops meanwhile.
#[test]
fn a_point_of_another_stream_frees_nothing_of_later_work() {
    loom::model(|| {
        let [stream, other, event, last] = [64, 96, 128, 160].map(ptr::without_provenance_mut);
        let (key, behind) = (StreamKey::of::<One>(), StreamKey::of::<Two>());
        let parking = Parking::open(Key::Slot(0));
        for (key, stream) in [(key, stream), (behind, other)] {
            parking.stream_begins(key);
            parking.set_stream(key, stream);
        }
        parking.park(&[Some(key)], memory::<0>());
        calls::recorded(event, stream);
        parking.follows(behind, event);
        let drops = {
            let parking = Arc::clone(&parking);
            thread::spawn(move || parking.park(&[Some(key)], memory::<1>()))
        };
        calls::recorded(last, other);
        OVER[0].store(true, Ordering::SeqCst);
        // SAFETY: the pointers are dangling, and `free` does not access them.
        unsafe { calls::reached(last) };
        assert_eq!(FREED.load(Ordering::SeqCst), 1);
        drops.join().unwrap();
        OVER[1].store(true, Ordering::SeqCst);
        for key in [key, behind] {
            // SAFETY: as above.
            assert!(unsafe { parking.stream_ends(key) }.is_empty());
        }
        assert_eq!(FREED.load(Ordering::SeqCst), 2);
        // SAFETY: as above.
        assert!(unsafe { parking.close() }.is_empty());
        assert_eq!(pending::word(), 0);
    });
}

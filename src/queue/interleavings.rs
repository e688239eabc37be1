//! Model tests of shared memory in queues (`device/interleavings.rs` says how to run them).

use std::ffi::c_void;
use std::ptr::NonNull;
use std::sync::Arc;

use ascendcl_sys as sys;
use loom::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use loom::thread;

use super::owned::Owned;
use super::shared::Shared;
use crate::device::Npu;
use crate::park::{Key, Parked, Parking, StreamKey, User};
use crate::pending;

enum One {}
enum Two {}

loom::lazy_static! {
    /// The number of times that the memory was freed.
    static ref FREED: AtomicUsize = AtomicUsize::new(0);
    /// Whether the work of each stream is over.
    static ref OVER: [AtomicBool; 2] = [AtomicBool::new(false), AtomicBool::new(false)];
}

unsafe fn free(_: NonNull<c_void>) -> sys::aclError {
    let over = OVER.each_ref().map(|over| over.load(Ordering::SeqCst));
    assert_eq!(over, [true; 2], "freed under a reader");
    FREED.fetch_add(1, Ordering::SeqCst);
    sys::ACL_SUCCESS
}

/// Memory without an address.
#[derive(Debug)]
struct Memory;

impl Owned<Npu<0>> for Memory {
    const SWAPS: bool = true;

    unsafe fn park(self, parking: &Arc<Parking>, users: &[User]) {
        let parked = Parked {
            pointer: NonNull::dangling(),
            bytes: 1,
            free,
            call: "free",
        };
        parking.park(users, parked);
    }

    fn enters(&self, _: StreamKey) {}

    fn accepted(&self) {}
}

/// Two queued shares are dropped on two threads. The memory is freed once, after the work of both streams.
#[test]
fn dropped_readers_are_all_waited_for() {
    loom::model(|| {
        let streams = [StreamKey::of::<One>(), StreamKey::of::<Two>()];
        let parking = Parking::open(Key::Slot(0));
        for stream in streams {
            parking.stream_begins(stream);
        }
        let first = Shared::<Npu<0>, Memory>::new(Memory);
        let shares = [first.clone(), first];
        let threads: Vec<_> = shares
            .into_iter()
            .zip(streams)
            .enumerate()
            .map(|(at, (share, stream))| {
                let parking = Arc::clone(&parking);
                thread::spawn(move || {
                    // SAFETY: the stream belongs to the parking, and is the user of this share.
                    unsafe { share.park(&parking, &[Some(stream)]) };
                    OVER[at].store(true, Ordering::SeqCst);
                    // SAFETY: the pointer is dangling, and `free` does not access it.
                    assert!(unsafe { parking.stream_ends(stream) }.is_empty());
                })
            })
            .collect();
        for thread in threads {
            thread.join().unwrap();
        }
        assert_eq!(FREED.load(Ordering::SeqCst), 1);
        // SAFETY: the pointer is dangling, and `free` does not access it.
        assert!(unsafe { parking.close() }.is_empty());
        assert_eq!(pending::word(), 0);
    });
}

/// A share that was dropped in a queue never gives the memory back, also if the last share is asked meanwhile.
#[test]
fn a_dropped_reader_keeps_the_memory_shared() {
    loom::model(|| {
        let stream = StreamKey::of::<One>();
        let parking = Parking::open(Key::Slot(0));
        parking.stream_begins(stream);
        let first = Shared::<Npu<0>, Memory>::new(Memory);
        let queued = first.clone();
        let drops = {
            let parking = Arc::clone(&parking);
            thread::spawn(move || {
                // SAFETY: the stream belongs to the parking, and is the user of this share.
                unsafe { queued.park(&parking, &[Some(stream)]) };
            })
        };
        let first = first.try_unwrap().unwrap_err();
        drops.join().unwrap();
        let first = first.try_unwrap().unwrap_err();
        OVER[0].store(true, Ordering::SeqCst);
        OVER[1].store(true, Ordering::SeqCst);
        drop(first);
        // SAFETY: the pointer is dangling, and `free` does not access it.
        assert!(unsafe { parking.close() }.is_empty());
        assert_eq!(FREED.load(Ordering::SeqCst), 1);
    });
}

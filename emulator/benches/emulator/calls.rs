//! The cost of small calls when no other thread is awake.

use std::ffi::c_void;
use std::hint::black_box;
use std::ptr;

use ascendcl_sys::*;

use crate::reference::Ring;
use crate::table::{Goal, Table, each};

/// Number of operations of one round.
const ROUND: u32 = 1000;
/// Number of rounds of a row.
const ROUNDS: usize = 301;
/// Size of a small copy in bytes.
const SMALL: usize = 64;

/// Stops the benchmark if a call failed.
#[track_caller]
pub(crate) fn check(code: aclError) {
    assert_eq!(code, ACL_SUCCESS);
}

pub(crate) fn malloc(size: usize) -> *mut c_void {
    let mut pointer = ptr::null_mut();
    // SAFETY: the pointer is valid for a write.
    check(unsafe { aclrtMalloc(&raw mut pointer, size, ACL_MEM_MALLOC_HUGE_FIRST) });
    pointer
}

pub(crate) fn free(pointer: *mut c_void) {
    // SAFETY: the emulator looks the address up and does not dereference it.
    check(unsafe { aclrtFree(pointer) });
}

pub(crate) fn stream() -> aclrtStream {
    let mut stream = ptr::null_mut();
    // SAFETY: the pointer is valid for a write.
    check(unsafe { aclrtCreateStream(&raw mut stream) });
    stream
}

pub(crate) fn destroy(stream: aclrtStream) {
    // SAFETY: the emulator checks handles.
    check(unsafe { aclrtDestroyStream(stream) });
}

pub(crate) fn synchronise(stream: aclrtStream) {
    // SAFETY: the emulator checks handles.
    check(unsafe { aclrtSynchronizeStream(stream) });
}

fn event() -> aclrtEvent {
    let mut event = ptr::null_mut();
    // SAFETY: the pointer is valid for a write.
    check(unsafe { aclrtCreateEventExWithFlag(&raw mut event, ACL_EVENT_SYNC) });
    event
}

fn record(event: aclrtEvent, stream: aclrtStream) {
    // SAFETY: the emulator checks handles.
    check(unsafe { aclrtRecordEvent(event, stream) });
}

fn wait(stream: aclrtStream, event: aclrtEvent) {
    // SAFETY: the emulator checks handles.
    check(unsafe { aclrtStreamWaitEvent(stream, event) });
}

/// Queues a copy between device addresses.
pub(crate) fn copy(to: *mut c_void, from: *const c_void, count: usize, stream: aclrtStream) {
    let kind = ACL_MEMCPY_DEVICE_TO_DEVICE;
    // SAFETY: device addresses, which the emulator checks.
    check(unsafe { aclrtMemcpyAsync(to, count, from, count, kind, stream) });
}

/// The bare ring with two blocks of memory.
struct Bare {
    ring: Ring,
    to: Vec<u8>,
    from: Vec<u8>,
}

impl Bare {
    fn new() -> Bare {
        Bare {
            ring: Ring::new(),
            to: vec![0; SMALL],
            from: vec![1; SMALL],
        }
    }

    fn push(&mut self) {
        self.ring.push(
            black_box(self.to.as_mut_ptr()),
            black_box(self.from.as_ptr()),
            black_box(SMALL),
        );
    }

    /// Returns the nanoseconds of a copy that is queued and made at once.
    fn copy(&mut self) -> f64 {
        each(ROUND, || {
            self.push();
            self.ring.drain();
        })
    }

    /// Returns the nanoseconds of queueing a copy.
    fn enqueue(&mut self) -> f64 {
        let time = each(ROUND, || self.push());
        self.ring.drain();
        time
    }

    /// Returns the nanoseconds of one copy of many.
    fn stream(&mut self) -> f64 {
        each(ROUND, || self.push()) + each(1, || self.ring.drain()) / f64::from(ROUND)
    }
}

pub(crate) fn rows(table: &Table) {
    let (one, other, event) = (stream(), stream(), event());
    let (to, from) = (malloc(SMALL), malloc(SMALL));
    let mut bare = Bare::new();

    table.row(
        "async copy of 64 B, synchronise",
        Goal::Time(60.0),
        ROUNDS,
        || {
            each(ROUND, || {
                copy(to, from, SMALL, one);
                synchronise(one);
            })
        },
        || bare.copy(),
    );
    table.row(
        "async copy of 64 B, enqueue only",
        Goal::Time(20.0),
        ROUNDS,
        || {
            let time = each(ROUND, || copy(to, from, SMALL, one));
            synchronise(one);
            time
        },
        || bare.enqueue(),
    );
    table.row(
        "synchronise a stream with nothing in it",
        Goal::Time(3.0),
        ROUNDS,
        || each(ROUND, || synchronise(one)),
        || each(ROUND, || bare.ring.drain()),
    );
    table.row(
        "record an event, enqueue only",
        Goal::Time(20.0),
        ROUNDS,
        || {
            let time = each(ROUND, || record(event, one));
            synchronise(one);
            time
        },
        || bare.enqueue(),
    );
    table.row(
        "wait for a coming event, enqueue only",
        Goal::Time(20.0),
        ROUNDS,
        || {
            copy(to, from, SMALL, one);
            record(event, one);
            let time = each(ROUND, || wait(other, event));
            synchronise(other);
            time
        },
        || bare.enqueue(),
    );
    table.row(
        "wait for a complete event",
        Goal::Time(20.0),
        ROUNDS,
        || each(ROUND, || wait(other, event)),
        || bare.enqueue(),
    );
    table.row(
        "record an event, host waits for it",
        Goal::Time(50.0),
        ROUNDS,
        || {
            each(ROUND, || {
                record(event, one);
                // SAFETY: the emulator checks handles.
                check(unsafe { aclrtSynchronizeEvent(event) });
            })
        },
        || bare.copy(),
    );
    table.row(
        "record, other stream waits, synchronise it",
        Goal::Time(80.0),
        ROUNDS,
        || {
            each(ROUND, || {
                record(event, one);
                wait(other, event);
                synchronise(other);
            })
        },
        || bare.copy(),
    );
    table.row(
        "query a complete event",
        Goal::Time(3.0),
        ROUNDS,
        || {
            each(ROUND, || {
                let mut status = ACL_EVENT_RECORDED_STATUS_NOT_READY;
                // SAFETY: the status is valid for a write.
                check(unsafe { aclrtQueryEventStatus(event, &raw mut status) });
                black_box(status);
            })
        },
        || each(ROUND, || bare.ring.drain()),
    );
    table.row(
        "1000 queued copies of 64 B, each",
        Goal::Time(25.0),
        ROUNDS,
        || {
            each(ROUND, || copy(to, from, SMALL, one))
                + each(1, || synchronise(one)) / f64::from(ROUND)
        },
        || bare.stream(),
    );
    eight_streams(table);
    handles(table);
    // SAFETY: the emulator checks handles.
    check(unsafe { aclrtDestroyEvent(event) });
    for stream in [one, other] {
        destroy(stream);
    }
    free(to);
    free(from);
}

/// Times the same work on eight streams and on one; the reference is one stream. Each stream has memory of its own.
fn eight_streams(table: &Table) {
    let lane = || (stream(), malloc(SMALL), malloc(SMALL));
    let lanes: Vec<_> = (0..8).map(|_| lane()).collect();
    let one = lane();
    let round = |lanes: &[(aclrtStream, *mut c_void, *mut c_void)]| {
        let mut turn = lanes.iter().cycle();
        let queue = each(ROUND, || {
            if let Some((stream, to, from)) = turn.next() {
                copy(*to, *from, SMALL, *stream);
            }
        });
        let wait = each(1, || lanes.iter().for_each(|lane| synchronise(lane.0)));
        queue + wait / f64::from(ROUND)
    };
    table.row(
        "the same on 8 streams (reference: on 1)",
        Goal::Ratio(1.0 / 0.8),
        ROUNDS,
        || round(&lanes),
        || round(&[one]),
    );
    for (stream, to, from) in lanes.into_iter().chain([one]) {
        destroy(stream);
        free(to);
        free(from);
    }
}

/// Times memory and handles that are released at once and used again.
fn handles(table: &Table) {
    for (name, size) in [
        ("malloc and free 4 KiB, recycled", 4 << 10),
        ("malloc and free 1 MiB, recycled", 1 << 20),
        ("malloc and free 64 MiB, recycled", 64 << 20),
    ] {
        table.row(
            name,
            Goal::Time(40.0),
            ROUNDS,
            || each(ROUND, || free(malloc(black_box(size)))),
            || each(ROUND, || drop(black_box(Vec::<u8>::with_capacity(4 << 10)))),
        );
    }
    table.row(
        "create and destroy an event",
        Goal::Time(30.0),
        ROUNDS,
        || {
            each(ROUND, || {
                // SAFETY: the emulator checks handles.
                check(unsafe { aclrtDestroyEvent(event()) });
            })
        },
        || each(ROUND, || drop(black_box(Box::new([0u8; 64])))),
    );
    table.row(
        "create and destroy a stream",
        Goal::Time(100.0),
        ROUNDS,
        || each(ROUND, || destroy(stream())),
        || each(ROUND, || drop(black_box(Box::new([0u8; 64])))),
    );
}

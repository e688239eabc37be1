//! Waits in a circle: what the checker says before a thread sleeps.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

#[macro_use]
mod common;

use std::ffi::c_void;
use std::ptr;
use std::sync::atomic::{AtomicI32, Ordering};

use ascendcl_emulator::{Mistake, take_findings};
use ascendcl_sys::*;
use common::ranks::*;
use common::*;

/// The time after which a wait of these tests gives up.
const LIMIT: i32 = 200;

/// A stream for which a function waits, and the code of the wait.
struct Wait {
    stream: usize,
    context: usize,
    code: AtomicI32,
}

impl Wait {
    fn on(stream: aclrtStream) -> Wait {
        let mut context = ptr::null_mut();
        check!(context.aclrtGetCurrentContext(&mut context));
        Wait {
            stream: stream.addr(),
            context: context.addr(),
            code: AtomicI32::new(-1),
        }
    }

    fn data(&self) -> *mut c_void {
        ptr::from_ref(self).cast_mut().cast()
    }

    fn code(&self) -> aclError {
        self.code.load(Ordering::Acquire)
    }
}

unsafe extern "C" fn wait(data: *mut c_void) {
    // SAFETY: the test passes a `Wait`, which lives until the stream has called this function.
    let wait = unsafe { &*data.cast_const().cast::<Wait>() };
    let stream = ptr::without_provenance_mut(wait.stream);
    // The thread of the function has no context of its own.
    let context = ptr::without_provenance_mut(wait.context);
    check!(context.aclrtSetCurrentContext(context));
    let code = call!(stream.aclrtSynchronizeStreamWithTimeout(stream, LIMIT));
    wait.code.store(code, Ordering::Release);
}

fn start() -> Serial {
    let serial = alone();
    check!(device.aclrtSetDevice(0));
    serial
}

fn launch(stream: aclrtStream, wait_for: &Wait) {
    check!(callback.aclrtLaunchHostFunc(stream, Some(wait), wait_for.data()));
}

/// Returns the texts of the findings about circles.
fn circles() -> Vec<String> {
    let found = take_findings().into_iter();
    let circles = found.filter(|one| one.mistake == Mistake::CircularWait);
    circles.map(|one| one.text).collect()
}

fn name(stream: aclrtStream) -> String {
    format!("stream {:#x}", stream.addr())
}

#[test]
fn a_function_that_waits_for_its_own_stream_through_an_event_is_found() {
    let _serial = start();
    let (own, other, event) = (stream(), stream(), event_ex(ACL_EVENT_SYNC));
    let wait_for = Wait::on(other);
    let gate = Gate::close(own);
    launch(own, &wait_for);
    check!(event.aclrtRecordEvent(event, own));
    check!(event.aclrtStreamWaitEvent(other, event));
    gate.open();
    check!(stream.aclrtSynchronizeStream(own));
    assert_eq!(wait_for.code(), ACL_ERROR_RT_STREAM_SYNC_TIMEOUT);
    let path = format!(
        "waits for {}, which waits for {}: a function",
        name(other),
        name(own)
    );
    let circles = circles();
    assert_eq!(circles.len(), 1, "{circles:?}");
    assert!(circles[0].contains(&path), "{path}: {}", circles[0]);
    check!(stream.aclrtSynchronizeStream(other));
    // Behind an event that comes before the function the wait ends.
    check!(event.aclrtRecordEvent(event, own));
    check!(event.aclrtStreamWaitEvent(other, event));
    launch(own, &wait_for);
    check!(stream.aclrtSynchronizeStream(own));
    assert_eq!((wait_for.code(), self::circles()), (ACL_SUCCESS, vec![]));
    check!(event.aclrtDestroyEvent(event));
}

/// Asserts that one circle was found, of these streams.
fn expect_one_circle(one: aclrtStream, two: aclrtStream) {
    let circles = circles();
    let [circle] = &circles[..] else {
        unreachable!("one circle is expected: {circles:?}")
    };
    let ways = [(one, two), (two, one)].map(|(from, to)| {
        format!(
            "waits for {}, which waits for {}: a function",
            name(from),
            name(to)
        )
    });
    assert!(ways.iter().any(|way| circle.contains(way)), "{circle}");
}

#[test]
fn functions_that_wait_for_each_other_are_found() {
    let _serial = start();
    let (one, two) = (stream(), stream());
    // SAFETY: no preconditions.
    let this_thread: u64 = unsafe { libc::pthread_self() };
    check!(callback.aclrtSubscribeHostFunc(this_thread, two));
    let (first, second) = (Wait::on(two), Wait::on(one));
    let gate = Gate::close(one);
    launch(one, &first);
    launch(two, &second);
    gate.open();
    while second.code() == -1 {
        check!(callback.aclrtProcessHostFunc(-1));
    }
    check!(stream.aclrtSynchronizeStream(one));
    check!(stream.aclrtSynchronizeStream(two));
    expect_one_circle(one, two);
    check!(callback.aclrtUnSubscribeHostFunc(this_thread, two));
}

#[test]
fn one_thread_runs_the_functions_of_both_streams() {
    let _serial = start();
    let (one, two, event) = (stream(), stream(), event_ex(ACL_EVENT_SYNC));
    let waits = [Wait::on(two), Wait::on(one)];
    // Both functions are queued before the first one starts.
    let gate = Gate::close(one);
    check!(event.aclrtRecordEvent(event, one));
    check!(event.aclrtStreamWaitEvent(two, event));
    launch(one, &waits[0]);
    launch(two, &waits[1]);
    gate.open();
    check!(stream.aclrtSynchronizeStream(one));
    check!(stream.aclrtSynchronizeStream(two));
    // The first one has returned when the second one waits.
    let mut codes = waits.map(|wait| wait.code());
    codes.sort_unstable();
    assert_eq!(codes, [ACL_SUCCESS, ACL_ERROR_RT_STREAM_SYNC_TIMEOUT]);
    expect_one_circle(one, two);
    check!(event.aclrtDestroyEvent(event));
}

fn all_reduce(rank: Rank, memory: *mut c_void) -> HcclResult {
    let Rank { comm, stream, .. } = rank;
    hccl!(HcclAllReduce(
        memory,
        memory,
        2,
        F32,
        HCCL_REDUCE_SUM,
        comm,
        stream
    ))
}

fn broadcast(rank: Rank, memory: *mut c_void) -> HcclResult {
    hccl!(HcclBroadcast(memory, 2, F32, 0, rank.comm, rank.stream))
}

#[test]
fn ranks_whose_streams_wait_for_each_other_are_found() {
    let _serial = start();
    on_ranks(2, |rank| {
        let memory = rank.upload(&[1.0, 2.0]);
        let sum = || assert_eq!(all_reduce(rank, memory), HCCL_SUCCESS, "{}", text());
        let message = || {
            let Rank { comm, stream, .. } = rank;
            let code = if rank.rank == 0 {
                hccl!(HcclSend(memory, 2, F32, 1, comm, stream))
            } else {
                hccl!(HcclRecv(memory, 2, F32, 0, comm, stream))
            };
            assert_eq!(code, HCCL_SUCCESS, "{}", text());
        };
        // They connect the ranks.
        sum();
        message();
        assert_eq!(rank.wait(), 0);
        assert_eq!(circles(), Vec::<String>::new());
        if rank.rank == 0 {
            sum();
            message();
        } else {
            message();
            sum();
        }
        assert_ne!(rank.wait(), 0);
        check!(memory.aclrtFree(memory));
    });
    let findings = take_findings();
    let is_circle = |one: &&ascendcl_emulator::Finding| one.mistake == Mistake::CircularWait;
    assert!(findings.iter().any(|one| is_circle(&one)), "{findings:#?}");
}

#[test]
fn ranks_whose_first_operations_have_another_order_are_found() {
    let _serial = start();
    on_ranks(2, |rank| {
        let memory = rank.upload(&[1.0, 2.0]);
        let code = if rank.rank == 0 {
            all_reduce(rank, memory)
        } else {
            broadcast(rank, memory)
        };
        assert_eq!(code, HCCL_E_TIMEOUT);
        check!(memory.aclrtFree(memory));
    });
    let findings = take_findings();
    let disagree = findings
        .iter()
        .filter(|one| one.mistake == Mistake::RanksDisagree);
    let texts: Vec<_> = disagree.map(|one| one.text.as_str()).collect();
    let expected =
        "rank 0 waits for rank 1 in HcclAllReduce, rank 1 waits for rank 0 in HcclBroadcast; make";
    assert!(
        texts.iter().any(|text| text.contains(expected)),
        "{texts:#?}"
    );
}

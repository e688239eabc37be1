//! Host functions on a thread of the program.

#[macro_use]
mod common;

use std::ffi::c_void;
use std::ptr;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use ascendcl_sys::*;
use common::*;

passes_while_watched!("host_functions");

/// Returns the number of the calling thread for AscendCL.
fn this_thread() -> u64 {
    // SAFETY: no preconditions.
    unsafe { libc::pthread_self() }
}

/// The threads that functions ran on, in order.
static RAN: Mutex<Vec<u64>> = Mutex::new(Vec::new());

fn ran() -> Vec<u64> {
    match RAN.lock() {
        Ok(mut ran) => std::mem::take(&mut ran),
        Err(_) => unreachable!("nobody panics with it"),
    }
}

unsafe extern "C" fn function(_: *mut c_void) {
    match RAN.lock() {
        Ok(mut ran) => ran.push(this_thread()),
        Err(_) => unreachable!("nobody panics with it"),
    }
}

#[test]
fn a_subscribed_thread_runs_the_functions_of_its_stream() {
    let _serial = start();
    let (s, own, none) = (stream(), this_thread(), ptr::null_mut());
    check!(callback.aclrtSubscribeHostFunc(own, s));
    let memory = malloc(64);
    for _ in 0..2 {
        check!(callback.aclrtLaunchHostFunc(s, Some(function), none));
    }
    check!(memory.aclrtMemsetAsync(memory, 64, 3, 64, s));
    assert_eq!(query(s), ACL_STREAM_STATUS_NOT_READY);
    while ran().is_empty() {
        check!(callback.aclrtProcessHostFunc(-1));
    }
    while query(s) != ACL_STREAM_STATUS_COMPLETE {
        let code = call!(callback.aclrtProcessHostFunc(1));
        assert!([0, 507012].contains(&code), "{code}");
    }
    assert_eq!(download(memory, 1), [3]);
    check!(507012, callback.aclrtProcessHostFunc(1));
    check!(callback.aclrtUnSubscribeHostFunc(own, s));
    check!(107012, callback.aclrtProcessHostFunc(1));
    // From here on the emulator's thread runs the functions.
    check!(callback.aclrtLaunchHostFunc(s, Some(function), none));
    check!(stream.aclrtSynchronizeStream(s));
    assert!(ran().iter().any(|thread| *thread != own));
    check!(stream.aclrtDestroyStream(s));
}

#[test]
fn a_stream_may_have_a_thread_for_each_kind() {
    let _serial = start();
    let (s, stop, none) = (stream(), AtomicBool::new(false), ptr::null_mut());
    let mut context = ptr::null_mut();
    check!(context.aclrtGetCurrentContext(&mut context));
    let context = context.addr();
    let process = |work: fn(i32) -> aclError| {
        check!(context.aclrtSetCurrentContext(ptr::without_provenance_mut(context)));
        while !stop.load(Ordering::Relaxed) {
            work(10);
        }
    };
    thread::scope(|scope| {
        let (send, threads) = std::sync::mpsc::channel();
        let other = send.clone();
        scope.spawn(move || {
            let _ = other.send((0, this_thread()));
            process(|timeout| call!(callback.aclrtProcessReport(timeout)));
        });
        scope.spawn(move || {
            let _ = send.send((1, this_thread()));
            process(|timeout| call!(callback.aclrtProcessHostFunc(timeout)));
        });
        let mut ids: Vec<_> = threads.iter().take(2).collect();
        ids.sort_unstable();
        let ids: Vec<_> = ids.iter().map(|(_, id)| *id).collect();
        let [reports, functions] = ids[..] else {
            unreachable!("there are two threads")
        };
        check!(callback.aclrtSubscribeReport(reports, s));
        check!(callback.aclrtSubscribeHostFunc(functions, s));
        let block = ACL_CALLBACK_BLOCK;
        check!(callback.aclrtLaunchCallback(Some(function), none, block, s));
        check!(callback.aclrtLaunchHostFunc(s, Some(function), none));
        check!(callback.aclrtLaunchCallback(Some(function), none, block, s));
        check!(stream.aclrtSynchronizeStream(s));
        assert_eq!(ran(), [reports, functions, reports]);
        stop.store(true, Ordering::Relaxed);
        check!(callback.aclrtUnSubscribeReport(reports, s));
        check!(callback.aclrtUnSubscribeHostFunc(functions, s));
    });
    check!(stream.aclrtDestroyStream(s));
}

#[test]
fn a_wrong_subscription_is_refused() {
    let _serial = start();
    let (s, none) = (stream(), ptr::null_mut());
    check!(107000, callback.aclrtSubscribeHostFunc(1, none));
    check!(107000, callback.aclrtUnSubscribeHostFunc(1, none));
    check!(107000, callback.aclrtProcessHostFunc(0));
    check!(107000, callback.aclrtProcessHostFunc(-2));
    check!(107012, callback.aclrtProcessHostFunc(1));
    check!(107011, callback.aclrtUnSubscribeHostFunc(1, s));
    check!(callback.aclrtSubscribeHostFunc(1, s));
    check!(107011, callback.aclrtSubscribeHostFunc(2, s));
    check!(107012, callback.aclrtUnSubscribeHostFunc(2, s));
    check!(107000, callback.aclrtLaunchHostFunc(s, None, none));
    // The end of a stream ends its subscription.
    check!(stream.aclrtDestroyStream(s));
    check!(107017, callback.aclrtSubscribeHostFunc(1, s));
    let s = stream();
    check!(callback.aclrtSubscribeHostFunc(1, s));
    check!(callback.aclrtUnSubscribeHostFunc(1, s));
    check!(stream.aclrtDestroyStream(s));
}

//! Hooks for streams, and streams that are stopped.

#![allow(clippy::indexing_slicing, reason = "a test fails by panicking")]

#[macro_use]
mod common;

use std::ffi::c_void;
use std::ptr;
use std::sync::Mutex;

use ascendcl_emulator::EmulatorConfig;
use ascendcl_sys::*;
use common::*;

passes_while_watched!("stream_states");

/// The reports to the hook: the stream, its state, and the argument.
static TOLD: Mutex<Vec<(usize, aclrtStreamState, usize)>> = Mutex::new(Vec::new());

const CREATED: aclrtStreamState = ACL_RT_STREAM_STATE_CREATE_POST;
const ENDING: aclrtStreamState = ACL_RT_STREAM_STATE_DESTROY_PRE;

fn told() -> Vec<(usize, aclrtStreamState, usize)> {
    match TOLD.lock() {
        Ok(mut told) => std::mem::take(&mut told),
        Err(_) => unreachable!("nobody panics with it"),
    }
}

unsafe extern "C" fn watch(stream: aclrtStream, state: aclrtStreamState, args: *mut c_void) {
    // A hook can call AscendCL: no lock is held.
    let mut id = -1;
    check!(stream.aclrtStreamGetId(stream, &mut id));
    match TOLD.lock() {
        Ok(mut told) => told.push((stream.addr(), state, args.addr())),
        Err(_) => unreachable!("nobody panics with it"),
    }
}

fn register(name: &std::ffi::CStr, callback: aclrtStreamStateCallback, args: usize) -> aclError {
    let args = ptr::without_provenance_mut(args);
    call!(stream.aclrtRegStreamStateCallback(name.as_ptr(), callback, args))
}

#[test]
fn functions_learn_of_streams_in_the_order_of_their_names() {
    let _serial = serial(EmulatorConfig::default());
    assert_eq!(register(c"b", Some(watch), 2), 0);
    assert_eq!(register(c"a", Some(watch), 1), 0);
    assert_eq!(register(c"a", Some(watch), 3), 107000);
    check!(
        100000,
        stream.aclrtRegStreamStateCallback(ptr::null(), Some(watch), ptr::null_mut())
    );
    check!(device.aclrtSetDevice(0));
    let mut default = ptr::null_mut();
    check!(context.aclrtCtxGetCurrentDefaultStream(&mut default));
    let default = default.addr();
    assert_eq!(told(), [(default, CREATED, 1), (default, CREATED, 2)]);
    // A second reference creates nothing.
    check!(device.aclrtSetDevice(0));
    check!(device.aclrtResetDevice(0));
    assert_eq!(told(), []);
    let s = stream();
    let own = s.addr();
    assert_eq!(told(), [(own, CREATED, 1), (own, CREATED, 2)]);
    assert_eq!(register(c"b", None, 0), 0);
    check!(stream.aclrtDestroyStream(s));
    assert_eq!(told(), [(own, ENDING, 1)]);
    // A stream that is not destroyed is not reported.
    check!(107017, stream.aclrtDestroyStream(s));
    assert_eq!(told(), []);
    check!(device.aclrtResetDevice(0));
    assert_eq!(told(), [(default, ENDING, 1)]);
    assert_eq!(register(c"a", None, 0), 0);
    assert_eq!(register(c"a", None, 0), 0);
    check!(device.aclrtSetDevice(0));
    assert_eq!(told(), []);
}

#[test]
fn a_context_of_its_own_has_a_default_stream_too() {
    let _serial = serial(EmulatorConfig::default());
    assert_eq!(register(c"one", Some(watch), 7), 0);
    let mut context = ptr::null_mut();
    check!(context.aclrtCreateContext(&mut context, 0));
    let created = told();
    assert_eq!(created.len(), 1);
    check!(context.aclrtDestroyContext(context));
    assert_eq!(told(), [(created[0].0, ENDING, 7)]);
    assert_eq!(register(c"one", None, 0), 0);
}

#[test]
fn a_stop_is_for_streams_that_the_device_drives() {
    let _serial = start();
    let usual = stream();
    check!(207000, stream.aclrtStreamStop(usual));
    check!(107000, stream.aclrtStreamStop(ptr::null_mut()));
    check!(stream.aclrtDestroyStream(usual));
    check!(107017, stream.aclrtStreamStop(usual));
}
